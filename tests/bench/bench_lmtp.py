#!/usr/bin/env python3
"""The cost of a whole run over mails with moves in a Maildir, beside what Dovecot's
LMTP needs to put the very same mails into a Maildir on the same disk.

    tests/bench/bench_lmtp.py build/pbm BENCH [N…]        BENCH is the program of bench.c

pbm: each mail parsed in the sandbox, its move checked and committed, two answers
written and synced, the mail filed.  lmtp: each mail stored by Dovecot, from as many
connections at once as give the best rate of 1, 4 and 8.

The rates compare waiting: Dovecot waits for the disk at each mail, and a run of pbm once for a batch of
them.  The work is what processors did for a mail, in all processes: pbm's is several times Dovecot's."""
import glob
import os
import resource
import smtplib
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../e2e")
from world import Stack  # noqa: E402


def worked_for_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def worked_for_dovecot(stack):
    """The seconds that processors worked for its processes, and for those that ended."""
    with open(stack.dir + "/dovecot/run/master.pid") as f:
        family = {int(f.read())}
    found = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as f:
                words = f.read().rsplit(")", 1)[1].split()
        except OSError:
            continue            # it has just ended
        found[int(path.split("/")[2])] = int(words[1]), sum(map(int, words[11:15]))
    for pid, (parent, _) in sorted(found.items()):
        family |= {pid} if parent in family else set()
    return sum(found[pid][1] for pid in family) / os.sysconf("SC_CLK_TCK")


def run_pbm(pbm, bench, path, n):
    """The mails, the seconds of the run, and those that processors worked."""
    subprocess.run([bench, "--make", path, str(n)], check=True)
    with open(path + "/pbm.conf", "a") as conf:
        conf.write("\nsender-per-day = 1000000\nmails-per-run = 1000000\nsend-seconds = 3600\n")
    mails = []
    for f in sorted(glob.glob(path + "/inbox/new/*")):
        with open(f, "rb") as mail:
            mails.append(mail.read())
    start, before = time.monotonic(), worked_for_children()
    subprocess.run([pbm, "-q", "-C", path, "tick"], check=True)
    seconds, worked = time.monotonic() - start, worked_for_children() - before
    sent = len(os.listdir(path + "/sent/new"))
    if sent != 2 * n:
        print("bench: %d answers to %d mails" % (sent, n), file=sys.stderr)
    return mails, seconds, worked


def run_lmtp(stack, mails, lanes):
    def lane(part):
        with smtplib.LMTP("127.0.0.1", stack.base + 24) as c:
            for data in part:
                c.sendmail("alice@localhost", ["bob@localhost"], data)
    threads = [threading.Thread(target=lane, args=(mails[i::lanes],)) for i in range(lanes)]
    start, before = time.monotonic(), worked_for_dovecot(stack)
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return time.monotonic() - start, worked_for_dovecot(stack) - before


def main():
    pbm, bench = map(os.path.abspath, sys.argv[1:3])
    print("\nlmtp: a run over moves in a Maildir, beside Dovecot's LMTP with the same mails\n"
          "%-8s %14s %14s %6s %14s %14s %14s %6s" % ("mails", "ours mails/s", "lmtp mails/s", "lanes", "waiting shared",
                                                  "ours work/mail", "lmtp work/mail", "ratio"))
    with tempfile.TemporaryDirectory(prefix="bench-", dir="build") as folder:
        folder = os.path.abspath(folder)
        os.chmod(folder, 0o755)
        stack = Stack(folder + "/mail")
        stack.start("dovecot")
        try:
            for n in [int(w) for w in sys.argv[3:]] or [1000, 10000]:
                mails, ours, work = run_pbm(pbm, bench, "%s/site-%d" % (folder, n), n)
                (beside, their_work), lanes = min((run_lmtp(stack, mails, k), k) for k in (1, 4, 8))
                print("%-8d %14.0f %14.0f %6d %13.2fx %11.2f ms %11.2f ms %5.1fx"
                      % (n, n / ours, n / beside, lanes, beside / ours, 1000 * work / n, 1000 * their_work / n,
                         work / their_work), flush=True)
        finally:
            stack.stop()


main()
