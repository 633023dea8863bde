#!/usr/bin/env python3
"""The cost of a whole run from a mailbox to people's mailboxes, beside what the same
Exim and Dovecot need to deliver such mails that a plain client hands to them.

    tests/bench/bench_servers.py build/pbm BENCH [N…]     BENCH is the program of bench.c

pbm: fetches N mails by IMAP, checks and plays N moves, files the mails, sends 2 N
answers.  beside: 2 N of those very answers, sent again by a client that does nothing
else.  Both end when the last mail is in a mailbox."""
import glob
import os
import shutil
import smtplib
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../e2e")
from world import Site, Stack, wait_for  # noqa: E402

LANES = 4                # connections to Exim, as many as pbm has
MINUTES = 20


def boxes(stack):
    return sum(len(os.listdir(d)) for who in ("alice", "bob") for d in glob.glob(stack.dir + "/dovecot/mail/%s/new" % who))


def arrive(stack, n):
    wait_for(lambda: boxes(stack) >= n or time.sleep(0.05), "%d mails to arrive" % n, MINUTES * 60)


def fill(stack, site):
    """The mails in the Maildir of the site go into the mailbox that it will read."""
    stack.fetch("game")                  # makes the mailbox
    box = stack.dir + "/dovecot/mail/game/new"
    owner = os.stat(box)
    for f in sorted(glob.glob(site + "/inbox/new/*")):
        to = box + "/" + os.path.basename(f)
        shutil.copy(f, to)
        os.chown(to, owner.st_uid, owner.st_gid)


def run_pbm(stack, pbm, bench, folder, n):
    """Seconds until pbm was done, and until all had arrived."""
    path = "%s/site-%d" % (folder, n)
    subprocess.run([bench, "--make", path, str(n)], check=True)
    with open(path + "/pw", "w") as f:
        f.write("gamepw\n")
    os.chmod(path + "/pw", 0o600)
    fill(stack, path)
    site = Site(stack, pbm, path, local_part="pbm", sender_per_day="1000000", mails_per_run="1000000",
                send_seconds="3600")
    start = time.monotonic()
    site.run("-q", "tick")
    done = time.monotonic() - start
    arrive(stack, 2 * n)
    return done, time.monotonic() - start


def run_plain(stack, mails):
    """Seconds until a plain client was done, and until all had arrived."""
    def lane(part):
        with smtplib.SMTP_SSL("localhost", stack.port("smtps"), context=stack.context) as c:
            c.login("game", "gamepw")
            for to, data in part:
                c.sendmail("pbm@localhost", [to], data)
    lanes = [threading.Thread(target=lane, args=(mails[i::LANES],)) for i in range(LANES)]
    start = time.monotonic()
    for t in lanes:
        t.start()
    for t in lanes:
        t.join()
    done = time.monotonic() - start
    arrive(stack, len(mails))
    return done, time.monotonic() - start


def answers(stack):
    """The mails that came, as they were sent: without what the servers put on top."""
    found = []
    for who in "alice", "bob":
        for f in glob.glob(stack.dir + "/dovecot/mail/%s/new/*" % who):
            with open(f, "rb") as mail:
                data = mail.read()
            found.append((who + "@localhost", data[data.index(b"\nFrom:") + 1:]))
    return found


def main():
    pbm, bench = map(os.path.abspath, sys.argv[1:3])
    print("\nmail servers: one run from IMAP to SMTP, and the last answer's arrival;\n"
          "plain: the same answers, from a client that only sends them\n"
          "%-8s %10s %14s %12s %14s %12s %8s" % ("mails", "run s", "ours mails/s", "arrived s", "plain mails/s",
                                                "arrived s", "ratio"))
    with tempfile.TemporaryDirectory(prefix="pbm-bench-") as folder:
        os.chmod(folder, 0o755)
        stack = Stack(folder + "/mail")
        stack.start()
        try:
            for n in [int(w) for w in sys.argv[3:]] or [100, 1000, 5000]:
                stack.clean()
                done, arrived = run_pbm(stack, pbm, bench, folder, n)
                mails = answers(stack)
                stack.clean()
                plain_done, plain_arrived = run_plain(stack, mails)
                print("%-8d %10.2f %14.0f %12.2f %14.0f %12.2f %8.2f" %
                      (n, done, 2 * n / done, arrived, 2 * n / plain_done, plain_arrived, plain_done / done), flush=True)
        finally:
            stack.stop()


main()
