"""Many at once: an MTA that delivers 100 or 200 mails in parallel and tries again what it
is told to, runs of cron between them, and readers all the while."""
import email
import email.policy
import glob
import os
import random
import shutil
import subprocess
import threading
import time

from day import DELIVERED, NOW, STAMP, Day, compare, rows
from runner import Broken

TRY_AGAIN = 75
PATIENCE = 3600
STARTS, HOUR = 10, 3600


class Crowd(Day):
    """A site with so many boards on which alice is to move, and a move for each."""

    def __init__(self, runner, folder, boards):
        self.runner, self.folder, self.boards = runner, folder, boards
        self.serial, self.queue = 0, []
        self.found()
        # A moderator starts at most ten games an hour for a pair.
        for at in range(0, boards, STARTS):
            self.start_games(min(STARTS, boards - at), HOUR * (boards - at) // STARTS)
        self.moves = [self.mail("alice", "e4", to=address) for address in self.addresses()]
        self.start, self.reference = folder + "/start", folder + "/reference"
        shutil.copytree(self.scratch, self.start)
        for path in glob.glob(self.start + "/sent/new/*"):
            os.unlink(path)
        shutil.copytree(self.start, self.reference)

    def start_games(self, n, before):
        """n games, each by a mail of its own, so many seconds before the others' beginning."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(STAMP - before))
        subprocess.run([self.runner.pbm, "-C", self.scratch, "--now", now, "-q", "talk", "carol"],
                       input=b"chess challenge alice bob -unrated\n" * n, stdout=subprocess.DEVNULL, check=True)

    def addresses(self):
        """The reply address of alice for each board."""
        found = {}
        for path in glob.glob(self.scratch + "/sent/new/*"):
            with open(path, "rb") as f:
                m = email.message_from_binary_file(f, policy=email.policy.default)
            subject = str(m["Subject"])
            if m["Delivered-To"] == "alice@example.org" and "#" in subject:
                found[subject.split("#")[1].split()[0]] = m["Reply-To"]
        if len(found) != self.boards:
            raise Broken("%d boards instead of %d" % (len(found), self.boards))
        return list(found.values())


class Mta(threading.Thread):
    """Delivers one mail, as often as it takes."""

    def __init__(self, crowd, site, data, gate):
        super().__init__()
        self.crowd, self.site, self.data, self.gate = crowd, site, data, gate
        self.tries, self.why = 0, None

    def run(self):
        self.gate.wait()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            self.tries += 1
            done = subprocess.run([self.crowd.runner.pbm, "-C", self.site, "--now", NOW, "-q", "deliver"],
                                  input=self.data, capture_output=True)
            if done.returncode in DELIVERED:
                return
            if done.returncode != TRY_AGAIN:
                self.why = "deliver: exit %d: %s" % (done.returncode, done.stderr.decode())
                return
            time.sleep(random.random())
        self.why = "a mail was not taken in %d tries" % self.tries


class Bystander(threading.Thread):
    """Runs a command over and over; it must always end with 0, or say that others have
    been writing all the time that it waits, which a slow machine makes long."""

    def __init__(self, crowd, site, words):
        super().__init__()
        self.command = [crowd.runner.pbm, "-C", site, "--now", NOW, "-q", *words]
        self.over, self.runs, self.why = threading.Event(), 0, None

    def run(self):
        while not self.over.is_set() and not self.why:
            done = subprocess.run(self.command, capture_output=True)
            self.runs += 1
            if done.returncode == TRY_AGAIN and b"another process is writing" in done.stderr:
                continue
            if done.returncode != 0:
                self.why = "%s: exit %d: %s" % (self.command[-2:], done.returncode, done.stderr.decode())
            time.sleep(0.02)


def many(runner, folder, number):
    """(tries of the MTA, runs beside it)"""
    crowd = Crowd(runner, folder, number)
    for i, data in enumerate(crowd.moves):
        crowd.put(crowd.reference, "%05d" % i, data, STAMP + 600)  # at NOW, as through the pipe
    crowd.tick(crowd.reference, NOW)
    wanted = crowd.finish(runner, crowd.reference)
    wanted["files"] = {k: v for k, v in wanted["files"].items() if not k.startswith("inbox/.P")}
    if sum(b'"ply": 1,' in v for k, v in wanted["files"].items() if k.startswith("games/")) != number:
        raise Broken("the moves of the crowd were not played")
    gate = threading.Event()
    senders = [Mta(crowd, crowd.start, data, gate) for data in crowd.moves]
    beside = [Bystander(crowd, crowd.start, words) for words in (
        ["tick"], ["tick"], ["pgn", "1"], ["pgn", str(number)], ["outbox"])]
    for thread in senders + beside:
        thread.start()
    gate.set()
    for thread in senders:
        thread.join()
    for thread in beside:
        thread.over.set()
        thread.join()
    failed = [t.why for t in senders + beside if t.why]
    if failed:
        raise Broken("%d of the crowd failed, the first: %s" % (len(failed), failed[0]))
    if rows(crowd.start, "SELECT 1 FROM outbox"):
        raise Broken("the outbox is not empty after the last delivery")
    end = crowd.finish(runner, crowd.start)
    end["files"] = {k: v for k, v in end["files"].items() if not k.startswith("inbox/.P")}
    compare(end, wanted)
    return sum(t.tries for t in senders), sum(t.runs for t in beside)
