"""The world of the end-to-end test: two mail servers, people with mailboxes and
mail programs, a site of pbm, and the counting of what came true."""
import datetime
import email
import email.policy
import email.utils
import glob
import imaplib
import json
import os
import shutil
import signal
import smtplib
import socket
import ssl
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.dont_write_bytecode = True
sys.path.insert(0, TESTS + "/demo")
from clients import CLIENTS, NAME, Letter, top_posted, word  # noqa: E402

SERVER = "game@localhost"
OFFSETS = {"imap": 143, "imaps": 993, "pop3": 110, "pop3s": 995, "lmtp": 24, "smtp": 25, "smtps": 465}
PATIENCE = 600           # seconds; more than a slow machine needs for a whole part
WAIT = 120               # seconds for one mail or one answer of a server; then it never comes
HOUR, DAY = 60, 1440      # for at()


class Tally:
    """Each check is a test of its own; a failed one is printed at once."""

    def __init__(self):
        self.passed = self.failed = 0
        self.part = ""

    def check(self, right, what):
        self.passed += bool(right)
        if not right:
            self.failed += 1
            print("FAILED: %s: %s" % (self.part, what), flush=True)
        return right

    def equal(self, got, wanted, what):
        return self.check(got == wanted, "%s: %.400r instead of %.400r" % (what, got, wanted))

    def run(self, part, *args):
        self.part = part.__name__
        start = time.monotonic()
        try:
            part(*args)
        except Exception:
            self.check(False, traceback.format_exc() + (Site.newest.tail() if Site.newest else ""))
        print("%-24s %4.1f s" % (self.part, time.monotonic() - start), flush=True)


def wait_for(condition, what, seconds=WAIT):
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError("waited %d s in vain for %s" % (seconds, what() if callable(what) else what))
        time.sleep(0.004)


def at(minutes):
    """A time to run pbm at: the same for every site, and to be moved on at will."""
    return (datetime.datetime(2026, 12, 1, 10) + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_free(port):
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            s.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Stack:
    """Exim and Dovecot in a folder of their own."""

    def __init__(self, folder):
        self.dir = folder
        # Below the ports that the kernel gives to clients.
        self.base = next((p for p in (20000 + (os.getpid() * 7 + i * 37) % 11000 for i in range(100))
                          if all(is_free(p + o) for o in OFFSETS.values())), None)
        if not self.base:
            raise AssertionError("no free ports")
        self.context = None

    def port(self, scheme):
        return self.base + OFFSETS[scheme]

    def script(self, *words, **env):
        return subprocess.run([TESTS + "/util/mailstack.sh", words[0], self.dir, *words[1:]],
                              env={**os.environ, "P": str(self.base), **env}, stderr=subprocess.PIPE, text=True)

    def start(self, *which, **env):
        r = self.script("start", *which, **env)
        if r.returncode == 77:
            print("skipped: " + r.stderr.strip())
            print("0 passed, 0 failed")
            sys.exit(0)
        if r.returncode:
            raise AssertionError("the mail servers don't start: " + r.stderr)
        self.context = ssl.create_default_context(cafile=self.dir + "/certs/ca.pem")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))     # by way of stop()

    def stop(self, *which):
        self.script("stop", *which)

    def settle(self):
        """Until everything that Exim took is where it belongs."""
        wait_for(lambda: not glob.glob(self.dir + "/exim/spool/input/*-H"), "Exim's queue to become empty")

    def clean(self):
        """Nobody has any mail."""
        self.settle()
        for box in glob.glob(self.dir + "/dovecot/mail/*"):
            shutil.rmtree(box)
        for name in ("open", "pipe"):
            if os.path.exists(self.dir + "/" + name):
                os.unlink(self.dir + "/" + name)

    def fetch(self, name, folder="INBOX"):
        """All mails of somebody's folder, oldest first."""
        with imaplib.IMAP4_SSL("localhost", self.port("imaps"), ssl_context=self.context) as c:
            c.login(name, name + "pw")
            if c.select(folder, readonly=True)[0] != "OK" or not c.search(None, "ALL")[1][0]:
                return []
            rows = c.fetch("1:*", "(BODY.PEEK[])")[1]
        return [email.message_from_bytes(r[1], policy=email.policy.default) for r in rows if isinstance(r, tuple)]


class EndLetter(Letter):
    """A letter that goes over real servers, which add what an MTA adds."""
    count = 0

    def __init__(self, person, old):
        super().__init__(person.name, old, SERVER)
        self.person = person
        EndLetter.count += 1
        self.message_id = "<%s.%d.%d@localhost>" % (person.name, os.getpid(), EndLetter.count)

    def head(self, subject=None, extra=""):
        lines = ["From: %s <%s>" % (word(NAME.get(self.user, self.user)), self.person.address),
                 "To: <%s>" % self.to,
                 "Subject: " + word(subject if subject is not None else self.subject),
                 "Date: " + email.utils.formatdate(localtime=True),
                 "Message-ID: " + self.message_id]
        if self.old:
            refs = (self.old["References"] or "").split() + [self.old["Message-ID"]]
            lines += ["In-Reply-To: " + self.old["Message-ID"], "References: " + "\n ".join(refs)]
        return "\n".join(lines) + "\n" + extra + "MIME-Version: 1.0\n"


class Person:
    """A mailbox, and somebody who writes from it."""

    def __init__(self, stack, name):
        self.stack, self.name, self.address = stack, name, name + "@localhost"
        self.smtp = self.imap = None
        self.inbox, self.seen = [], 0

    def close(self):
        if self.smtp:
            self.smtp.close()
        if self.imap:
            self.imap.shutdown()
        self.smtp = self.imap = None

    def send(self, text, to=SERVER, sender=None):
        if not self.smtp:
            self.smtp = smtplib.SMTP_SSL("localhost", self.stack.port("smtps"), context=self.stack.context, timeout=WAIT)
            self.smtp.login(self.name, self.name + "pw")
        data = text if isinstance(text, bytes) else text.encode()
        self.smtp.sendmail(self.address if sender is None else sender, [to],
                           data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), ["BODY=8BITMIME"])

    def write(self, subject, body="", extra="", to=SERVER, sender=None):
        m = EndLetter(self, None)
        m.to = to
        self.send(m.head(subject, extra) + "Content-Type: text/plain; charset=utf-8\n\n" + body + "\n", to, sender)
        return m

    def reply(self, old, text, client=top_posted):
        m = EndLetter(self, old)
        m.to = str(old["Reply-To"] or old["From"]).strip("<>")
        self.send(client(m, text), m.to)
        return m

    def look(self):
        """Adds the new mails to the inbox."""
        if not self.imap:
            self.imap = imaplib.IMAP4_SSL("localhost", self.stack.port("imaps"), ssl_context=self.stack.context, timeout=WAIT)
            self.imap.login(self.name, self.name + "pw")
            self.imap.select()
        self.imap.noop()
        for row in self.imap.uid("fetch", "%d:*" % (self.seen + 1), "(UID BODY.PEEK[])")[1]:
            if isinstance(row, tuple):
                uid = int(row[0].split(b"UID ")[1].split()[0])
                if uid > self.seen:
                    self.seen = uid
                    self.inbox.append(email.message_from_bytes(row[1], policy=email.policy.default))
        return self.inbox

    def find(self, words, old=None):
        """The newest mail whose Subject and first lines hold all the words, newer than old."""
        for m in reversed(self.look()):
            if m is old:
                return None
            head = m["Subject"] + "\n" + text_of(m)[:400]
            if all(w in head for w in words.split("|")):
                return m
        return None

    def get(self, words, old=None):
        return wait_for(lambda: self.find(words, old), lambda: "a mail to %s with %r.  What came:\n%s" %
                        (self.name, words, "".join("  %s\n    %.300s\n" % (m["Subject"], text_of(m)) for m in self.inbox[-5:])))


class Site:
    """A folder of pbm, on the mailbox game@localhost unless told otherwise."""
    newest = None

    def __init__(self, stack, pbm, folder, **conf):
        Site.newest = self
        self.stack, self.pbm, self.dir, self.log = stack, pbm, folder, ""
        if not os.path.exists(folder):
            self.run("init", folder, "--host", "localhost", site=False)
            open(folder + "/pw", "w").write("gamepw\n")
            os.chmod(folder + "/pw", 0o600)
        self.conf(**{"source": "imaps://game@localhost:%d/INBOX" % stack.port("imaps"),
                     "sink": "smtps://game@localhost:%d" % stack.port("smtps"), **conf})

    def conf(self, **values):
        """Writes pbm.conf again, with these values."""
        lines = {"host": "localhost", "local-part": "game", "timeout": str(PATIENCE),
                 "source-password": "file:pw", "sink-password": "file:pw",
                 "source-ca": self.stack.dir + "/certs/ca.pem", "sink-ca": self.stack.dir + "/certs/ca.pem"}
        lines.update((k.replace("_", "-"), v) for k, v in values.items())
        if not hasattr(self, "lines"):
            self.lines = {}
        self.lines = {**lines, **self.lines, **{k.replace("_", "-"): v for k, v in values.items()}}
        with open(self.dir + "/pbm.conf", "w") as f:
            f.writelines("%s = %s\n" % item for item in self.lines.items())

    def tail(self):
        exim = open(self.stack.dir + "/exim/log/main").read()
        return "The logs of %s and of Exim end with\n%s\n%s" % (self.dir, self.log[-1500:], exim[-1500:])

    def command(self, words, now=None, site=True):
        return [self.pbm] + (["-C", self.dir] if site else []) + (["--now", now] if now else []) + list(words)

    def run(self, *words, now=None, site=True, stdin="", good=(0,)):
        r = subprocess.run(self.command(words, now, site), input=stdin, capture_output=True, text=True)
        self.log += r.stderr
        if r.returncode not in good:
            raise AssertionError("pbm %s: exit %d\n%s%s" % (" ".join(words), r.returncode, r.stdout[-600:], r.stderr[-600:]))
        return r

    def tick(self, **how):
        """Takes what was sent, and answers, until the answers are in the mailboxes."""
        self.stack.settle()
        r = self.run("tick", **how)
        self.stack.settle()
        return r

    def user(self, name, address=None, role="player"):
        self.run("user", "add", name, address or name + "@localhost", "--role", role)

    def games(self):
        """Board number to contents."""
        found = {}
        for f in sorted(glob.glob(self.dir + "/games/*/*.json")):
            found[int(os.path.basename(f)[:-5])] = json.load(open(f))
        return found

    def copy(self, folder, **conf):
        shutil.copytree(self.dir, folder)
        other = Site.__new__(Site)
        other.stack, other.pbm, other.dir, other.log, other.lines = self.stack, self.pbm, folder, "", dict(self.lines)
        other.conf(**conf)
        return other


def moves_of(game):
    return [e["san"] for e in game["events"] if e["kind"] == "move"]


def message_ids(mails):
    return [m["Message-ID"] for m in mails]


def text_of(mail):
    body = mail.get_body(("plain",))
    return body.get_content().replace("\r", "") if body else ""
