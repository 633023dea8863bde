#!/usr/bin/env python3
"""Writes the demo's mails anew: plays both games through the real program, and
wraps each turn the way some mail client would.  Needed only when the reply
tokens change (their MAC, the host, the demo's secret or its time).

    tests/demo/generate.py build/pbm
"""
import email
import email.policy
import glob
import os
import subprocess
import sys
import tempfile

from clients import CLIENTS, NAME, Letter, flowed, german_outlook, html_phone, signature, top_posted, word

NOW = "2026-12-01T10:00:00Z"
DATE = "Tue, 1 Dec 2026 %02d:%02d:%02d +0100"
SECRET = "1 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n"
ADDRESS = {"alice": "alice@example.org", "bob": "bob@example.net", "carol": "carol@example.org"}

HERE = os.path.dirname(os.path.abspath(__file__))


class Mail(Letter):
    """As it arrives at the demo's server."""

    def __init__(self, user, old, number):
        super().__init__(user, old, "pbm@pbm.example.org")
        self.number = number

    def head(self, subject=None, extra="", date=True):
        lines = ["Return-Path: <%s>" % ADDRESS[self.user],
                 "Received: from mail.example.org by pbm.example.org; " + self.date(),
                 "From: %s <%s>" % (word(NAME[self.user]), ADDRESS[self.user]),
                 "To: <%s>" % self.to,
                 "Subject: " + word(subject if subject is not None else self.subject),
                 "Date: " + self.date(),
                 "Message-ID: <demo.%d@%s>" % (self.number, ADDRESS[self.user].split("@")[1])]
        if self.old:
            lines += ["In-Reply-To: " + self.old["Message-ID"],
                      "References: " + self.old["Message-ID"]]
        return "\n".join(lines) + "\n" + extra + "MIME-Version: 1.0\n"

    def date(self):
        return DATE % (8 + self.number // 60, self.number % 60, 7)


class Demo:
    def __init__(self, pbm):
        self.pbm, self.dir, self.count = pbm, tempfile.mkdtemp(), 0
        self.site = self.dir + "/site"
        self.run("init", self.site, "--host", "pbm.example.org", site=False)
        open(self.site + "/secret", "w").write(SECRET)
        for user in ADDRESS:
            self.run("--now", NOW, "user", "add", user, ADDRESS[user], "--role",
                     "moderator" if user == "carol" else "player")
        self.seen = set()
        for old in glob.glob(HERE + "/*.eml"):
            os.unlink(old)

    def run(self, *words, site=True):
        subprocess.run([self.pbm] + (["-C", self.site] if site else []) + list(words),
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def last(self, user, has=""):
        """The newest mail to a user whose Subject holds a text."""
        mails = [(os.stat(f).st_mtime_ns, f) for f in glob.glob(self.site + "/sent/new/*")]
        for _, f in sorted(mails, reverse=True):
            m = email.message_from_binary_file(open(f, "rb"), policy=email.policy.default)
            if m["Delivered-To"] == ADDRESS[user] and has in m["Subject"]:
                return m
        raise SystemExit("no mail to %s with %r" % (user, has))

    def feed(self, name, text, keep=True):
        self.count += keep
        path = "%s/%03d-%s.eml" % (HERE, self.count, name)
        data = text.encode("utf-8")
        if keep:
            open(path, "wb").write(data)
        open("%s/inbox/new/%d.%s" % (self.site, 1796119200 + self.count, name), "wb").write(data)
        self.run("--now", NOW, "-q", "tick")
        return path

    def reply(self, user, text, client, has="", name=None):
        m = Mail(user, self.last(user, has), self.count + 1)
        return self.feed(name or "%s-%s" % (user, client.__name__.replace("_", "-")), client(m, text))

    def fresh(self, user, subject, body, name):
        m = Mail(user, None, self.count + 1)
        self.feed(name, m.head(subject=subject) + "Content-Type: text/plain; charset=utf-8\n\n" + body + "\n")


VACATION = """Return-Path: <bob@example.net>
From: bob@example.net
To: <pbm@pbm.example.org>
Subject: Automatic reply: [pbm] Avalanche
Date: Tue, 1 Dec 2026 09:00:00 +0100
Message-ID: <vacation.1@example.net>
Auto-Submitted: auto-replied
X-Auto-Response-Suppress: All
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

I am away until 15 December and will read my mail then.
"""

BOUNCE = """Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@example.net>
To: <pbm+bounces@pbm.example.org>
Subject: Undelivered Mail Returned to Sender
Date: Tue, 1 Dec 2026 09:00:00 +0100
Message-ID: <bounce.1@example.net>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; bob@example.net
Action: failed
Status: 4.2.2

--b1--
"""

FORGED = """Return-Path: <mallory@example.com>
Received: from mail.example.com by pbm.example.org; Tue, 1 Dec 2026 09:10:00 +0100
From: Alice Example <alice@example.org>
To: <pbm@pbm.example.org>
Subject: resign 1
Date: Tue, 1 Dec 2026 09:10:00 +0100
Message-ID: <forged.1@example.com>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

"""


def play(d, board, moves, first_has):
    """Each turn answers the mail that asked for it."""
    for i, (user, text) in enumerate(moves):
        d.reply(user, text, CLIENTS[(i + board) % len(CLIENTS)], has="#%d " % board)


def main():
    d = Demo(sys.argv[1])
    games = {}
    for line in open(HERE + "/games.txt"):
        if line.strip() and not line.startswith("#"):
            name, *turns = line.split()
            games[name] = [(("alice", "bob")[i % 2], t) for i, t in enumerate(turns)]
    # A moderator starts the first game; his mail has no proof, so he is asked.
    d.fresh("carol", "avalanchechess challenge alice bob -reversed", "Have fun, you two!",
            "carol-challenge")
    d.reply("carol", "ok", signature, has="Please confirm", name="carol-ok")
    avalanche, suicide = games["avalanchechess"], games["suicide"]
    play(d, 1, avalanche[:2], "")
    d.feed("vacation", VACATION)
    d.feed("bounce", BOUNCE)
    play(d, 1, avalanche[2:4], "")
    d.feed("forged", FORGED)
    path = d.reply("alice", avalanche[4][1], top_posted, has="#1 ")
    d.feed("the-same-mail-again", open(path).read())
    play(d, 1, avalanche[5:], "")
    # The players make the second game themselves.
    d.reply("bob", "suicide challenge alice bob -unrated", german_outlook, has="#1 ",
            name="bob-challenge")
    d.reply("alice", "accept\n\nWith pleasure!", flowed, has="offers you a game", name="alice-accept")
    play(d, 2, suicide[:4], "")
    d.reply(suicide[4][0], "Nf3, sorry for the delay", html_phone, has="#2 ", name="not-a-move")
    play(d, 2, suicide[4:], "")
    print("%d mails written" % d.count)


main()
