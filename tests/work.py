#!/usr/bin/env python3
"""Services (pbm work) on two machines that share a PostgreSQL server: a mail that is delivered is worked on at
once, whichever of them lives; one is stopped, one is killed, and SIGTERM ends one after its transaction.  A
machine that is far from the server takes mails in and leaves the work to the nearer one.

    tests/postgres.sh tests/work.py build/pbm

Ends with "N passed, M failed"."""
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time

from inbox import Check, deliver
from workers import BOARDS, Site, ask, documents, mails_of

SCHEMA = "work"
PATIENCE = 170      # seconds for three rounds; runs come each minute without a word of the server
DELAY = 0.004       # of each packet to the far machine


def ply_of(url):
    return min(g["ply"] for g in documents(url + "&options=-csearch_path%3D" + SCHEMA).values())


def play(url, site, plies, check):
    """Delivers each round's mails when the one before was worked on."""
    until = time.monotonic() + PATIENCE
    for ply in plies:
        for _, text in mails_of(ply):
            deliver(site, text, check)
        while ply_of(url) <= ply and time.monotonic() < until:
            time.sleep(0.1)
    check(ply_of(url) == plies[-1] + 1, "ply %d, not %d" % (ply_of(url), plies[-1] + 1))


def slow_line(folder, server):
    """A socket beside which the server stands further away."""
    line = socket.socket(socket.AF_UNIX)
    line.bind(folder + "/.s.PGSQL.5432")
    line.listen(50)

    def carry(one, other):
        while True:
            got = one.recv(65536)
            if not got:
                break
            time.sleep(DELAY)
            other.sendall(got)
        other.shutdown(socket.SHUT_WR)

    def take():
        while True:
            near = line.accept()[0]
            far = socket.socket(socket.AF_UNIX)
            far.connect(server + "/.s.PGSQL.5432")
            for pair in (near, far), (far, near):
                threading.Thread(target=carry, args=pair, daemon=True).start()

    threading.Thread(target=take, daemon=True).start()


def far_machine(url, folder, one, check):
    """It stands by while the other one lives."""
    server = url.partition("host=")[2].partition("&")[0]
    os.mkdir(folder + "/line")
    slow_line(folder + "/line", server)
    far = Site(one.pbm, folder + "/far")
    shutil.copytree(one.folder, far.folder)
    with open(far.folder + "/pbm.conf", encoding="utf-8") as f:
        text = f.read()
    with open(far.folder + "/pbm.conf", "w", encoding="utf-8") as f:
        f.write(text.replace("host=" + server, "host=%s/line" % folder).replace("worker = one", "worker = far"))
    one.run("-q", "tick")
    far.feed(mails_of(5))
    far.run("-q", "tick")
    waiting = "SELECT count(*) FROM %s.inbox" % SCHEMA
    check(far.left() == 0 and ask(url, waiting) == "%d\n" % BOARDS, "the far machine left %d, %s wait" % (
        far.left(), ask(url, waiting)))
    ask(url, "UPDATE %s.workers SET at = at - 3600 WHERE name != 'far'" % SCHEMA)
    far.run("-q", "tick")
    check(ask(url, waiting) == "0\n" and ply_of(url) == 6, "the far machine does not work alone")


def main():
    folder = tempfile.mkdtemp(prefix="pbm-work-")
    os.chmod(folder, 0o755)
    url, check = os.environ["PBM_TEST_STORE"], Check()
    one, other = (Site(os.path.abspath(sys.argv[1]), "%s/%s" % (folder, n)) for n in ("one", "other"))
    one.make("--store", url + "&options=-csearch_path%3D" + SCHEMA)
    shutil.copytree(one.folder, other.folder)
    one.conf("worker = one")
    other.conf("worker = other")
    services = [s.start("-q", "work") for s in (one, other)]
    play(url, one, range(3), check)
    taken = re.search(r"Mails in: (\d+) taken", one.run("stats"))[1]
    check(taken == str(3 * BOARDS), "both work on the same mails: %s were taken" % taken)
    services[0].send_signal(signal.SIGSTOP)
    play(url, one, range(3, 4), check)
    services[0].send_signal(signal.SIGCONT)
    services[1].kill()
    services[1].communicate()
    play(url, other, range(4, 5), check)
    services[0].terminate()
    said = services[0].communicate()[1]
    check(services[0].returncode == 0, "SIGTERM: %d %s" % (services[0].returncode, said))
    check("one\nother\n" == ask(url, "SELECT name FROM %s.workers ORDER BY name" % SCHEMA), "workers")
    far_machine(url, folder, one, check)
    check(one.run("fsck") == "clean\n", "fsck: " + one.run("fsck"))
    shutil.rmtree(folder)
    print("%d passed, %d failed" % (check.passed, check.failed))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
