"""The archive in another language: the choice, the browser's wish, all kinds of pages, and what
is never translated."""
import json
import re

from pages import samples
from playing import address

# Every text of the page that the script may translate, and the attributes that are read out.
TEXTS = """(() => {
    const out = [document.title], never = 'script, style, code, pre, blockquote, .turn, [lang]:not(html)';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let n = walker.currentNode; n; n = walker.nextNode()) {
        const e = n.nodeType === 3 ? n.parentElement : n;
        if (e.closest(never)) continue;
        if (n.nodeType === 3) out.push(n.data);
        else for (const a of ['title', 'aria-label', 'data-label', 'label']) out.push(n.getAttribute(a) || '');
    }
    return out.map(text => text.trim()).filter(Boolean);
})()"""
ENGLISH = set("the and of by with won lost game games player players for from turn turns round white black all "
              "after rated played used hours days not who what move moves opening result board".split())
OPENINGS = ("Philidor Defense", "Barnes Opening", "King's Pawn Game")


def english_words(texts):
    """The texts with a word that is English and not German; names of openings are English."""
    found = []
    for text in texts:
        for name in OPENINGS:
            text = text.replace(name, "")
        if ENGLISH & set(text.lower().replace(",", " ").replace(".", " ").replace(":", " ").split()):
            found.append(text)
    return found


def words_of(code):
    with open("templates/%s/static/archive.js" % code, encoding="utf-8") as f:
        return json.loads(f.read().strip().removeprefix("pbmLanguage(").removesuffix(");"))


def check_words(t):
    """Each translation puts in what the English text has, and both languages say the same texts."""
    german, spanish = words_of("de"), words_of("es")
    t.equal(german.keys() ^ spanish.keys(), set(), "texts in one language only")
    for english, other in (*german.items(), *spanish.items()):
        holes = [re.findall(r"%(?:\d\$)?([std])", text) for text in (english, other)]
        t.equal(sorted(holes[0]), sorted(holes[1]), "what is put into: " + english)


def german(page):
    page.until("document.documentElement.lang === 'de'", "German")


def a_choice(t, chrome, archive, games, rules):
    check_words(t)
    page = chrome.page()
    front = samples(archive)["front"]
    page.open(front)
    t.equal(page.run("document.documentElement.lang"), "en", "the language without a choice")
    page.until("!!document.querySelector('header button[lang=de]')", "the button")
    page.click("header button[lang=de]")
    page.wait("Page.loadEventFired")
    german(page)
    t.check("Partien per Mail" in page.run("document.querySelector('h1').textContent"), "a German heading")
    for name, url in samples(archive).items():
        if "help" in url or "rules" in url:
            continue
        page.open(url)
        german(page)
        t.equal(english_words(page.run(TEXTS)), [], name + ": English words on a German page")
    page.open(address(archive, games[0][0]))
    german(page)
    t.equal(page.run("document.querySelector('blockquote b').parentElement.textContent.includes('I like the open file')"),
            True, "a player's words stay")
    page.key("ArrowRight")
    page.until("/ von \\w+/.test(document.getElementById('position').textContent)", "the move in German")
    never = page.run("""new Promise(done => {
        document.querySelector('main').insertAdjacentHTML('beforeend', '<blockquote id="a">Games</blockquote>' +
            '<a id="b" href="../../player/games/index.html">Games</a><code id="c">Games</code><p id="d">Games</p>' +
            '<p id="e">Games &lt;img src=x onerror=fail()&gt; against bob</p>');
        setTimeout(() => done(['a', 'b', 'c', 'd', 'e'].map(id => document.getElementById(id).innerHTML)), 50);
    })""")
    t.equal(never, ["Games", "Games", "Games", "Partien", "Games &lt;img src=x onerror=fail()&gt; gegen bob"],
            "words that stay, and text that stays text")
    t.equal(page.faults, [], "what the console says")
    page.open(front.replace("index.html", "help/start.html"))
    page.until("location.pathname.includes('/help/de/')", "the German help")
    page.until("!!document.querySelector('a[hreflang=en]')", "the link to English")
    page.click("a[hreflang=en]")
    page.wait("Page.loadEventFired")
    page.open(front)
    t.equal(page.run("document.documentElement.lang"), "en", "English again")
    page.close()


def a_wish(t, chrome, archive, games, rules):
    page = chrome.page(width=360, height=740, phone=True)
    front = samples(archive)["front"]
    page.open(front)
    page.run("localStorage.clear()")
    page.call("Network.setUserAgentOverride", userAgent=page.run("navigator.userAgent"), acceptLanguage="fi,de-AT,en")
    page.open(front)
    german(page)
    t.equal(page.run("document.documentElement.scrollWidth"), 360, "the width of a German page on a phone")
    t.equal(json.loads(page.run("JSON.stringify({...localStorage})")), {}, "what is kept without a choice")
    page.run("document.getElementById('query').value = 'alice'; document.getElementById('query').dispatchEvent(new Event('input'))")
    page.until("/^\\d+ Partien$/.test(document.getElementById('found').textContent)", "the number of games in German")
    t.equal(page.faults, [], "what the console says")
    page.close()


def a_third(t, chrome, archive, games, rules):
    """A folder is all that a language takes: all kinds of pages in Spanish, whose help is English."""
    page = chrome.page(width=360, height=740, phone=True)
    front = samples(archive)["front"]
    page.open(front)
    page.until("!!document.querySelector('header button[lang=es]')", "the button")
    t.equal(page.run("document.documentElement.scrollWidth"), 360, "the width of a phone with two buttons")
    page.click("header button[lang=es]")
    page.wait("Page.loadEventFired")
    page.until("document.documentElement.lang === 'es'", "Spanish")
    t.check("Partidas por correo" in page.run("document.querySelector('h1').textContent"), "a Spanish heading")
    for name, url in samples(archive).items():
        if "help" in url or "rules" in url:
            continue
        page.open(url)
        page.until("document.documentElement.lang === 'es'", "Spanish: " + name)
        t.equal(english_words(page.run(TEXTS)), [], name + ": English words on a Spanish page")
        t.equal(page.run("document.documentElement.scrollWidth"), 360, name + ": the width of a phone")
    page.open(front.replace("index.html", "help/start.html"))
    t.equal(page.run("document.querySelector('main').lang"), "es", "the help in Spanish")
    t.equal(page.faults, [], "what the console says")
    page.run("localStorage.clear()")
    page.close()


PARTS = [a_choice, a_wish, a_third]
