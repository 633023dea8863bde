#!/usr/bin/env python3
"""Four workers, a PostgreSQL server and a standby that each commit waits for.  Each mail comes to two of the
workers.  All the time one of them is killed or stopped; twice the server is killed, the standby becomes the
server, and the old one follows it (pg_rewind).  Nothing that was answered may be lost and nothing may take
effect twice: the games and the answers must be those of one undisturbed site on SQLite.  In the last mails all
resign; the pages in the workers' bucket, whose server is slow or in trouble at times, must be those of a rebuild.  In the end a server
that is no more the newest comes back by itself: it must not take a commit.

    tests/fire.py build/pbm [MAILS [SEED]]

Ends with "N passed, M failed".  The servers listen on sockets in a temporary folder alone."""
import collections
import datetime
import email.parser
import email.policy
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from workers import Site, TURNS, ask, compare_games, documents, other_pages, s3

BIN = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
MAILS = 240
WORKERS = 4
COPIES = 2              # workers that get the same mail
STARTS_AN_HOUR = 8
MAIL = ("From: %(who)s@example.org\nTo: %(to)s\nSubject: Re: %(subject)s\nMessage-ID: <%(board)d.%(ply)d@client.example>\n"
        "Date: Tue, 1 Dec 2026 09:59:00 +0000\n\n%(turn)s\n")
FAILOVERS = (4, 9)      # plies
PEACE = (0.3, 1.0)      # seconds between two troubles
STOPPED = 4.0           # seconds that a worker sleeps at most
PATIENCE = 300          # seconds for the mails of a ply


class Server:
    """The folder of its socket, and below it its data.  Its name is that of the folder."""

    def __init__(self, folder):
        self.folder, self.data, self.name = folder, folder + "/data", os.path.basename(folder)
        os.mkdir(folder)
        if AS_NOBODY:
            shutil.chown(folder, "nobody")

    def tool(self, name, *words):
        p = subprocess.run(AS_NOBODY + [BIN + "/" + name] + list(words), capture_output=True, text=True, check=False,
                           cwd=self.folder)
        if p.returncode:
            raise AssertionError("%s: %s%s" % (name, p.stdout, p.stderr))

    def set(self, line):
        """For the standby and pg_rewind, too."""
        with open(self.data + "/postgresql.conf", "a", encoding="utf-8") as f:
            f.write(line + "\n")

    def start(self):
        words = ["listen_addresses=", "unix_socket_directories=" + self.folder,
                 "cluster_name=" + self.name]
        # Its output must not keep a pipe open.
        subprocess.run(AS_NOBODY + [BIN + "/pg_ctl", "-s", "-w", "-D", self.data, "-l", self.folder + "/log", "start",
                                    "-o", " ".join("-c " + w for w in words)], check=True, cwd=self.folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        with open(self.data + "/postmaster.pid", encoding="utf-8") as f:
            pid = int(f.readline())
        os.kill(pid, signal.SIGKILL)
        while os.path.exists("/proc/%d" % pid):
            time.sleep(0.05)

    def forget(self):
        """Its processes that outlive it a moment; then the file that says that it runs."""
        time.sleep(1)
        if os.path.exists(self.data + "/postmaster.pid"):
            os.unlink(self.data + "/postmaster.pid")

    def stop(self):
        if os.path.exists(self.data + "/postmaster.pid"):
            subprocess.run(AS_NOBODY + [BIN + "/pg_ctl", "-s", "-D", self.data, "-m", "immediate", "stop"], check=False,
                           cwd=self.folder, capture_output=True)

    def url(self):
        return "postgresql:///postgres?host=%s&user=pbm" % self.folder

    def wait_for(self, standby):
        """Each commit waits for this one."""
        ask(self.url(), "ALTER SYSTEM SET synchronous_standby_names = '%s'" % standby.name)
        ask(self.url(), "SELECT pg_reload_conf()")

    def take_over(self, old):
        self.tool("pg_ctl", "-s", "-w", "-D", self.data, "promote")
        ask(self.url(), "CHECKPOINT")  # until then pg_rewind takes both for the same
        self.wait_for(old)
        old.forget()
        old.tool("pg_rewind", "-R", "-D", old.data, "--source-server", "host=%s user=pbm dbname=postgres" % self.folder)
        old.start()


def pair_of_servers(folder):
    first, second = Server(folder + "/north"), Server(folder + "/south")
    first.tool("initdb", "--locale=C", "-E", "UTF8", "-N", "-k", "-A", "trust", "-U", "pbm", "-D", first.data)
    first.set("wal_keep_size=1GB")
    first.start()
    second.tool("pg_basebackup", "-h", first.folder, "-U", "pbm", "-D", second.data, "-R", "-c", "fast")
    second.start()
    first.wait_for(second)
    for _ in range(100):
        if "sync" in ask(first.url(), "SELECT sync_state FROM pg_stat_replication"):
            return first, second
        time.sleep(0.1)
    raise AssertionError("the standby does not follow: " + ask(first.url(), "SELECT * FROM pg_stat_replication"))


class Club(Site):
    def found(self, boards, secret, *words):
        """Nobody may start many games for a player in an hour."""
        subprocess.run([self.pbm, "init", self.folder, "--host", "pbm.example.org"] + list(words), check=True,
                       capture_output=True)
        if secret:
            shutil.copy(secret, self.folder + "/secret")
        for who in "alice", "bob", "carol":
            self.run("user", "add", who, who + "@example.org")
        self.run("user", "role", "carol", "moderator", "she", "helps")
        hours = boards // STARTS_AN_HOUR
        for i in range(hours):
            now = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=hours - i)
            self.run("--now", now.strftime("%Y-%m-%dT%H:%M:%SZ"), "talk", "carol",
                     text="chess challenge alice bob -unrated\n" * STARTS_AN_HOUR)
        self.run("-q", "tick")
        for path in [] if not secret else glob.glob(self.folder + "/sent/new/*"):
            os.unlink(path)


class Players:
    """They answer the mails of the undisturbed site, whose secret the others have, too."""

    def __init__(self, calm):
        self.calm, self.read, self.addresses = calm, set(), {}

    def mails_of(self, ply, boards):
        who = ("alice", "bob")[ply % 2]
        for name in set(os.listdir(self.calm.folder + "/sent/new")) - self.read:
            self.read.add(name)
            with open(self.calm.folder + "/sent/new/" + name, "rb") as f:
                m = email.parser.BytesHeaderParser(policy=email.policy.default).parse(f)
            board = re.search(r"#(\d+) ", str(m["Subject"]))
            if board and m["Delivered-To"] == who + "@example.org":
                self.addresses[int(board[1])] = m["Reply-To"], m["Subject"]
        return [("%03d.%d" % (ply, b), MAIL % {"who": who, "to": self.addresses[b][0], "subject": self.addresses[b][1],
                                               "board": b, "ply": ply, "turn": (TURNS + ["resign"])[ply]})
                for b in range(1, boards + 1)]


class Fire:
    """The workers' runs, one after the other on each, and what happens to them."""

    def __init__(self, workers, lot):
        self.workers, self.lot, self.now = workers, lot, {}
        self.kills = self.stops = 0
        self.over = threading.Event()
        self.trouble = threading.Thread(target=self.disturb)
        self.trouble.start()

    def disturb(self):
        while not self.over.wait(self.lot.uniform(*PEACE)):
            runs = [p for p in self.now.values() if p.poll() is None]
            if not runs:
                continue
            run = self.lot.choice(runs)
            if self.lot.random() < 0.7:
                self.kills += 1
                run.kill()
            else:
                self.stops += 1
                run.send_signal(signal.SIGSTOP)
                threading.Timer(self.lot.uniform(0.1, STOPPED), run.send_signal, [signal.SIGCONT]).start()

    def work(self, worker, until):
        while worker.left() and time.monotonic() < until:
            run = worker.start("-q", "tick")
            self.now[worker] = run
            run.communicate()

    def play(self, mails, meanwhile):
        """Until all are read."""
        until = time.monotonic() + PATIENCE
        boxes = {w: [] for w in self.workers}
        for mail in mails:
            for w in self.lot.sample(self.workers, COPIES):
                boxes[w].append(mail)
        for w, box in boxes.items():
            self.lot.shuffle(box)
            w.feed([("%05d.%s" % (i, name), text) for i, (name, text) in enumerate(box)])
        threads = [threading.Thread(target=self.work, args=(w, until)) for w in self.workers]
        for t in threads:
            t.start()
        meanwhile()
        for t in threads:
            t.join()

    def end(self):
        self.over.set()
        self.trouble.join()


def old_server(old, newest, site, mails, wrong):
    """Nobody waits for its commits any more, so it must not answer them."""
    old.kill()
    old.forget()
    os.unlink(old.data + "/standby.signal")
    old.start()
    ask(old.url(), "ALTER SYSTEM SET synchronous_standby_names = '%s'" % newest.name)
    ask(old.url(), "SELECT pg_reload_conf()")
    alone = Club(site.pbm, site.folder + "-alone")
    shutil.copytree(site.folder, alone.folder)
    with open(alone.folder + "/pbm.conf", encoding="utf-8") as f:
        text = f.read()
    with open(alone.folder + "/pbm.conf", "w", encoding="utf-8") as f:
        f.write(text.replace("host=%s,%s" % (old.folder, newest.folder), "host=" + old.folder)
                .replace("host=%s,%s" % (newest.folder, old.folder), "host=" + old.folder))
    for path in glob.glob(alone.folder + "/sent/new/*"):
        os.unlink(path)
    alone.feed(mails)
    run = alone.start("-q", "tick")
    time.sleep(3)
    if run.poll() is not None or alone.left() != len(mails) or alone.answers():
        wrong.append("the old server took a commit: %s" % (run.communicate(),))
    run.kill()
    run.communicate()
    old.stop()


class Weather:
    """Of the bucket's server: it waits, or is in trouble."""

    def __init__(self, lot):
        self.lot = lot

    def __call__(self, handler, method, _):
        kind = self.lot.random()
        if kind < 0.2:
            time.sleep(self.lot.uniform(0, 0.2))
        if method != "PUT" or kind < 0.98:
            return False
        handler.rfile.read(int(handler.headers["Content-Length"]))
        handler.refuse(self.lot.choice((500, 503)), "SlowDown")
        return True


def compare(calm, first, workers, url, boards, bucket, wrong):
    """first: the answers of the undisturbed site before the first turn."""
    compare_games(calm, documents(url), wrong)
    # What a worker sent just before it was killed may go out once more, with the same Message-ID.
    sent, files = {}, 0
    for w in workers:
        sent.update(w.answers())
        files += len(glob.glob(w.folder + "/sent/new/*"))
    sent_once = collections.Counter(sent.values())
    wanted = collections.Counter(calm.answers().values()) - first
    if sent_once != wanted:
        wrong.append("answers: too many %s, too few %s" % (sent_once - wanted, wanted - sent_once))
    print("%d answers, %d of them twice" % (len(sent), files - len(sent)))
    missing = [b for b in range(1, boards + 1) if "games/%03d/%d.html" % (b // 1000, b) not in bucket.pages()]
    bad = other_pages(workers[0], bucket.pages)
    if bad or missing or bucket.wrong:
        wrong.append("the bucket: other pages %s, missing %s, wrong questions %s" % (bad[:5], missing[:5], bucket.wrong[:5]))
    if workers[0].run("fsck") != "clean\n":
        wrong.append("fsck: " + workers[0].run("fsck"))


def main():
    folder = tempfile.mkdtemp(prefix="pbm-fire-")
    os.chmod(folder, 0o755)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else MAILS
    boards = count // (len(TURNS) + 1) // STARTS_AN_HOUR * STARTS_AN_HOUR
    lot, wrong = random.Random(sys.argv[3] if len(sys.argv) > 3 else "1"), []
    calm, *workers = (Club(os.path.abspath(sys.argv[1]), "%s/%s" % (folder, n))
                      for n in ["calm"] + ["worker%d" % i for i in range(WORKERS)])
    server, standby = pair_of_servers(folder)
    began, fire, cloud = time.monotonic(), None, s3.Server()
    cloud.bucket.faults.append(Weather(lot))
    try:
        calm.found(boards, None)
        players, first = Players(calm), collections.Counter(calm.answers().values())
        workers[0].found(boards, calm.folder + "/secret", "--store", "postgresql:///postgres?host=%s,%s&user=pbm&target_session_attrs=read-write"
                         "&options=-csearch_path%%3Dworkers" % (server.folder, standby.folder))
        for w in workers[1:]:
            shutil.copytree(workers[0].folder, w.folder)
        for i, w in enumerate(workers):
            w.conf("worker = w%d" % i)
            w.publish_to(cloud)
        fire = Fire(workers, lot)
        for ply in range(len(TURNS) + 1):
            mails = players.mails_of(ply, boards)
            calm.feed(mails)
            calm.run("-q", "tick")

            def fail_over(ply=ply, old=server, new=standby):
                if ply in FAILOVERS:
                    time.sleep(0.3)
                    old.kill()
                    new.take_over(old)
            fire.play(mails, fail_over)
            if ply in FAILOVERS:
                server, standby = standby, server
            if os.environ.get("SHOW"):
                print("ply %d, %.0f s, left %s" % (ply, time.monotonic() - began, [w.left() for w in workers]), flush=True)
        fire.end()
        cloud.bucket.faults.clear()
        for w in workers * 2:
            w.run("-q", "tick")
        compare(calm, first, workers, server.url() + "&options=-csearch_path%3Dworkers", boards, cloud.bucket, wrong)
        old_server(standby, server, workers[0], mails[:8], wrong)
    finally:
        if fire:
            fire.end()
        server.stop()
        standby.stop()
    for line in wrong[:20]:
        print(line)
    if not os.environ.get('SHOW'):
        shutil.rmtree(folder, ignore_errors=True)
    print("%d mails, %d kills, %d stops, %d failovers in %.0f s" % (
        boards * (len(TURNS) + 1), fire.kills, fire.stops, len(FAILOVERS), time.monotonic() - began))
    print("%d passed, %d failed" % (boards + 4 - len(wrong), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
