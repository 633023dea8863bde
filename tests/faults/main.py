#!/usr/bin/env python3
"""Faults of each kind, at each place: a day of a site must end as if there had been none.

    tests/faults/main.py PBM SHIM READER [STAGE…]
    FULL=1                  every point of everything

SHIM and READER are tests/faults/fault.c and tests/faults/read_mail.c, compiled.  Stages: agree
points programs memory full many bulk upgrade power.  The last line is "N passed, M failed"."""
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time

from agree import agree, delivered
from bulk import bulk
from day import MEMORY, Day
from full import full_disk
from many import many
from memory import read_mails
from points import survive
from power import power
from programs import programs
from runner import Broken, Runner, Servers
from upgrade import upgrade

FULL = bool(os.environ.get("FULL"))
CLONE_NEWNS = 0x20000            # <linux/sched.h>
SHOWN = 10
MAILS_AT_ONCE = 200 if FULL else 100
KILLS = ("kill", "kills", "tear")   # kills: many runs in a row
ERRORS = ("orphan", "EIO", "ENOSPC", "EMFILE", "short", "full", "dead", "EREAD")
# (run, kind, each so many-th point): tick is cron's run, deliver an MTA's, think the computers'.
# Each commit takes other points, so that some commits together try all of them.
PLAN = [("tick", "kill", 4), ("deliver", "kill", 4), ("tick", "kills", 24), ("deliver", "kills", 36),
        ("tick", "orphan", 6), ("deliver", "orphan", 8), ("tick", "EIO", 6), ("tick", "ENOSPC", 6),
        ("tick", "EMFILE", 4), ("tick", "short", 4), ("tick", "EREAD", 2), ("tick", "nomemlib", 2),
        ("tick", "tear", 3), ("tick", "full", 6), ("tick", "dead", 6), ("tick", "nomem", 120),
        ("think", "kill", 12), ("think", "kills", 72)]
FULL_PLAN = [(word, kind, 1) for word in ("tick", "deliver") for kind in KILLS + ERRORS + ("nomem",)] + \
    [("think", kind, 1) for kind in KILLS]


class Report:
    def __init__(self):
        self.passed = self.failed = 0
        self.started = time.monotonic()

    def add(self, what, points, failures):
        self.passed += points - len(failures)
        self.failed += len(failures)
        print("%-55s %6.1f s%s" % (what, time.monotonic() - self.started,
                                   ", %d FAILED" % len(failures) if failures else ""), flush=True)
        for failure in failures[:SHOWN]:
            print("    ", *failure)

    def skip(self, what, why):
        print("skipped: %s: %s" % (what, why), flush=True)


def nth(n):
    return {1: "each", 2: "every second"}.get(n, "every %dth" % n)


def seed_of_commit():
    """POINTS=… tries the points of another commit again."""
    said = subprocess.run(["git", "rev-list", "--count", "HEAD"], capture_output=True, text=True,
                          check=False).stdout
    return int(os.environ.get("POINTS", said or 0))


def points_stage(day, shim, report):
    survived = {"kill": 0, "fault": 0, "allocation": 0}

    def one(word, kind, every, points, failures):
        report.add("%s: %s at %s point, %d" % (word, kind, nth(every), points), points, failures)
        group = "kill" if kind in KILLS else "allocation" if kind.startswith("nomem") else "fault"
        survived[group] += points - len(failures)

    seed = seed_of_commit()
    print("POINTS=%d" % seed, flush=True)
    survive(day, shim, FULL_PLAN if FULL else PLAN, not FULL, seed, one)
    print("%(kill)d kill points, %(fault)d fault points, %(allocation)d allocation points survived"
          % survived, flush=True)


def memory_stage(reader, shim, folder, report):
    os.mkdir(folder)
    points, crashes, failures = read_mails(reader, shim, folder)
    report.add("reading mails: no memory at each point, %d" % points, points, failures)
    print("    %d of them were crashes inside libetpan, as good as a kill" % crashes, flush=True)


def agree_stage(day, shim, report):
    if shutil.which("strace"):
        n = agree(day, shim)
        report.add("strace sees the same %d calls" % n, 1, [])
    else:
        report.skip("counting with strace", "it is not installed")
    report.add("a delivered mail costs at most %d flushes and %d commits" % delivered(day, shim), 1, [])


def full_stage(day, servers, report):
    done = full_disk(day, servers, 4 if FULL else 48)
    if done:
        report.add("a full disk, in %d degrees, %d of them too full for the run" % done, done[0], [])
    else:
        report.skip("a full disk", "only root can mount one")


def many_stage(runner, folder, report):
    for i in range(5 if FULL else 1):
        os.mkdir("%s.%d" % (folder, i))
        tries, beside = many(runner, "%s.%d" % (folder, i), MAILS_AT_ONCE)
        report.add("%d mails at once, in %d tries, beside %d other runs" % (MAILS_AT_ONCE, tries, beside),
                   MAILS_AT_ONCE, [])


def bulk_stage(runner, folder, report):
    os.mkdir(folder)
    killed, failures = bulk(runner, folder, 60 if FULL else 6)
    report.add("a run over many mails, killed %d times" % killed, killed, failures)


def power_stage(day, servers, report):
    done = power(day, servers, 1 if FULL else 75)
    if done:
        report.add("%d power cuts" % done[0], done[0] + 1, done[1])
    else:
        report.skip("power cuts", "they need root and loop devices")


def stages(pbm, shim, reader, folder, wanted, report):
    runner = Runner(pbm)
    try:
        day = Day(runner, folder, 3 if FULL else 1)
    except Broken as why:
        report.add("the undisturbed day", 1, [(str(why),)])
        return
    servers = Servers(pbm, shim, folder)
    table = {"agree": lambda: agree_stage(day, shim, report),
             "points": lambda: points_stage(day, shim, report),
             "programs": lambda: [report.add(*done) for done in programs(day, shim)],
             "memory": lambda: memory_stage(reader, shim, folder + "/memory", report),
             "full": lambda: full_stage(day, servers, report),
             "many": lambda: many_stage(runner, folder + "/many", report),
             "bulk": lambda: bulk_stage(runner, folder + "/bulk", report),
             "upgrade": lambda: upgrade(servers, folder, 1 if FULL else 10, report.add),
             "power": lambda: power_stage(day, servers, report)}
    for name, run in table.items():
        if wanted and name not in wanted:
            continue
        try:
            run()
        except Broken as why:
            report.add(name, 1, [(str(why),)])
    servers.close()


def hide_mounts():
    """Takes this process out of the others' mount namespace.  A namespace that another process
    made meanwhile would hold what is mounted here: umount would leave a file system in use,
    while its image is written anew."""
    if ctypes.CDLL(None).unshare(CLONE_NEWNS) == 0:
        subprocess.run(["mount", "--make-rprivate", "/"], check=False)


def main():
    pbm, shim, reader, *wanted = sys.argv[1:]
    report = Report()
    hide_mounts()
    with tempfile.TemporaryDirectory(prefix="pbm-faults-", dir=MEMORY) as folder:
        stages(*map(os.path.realpath, (pbm, shim, reader)), folder, wanted, report)
    print("%d passed, %d failed" % (report.passed, report.failed))
    return report.failed != 0


if __name__ == "__main__":
    sys.exit(main())
