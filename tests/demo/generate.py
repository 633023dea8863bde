#!/usr/bin/env python3
"""Writes the demo's mails anew: plays both games through the real program, and
wraps each turn the way some mail client would.  Needed only when the reply
tokens change (their MAC, the host, the demo's secret or its time).

    tests/demo/generate.py build/pbm
"""
import base64
import email
import email.policy
import glob
import os
import quopri
import subprocess
import sys
import tempfile
from email.header import Header

NOW = "2026-12-01T10:00:00Z"
DATE = "Tue, 1 Dec 2026 %02d:%02d:%02d +0100"
SECRET = "1 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n"
ADDRESS = {"alice": "alice@example.org", "bob": "bob@example.net", "carol": "carol@example.org"}
NAME = {"alice": "Alice Example", "bob": "Böb Example", "carol": "Carol Example"}

HERE = os.path.dirname(os.path.abspath(__file__))


def word(text):
    return text if text.isascii() else Header(text, "utf-8").encode()


class Mail:
    """What a mail answers, and who writes it."""

    def __init__(self, user, old, number):
        self.user, self.old, self.number = user, old, number
        self.to = old["Reply-To"] if old else "pbm@pbm.example.org"
        self.subject = "Re: " + old["Subject"] if old else ""
        body = old.get_body(("plain",)) if old else None
        self.quote = body.get_content().replace("\r", "") if body else ""

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

    def quoted(self):
        return "".join("> " + l + "\n" if l else ">\n" for l in self.quote.split("\n"))


def top_posted(m, text):
    return (m.head() + "Content-Type: text/plain; charset=UTF-8\n\n" + text +
            "\n\nOn Tue, Dec 1, 2026 at 10:00 AM pbm <pbm@pbm.example.org> wrote:\n\n" + m.quoted())


def html_phone(m, text):
    html = ("<html><head><meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\"></head>"
            "<body dir=\"auto\"><div>" + text.replace("\n", "</div><div>") + "</div><div><br></div>"
            "<div id=\"AppleMailSignature\" dir=\"ltr\">Sent from my iPhone</div><div dir=\"ltr\"><br>"
            "<blockquote type=\"cite\">On 1 Dec 2026, at 10:00, pbm &lt;pbm@pbm.example.org&gt; wrote:"
            "<br><br></blockquote></div><blockquote type=\"cite\"><div dir=\"ltr\">" +
            m.quote.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>\n") +
            "</div></blockquote></body></html>\n")
    return (m.head(extra="X-Mailer: iPhone Mail (20H240)\n") +
            "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n" +
            quopri.encodestring(html.encode()).decode())


def quoted_printable(m, text):
    long = text + " – ein Gruß an alle, die diese lange Zeile lesen, weil sie in der Mitte weich umbrochen wird"
    body = quopri.encodestring((long + "\n\nViele Grüße\n").encode()).decode()
    return (m.head() + "Content-Type: text/plain; charset=utf-8\n"
            "Content-Transfer-Encoding: quoted-printable\n\n" + body)


def base64_utf8(m, text):
    body = text + "\n\nSchöne Grüße ♞\n\n" + m.quoted()
    return (m.head() + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" +
            base64.encodebytes(body.encode()).decode())


def flowed(m, text):
    return (m.head(extra="User-Agent: Mozilla Thunderbird\n") +
            "Content-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 7bit\n\n" +
            text + "\n\nThis position took me a whole evening and most of a pot of tea, and I am \n"
            "still not sure about it.\n\nOn 01.12.2026 10:00, pbm wrote:\n" + m.quoted())


def signature(m, text):
    return (m.head() + "Content-Type: text/plain; charset=us-ascii\n\n" + text +
            "\n\n-- \nAlice Example\nExample Street 1, 12345 Example Town\n")


def german_outlook(m, text):
    return (m.head(subject="AW: " + m.subject) +
            "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n" +
            text + "\n\nMit freundlichen Gr=FC=DFen\n" + quopri.encodestring(
                NAME[m.user].split()[0].encode("iso-8859-1")).decode() + "\n\n-----Urspr=FCngliche Nachricht-----\n"
            "Von: pbm <pbm@pbm.example.org>\nGesendet: Dienstag, 1. Dezember 2026 10:00\n"
            "An: bob@example.net\nBetreff: Ihr Zug\n\n" +
            quopri.encodestring(m.quote.encode()).decode())


def alternative(m, text):
    return (m.head() + "Content-Type: multipart/alternative; boundary=\"000000000000a1b2c3\"\n\n"
            "--000000000000a1b2c3\nContent-Type: text/plain; charset=\"UTF-8\"\n\n" + text +
            "\n\nOn Tue, Dec 1, 2026 pbm <pbm@pbm.example.org> wrote:\n\n" + m.quoted() +
            "\n--000000000000a1b2c3\nContent-Type: text/html; charset=\"UTF-8\"\n"
            "Content-Transfer-Encoding: quoted-printable\n\n<div dir=3D\"ltr\">" + text +
            "</div>\n--000000000000a1b2c3--\n")


CLIENTS = [top_posted, html_phone, quoted_printable, base64_utf8, flowed, signature,
           german_outlook, alternative]


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
