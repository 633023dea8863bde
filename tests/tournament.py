#!/usr/bin/env python3
"""A Swiss tournament of 200 players and 9 rounds in half a simulated year, by mail alone: they
enter, play, come late, leave, don't come.  Then documents, mails and pages are checked.

    tests/tournament.py build/pbm [FOLDER]
        FOLDER:  keep the site there

Ends with "N passed, M failed"."""
import collections
import datetime
import email.utils
import hashlib
import json
import os
import random
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/month")
from site_of_month import HOST, Site  # noqa: E402

DAY = datetime.timedelta(days=1)
SERVER, AUTHSERV = "pbm@" + HOST, "mx." + HOST
PLAYERS, LATE, ROUNDS = 196, 4, 9
GONE = {"p7": 2, "p90": 4}          # who leaves after so many rounds
SILENT = {"p20": 3, "p150": 5}      # who never moves in that round, and is asked whether he still plays
RETURNS = "p20"                     # the one of them who answers
AWAY = {"p33": 4}                   # who signs off before that round
BOARD = re.compile(r"Subject: .*#(\d+) ")
NEWS = re.compile(r"(the tournament half begins|round (\d+) of half|the tournament half is over)")


class Post:
    """A mail of the site; only its head is read, and what stands in it as text."""

    def __init__(self, raw):
        text = raw.decode("utf-8", "replace").replace("\r", "")
        head = re.sub(r"\n[ \t]+", " ", text.split("\n\n", 1)[0])
        self.text = text
        self.rcpt = re.search(r"^Delivered-To: (\S+)", head, re.M).group(1).split("@")[0]
        self.subject = re.search(r"^Subject: (.*)", head, re.M).group(1)
        self.reply_to = re.search(r"^Reply-To: <?([^>\n]+)", head, re.M)
        self.reply_to = self.reply_to.group(1) if self.reply_to else SERVER
        found = BOARD.search("Subject: " + self.subject)
        self.board = int(found.group(1)) if found else 0


class Half:
    def __init__(self, pbm, folder, names=None):
        self.site = Site(pbm, folder)
        self.site.write("pbm.conf", "host = %s\nauthserv-id = %s\nstrangers-per-run = 1000\nsend-seconds = 3600\n"
                        "mails-per-run = 5000\nbatch = 200\noutage-hours = 0\n" % (HOST, AUTHSERV))
        self.rng, self.serial, self.mails = random.Random(20261130), 0, []
        self.found_players(names or ["p%d" % i for i in range(PLAYERS + LATE)])

    def found_players(self, names):
        people = [(name, "player") for name in names] + [("carol", "moderator")]
        for name, role in people:
            doc = {"format": 1, "userid": name, "role": role, "created": "2026-11-01T00:00:00Z", "addresses": [
                {"address": name + "@example.org", "confirmed": "2026-11-01T00:00:00Z"}],
                "settings": {"style": "text", "autovacation": "off", "reminders": "off"}}
            self.site.write("players/%s.json" % name, json.dumps(doc))
        self.site.run("reindex")
        self.site.run("fsck", "--repair")

    def write(self, name, subject, text="", to=SERVER):
        self.serial += 1
        self.site.feed(("Authentication-Results: %s; dmarc=pass header.from=example.org\r\n"
                        "Received: from client.example by %s; %s\r\nFrom: %s@example.org\r\nTo: <%s>\r\n"
                        "Subject: %s\r\nMessage-ID: <half.%d@client.example>\r\n\r\n%s\r\n" %
                        (AUTHSERV, AUTHSERV, email.utils.format_datetime(self.site.now), name, to, subject,
                         self.serial, text)).encode(), self.site.now)

    def tick(self, days=0):
        self.site.now += days * DAY
        self.site.run("-q", "tick")
        folder, new = self.site.folder + "/sent/new/", []
        for name in sorted(os.listdir(folder)):
            with open(folder + name, "rb") as f:
                new.append(Post(f.read()))
            os.unlink(folder + name)
        self.mails += new
        return new

    def confirmed(self, name, line):
        self.write(name, line)
        (question,) = [m for m in self.tick() if m.rcpt == name]
        self.write(name, "Re: " + question.subject, "ok", question.reply_to)
        return self.tick()

    def doc(self, name="half"):
        with open(self.site.folder + "/tournaments/%s.json" % name, encoding="utf-8") as f:
            return json.load(f)

    def announce(self):
        self.write("carol", "mod tournament new half suicide -swiss=%d -days=4 -reserve=2 -forfeit=1 -players=8-250 "
                   "-until=2026-12-05" % ROUNDS)
        self.tick()
        for i in range(PLAYERS):
            self.write("p%d" % i, "join half")
        self.write("p0", "set language de")
        self.tick(1)

    def play(self, number, tournament="half", silences=None):
        """A round: White moves, Black moves and ends the game; some do not come."""
        doc = self.doc(tournament)
        names = [e["userid"] for e in doc["entries"]]
        silent = {n for n, r in (SILENT if silences is None else silences).items() if r == number}
        games = [(g["board"], names[g["white"] - 1], names[g["black"] - 1]) for g in doc["games"]
                 if g["round"] == number and g.get("black") and g.get("board")]
        for board, white, _ in games:
            if white not in silent:
                self.write(white, "move %d e3" % board)
        self.tick(3)
        ends = {}
        for board, white, black in games:
            if white in silent or black in silent:
                continue
            ends[board] = self.rng.choices(["white", "black", "draw"], (4, 3, 2))[0]
            line = {"white": "resign %d" % board, "black": "", "draw": "draw %d" % board}[ends[board]]
            self.write(black, "", "move %d b5\n%s" % (board, line))
        self.tick(2)
        for board, white, _ in games:
            if ends.get(board) == "black":
                self.write(white, "resign %d" % board)
            elif ends.get(board) == "draw":
                self.write(white, "accept %d" % board)
        self.tick(1)

    def between(self, number):
        if number == SILENT[RETURNS] + 1:
            (question,) = [m for m in self.mails if m.rcpt == RETURNS and "do you still play" in m.subject]
            self.write(RETURNS, "Re: " + question.subject, "join half", question.reply_to)
        for name, after in GONE.items():
            if after == number:
                self.confirmed(name, "leave half")
        for name, before in AWAY.items():
            if before == number + 1:
                self.write(name, "signoff")
        if number == 1:
            for i in range(PLAYERS, PLAYERS + LATE):
                self.write("p%d" % i, "join half")

    def run(self):
        self.announce()
        for _ in range(6):
            self.tick(1)
        for number in range(1, ROUNDS + 1):
            self.between(number)
            self.play(number)
            for _ in range(20):
                if self.doc().get("ended") or len(self.doc()["rounds_paired"]) > number:
                    break
                self.tick(1)
            self.site.now += 13 * DAY


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def true(self, what, good, shown=""):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print("FAILED: %s %s" % (what, shown))


def check_document(c, doc):
    met, byes, white = collections.Counter(), collections.Counter(), collections.Counter()
    c.true("it is over", doc["state"] == "finished", doc["state"])
    c.true("all rounds", len(doc["rounds_paired"]) == ROUNDS, len(doc["rounds_paired"]))
    for number in range(1, ROUNDS + 1):
        games = [g for g in doc["games"] if g["round"] == number]
        who = [g[side] for g in games for side in ("white", "black") if g.get(side)]
        c.true("nobody twice in round %d" % number, len(who) == len(set(who)))
        c.true("round %d is full" % number, len(who) >= PLAYERS - 6, len(who))
        c.true("one bye at most", sum(not g.get("black") for g in games) <= 1)
        for g in games:
            if not g.get("black"):
                byes[g["white"]] += 1
            elif g.get("played"):
                met[tuple(sorted((g["white"], g["black"])))] += 1
                white[g["white"]] += 1
                white[g["black"]] -= 1
    c.true("nobody meets twice", max(met.values()) == 1)
    c.true("one bye each", max(byes.values(), default=0) <= 1)
    c.true("colours are balanced", max(map(abs, white.values())) <= 2, white.most_common(3))
    c.true("every game is over", all(g.get("over") for g in doc["games"]))
    numbers = {e["userid"]: i + 1 for i, e in enumerate(doc["entries"])}
    for name, after in GONE.items():
        late = [g for g in doc["games"] if numbers[name] in (g["white"], g.get("black")) and g["round"] > after + 1]
        c.true("%s is paired no more" % name, not late, late)
    for name, before in AWAY.items():
        late = [g for g in doc["games"] if numbers[name] in (g["white"], g.get("black")) and g["round"] > before]
        c.true("%s is not paired" % name, not late, late)
        entry = doc["entries"][numbers[name] - 1]
        c.true("%s is out after two rounds" % name, entry["standing"] == "withdrawn", entry)
    for name, silent in SILENT.items():
        late = [g for g in doc["games"] if numbers[name] in (g["white"], g.get("black")) and g["round"] > silent]
        entry = doc["entries"][numbers[name] - 1]
        back = name == RETURNS
        c.true("%s is paired again if he answers" % name, bool(late) == back, late)
        c.true("%s is out if he does not" % name, entry["standing"] == ("plays" if back else "withdrawn"), entry)
    late = [e for e in doc["entries"] if e.get("seed_points")]
    c.true("late entries have half a point", len(late) == LATE, len(late))


def check_mails(c, half, doc):
    news = collections.Counter()
    for m in half.mails:
        found = NEWS.search(m.subject)
        if found and m.rcpt != "carol":
            news[m.rcpt, found.group(2) or found.group(1)] += 1
    c.true("one mail a round", max(news.values()) == 1, news.most_common(3))
    paired = collections.Counter()
    for g in doc["games"]:
        for side in ("white", "black"):
            if g.get(side):
                paired[g["round"]] += 1
    for number in range(2, ROUNDS + 1):
        got = sum(1 for (who, what) in news if what == str(number))
        german = sum("Runde %d von half" % number in m.subject for m in half.mails)
        c.true("all are told of round %d" % number, got + german == paired[number], (got, german, paired[number]))
    over = sum("half is over" in m.subject and m.rcpt != "carol" for m in half.mails)
    c.true("all are told of the end", over + 1 == sum(e["standing"] == "plays" for e in doc["entries"]), over)
    c.true("in German, too", any("Turnier half ist zu Ende" in m.subject for m in half.mails))


def pages(folder):
    found = {}
    for base, _, names in os.walk(folder + "/archive"):
        for name in names:
            with open(os.path.join(base, name), "rb") as f:
                found[os.path.relpath(os.path.join(base, name), folder)] = hashlib.sha256(f.read()).hexdigest()
    return found


def check_site(c, half, doc):
    folder = half.site.folder
    games = half.site.games()
    boards = [g["board"] for g in doc["games"] if g.get("board")]
    c.true("a game for each pairing", sorted(boards) == sorted(g["board"] for g in games))
    c.true("games point to it", all(g["tournament"] == "half" for g in games))
    results = {g["board"]: (g["result"], g["ply"] >= 2, g["round"]) for g in games}
    points = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2"}
    for g in doc["games"]:
        if g.get("board"):
            got = points[g.get("points_white", 0), g.get("points_black", 0)], g.get("played", False), g["round"]
            c.true("board %d" % g["board"], results[g["board"]] == got, (results[g["board"]], got))
    half.site.run("fsck")
    before = pages(folder)
    c.true("a page", "archive/tournament/half/index.html" in before)
    half.site.run("archive")
    after = pages(folder)
    c.true("a rebuild changes nothing", before == after,
           [k for k in before.keys() | after.keys() if before.get(k) != after.get(k)][:5])
    half.site.run("reindex")
    half.site.run("fsck")
    half.write("p1", "tournament half")
    (answer,) = [m for m in half.tick() if m.rcpt == "p1"]
    c.true("the table by mail", "Table after round 9 of 9" in answer.text and "p199" in answer.text)


def check_full(c, half):
    """A list of 500 takes nobody more; a mail that asks for it is answered like any other."""
    half.write("carol", "mod tournament new crowd suicide -swiss=3 -players=2-8")
    half.tick()
    path = "tournaments/crowd.json"
    with open(half.site.folder + "/" + path, encoding="utf-8") as f:
        doc = json.load(f)
    doc["entries"] = [{"userid": "x%d" % i, "standing": "plays" if i < 8 else "waits", "at": doc["created"]}
                      for i in range(500)]
    half.site.write(path, json.dumps(doc))
    half.site.run("reindex")
    half.site.run("fsck", "--repair")
    half.write("p1", "join crowd")
    half.write("carol", "mod tournament crowd add p2")
    news = half.tick()
    c.true("a full list", [m for m in news if m.rcpt == "p1" and "The tournament crowd is full." in m.text])
    c.true("nobody is added to it",
           [m for m in news if m.rcpt == "carol" and "The tournament crowd takes no more players." in m.text])


def main():
    pbm, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    c = Checks()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None    # hundreds of runs flush their disk
    with tempfile.TemporaryDirectory(prefix="pbm-half-", dir=memory) as folder:
        half = Half(pbm, words[0] if words else folder + "/site")
        try:
            half.run()
            doc = half.doc()
            check_document(c, doc)
            check_mails(c, half, doc)
            check_site(c, half, doc)
            check_full(c, half)
        finally:
            half.site.close()
    print("%d passed, %d failed" % (c.passed, c.failed))
    return c.failed > 0


if __name__ == "__main__":
    sys.exit(main())
