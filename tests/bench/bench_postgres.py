#!/usr/bin/env python3
"""A mail with the store in a file, and in a PostgreSQL server: processor time of pbm and of the server.  The
same games on both, once with a run for each round of mails, once with all mails in one run.

    tests/postgres.sh tests/bench/bench_postgres.py build/pbm"""
import os
import resource
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from workers import BOARDS, Site, TURNS, mails_of

REPEATS = 5


def own_time():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def processes_of(pid):
    """The words of /proc/PID/stat after the name, of the server and of its children."""
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % number, encoding="utf-8") as f:
                words = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        if pid in (int(number), int(words[1])):
            yield int(number) == pid, words


def server_time(pid, children):
    """Of all its processes.  Waits for the end of those of connections: until then their time would be lost."""
    while len(rows := list(processes_of(pid))) > children:
        time.sleep(0.01)
    return sum(sum(map(int, words[11:15 if is_server else 13])) for is_server, words in rows) / os.sysconf("SC_CLK_TCK")


def play(site, rounds, pid):
    """Milliseconds a mail of pbm, and of the server."""
    here = there = 0
    children = len(list(processes_of(pid)))
    for mails in rounds:
        site.feed(mails)
        before, server = own_time(), server_time(pid, children)
        site.run("-q", "tick")
        here += own_time() - before
        there += server_time(pid, children) - server
    return [1000 * spent / BOARDS / len(TURNS) for spent in (here, there)]


def main():
    folder = tempfile.mkdtemp(prefix="pbm-bench-")
    server = os.environ["PBM_TEST_STORE"]
    with open(server.partition("host=")[2].partition("&")[0] + "/data/postmaster.pid", encoding="utf-8") as f:
        pid = int(f.readline())
    rounds = [mails_of(ply) for ply in range(len(TURNS))]
    print("\npostgres: processor time a mail, median of %d" % REPEATS)
    for what, parts in ("%d mails a run" % BOARDS, rounds), ("%d mails a run" % sum(map(len, rounds)), [sum(rounds, [])]):
        costs = []
        for i in range(REPEATS):
            file, rows = (Site(os.path.abspath(sys.argv[1]), "%s/%s%d%d" % (folder, n, len(parts), i)) for n in "fr")
            file.make()
            rows.make("--store", "%s&options=-csearch_path%%3Dbench%d_%d" % (server, len(parts), i))
            costs.append(play(file, parts, pid)[:1] + play(rows, parts, pid))
        in_file, in_rows, of_server = (statistics.median(c) for c in zip(*costs))
        print("  %-15s file %.2f ms; server: pbm %.2f ms and the server %.2f ms, %.2f times that of a file" % (
            what, in_file, in_rows, of_server, (in_rows + of_server) / in_file))
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
