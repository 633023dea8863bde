#!/usr/bin/env python3
"""A year of a club at full speed, on a simulated clock and by mail alone, while runs are
killed, calls fail, memory ends, disks fill up, mails come twice and the server is down for
days.  At the end every turn that was sent must have been played exactly once, every mail
must have been sent exactly once, and the store must be whole.

    tests/soak.py PBM SHIM [PLAYERS [DAYS [SEED [FOLDER]]]]
        SHIM:    build/release/tests/faults/fault.so
        FOLDER:  keep the site there

Ends with "N passed, M failed"."""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
for folder in ("/soak", "/month", "/faults"):
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + folder)
from checks_of_year import check_all  # noqa: E402
from club import Club  # noqa: E402
from weather import Weather  # noqa: E402


def main():
    words = sys.argv[1:] + ["40", "60", "1"][len(sys.argv) - 3:]
    pbm, shim = (os.path.abspath(w) for w in words[:2])
    players, days, seed = (int(w) for w in words[2:5])
    with tempfile.TemporaryDirectory(prefix="pbm-soak-", dir=os.environ.get("SOAK_DIR")) as scratch:
        folder = words[5] if len(words) > 5 else scratch + "/site"
        club = Club(pbm, folder, Weather(shim, seed), players, days, seed)
        try:
            club.live()
            tally = check_all(club)
            print(club.summary())
        finally:
            club.site.close()
    print("%d passed, %d failed" % (tally.passed, tally.failed))
    return tally.failed > 0


sys.exit(main())
