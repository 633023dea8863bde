"""All pages of the archive: links, sizes, looks, scripts off, accessibility, a web server."""
import functools
import glob
import html.parser
import http.server
import json
import os
import re
import threading
import urllib.parse

from made_site import GAMES, HOSTILE
from playing import address

AXE = "build/browser/axe.js"


def files(archive, end=".html"):
    return sorted(os.path.join(d, f) for d, _, names in os.walk(archive) for f in names
                  if f.endswith(end))


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.bad = [], []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src"):
                self.found.append(value)
            if name == "style" or name.startswith("on"):
                self.bad.append((tag, name))


def check_files(t, archive, games):
    """Checks that need no browser: links lead to files, policies stand, budgets are kept."""
    for path in files(archive):
        text, links = open(path, encoding="utf-8").read(), Links()
        links.feed(text)
        name = os.path.relpath(path, archive)
        t.equal(links.bad, [], name + ": handlers and styles in the page")
        t.check("Content-Security-Policy" in text or "http-equiv=\"refresh\"" in text, name + ": a policy")
        for link in links.found:
            url = urllib.parse.urlsplit(link)
            if url.scheme or not url.path:
                t.check(url.scheme in ("", "mailto", "https", "data"), name + ": " + link)
                continue
            goal = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path)))
            t.check(os.path.isfile(goal) and goal.startswith(archive), name + ": " + link)
    check_secrets(t, archive)
    check_budget(t, archive, games)


def check_secrets(t, archive):
    for n in (len(GAMES) + 1, len(GAMES) + 2):
        t.check(not any(f"/{n}." in path for path in files(archive, "")), f"board {n} goes on")
    for path in files(archive, ""):
        text = open(path, encoding="utf-8", errors="replace").read()
        t.check("@example.net" not in text and "@example.com" not in text, path + ": an address")
        t.check(HOSTILE not in text or path.endswith(".pgn"), path + ": text as it came")


def check_budget(t, archive, games):
    for board, game, _, turns in games:
        size = os.path.getsize(address(archive, board)[7:])
        t.check(size <= 40000 + 400 * max(0, len(turns) - 60), f"{game}: {size} bytes of HTML")
    static = archive + "/static/"
    # The words of another language are loaded only by who reads it.
    words = [f for f in os.listdir(static) if open(static + f, encoding="utf-8").read(12) == "pbmLanguage("]
    t.equal(len(words), 2, "files with the words of a language")
    t.check(all(os.path.getsize(static + f) <= 32000 for f in words), "bytes of a language's words")
    page = open(address(archive, games[0][0])[7:], encoding="utf-8").read()
    sizes = {end: sum(os.path.getsize(static + f) for f in os.listdir(static)
                      if f.endswith(end) and f in page and f not in words) for end in (".css", ".js", ".svg")}
    board = sum(os.path.getsize(static + f) for f in os.listdir(static)
                if "Chessgroundx" in open(static + f, encoding="utf-8").read(400))
    css = os.path.getsize("templates/static/site.css")
    t.check(css <= 14336, f"{css} bytes of CSS")
    t.check(board + os.path.getsize("templates/static/game.js") <= 90000, "bytes of a page's scripts")
    t.check(sum(sizes.values()) <= 165 * 1024 - 40000, f"{sum(sizes.values())} bytes beside the page")
    t.check(sizes[".svg"] <= 20480, f"{sizes['.svg']} bytes of men")


def samples(archive):
    """One page of each kind, as {name: address}."""
    kinds = {"front": "index.html", "player": "player/alice/index.html", "game": "game/chess/index.html",
             "month": "month/2026-12/index.html", "rules": "rules/avalanchechess.html",
             "help": "help/index.html"}
    found = {name: "file://" + os.path.join(archive, path) for name, path in kinds.items()
             if os.path.exists(os.path.join(archive, path))}
    return {**found, "board": address(archive, 1), "embed": address(archive, 3).replace("/games/", "/embed/")}


def few_of_each(archive):
    """At most three pages of each kind."""
    found = {}
    for path in files(archive):
        steps = os.path.relpath(path, archive).split("/")
        found.setdefault((steps[0], *steps[2:-2], len(steps)), []).append(path)
    return [path for paths in found.values() for path in paths[:3]]


def all_open(t, chrome, archive, games, rules):
    """Pages of every kind, from disk: no word on the console, no request outside."""
    page = chrome.page(width=360, height=740)
    for path in few_of_each(archive):
        page.open("file://" + path)
        wide = page.run("document.documentElement.scrollWidth")
        t.check(wide <= 360, f"{path}: {wide} pixels wide on a phone")
    t.equal(page.faults, [], "what the console says")
    outside = [u for u in page.requests if not u.startswith(("file://" + archive, "data:"))]
    t.equal(outside, [], "requests outside")
    page.close()


def no_scripts(t, chrome, archive, games, rules):
    page = chrome.page(scripts=False)
    page.open(address(archive, games[0][0]))
    snap = page.call("DOMSnapshot.captureSnapshot", computedStyles=["display"])
    words = " ".join(s for s in snap["strings"])
    t.check("Rd8#" in words, "the moves without scripts")
    shown = page.call("DOM.getDocument")["root"]["nodeId"]
    board = page.call("DOM.querySelector", nodeId=shown, selector="#board svg use")["nodeId"]
    t.check(page.call("DOM.getBoxModel", nodeId=board)["model"]["width"] > 10, "a drawn board")
    button = page.call("DOM.querySelector", nodeId=shown, selector="[data-go]")["nodeId"]
    try:
        page.call("DOM.getBoxModel", nodeId=button)
        t.check(False, "buttons that do nothing are shown")
    except OSError:
        t.check(True, "no buttons")
    page.close()


def embedded(t, chrome, archive, games, rules):
    """The board alone, in the size that the line for other pages names."""
    for scripts in (True, False):
        page = chrome.page(width=400, height=600, scripts=scripts)
        page.open(address(archive, games[2][0]).replace("/games/", "/embed/"))
        if scripts:
            page.run("document.querySelector('[data-go=back]').click()")
            page.until("/by /.test(document.getElementById('position').textContent)", "the move before")
            t.equal(page.run("[document.documentElement.scrollWidth <= 400, document.documentElement.scrollHeight <= 600,"
                             "[...document.querySelectorAll('a[href]')].every(a => a.target === '_blank')].join()"),
                    "true,true,true", "it fits the frame, and links leave it")
        page.shoot("build/browser/embedded%s.png" % ("" if scripts else "-plain"))
        t.equal(page.faults, [], "what the console says")
        page.close()


def hostile(t, chrome, archive, games, rules):
    page = chrome.page()
    page.open(address(archive, games[2][0]))
    t.check(HOSTILE in page.run("document.body.textContent"), "a hostile comment is text")
    t.equal(page.run("document.querySelectorAll('img[src=x]').length"), 0, "no element of it")
    page.close()


def accessible(t, chrome, archive, games, rules):
    if not os.path.exists(AXE):
        print("skipped: axe-core is not there")
        return
    axe = open(AXE, encoding="utf-8").read()
    for dark in (False, True):
        page = chrome.page(dark=dark)
        for name, url in samples(archive).items():
            if dark and name not in ("front", "board"):
                continue  # the same colours
            page.open(url)
            page.run(axe + ";0")
            found = page.run("""axe.run({ resultTypes: ['violations'] }).then(r => r.violations
                .filter(v => v.impact === 'serious' || v.impact === 'critical')
                .map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | ')))""")
            t.equal(found, [], f"axe on {name}{' in the dark' if dark else ''}")
        page.close()


SEARCHES = (
    ("atomic exploded", "Pages: Atomic", "^1 game$"),
    ("anti", "Pages: Antichess", "^1 game$"),
    ("nobody", "", "^0 games; not understood: nobody$"),
    ("white won checkmate", "", "^4 games$"),
    ("cup", "Pages: tournament cup", "^2 games$"),
    ("alice cup", "Pages: alice, tournament cup", "^2 games$"),
    ("carol cup", "Pages: carol, tournament cup", "^0 games$"),
    ("rated 9000+", "", "not understood: rated"),
    ("1000-2000", "", "^[1-9][0-9]* games$"),
    ("cup 1000-2000", "Pages: tournament cup", "^2 games$"),
    ("cup 2800+", "Pages: tournament cup", "^0 games$"),
    ("alice cup >1400", "Pages: alice, tournament cup", "^2 games$"),
    ("alice cup <1400", "Pages: alice, tournament cup", "^0 games$"),
    ("cup turns<10", "Pages: tournament cup", "^2 games$"),
    ("cup turns>4", "Pages: tournament cup", "^0 games$"),
    ("alice turns=3-5 cup", "Pages: alice, tournament cup", "^2 games$"),
    ("alice white", "Pages: alice", "^[0-9]+ games$"),
)


def search(t, chrome, archive, games, rules):
    page = chrome.page()
    page.open(samples(archive)["front"])
    if not page.run("!!document.querySelector('input[type=search]')"):
        t.check(False, "a search box")
        return
    page.run("document.querySelector('input[type=search]').focus()")
    for letter in "bob":
        page.key(letter)
    page.until("[...document.querySelectorAll('#pages a')].some(a => a.href.endsWith('player/bob/index.html'))",
               "bob is found")
    t.check(True, "search")
    for words, page_found, games_found in SEARCHES:
        page.run("(q => { q.value = %r; q.dispatchEvent(new Event('input')); })(document.getElementById('query'))" % words)
        page.until("document.getElementById('pages').textContent === %r && /%s/.test(document.getElementById('found').textContent)"
                   % (page_found, games_found), "what is found for " + words)
    page.run("(o => { o.value = 'shortest'; o.dispatchEvent(new Event('change')); })(document.getElementById('order'))")
    page.until("(n => n.length > 2 && n.every((x, i) => !i || n[i - 1] <= x))([...document.querySelectorAll('#hits li')]"
               ".map(x => +/(\\d+) turn/.exec(x.textContent)[1]))", "the shortest games first")
    t.equal(page.faults, [], "what the console says about a search")
    page.close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def send_error(self, code, *words):
        self.server.errors.append((code, self.path))
        super().send_error(code, *words)


def served(t, chrome, archive, games, rules):
    """From a web server, as a visitor goes: the front page, a game, another ply."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=archive))
    server.errors = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/"
    page = chrome.page()
    page.open(home + "index.html")
    page.run("[...document.querySelectorAll('main a')].find(a => /games\\/\\d+\\/\\d+\\.html/.test(a.href)).click()")
    page.wait("Page.loadEventFired")
    page.until("!!document.querySelector('[data-go=back]:not([hidden])')", "the buttons")
    page.key("ArrowLeft")
    page.until("/^#\\d+$/.test(location.hash)", "the address follows")
    page.run("document.querySelector('nav.beside a[rel]').click()")
    page.wait("Page.loadEventFired")
    page.until("!!document.querySelector('nav.beside a:not([rel])')", "the way back")
    t.equal(page.run("[...document.querySelectorAll('nav.beside a')].filter(a => a.textContent === 'Back to the list').map(a => a.href)"),
            [home + "index.html"], "from the next game back to the list")
    onward = "[...document.querySelectorAll('nav.beside a')].filter(a => / in the list$/.test(a.textContent)).map(a => a.href)"
    page.until(onward + ".length > 0", "the games beside it in the list")
    listed = ("fetch(%r).then(r => r.text()).then(t => [...new Set([...new DOMParser().parseFromString(t, 'text/html').querySelectorAll('main a')]"
              ".map(a => new URL(a.getAttribute('href'), %r).href).filter(h => /games/.test(h) && /html$/.test(h)))])" % (home + "index.html", home))
    order, here = page.run(listed), page.run("location.href.split('#')[0]")
    at = order.index(here)
    t.equal(page.run(onward), order[max(at - 1, 0):at] + order[at + 1:at + 2], "the games beside this one in the list")
    page.run("sessionStorage.setItem('list', 'https://elsewhere.example/'); location.reload()")
    page.wait("Page.loadEventFired")
    page.until("!!document.querySelector('[data-go=back]:not([hidden])')", "the buttons")
    t.equal(page.run("document.querySelector('nav.beside a[href^=\"https://elsewhere\"]')"), None, "a way to elsewhere")
    page.listen()
    t.equal(page.faults, [], "what the console says about a served page")
    t.equal([u for u in page.requests if not u.startswith((home, "data:"))], [], "requests elsewhere")
    t.equal([e for e in server.errors if "favicon" not in e[1]], [], "what is missing")
    page.close()
    server.shutdown()
    server.server_close()


def way_back(page, words):
    """The href of a link of a page without scripts, or None."""
    top = page.call("DOM.getDocument")["root"]["nodeId"]
    nav = page.call("DOM.querySelector", nodeId=top, selector="nav.beside")["nodeId"]
    links = dict((text, href) for href, text in re.findall(
        r'<a href="([^"]*)" rel="prev">([^<]*)</a>', page.call("DOM.getOuterHTML", nodeId=nav)["outerHTML"]))
    return links.get(words)


def ways_on(t, chrome, archive, games, rules):
    """Without scripts, from the last game to the first: of the pair, of the tournament."""
    records = [json.load(open(path)) for path in files(archive, ".json") if "/games/" in path]
    records.sort(key=lambda r: (r["ended"], r["board"]))
    page = chrome.page(scripts=False)
    for words, mine in (("This pair's game before", lambda r: {r["white"], r["black"]} == {"alice", "bob"}),
                        ("This tournament's game before", lambda r: r.get("tournament") == "cup")):
        order = [address(archive, r["board"]) for r in records if mine(r)]
        t.check(len(order) > 1, words)
        here, way = order[-1], []
        while here and len(way) < len(order):
            way.append(here)
            page.open(here)
            href = way_back(page, words)
            here = href and urllib.parse.urljoin(here, href)
        t.equal((way, here), (order[::-1], None), words)
    page.close()


def print_out(t, chrome, archive, games, rules):
    page = chrome.page()
    page.open(address(archive, games[0][0]))
    page.pdf("build/browser/game.pdf")
    with open("build/browser/game.pdf", "rb") as f:
        sheets = re.findall(rb"/Count (\d+)", f.read())
    t.equal(sheets[:1], [b"1"], "sheets of a printed game")
    page.close()
    page = chrome.page(scripts=False)
    page.open(address(archive, games[0][0]))
    page.media(print_=True)
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    for what, selector, wanted in (("a board", "#board svg.board", True), ("a man", "#board svg use", True),
                                   ("the moves", "#moves li", True), ("the site's links", "body > header", False)):
        node = page.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        try:
            shown = page.call("DOM.getBoxModel", nodeId=node)["model"]["width"] > 10
        except OSError:  # it has no place on the page
            shown = False
        t.equal(shown, wanted, f"{what} on paper without scripts")
    page.close()


def shots(chrome, archive, folder):
    """Pictures of one page of each kind, to be looked at, and those of README."""
    for name, url in (("readme-front", samples(archive)["front"]), ("readme-game", address(archive, 1, 24))):
        page = chrome.page(width=1120, height=720 if name == "readme-front" else 944)
        page.open(url)
        page.run("new Promise(done => setTimeout(done, 150))")
        page.shoot(f"{folder}/{name}.png")
        page.close()
    for name, url in samples(archive).items():
        for look, width, height, dark, phone in (("", 1280, 900, False, False), ("-dark", 1280, 900, True, False),
                                                 ("-phone", 360, 740, False, True)):
            if look and name not in ("front", "board", "player"):
                continue
            page = chrome.page(width=width, height=height, dark=dark, phone=phone)
            page.open(url + ("#24" if name == "board" else ""))
            page.run("new Promise(done => setTimeout(done, 150))")
            page.shoot(f"{folder}/{name}{look}.png", whole=not look and name != "board")
            page.close()


def hands(t, page):
    """The pockets beside a stepping example are those of its position."""
    label = "document.querySelector('#taken-top').getAttribute('aria-label')"
    men = "document.querySelectorAll('#taken-top svg').length"
    t.equal(page.run("[...document.querySelectorAll('.example .taken')].map(e => e.children.length)"),
            [1, 1, 1, 1, 0, 1], "men in the pockets of drawings")
    page.run("document.querySelector('.play [data-go=first]').click()")
    page.until(men + " === 1", "the pocket before the first move")
    t.equal(page.run(label), "Black's pocket: pawn", "the pocket in words")
    page.run("document.querySelector('.play [data-go=next]').click()")
    page.run("document.querySelector('.play [data-go=next]').click()")
    page.until(men + " === 2", "a captured man in the pocket")


def rules_step(t, chrome, archive, games, rules):
    """Each example game of a rules page steps by itself: by its buttons, and by keys in its list."""
    page = chrome.page()
    here = "[...document.querySelectorAll('.table > p')].map(e => e.firstChild.data)"
    for path in sorted(glob.glob(archive + "/rules/*.html")):
        name = os.path.basename(path)[:-len(".html")]
        with open("templates/help/games/%s.md" % name, encoding="utf-8") as f:
            written = len(re.findall(r"```game.*\n[0-9]+\.", f.read()))
        page.open("file://" + path)
        page.until("%s.every(text => text.includes(' by '))" % here, name)
        ends = page.run(here)
        t.equal(len(ends), written, name + ": examples that step")
        for i in range(len(ends)):
            one = "document.querySelectorAll('.play')[%d]" % i
            page.run(one + ".querySelector('[data-go=first]').click()")
            page.until(here + "[%d] === 'Before the first move.'" % i, name + ": the start")
            t.equal(page.run(here)[:i] + page.run(here)[i + 1:], ends[:i] + ends[i + 1:], name + ": the others stay")
            page.run(one + ".querySelector('a[data-ply]').focus()")
            page.key("End")
            page.until(here + "[%d] === %s" % (i, json.dumps(ends[i])), name + ": the end by a key")
        if name == "crazyhouse":
            hands(t, page)
    t.equal(page.run("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size === "
                     "document.querySelectorAll('[id]').length"), True, "ids that stand once")
    t.equal(page.faults, [], "what the console says")
    page.close()


PARTS = [all_open, no_scripts, rules_step, embedded, hostile, accessible, search, served, ways_on, print_out]
