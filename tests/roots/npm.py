"""The cost of the optional board library on a fresh machine: npm with all that it depends on,
and what it fetches then."""
import os
import re
import shutil
import time

from layer import SOURCE

PACKAGES = None
NETWORK = True
INSTALLED = False


def run(root, t):
    root.run("apt-get -qq update")
    said = root.run("apt-get install --no-install-recommends --assume-no npm", good=None)
    found = re.search(r"(\d+) newly installed", said), re.search(r"Need to get ([^ ]* .B)", said), re.search(r"After this operation, ([^ ]* .B)", said)
    if not t.check(all(found), "apt tells what npm costs: " + said[-500:]):
        return
    start = time.monotonic()
    root.run("apt-get install -qq -y --no-install-recommends npm ca-certificates")
    print("npm on a fresh Debian: %s packages, %s to fetch, %s on the disk, %.0f s" % (*(f.group(1) for f in found), time.monotonic() - start), flush=True)
    shutil.copytree(SOURCE + "/pbm/archive/board", root.path("/src/pbm/archive/board"))
    start = time.monotonic()
    said = root.run("cd /src && sh pbm/archive/board/fetch.sh")
    made = root.path("/src/build/board/static/chessground.js")
    if not os.path.exists(made):
        print("the board library could not be fetched: " + said.strip(), flush=True)
        return
    t.check(os.path.getsize(made) > 10000, "the board library is made")
    size = root.run("du -sm /src/build/board/node_modules").split()[0]
    print("the board library: %s MB fetched and unpacked, %d KB in the program, %.0f s" % (size, os.path.getsize(made) // 1024, time.monotonic() - start), flush=True)
