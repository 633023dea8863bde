#!/usr/bin/env python3
"""Moves a site from SQLite to PostgreSQL and back.  Each way is cut off by kill -9 again and again before it
comes to its end.  Documents must be the same bytes, mails that wait and acts the same rows, and the games
must go on.  A backup of the server is taken while it works, and restored.

    tests/postgres.sh tests/migrate.py build/pbm

Ends with "N passed, M failed"."""
import glob
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from workers import Site, TURNS, ask, mails_of

PLAYERS = 80
KILLS = 12
DOCUMENTS = "games players tournaments acts".split()
UNUSED = "UNUSED"    # stands on a server until the site has written there
LAST_RUN = "UPDATE workers SET at = extract(epoch FROM now())::bigint - %d WHERE name = 'other'"
NOWHERE = "sink = smtp://127.0.0.1:1"    # nobody listens: all mails wait


def files_of(folder):
    found = {}
    for part in DOCUMENTS:
        for path in glob.glob("%s/%s/**" % (folder, part), recursive=True):
            if os.path.isfile(path):
                with open(path, "rb") as f:
                    found[os.path.relpath(path, folder)] = f.read()
    return found


def rows_of(url, but="-"):
    rows = ask(url, "SELECT path || ' ' || encode(bytes, 'hex') FROM documents ORDER BY path, at")
    found = {}
    for row in rows.splitlines():
        path, _, text = row.partition(" ")
        found[path] = found.get(path, b"") + bytes.fromhex(text)
    found.pop(but, None)
    return found


def rest_of(site):
    return site.run("outbox", "--json"), site.run("acts", "--json"), site.run("audit", "--json")


def set_line(site, old, new):
    path = site.folder + "/pbm.conf"
    with open(path, encoding="utf-8") as f:
        text = f.read()
    assert old in text, old
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(old, new))


def store_of(site):
    return site.run("config", "store").split("#")[0].strip().partition(" = ")[2]


def migrate(site, url, seconds, wrong):
    """Is killed after growing parts of that time, then runs to its end.  After a kill the site is whole."""
    before, killed = store_of(site), 0
    for i in range(KILLS):
        run = site.start("migrate", url)
        time.sleep(seconds * (i / KILLS) ** 2)    # many early ones: it may be quicker than the trial was
        run.send_signal(signal.SIGKILL)
        run.communicate()
        if store_of(site) == url:
            break
        killed += 1
        if i % 4 == 0 and site.run("fsck") != "clean\n":
            wrong.append("after kill %d the old store was not clean" % i)
    if store_of(site) == before:
        site.run("migrate", url)
    if site.run("fsck") != "clean\n":
        wrong.append("%s: not clean" % url)
    return killed


def compare(what, found, wanted, wrong):
    if found != wanted:
        wrong.append("%s: %d, not %d; differ: %s" % (what, len(found), len(wanted), sorted(
            k for k in {**found, **wanted} if found.get(k) != wanted.get(k))[:5]))


def refused(site, words, says, wrong):
    run = site.start(*words)
    out, err = run.communicate()
    if not run.returncode or says not in err:
        wrong.append("%s: %d %s%s" % (" ".join(words), run.returncode, out, err))


def back_up(site, folder, wanted, wrong):
    """While the next mails are read."""
    site.feed(mails_of(2))
    run = site.start("-q", "tick")
    site.run("backup", folder + "/b.tar.gz")
    run.communicate()
    again = Site(site.pbm, folder + "/again")
    again.run("restore", folder + "/b.tar.gz", again.folder)
    if store_of(again) != "sqlite:" or again.run("fsck") != "clean\n":
        wrong.append("the restored site is not clean, or has another store: " + store_of(again))
    found = files_of(again.folder)
    changed = {k for k in wanted if found.get(k) != wanted[k]}
    if set(found) != set(wanted) or any(not k.startswith(("games/", "players/")) for k in changed):
        wrong.append("restored: %s" % sorted(set(found) ^ set(wanted) | changed)[:5])


def young_site(pbm, folder, url, wrong):
    """Nothing was played yet, and one mail waits: the next mail gets the next number."""
    site = Site(pbm, folder + "/young")
    site.run("init", site.folder, "--host", "pbm.example.org")
    set_line(site, "#sink = maildir:sent", NOWHERE)
    for mail in mails_of(0)[:1] + mails_of(1)[:1]:
        site.feed([mail])
        site.start("-q", "tick").communicate()
        if store_of(site) != url:
            site.run("migrate", url)
    if site.run("outbox", "--json").count("\n") != 2:
        wrong.append("the young site: " + site.run("outbox", "--json"))


def second_machine(site, folder, url):
    other = Site(site.pbm, folder + "/other")
    shutil.copytree(site.folder, other.folder)
    other.conf("worker = other")
    other.run("-q", "tick")
    ask(url, LAST_RUN % 200)
    return other


def goes_on(site, url, wrong):
    """A move that was cut off between its mark and the change of pbm.conf: only it itself goes on."""
    ask(url, "INSERT INTO meta VALUES('moved-%s to sqlite:', 1)" % socket.gethostname())
    refused(site, ["tick"], "if pbm migrate was cut off here, start it again (pbm migrate sqlite:)", wrong)


def stays_behind(other, wrong):
    """Another machine does nothing more in the store that was left; its mails wait."""
    other.feed(mails_of(3)[:1])
    for words in ["-q", "tick"], ["-q", "work"], ["user", "add", "late", "late@example.org"]:
        run = other.start(*words)
        said = run.stderr.readline()    # a service goes on
        if "work" in words:
            run.terminate()
        said += run.communicate()[1]
        if "the site has moved to another store (pbm migrate on the machine %s): stop pbm here: the site's files are on" \
                " that machine alone" % socket.gethostname() not in said or (run.returncode != 75 and "work" not in words):
            wrong.append("after the move %s: %d %s" % (" ".join(words), run.returncode, said))
    said = other.start("doctor", "--offline").communicate()[0].splitlines()
    if not said[0].startswith("bad   database            The site has moved to files of a machine (pbm migrate on the machine %s)."
                              "  Stop pbm here" % socket.gethostname()) or said[-1] != "1 to do: database" or any(
            "Not looked at, because the site has moved." not in line for line in said[1:-2]):
        wrong.append("doctor after the move: " + "\n".join(said))
    run = other.start("-q", "deliver", stdin=subprocess.PIPE)
    said = run.communicate(mails_of(3)[1][1])[1]
    if run.returncode != 75 or "the site has moved" not in said or other.left() != 1:
        wrong.append("after the move deliver: %d %s, %d mails" % (run.returncode, said, other.left()))


def main():
    folder = tempfile.mkdtemp(prefix="pbm-migrate-")
    site = Site(os.path.abspath(sys.argv[1]), folder + "/site")
    url = os.environ["PBM_TEST_STORE"] + "&options=-csearch_path%3Dmigrated"
    site.make()
    for i in range(PLAYERS):
        site.run("user", "add", "player%d" % i, "p%d@example.org" % i)
    set_line(site, "#sink = maildir:sent", NOWHERE)
    site.feed(mails_of(0))
    site.start("-q", "tick").communicate()
    wanted, rest, wrong = files_of(site.folder), rest_of(site), []
    if rest[0].count("\n") < 16 or len(wanted) < PLAYERS:
        wrong.append("there is too little to move: %d documents, %d mails" % (len(wanted), rest[0].count("\n")))

    refused(site, ["migrate", "sqlite:"], "is there already", wrong)
    refused(site, ["migrate", "mysql:x"], "store must be", wrong)
    refused(site, ["migrate", "postgresql:///x?host=/nowhere"], "/nowhere", wrong)
    trial = Site(site.pbm, folder + "/trial")
    shutil.copytree(site.folder, trial.folder)
    began = time.time()
    trial.run("migrate", url.replace("migrated", "trial"))
    seconds = time.time() - began
    # As if the run had been killed between its commit and the change of pbm.conf; then the site works there.
    set_line(trial, "store = " + url.replace("migrated", "trial"), "store = sqlite:")
    trial.run("user", "add", "latecomer", "latecomer@example.org")
    trial.run("migrate", url.replace("migrated", "trial"))
    compare("rows of the second try", rows_of(url.replace("migrated", "trial"), UNUSED), files_of(trial.folder), wrong)
    trial.run("user", "add", "newcomer", "newcomer@example.org")
    refused(site, ["migrate", url.replace("migrated", "trial")], "must be empty", wrong)

    set_line(trial, "store = " + url.replace("migrated", "trial"), "store = sqlite:")
    with open(glob.glob(trial.folder + "/games/*/*.json")[0], "r+", encoding="utf-8") as f:
        f.write(" ")
    refused(trial, ["migrate", url.replace("migrated", "damaged")], "games/", wrong)

    young_site(site.pbm, folder, url.replace("migrated", "young"), wrong)
    killed = migrate(site, url, seconds, wrong)
    compare("rows", rows_of(url, UNUSED), wanted, wrong)
    compare("old files", files_of(site.folder), wanted, wrong)
    if rest_of(site) != rest:
        wrong.append("mails that wait, acts or audit differ on PostgreSQL")
    set_line(site, NOWHERE, "sink = maildir:sent")
    site.feed(mails_of(1))
    site.run("-q", "tick")
    wanted = rows_of(url)
    back_up(site, folder, wanted, wrong)

    other = second_machine(site, folder, url)
    wanted, rest = rows_of(url), rest_of(site)
    refused(site, ["migrate", "sqlite:"], "out of the site's folder", wrong)
    os.mkdir(folder + "/old")
    for path in DOCUMENTS + ["pbm.db"]:
        shutil.move("%s/%s" % (site.folder, path), folder + "/old")
    for path in "pbm.db-wal", "pbm.db-shm":    # SQLite would replay the old log into the new file
        with open(site.folder + "/" + path, "ab"):
            pass
        refused(site, ["migrate", "sqlite:"], path + " is there already", wrong)
        shutil.move("%s/%s" % (site.folder, path), folder + "/old")
    ask(url, LAST_RUN % 20)
    refused(site, ["migrate", "sqlite:"], "the machine other is at work (last run ", wrong)
    ask(url, LAST_RUN % 200)
    goes_on(site, url, wrong)
    killed += migrate(site, "sqlite:", seconds, wrong)
    stays_behind(other, wrong)
    compare("files", files_of(site.folder), wanted, wrong)
    if rest_of(site) != rest:
        wrong.append("mails that wait, acts or audit differ on SQLite")
    site.feed(mails_of(3))
    site.run("-q", "tick")
    if site.run("pgn", "1").count(TURNS[3]) != 1:
        wrong.append("the game did not go on: " + site.run("pgn", "1"))
    if killed < KILLS / 2:
        wrong.append("only %d kills came in time" % killed)
    for line in wrong:
        print(line)
    shutil.rmtree(folder)
    print("%d passed, %d failed" % (30 + killed - len(wrong), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
