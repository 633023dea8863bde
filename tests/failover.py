#!/usr/bin/env python3
"""Two workers, a PostgreSQL server and a standby that each commit waits for.  The server is killed while both
work, and the standby becomes the server.  Nothing that was answered may be lost and nothing may take effect
twice: the games and the answers must be those of one undisturbed site on SQLite.  In the end the old server
comes back: it must not take a commit.

    tests/failover.py build/pbm

Ends with "N passed, M failed".  The servers listen on sockets in a temporary folder alone."""
import collections
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from workers import BOARDS, Site, TURNS, ask, documents, mails_of, turns_of

BIN = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
KILLED_AT = 5           # the ply of the failover
TRIES = 60              # runs after it, until all mails are read
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []


class Server:
    """The folder of its socket, and below it its data."""

    def __init__(self, folder):
        self.folder, self.data = folder, folder + "/data"
        os.mkdir(folder)
        if AS_NOBODY:
            shutil.chown(folder, "nobody")

    def tool(self, name, *words):
        subprocess.run(AS_NOBODY + [BIN + "/" + name] + list(words), check=True, capture_output=True, cwd=self.folder)

    def start(self, *settings):
        words = ["listen_addresses=", "unix_socket_directories=" + self.folder, "max_connections=40"] + list(settings)
        # Its output must not keep a pipe open.
        subprocess.run(AS_NOBODY + [BIN + "/pg_ctl", "-s", "-w", "-D", self.data, "-l", self.folder + "/log", "start",
                                    "-o", " ".join("-c " + w for w in words)], check=True, cwd=self.folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def pid(self):
        with open(self.data + "/postmaster.pid", encoding="utf-8") as f:
            return int(f.readline())

    def kill(self):
        os.kill(self.pid(), signal.SIGKILL)

    def stop(self):
        if os.path.exists(self.data + "/postmaster.pid"):
            subprocess.run(AS_NOBODY + [BIN + "/pg_ctl", "-s", "-D", self.data, "-m", "immediate", "stop"], check=False,
                           cwd=self.folder, capture_output=True)

    def url(self):
        return "postgresql:///postgres?host=%s&user=pbm" % self.folder


def pair(folder):
    """A server and its synchronous standby."""
    first, second = Server(folder + "/first"), Server(folder + "/second")
    first.tool("initdb", "--locale=C", "-E", "UTF8", "-N", "-A", "trust", "-U", "pbm", "-D", first.data)
    first.start()
    second.tool("pg_basebackup", "-h", first.folder, "-U", "pbm", "-D", second.data, "-R", "-c", "fast")
    second.start("cluster_name=second", "hot_standby=on")
    ask(first.url(), "ALTER SYSTEM SET synchronous_standby_names = 'second'")
    ask(first.url(), "SELECT pg_reload_conf()")
    for _ in range(100):
        if "sync" in ask(first.url(), "SELECT sync_state FROM pg_stat_replication"):
            return first, second
        time.sleep(0.1)
    raise AssertionError("the standby does not follow: " + ask(first.url(), "SELECT * FROM pg_stat_replication"))


def play_round(workers, ply, lot, first, second):
    mails = mails_of(ply)
    for w in workers:
        lot.shuffle(mails)
        w.feed([("%02d.%s" % (i, name), text) for i, (name, text) in enumerate(mails)])
    runs = [w.start("-q", "tick") for w in workers]
    if ply == KILLED_AT:
        time.sleep(0.1)
        first.kill()
        for r in runs:
            r.communicate()
        second.tool("pg_ctl", "-s", "-w", "-D", second.data, "promote")
    for r in runs:
        r.communicate()
    for _ in range(TRIES):
        if not any(w.left() for w in workers):
            return
        for w in workers:
            w.start("-q", "tick").communicate()


def old_server(first, site, wrong):
    """Nobody waits for its commits any more, so it must not answer them."""
    if os.path.exists(first.data + "/postmaster.pid"):
        os.unlink(first.data + "/postmaster.pid")
    first.start()
    alone = Site(site.pbm, site.folder + "-alone")
    shutil.copytree(site.folder, alone.folder)
    with open(alone.folder + "/pbm.conf", encoding="utf-8") as f:
        text = f.read()
    with open(alone.folder + "/pbm.conf", "w", encoding="utf-8") as f:
        f.write(text.replace(",%s/second" % os.path.dirname(first.folder), ""))
    for path in glob.glob(alone.folder + "/sent/new/*"):
        os.unlink(path)
    alone.feed(mails_of(0))
    run = alone.start("-q", "tick")
    time.sleep(3)
    if run.poll() is not None or alone.left() != BOARDS or alone.answers():
        wrong.append("the old server took a commit: %s" % (run.communicate(),))
    run.kill()
    run.communicate()
    first.stop()


def main():
    folder = tempfile.mkdtemp(prefix="pbm-failover-")
    os.chmod(folder, 0o755)
    calm, one, other = (Site(os.path.abspath(sys.argv[1]), "%s/%s" % (folder, n)) for n in ("calm", "one", "other"))
    lot, wrong = random.Random(1), []
    first, second = pair(folder)
    try:
        calm.make()
        one.make("--store", "postgresql:///postgres?host=%s,%s&user=pbm&target_session_attrs=read-write"
                 "&options=-csearch_path%%3Dworkers" % (first.folder, second.folder))
        shutil.copytree(one.folder, other.folder)
        one.conf("worker = one")
        other.conf("worker = other")
        for ply in range(len(TURNS)):
            calm.feed(mails_of(ply))
            calm.run("-q", "tick")
            play_round([one, other], ply, lot, first, second)
        for w in one, other:
            w.run("-q", "tick")
        found = documents(second.url() + "&options=-csearch_path%3Dworkers")
        for path in sorted(glob.glob(calm.folder + "/games/*/*.json")):
            with open(path, encoding="utf-8") as f:
                wanted = json.load(f)
            name = os.path.relpath(path, calm.folder)
            if turns_of(found[name]) != turns_of(wanted) or wanted["ply"] != len(TURNS):
                wrong.append("%s: %s, not %s" % (name, turns_of(found[name]), turns_of(wanted)))
        # What a worker sent just before the failover may go out once more, with the same Message-ID.
        sent = collections.Counter({**one.answers(), **other.answers()}.values())
        wanted = collections.Counter(calm.answers().values())
        if sent != wanted:
            wrong.append("answers: too many %s, too few %s" % (sent - wanted, wanted - sent))
        if one.run("fsck") != "clean\n":
            wrong.append("fsck: " + one.run("fsck"))
        old_server(first, one, wrong)
    finally:
        first.stop()
        second.stop()
    for line in wrong:
        print(line)
    shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (BOARDS + 3 - len(wrong), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
