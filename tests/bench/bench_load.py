#!/usr/bin/env python3
"""A big club on two machines: how long its games take to a PostgreSQL server, and whether the machines keep up
with its mails.

    build/release/tests/bench/simulate SITE GAMES PLAYERS
    tests/bench/bench_load.py build/pbm SITE [SECONDS [MAILS-A-SECOND]]

SITE moves to a server with a standby that each commit waits for.  Then pairs of players move through pbm
deliver, in turn, at the given rate (but nobody before his board has come), and two machines work.  Each second
the age of the oldest mail is looked at.  All of it is on this computer.  The site is changed, and lost in the
end."""
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from fire import MAIL, pair_of_servers
from workers import Site, ask

PAIRS = 300
FILES = "abcdefg"


def long_game():
    """Knights go out and back, then a pawn moves: no position comes three times."""
    turns = []
    for white, black in ("3", "6"), ("4", "5"):
        for f in FILES:
            turns += ["Nh3", "Nh6", "Ng1", "Ng8", f + white, f + black]
    return turns


def seat_pairs(site):
    """First the reminders of games that are long due are sent."""
    for line in "sender-per-day = 100000", "mails-per-run = 100000":
        site.conf(line)
    site.run("-q", "tick")
    for path in glob.glob(site.folder + "/sent/new/*"):
        os.unlink(path)
    for i in range(PAIRS):
        for who in "white%d" % i, "black%d" % i:
            site.run("user", "add", who, who + "@example.org")
    site.run("user", "add", "carol", "carol@example.org")
    site.run("user", "role", "carol", "moderator", "she", "helps")
    site.run("talk", "carol", text="".join("chess challenge white%d black%d -unrated\n" % (i, i) for i in range(PAIRS)))
    site.run("-q", "tick")
    seats = Seats([site.folder])
    seats.read()
    assert len(seats.last) == 2 * PAIRS, len(seats.last)
    seats.count = 0
    return seats


class Seats:
    """The players' mailboxes: the last mail about his game that each has got."""

    def __init__(self, folders):
        self.folders, self.last, self.count, self.over = folders, {}, 0, threading.Event()

    def read(self):
        for path in sum((glob.glob(f + "/sent/new/*") for f in self.folders), []):
            with open(path, encoding="utf-8") as f:
                head = f.read(2000)
            os.unlink(path)
            self.count += 1
            m = re.search(r"^Delivered-To: ((?:white|black)\d+)@.*?^Reply-To: <(pbm\+g(\d+)\.[bw]\.(\d+)\..*?)>\nSubject: (.*?)$", head, re.M | re.S)
            if m and int(m[4]) >= self.last.get(m[1], (0,))[0]:
                self.last[m[1]] = int(m[4]), m[2], m[5], int(m[3])

    def follow(self):
        while not self.over.wait(0.2):
            self.read()


def second_machine(site, folder):
    other = Site(site.pbm, folder)
    os.mkdir(folder, 0o700)
    for name in "pbm.conf", "secret":
        shutil.copy(site.folder + "/" + name, folder)
    shutil.copytree(site.folder + "/templates", folder + "/templates")
    for name in "cur", "new", "tmp":
        os.makedirs(folder + "/inbox/" + name, 0o700)
    return other


class Ages:
    """Of the oldest mail that no machine has done, each second."""

    def __init__(self, url):
        self.url, self.seconds, self.waiting, self.over = url, [], [], threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()

    def look(self):
        while not self.over.wait(1):
            age, mails, out = ask(self.url, "SELECT coalesce(extract(epoch FROM clock_timestamp())::bigint - min(came), 0),"
                                  " count(*), (SELECT count(*) FROM outbox) FROM inbox").strip().split("|")
            self.seconds.append(int(age))
            self.waiting.append((int(mails), int(out)))

    def end(self):
        self.over.set()
        self.thread.join()


def send(site, seats, seconds, rate):
    """The mails that were not taken in."""
    turns, running, bad = long_game(), [], 0
    began = time.monotonic()
    for n in range(seconds * rate):
        time.sleep(max(0, began + n / rate - time.monotonic()))
        ply, pair = divmod(n, PAIRS)
        who = ("white%d", "black%d")[ply % 2] % pair
        while seats.last[who][0] < ply:
            time.sleep(0.05)
        _, to, subject, board = seats.last[who]
        p = subprocess.Popen([site.pbm, "-C", site.folder, "-q", "deliver"], stdin=subprocess.PIPE)
        p.stdin.write((MAIL % {"who": who, "to": to, "subject": subject, "board": board, "ply": ply,
                               "turn": turns[ply]}).encode("ascii"))
        p.stdin.close()
        running.append(p)
        if len(running) > 200:
            bad += running.pop(0).wait() != 0
    return bad + sum(p.wait() != 0 for p in running), time.monotonic() - began


def main():
    site = Site(*map(os.path.abspath, sys.argv[1:3]))
    seconds, rate = (int(w) for w in sys.argv[3:] + ["600", "40"][len(sys.argv) - 3:])
    folder = tempfile.mkdtemp(prefix="pbm-load-", dir=os.path.dirname(site.folder))
    os.chmod(folder, 0o755)
    began = time.monotonic()
    seats = seat_pairs(site)
    games = max(board for _, _, _, board in seats.last.values())
    print("\nload: %d games; %d pairs seated in %.0f s" % (games, PAIRS, time.monotonic() - began), flush=True)
    servers = pair_of_servers(folder)
    url = servers[0].url()
    try:
        began = time.monotonic()
        site.run("migrate", url)
        took = time.monotonic() - began
        documents = int(ask(url, "SELECT count(*) FROM documents"))
        print("  migration: %d documents in %.0f s, %.2f ms each" % (documents, took, 1000 * took / documents), flush=True)
        other = second_machine(site, folder + "/other")
        other.conf("worker = other")
        work = [m.start("-q", "work") for m in (site, other)]
        time.sleep(5)
        ages = Ages(url)
        seats.folders.append(other.folder)
        follower = threading.Thread(target=seats.follow)
        follower.start()
        bad, took = send(site, seats, seconds, rate)
        print("  %d mails in %.0f s, %d not taken in" % (seconds * rate, took, bad), flush=True)
        sent = time.monotonic()
        while ask(url, "SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM outbox)") != "0\n":
            time.sleep(0.1)
        print("  all done %.1f s after the last one" % (time.monotonic() - sent))
        ages.end()
        for w in work:
            w.terminate()
            w.communicate()
        seats.over.set()
        follower.join()
        seats.read()
        plies = int(ask(url, "SELECT sum((convert_from(bytes, 'UTF8')::json->>'ply')::int) FROM documents WHERE path IN (%s)"
                        % ",".join("'games/%03d/%d.json'" % (b // 1000, b) for _, _, _, b in seats.last.values())))
        print("  oldest mail: median %.0f s, p99 %.0f s, at most %d s; waiting at most %d and %d to be sent; %d answers, %d plies" % (
            statistics.median(ages.seconds), statistics.quantiles(ages.seconds, n=100)[98], max(ages.seconds),
            max(w for w, _ in ages.waiting), max(o for _, o in ages.waiting), seats.count, plies))
    finally:
        for s in servers:
            s.stop()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
