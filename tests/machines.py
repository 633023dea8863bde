#!/usr/bin/env python3
"""What an operator sees of two machines that share a PostgreSQL server: their list, which settings differ, what
pbm doctor says there, how one that is gone is forgotten, and an init that is cut off.

    tests/postgres.sh tests/machines.py build/pbm

Ends with "N passed, M failed"."""
import json
import os
import shutil
import sys
import tempfile
import time

from inbox import Check
from workers import Site, ask

AGO = "UPDATE workers SET at = extract(epoch FROM now())::bigint - %d WHERE name = 'other'"
KILLS = 8
OF_FILES = "pbm.db", "quarantine/", "pbm tick", "folder of"
LISTED = "other: %s, last run "


def said_by(site, *words):
    run = site.start(*words)
    out, err = run.communicate()
    return run.returncode, out + err


def doctor(site):
    return said_by(site, "doctor", "--offline")[1]


def listed(one, url, check):
    for seconds, state in (5, "works"), (900, "silent"):
        ask(url, AGO % seconds)
        for words in ["machine", "list"], ["stats"]:
            said = one.run(*words)
            check("one: works, last run " in said and LISTED % state in said and " from its own folder" in said, said)
    rows = [json.loads(line) for line in one.run("machine", "list", "--json").splitlines()]
    check([(r["name"], r["state"]) for r in rows] == [("one", "works"), ("other", "silent")], rows)
    check(json.loads(one.run("stats", "--json"))["machines"] == rows, one.run("stats", "--json"))
    check('pbm_machine_last_timestamp_seconds{machine="other",version="%s"} %d' % (rows[1]["version"], rows[1]["last-time"])
          in one.run("stats", "--prometheus"), one.run("stats", "--prometheus"))


def differs(one, other, url, check):
    """The names of the settings, and not what they say."""
    ask(url, AGO % 5)
    check("ok    workers             The machines one, other agree" in doctor(one), doctor(one))
    other.conf("operator = hush@example.org\nbatch = 9876\nname = Hush\nsource-password = command:echo hush")
    other.run("-q", "tick")
    said = doctor(one)
    check("The machine other has other settings than this one: name, batch.  Make them" in said, said)
    check("hush" not in said.lower() and "9876" not in said, said)


def copied(one, other, folder, check):
    """A copy of a machine's folder with its name, and one with a secret of its own."""
    twin = Site(one.pbm, folder + "/twin")
    shutil.copytree(one.folder, twin.folder)
    first, again = said_by(twin, "tick")[1], said_by(twin, "tick")[1]
    check("another folder or host has worked under the name one just now" in first, first)
    check("another folder" not in again and "was on another host or in another folder" in doctor(one), again, doctor(one))
    check("another folder" in said_by(one, "tick")[1] and "another host" not in doctor(one), doctor(one))
    shutil.copy(other.folder + "/secret", folder + "/kept")
    code, said = said_by(other, "key", "new")
    said += said_by(other, "tick")[1]
    check(code == 0 and "the machine one has another file secret" in said, said)
    shutil.copy2(folder + "/kept", other.folder + "/secret")
    check("another file secret" not in said_by(other, "tick")[1], "the right secret")


def words_of_doctor(one, url, check):
    """No line is about files that a site on a server does not have, whatever its tables are."""
    own, least = (int(n) for n in ask(url, "SELECT obj_description('documents'::regclass)").split())
    for version, oldest, sentence in (
            (own, least, "ok    database            The PostgreSQL tables are of this version"),
            (own - 1, least, "warn  database            The PostgreSQL tables have version %d; the next run brings them" % (own - 1)),
            (own + 1, own, "warn  database            The PostgreSQL tables have version %d, and this program knows %d; it goes on" % (
                own + 1, own)),
            (own + 1, own + 1, "bad   database            The PostgreSQL tables have version %d" % (own + 1)),
            (own, least, "skip  quarantine          Mails that could not be read are rows of the server: see workers")):
        ask(url, "COMMENT ON TABLE documents IS '%d %d'" % (version, oldest))
        said = doctor(one)
        check(sentence in said, said)
        lines = [line for line in said.splitlines() if any(word in line for word in OF_FILES) and "Run pbm tick" not in line]
        check(not lines, lines)


def forgotten(one, url, check):
    ask(url, AGO % 500)
    code, said = said_by(one, "machine", "forget", "other")
    check(code == 73 and "the machine other is at work (last run " in said, code, said)
    code, said = said_by(one, "machine", "forget", "nobody")
    check(code == 66 and "there is no machine nobody; pbm machine list names them" in said, code, said)
    ask(url, AGO % 700)
    check("other has been silent for 11 minutes" in doctor(one) and "pbm machine forget other" in doctor(one), doctor(one))
    code, said = said_by(one, "machine", "forget", "other")
    check(code == 0 and "other" not in one.run("machine", "list") and "silent" not in doctor(one), code, said)
    left = ask(url, "SELECT key FROM meta WHERE key LIKE '%-other'")
    check(left == "", left)
    check("clock-read-one" in ask(url, "SELECT key FROM meta"), "the other machine's values")


def cut_off(pbm, folder, url, check):
    """pbm init is killed after growing times: started again it comes to its end, and the database has one site."""
    began, killed = time.monotonic(), 0
    run = Site(pbm, folder + "/whole").start("init", folder + "/whole", "--store", url.replace("machines", "whole"))
    run.communicate()
    seconds = time.monotonic() - began
    for i in range(KILLS):
        store = url.replace("machines", "cut%d" % i)
        site, second = Site(pbm, "%s/cut%d" % (folder, i)), Site(pbm, folder + "/second")
        run = site.start("init", site.folder, "--store", store)
        time.sleep(seconds * (i + 1) / KILLS)
        run.kill()
        run.communicate()
        begun = os.path.exists(site.folder + "/pbm.conf")
        killed += not begun
        code, said = said_by(site, "init", site.folder, "--store", store)
        check(code == (73 if begun else 0) and ("is a site already; pbm -C" in said) == begun, i, code, said)
        code, said = said_by(second, "init", second.folder, "--store", store)
        check(code == 73 and "the database has a site already: copy pbm.conf, secret" in said, i, code, said)
        site.run("-q", "tick")
        check(site.run("fsck") == "clean\n", i, site.run("fsck"))
    check(killed, "no kill came in time")


def main():
    folder, check = tempfile.mkdtemp(prefix="pbm-machines-"), Check()
    url = os.environ["PBM_TEST_STORE"] + "&options=-csearch_path%3Dmachines"
    one, other, alone = (Site(os.path.abspath(sys.argv[1]), folder + "/" + name) for name in ("one", "other", "alone"))
    one.make("--store", url)
    shutil.copytree(one.folder, other.folder)
    one.conf("worker = one")
    other.conf("worker = other")
    for site in one, other:
        site.run("-q", "tick")
    listed(one, url, check)
    differs(one, other, url, check)
    copied(one, other, folder, check)
    words_of_doctor(one, url, check)
    forgotten(one, url, check)
    other.run("-q", "tick")
    check(LISTED % "works" in one.run("machine", "list"), "it is back: " + one.run("machine", "list"))
    cut_off(one.pbm, folder, url, check)
    alone.run("init", alone.folder)
    check("one machine's" in alone.run("machine", "list"), alone.run("machine", "list"))
    shutil.rmtree(folder)
    print("%d passed, %d failed" % (check.passed, check.failed))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
