#!/usr/bin/env python3
"""What pbm says of two PostgreSQL servers: while both work, without the standby, without any server, and what
pbm init refuses there.

    tests/standby.py build/pbm

Ends with "N passed, M failed".  The servers listen on sockets in a temporary folder alone."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

from fire import pair_of_servers
from inbox import Check
from workers import Site, ask, mails_of

STANDBY_SETTING = "synchronous_standby_names"
WAITS = "bad   server              Commits wait for a standby, and none follows: nothing is answered until one does"


def doctor(site):
    return site.start("doctor", "--offline").communicate()[0]


def line_of(text, name):
    return "".join(line + "\n" for line in text.splitlines() if line.split()[1:2] == [name])


def fails(run, code, *sentences, text=None):
    said = "".join(run.communicate(text))
    return run.returncode == code and all(s in said for s in sentences), "%d, not %d: %s" % (run.returncode, code, said)


def main():
    folder, check = tempfile.mkdtemp(prefix="pbm-standby-"), Check()
    os.chmod(folder, 0o755)
    pbm = os.path.abspath(sys.argv[1])
    first, second = pair_of_servers(folder)
    try:
        look_at(pbm, folder, first, second, check)
    finally:
        second.stop()
        first.stop()
    shutil.rmtree(folder)
    print("%d passed, %d failed" % (check.passed, check.failed))
    return 1 if check.failed else 0


def log_line(run):
    """Besides the log, libpq writes what a server says that ends while a session begins there."""
    return next(line for line in iter(run.stderr.readline, "") if line.startswith("time="))


def service(site, first, check):
    """The log of pbm work has a line when it starts, one when no server answers, and one when one answers again."""
    run = site.start("work")
    lines = [log_line(run)]
    first.stop()
    lines.append(log_line(run))
    time.sleep(3)    # it tries again each second
    first.start()
    lines.append(log_line(run))
    run.terminate()
    lines += run.communicate()[1].splitlines()
    check(not any("PostgreSQL" in line or "failed" in line for line in lines[3:]) and " begins to work on the machine " in lines[0] and "; store postgresql://club@/club?host=" in lines[0]
          and " ms away" in lines[0] and "no PostgreSQL server can be used, so no mail is worked on: " in lines[1]
          and "the PostgreSQL server can be used again, after " in lines[2], lines)


def replayed(first):
    """The standby has all that was committed before."""
    ask(first.url() + "&options=-csynchronous_commit%3Dremote_apply", "COMMENT ON DATABASE club IS 'of the tests'")


def look_at(pbm, folder, first, second, check):
    ask(first.url(), "CREATE ROLE club LOGIN")
    ask(first.url(), "CREATE DATABASE club OWNER club")
    url = "postgresql://club@/club?host=%s,%s&target_session_attrs=read-write" % (first.folder, second.folder)
    replayed(first)
    young = Site(pbm, folder + "/young")
    run = young.start("init", young.folder, "--host", "pbm.example.org", "--store", url.replace(first.folder + ",", "").replace(
        "&target_session_attrs=read-write", ""))
    check(*fails(run, 75, "read-only transaction"))
    site, again = Site(pbm, folder + "/site"), Site(pbm, folder + "/again")
    site.make("--store", url)
    site.run("-q", "tick")
    said = doctor(site)
    replayed(first)
    for words in [], ["--host", "other.example.org"]:
        run = again.start("init", again.folder, "--store", url.partition("&")[0].replace(first.folder + ",", ""), *words)
        check(*fails(run, 73, "the database has a site already"))
    check("ok    server" in said and "Run pbm work on each machine, as a service" in line_of(said, "runs"), said)
    for words in [], ["--host", "other.example.org"]:
        run = again.start("init", again.folder, "--store", url, *words)
        check(*fails(run, 73, "the database has a site already: copy pbm.conf, secret and templates from its machine"))
    check(not os.path.exists(again.folder + "/secret"), "a second secret")

    ask(first.url(), "ALTER SYSTEM SET %s = ''" % STANDBY_SETTING)
    ask(first.url(), "SELECT pg_reload_conf()")
    check("on one server's disk alone" in doctor(site), doctor(site))
    service(site, first, check)
    first.wait_for(second)
    second.stop()
    said = doctor(site)
    check(WAITS in said, said)
    run = site.start("-q", "deliver", stdin=subprocess.PIPE)
    check(*fails(run, 75, "the PostgreSQL server does not confirm the mail; perhaps it waits for its standby",
                 text=mails_of(0)[0][1]))
    first.stop()
    check(*fails(site.start("tick"), 75, first.folder, second.folder))
    said = doctor(site)
    check("No PostgreSQL server can be used: PostgreSQL: connection to server" in line_of(said, "database") and
          first.folder in said and second.folder in said and "reindex" not in said, said)


if __name__ == "__main__":
    sys.exit(main())
