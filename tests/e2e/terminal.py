"""An operator at a terminal: pbm init, tick and config; and the archive's folder."""
import json
import os
import pty
import re
import subprocess

from mails import one_game
from ways import executable
from world import Person, Site


def at_terminal(command):
    """The command's output, as a person sees it."""
    ours, theirs = pty.openpty()
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:           # the other side is closed
            part = b""
        if not part:
            break
        seen += part
    os.close(ours)
    p.wait()
    return seen.decode().replace("\r\n", "\n")


def tick(t, s, alice, folder):
    t.equal(at_terminal(s.command(["tick"])), "0 mails taken, 0 mails sent.\n", "a run without work")
    t.equal(s.run("tick").stdout, "", "a run for cron says nothing on standard output")
    slow = executable(folder + "/slow", "#!/bin/sh\ncat >/dev/null\nsleep 0.6\n")
    s.conf(sink="sendmail:" + slow)
    for _ in range(2):
        alice.write("help", "")
    s.stack.settle()
    seen = at_terminal(s.command(["tick"]))
    t.check(re.search(r"\r2 mails taken, [12] sent … ", seen), "progress of a run that lasts: %r" % seen)
    t.check(seen.endswith("2 mails taken, 2 mails sent.\n"), "what a run did: %r" % seen)


def config(t, s):
    rows = {r["name"]: r for r in map(json.loads, s.run("config", "--json").stdout.splitlines())}
    t.equal((rows["host"]["value"], rows["batch"]["value"]), ("localhost", "256"), "values")
    t.check("line" in rows["host"] and "line" not in rows["batch"], "where they come from")
    t.equal(rows["source-password"]["value"], "(set)", "a secret")
    s.conf(sink_token="command:echo hunter2", sink_password="", store="postgresql://pbm:hunter2@db/pbm")
    text = s.run("config").stdout
    t.check("hunter2" not in text and "sink-token = (set)" in text, "no secret is shown")
    t.check("store = postgresql://pbm:...@db/pbm " in text, "a URL without its password")
    s.conf(store="postgresql://pbm@db/pbm?sslpassword=hunter2&sslmode=require")
    t.check("?sslpassword=...&sslmode=require " in s.run("config", "store").stdout, "a password as an option of the URL")
    s.conf(store="sqlite:")
    t.equal(len(text.splitlines()), len(rows), "a line for each setting")
    t.check(re.fullmatch(r"timeout = \d+ +# pbm.conf line \d+\n", s.run("config", "Timeout").stdout), "one setting")


def archive_dir(t, stack, pbm, folder):
    """The site is its owner's alone, and a web server reads the archive."""
    people = alice, bob = Person(stack, "alice"), Person(stack, "bob")
    old = os.umask(0o077)
    try:
        s = Site(stack, pbm, folder + "/apart", archive_dir=folder + "/web/games/")
        os.chmod(folder, 0o755)
        os.mkdir(folder + "/web")
        os.chmod(folder + "/web", 0o755)
        alice.reply(one_game(s, alice), "e3")
        s.tick()
        bob.reply(bob.get("your move"), "resign")
        s.tick()
    finally:
        os.umask(old)
        for who in people:
            who.close()
    t.equal(os.stat(s.dir).st_mode & 0o777, 0o700, "the site's folder")
    for root, folders, files in os.walk(folder + "/web"):
        for name in folders + files:
            path = os.path.join(root, name)
            wanted = 0o755 if name in folders else 0o644
            t.equal(os.stat(path).st_mode & 0o777, wanted, path)
    t.check(os.path.exists(folder + "/web/games/games/000/1.html"), "the game's page")
    t.check(not os.path.exists(s.dir + "/archive/games"), "nothing in the site's own folder")
    return s


def init(t, pbm, folder):
    r = subprocess.run([pbm, "init", folder + "/new"], capture_output=True, text=True)
    subprocess.run([pbm, "init", folder + "/new2", "--archive-dir", folder + "/new2-web"], check=True, capture_output=True)
    t.check("archive-dir = %s/new2-web\n" % folder in open(folder + "/new2/pbm.conf").read(), "init with an archive elsewhere")
    t.check(os.path.exists(folder + "/new2-web/index.html"), "its front page")
    t.check("Only you can enter" in r.stdout and "archive-dir = " in r.stdout, "init says where the archive is")
    if os.getuid() == 0:
        r = subprocess.run([pbm, "init", "/nobody-may"], capture_output=True, text=True, user=65534)
        t.check(r.returncode and "sudo install -d -m 700" in r.stderr, "init says who makes the folder: " + r.stderr)


def terminal(t, stack, pbm, folder):
    folder += "/terminal"
    os.mkdir(folder)
    alice = Person(stack, "alice")
    s = Site(stack, pbm, folder + "/site")
    s.user("alice")
    tick(t, s, alice, folder)
    config(t, s)
    alice.close()
    stack.clean()
    archive_dir(t, stack, pbm, folder)
    init(t, pbm, folder)
