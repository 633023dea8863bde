#!/usr/bin/env python3
"""A mail with the store in a file, and in a PostgreSQL server: processor time of pbm and of the server.  The
same games on both: with a run for each round of mails, with all mails in one run, and the same less what a run
without mails costs, which a service (pbm work) spends once.  Then mails a second, also with a standby that each
commit waits for.

    tests/postgres.sh tests/bench/bench_postgres.py build/pbm"""
import os
import resource
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from fire import pair_of_servers
from workers import BOARDS, Site, TURNS, mails_of

REPEATS = 5
MAILS = BOARDS * len(TURNS)


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
    return [1000 * spent / MAILS for spent in (here, there)]


def two_sites(folder, name, url):
    file, rows = (Site(os.path.abspath(sys.argv[1]), "%s/%s-%s" % (folder, kind, name)) for kind in ("file", "rows"))
    file.make()
    rows.make("--store", "%s&options=-csearch_path%%3D%s" % (url, name))
    return file, rows


def print_time(folder, server, pid):
    rounds = [mails_of(ply) for ply in range(len(TURNS))]
    print("\npostgres: processor time a mail, median of %d" % REPEATS)
    for what, parts in ("%d mails a run" % BOARDS, rounds), ("%d mails a run" % MAILS, [sum(rounds, [])]):
        costs, idle = [], []
        for i in range(REPEATS):
            file, rows = two_sites(folder, "time%d_%d" % (len(parts), i), server)
            idle.append(play(file, [[]] * len(parts), pid)[:1] + play(rows, [[]] * len(parts), pid))
            costs.append(play(file, parts, pid)[:1] + play(rows, parts, pid))
        all_of, without = ([statistics.median(c) for c in zip(*some)] for some in (costs, idle))
        for less, words in ([0, 0, 0], what), (without, "  less idle runs"):
            in_file, in_rows, of_server = (a - b for a, b in zip(all_of, less))
            print("  %-18s file %.2f ms; server: pbm %.2f ms and the server %.2f ms, %.2f times that of a file" % (
                words, in_file, in_rows, of_server, (in_rows + of_server) / in_file))


def print_rate(folder, server):
    """Of one run, with all mails."""
    primary, standby = pair_of_servers(folder)
    rates = []
    try:
        for i in range(REPEATS):
            file, alone = two_sites(folder, "rate%d" % i, server)
            kept_twice = two_sites(folder, "twice%d" % i, primary.url())[1]
            seconds = []
            for site in file, alone, kept_twice:
                site.feed(sum((mails_of(ply) for ply in range(len(TURNS))), []))
                began = time.monotonic()
                site.run("-q", "tick")
                seconds.append(time.monotonic() - began)
            rates.append([MAILS / s for s in seconds])
    finally:
        primary.stop()
        standby.stop()
    print("  mails a second: file %.0f; server %.0f; with a standby that commits wait for %.0f" % tuple(
        statistics.median(r) for r in zip(*rates)))


def main():
    folder = tempfile.mkdtemp(prefix="pbm-bench-")
    os.chmod(folder, 0o755)
    server = os.environ["PBM_TEST_STORE"]
    with open(server.partition("host=")[2].partition("&")[0] + "/data/postmaster.pid", encoding="utf-8") as f:
        pid = int(f.readline())
    print_time(folder, server, pid)
    print_rate(folder, server)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
