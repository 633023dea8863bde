#!/usr/bin/env python3
"""The archive in a browser: a site with games of every kind is made by the program, then a
headless Chromium opens its pages from disk and from a web server, plays through every game
and compares each position with the rules.  Firefox does the parts that its protocol can do.
Screenshots go to build/browser/.

    tests/browser.py build/pbm [FOLDER]
        FOLDER: keep the site there

Ends with "N passed, M failed"."""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/browser")
import languages  # noqa: E402
import living  # noqa: E402
import pages  # noqa: E402
import playing  # noqa: E402
import made_site  # noqa: E402
from chrome import Chrome  # noqa: E402
from firefox import Firefox  # noqa: E402
from tally import Tally  # noqa: E402

SHOTS = "build/browser"
IN_FIREFOX = [playing.keys, playing.buttons, pages.all_open, pages.embedded,
              pages.hostile, pages.search]


def in_firefox(tally, archive, games, rules):
    with Firefox() as firefox:
        tally.guard("Firefox, games", playing.through, tally, firefox, archive, games[::3], rules)
        for part in IN_FIREFOX:
            tally.guard("Firefox, " + part.__name__, part, tally, firefox, archive, games, rules)
        for name, width in (("phone", 360), ("wide", 1200)):
            page = firefox.page(width=width, height=900)
            page.open(playing.address(archive, 1, 24))
            tally.check(page.run("document.documentElement.scrollWidth") <= width, "Firefox, %d pixels" % width)
            page.shoot(f"{SHOTS}/firefox-{name}.png")
            page.close()


def main():
    pbm = os.path.abspath(sys.argv[1])
    os.makedirs(SHOTS, exist_ok=True)
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None  # a disk would be asked to sync
    with tempfile.TemporaryDirectory(prefix="pbm-browser-", dir=memory) as folder:
        folder = sys.argv[2] if len(sys.argv) > 2 else folder + "/site"
        games, rules = made_site.make(pbm, folder)
        tally = Tally()
        pages.check_files(tally, folder + "/archive", games)
        with Chrome() as chrome:
            for part in playing.PARTS + pages.PARTS + languages.PARTS:
                tally.guard(part.__name__, part, tally, chrome, folder + "/archive", games, rules)
            pages.shots(chrome, folder + "/archive", SHOTS)
            tally.guard("living", living.run, tally, chrome, pbm, folder + "-live", SHOTS)
        tally.guard("Firefox", in_firefox, tally, folder + "/archive", games, rules)
        rules.close()
    print("%d passed, %d failed" % (tally.passed, tally.failed))
    return tally.failed > 0


sys.exit(main())
