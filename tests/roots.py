#!/usr/bin/env python3
"""The package in fresh Debian roots, where nothing of this source and this machine helps it.

    tests/roots.py DEB [PART…]      all parts, or those named (see PARTS)

Each part gets a root of its own: layers of build/roots, which stay for the next time, and a
layer that is thrown away.  It runs in name spaces of its own (processes, mounts, network:
a loopback alone), so its servers use their usual ports and end with it.  Needs root, and
the network the first time; where a part can't run it says "skipped: …".
Ends with "N passed, M failed"."""
import fcntl
import os
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/roots")
import caddy, e2e, exim, install, musl, nginx, npm, opensmtpd, postfix, service, systemd  # noqa: E401,E402
from layer import HERE, Skip, Tally, run_part  # noqa: E402

PARTS = [install, e2e, exim, postfix, opensmtpd, nginx, caddy, systemd, service, musl, npm]


def main():
    deb, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    t = Tally()
    for number in (signal.SIGTERM, signal.SIGHUP):         # as Ctrl-C: nothing is left
        signal.signal(number, lambda *_: sys.exit(1))
    os.makedirs(HERE, exist_ok=True)
    lock = open(HERE + "/lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("another tests/roots.py is at work in " + HERE)
    for part in PARTS:
        if not wanted or part.__name__ in wanted:
            try:
                run_part(part, deb, t)
            except Skip as why:
                print("skipped: %s: %s" % (part.__name__, why), flush=True)
    print("%d passed, %d failed" % (t.passed, t.failed))
    return t.failed > 0


if __name__ == "__main__":
    sys.exit(main())
