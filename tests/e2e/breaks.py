"""Servers and pbm killed in the middle of things: the end is as if nothing had
happened.  What that would be, a site beside tells that nobody disturbs."""
import email
import email.policy
import glob
import imaplib
import os
import random
import re
import resource
import signal
import socket
import subprocess
import threading
import time

from world import HOUR, Person, Site, at, text_of

GAMES = 24
STARTED = 8              # at once: more than ten in an hour a moderator cannot for two players
NET_FAULTS = (("kill", 2), ("kill", 40), ("kill", 170), ("kill", 260), ("EIO", 7), ("EIO", 60), ("short", 20))
WINDOW = 16              # mails that a crash may send twice: struct mail_sink_ops


class Cutter:
    """A line to a server that stops after so many bytes one way; then cut() is called."""

    def __init__(self, port, limit, upwards, cut):
        self.port, self.left, self.upwards, self.cut = port, limit, upwards, cut
        self.lock, self.done = threading.Lock(), False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.here = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                near.close()
                continue
            threading.Thread(target=self.pump, args=(near, far, self.upwards), daemon=True).start()
            threading.Thread(target=self.pump, args=(far, near, not self.upwards), daemon=True).start()

    def pump(self, source, sink, counted):
        try:
            while data := source.recv(4096):
                if counted:
                    with self.lock:
                        data = data[:max(self.left, 0)]
                        self.left -= len(data)
                sink.sendall(data)
                if counted and self.left <= 0:
                    self.end()
                    break
        except OSError:
            pass
        for s in source, sink:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def end(self):
        with self.lock:
            if not self.done:
                self.done = True
                self.cut()

    def close(self):
        self.listener.close()


def prepare(stack, pbm, folder):
    """A site with games between alice and bob, and alice's answers to them all."""
    site = Site(stack, pbm, folder + "/prepared", source="maildir:inbox", sink="maildir:sent")
    site.user("alice")
    site.user("bob")
    site.user("carol", role="moderator")
    for group in range(GAMES // STARTED, 0, -1):
        for _ in range(STARTED):      # each in its own mail: several in one are told in one
            site.run("talk", "carol", stdin="suicide challenge alice bob -unrated\n", now=at(-2 * group * HOUR))
        site.run("tick", now=at(-2 * group * HOUR))
    alice, letters = Person(stack, "alice"), {}
    for f in glob.glob(site.dir + "/sent/new/*"):
        m = email.message_from_file(open(f), policy=email.policy.default)
        if m["Delivered-To"] == "alice@localhost" and "your move" in m["Subject"]:
            letters[m["Subject"]] = m
        os.unlink(f)
    if len(letters) != GAMES:
        raise AssertionError("%d games instead of %d: %s" % (len(letters), GAMES, site.tail()))
    return site, alice, letters


def used_by_children():
    """Seconds of the processor: how busy the machine is does not matter for them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def used_by(pid):
    with open("/proc/%d/schedstat" % pid) as f:
        return int(f.read().split()[0]) / 1e9


def ends_within(process, seconds):
    """False: it has used so many of the processor and goes on."""
    while process.poll() is None:
        if used_by(process.pid) > seconds:
            return False
        time.sleep(0.0005)
    return True


def reference(t, stack, pbm, folder):
    """The undisturbed site: its games, and the Message-IDs of its answers."""
    if not hasattr(reference, "found"):
        site, alice, letters = prepare(stack, pbm, folder)
        for subject in sorted(letters):
            alice.reply(letters[subject], "e3")
        stack.settle()
        calm = site.copy(folder + "/calm", source="imaps://game@localhost:%d" % stack.port("imaps"))
        start = used_by_children()
        calm.run("tick", now=at(0))
        reference.seconds = used_by_children() - start
        sent = [email.message_from_file(open(f), policy=email.policy.default)
                for f in glob.glob(calm.dir + "/sent/new/*")]
        wanted = {event(m, m["Delivered-To"]) for m in sent}
        t.equal(len(wanted), len(sent), "no two answers are alike")
        t.equal([len(g["events"]) for g in calm.games().values() if g["ply"] == 1], [2] * GAMES, "every game has a move")
        t.check(len(wanted) >= GAMES, "each is answered")
        reference.found = site, alice, letters, calm.games(), wanted
        stack.clean()
        alice.close()
    return reference.found


def disturbed(t, stack, pbm, folder, name, **conf):
    """The same site again, with the same mails before it."""
    site, alice, letters, games, wanted = reference(t, stack, pbm, folder)
    alice.seen, alice.inbox = 0, []
    for subject in sorted(letters):
        alice.reply(letters[subject], "e3")
    alice.close()
    stack.settle()
    return site.copy(folder + "/" + name, **{"source": "imaps://game@localhost:%d" % stack.port("imaps"),
                                             "sink": "smtps://game@localhost:%d" % stack.port("smtps"), **conf})


def event(mail, to):
    """The key of what the mail is about.  The end of our Message-ID stands for the bytes of the
    mail that it answers, and those differ from site to site."""
    return to, mail["Message-ID"].rsplit(".", 1)[0]


def handed_over(mail):
    """Under which name Exim took it: two of them are two sendings of ours."""
    return next((re.search(r"\sid\s+(\S+)", r)[1] for r in mail.get_all("Received") if "(Exim" in r), "")


def check_same(t, stack, pbm, folder, site, twice):
    """Nothing lost, nothing done twice, and at most so many mails sent twice."""
    _, _, _, games, wanted = reference(t, stack, pbm, folder)
    for hour in 10, 20, 30, 40:          # what waits for its next try
        site.tick(now=at(hour * HOUR))
    t.equal(site.games(), games, "the games")
    got, ids = {}, set()
    for who in "alice", "bob":
        for m in stack.fetch(who):
            got.setdefault(event(m, who + "@localhost"), set()).add(handed_over(m))
            ids.add((who, m["Message-ID"], m["Subject"], m["Date"], text_of(m)))
    t.equal(len(ids), len(got), "answers, each under one Message-ID and with one text")
    t.equal(sorted(wanted - set(got)), [], "answers that did not arrive")
    t.equal(sorted(set(got) - wanted), [], "answers that should not have come")
    double = sum(len(v) - 1 for v in got.values())
    t.check(double <= twice, "%d mails were sent twice, more than %d" % (double, twice))
    t.equal(len(stack.fetch("game")), 0, "mails left in the inbox")
    t.equal(len(stack.fetch("game", "Processed")) >= GAMES, True, "mails filed as processed")
    t.equal(site.run("fsck").stdout, "clean\n", "fsck")


def exim_killed(t, stack, pbm, folder):
    """After so many bytes of pbm's to Exim, several times in one day."""
    site, kills = None, 0
    reference(t, stack, pbm, folder)
    site = disturbed(t, stack, pbm, folder, "exim-killed")
    for limit in 2100, 9000, 20000, 33333:
        cutter = Cutter(stack.port("smtps"), limit, True, lambda: stack.stop("exim"))
        site.conf(sink="smtps://game@localhost:%d" % cutter.here)
        site.run("tick", now=at(kills * 2 * HOUR), good=(0, 75))
        t.check(cutter.done, "the line was cut after %d bytes" % limit)
        cutter.close()
        stack.stop("exim")
        stack.start("exim")
        kills += 1
    site.conf(sink="smtps://game@localhost:%d" % stack.port("smtps"))
    check_same(t, stack, pbm, folder, site, twice=4 * kills)


def dovecot_killed(t, stack, pbm, folder):
    """After so many bytes of Dovecot's to pbm."""
    reference(t, stack, pbm, folder)
    site = disturbed(t, stack, pbm, folder, "dovecot-killed")
    for n, limit in enumerate((2500, 6000, 15000, 25000, 26500)):
        cutter = Cutter(stack.port("imaps"), limit, False, lambda: stack.stop("dovecot"))
        site.conf(source="imaps://game@localhost:%d" % cutter.here)
        site.run("tick", now=at(0), good=(0, 75))
        t.check(cutter.done or n > 2, "the line was cut after %d bytes" % limit)
        cutter.close()
        stack.stop("dovecot")
        stack.start("dovecot")
    site.conf(source="imaps://game@localhost:%d" % stack.port("imaps"))
    site.tick(now=at(0))
    check_same(t, stack, pbm, folder, site, twice=0)


def count_quarantine(stack):
    """Mails in the folder Quarantine."""
    with imaplib.IMAP4_SSL("localhost", stack.port("imaps"), ssl_context=stack.context) as c:
        c.login("game", "gamepw")
        return len(c.search(None, "ALL")[1][0].split()) if c.select("Quarantine")[0] == "OK" else 0


def pbm_killed(t, stack, pbm, folder):
    """SIGKILL at any moment, again and again, until a run gets through."""
    reference(t, stack, pbm, folder)
    site, dice, kills, through = disturbed(t, stack, pbm, folder, "pbm-killed", batch=3), random.Random(5), 0, 0
    while (through < 2 or kills < 5) and kills < 40:
        p = subprocess.Popen(site.command(["tick"], at(0)), stderr=subprocess.DEVNULL)
        # Later runs have less to do: after each that got through there is less time.
        if ends_within(p, reference.seconds * 0.8 ** through * (0.05 + dice.random() * (0.2 + kills / 10))):
            through += 1
            t.equal(p.returncode, 0, "a run that was let through")
        else:
            p.send_signal(signal.SIGKILL)
            p.wait()
            kills += 1
            time.sleep(0.02)
    t.check(kills >= 5, "killed %d times only" % kills)
    site.tick(now=at(0))
    t.equal(count_quarantine(stack), 0, "mails put aside in %d kills" % kills)
    check_same(t, stack, pbm, folder, site, twice=WINDOW * kills)


def net_killed(t, stack, pbm, folder):
    """pbm-net is killed at one of its calls, or the call fails, in one run after the other."""
    shim = os.path.dirname(os.path.realpath(pbm)) + "/../tests/faults/fault.so"
    if not os.path.exists(shim):
        print("skipped: faults inside pbm-net, of an installed program")
        return
    met = 0
    for kind, call in NET_FAULTS:
        stack.clean()
        site = disturbed(t, stack, pbm, folder, "net-%s-%d" % (kind, call), batch=3)
        env = dict(os.environ, LD_PRELOAD=shim, FAULT=kind, FAULT_AT=str(call), FAULT_IN="pbm-net")
        code = subprocess.run(site.command(["tick"], at(0)), env=env, capture_output=True).returncode
        site.run("tick", now=at(0))
        t.check(code in (0, 75), "exit %d, %s at call %d of pbm-net" % (code, kind, call))
        met += code == 75
        check_same(t, stack, pbm, folder, site, twice=WINDOW if kind != "short" else 0)
    t.check(met >= 3, "%d runs of pbm-net noticed their fault" % met)
