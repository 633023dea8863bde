#!/usr/bin/env python3
"""Checks that whatever can be run as a test is run: what stands in a table, but in no list, never fails.

    tests/house/stages.py [ROOT]

The stages of the fault suite and the Makefile's FAULTS are the same; something runs each part of the
end-to-end test; a rule of the Makefile names each program of tests/ and tests/bench/; and the tests that
the Makefile's lists name exist."""
import glob
import os
import re
import sys

ROOT = sys.argv[1] if len(sys.argv) > 1 else "."
wrong = []


def text(path):
    with open(ROOT + "/" + path) as f:
        return f.read()


def variable(name):
    """The words of a variable of the Makefile, over all its lines."""
    m = re.search(r"^%s\s*:?=((?:.*\\\n)*.*)$" % name, MAKE, re.M)
    if not m:
        wrong.append("the Makefile has no %s" % name)
    return set(re.findall(r"[\w-]+", m.group(1).split(",")[-1]) if m else ())


MAKE = text("Makefile")
stages, listed = set(re.findall(r'"(\w+)": lambda', text("tests/faults/main.py"))), variable("FAULTS")
wrong.extend("stage %s of tests/faults/main.py is not in FAULTS of the Makefile" % n for n in sorted(stages - listed))
wrong.extend("FAULTS of the Makefile names %s, and tests/faults/main.py has no such stage" % n
             for n in sorted(listed - stages))
if not stages:
    wrong.append("tests/faults/main.py has no stages")
e2e = text("tests/e2e.py") + "".join(text(p) for p in sorted(glob.glob("tests/e2e/*.py", root_dir=ROOT)))
# A part that another part calls is run, too.
wrong.extend("tests/e2e: nothing runs %s" % name
             for name in re.findall(r"^def (\w+)\(t, stack, pbm, folder\)", e2e, re.M)
             if len(re.findall(r"^(?!def |from ).*\b%s\b" % name, e2e, re.M)) == 0)
for path in sorted(glob.glob(ROOT + "/tests/*.py") + glob.glob(ROOT + "/tests/bench/bench_*.py")):
    path = os.path.relpath(path, ROOT)
    if path not in MAKE and os.path.basename(path)[:-3] + ".e2e" not in MAKE:
        wrong.append("no rule of the Makefile runs " + path)
programs = {os.path.basename(p)[5:-2] for p in glob.glob(ROOT + "/tests/**/test_*.c", recursive=True)}
for name in ("LONG", "NO_asan", "SLOW", "PARSERS", "MEMCHECK", "MORE"):
    wrong.extend("%s of the Makefile names %s, and there is no test_%s.c" % (name, gone, gone)
                 for gone in sorted(variable(name) - programs - {"PARSERS"}))
print("\n".join(wrong))
sys.exit(len(wrong) > 0)
