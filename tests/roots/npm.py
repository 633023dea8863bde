"""What the optional board library costs on a fresh machine: npm with what it depends on."""
import re

PACKAGES = None
NETWORK = True
INSTALLED = False


def run(root, t):
    root.run("apt-get -qq update")
    said = root.run("apt-get install --no-install-recommends --assume-no npm", good=None)
    found = re.search(r"(\d+) newly installed", said), re.search(r"Need to get ([^ ]* .B)", said), re.search(r"After this operation, ([^ ]* .B)", said)
    t.check(all(found), "apt tells what npm costs: " + said[-500:])
    print("npm on a fresh Debian: %s packages, %s to fetch, %s on the disk" % tuple(f.group(1) for f in found), flush=True)
