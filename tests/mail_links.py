#!/usr/bin/env python3
"""Mails with a board, as a mail program sees them: their structure, their size, and every
link in them.  Each link is followed: the mail that it opens is sent, and plays exactly the
turn that stands in it.  A turn that ends with a comma plays nothing before its player has
written the other part after it.

    tests/mail_links.py build/pbm [FOLDER]
        FOLDER: keep the site there

Ends with "N passed, M failed"."""
import datetime
import html.parser
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/month")
from site_of_month import Site  # noqa: E402

LINKS_MAX, BYTES_MAX, LINE_MAX = 60, 100 * 1024, 998
PAIRS = 60

# Game and options, position (None: the game's own), and whether each turn has a link.
POSITIONS = [
    ("chess", None, True),
    ("chess", "r3k2r/1P4P1/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9", True),
    ("chess", "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", False),
    ("suicide", None, True),
    ("suicide", "8/P6p/8/8/8/8/p6P/8 w - - 0 30", True),
    ("antichess", "rnbqkbnr/p1pppppp/8/1p6/8/4P3/PPPP1PPP/RNBQKBNR w - - 0 2", True),
    ("losers", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", True),
    ("giveaway", None, True),
    ("losing2", "8/P7/8/8/8/8/7p/8 w - - 0 30", True),
    ("losing3", None, True),
    ("losing4", None, True),
    ("losing5", None, True),
    ("kamikaze", None, True),
    ("kamikaze2", None, True),
    ("avalanchechess", None, False),
    ("avalanchechess -standard", None, False),
    ("avalanchechess -balanced", None, True),
    ("avalanchechess", "rnbkqb1r/pp2pppp/5n2/8/3P4/2N5/PP2PPpP/R1BQKBNR w KQkq - 0 7", False),
    ("avalanchechess", "4k3/8/7p/8/8/8/PP6/4K2R w K - 0 20", True),
    ("avalanchechess", "4k3/pp4pP/8/8/8/8/8/R3K2p b Q - 0 20", False),
    ("allmate", None, True),
    ("allmate -cascade-both", "4k3/8/8/3q4/8/2N5/PPP5/4K2R w K - 0 9", True),
    ("connectedchess", None, True),
    ("connectedchess -friendly", None, True),
    ("connectedchess -half", None, True),
    ("threecheck", "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 3+3 0 3", True),
    ("atomic", "rnbqkb1r/ppp1pppp/3p4/8/8/5N2/PPPPPPPP/R1BQKB1R w KQkq - 0 4", True),
]


class Page(html.parser.HTMLParser):
    """The references of an HTML part."""

    def __init__(self, text):
        super().__init__()
        self.links, self.pictures, self.alts, self.others = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if tag == "a":
            self.links.append(a["href"])
        elif tag == "img":
            self.pictures.append(a["src"])
            self.alts.append(a["alt"])
        elif tag in ("script", "link", "iframe", "form", "object", "base", "svg"):
            self.others.append(tag)
        self.others += [k for k, v in attrs if k.startswith("on") or k in ("background", "srcset")]
        self.others += [v for k, v in attrs if k == "style" and "url(" in (v or "")]


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print("FAILED:", what)


def page_of(mail):
    return Page(mail.msg.get_body(("html",)).get_content())


def follow(link):
    """The mail that a mail program opens: its address, Subject and text."""
    address, _, fields = link.partition("?")
    fields = dict(f.split("=", 1) for f in fields.split("&"))
    unquote = urllib.parse.unquote
    return unquote(address[len("mailto:"):]), unquote(fields["subject"]), unquote(fields.get("body", ""))


def send(site, who, link, extra=""):
    to, subject, body = follow(link)
    site.feed(("Return-Path: <%s@example.org>\nFrom: %s <%s@example.org>\nTo: %s\nSubject: %s\n"
               "Message-ID: <%d.%s@example.org>\nDate: Mon, 30 Nov 2026 06:00:00 +0000\nMIME-Version: 1.0\n"
               "Content-Type: text/plain; charset=utf-8\n\n%s\n%s"
               % (who, who, who, to, subject, site.fed, who, body, extra)).encode(), site.now)


def turns_of(page):
    """The links that play a turn."""
    words = ("help", "draw", "undo", "resign", "accept", "decline", "reject", "set", "rematch", "unwatch", "ok")
    links = [l for l in page.links if l.startswith("mailto:") and "body=" in l]
    return [l for l in links if follow(l)[2] and follow(l)[2].split()[0] not in words]


def check_mail(t, mail, name):
    """The structure of any mail with an HTML part, and what it may not do."""
    kinds = [part.get_content_type() for part in mail.msg.walk()]
    t.check(len(mail.raw) <= BYTES_MAX, "%s: %d bytes" % (name, len(mail.raw)))
    t.check(max(map(len, mail.raw.splitlines())) <= LINE_MAX, name + ": a line is too long")
    t.check(not mail.msg.defects and not any(part.defects for part in mail.msg.walk()), name + ": MIME")
    if "text/html" not in kinds:
        return
    page = page_of(mail)
    parts = {part["Content-ID"].strip("<>"): part for part in mail.msg.walk() if part["Content-ID"]}
    t.check("multipart/alternative" in kinds, name + ": %s" % kinds)
    t.check(set(page.pictures) == {"cid:" + i for i in parts}, name + ": pictures %s" % sorted(set(page.pictures)))
    for part in parts.values():
        t.check(part.get_content_disposition() == "inline" and part.get_content_type() == "image/png"
                and part.get_content()[:8] == b"\x89PNG\r\n\x1a\n", name + ": a picture")
    t.check(not page.others, name + ": %s" % page.others)
    t.check(all(l.startswith(("mailto:", "https://")) for l in page.links), name + ": a link")
    t.check(all(re.fullmatch(r"\w+ \w+ [a-h][1-8]", a) for a in page.alts), name + ": the words of pictures")
    t.check(len(turns_of(page)) <= LINKS_MAX, name + ": %d links" % len(turns_of(page)))


def talk(site, who, lines):
    """The lines as mails that are proved to be this player's."""
    subprocess.run([site.pbm, "-C", site.folder, "--now", site.now.strftime("%Y-%m-%dT%H:%M:%SZ"), "talk", who],
                   input=lines + "\n", capture_output=True, text=True, check=True)


def start(site, n):
    """n boards of each position; the first mail to the player to move, by position.  A
    moderator may start ten games of a pair in an hour, and a player gets one mail about all
    that one mail starts: so there are many pairs, and one mail starts one game of each."""
    lines, wanted = [], []
    for i, (game, fen, _) in enumerate(POSITIONS):
        name, _, options = game.partition(" ")
        for _ in range(n[i]):
            pair = len(lines) % PAIRS
            lines.append('%s challenge alice%d bob%d %s %s-unrated'
                         % (name, pair, pair, options, fen and '-fen="%s" ' % fen or ""))
            wanted.append(i)
    mails = {}
    for at in range(0, len(lines), PAIRS):
        talk(site, "carol", "\n".join(lines[at:at + PAIRS]))
        for mail in site.tick():
            board = re.search(r"#(\d+) ", mail.subject)
            if board and "your move" in mail.subject:
                mails.setdefault(int(board[1]), mail)
        site.now += datetime.timedelta(minutes=10)
    return wanted, mails


def all_links(t, pbm, folder):
    """One board of each position shows the links; then as many boards as there are links."""
    site = Site(pbm, folder)
    site.run("user", "add", "carol", "carol@example.org", "--role", "moderator")
    for name in [name + str(pair) for pair in range(PAIRS) for name in ("alice", "bob")]:
        site.run("user", "add", name, name + "@example.org")
    with open(folder + "/pbm.conf", "a", encoding="utf-8") as f:
        f.write("sender-per-day = 100000\n")
    wanted, mails = start(site, [1] * len(POSITIONS))
    t.check(sorted(mails) == list(range(1, len(POSITIONS) + 1)), "boards that began: %s" % sorted(mails))
    n, legal = [], {}
    for i, (game, fen, whole) in enumerate(POSITIONS):
        name = "%s %s" % (game, fen or "")
        mail = mails[i + 1]
        check_mail(t, mail, name)
        links = turns_of(page_of(mail))
        legal[i] = [s.rstrip("+#") for s in site.ask(site.game(i + 1), [])["san"]]
        turns = [follow(l)[2] for l in links]
        t.check(len(set(turns)) == len(turns), name + ": the same link twice")
        t.check(not whole or len(turns) == len(legal[i]), name + ": %d links, %d turns" % (len(turns), len(legal[i])))
        t.check(whole or 5 <= len(turns) <= LINKS_MAX, name + ": %d links" % len(turns))
        n.append(len(links))
    wanted, mails = start(site, n)
    first, expected, unfinished = len(POSITIONS) + 1, {}, []
    for k, i in enumerate(wanted):
        board = first + k
        links = turns_of(page_of(mails[board]))
        link, who = links[k - wanted.index(i)], mails[board].rcpt.partition("@")[0]
        expected[board] = follow(link)[2]
        if expected[board].endswith(","):
            if k % 8 == 0:
                unfinished.append((board, who, link))
                del expected[board]
                send(site, who, link)
                continue
            part = next(x for x in legal[i] if x.startswith(expected[board]))[len(expected[board]):]
            link += part
            expected[board] += part
        send(site, who, link)
    answers = site.tick()
    for mail in answers:
        check_mail(t, mail, "answer " + mail.subject)
    t.check(unfinished, "links that are to be finished")
    for board, who, link in unfinished:
        events = [e for e in site.game(board)["events"] if e["kind"] == "move"]
        t.check(not events, "board %d: the unfinished link %s played" % (board, follow(link)[2]))
    for board, turn in expected.items():
        events = [e for e in site.game(board)["events"] if e["kind"] == "move"]
        san = events[0]["san"].rstrip("+#") if events else None
        t.check(len(events) == 1 and san == turn, "board %d: the link %s played %s" % (board, turn, san))
    site.close()


def settings(t, pbm, folder):
    """The HTML part follows a player's settings, too; hostile texts stay texts."""
    site = Site(pbm, folder)
    for name in "alice", "bob", "carol":
        site.run("user", "add", name, name + "@example.org", *(["--role", "moderator"] if name == "carol" else []))
    talk(site, "carol", 'connectedchess challenge alice bob -half\nchess challenge alice bob')
    boards = {int(re.search(r"#(\d+)", m.subject)[1]): m for m in site.tick() if m.rcpt.startswith("alice")}

    def show(*lines):
        """Board 2 as alice sees it with these settings."""
        talk(site, "alice", "\n".join(lines + ("show 2",)))
        mail = [m for m in site.tick() if m.rcpt.startswith("alice") and "#2 " in m.subject][-1]
        check_mail(t, mail, " ".join(lines))
        return mail

    check_mail(t, boards[1], "half a board")
    half = boards[1].msg.get_body(("html",)).get_content()
    t.check(half.count("bgcolor=") == 32 and "wP" not in half, "half a board has 32 squares")
    t.check(len(page_of(show()).pictures) == 32, "32 men")
    talk(site, "alice", "help chess full\nhelp connectedchess full")
    for mail in [m for m in site.tick() if m.rcpt.startswith("alice")]:
        check_mail(t, mail, mail.subject)
        t.check(len(page_of(mail).pictures) >= 20, mail.subject + " draws its boards")
        t.check("+---+" not in mail.msg.get_body(("html",)).get_content(), mail.subject + " has boards of letters")
    talk(site, "alice", "\n".join(["set digest 08:00"]))
    site.tick()
    site.now += datetime.timedelta(hours=30)
    for mail in site.tick():
        check_mail(t, mail, mail.subject)
        t.check("waits" in mail.subject or not mail.rcpt.startswith("alice") or len(page_of(mail).pictures) >= 40, "a digest: " + mail.subject)
    talk(site, "alice", "set digest off")
    site.tick()
    t.check('width=28' in show("set size small").msg.get_body(("html",)).get_content(), "set size small")
    t.check('width=56' in show("set size large").msg.get_body(("html",)).get_content(), "set size large")
    t.check(page_of(show("set flip off")).alts[0] == "black rook a8", "White below")
    t.check(page_of(show("set flip on")).alts[0] == "white rook h1", "set flip on")
    t.check(page_of(show("set language de")).alts[0] == "weißer Turm h1", "set language de")
    show("set language en", "set flip off")
    prose = show("set board prose")
    t.check(not page_of(prose).pictures and "rooks a1 h1" in prose.msg.get_body(("html",)).get_content(), "set board prose")
    text = show("set style text", "set board ascii")
    t.check(text.msg.get_content_type() == "text/plain", "set style text")
    show("set style html")
    hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)> "\'&amp;<a href="https://evil.example/">'
    talk(site, "alice", "move 2 e4\nchat 2 " + hostile)
    site.feed(("Return-Path: <x@example.net>\nFrom: %s <x@example.net>\nTo: pbm@pbm.example.org\nSubject: %s\n"
               "Message-ID: <h@example.net>\n\n%s\n" % (hostile.replace("<", "").replace(">", "").replace('"', ""), hostile, hostile)).encode(), site.now)
    for mail in site.tick():
        check_mail(t, mail, "hostile " + mail.subject)
        if mail.msg.get_body(("html",)):
            page = page_of(mail)
            t.check("evil" not in " ".join(page.links + page.pictures), "a hostile link in " + mail.subject)
    site.close()


def quoted(t, pbm, folder):
    """Answers that quote the whole mail, pictures and all, as mail programs do."""
    import email.message
    site = Site(pbm, folder)
    for name in "alice", "bob", "carol":
        site.run("user", "add", name, name + "@example.org", *(["--role", "moderator"] if name == "carol" else []))
    talk(site, "carol", "\n".join(["chess challenge alice bob"] * 3))
    for mail in [m for m in site.tick() if m.rcpt.startswith("alice")]:
        board = int(re.search(r"#(\d+)", mail.subject)[1])
        page = mail.msg.get_body(("html",)).get_content()
        inner = re.search(r"<body[^>]*>(.*)</body>", page, re.S)[1]
        said = "On Mon, 30 Nov 2026 at 06:00, pbm &lt;pbm@pbm.example.org&gt; wrote:"
        new = ['<html><body dir="auto">e4<br><br><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br>'
               '<blockquote type="cite">%s<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">%s</div></blockquote></body></html>' % (said, inner),
               '<div dir="ltr">e4</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">%s<br></div>'
               '<blockquote class="gmail_quote" style="margin:0">%s</blockquote></div>' % (said, inner),
               '<html><body><div><p>e4</p></div><hr tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> pbm '
               '&lt;pbm@pbm.example.org&gt;<br><b>Sent:</b> Monday<br><b>To:</b> alice<br><b>Subject:</b> x</div>%s</body></html>' % inner][board - 1]
        answer = email.message.EmailMessage()
        answer["From"], answer["To"], answer["Subject"] = "alice@example.org", mail.reply_to, "Re: " + mail.subject
        answer["Return-Path"], answer["Message-ID"] = "<alice@example.org>", "<quoted.%d@example.org>" % board
        answer["In-Reply-To"] = mail.id
        answer.set_content(new, subtype="html")
        for part in mail.msg.walk():
            if part["Content-ID"]:
                answer.add_related(part.get_content(), "image", "png", cid=part["Content-ID"], disposition="inline")
        site.feed(answer.as_bytes(), site.now)
    site.tick()
    for board in 1, 2, 3:
        moves = [e["san"] for e in site.game(board)["events"] if e["kind"] == "move"]
        t.check(moves == ["e4"], "board %d: an answer with the whole quote played %s" % (board, moves))
    site.close()


def seeks(t, pbm, folder):
    """A digest's seeks, each with a link that takes it; a table in an opponent's words gets none."""
    site = Site(pbm, folder)
    for name in "alice", "bob", "carol":
        site.run("user", "add", name, name + "@example.org", *(["--role", "moderator"] if name == "carol" else []))
    talk(site, "carol", "chess challenge alice bob")
    talk(site, "bob", "seek atomic -unrated\nseek suicide -unrated\nchat 1  seek  by\nchat 1     7  mallory")
    talk(site, "alice", "set digest 08:00")
    site.tick()
    site.now += datetime.timedelta(hours=30)
    digest = [m for m in site.tick() if m.rcpt.startswith("alice") and "waits" in m.subject][-1]
    check_mail(t, digest, "a digest with seeks")
    links = [l for l in page_of(digest).links if "body=play" in l]
    t.check(sorted(follow(l)[2].strip() for l in links) == ["play 2", "play 3"], "links of seeks: %s" % [follow(l) for l in links])
    for link in links:
        send(site, "alice", link)
        site.tick()
        board = int(follow(link)[2].split()[1])
        t.check(site.game(board)["state"] == "running", "seek %d was not taken" % board)
    site.close()


def main():
    pbm, t = os.path.abspath(sys.argv[1]), Tally()
    with tempfile.TemporaryDirectory(prefix="pbm-links-") as folder:
        settings(t, pbm, folder + "/settings")
        quoted(t, pbm, folder + "/quoted")
        seeks(t, pbm, folder + "/seeks")
        all_links(t, pbm, sys.argv[2] if len(sys.argv) > 2 else folder + "/site")
    print("%d passed, %d failed" % (t.passed, t.failed))
    return t.failed > 0


sys.exit(main())
