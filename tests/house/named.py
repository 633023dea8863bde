#!/usr/bin/env python3
"""Checks that every test that SECURITY.md names exists.

    tests/house/named.py [ROOT]

A name stands in backticks: `tests/x/test_y.c: case, case`, `tests/a.py: part` or a file alone."""
import os
import re
import sys

ROOT = sys.argv[1] if len(sys.argv) > 1 else "."
text = open(ROOT + "/SECURITY.md").read()
names, wrong = re.findall(r"`(tests/[^`]*)`", text), []
for name in names:
    file, _, cases = name.partition(":")
    if not os.path.exists(ROOT + "/" + file):
        wrong.append(file + " does not exist")
        continue
    source = open(ROOT + "/" + file).read()
    for case in filter(None, (c.strip() for c in cases.split(","))):
        if file.endswith(".c"):
            found = re.search(r"^START_TEST\(%s\)" % case, source, re.M) and \
                re.search(r"tcase_add_(loop_)?test\([^;]*\b%s\b" % case, source)
        else:
            found = re.search(r"\b%s\b" % case, source)
        if not found:
            wrong.append("%s has no test %s" % (file, case))
rows = [line for line in text.split("\n") if line.startswith("| ") and line[2].isupper() and "`tests/" not in line]
wrong += ["no test shows this: " + row for row in rows]
if not names:
    wrong.append("SECURITY.md names no test")
print("\n".join(wrong))
sys.exit(len(wrong) > 0)
