#!/usr/bin/env python3
"""The time of a run over mails with moves, by perf's samples, and how
often it waits for the disk to be done; and what chat costs.

    tests/bench/bench_shares.py build/pbm BENCH [N]       BENCH is the program of bench.c

A sample in the program counts for the part its function belongs to, one in the
kernel for what the system call is for.  What the C library does for all of them
stands by itself: whose it is no stack without frame pointers tells.  What is left
of the run's time it waits, for the disk mostly."""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

# The first that fits; files as the objects below build/release, or libraries.
PARTS = [
    ("SQLite", r"libsqlite3|store/(sqlite|db|gather|store_)"),
    ("JSON", r"libjansson|store/"),
    ("rules", r"games/|pbm/(record/match|commands/(turn|board)|text/words)"),
    ("parsing mail", r"libetpan|libxml2|mail/(?!compose/|transport/)"),
    ("writing answers", r"pbm/(answer/|text/|record/pgn|commands/help)|mail/compose/"),
    ("proofs", r"libsodium|pbm/(site/(token|secret)|people/(vouch|identify))"),
    ("loading the program", r"ld-linux"),
    ("strings, printing (libc)", r"pbm/base/(str|utf8|mem)"),
    ("the rest", r""),
]
CALLS = [
    ("flushes", r"f(data)?sync|syncfs"),
    ("SQLite", r"p(read|write)64|fcntl|ftruncate|mmap|munmap"),
    ("parsing mail", r"send|recv|poll|wait4|clone|fork"),
    ("loading the program", r"execve|exit|brk"),
    ("files", r"open|close|write|read|rename|unlink|link|stat|mkdir|getdents|flock|access"),
    ("the rest", r""),
]


def part(table, text):
    return next(name for name, fits in table if re.search(fits, text))


def owners(objects):
    """The object file of each function of ours."""
    out = {}
    for path in objects:
        names = subprocess.run(["nm", "--defined-only", path], capture_output=True, text=True, check=True)
        for line in names.stdout.splitlines():
            out[line.split()[-1]] = path
    return out


def classify(frames, owner):
    """frames: (symbol, library) from the innermost outwards."""
    if frames[0][1].startswith("[kernel"):
        for symbol, library in frames:
            call = re.match(r"__(?:x64|arm64|se)_sys_(\w+)", symbol)
            if call:
                return part(CALLS, call.group(1))
            if "page_fault" in symbol:
                return "memory"
        return "the rest"
    symbol, name = frames[0][0], os.path.basename(frames[0][1])
    if name.startswith("libc."):
        return "memory" if re.search(r"alloc|free|unlink_chunk", symbol) else "strings, printing (libc)"
    return part(PARTS, owner.get(re.sub(r"\..*", "", symbol), "") if name == "pbm" else name)


def shares(data, owner):
    text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym,dso"], capture_output=True,
                          text=True, check=True).stdout
    count = collections.Counter()
    for sample in text.split("\n\n"):
        frames = re.findall(r"^\s+[0-9a-f]+ (.*?)(?:\+0x\w+)? \(([^)]*)\)$", sample, re.M)
        if frames:
            count[classify(frames, owner)] += 1
    return count


def make(bench, site, n):
    subprocess.run([bench, "--make", site, str(n)], check=True)
    with open(site + "/pbm.conf", "a") as conf:
        conf.write("\nsender-per-day = 1000000\nmails-per-run = 1000000\nsend-seconds = 3600\n")


def flushes(pbm, bench, sizes=(1, 10, 120)):
    """The number of flushes that a run asks of the disk, by the number of mails in its one batch."""
    found = []
    for n in sizes:
        with tempfile.TemporaryDirectory(prefix="bench-", dir="build") as folder:
            make(bench, folder + "/site", n)
            subprocess.run(["strace", "-f", "-e", "trace=fsync,fdatasync,syncfs", "-o", folder + "/calls",
                            pbm, "-q", "-C", folder + "/site", "tick"], check=True)
            with open(folder + "/calls") as calls:
                found.append(len(re.findall(r"sync(?:fs)?\(", calls.read())))
    print("\nflushes: %s in a run over %s mails" % (", ".join(map(str, found)), ", ".join(map(str, sizes))))


def delivered(pbm, bench, n=8):
    """The same for mails that an MTA brings, one by one."""
    found = []
    with tempfile.TemporaryDirectory(prefix="bench-", dir="build") as folder:
        site = folder + "/site"
        make(bench, site, n)
        for name in sorted(os.listdir(site + "/inbox/new")):
            mail = folder + "/mail"
            os.rename(site + "/inbox/new/" + name, mail)
            with open(mail) as f:
                subprocess.run(["strace", "-f", "-e", "trace=fsync,fdatasync,syncfs", "-o", folder + "/calls",
                                pbm, "-q", "-C", site, "deliver"], check=True, stdin=f)
            with open(folder + "/calls") as calls:
                found.append(len(re.findall(r"sync(?:fs)?\(", calls.read())))
    print("flushes: %s for mails that are delivered one by one" % ", ".join(map(str, found)))


def chats(pbm, bench, n=60):
    """What one player's words to another cost who gets them, in mails of one hour."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir="build") as folder:
        site = folder + "/site"
        make(bench, site, 1)
        name, = os.listdir(site + "/inbox/new")
        with open(site + "/inbox/new/" + name) as f:
            mail = f.read()
        os.unlink(site + "/inbox/new/" + name)
        for i in range(n):
            with open("%s/inbox/new/%d.chat" % (site, i), "w") as f:
                f.write(mail.replace("<m0@", "<chat%d@" % i).replace("\n\ne3\n", "\n\nchat hello %d\n" % i))
        before = os.times()
        subprocess.run([pbm, "-q", "-C", site, "tick"], check=True)
        after = os.times()
        sizes = []
        for out in os.listdir(site + "/sent/new"):
            with open(site + "/sent/new/" + out, "rb") as f:
                raw = f.read()
            if b"\nDelivered-To: bob@" in raw:
                sizes.append(len(raw))
    print("chat: %d mails in an hour make %d mails of %.1f KB each to the other player, %.1f ms of processor time a mail"
          % (n, len(sizes), sum(sizes) / max(len(sizes), 1) / 1000,
             1000 * (after[2] + after[3] - before[2] - before[3]) / n))


def main():
    pbm, bench = map(os.path.abspath, sys.argv[1:3])
    flushes(pbm, bench)
    delivered(pbm, bench)
    chats(pbm, bench)
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 10000
    print("\nshares: what a run over %d moves in a Maildir spends its time on" % n)
    if not shutil.which("perf"):
        print("  SKIPPED: there is no perf (package linux-perf)")
        return
    owner = owners(glob.glob("build/release/[gmps]*/**/*.o", recursive=True))
    with tempfile.TemporaryDirectory(prefix="bench-", dir="build") as folder:
        site, data = folder + "/site", folder + "/perf.data"
        make(bench, site, n)
        before, start = os.times(), time.monotonic()
        subprocess.run(["perf", "record", "-q", "-g", "-F", "1999", "-o", data, pbm, "-q", "-C", site, "tick"],
                       check=True, stderr=subprocess.DEVNULL)
        wall, after = time.monotonic() - start, os.times()
        busy = after[2] + after[3] - before[2] - before[3]
        count = shares(data, owner)
    total = sum(count.values())
    for name, samples in count.most_common():
        print("  %-30s %5.1f %%" % (name, 100 * samples / total))
    print("  of %.1f s of two processes' time in a run of %.1f s" % (busy, wall))


main()
