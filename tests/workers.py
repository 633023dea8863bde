#!/usr/bin/env python3
"""Two workers share a store on PostgreSQL.  Each mail comes to both; runs go on at the same time, and
in some rounds one of them is killed.  The games and the answers must be those of one undisturbed site on
SQLite.

    tests/postgres.sh tests/workers.py build/pbm

Ends with "N passed, M failed"."""
import base64
import collections
import email.parser
import email.policy
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "util"))
import s3  # pylint: disable=wrong-import-position

BOARDS = 8
TURNS = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6".split()
KILLED = 2      # each so many-th round a worker is killed
MAIL = ("From: %(who)s@example.org\nTo: pbm@pbm.example.org\nSubject: chess move %(board)d %(who)s %(who)s-pw %(turn)s\n"
        "Message-ID: <%(board)d.%(ply)d@client.example>\nDate: Tue, 1 Dec 2026 09:59:00 +0000\n\n\n")


class Site:
    def __init__(self, pbm, folder):
        self.pbm, self.folder = pbm, folder

    def start(self, *words, **more):
        return subprocess.Popen([self.pbm, "-C", self.folder] + list(words), stderr=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True, **more)

    def run(self, *words, text=None):
        p = self.start(*words, stdin=subprocess.PIPE)
        out, err = p.communicate(text)
        if p.returncode:
            raise AssertionError("pbm %s: %d: %s%s" % (" ".join(words), p.returncode, out, err))
        return out

    def make(self, *words):
        subprocess.run([self.pbm, "init", self.folder, "--host", "pbm.example.org"] + list(words), check=True,
                       capture_output=True)
        for who in "alice", "bob", "carol":
            self.run("user", "add", who, who + "@example.org", "--password-stdin", text=who + "-pw\n")
        self.run("user", "role", "carol", "moderator", "she", "helps")
        self.run("talk", "carol", text="chess challenge alice bob -unrated\n" * BOARDS)
        for path in glob.glob(self.folder + "/sent/new/*"):
            os.unlink(path)

    def conf(self, line):
        with open(self.folder + "/pbm.conf", "a", encoding="utf-8") as f:
            f.write(line + "\n")

    def publish_to(self, server):
        """The archive goes into the bucket."""
        with open(self.folder + "/key", "w", encoding="ascii") as f:
            f.write(s3.SECRET + "\n")
        os.chmod(self.folder + "/key", 0o600)
        with open(self.folder + "/pbm.conf", encoding="utf-8") as f:
            lines = [line for line in f if not line.startswith("archive-dir")]
        with open(self.folder + "/pbm.conf", "w", encoding="utf-8") as f:
            f.writelines(lines)
        self.conf("archive-dir = http://%s@127.0.0.1:%d/%s/web" % (s3.KEY, server.port, s3.BUCKET))
        self.conf("archive-region = %s\narchive-password = file:key" % s3.REGION)

    def feed(self, mails):
        for name, text in mails:
            with open("%s/inbox/new/%s" % (self.folder, name), "w", encoding="utf-8") as f:
                f.write(text)

    def left(self):
        return len(glob.glob(self.folder + "/inbox/new/*"))

    def answers(self):
        """{Message-ID: recipient and Subject}: a mail that went out twice counts once."""
        found = {}
        for path in glob.glob(self.folder + "/sent/new/*"):
            with open(path, "rb") as f:
                m = email.parser.BytesHeaderParser(policy=email.policy.default).parse(f)
            found[m["Message-ID"], m["Delivered-To"]] = m["Delivered-To"], m["Subject"]
        return found


def mails_of(ply):
    who = ("alice", "bob")[ply % 2]
    return [("%03d.%d" % (ply, b), MAIL % {"who": who, "board": b, "turn": TURNS[ply], "ply": ply})
            for b in range(1, BOARDS + 1)]


def play_round(workers, ply, lot):
    """Both take the same mails, in another order each; perhaps one is killed.  Then runs until none is left."""
    mails = mails_of(ply)
    for w in workers:
        lot.shuffle(mails)
        w.feed([("%02d.%s" % (i, name), text) for i, (name, text) in enumerate(mails)])
    runs = [w.start("-q", "tick") for w in workers]
    if ply % KILLED:
        time.sleep(lot.random() / 4)
        lot.choice(runs).send_signal(signal.SIGKILL)
    for r in runs:
        r.communicate()
    for w in workers:
        while w.left():
            w.run("-q", "tick")


def ask(url, sql):
    p = subprocess.run(["psql", "-At", url, "-c", sql], capture_output=True, text=True, check=False)
    if p.returncode:
        raise AssertionError("psql %s: %s" % (sql, p.stderr))
    return p.stdout


def documents(url):
    rows = ask(url, "SELECT path || ' ' || translate(encode(bytes, 'base64'), E'\\n', '') FROM documents"
                    " WHERE path LIKE 'games/%'")
    return {r.split()[0]: json.loads(base64.b64decode(r.split()[1])) for r in rows.splitlines()}


def turns_of(game):
    return game["state"], game["ply"], [(e["seat"], e["san"]) for e in game["events"] if e["kind"] == "move"]


def compare_games(calm, found, wrong):
    """Those of the undisturbed site, and the documents of a server."""
    for path in sorted(glob.glob(calm.folder + "/games/*/*.json")):
        with open(path, encoding="utf-8") as f:
            wanted = json.load(f)
        name = os.path.relpath(path, calm.folder)
        if turns_of(found[name]) != turns_of(wanted) or wanted["ply"] != len(TURNS):
            wrong.append("%s: %s, not %s" % (name, turns_of(found[name]), turns_of(wanted)))


def pages(folder):
    found = {}
    for path in glob.glob(folder + "/**", recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as f:
                found[os.path.relpath(path, folder)] = f.read()
    return found


def holding(url, lock):
    """A process that has the lock; communicate() ends it."""
    holder = subprocess.Popen(["psql", "-At", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    holder.stdin.write(lock + ";\nSELECT 'held';\n")
    holder.stdin.flush()
    while holder.stdout.readline() != "held\n":
        pass
    return holder


def publishes_alone(url, one):
    """While another process has the role, a run writes no page of a game that has ended."""
    holder = holding(url, "SELECT pg_advisory_lock(1885498674, hashtext('workers publish'))")
    one.feed([("end.0", MAIL.replace("move", "resign").replace("%(turn)s", "") % {"who": "bob", "board": 2, "ply": 900})])
    one.run("-q", "tick")
    early = os.path.exists(one.folder + "/pages/games/000/2.html")
    holder.communicate()
    one.run("-q", "tick")
    late = os.path.exists(one.folder + "/pages/games/000/2.html")
    return [] if late and not early else ["one publisher: written %s, then %s" % (early, late)]


def newer_and_older(url, one):
    """Tables of a later version are worked with when they say so; a step that an older program would
    stumble over waits for its end."""
    own, least = ask(url, "SELECT obj_description('documents'::regclass)").split()
    stamp = "COMMENT ON TABLE documents IS '%d %d'"
    hold = "SELECT pg_advisory_lock_shared(1885498675, hashtext('workers ' || %d))"
    wrong = []
    for version, oldest, older, sentence in (
            (int(own) + 1, int(own), False, ""),
            (int(own) + 1, int(own) + 1, False, "this program knows versions up to " + own),
            (int(least) - 1, int(least) - 1, True, "an older pbm is at work")):
        ask(url, stamp % (version, oldest))
        holder = holding(url, hold % version) if older else None
        run = one.start("tick")
        said = run.communicate()[1]
        if (run.returncode != 0) != (sentence != "") or sentence not in said:
            wrong.append("tables %d %d: %d %s" % (version, oldest, run.returncode, said))
        if holder:
            holder.communicate()
    ask(url, stamp % (int(own), int(least)))
    return wrong


def other_pages(site, pages_now):
    """Names of pages that a rebuild writes otherwise."""
    written = pages_now()
    site.run("archive", "--rebuild")
    again = pages_now()
    return [name for name in sorted(set(written) | set(again)) if written.get(name) != again.get(name)]


def archive_of(one, other):
    """Games end on both at the same time.  The pages in the folder that they share are those of a rebuild."""
    for round_, who in enumerate(("alice", "bob")):
        mails = [("end.%d" % b, MAIL.replace("move %(board)d", "resign %(board)d").replace("%(turn)s", "")
                  % {"who": who, "board": b, "ply": 900}) for b in range(1 + round_, BOARDS + 1, 2) if b != 2]
        one.feed(mails[::2])
        other.feed(mails[1::2])
        for run in [w.start("-q", "tick") for w in (one, other)]:
            run.communicate()
    for w in one, other, one:
        w.run("-q", "tick")
    def written():
        return pages(one.folder + "/pages")
    bad = other_pages(one, written)
    missing = [b for b in range(1, BOARDS + 1) if "games/000/%d.html" % b not in written()]
    return ["the shared archive: %s" % (bad + missing)] if bad or missing else []


class Held:
    """The bucket's server keeps the first writing of this page, and takes it at the very last."""

    def __init__(self, page):
        self.page, self.held, self.go_on = page, threading.Event(), threading.Event()

    def __call__(self, handler, method, key):
        if method != "PUT" or not key.endswith(self.page) or self.held.is_set():
            return False
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        self.held.set()
        self.go_on.wait(25)
        handler.server.bucket.files[key] = body
        handler.send(200)
        return True


def late_writer(url, one, other):
    """A machine is cut off from the server while it writes a page.  The other one takes over and writes a newer
    page; then the old one arrives.  The next runs put that right."""
    server = s3.Server()
    bucket = server.bucket
    for w in one, other:
        w.publish_to(server)
    first, second = BOARDS + 1, BOARDS + 2
    one.run("talk", "carol", text="chess challenge alice bob -unrated\n" * 2)
    for who, turn in ("alice", "e4"), ("bob", "e5"):
        one.run("talk", who, text="".join("chess move %d %s\n" % (b, turn) for b in (first, second)))
    one.run("archive")
    fault = Held("games/000/%d.html" % first)
    bucket.faults.append(fault)
    run = one.start("talk", "alice", stdin=subprocess.PIPE)
    run.stdin.write("chess resign %d\n" % first)
    run.stdin.close()
    run.stdin = None
    if not fault.held.wait(60):
        return ["a late writer: nothing was written: " + run.communicate()[1]]
    ask(url, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1885498674")
    other.run("talk", "alice", text="chess resign %d\n" % second)
    other.run("-q", "tick")
    waiting = ask(url, "SELECT * FROM work")
    newer = bucket.pages()["games/000/%d.html" % first]
    fault.go_on.set()
    said = run.communicate()[1]
    late = bucket.pages()["games/000/%d.html" % first]
    for w in one, other:
        w.run("-q", "tick")
    bad = other_pages(one, bucket.pages)
    if late == newer or waiting:
        bad.append("nothing was late: %s%s" % (said, waiting))
    return ["a late writer: %s" % bad] if bad else []


def main():
    pbm = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="pbm-workers-")
    url = os.environ["PBM_TEST_STORE"] + "&options=-csearch_path%3Dworkers"
    lot = random.Random(1)
    calm, one = Site(pbm, folder + "/calm"), Site(pbm, folder + "/one")
    calm.make()
    one.make("--store", url)
    other = Site(pbm, folder + "/other")
    shutil.copytree(one.folder, other.folder)
    one.conf("worker = one")
    other.conf("worker = other")
    for w in one, other:
        w.conf("archive-dir = %s/pages" % one.folder)
    for ply in range(len(TURNS)):
        calm.feed(mails_of(ply))
        calm.run("-q", "tick")
        play_round([one, other], ply, lot)
    # What a killed worker had claimed goes out with its next run.
    for w in one, other:
        w.run("-q", "tick")
    wrong = []
    # A machine whose clock jumps distrusts that clock alone.
    other.run("--now", "2040-01-01T00:00:00Z", "-q", "tick")
    one.run("-q", "tick")
    doubts = ask(url, "SELECT key FROM meta WHERE key LIKE 'clock-doubt%' AND value > 0")
    if doubts != "clock-doubt-other\n":
        wrong.append("clocks in doubt: " + doubts)
    compare_games(calm, documents(url), wrong)
    here, there = one.answers(), other.answers()
    twice = set(here) & set(there)
    if twice or not here or not there:
        wrong.append("answers: %d of one, %d of the other, %d of both" % (len(here), len(there), len(twice)))
    sent = collections.Counter({**here, **there}.values())
    wanted = collections.Counter(calm.answers().values())
    if sent != wanted:
        wrong.append("answers: too many %s, too few %s" % (sent - wanted, wanted - sent))
    # A machine whose clock is wrong does nothing.  Its server has a clock of its own here.
    ask(url, "CREATE FUNCTION workers.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS"
             " $$ SELECT pg_catalog.clock_timestamp() + interval '10 s' $$")
    late = Site(pbm, folder + "/late")
    shutil.copytree(other.folder, late.folder)
    with open(late.folder + "/pbm.conf", encoding="utf-8") as f:
        text = f.read()
    with open(late.folder + "/pbm.conf", "w", encoding="utf-8") as f:
        f.write(text.replace("%3Dworkers", "%3Dworkers,pg_catalog"))
    late.feed(mails_of(len(TURNS) - 1))
    run = late.start("tick")
    said = run.communicate()[1]
    if run.returncode != 75 or " seconds behind that of the PostgreSQL server" not in said or late.left() != BOARDS:
        wrong.append("a wrong clock: %d %s" % (run.returncode, said))
    doctor = late.start("doctor", "--offline").communicate()[0]
    for sentence in "seconds behind the PostgreSQL server's", "on one server's disk alone":
        if sentence not in doctor:
            wrong.append("doctor: " + doctor)
    wrong += publishes_alone(url, one)
    wrong += newer_and_older(url, one)
    wrong += archive_of(one, other)
    wrong += late_writer(url, one, other)
    wrong += [one.run("fsck")] if "clean" not in one.run("fsck") else []
    for line in wrong:
        print(line)
    shutil.rmtree(folder)
    print("%d passed, %d failed" % (BOARDS + 13 - len(wrong), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
