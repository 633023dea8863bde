"""A run over many mails, in many transactions: killed at any moment, again and again, until a
run ends."""
import os
import random
import shutil
import signal
import subprocess
import time

from day import NOW, STAMP, compare
from many import Crowd
from runner import Broken

BOARDS = 220
BATCH = 70   # mails a transaction
RUNS = 60    # until one of them must come to its end


def start_of(runner, folder):
    """The crowd, with a mail for each board in the inbox of its start."""
    crowd = Crowd(runner, folder, BOARDS)
    for site in (crowd.start, crowd.reference):
        with open(site + "/pbm.conf") as f:
            conf = [line for line in f if not line.startswith("batch =")]
        with open(site + "/pbm.conf", "w") as f:
            f.writelines([*conf, "batch = %d\n" % BATCH])
        for i, data in enumerate(crowd.moves):
            crowd.put(site, "%d.%05d" % (STAMP + i, i), data)
    return crowd


def kill_until_done(runner, site, delays):
    """The number of runs that were killed."""
    for killed in range(RUNS):
        run = subprocess.Popen([runner.pbm, "-C", site, "--now", NOW, "-q", "tick"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            code = run.wait(delays.random() ** 2 * (killed + 1) / 4)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            run.wait()
            continue
        if code != 0:
            raise Broken("after %d kills: exit %d" % (killed, code))
        return killed
    raise Broken("no run came to its end")


def bulk(runner, folder, trials):
    """(runs killed, failures)"""
    crowd = start_of(runner, folder)
    started = time.monotonic()
    crowd.tick(crowd.reference, NOW)
    usual = time.monotonic() - started
    wanted = crowd.finish(runner, crowd.reference)
    sent = len(os.listdir(crowd.reference + "/sent/new"))
    if sent != 2 * BOARDS:
        raise Broken("%d answers to %d moves" % (sent, BOARDS))
    killed, failures = 0, []
    for seed in range(trials):
        site = "%s/trial-%d" % (folder, seed)
        shutil.copytree(crowd.start, site)
        delays = random.Random(seed)
        try:
            killed += kill_until_done(runner, site, delays)
            compare(crowd.finish(runner, site), wanted)
        except Broken as why:
            failures.append(("trial %d:" % seed, str(why)))
        shutil.rmtree(site)
    print("    %d kills; a run that nobody kills takes %.2f s" % (killed, usual), flush=True)
    return killed, failures
