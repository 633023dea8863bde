"""The shim sees what a program calls, not what the kernel sees: a call that libc
makes inside itself would be no point.  So the two are compared once.

It also counts what a delivered mail asks of the disk."""
import collections
import os
import re
import shutil
import struct
import subprocess

from day import NOW
from runner import Broken

CALLS = ("write pwrite64 writev fsync fdatasync syncfs rename renameat renameat2 link linkat symlink "
         "unlink unlinkat rmdir mkdir mkdirat ftruncate fallocate fchmod fchown openat sendto sendmsg")


def kernel_counts(trace):
    """Of the lines of strace, what changes something."""
    counts = collections.Counter()
    with open(trace) as f:
        for line in f:
            if line.startswith("open("):       # the shim writes what it counted
                break
            m = re.match(r"(\w+)\((\d*)", line)
            if not m or (m[1] == "write" and int(m[2]) <= 2):
                continue
            if m[1] != "openat":
                counts[m[1]] += 1
            elif "O_CREAT" in line:
                counts["openat+"] += 1
    return counts


def agree(day, shim):
    """The number of calls; Broken when strace saw others."""
    folder = os.path.join(day.folder, "agree")
    trace, names = folder + ".trace", folder + ".names"
    shutil.copytree(day.start, folder)
    done = subprocess.run(
        ["strace", "-o", trace, "-e", "trace=open," + ",".join(CALLS.split()), "-E", "LD_PRELOAD=" + shim,
         "-E", "FAULT=kill", "-E", "FAULT_COUNT=" + names, day.runner.pbm, "-C", folder, "--now", NOW,
         "tick"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise Broken("strace: %s" % done.stdout.decode(errors="replace"))
    with open(names) as f:
        seen = collections.Counter(name.replace("send", "sendto") if name == "send" else name
                                   for name in f.read().split())
    kernel = kernel_counts(trace)
    if seen != kernel:
        raise Broken("only strace: %s; only the shim: %s" % (kernel - seen, seen - kernel))
    return sum(seen.values())


FLUSHES, COMMITS = 4, 3    # of one mail, at most
# Runs with more to do than their mail: a digest and watchers are due; the mail ends a round.
MORE = ("signup dave", "resign")


def commits(site):
    """The commits in the log of pbm.db: the frames that say how large the database is after them
    (https://sqlite.org/fileformat.html, section 4.1); 0: the log was folded in, and is gone."""
    if not os.path.exists(site + "/pbm.db-wal"):
        return 0
    with open(site + "/pbm.db-wal", "rb") as f:
        head, n = f.read(32), 0
        size, salt = struct.unpack(">I", head[8:12])[0], head[16:24]
        while len(frame := f.read(24)) == 24 and frame[8:16] == salt:
            n += frame[4:8] != bytes(4)
            f.seek(size, os.SEEK_CUR)
    return n


def delivered(day, shim):
    """(most flushes, most commits) of the day's mails, each delivered by a run of its own.  Not of
    the few that fold the log in, or begin a new one (store/README.md, promise 7)."""
    most, counted, folded = [0, 0], 0, 0
    for i, step in enumerate(s for s in day.steps if s.word == "deliver"):
        site = os.path.join(day.folder, "flushes.%d" % i)
        names = site + ".names"
        shutil.copytree(step.start, site)
        before = commits(site)
        day.runner.run(site, NOW, "deliver", step.mail,
                       {"LD_PRELOAD": shim, "FAULT": "kill", "FAULT_COUNT": names})
        with open(names) as f:
            n = sum(name in ("fsync", "fdatasync", "syncfs") for name in f.read().split())
        if n == 0:
            raise Broken("no flush was counted")
        found = n, commits(site) - before
        usual = before > 0 and found[1] > 0
        counted, folded = counted + 1, folded + (not usual)
        with open(step.mail) as f:
            body = f.read().partition("\n\n")[2]
        if usual and not body.startswith(MORE):
            if found[0] > FLUSHES or found[1] > COMMITS:
                raise Broken("a delivered mail (%.20r) costs %d flushes and %d commits" % (body, *found))
            most = [max(a, b) for a, b in zip(most, found)]
        shutil.rmtree(site)
    if folded * 3 > counted:
        raise Broken("%d of %d mails fold the log or begin one" % (folded, counted))
    return tuple(most)
