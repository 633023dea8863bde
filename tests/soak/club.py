"""The club: its players, who answer their mail some hours or days later, and its year."""
import collections
import contextlib
import datetime
import email.utils
import heapq
import json
import os
import random
import re
import sqlite3
import subprocess
import sys

from site_of_month import HOST, START, Site, moves_of

SERVER, AUTHSERV = "pbm@" + HOST, "mx." + HOST
HOUR, DAY = datetime.timedelta(hours=1), datetime.timedelta(days=1)
STEP = 6 * HOUR            # between two runs
OUTAGE = 5 * STEP          # so long without a run that ends well
KINDS = ["suicide"] * 4 + ["antichess"] * 3 + ["giveaway", "losers", "losing2", "losing3", "losing4", "losing5",
         "kamikaze", "kamikaze2", "avalanchechess", "avalanchechess -reversed", "allmate", "connectedchess -half",
         "atomic", "threecheck", "chess"]
BOARD = re.compile(rb"#(\d+)\b")
LONG_ROUND = re.compile(rb"round \d+ of (\S+) lasts long")
SHOWN = re.compile(rb"\((\d+)(\.+) .+\)$")
HEAD = re.compile(rb"^(Delivered-To|Subject|Message-ID|Reply-To|Return-Path):[ \t]*(.*(?:\r?\n[ \t].*)*)", re.M | re.I)

BOUNCE = """Return-Path: <>\r
From: MAILER-DAEMON@mx.example.org\r
To: <%s>\r
Subject: Undelivered Mail Returned to Sender\r
Message-ID: <%s@mx.example.org>\r
Auto-Submitted: auto-replied\r
MIME-Version: 1.0\r
Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r
\r
--b\r
\r
The mailbox does not exist.\r
--b\r
Content-Type: message/delivery-status\r
\r
Reporting-MTA: dns; mx.example.org\r
\r
Final-Recipient: rfc822; %s\r
Action: failed\r
Status: 5.1.1\r
--b--\r
"""

Sent = collections.namedtuple("Sent", "board ply turn at mail")


class Post:
    """A mail of the site; only the lines of its head that programs sort by are read."""

    def __init__(self, raw):
        head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]
        found = {k.lower(): re.sub(rb"\r?\n[ \t]+", b" ", v).strip() for k, v in HEAD.findall(head)}
        self.raw, self.rcpt = raw, found[b"delivered-to"].decode()
        self.id, self.subject = found[b"message-id"].decode(), found[b"subject"]
        self.reply_to = found.get(b"reply-to", b"").strip(b"<>").decode()
        self.sender = found.get(b"return-path", b"").strip(b"<>").decode()


def shows_last_turn(mail, ply):
    """Is the mail about the position after so many plies?"""
    shown = SHOWN.search(mail.subject)
    return ply == (2 * int(shown.group(1)) - (shown.group(2) == b".") if shown else 0)


class YearSite(Site):
    """A run may meet a fault; a mail is taken away when the outbox no longer has it."""

    def __init__(self, pbm, folder, weather):
        super().__init__(pbm, folder)
        self.weather, self.wrong, self.runs, self.sizes, self.seconds = weather, [], 0, [], 0
        starter = os.path.join(os.path.dirname(os.path.abspath(__file__)), "starter.py")
        self.starter = subprocess.Popen([sys.executable, "-I", "-S", starter], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.write("pbm.conf", "host = %s\nauthserv-id = %s\nstrangers-per-run = 100\nsend-seconds = 3600\n"
                   "outage-hours = %d\n"
                   "archive-url = https://games.example.org\nlanguage = en\n" % (HOST, AUTHSERV, OUTAGE // HOUR))

    def tick(self):
        kind, env = self.weather.fault()
        code, said = self.one_run(env)
        if kind:
            trouble = self.weather.judge(kind, code, said)
            if trouble:
                self.wrong.append("%s: %s" % (self.now, trouble))
            if self.weather.rng.random() < 0.5:     # the rest of the work waits for the next run
                return self.collect()
            code, said = self.one_run(None)
        if code != 0:
            self.wrong.append("%s: exit %d without a fault: %s" % (self.now, code, said[-500:]))
        return self.collect()

    def one_run(self, env):
        """(exit code or -signal, what it said); notes how much memory it took."""
        args = [self.pbm, "-C", self.folder, "-q", "--now", self.now.strftime("%Y-%m-%dT%H:%M:%SZ"), "tick"]
        said = self.folder + ".said"
        self.starter.stdin.write(json.dumps([args, dict(os.environ, **env or {}), said]) + "\n")
        self.starter.stdin.flush()
        status, size, seconds = json.loads(self.starter.stdout.readline())
        self.runs += 1
        self.seconds += seconds
        if not env:
            self.sizes.append(size)
        with open(said, encoding="utf-8", errors="replace") as f:
            return os.waitstatus_to_exitcode(status), f.read()

    def close(self):
        self.starter.stdin.close()
        self.starter.wait()
        super().close()

    def measure(self):
        """({part of the site: its bytes}, finished games)"""
        sizes = {part: 0 for part in ("games", "players", "archive", "inbox", "pbm.db")}
        for part in sizes:
            path = os.path.join(self.folder, part)
            for folder, _, names in os.walk(path):
                sizes[part] += sum(os.path.getsize(os.path.join(folder, name)) for name in names)
            sizes[part] += os.path.getsize(path) if os.path.isfile(path) else 0
        return sizes, sum(1 for g in self.games() if g["state"] == "finished")

    def waiting(self):
        with contextlib.closing(sqlite3.connect("file:%s/pbm.db?mode=ro" % self.folder, uri=True)) as db:
            return {(m.strip("<>"), r) for m, r in db.execute("SELECT message_id, rcpt FROM outbox")}

    def collect(self):
        folder, found, waiting = self.folder + "/sent/new/", [], None
        for name in sorted(os.listdir(folder)):
            with open(folder + name, "rb") as f:
                mail = Post(f.read())
            waiting = self.waiting() if waiting is None else waiting
            if (mail.id.strip("<>"), mail.rcpt) not in waiting:
                found.append(mail)
                os.unlink(folder + name)
        return found


class Member:
    """A player of the club."""

    def __init__(self, club, number):
        self.club, self.name = club, "p%d" % number
        self.address = "%s@d%d.example.org" % (self.name, number % 97)
        self.rng = random.Random("%s %d" % (self.name, club.seed))
        self.pace = self.rng.choice([0.1, 0.3, 0.5, 1, 2])      # days until an answer, on average
        self.games = self.rng.choice([1, 1, 2, 3])          # as many as this player likes at once
        self.written, self.playing, self.since = 0, 0, None
        self.broken = number % 17 == 5     # for ten days no mail reaches this player
        self.leaves = number % 23 == 7     # answers nothing from some day on

    def hours(self):
        return min(200, 1 + self.rng.expovariate(1 / (24 * self.pace)))

    def plan(self, hours, act, *args):
        self.club.plan(self.club.site.now + hours * HOUR, self, act, args)

    def write(self, to, subject, text="", reply=None):
        self.written += 1
        raw = ("Authentication-Results: %s; dmarc=pass header.from=%s\r\n"
               "Received: from client.example by %s; %s\r\nFrom: %s\r\nTo: <%s>\r\nSubject: %s\r\n"
               "Message-ID: <%s.%d@client.example>\r\n%s\r\n%s\r\n" %
               (AUTHSERV, self.address.split("@")[1], AUTHSERV, email.utils.format_datetime(self.club.site.now),
                self.address, to, subject, self.name, self.written,
                "In-Reply-To: %s\r\n" % reply if reply else "", text)).encode()
        self.club.site.feed(raw, self.club.site.now)
        self.club.fed += 1
        if self.rng.random() < 0.02:       # comes twice, now and then days later
            self.club.plan(self.club.site.now + self.rng.choice([0, 0, 90]) * HOUR, self, self.again, (raw,))

    def again(self, raw):
        self.club.site.feed(raw, self.club.site.now)

    def answer(self, mail, text):
        self.write(mail.reply_to or SERVER, "Re: your mail", text, mail.id)

    def is_gone(self):
        return self.leaves and self.club.site.now > START + self.club.days // 2 * DAY

    def is_unreachable(self):
        return self.broken and 20 * DAY < self.club.site.now - START < 30 * DAY

    def sign_up(self):
        self.write(SERVER, "signup " + self.name)

    def run_the_club(self):
        """A moderator sets up a tournament every month, and now and then sees to a game."""
        day = (self.club.site.now - START).days
        if day % 30 == 10:
            name = "cup-%d" % (day // 30)
            until = self.club.site.now + 5 * DAY
            self.write(SERVER, "mod tournament new %s %s -swiss=3 -days=2 -reserve=3 -round=25 -players=4-200 -until=%s" %
                       (name, self.rng.choice(["suicide", "antichess"]), until.date()))
            for m in self.club.settled:
                if m is not self and self.rng.random() < 0.6:
                    m.plan(self.rng.uniform(30, 80), m.write, SERVER, "join " + name)
        if day % 10 == 9 and self.club.running:
            board = self.rng.choice(sorted(self.club.running))
            act = self.rng.choice(["extend %d 3 ", "pause %d ", "adjudicate %d draw ", "annul %d "]) % board
            self.write(SERVER, "mod " + act + "because it was asked for")
            if act.startswith("pause"):
                self.plan(72, self.write, SERVER, "mod resume %d" % board)
        self.plan(24, self.run_the_club)

    def settle(self):
        """Most want short mails; then games begin."""
        if self.rng.random() < 0.9:
            self.write(SERVER, "set style text")
        if self.rng.random() < 0.1:
            day = self.club.site.now + self.rng.randint(10, 40) * DAY
            self.write(SERVER, "vacation %s %s" % (day.date(), (day + 6 * DAY).date()))
        self.plan(24, self.look_for_games)
        if self is self.club.members[0]:
            self.club.site.run("user", "role", self.name, "moderator", "runs the club")
            self.run_the_club()

    def look_for_games(self):
        if self.is_gone():
            return
        running = sum(1 for g in self.club.running.values() if self.name in g)
        if running < self.games:
            other = self.rng.choice(self.club.settled)
            if other is not self:
                days = self.rng.choice([2, 3, 5, 7])
                game = self.rng.choice(KINDS).split(" ", 1) + [""]
                self.write(SERVER, "match %s %s %s -days=%d -reserve=10" % (other.name, game[0], game[1], days))
        self.plan(self.rng.uniform(100, 400), self.look_for_games)

    def read(self, mail):
        subject = mail.subject
        if self.is_gone():
            return
        if b"confirm" in subject.lower() or b"nothing but: ok" in mail.raw:
            self.plan(self.rng.randint(1, 8), self.answer, mail, "ok")
        elif subject.endswith(b"] welcome"):
            self.plan(1, self.settle)
            self.club.settled.append(self)
        elif LONG_ROUND.search(subject):
            self.answer(mail, "mod tournament %s round" % LONG_ROUND.search(subject).group(1).decode())
        elif b"offers you a game" in subject:
            self.plan(self.hours(), self.answer, mail, "accept" if self.rng.random() < 0.9 else "decline")
        elif BOARD.search(subject) and mail.reply_to != SERVER:
            self.plan(self.hours(), self.play, mail, int(BOARD.search(subject).group(1)))

    def play(self, mail, board):
        """Answers a board mail, if the board waits for this player and no answer is on its way."""
        game = self.club.site.game(board)
        seat = "white" if game.get("white") == self.name else "black"
        self.club.note_state(board, game)
        if self.is_gone() or game["state"] != "running" or game.get("to_move") != seat:
            return
        moves = moves_of(game)
        if self.club.last_sent.get(board) == len(moves) or not shows_last_turn(mail, len(moves)):
            return
        if len(moves) > 40 and self.rng.random() < 0.08:
            self.answer(mail, "resign")
            return
        turn = self.rng.choice(self.club.position(game)["san"])
        self.club.last_sent[board] = len(moves)
        self.club.turns.append(Sent(board, len(moves), turn, self.club.site.now, "%s.%d" % (self.name, self.written + 1)))
        self.answer(mail, turn)


class Club:
    def __init__(self, pbm, folder, weather, players, days, seed):
        self.seed, self.days, self.weather = seed, days, weather
        self.site = YearSite(pbm, folder, weather)
        self.members = [Member(self, i) for i in range(players)]
        self.by_address = {m.address: m for m in self.members}
        self.queue, self.number = [], 0
        self.settled, self.turns, self.last_sent, self.running = [], [], {}, {}
        self.fed, self.bounced, self.strays = 0, 0, []
        self.sent = collections.Counter()
        self.half = None           # (bytes of the store, finished games) in the middle of the time

    def plan(self, at, member, act, args):
        self.number += 1
        heapq.heappush(self.queue, (at, self.number, act, args))

    def position(self, game):
        """Asked by FEN: the way there need not be played again."""
        row = {"game": game["game"], "options": game.get("options", "").split(), "fen": game["fen"], "moves": []}
        self.site.oracle.stdin.write(json.dumps(row) + "\n")
        self.site.oracle.stdin.flush()
        return json.loads(self.site.oracle.stdout.readline())

    def note_state(self, board, game):
        if game["state"] == "running":
            self.running[board] = (game["white"], game["black"])
        else:
            self.running.pop(board, None)

    def deliver(self, mails):
        for mail in mails:
            self.sent[mail.id, mail.rcpt] += 1
            member = self.by_address.get(mail.rcpt)
            if member and member.is_unreachable():
                self.bounced += 1
                self.site.feed((BOUNCE % (mail.sender, self.bounced, mail.rcpt)).encode(), self.site.now)
            elif member:
                member.read(mail)
            else:
                self.strays.append(mail.rcpt)

    def act(self):
        while self.queue and self.queue[0][0] <= self.site.now:
            _, _, act, args = heapq.heappop(self.queue)
            act(*args)

    def live(self):
        self.weather.plan(START, self.days)
        for i, m in enumerate(self.members):
            m.plan(24 * i / 40, m.sign_up)
        end = START + self.days * DAY
        while self.site.now < end:
            self.act()
            if not self.weather.is_down(self.site.now):
                self.deliver(self.site.tick())
            if self.half is None and self.site.now - START > (end - START) / 2:
                self.half = self.site.measure()
            self.site.now += STEP
        self.drain()

    def drain(self):
        """Works on the mails sent before the end; nobody answers any more."""
        self.weather.rng = random.Random(0)
        self.weather.fault = lambda: (None, None)
        for _ in range(3):
            for mail in self.site.tick():
                self.sent[mail.id, mail.rcpt] += 1
            self.site.now += HOUR

    def summary(self):
        met = ", ".join("%s %d" % kind for kind in self.weather.met.items() if kind[1])
        return ("%d players, %d days: %d runs, %d mails in, %d mails out, %d came back, %d turns, %d games; runs that a fault ended: %s; "
                "outages: %d; processor time of pbm %.0f s" %
                (len(self.settled), self.days, self.site.runs, self.fed, sum(self.sent.values()), self.bounced,
                 len(self.turns),
                 len(self.site.games()), met, len(self.weather.outages), self.site.seconds))
