#!/usr/bin/env python3
"""Changes single operators of the program and sees whether a test notices: what part of the mistakes
that somebody could make would be found.

    make mutants [N=20] [SEED=1] [SPEND=15] [FILES="store/check/fsck_rows.c …"]

One mutant a file, files and places by lot: a condition negated or moved by one, == and != or && and ||
exchanged, a call or an assignment dropped, a return value flipped.  Its file is compiled into copies of
the archives.  First run the tests that include its header, call its functions or have a word of its name, then
those of its room and of the rooms above it, then the talks that have the words of the lines around it, and of
lines of other files that have the same rare names.
A mutant that lived for SPEND seconds of processor time lives (0: it meets all tests of its room, and all
talks).  A line with LIVES names a place that these tests don't look at, unless the change makes no
difference; with the same SEED, FILES=that file plants it again.  The last line is the rate.

Some changes no test can see, and they are not planted: calls that only give something back or write to the
log, lines about the capacity of memory (UNSEEN), the bound of the smaller or greater of two values (EXTREME),
descriptor 0, a loop that reads one row more than a table has (the sanitizers see it), and a change after which
the compiler makes the same instructions.  Such a mutant is drawn again, as is one that does not compile.

The rate is for people to read.  With SPEND=15 7 or 8 of 10 are found; more are with the time to run all tests.
Twenty say little about a single commit, so the run fails only below LEAST of them: by luck that happens once in
a thousand commits.  It happens for certain when the tests have stopped looking at the program.

The environment holds the words of the Makefile: COMPILE, LINK, LIBRARIES (the archives in their order),
HELPERS (objects of every test), TAIL (libraries), LONG and SLOW (tests that take long, and longer)."""
import ctypes
import functools
import glob
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

B = "build/release"
SECONDS = 10        # of processor time, for each process of a test
PATIENCE = 90       # seconds, for one that waits for ever
LEAST = 25          # per cent
SPEND = float(os.environ.get("SPEND") or 15)
SLOW = set(os.environ.get("SLOW", "").split())
LONG = set(os.environ.get("LONG", "").split())
TALKS = B + "/tests/pbm/commands/test_talks"
RARE = 8            # files that have a rare name
AT_ONCE = 4         # talks in one start of their program
WRAPPED = {"tests/games/test_engine": ["-Wl,--wrap=attacks_have_pext"]}    # as the Makefile links it
CODE = re.compile(r"^\t+[^/*#\s]")
# Memory and descriptors are given back, secrets wiped: the sanitizers look at the first, and no behaviour shows
# the others.  No test reads the log's every line.  Where memory grows, more of it makes no difference.
# The condition of such a line is as unseen.
UNSEEN = re.compile(r"^\t+(\w*(free|release|decref|drop|close|closedir|memzero|bzero)|log_\w+|va_end)\(|\bcap\b")

# Either value will do where they are alike: "a < b ? a : b".
EXTREME = re.compile(r"(?=(\S+) [<>]=? (\S+) \? (?:\1 : \2|\2 : \1)(?![-\w.>\[(]| [-+*/%&|^<>=?]))")

# (name, pattern, replacement): one occurrence in a line of code is exchanged.
OPERATORS = [
    ("negate", r"\b(if|while) \((.*)\)( \{)?$", r"\1 (!(\2))\3"),
    ("boundary", r"(?<!fd) < (?!sizeof)", " <= "), ("boundary", r" <= ", " < "),
    ("boundary", r" > ", " >= "), ("boundary", r" >= ", " > "),
    ("equal", r" == ", " != "), ("equal", r" != ", " == "),
    ("and", r" && ", " || "), ("or", r" \|\| ", " && "),
    ("return", r"\breturn true;", "return false;"), ("return", r"\breturn false;", "return true;"),
    ("drop call", r"^(\t+)[a-z_]+\([^;]*\);$", r"\1;"),
    ("drop assignment", r"^(\t+)[a-z_>.\-\[\]*]+ [-+|&]?= [^;]*;$", r"\1;"),
]


@functools.lru_cache(None)
def source_files():
    out = [p for top in ("games", "mail", "pbm", "store") for p in glob.glob(top + "/**/*.c", recursive=True)]
    return sorted(p for p in out if not os.path.basename(p).startswith("main"))


@functools.lru_cache(None)
def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def is_unseen(line, after):
    return UNSEEN.search(line) or re.match(r"\t+(if|else|for|while)\b.*[^{;]$", line) and UNSEEN.search(after)


def mutations(path, lots):
    """(line number, operator, old line, new line), in an order by lot."""
    lines, found, comment = text_of(path).split("\n"), [], False
    for n, line in enumerate(lines):
        if "/*" in line and "*/" not in line:
            comment = True
        if not comment and CODE.match(line) and '"' not in line and not is_unseen(line, lines[n + 1]):
            same = {m.end(1) for m in EXTREME.finditer(line)}
            for name, pattern, new in OPERATORS:
                for m in re.finditer(pattern, line):
                    if name == "boundary" and m.start() in same:
                        continue
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


def name_words(path):
    """The words of a file's name, which the folder does not have."""
    name = os.path.basename(path).split(".")[0]
    return {w for w in name.split("_") if len(w) > 3 and w not in os.path.dirname(path)}


def defined(path):
    """The functions of a file that others can call."""
    return set(re.findall(r"^(?!static\b)[a-z].*?\b(\w+)\(", text_of(path), re.M))


@functools.lru_cache(None)
def names_of(path):
    return set(re.findall(r"\w+", text_of(path)))


def sharing(path, line, pattern, having):
    """Scores of those that have what the pattern finds in the file: what is rare counts more, and what is near
    the line."""
    score = {}
    for n, text in enumerate(text_of(path).split("\n")):
        for found in re.findall(pattern, text):
            those = having(found)
            for one in those:
                score[one] = score.get(one, 0) + 1 / len(those) / (1 + abs(n - line) / 20)
    return score


def tests_of(path, line):
    """(comes after the likely talks?, test) of test programs without the talks, those that are likely to see
    it first."""
    header, found, room = '"%s.h"' % path[:-2], [], "tests/" + os.path.dirname(path)
    while not glob.glob(room + "/**/test_*.c", recursive=True):
        room = os.path.dirname(room)
    tests = sorted(glob.glob("tests/**/test_*.c", recursive=True))
    score = sharing(path, line, r"\b(\w+)\(", lambda name: [t for t in tests if name in names_of(t)])
    for test in tests:
        name, alike = os.path.basename(test)[5:-2], test.startswith(room + "/")
        above = room.startswith(os.path.dirname(test) + "/")
        near = (header in text_of(test) or defined(path) & names_of(test) or
                alike and name_words(path) & set(name.split("_")))
        # The house's tests read sources, and never run the program.
        if name != "talks" and (near or alike or above) and not test.startswith("tests/house/"):
            late = name in SLOW or name in LONG and not near
            found.append((late, not (near and alike), not near, not alike, name in LONG, -score.get(test, 0),
                          test[:-2]))
    return [(late, test) for late, *_, test in sorted(found)]


@functools.lru_cache(None)
def talks():
    return {os.path.basename(t): text_of(t) for t in sorted(glob.glob("tests/data/talks/*.txt"))}


def threes(text):
    words = text.split()
    return {" ".join(words[i:i + 3]) for i in range(max(1, len(words) - 2))}


@functools.lru_cache(None)
def threes_of_talks():
    found = {}
    for talk, text in talks().items():
        for line in text.split("\n"):
            for three in threes(line):
                found.setdefault(three, []).append(talk)
    return found


@functools.lru_cache(None)
def said_in(path):
    """(line, talks) of each three words, or a shorter text, that stand between quotes in a file and in talks."""
    found = []
    for n, text in enumerate(text_of(path).split("\n")):
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', text):
            for part in re.split(r"%\S*|\\n", literal):
                for three in threes(part) if len(part.strip()) > 3 else ():
                    if three.count(" ") == 2:
                        found.append((n, threes_of_talks().get(three)))
                    else:
                        found.append((n, [t for t in talks() if three in talks()[t]]))
    return [(n, having) for n, having in found if having]


def related(path, line):
    """(file, line, weight): the line itself, and lines of any file that have a rare name which the file has, too,
    most near the line."""
    found, own = {(path, line): 1}, text_of(path).split("\n")
    for name in names_of(path):
        files = [f for f in source_files() if name in names_of(f)]
        if len(name) < 4 or len(files) > RARE:
            continue
        word = re.compile(r"\b%s\b" % name)
        far = min(abs(n - line) for n, text in enumerate(own) if word.search(text))
        for file in files:
            for n, text in enumerate(text_of(file).split("\n")):
                if word.search(text):
                    weight = 1 / len(files) / (1 + far / 5)
                    found[file, n] = max(found.get((file, n), 0), weight)
    return [(file, n, weight) for (file, n), weight in found.items()]


def talks_of(path, line):
    """Talks, those first that have what is said near related lines, rare words most, or that are called like the
    file."""
    score = dict.fromkeys(talks(), 0.0)
    for file, at, weight in related(path, line):
        for n, having in said_in(file):
            for talk in having:
                score[talk] += weight / len(having) / (1 + abs(n - at) / 5)
    for word in name_words(path):
        having = [talk for talk in talks() if word[:5] in talk]
        for talk in having:
            score[talk] += 1 / len(having)
    return sorted(talks(), key=lambda t: (-score[t], t))


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def run(command, env):
    """Does it end well, and in time?  Nothing of it goes on."""
    with subprocess.Popen(command, env=env, preexec_fn=limit, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True) as p:
        try:
            return p.wait(PATIENCE) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            p.wait()
            end_orphans()


def adopt_orphans():
    """Servers that a test leaves when it is killed become children of this process."""
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER


def children():
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as f:
                words_of = f.read().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(words_of[1]) == os.getpid():
            yield int(path.split("/")[2])


def end_orphans():
    while found := list(children()):
        for pid in found:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def changed_object(unit, folder):
    """An object that is in no archive, as the mutant has it."""
    mutant = os.path.join(folder, os.path.basename(unit))
    return mutant if os.path.exists(mutant) else unit


def link(folder, out, objects):
    changed = {os.path.basename(a): a for a in glob.glob(folder + "/*.a")}
    archives = [changed.get(os.path.basename(a), a) for a in words("LIBRARIES")]
    if out.startswith(("tests/store/", "tests/util/")):
        objects = objects + [os.path.relpath(changed_object(o, folder), B) for o in words("APART")]
    wrapped, out = WRAPPED.get(out, []), os.path.join(folder, out)
    os.makedirs(os.path.dirname(out), exist_ok=True)
    subprocess.run(words("LINK") + wrapped + ["-o", out] + [os.path.join(B, o) for o in objects] + archives + words("TAIL"),
                   check=True)
    return out


def link_program(folder):
    """pbm, the tests' loaded one, and those in libexec."""
    link(folder, "bin/pbm", ["pbm/program/main.o"])
    link(folder, "tests/util/warm", ["tests/util/" + o for o in ("warm.o", "program.o", "parse.o")])
    for main in glob.glob("pbm/program/main_*.c"):
        link(folder, "libexec/pbm/pbm-" + os.path.basename(main)[5:-2], [main[:-2] + ".o"])


def link_test(folder, test):
    return link(folder, test, [test + ".o"] + [os.path.relpath(h, B) for h in words("HELPERS")])


def environment(folder):
    """Of a test of the program in the folder; None: of the plain one."""
    at = folder or B
    own = {"TMPDIR": folder, "SITE": folder + "/site", "CK_DEFAULT_TIMEOUT": "30"} if folder else {}
    return dict(os.environ, PBM=os.path.join(at, "bin/pbm"), WARM=os.path.join(at, "tests/util/warm"), **own)


def killed_by(path, line, folder):
    """The first test that fails, or None."""
    link_program(folder)
    start = spent()
    env, plain = environment(folder), environment(None)
    tests = tests_of(path, line)
    runs = [[test] for late, test in tests if not late]
    if not path.startswith("games/"):
        likely = talks_of(path, line)
        runs += [[TALKS] + likely[i:i + AT_ONCE] for i in range(0, len(likely), AT_ONCE)]
    runs += [[test] for late, test in tests if late]
    for test, *names in runs:
        if SPEND and spent() - start > SPEND:
            break
        program = TALKS if names else link_test(folder, test)
        # A test that fails in any case has found nothing.
        if not run([program] + names, env) and run([TALKS if names else os.path.join(B, test)] + names, plain):
            return " ".join([os.path.basename(test)] + names)
    return None


def unit_of(path, folder):
    return os.path.join(folder, os.path.basename(path)[:-2] + ".o")


def compiled(path, lines, folder, options=()):
    """The bytes of the object, or None."""
    source, unit = os.path.join(folder, os.path.basename(path)), unit_of(path, folder)
    with open(source, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))
    done = subprocess.run(words("COMPILE") + [*options, "-w", "-c", "-o", unit, source], stderr=subprocess.DEVNULL)
    if done.returncode:
        return None
    with open(unit, "rb") as f:
        return f.read()


def put_into_archive(path, folder):
    if os.path.join(B, path[:-2] + ".o") in words("APART"):
        return
    archive = "lib%s.a" % group(path)
    shutil.copy(os.path.join(B, archive), folder)
    subprocess.run(["ar", "r", os.path.join(folder, archive), unit_of(path, folder)], check=True,
                   stderr=subprocess.DEVNULL)


def try_file(job):
    path, seed = job
    lots = random.Random("%s %s" % (path, seed))
    lines, found = mutations(path, lots)
    folder = tempfile.mkdtemp(prefix="pbm-mutant-")
    try:
        plain = compiled(path, lines, folder)
        for n, name, old, new in found[:20]:
            if compiled(path, lines[:n] + [new] + lines[n + 1:], folder) in (None, plain):
                continue
            put_into_archive(path, folder)
            return path, n + 1, name, old, killed_by(path, n, folder)
        return None
    finally:
        shutil.rmtree(folder)


def main():
    count, seed = int(os.environ.get("N") or 20), os.environ.get("SEED") or "1"
    files = os.environ.get("FILES", "").split() or list(source_files())
    lots = random.Random(seed)
    lots.shuffle(files)
    rooms, killed, tried = {}, 0, 0
    with multiprocessing.Pool(len(os.sched_getaffinity(0)), adopt_orphans) as pool:
        for result in pool.imap_unordered(try_file, [(f, seed) for f in files if mutations(f, lots)[1]][:count]):
            if not result:
                continue
            path, line, name, old, by = result
            tried, killed = tried + 1, killed + bool(by)
            room = rooms.setdefault(os.path.dirname(path), [0, 0])
            room[0] += bool(by)
            room[1] += 1
            print("%s %s:%d: %s: %s%s" % ("found" if by else "LIVES", path, line, name, old, " by " + by if by else ""),
                  flush=True)
    for room in sorted(rooms):
        print("%-20s %d of %d" % (room, *rooms[room]))
    rate = 100 * killed // max(tried, 1)
    print("%d of %d mutants were found: %d %%" % (killed, tried, rate))
    return rate < LEAST


if __name__ == "__main__":
    sys.exit(main())
