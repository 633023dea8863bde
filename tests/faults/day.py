"""A small day of a site, played once by the program itself: what waits in the
inbox and the outbox when the tests begin, what the undisturbed run makes of it,
and how two ends of the day are compared."""
import email
import email.policy
import glob
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile

from runner import Broken

# In memory where that is possible: thousands of sites are made and removed.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
SECRET = "1 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n"
# The weeks before the day have hardly any runs: that is no outage.
CONF = "host = pbm.example.org\noperator = root@pbm.example.org\nbatch = 3\noutage-hours = 0\n" \
       "archive-url = https://games.example.org/pbm\nanalysis-nodes = 30\n"
WEEK_AGO, DAY_AGO = "2026-11-23T10:05:00Z", "2026-11-30T10:05:00Z"
# The games begin early: in one hour carol may ask for no more than she does without them.
EARLY = "2026-12-01T08:00:00Z"
BEFORE, NOW, LATER = "2026-12-01T10:00:00Z", "2026-12-01T10:10:00Z", "2026-12-01T18:00:00Z"
STAMP = 1796119200
FIRST = 4                # the first board of alice's quick games
TEAMS = {"tigers": ("tim", "tom"), "lions": ("lars", "lisa"), "bears": ("ben", "bert"), "owls": ("oda", "ole")}
DELIVERED = (0, 65)      # taken, or refused for good
QUIET_AFTER = 6          # runs; the undisturbed day needs one


# Ways a mail program may write a text: fields, and the body around it.
HTML = ("MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n",
        "--b\nContent-Type: text/plain\n\n\n--b\nContent-Type: text/html; charset=utf-8\n\n"
        "<html><body><p>%s</p><div class=\"gmail_quote\">On Tuesday &hellip;</div></body></html>\n--b--\n")
LATIN = ("MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-15\n"
         "Content-Transfer-Encoding: quoted-printable\n", "%s\n\nGr=FC=DFe\n")


class Step:
    """A run: where it begins, the mail it is given, and what must come of it."""

    def __init__(self, word, start, mail, end):
        self.word, self.start, self.mail, self.end = word, start, mail, end


class Day:
    def __init__(self, runner, folder, games=1):
        self.runner, self.folder = runner, folder
        self.start = os.path.join(folder, "start")
        self.serial, self.queue = 0, []
        self.build(games)
        self.reference = os.path.join(folder, "reference")
        shutil.copytree(self.start, self.reference)
        self.tick(self.reference, NOW)
        self.end = self.finish(runner, self.reference)
        self.check_contents()
        self.steps = [Step("tick", self.start, None, self.end)]
        self.deliver_all()
        self.think()

    def must(self, runner, site, now, word, stdin=None):
        code, said = runner.run(site, now, word, stdin)
        if code != 0:
            raise Broken("%s: exit %d: %s" % (word, code, said[-600:]))

    def pbm(self, *words):
        subprocess.run([self.runner.pbm, *words], check=True, capture_output=True)

    def tick(self, site, now):
        self.must(self.runner, site, now, "tick")

    # The making of the day

    def mail(self, user, body, to=None, subject="", extra="", answers=None, form=None):
        """The bytes of a mail; answers: the newest mail to this user whose Subject has that."""
        if form:
            extra, body = extra + form[0], form[1] % body
        self.serial += 1
        host = "example.org"
        if answers is not None:
            old = self.newest(user, answers)
            to, subject = old["Reply-To"], "Re: " + old["Subject"]
        return ("Return-Path: <%s@%s>\nFrom: %s <%s@%s>\nTo: %s\nSubject: %s\n%s"
                "Date: Tue, 1 Dec 2026 09:00:00 +0000\nMessage-ID: <day.%d@%s>\n\n%s\n"
                % (user, host, user, user, host, to or "pbm@pbm.example.org", subject, extra,
                   self.serial, host, body)).encode()

    def newest(self, user, subject):
        best, at = None, -1
        for path in glob.glob(self.scratch + "/sent/new/*"):
            with open(path, "rb") as f:
                m = email.message_from_binary_file(f, policy=email.policy.default)
            if m["Delivered-To"] == user + "@example.org" and subject in str(m["Subject"]) \
               and self.born[os.path.basename(path)] > at:
                best, at = m, self.born[os.path.basename(path)]
        if best is None:
            raise Broken("the day is wrong: no mail to %s about \"%s\"" % (user, subject))
        return best

    def put(self, site, name, data, came=STAMP):
        path = "%s/inbox/new/%s" % (site, name)
        with open(path, "wb") as f:
            f.write(data)
        os.utime(path, (came, came))

    def happen(self, now, data):
        """One mail on the scratch site, in a run of its own."""
        self.put(self.scratch, "%d.step" % STAMP, data)
        self.tick(self.scratch, now)
        for name in os.listdir(self.scratch + "/sent/new"):
            self.born.setdefault(name, len(self.born))

    def expect(self, *args, **words):
        """A mail of the day itself: it waits in the inbox when the tests begin."""
        data = self.mail(*args, **words)
        self.happen(NOW, data)
        self.queue.append(("%d.%02d" % (STAMP + len(self.queue), len(self.queue)), data))

    def game(self, moves, answers):
        players = ("alice", "bob")
        for i, move in enumerate(moves):
            self.happen(BEFORE, self.mail(players[i % 2], move, answers=answers))

    def found(self):
        """A site with three players, to play the day on."""
        self.scratch, self.born = os.path.join(self.folder, "scratch"), {}
        self.pbm("init", self.scratch)
        for name, text in (("secret", SECRET), ("pbm.conf", CONF)):
            with open(os.path.join(self.scratch, name), "w") as f:
                f.write(text)
        for user in ("alice", "bob", "carol", "eve", "frank", "grace") + sum(TEAMS.values(), ()):
            role = ["--role", "moderator"] if user == "carol" else []
            self.pbm("-C", self.scratch, "--now", BEFORE, "user", "add", user, user + "@example.org", *role)
        self.pbm("-C", self.scratch, "--now", BEFORE, "archive")  # the help pages: a hundred files, once

    def slow_games(self):
        """Board 1 is ended by the server in the run of the day, board 2 has its first reminder."""
        self.proved(WEEK_AGO, "alice", "set autovacation off")
        for now, terms in ((WEEK_AGO, "-days=1 -reserve=0"), (DAY_AGO, "-days=1 -reserve=5")):
            self.happen(now, self.mail("carol", "chess challenge alice bob " + terms))
            self.happen(now, self.mail("carol", "ok", answers="confirm"))
            if now == WEEK_AGO:
                self.happen(now, self.mail("alice", "e4", answers="#1 "))
                self.happen(now, self.mail("bob", "e5", answers="#1 "))

    def proved(self, now, user, line):
        self.happen(now, self.mail(user, line))
        self.happen(now, self.mail(user, "ok", answers="confirm"))

    def late_game(self):
        """Board 3: in the run of the day eve's time is up, and days of vacation are taken."""
        self.proved(DAY_AGO, "carol", "chess challenge eve frank -days=1 -reserve=0")
        self.happen(DAY_AGO, self.mail("eve", "e4", answers="#3 "))
        self.happen(DAY_AGO, self.mail("frank", "e5", answers="#3 "))

    def watched_game(self, board):
        """In the run of the day frank's turn is played, which he could take back until then;
        eve had answered already, grace watches, and eve's digest is due."""
        self.proved(BEFORE, "frank", "set retract 5m")
        self.proved(BEFORE, "carol", "chess challenge frank eve")
        self.proved(BEFORE, "grace", "watch %d" % board)
        self.happen(BEFORE, self.mail("frank", "d4", answers="#%d " % board))
        self.happen(BEFORE, self.mail("eve", "if d4 then d5 if c4 then e6", answers="#%d " % board))
        self.proved(BEFORE, "eve", "set digest 10:05")

    def tournament(self, board):
        """A tournament of four teams, whose first round ends in the run of the day: then the next
        one is paired, and the four games of its two matches start."""
        self.proved(BEFORE, "carol", "mod tournament new cup chess -swiss=2 -teams=2 -players=4-4 -unrated")
        for team, (captain, member) in TEAMS.items():
            self.proved(BEFORE, captain, "join cup team " + team)
            self.proved(BEFORE, member, "join cup team " + team)
            self.proved(BEFORE, captain, "team cup add " + member)
        self.proved(BEFORE, "carol", "mod tournament cup start")
        self.proved(BEFORE, "carol", "mod tournament cup result %d draw agreed" % board)
        for about in ("#%d " % (board + 1), "#%d " % (board + 2)):
            self.happen(BEFORE, self.mail(self.player_of(about), "resign", answers=about))

    def player_of(self, board):
        """One of those who got a mail about it: the lot decided who plays whom."""
        for user in sum(TEAMS.values(), ()):
            try:
                self.newest(user, board)
                return user
            except Broken:
                pass
        raise Broken("the day is wrong: nobody plays " + board)

    def build(self, games):
        self.found()
        self.slow_games()
        self.late_game()
        for _ in range(1 + games):
            self.proved(EARLY, "carol", "chess challenge alice bob -unrated")
        for board in range(FIRST, FIRST + games):
            self.game(["f3", "e5", "g4"], "#%d " % board)
        self.watched_game(FIRST + 1 + games)
        self.tournament(FIRST + 2 + games)
        self.let_one_wait()
        shutil.copytree(self.scratch, self.start)
        for path in glob.glob(self.start + "/sent/new/*"):
            os.unlink(path)
        self.script(games)
        for name, data in self.queue:
            self.put(self.start, name, data)

    def let_one_wait(self):
        """A mail that could not be sent: a folder is in its way."""
        data, trial = self.mail("alice", "help"), os.path.join(self.folder, "trial")
        shutil.copytree(self.scratch, trial)
        self.put(trial, "%d.step" % STAMP, data)
        self.tick(trial, BEFORE)
        (name,) = set(os.listdir(trial + "/sent/new")) - set(os.listdir(self.scratch + "/sent/new"))
        os.mkdir(os.path.join(self.scratch, "sent/tmp", name))
        self.happen(BEFORE, data)
        os.rmdir(os.path.join(self.scratch, "sent/tmp", name))
        if len(rows(self.scratch, "SELECT 1 FROM outbox WHERE attempts = 1")) != 1:
            raise Broken("the day is wrong: no mail waits in the outbox")

    def script(self, games):
        self.expect("dave", "signup dave")
        self.expect("dave", "ok", answers="confirm")
        for board in range(FIRST, FIRST + games):
            self.expect("bob", "Qh4#", answers="#%d " % board)          # a game ends
        self.queue.append(("%d.twin" % (STAMP + len(self.queue)), self.queue[-1][1]))
        self.expect("alice", "suicide challenge bob")
        self.expect("alice", "ok", answers="confirm", form=LATIN)
        self.expect("bob", "accept", answers="offers you a game", form=HTML)
        self.expect("alice", "e3", answers="#%d " % (FIRST + 6 + games))
        board = "#%d " % (FIRST + 5 + games)
        self.expect(self.player_of(board), "resign", answers=board)     # the second round begins
        self.expect("alice", "Ke4", answers="#%d " % (FIRST + games))       # refused
        self.expect("carol", "mod extend %d 5 she is ill" % (FIRST + games))    # an act
        self.expect("carol", "ok", answers="confirm")
        self.expect("mallory", "x" * 300000)                            # too large
        self.expect("mallory", "help", extra="From: alice@example.org\n")   # into quarantine
        self.expect("bob", "I am away.", subject="away", extra="Auto-Submitted: auto-replied\n")

    def deliver_all(self):
        """The same day once more, as an MTA would bring it: a step for each mail."""
        for i, (_, data) in enumerate(self.queue):
            mail = os.path.join(self.folder, "mail.%d" % i)
            with open(mail, "wb") as f:
                f.write(data)
            if i == 0:
                before = os.path.join(self.folder, "before.0")
                shutil.copytree(self.start, before)
                for name in os.listdir(before + "/inbox/new"):
                    os.unlink(before + "/inbox/new/" + name)
            after = os.path.join(self.folder, "before.%d" % (i + 1))
            shutil.copytree(before, after)
            code, said = self.runner.run(after, NOW, "deliver", mail)
            if code not in DELIVERED:
                raise Broken("deliver: exit %d: %s" % (code, said))
            end = after + ".end"    # the next step begins without these runs
            shutil.copytree(after, end)
            self.steps.append(Step("deliver", before, mail, self.finish(self.runner, end)))
            shutil.rmtree(end)
            before = after

    def think(self):
        """After the day a computer is to move on two boards, and games wait to be judged."""
        start = os.path.join(self.folder, "thinking")
        self.pbm("-C", self.scratch, "--now", NOW, "computer", "add", "robot1", "all", "2")
        for game in ("suicide", "racingkings"):
            self.proved(NOW, "grace", "match robot1 %s -black" % game)
        shutil.copytree(self.scratch, start)
        for path in glob.glob(start + "/sent/new/*"):
            os.unlink(path)
        end = start + ".end"
        shutil.copytree(start, end)
        self.must(self.runner, end, NOW, "think")
        end = self.finish(self.runner, end)
        for what in (b'"analysis": "', b'"robot1"[^#]*"kind": "move"'):
            if not any(re.search(what, text) for text in end["files"].values()):
                raise Broken("the day is wrong: no game has " + what.decode())
        self.steps.append(Step("think", start, None, end))

    def check_contents(self):
        """The day must have had what it is for, or the tests would show nothing."""
        e = self.end
        wanted = {"a page of the archive": any(k.startswith("archive/games/") for k in e["files"]),
                  "a live page": any(k.startswith("archive/live/") and b'id="live"' in f
                                     for k, f in e["files"].items()),
                  "one of a game that has ended": any(k.startswith("archive/live/") and b"This game has ended" in f
                                                      for k, f in e["files"].items()),
                  "a mail in quarantine": any(k.endswith(".why") for k in e["files"]),
                  "a game that ran out of time": b"alice ran out of time" in e["files"]["games/000/1.json"],
                  "days of vacation": b'"automatic": true' in e["files"]["players/eve.json"],
                  "a digest": ("eve@example.org", b"most urgent first") in
                              [(k[1], m) for k in e["sent"] for m in [b"most urgent first"] if m in k[2]],
                  "a mail to a watcher": any(k[1] == "grace@example.org" for k in e["sent"]),
                  "moves ahead": any(b"eve had answered already" in k[2] for k in e["sent"]),
                  "a reminder": any(b"a reminder, it is" in k[2] for k in e["sent"]),
                  "a new player": "players/dave.json" in e["files"],
                  "a second round": any(b'"round": 2' in m for k, m in e["files"].items() if k.startswith("games/")),
                  "a page of a tournament": "archive/tournament/cup/index.html" in e["files"],
                  "an act": b'"act":"extend"' in e["files"]["acts/2026-12.jsonl"],
                  "a mail to the operator": any(k[1] == "root@pbm.example.org" for k in e["sent"]),
                  "the mail that waited": ("alice@example.org") in [k[1] for k in e["sent"]]}
        for what, there in wanted.items():
            if not there:
                raise Broken("the day is wrong: it lacks " + what)

    # Its end

    def finish(self, runner, site, collected=None):
        """Undisturbed runs until nothing waits; then everything there is to compare."""
        for i in range(QUIET_AFTER):
            self.must(runner, site, NOW if i < 2 else LATER, "tick")
            if not os.listdir(site + "/inbox/new") and not rows(site, WAITING) and not is_renewing(site):
                break
        else:
            raise Broken("something still waits after %d runs" % QUIET_AFTER)
        self.must(runner, site, LATER, "fsck")
        return state(site, collected or [])


def is_renewing(site):
    """Are old pages being written again, a hundred a run, because the file about it could not be read?"""
    path = site + "/archive/static/.look"
    if not os.path.exists(path):
        return False
    with open(path, encoding="utf-8") as f:
        return json.load(f)["stage"] != 5


def rows(site, sql):
    """From a copy: looking must not change the database's files, whose disk may be full."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as copy:
        for path in glob.glob(site + "/pbm.db*"):
            shutil.copy(path, copy)
        db = sqlite3.connect(copy + "/pbm.db")
        try:
            return [row for q in sql for row in db.execute(q)] if isinstance(sql, list) \
                else db.execute(sql).fetchall()
        finally:
            db.close()


def envelope(path):
    with open(path, "rb") as f:
        data = f.read()
    mid = re.search(rb"^Message-ID: (<.*>)", data, re.M).group(1).decode()
    return mid, re.search(rb"^Delivered-To: (.*)", data, re.M).group(1).decode(), data


# A vacation makes its player's other games due at once: perhaps after the place of this run.
WAITING = ["SELECT 1 FROM outbox", "SELECT 1 FROM games WHERE due > 0 AND due <= %d" % (STAMP + 600)]
# The traces of a failed attempt are not compared: it only counts, or says when it was.
TABLES = ["SELECT 'meta', * FROM meta WHERE key NOT LIKE 'clock-count:%' AND key NOT IN ('clock-run',"
          " 'clock-machine', 'clock-gap-from', 'clock-gap-to', 'quarantine-pruned', 'clock-last-count',"
          " 'clock-report')"
          " AND NOT (key = 'clock-unread-since' AND value = 0)"] + \
    ["SELECT '%s', * FROM %s" % (name, name) for name in (
    "games", "sums", "lists", "players", "addresses", "outbox", "seen", "held", "watches",
    "silent", "placed", "rated", "tournaments", "entries")] + \
    ["SELECT 'work', kind, board, name, events FROM work"] + \
    ["SELECT 'tallies', * FROM tallies WHERE n != 0"] + \
    ["SELECT 'rate', * FROM rate WHERE key NOT LIKE 'attempt:%' AND key NOT LIKE 'crash:%'"
     " AND key NOT LIKE 'operator%'"]


def state(site, collected):
    """collected: mails that were taken from sent/ before."""
    out = {"files": {}, "rows": sorted(map(repr, rows(site, TABLES)))}
    sent = list(collected)
    for folder, _, names in os.walk(site):
        for name in names:
            path = os.path.join(folder, name)
            known = os.path.relpath(path, site)
            if known.startswith("sent/new/"):
                sent.append(envelope(path))
            elif not known.startswith("pbm.db"):
                with open(path, "rb") as f:
                    out["files"][known] = f.read()
    out["sent"] = sorted(sent)
    return out


def compare(got, wanted):
    """Raises Broken with the first difference."""
    for key in sorted(set(got["files"]) | set(wanted["files"])):
        a, b = got["files"].get(key), wanted["files"].get(key)
        if a != b:
            raise Broken("%s: %.300r instead of %.300r" % (key, a, b))
    if got["rows"] != wanted["rows"]:
        a, b = set(got["rows"]), set(wanted["rows"])
        raise Broken("pbm.db: %.600r instead of %.600r" % (sorted(a - b), sorted(b - a)))
    if got["sent"] != wanted["sent"]:
        a, b = [s[:2] for s in got["sent"]], [s[:2] for s in wanted["sent"]]
        for mail in set(a) | set(b):
            if a.count(mail) != b.count(mail):
                raise Broken("mail %s went out %d times instead of %d"
                             % (mail, a.count(mail), b.count(mail)))
        a, b = next(pair for pair in zip(got["sent"], wanted["sent"]) if pair[0] != pair[1])
        at = next((i for i, (x, y) in enumerate(zip(a[-1], b[-1])) if x != y), min(len(a[-1]), len(b[-1])))
        raise Broken("the mail %s reads %r instead of %r" % (a[:2], a[-1][at - 60:at + 150], b[-1][at - 60:at + 150]))
