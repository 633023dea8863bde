"""Live pages: on the page of the side to move each legal turn is made, by mouse, by clicks or
by keys, and the mail that the page opens is fed back to the program, which plays it."""
import glob
import json
import os
import random
import re
import subprocess
import urllib.parse

import made_site
from made_site import PLAYERS
from pages import AXE

PLIES = 14  # before the first page is opened
ROUNDS = 2
FULL = os.environ.get("FULL")
SOME = 40 if FULL else 10   # of the legal turns of a position, if it has more
FEW = 5 if FULL else 2      # of those of most boards
MANY = 4    # boards where all turns are tried, or so many of them
SHOWN = ("chess", "crazyhouse", "suicide", "avalanchechess-standard", "connectedchess-half")  # in pictures
EXTRA = [   # positions with turns of other shapes: promotion, castling, a pawn that waits for its name
    ("chess", [], "dave", "bob", "h4 g5 hxg5 h6 gxh6 a6 h7 a5"),
    ("chess", [], "carol", "bob", "e4 e5 Nf3 Nc6 Bc4 Bc5"),
    ("crazyhouse", [], "dave", "carol", "e4 d5 exd5 Qxd5 Nc3 Qe5+"),
    ("avalanchechess", ["-standard"], "alice", "dave", "b4,c6 d6,b5 bxc6,d5 g6,c7 c4,d4 Bg7,c5 f4,d3 Bg4,c8"),
]
OPENED = """
window.opened = [];
addEventListener('click', e => {
    const a = e.target.closest('a');
    if (a && a.protocol === 'mailto:') { e.preventDefault(); window.opened.push(a.href); }
});
window.at = square => {
    const r = document.querySelector('#board svg').getBoundingClientRect();
    const [, , w, h] = document.querySelector('#board svg').getAttribute('viewBox').split(' ');
    const turned = document.getElementById('board').classList.contains('turned');
    let x = square.charCodeAt(0) - 97, y = h / 45 - square[1];
    if (turned) { x = w / 45 - 1 - x; y = h / 45 - 1 - y; }
    return [r.x + (x + 0.5) * r.width * 45 / w, r.y + (y + 0.5) * r.height * 45 / h];
};0"""


class World:
    def __init__(self, pbm, folder):
        games = {}
        for game, options, white, black, turns in made_site.GAMES:
            games.setdefault((game, *options), (game, options, white, black, turns))
        self.games = list(games.values()) + EXTRA
        self.site = made_site.Site(pbm, folder)
        self.rules = made_site.Rules(pbm)
        self.pbm, self.folder, self.serial = pbm, folder, 0
        with open(folder + "/pbm.conf", "a", encoding="utf-8") as conf:
            conf.write("\narchive-url = https://games.example.org\n")

    def begin(self):
        site, turns = self.site, []
        site.write([(white, " ".join([game, "challenge", white, black, *options]))
                    for game, options, white, black, _ in self.games])
        self.boards = []
        for i in range(len(self.games)):
            r = self.record(i + 1)
            self.boards.append((i + 1, r))
        order = []
        for number, r in self.boards:
            order.append(next(g for g in self.games if (g[0], g[2], g[3]) ==
                              (r["game"], r["white"], r["black"]) and
                              all(o in r.get("options", "") for o in g[1])))
        self.games = order
        site.write([(g[3], f"accept {i + 1}") for i, g in enumerate(self.games)])
        made_site.PLIES = PLIES + 4
        for i, (game, options, _, _, known) in enumerate(self.games):
            turns.append((known.split() if known else made_site.choose(self.rules, game, options, i))[:PLIES])
        for ply in range(PLIES):
            lines = []
            for i, list_ in enumerate(turns):
                if ply < len(list_) and self.record(i + 1)["state"] == "running":
                    lines.append((self.mover(i + 1), f"move {i + 1} {list_[ply]}"))
            site.write(lines)
        # A game of one player with both sides, and one that nobody else may see.
        site.write([("alice", "chess challenge alice alice"), ("bob", "chess challenge bob carol -private")])
        n = len(self.games)
        site.write([("alice", f"accept {n + 1}"), ("carol", f"accept {n + 2}")])

    def record(self, board):
        with open(f"{self.folder}/games/000/{board}.json", encoding="utf-8") as f:
            return json.load(f)

    def mover(self, board):
        r = self.record(board)
        return r[r["to_move"]] if r.get("to_move") in ("white", "black") else None

    def pages(self):
        """{(board, player): path}"""
        found = {}
        for path in glob.glob(self.folder + "/archive/live/*/index.html"):
            with open(path, encoding="utf-8") as f:
                text = f.read()
            board = int(re.search(r"<title>[^<]*, board (\d+):", text).group(1))
            white = re.search(r"\+g\d+\.([wb])\.|%2Bg\d+\.([wb])\.", text)
            if not white:  # the game has ended
                continue
            seat = next(g for g in white.groups() if g)
            found[board, self.record(board)["white" if seat == "w" else "black"]] = path
        return found

    def mail(self, who, link, sender=None):
        """Sends what a mailto: link says."""
        address, query = link[len("mailto:"):].split("?", 1)
        fields = dict(urllib.parse.parse_qsl(query))
        self.serial += 1
        text = (f"From: <{sender or PLAYERS[who]}>\r\nTo: <{urllib.parse.unquote(address)}>\r\n"
                f"Subject: {fields['subject']}\r\nMessage-ID: <live{self.serial}@example.org>\r\n"
                f"Date: {self.site.now.strftime('%a, %d %b %Y %H:%M:%S +0000')}\r\n\r\n{fields['body']}\r\n")
        with open(f"{self.folder}/inbox/new/{self.serial}.live", "w", encoding="utf-8", newline="") as f:
            f.write(text)

    def tick(self):
        self.site.call("-C", self.folder, "--now", self.site.time(), "-q", "tick")
        self.site.now += made_site.datetime.timedelta(hours=1)


def steps(uci):
    """As live.js has them, found in another way."""
    list_ = []
    for part in uci.split(","):
        if "=" in part or part == "0000":
            list_.append(part)
        elif "@" in part:
            list_ += [part[:2], part[2:]]
        else:
            list_ += [part[:2], part[2:4]] + (["=" + part[4]] if part[4:] else [])
    return list_


def mouse(page, kind, at):
    page.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], clickCount=1,
              button="none" if kind == "mouseMoved" else "left", buttons=int(kind != "mouseReleased"))


def clicked(page, square):
    at = page.run(f"window.at('{square}')")
    mouse(page, "mousePressed", at)
    mouse(page, "mouseReleased", at)


def dragged(page, a, b):
    a, b = page.run(f"[window.at('{a}'), window.at('{b}')]")
    mouse(page, "mousePressed", a)
    for part in (0.3, 0.7, 1):
        mouse(page, "mouseMoved", [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part])
    mouse(page, "mouseReleased", b)


def fingered(page, a, b):
    a, b = page.run(f"[window.at('{a}'), window.at('{b}')]")
    for kind, at in (("touchStart", a), ("touchMove", [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]), ("touchMove", b)):
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": at[0], "y": at[1]}])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def by_keys(page, square):
    """Arrows from where the board's cursor is."""
    page.run("document.querySelector('#board svg').focus()")
    for _ in range(20):
        x, y, tx, ty = page.run(f"""(() => {{ const c = document.querySelector('.cursor');
            const r = c.getBoundingClientRect(), t = window.at('{square}');
            return [r.x + r.width / 2, r.y + r.height / 2, ...t]; }})()""")
        if abs(x - tx) < 8 and abs(y - ty) < 8:
            break
        if abs(x - tx) >= 8:
            page.key("ArrowRight" if tx > x else "ArrowLeft")
        else:
            page.key("ArrowDown" if ty > y else "ArrowUp")
    page.key("Enter")


def make_turn(page, uci, way):
    """The link that the page opens."""
    page.run("window.opened.length = 0; document.getElementById('again').click();"
             "document.getElementById('board').scrollIntoView({block: 'center'})")
    list_, i = steps(uci), 0
    while i < len(list_):
        if page.run("window.opened.length"):
            break
        step = list_[i]
        if "@" in step:
            page.run(f"document.querySelector('.pocket .own[value=\"{step}\"]').click()")
            i += 1
        elif step[0] == "=" or not re.fullmatch("[a-h][1-8]", step):
            page.run(f"document.querySelector('#choose [data-step=\"{step}\"]').click()")
            i += 1
        elif way in ("drag", "finger") and i + 1 < len(list_):
            (dragged if way == "drag" else fingered)(page, step, list_[i + 1])
            i += 2
        else:
            (by_keys if way == "keys" else clicked)(page, step)
            i += 1
    links = page.run("window.opened")
    return links[0] if len(links) == 1 else None


def open_page(chrome, path, **look):
    page = chrome.page(**look)
    page.open("file://" + path)
    page.run(OPENED)
    return page


def body_of(link):
    return dict(urllib.parse.parse_qsl((link or "?").split("?", 1)[1])).get("body")


def every_turn(t, chrome, world):
    """Turns by drag, click and keys, on pages of every kind of game; then one is sent."""
    rng = random.Random(5)
    for number in range(ROUNDS):
        sent = {}
        pages = world.pages()
        for board, (game, options, *_) in [(i + 1, g) for i, g in enumerate(world.games)]:
            who = world.mover(board)
            if not who:
                continue
            page = open_page(chrome, pages[board, who], phone=number == 1, width=360 if number == 1 else 1280)
            r = world.record(board)
            moves = [e["move"] for e in r["events"] if e["kind"] == "move"]
            legal = world.rules.position(game, options, moves)["legal"]
            listed = page.run("JSON.parse(document.getElementById('live').textContent).turns.split('\\n')"
                              ".map(l => l.split(' ')[0])")
            t.equal(sorted(listed), sorted(legal), f"{game} {options}, board {board}: turns of the page")
            many = board <= MANY or board > len(world.games) - len(EXTRA)
            tried = rng.sample(legal, min(SOME if many and number == 0 else FEW, len(legal)))
            tried += [u for u in legal if re.search("[a-z=]q$|=q,|e1g1|@", u) and u not in tried][:4]
            link = None
            for k, uci in enumerate(tried):
                way = ("drag" if number == 0 else "finger", "click", "keys")[(k + number) % 3]
                link = make_turn(page, uci, way)
                text = body_of(link)
                t.check(text is not None, f"board {board}: {uci} by {way} opens no mail")
            t.equal(page.faults, [], f"board {board}: the console")
            if link:
                sent[board] = tried[-1], who
                world.mail(who, link)
            page.close()
        world.tick()
        for board, (uci, who) in sent.items():
            moves = [e["move"] for e in world.record(board)["events"] if e["kind"] == "move"]
            waits = any(s.get("pending") for s in world.record(board).get("secret") or [])
            t.check(moves[-1] == uci or waits, f"board {board}: {who}'s {uci} was played: {moves[-1]}")


def unfinished(t, world, board, link, at, parts):
    """A link up to the comma: with each legal push after it, it is read as that turn.  One
    of these turns, or None."""
    game, options = world.games[board - 1][:2]
    moves = [e["move"] for e in world.record(board)["events"] if e["kind"] == "move"]
    body, turns = body_of(link), []
    for uci, san in zip(at["legal"], at["san"]):
        san = re.sub("[+#X]+$", "", san)
        if not san.startswith(body):
            continue
        push = san[len(body):]
        t.check(push in parts, f"board {board}: {push} stands below the links")
        t.equal(world.rules.position(game, options, moves + [body + push]).get("fen"),
                world.rules.position(game, options, moves + [uci]).get("fen"), f"board {board}: {body} with {push}")
        turns.append((uci, push))
    t.check(turns, f"board {board}: a link with {body}")
    return turns[board % len(turns)] if turns else None


def links_of_list(t, chrome, world):
    """Each link without scripts is a legal turn, too: one a board is sent.  Where a turn has
    two parts and there are many, a link ends with a comma: it plays nothing before the player
    has written the other part after it."""
    sent, ahead = {}, {}
    for (board, who), path in sorted(world.pages().items()):
        if who != world.mover(board) or board > len(world.games):
            continue
        with open(path, encoding="utf-8") as f:
            text = f.read()
        links = [l.replace("&amp;", "&") for l in re.findall(r'class=m href="(mailto:[^"]*)"', text)]
        game, options = world.games[board - 1][:2]
        moves = [e["move"] for e in world.record(board)["events"] if e["kind"] == "move"]
        at = world.rules.position(game, options, moves)
        san = [re.sub("[+#X]+$", "", s) for s in at["san"]]
        parts = re.search(r"after the comma in the mail that opens \(([a-h1-8 ]+)\)", text)
        t.equal(bool(parts), any(body_of(l).endswith(",") for l in links), f"board {board}: what to add is told")
        whole = {}
        for link in links:
            body = re.sub("X$", "", body_of(link))
            if body.endswith(","):
                whole[link] = unfinished(t, world, board, link, at, parts[1].split() if parts else [])
            else:
                t.check(body in san, f"board {board}: a link with {body}")
        if not links:
            continue
        link = links[board % len(links)]
        world.mail(who, link)
        if whole.get(link):
            ahead[board] = who, link, whole[link], moves
        else:
            sent[board] = at["legal"][san.index(re.sub("X$", "", body_of(link)))]
    world.tick()
    t.check(ahead, "links that are to be finished")
    for board, (who, link, (uci, push), moves) in ahead.items():
        t.equal([e["move"] for e in world.record(board)["events"] if e["kind"] == "move"], moves,
                f"board {board}: {body_of(link)} alone plays nothing")
        world.mail(who, link + push)
        sent[board] = uci
    world.tick()
    for board, uci in sent.items():
        moves = [e["move"] for e in world.record(board)["events"] if e["kind"] == "move"]
        waits = any(s.get("pending") for s in world.record(board).get("secret") or [])
        t.check(moves[-1] == uci or waits, f"board {board}: the link {uci} was played: {moves[-1]}")


def looks(t, chrome, world):
    axe = open(AXE, encoding="utf-8").read() if os.path.exists(AXE) else None
    for n, ((board, who), path) in enumerate(sorted(world.pages().items())):
        page = open_page(chrome, path, width=360, height=740, phone=True, dark=bool(n % 2))
        wide = page.run("document.documentElement.scrollWidth")
        t.check(wide <= 360, f"board {board}, {who}: {wide} pixels wide on a phone")
        t.equal(page.faults, [], f"board {board}: the console")
        home = "file://" + world.folder
        t.equal([u for u in page.requests if not u.startswith((home, "data:"))], [], "requests outside")
        if axe and n % 3 == 0:
            page.run(axe + ";0")
            found = page.run("""axe.run({ resultTypes: ['violations'] }).then(r => r.violations
                .filter(v => v.impact === 'serious' || v.impact === 'critical')
                .map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | ')))""")
            t.equal(found, [], f"axe on the live page of board {board}")
        page.close()


def secrets(t, chrome, world):
    """A page holds its own seat's token alone; another sender can't use it; ends remove it."""
    pages = world.pages()
    for (board, who), path in pages.items():
        with open(path, encoding="utf-8") as f:
            text = f.read()
        tokens = set(re.findall(r"(?:%2B|\+)(g\d+\.[wb])\.", text))
        seat = "w" if world.record(board)["white"] == who else "b"
        t.equal(tokens, {f"g{board}.{seat}"}, f"tokens on the page of board {board}, {who}")
        for wanted in ('name="robots" content="noindex"', 'name="referrer" content="no-referrer"',
                       "Content-Security-Policy"):
            t.check(wanted in text, f"board {board}: {wanted}")
    names = [os.path.basename(os.path.dirname(p)) for p in pages.values()]
    t.equal(len(set(names)), len(names), "different addresses")
    t.check(all(re.fullmatch("[a-z2-7]{32}", n) for n in names), "long addresses")
    for path in glob.glob(world.folder + "/archive/**/*", recursive=True):
        # robots.txt keeps robots out of the folder, and names none of its pages.
        if os.path.isfile(path) and "/archive/live/" not in path and not path.endswith("/robots.txt"):
            with open(path, "rb") as f:
                data = f.read().decode("utf-8", "replace")
            t.check(not any(n in data for n in names) and "live/" not in data.replace("archive/live", ""),
                    f"{path} tells of live pages")
    board = 1
    who = world.mover(board)
    if who:
        page = open_page(chrome, pages[board, who])
        game, options = world.games[0][:2]
        moves = [e["move"] for e in world.record(board)["events"] if e["kind"] == "move"]
        link = make_turn(page, world.rules.position(game, options, moves)["legal"][0], "drag")
        page.close()
        other = next(n for n in PLAYERS if n != who and n in (world.record(board)["white"], world.record(board)["black"]))
        for sender in (PLAYERS[other], "mallory@example.com"):
            world.mail(who, link, sender)
        world.tick()
        t.equal([e["move"] for e in world.record(board)["events"] if e["kind"] == "move"], moves,
                "a link sent by others plays nothing")
        world.site.write([(who, f"resign {board}")])
        left = {b for b, _ in world.pages()}
        t.check(board not in left and len(left) > 1, "the page goes when the game ends")
    some = next(((b, w) for b, w in world.pages() if w == "carol"), None)
    world.site.write([("carol", "set livepage off")])
    t.check(not any(w == "carol" for _, w in world.pages()) and some, "set livepage off removes pages")
    world.site.write([("carol", "set livepage on")])
    t.check(some in world.pages(), "set livepage on brings them back")
    kept = {p: open(p, encoding="utf-8").read() for p in world.pages().values()}
    world.site.call("-C", world.folder, "--now", world.site.time(), "archive")
    t.equal({p: open(p, encoding="utf-8").read() for p in world.pages().values()}, kept,
            "pbm archive makes the same live pages")


def shoot(chrome, world, folder):
    seen = set()
    for (board, who), path in sorted(world.pages().items()):
        game = world.record(board)["game"] + world.record(board).get("options", "")
        mine = world.mover(board) == who
        if (game, mine) in seen or not (FULL or game in SHOWN):
            continue
        seen.add((game, mine))
        for look, width, height, dark, phone in (("", 1280, 900, False, False), ("-phone", 360, 740, True, True)):
            page = open_page(chrome, path, width=width, height=height, dark=dark, phone=phone)
            if mine and not phone:
                page.run("document.querySelector('#board svg').focus()")
                page.key("Enter")
            page.shoot(f"{folder}/live-{game.replace(' ', '')}{'' if mine else '-waits'}{look}.png", whole=True)
            page.close()


def run(t, chrome, pbm, folder, shots):
    world = World(pbm, folder)
    world.begin()
    for part in (every_turn, links_of_list, looks, secrets):
        t.guard(part.__name__, part, t, chrome, world)
    shoot(chrome, world, shots)
    world.rules.close()
