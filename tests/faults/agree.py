"""The shim sees what a program calls, not what the kernel sees: a call that libc
makes inside itself would be no point.  So the two are compared once."""
import collections
import os
import re
import shutil
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
    """How many calls there were; Broken when strace saw others."""
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
