"""A game's page: every position, and all ways to go from one to another."""
import json
import os
import re

READ = open(os.path.dirname(os.path.abspath(__file__)) + "/read.js", encoding="utf-8").read()


def address(archive, board, ply=None):
    page = f"file://{archive}/games/{board // 1000:03d}/{board}.html"
    return page if ply is None else f"{page}#{ply}"


def open_game(chrome, archive, board, ply=None, **look):
    page = chrome.page(**look)
    page.open(address(archive, board, ply))
    page.run(READ)
    return page


def compare(t, name, data, seen, rules, game, options, turns):
    """Page data and board against the rules, ply by ply."""
    t.equal(len(data["plies"]), len(turns), name + ": plies")
    for ply in range(len(turns) + 1):
        at, p = rules.position(game, options, turns[:ply]), data["plies"][ply - 1] if ply else {}
        where, board = f"{name}, ply {ply}", at["fen"].split()[0]
        board = re.sub(r"\[.*|~", "", board)
        t.equal(p["fen"] if ply else data["start"], at["fen"], where + ": the data's FEN")
        t.equal(seen[ply]["board"], board, where + ": the board")
        t.equal(seen[ply]["fen"], at["fen"], where + ": the FEN shown")
        t.equal(seen[ply]["ply"], ply, where + ": the current move")
        if ply:
            for member in ("removed", "captured"):
                t.equal(sorted(map(tuple, p.get(member, []))), sorted(map(tuple, at[member])),
                        f"{where}: {member}")
            t.equal(bool(p.get("check")), at["check"], where + ": check")
            t.equal(seen[ply]["gone"], len(at["removed"]), where + ": crosses")
            t.equal(seen[ply]["check"], int(at["check"]), where + ": the king's square")
            pushes = game == "avalanchechess" and "," in turns[ply - 1] and len(p["uci"].split(",")[1]) > 1
            t.equal(seen[ply]["pushed"], int(pushes), where + ": arrows")


def through(t, chrome, archive, games, rules, block=()):
    page = chrome.page(width=320, height=480, block=block)  # little to paint
    for board, game, options, turns in games:
        page.open(address(archive, board))
        page.run(READ)
        data = page.run("JSON.parse(document.getElementById('game').textContent)")
        name = " ".join([game, *options]) + (" without the library" if block else "")
        t.equal(page.run("look.ply()"), len(turns), name + ": begins at the end")
        compare(t, name, data, page.run("look.through()"), rules, game, options, turns)
    page.listen()
    faults = [f for f in page.faults if not (block and "BLOCKED" in f)]
    t.equal(faults, [], "what the console says while games are played")
    page.close()


def every_position(t, chrome, archive, games, rules):
    """All games, but those of the next part: the library draws in its own time."""
    through(t, chrome, archive, games[::2], rules)


def own_men(t, chrome, archive, games, rules):
    """The other games, and some of the same, without the board library."""
    scripts = [f for f in os.listdir(archive + "/static") if f.endswith(".js") and
               "Chessgroundx" in open(f"{archive}/static/{f}", encoding="utf-8").read(400)]
    t.check(scripts or not os.path.exists("build/board/static/chessground.js"), "the board library")
    through(t, chrome, archive, games[1::2] + [games[2], games[4]], rules, ["*" + f for f in scripts])


def keys(t, chrome, archive, games, _):
    board, last = games[0][0], len(games[0][3])
    page = open_game(chrome, archive, board, 11)
    now = "look.ply()"
    t.equal(page.run(now), 11, "#11")
    for key, ply in [("ArrowRight", 12), ("ArrowDown", 13), ("ArrowLeft", 12), ("ArrowUp", 11),
                     ("Home", 0), ("ArrowLeft", 0), ("End", last), ("ArrowRight", last)]:
        page.key(key)
        t.equal(page.run(now), ply, key)
    page.until(f"location.hash === '#{last}'", "the address follows")
    page.run("location.hash = '#7'")
    page.until(now + " === 7", "a changed address")
    page.key("f")
    t.equal(page.run("document.querySelector('[data-go=flip]').getAttribute('aria-pressed')"),
            "true", "f")
    t.check(page.run("document.getElementById('player-top').textContent").strip().startswith("White alice"),
            "names change sides with the board")
    page.key("f")
    page.key(" ")
    page.until(now + " > 7", "the space bar plays")
    page.key(" ")
    at = page.run(now)
    t.equal(page.run("document.querySelector('[data-go=play]').getAttribute('aria-pressed')"),
            "false", "the space bar stops")
    for focus in ("[data-go=next]", "#ply-link", "nav a", "summary"):
        page.run(f"document.querySelector({json.dumps(focus)}).focus()")
        page.key("ArrowLeft")
        page.key("f")
        t.equal(page.run(now), at, "keys on " + focus)
    page.run("document.body.insertAdjacentHTML('beforeend', '<input id=field>');"
             "document.getElementById('field').focus()")
    page.key("ArrowLeft")
    page.key("f")
    t.equal((page.run(now), page.run("document.getElementById('field').value")), (at, "f"),
            "keys in a field")
    page.run("document.activeElement.blur()")
    t.equal(page.faults, [], "what the console says about keys")
    page.close()


def buttons(t, chrome, archive, games, _):
    board, last = games[0][0], len(games[0][3])
    page = open_game(chrome, archive, board)
    now = "look.ply()"
    for go, ply in [("first", 0), ("next", 1), ("next", 2), ("back", 1), ("last", last)]:
        page.click(f"[data-go={go}]")
        t.equal(page.run(now), ply, go)
    page.key("ArrowLeft")
    t.equal(page.run(now), last - 1, "keys go on after a button")
    page.run("navigator.clipboard.writeText = t => { window.copied = t; return Promise.resolve(); }")
    page.click("[data-copy=fen]")
    page.until("window.copied === document.getElementById('fen').textContent", "the position is copied")
    page.until("document.querySelector('[data-copy=fen]').textContent === 'Copied'", "and the button says so")
    t.check(page.run("document.getElementById('analysis').href.endsWith("
                     "'/standard/' + document.getElementById('fen').textContent.replace(/ /g, '_'))"), "analysis goes along")
    page.run("scrollTo(0, 0)")
    page.click("#moves a[data-ply='6']")
    t.equal((page.run(now), page.run("scrollY")), (6, 0), "a move of the list")
    page.run("document.querySelector(\"#moves a[data-ply='6']\").focus()")
    page.key("ArrowRight")
    t.equal(page.run("[look.ply(), document.activeElement.dataset.ply]"), [7, "7"],
            "the focus goes along")
    said = page.until("document.getElementById('position').textContent.includes('by alice') && "
                      "document.getElementById('position').textContent")
    t.check("White: king" in said, "the position in words: " + said)
    page.close()


def fingers(t, chrome, archive, games, _):
    page = open_game(chrome, archive, games[0][0], 9, width=360, height=740, phone=True)
    page.run("document.getElementById('board').scrollIntoView()")
    x, y = page.run("(r => [r.x + r.width / 2, r.y + r.height / 2])"
                    "(document.getElementById('board').getBoundingClientRect())")
    page.swipe(x, y, -120)
    page.until("look.ply() === 10", "a swipe to the left")
    page.swipe(x, y, 120)
    page.until("look.ply() === 9", "a swipe to the right")
    t.check(True, "swipes")
    page.close()


PARTS = [every_position, own_men, keys, buttons, fingers]
