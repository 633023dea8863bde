#!/usr/bin/env python3
"""Counts how many objects of the program each header reaches: a change of it compiles them all.

    tests/house/reach.py build/release

No header reaches more than MOST of them, but for pbm/base/{err,mem,str}.h and those of WIDE, each with
the most that it may reach.  These numbers leave room for some new
files."""
import collections
import glob
import os
import sys

MOST = 120
EVERYWHERE = {"pbm/base/err.h", "pbm/base/mem.h", "pbm/base/str.h"}
WIDE = {
    "store/store.h": 340, "store/document/document.h": 325, "pbm/site/site.h": 290, "games/rules.h": 260,
    "mail/mail.h": 235, "pbm/record/match.h": 155, "pbm/site/token.h": 201, "pbm/request/digest_boards.h": 197,
    "pbm/request/request.h": 197,
}


def headers(path):
    """Of the first rule of a .d file."""
    with open(path) as f:
        rule = f.read().replace("\\\n", " ").split("\n")[0]
    return {os.path.normpath(w) for w in rule.split() if w.endswith(".h") and not w.startswith("/")}


def reach(build):
    found = collections.Counter()
    for top in ("games", "mail", "pbm", "store"):
        for path in glob.glob("%s/%s/**/*.d" % (build, top), recursive=True):
            if os.path.exists(os.path.relpath(path, build)[:-2] + ".c"):
                found.update(headers(path))
    return found


def main():
    found, wrong = reach(sys.argv[1]), 0
    if not found:
        print("skipped: nothing is built in " + sys.argv[1])
    for header, n in found.most_common():
        most = WIDE.get(header, MOST)
        if header not in EVERYWHERE and n > most:
            wrong += 1
            print("%s reaches %d objects, more than %d: declare structs instead of including headers, or split it"
                  % (header, n, most))
    for header in sorted(h for h in WIDE if found and found[h] <= MOST):
        wrong += 1
        print("%s needs no place in WIDE: it reaches %d objects" % (header, found[header]))
    return wrong > 0


sys.exit(main())
