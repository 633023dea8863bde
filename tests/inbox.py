#!/usr/bin/env python3
"""The inbox of a store that two machines share.  `pbm deliver` answers as soon as the server has the mail, also
while a run is at work, and each mail takes effect once, however runs are killed.  No clock passes a time before
which a machine's mailbox may have a mail.  A mail that nobody can read is a row, too.

    tests/postgres.sh tests/inbox.py build/pbm

Ends with "N passed, M failed"."""
import collections
import datetime
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from workers import BOARDS, Site, ask, documents, mails_of, turns_of

SCHEMA = "inbox"
PLIES = 6
TOO_LARGE, LATER = 65, 75


class Check:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def __call__(self, right, *what):
        self.passed += bool(right)
        self.failed += not right
        if not right:
            print("wrong:", *what)


def deliver(site, text, check, wanted=0):
    run = site.start("-q", "deliver", stdin=subprocess.PIPE)
    said = run.communicate(text)[1]
    check(run.returncode == wanted, "deliver: %d, not %d: %s" % (run.returncode, wanted, said))


def waiting(url, why="why IS NULL"):
    return int(ask(url, "SELECT count(*) FROM %s.inbox WHERE %s" % (SCHEMA, why)))


def while_others_work(url, one, check):
    """A run keeps the folder's lock, and another machine the right to write."""
    mails = mails_of(0)[:2]
    with open(one.folder + "/lock", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        deliver(one, mails[0][1], check)
    writer = subprocess.Popen(["psql", "-At", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    writer.stdin.write("BEGIN; SELECT 'mine' FROM pg_advisory_xact_lock(1885498673, hashtext('%s'));\n" % SCHEMA)
    writer.stdin.flush()
    while writer.stdout.readline() != "mine\n":
        pass
    deliver(one, mails[1][1], check)
    deliver(one, mails[1][1], check)  # the sender's server tries again
    check(waiting(url) == 2, "waiting: %d, not 2" % waiting(url))
    writer.communicate()
    one.run("-q", "tick")
    check(waiting(url) == 0, "the run left mails")
    return [text for _, text in mails]


def refused(one, folder, check):
    deliver(one, "From: a@example.org\n\n" + "x" * 300000, check, TOO_LARGE)
    away = Site(one.pbm, folder + "/away")
    shutil.copytree(one.folder, away.folder)
    with open(away.folder + "/pbm.conf", encoding="utf-8") as f:
        text = f.read()
    with open(away.folder + "/pbm.conf", "w", encoding="utf-8") as f:
        f.write(text.replace("host=", "host=/nowhere"))
    deliver(away, mails_of(0)[0][1], check, LATER)


def rounds(calm, workers, url, before, lot, check):
    """Half of each round's mails are delivered, the others lie in the other machine's mailbox."""
    for ply in range(PLIES):
        mails = mails_of(ply)
        calm.feed(mails)
        calm.run("-q", "tick")
        lot.shuffle(mails)
        workers[1].feed(mails[BOARDS // 2:])
        for _, text in mails[:BOARDS // 2]:
            if text not in before:
                deliver(workers[0], text, check)
        runs = [w.start("-q", "tick") for w in workers]
        time.sleep(lot.random() / 3)
        lot.choice(runs).send_signal(signal.SIGKILL)
        for r in runs:
            r.communicate()
        while workers[1].left() or waiting(url):
            for w in workers:
                w.start("-q", "tick").communicate()
    for w in workers:
        w.run("-q", "tick")


def compare(calm, workers, url, check):
    found = documents(url + "&options=-csearch_path%3D" + SCHEMA)
    for board in range(1, BOARDS + 1):
        name = "games/000/%d.json" % board
        with open(calm.folder + "/" + name, "rb") as f:
            wanted = turns_of(json.loads(f.read()))
        check(turns_of(found[name]) == wanted and wanted[1] == PLIES, name, turns_of(found[name]), wanted)
    sent = collections.Counter(v for w in workers for v in w.answers().values())
    wanted = collections.Counter(calm.answers().values())
    check(sent == wanted, "answers: too many %s, too few %s" % (sent - wanted, wanted - sent))


def aside(one, url, check):
    """A mail in a loop."""
    text = "Received: from a by b; Tue, 1 Dec 2026 09:00:00 +0000\n" * 60 + mails_of(0)[0][1].replace("client", "loop")
    deliver(one, text, check)
    one.run("-q", "tick")
    check(waiting(url) == 0 and waiting(url, "why IS NOT NULL") == 1, "the mail in a loop is not aside")


def clocks(pbm, folder, check):
    """Two machines with a mailbox each.  Half of a turn's days go by: the player to move is reminded, unless a
    machine has not read its mailbox since then.  A machine that is gone for three days is not waited for."""
    one, other = Site(pbm, folder + "/near"), Site(pbm, folder + "/far")
    one.make("--store", os.environ["PBM_TEST_STORE"] + "&options=-csearch_path%3Dclocks")
    one.conf("outage-hours = 0")
    shutil.copytree(one.folder, other.folder)
    one.conf("worker = near")
    other.conf("worker = far")
    start = datetime.datetime.now(datetime.timezone.utc)

    def tick(site, days):
        at = start + datetime.timedelta(days=days)
        site.run("--now", at.strftime("%Y-%m-%dT%H:%M:%SZ"), "-q", "tick")
        return sum("a reminder" in said for s in (one, other) for _, said in s.answers().values())

    # Reminders are due in the sixth day.
    for days in 0.1, 2, 4:
        tick(one, days)
        tick(other, days)
    other.feed(mails_of(0)[:1])  # a move on board 1
    for site, days, wanted in (one, 6.5, 0), (other, 6.5, BOARDS - 1), (one, 9, BOARDS - 1), (one, 14, BOARDS):
        found = tick(site, days)
        check(found == wanted, "on day %.1f: %d reminders, not %d" % (days, found, wanted))


def main():
    pbm = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="pbm-inbox-")
    url = os.environ["PBM_TEST_STORE"]
    lot, check = random.Random(2), Check()
    calm, one = Site(pbm, folder + "/calm"), Site(pbm, folder + "/one")
    calm.make()
    one.make("--store", url + "&options=-csearch_path%3D" + SCHEMA)
    other = Site(pbm, folder + "/other")
    shutil.copytree(one.folder, other.folder)
    one.conf("worker = one")
    other.conf("worker = other")
    before = while_others_work(url, one, check)
    refused(one, folder, check)
    rounds(calm, [one, other], url, before, lot, check)
    compare(calm, [one, other], url, check)
    aside(one, url, check)
    clocks(pbm, folder, check)
    check(one.run("fsck") == "clean\n", "fsck: " + one.run("fsck"))
    shutil.rmtree(folder)
    print("%d passed, %d failed" % (check.passed, check.failed))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
