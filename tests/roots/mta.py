"""The duties of each mail server for pbm: take mail for pbm@ and pbm+anything@, hand it over
in two ways, and send the answers."""
import email
import email.policy
import os
import smtplib

import dns
from layer import PATIENCE

HOST = "games.example.org"
FORGED = "Authentication-Results: games.example.org; dmarc=pass header.from=games.example.org"


def send(subject, body="", to="pbm@" + HOST, extra="", signed=None):
    """From another machine; signed: the folder with the domain's key."""
    text = "From: alice@%s\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%s@alice>\r\n%s\r\n%s\r\n" % (
        HOST, to, subject, os.urandom(8).hex(), extra, body)
    if signed:
        text = dns.sign(signed, text, HOST)
    text = "Received: from pc by alice.example.org; Tue, 1 Dec 2026 10:00:00 +0000\r\n" + text
    with smtplib.SMTP("127.0.0.1", 25, local_hostname="alice.example.org", timeout=PATIENCE, source_address=("127.0.0.2", 0)) as c:
        c.sendmail("alice@" + HOST, [to], text)


def read(path):
    with open(path, "rb") as f:
        return email.message_from_bytes(f.read(), policy=email.policy.default)


class Mta:
    def __init__(self, root, t, name, **conf):
        self.root, self.t, self.name = root, t, name
        dns.serve(root)
        dns.make_key(root.at, HOST)
        root.run("useradd -m alice")
        root.make_site(sink="sendmail:/usr/sbin/sendmail", **conf)
        root.pbm("user add alice alice@" + HOST)

    def folder(self, name):
        path = self.root.path("/var/lib/pbm/" + name)
        return [path + "/" + f for f in sorted(os.listdir(path))]

    def letters(self):
        """Of alice, from a Maildir or an mbox."""
        maildir, mbox = self.root.path("/home/alice/Maildir/new"), self.root.path("/var/mail/alice")
        if os.path.isdir(maildir):
            return [read(os.path.join(maildir, f)) for f in sorted(os.listdir(maildir), key=lambda f: os.stat(os.path.join(maildir, f)).st_mtime_ns)]
        if os.path.exists(mbox):
            parts = ("\n" + open(mbox).read()).split("\nFrom ")[1:]
            return [email.message_from_string(p.split("\n", 1)[1], policy=email.policy.default) for p in parts]
        return []

    def answer(self, n, tick):
        """The n-th mail to alice."""
        if tick:
            self.root.wait_for(lambda: self.folder("inbox/new"), "a mail in pbm's Maildir")
            self.root.pbm("-q tick")
        return self.root.wait_for(lambda: len(self.letters()) >= n and self.letters()[n - 1],
                                  "mail %d to alice; she has %r; %s; pbm says %s" % (
                                      n, [m["Subject"] for m in self.letters()],
                                      open(self.root.path("/server.log")).read()[-800:], self.root.pbm("outbox", good=None)))

    def talk(self, way, tick, results):
        """A question, its answer to pbm+token@, and what came of it; results: the server writes
        what it found out about senders."""
        t, root, what = self.t, self.root, "%s, %s: " % (self.name, way)
        had = len(self.letters())
        send("seek suicide -unrated", extra=FORGED + "\r\n")
        asked = self.answer(had + 1, tick)
        t.check("confirm" in asked["Subject"].lower(), what + "a stranger's mail is asked about: " + asked["Subject"])
        t.check("+" in str(asked["Reply-To"]), what + "the reply address: " + str(asked["Reply-To"]))
        t.check(str(asked["Return-Path"]).startswith("<pbm+"), what + "the envelope sender: " + str(asked["Return-Path"]))
        send("Re: " + asked["Subject"], "ok", to=str(asked["Reply-To"]).strip("<>").split("<")[-1].strip(">"))
        done = self.answer(had + 2, tick)
        t.check("confirm" not in done["Subject"].lower(), what + "the answer to pbm+token@ is a proof: " + done["Subject"])
        if results:      # what it says of a signature proves a new mail
            send("unseek", signed=root.at)
            done = self.answer(had + 3, tick)
            t.check("confirm" not in done["Subject"].lower(), what + "a signature is a proof: %s; %s" % (
                done["Subject"], root.run("grep -rhiA2 '^Authentication-Results' /var/lib/pbm/inbox/.Processed", good=None)))
        if tick:
            self.headers(what, results)

    def headers(self, what, results):
        """Of the mails as pbm got them."""
        mails = [read(f) for f in self.folder("inbox/.Processed/new") + self.folder("inbox/.Processed/cur")]
        self.t.equal(len(mails), 3 if results else 2, what + "mails filed")
        for m in mails:
            names = [k.lower() for k in m.keys()]
            self.t.check(names.count("return-path") == 1 and m["Return-Path"] == "<alice@%s>" % HOST, what + "Return-Path: %r" % m["Return-Path"])
            self.t.check(any(n in names for n in ("delivered-to", "envelope-to", "x-original-to")), what + "the recipient is noted: %r" % names)
            if results:
                found = [i for i, n in enumerate(names) if n == "authentication-results"]
                received = [i for i, n in enumerate(names) if n == "received"]
                self.t.check(found, what + "the server's own results: %r" % names)
                self.t.check("dmarc=pass" not in str(m.get_all("Authentication-Results")), what + "a forged field is gone: %r" % m.get_all("Authentication-Results"))
                self.t.check(all(i < received[0] for i in found), what + "results stand on top: %r" % names)
