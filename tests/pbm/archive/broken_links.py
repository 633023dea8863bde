#!/usr/bin/env python3
"""Every link of every page in a folder leads to a file there.

    tests/pbm/archive/broken_links.py FOLDER

Prints those that don't, and ends with 1 if there are any."""
import os
import re
import sys

LINK = re.compile(rb'href="([^"#]+)')
ELSEWHERE = (b"mailto:", b"https:")


def main():
    root, broken, known = sys.argv[1].encode(), set(), {}
    for folder, _, names in os.walk(root):
        for name in names:
            if not name.endswith(b".html"):
                continue
            with open(os.path.join(folder, name), "rb") as f:
                links = set(LINK.findall(f.read()))
            for link in links:
                path = os.path.normpath(os.path.join(folder, link))
                if path not in known:
                    known[path] = link.startswith(ELSEWHERE) or os.path.exists(path)
                if not known[path]:
                    broken.add((os.path.join(folder, name), link))
    for page, link in sorted(broken):
        print("%s: %s" % (page.decode(), link.decode()))
    return len(broken) > 0


sys.exit(main())
