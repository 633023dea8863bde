#!/usr/bin/env python3
"""Two machines that share a store on PostgreSQL: how fast they are beside one, and how long a mail holds the
lock that all machines wait for.  Two are no faster than one where one keeps all processors busy: their number is
printed, too.

    tests/postgres.sh tests/bench/bench_workers.py build/pbm

One plays the even plies, both play the odd ones, of the same games.  The mails are in the store before, as
pbm deliver leaves them.  With a Maildir as sink; and with an SMTP server that takes 20 ms for each mail."""
import asyncio
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from urllib.parse import parse_qs

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from fire import Club, Players
from workers import TURNS, ask

BOARDS = 224
SOCKET = "/.s.PGSQL.5432"
ANSWER = 0.02       # seconds that the SMTP server takes for a mail
PATIENCE = 120


class Slow:
    """A submission server with TLS."""

    def __init__(self, folder):
        util = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "util")
        subprocess.run([util + "/certs.sh", folder + "/certs"], check=True, capture_output=True)
        self.p = subprocess.Popen([sys.executable, util + "/fake_smtp.py", folder + "/certs"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self.p.stdin.write("%s/smtp noauth pipelining late=%s end=late\n" % (folder, ANSWER))
        self.p.stdin.flush()
        self.lines = ["sink = smtps://localhost:%d" % int(self.p.stdout.readline()), "sink-ca = %s/certs/ca.pem" % folder]

    def end(self):
        self.p.terminate()
        self.p.communicate()


class Asker:
    """One connection to the server, for a number."""

    def __init__(self, url):
        self.p = subprocess.Popen(["psql", "-At", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def number(self, sql):
        self.p.stdin.write(sql + ";\n")
        self.p.stdin.flush()
        return float(self.p.stdout.readline() or "nan")

    def end(self):
        self.p.communicate()


def recorded(folder):
    """The mails of each ply, as answers to those of an undisturbed site."""
    calm = Club(os.path.abspath(sys.argv[1]), folder + "/calm")
    calm.found(BOARDS, None)
    players, plies = Players(calm), []
    for ply in range(len(TURNS)):
        plies.append([text for _, text in players.mails_of(ply, BOARDS)])
        calm.feed((str(i), text) for i, text in enumerate(plies[ply]))
        calm.run("-q", "tick")
    return calm, plies


def cluster(folder, name, calm, sink, store=os.environ["PBM_TEST_STORE"]):
    url = "%s&options=-csearch_path%%3D%s" % (store, name)
    one, other = (Club(calm.pbm, "%s/%s%d" % (folder, name, i)) for i in (1, 2))
    one.found(BOARDS, calm.folder + "/secret", "--store", url)
    for line in sink:
        one.conf(line)
    shutil.copytree(one.folder, other.folder)
    one.conf("worker = one")
    other.conf("worker = other")
    return url, one, other


def busy():
    """Seconds of all processors since the start of the system, without those in which they had nothing to do."""
    with open("/proc/stat", encoding="ascii") as f:
        times = [int(t) for t in f.readline().split()[1:9]]
    return (sum(times) - times[3] - times[4]) / os.sysconf("SC_CLK_TCK")


def seconds_of(machines, mails, asker):
    """Until all mails are answered, and the answers sent; and how many processors were busy."""
    for text in mails:
        machines[0].run("-q", "deliver", text=text)
    began, busy_before = time.monotonic(), busy()
    if os.environ.get("TRACE") and len(machines) == int(os.environ["TRACE"]):
        machines[0].pbm = "/tmp/r/tpbm"
    runs = [m.start("-q", "work") for m in machines]
    while asker.number("SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM outbox)"):
        if time.monotonic() > began + PATIENCE:
            raise AssertionError("not done: " + "".join(map(str, [r.poll() for r in runs])))
        time.sleep(0.02)
    took = time.monotonic() - began
    processors = (busy() - busy_before) / took
    if machines[0].pbm == "/tmp/r/tpbm": print(took); os._exit(0)
    for run in runs:
        run.terminate()
        run.communicate()
    return took, processors


def print_two(folder, calm, plies, name, sink):
    url, one, other = cluster(folder, name, calm, sink)
    asker, took = Asker(url), ([], [])
    for ply, mails in enumerate(plies):
        took[ply % 2].append(seconds_of([one, other][:1 + ply % 2], mails, asker))
    asker.end()
    (alone, p1), (both, p2) = ((statistics.median(x) for x in zip(*t)) for t in took)
    print("  %-10s one %.0f mails a second, two %.0f: %.2f times; %.1f and %.1f of %d processors busy" % (
        name, BOARDS / alone, BOARDS / both, alone / both, p1, p2, os.cpu_count()), flush=True)


def holds(log):
    """Milliseconds between the statement that took the lock and the end of its transaction; and for each mail in
    it, from its savepoint to the next one."""
    taken, marks, whole, mail = {}, {}, [], []
    for at, pid, text in re.findall(r"^(\d+\.\d+) \[(\d+)\] LOG:  duration: [\d.]+ ms  (?:execute [^:]*|statement): (.*)$", log, re.M):
        now = float(at) * 1000
        if "pg_advisory_xact_lock" in text:
            taken[pid] = now
        elif pid in taken and "SAVEPOINT" in text and "RELEASE" not in text:
            if pid in marks:
                mail.append(now - marks[pid])
            marks[pid] = now
        elif pid in taken and re.search(r"\b(COMMIT|ROLLBACK)$", text):
            whole.append(now - taken.pop(pid))
            if pid in marks:
                mail.append(now - marks.pop(pid))
    return whole, mail


def print_lock(folder, calm, plies):
    """Both play, and reach the server through a proxy, as over a network."""
    server = parse_qs(os.environ["PBM_TEST_STORE"].partition("?")[2])["host"][0]
    way = folder + "/way"
    os.mkdir(way)
    proxy = subprocess.Popen([sys.executable, os.path.abspath(__file__), "proxy", server, way])
    for line in "log_line_prefix = '%n [%p] '", "log_min_duration_statement = 0":
        ask(os.environ["PBM_TEST_STORE"], "ALTER SYSTEM SET " + line)
    while not os.path.exists(way + SOCKET):
        time.sleep(0.01)
    url, one, other = cluster(folder, "locks", calm, [], store=os.environ["PBM_TEST_STORE"].replace(server, way))
    ask(os.environ["PBM_TEST_STORE"], "SELECT pg_reload_conf()")
    asker = Asker(os.environ["PBM_TEST_STORE"] + url.partition("?")[2].partition("&user=pbm")[2])
    for mails in plies:
        seconds_of([one, other], mails, asker)
    asker.end()
    trips = [m["trip-microseconds"] for m in map(json.loads, one.run("machine", "list", "--json").splitlines())]
    proxy.terminate()
    proxy.wait()
    with open(server + "/log", encoding="utf-8", errors="replace") as f:
        whole, mail = holds(f.read())
    print("  the lock, round trips of %s ms:" % " and ".join("%.2f" % (t / 1000) for t in trips))
    for what, times in ("transactions", whole), ("mails", mail):
        print("    %5d %-12s median %.1f ms, p99 %.1f, longest %.1f" % (
            len(times), what, statistics.median(times), statistics.quantiles(times, n=100)[98], max(times)))


def run_proxy(server, way):
    async def carry(reader, writer):
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    async def connected(reader, writer):
        there = await asyncio.open_unix_connection(server + SOCKET)
        await asyncio.gather(carry(reader, there[1]), carry(there[0], writer), return_exceptions=True)

    async def serve():
        await (await asyncio.start_unix_server(connected, way + SOCKET)).serve_forever()

    asyncio.run(serve())


def main():
    if sys.argv[1] == "proxy":
        return run_proxy(*sys.argv[2:])
    folder = tempfile.mkdtemp(prefix="pbm-bench-")
    os.chmod(folder, 0o755)
    slow = Slow(folder)
    calm, plies = recorded(folder)
    print("\nworkers: mails a second of one and of two, median of %d plies, %d mails each" % (len(TURNS) // 2, BOARDS))
    print_two(folder, calm, plies, "smtp", slow.lines)
    slow.end()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
