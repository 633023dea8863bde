#!/usr/bin/env python3
"""Changes single operators of the program and sees whether a test notices: what part of the mistakes
that somebody could make would be found.

    make mutants [N=20] [SEED=1] [FILES="store/fsck_rows.c …"]

One mutant a file, files and places by lot: a condition negated or moved by one, == and != or && and ||
exchanged, a call or an assignment dropped, a return value flipped.  Its file is compiled into copies of
the archives; first the tests that include its header run, then those of its room, then all talks.  The
lines of mutants that lived name a place that no test looks at, unless the change makes no difference.
The last line is the rate.  A mutant that does not compile is drawn again.

The environment holds the words of the Makefile: COMPILE, LINK, LIBRARIES (the archives in their order),
HELPERS (objects of every test), TAIL (libraries)."""
import glob
import multiprocessing
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

B = "build/release"
SECONDS = 20        # of processor time, for each process of a test
SLOW = set(os.environ.get("SLOW", "").split()) | {"talks"}
PARTS = 6           # in which the talks run
CODE = re.compile(r"^\t+[^/*#\s]")

# (name, pattern, replacement): one occurrence in a line of code is exchanged.
OPERATORS = [
    ("negate", r"\b(if|while) \((.*)\)( \{)?$", r"\1 (!(\2))\3"),
    ("boundary", r" < ", " <= "), ("boundary", r" <= ", " < "),
    ("boundary", r" > ", " >= "), ("boundary", r" >= ", " > "),
    ("equal", r" == ", " != "), ("equal", r" != ", " == "),
    ("and", r" && ", " || "), ("or", r" \|\| ", " && "),
    ("return", r"\breturn true;", "return false;"), ("return", r"\breturn false;", "return true;"),
    ("drop call", r"^(\t+)[a-z_]+\([^;]*\);$", r"\1;"),
    ("drop assignment", r"^(\t+)[a-z_>.\-\[\]*]+ [-+|&]?= [^;]*;$", r"\1;"),
]


def source_files():
    out = [p for top in ("games", "mail", "pbm", "store") for p in glob.glob(top + "/**/*.c", recursive=True)]
    return sorted(p for p in out if not os.path.basename(p).startswith("main"))


def mutations(path, lots):
    """(line number, operator, old line, new line), in an order by lot."""
    with open(path) as f:
        lines = f.read().split("\n")
    found, comment = [], False
    for n, line in enumerate(lines):
        if "/*" in line and "*/" not in line:
            comment = True
        if not comment and CODE.match(line) and '"' not in line:
            for name, pattern, new in OPERATORS:
                for m in re.finditer(pattern, line):
                    changed = line[:m.start()] + m.expand(new) + line[m.end():]
                    found.append((n, name, line.strip(), changed))
        if "*/" in line:
            comment = False
    lots.shuffle(found)
    return lines, found


def words(name):
    return os.environ[name].split()


def group(path):
    return "base" if path.startswith("pbm/base/") else path.split("/")[0]


def tests_of(path):
    """Test programs, those that are likely to see it first; without talks and slow ones."""
    room, header = os.path.dirname(path), '"%s.h"' % path[:-2]
    first, second = [], []
    for test in sorted(glob.glob("tests/**/test_*.c", recursive=True)):
        if os.path.basename(test)[5:-2] in SLOW:
            continue
        with open(test) as f:
            text = f.read()
        if header in text:
            first.append(test[:-2])
        elif os.path.dirname(test) == "tests/" + room:
            second.append(test[:-2])
    return first + second


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def run(command, env):
    return subprocess.run(command, env=env, preexec_fn=limit, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def link(folder, out, objects):
    archives = [os.path.join(folder, os.path.basename(a)) if os.path.exists(os.path.join(folder, os.path.basename(a)))
                else a for a in words("LIBRARIES")]
    os.makedirs(os.path.dirname(out), exist_ok=True)
    subprocess.run(words("LINK") + ["-o", out] + objects + archives + words("TAIL"), check=True)


def killed_by(path, folder):
    """The first test that fails, or None."""
    for name in ("bin/pbm", "tests/util/warm"):
        objects = [B + "/pbm/program/main.o"] if name == "bin/pbm" else [B + "/tests/util/warm.o", B + "/tests/util/program.o"]
        link(folder, os.path.join(folder, name), objects)
    os.symlink(os.path.abspath(B + "/libexec"), os.path.join(folder, "libexec"))
    env = dict(os.environ, PBM=os.path.join(folder, "bin/pbm"), WARM=os.path.join(folder, "tests/util/warm"),
               TMPDIR=folder, CK_DEFAULT_TIMEOUT="100")
    plain = dict(env, PBM=B + "/bin/pbm", WARM=B + "/tests/util/warm")
    for test in tests_of(path):
        out = os.path.join(folder, test)
        link(folder, out, ["%s/%s.o" % (B, test)] + words("HELPERS"))
        # A test that fails in any case has found nothing.
        if not run([out], env) and run([os.path.join(B, test)], plain):
            return os.path.basename(test)
    if path.startswith("games/"):
        return None
    for part in range(1, PARTS + 1):
        talks, third = [B + "/tests/pbm/commands/test_talks"], {"TALKS": "%d/%d" % (part, PARTS)}
        if not run(talks, dict(env, **third)) and run(talks, dict(plain, **third)):
            return "talks"
    return None


def try_file(job):
    path, seed = job
    lots = random.Random("%s %s" % (path, seed))
    lines, found = mutations(path, lots)
    folder = tempfile.mkdtemp(prefix="pbm-mutant-")
    try:
        for n, name, old, new in found[:20]:
            source = os.path.join(folder, os.path.basename(path))
            with open(source, "w") as f:
                f.write("\n".join(lines[:n] + [new] + lines[n + 1:]))
            unit = source[:-2] + ".o"
            if subprocess.run(words("COMPILE") + ["-w", "-c", "-o", unit, source], stderr=subprocess.DEVNULL).returncode:
                continue
                archive = "%s/lib%s.a" % (B, group(path))
            shutil.copy(archive, folder)
            subprocess.run(["ar", "r", os.path.join(folder, os.path.basename(archive)), unit], check=True,
                           stderr=subprocess.DEVNULL)
            return path, n + 1, name, old, killed_by(path, folder)
        return None
    finally:
        shutil.rmtree(folder)


def main():
    count, seed = int(os.environ.get("N") or 20), os.environ.get("SEED") or "1"
    files = os.environ.get("FILES", "").split() or source_files()
    lots = random.Random(seed)
    lots.shuffle(files)
    rooms, killed, tried = {}, 0, 0
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for result in pool.imap_unordered(try_file, [(f, seed) for f in files[:count + count // 10]]):
            if not result:
                continue
            path, line, name, old, by = result
            tried, killed = tried + 1, killed + bool(by)
            room = rooms.setdefault(os.path.dirname(path), [0, 0])
            room[0] += bool(by)
            room[1] += 1
            print("%s:%d: %s: %s: %s" % (path, line, name, old, "found by " + by if by else "LIVES"), flush=True)
    for room in sorted(rooms):
        print("%-20s %d of %d" % (room, *rooms[room]))
    print("%d of %d mutants were found: %d %%" % (killed, tried, 100 * killed // max(tried, 1)))


main()
