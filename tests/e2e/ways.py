"""Each way in and out of a site: one turn through it, and nothing is left."""
import contextlib
import fcntl
import imaplib
import os
import shutil
import sqlite3
import subprocess
import time

from mails import one_game
from world import Person, Site, wait_for

PLAIN = "IMAP4rev1 SASL-IR LITERAL+ NAMESPACE"
WAYS = [        # source, sink, what Dovecot is told, the folder of processed mails
    ("imap", "smtp", {}, "Processed"),
    ("pop3s", "sendmail", {}, None),
    ("pop3", "smtps", {}, None),
    ("imaps", "smtps", {"CAPS": PLAIN + " UIDPLUS"}, "Processed"),
    ("imaps", "sendmail", {"CAPS": PLAIN, "SEPARATOR": ".", "PREFIX": "INBOX."}, "INBOX.Processed"),
]


def executable(path, text):
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, 0o755)
    return path


def one_way(t, stack, site, source, sink, folder):
    what = "%s to %s: " % (source, sink)
    people = alice, bob = Person(stack, "alice"), Person(stack, "bob")
    alice.reply(one_game(site, alice), "e3")
    site.tick()
    bob.reply(bob.get("your move"), "e6\n\nYour turn.")
    site.tick()
    t.check(alice.get("your move (1... e6)"), what + "both have moved")
    site.tick()
    t.equal((len(alice.look()), len(bob.look())), (3, 3), what + "mails to each")
    t.equal(len(stack.fetch("game")), 0, what + "mails left in the inbox")
    if folder:
        t.equal(len(stack.fetch("game", folder)), 2, what + "mails in " + folder)
    for who in people:
        who.close()


def ways(t, stack, pbm, folder):
    local = executable(folder + "/sendmail", "#!/bin/sh\nexec /usr/sbin/exim4 -C %s/exim/exim.conf \"$@\"\n" % stack.dir)
    for n, (source, sink, env, processed) in enumerate(WAYS):
        stack.stop("dovecot")
        stack.clean()
        stack.start("dovecot", **env)
        site = Site(stack, pbm, "%s/way%d" % (folder, n), source="%s://game@localhost:%d" % (source, stack.port(source)),
                    sink="sendmail:" + local if sink == "sendmail" else "%s://game@localhost:%d" % (sink, stack.port(sink)))
        one_way(t, stack, site, source, sink, processed)
    stack.stop("dovecot")
    stack.clean()
    stack.start("dovecot")


def put(stack, folder, subject, days, flags=""):
    """A mail of so many days ago, straight into a folder of pbm's mailbox."""
    mail = "From: alice@localhost\r\nTo: game@localhost\r\nSubject: %s\r\nMessage-ID: <%s.%d@localhost>\r\n\r\n" % (subject, subject, days)
    with imaplib.IMAP4_SSL("localhost", stack.port("imaps"), ssl_context=stack.context) as c:
        c.login("game", "gamepw")
        c.append(folder, flags, imaplib.Time2Internaldate(time.time() - days * 86400), (mail if subject else "\0" * 80).encode())


def subjects(stack, folder):
    return sorted(str(m["Message-ID"])[1:].split("@")[0] for m in stack.fetch("game", folder))


def kept(t, stack, pbm, folder):
    """Filed mails on an IMAP server are deleted in time; those of others, never."""
    for n, (source, _, env, processed) in enumerate(w for w in WAYS if w[3]):
        stack.stop("dovecot")
        stack.clean()
        stack.start("dovecot", **env)
        what = "%s, %s: " % (source, env.get("CAPS", "all capabilities"))
        site = Site(stack, pbm, "%s/kept%d" % (folder, n), source="%s://game@localhost:%d" % (source, stack.port(source)), retention="30")
        site.user("alice")
        aside = processed.replace("Processed", "Quarantine")
        for days in 60, 20, 0:
            put(stack, "INBOX", "help", days)
        put(stack, "INBOX", "", 100)
        put(stack, "INBOX", "", 20)
        site.tick()
        t.equal(subjects(stack, processed), ["help.0", "help.20"], what + "older than retention")
        t.equal(len(stack.fetch("game", aside)), 1, what + "older than quarantine-days")
        put(stack, processed, "mine", 60)
        uidplus = "UIDPLUS" in env.get("CAPS", "UIDPLUS")
        if uidplus:          # else nothing is expunged beside it
            put(stack, processed, "another", 60, r"(\Deleted)")
        site.conf(retention="10", quarantine_days="10")
        site.tick()
        t.equal(len(subjects(stack, processed)), 4 if uidplus else 3, what + "once a day")
        with contextlib.closing(sqlite3.connect(site.dir + "/pbm.db")) as db, db:
            db.execute("DELETE FROM meta WHERE key IN ('filed-looked', 'quarantine-pruned')")
        put(stack, "INBOX", "who", 0)
        site.tick()
        t.equal(subjects(stack, processed), (["another.60"] if uidplus else []) + ["help.0", "mine.60", "who.0"],
                what + "what others have put there stays")
        t.equal(len(stack.fetch("game", aside)), 0, what + "the quarantine")
        t.equal(len(stack.fetch("game")), 0, what + "the inbox")
    stack.stop("dovecot")
    stack.clean()
    stack.start("dovecot")


def pipe(t, stack, pbm, folder):
    """Exim calls pbm for each mail, as the user who owns the site."""
    site, alice, bob = Site(stack, pbm, folder + "/pipe", local_part="pipe"), Person(stack, "alice"), Person(stack, "bob")
    asked = one_game(site, alice)
    program = shutil.copy(pbm, folder + "/pbm")          # where Exim's user can read it
    shutil.copytree(os.path.dirname(os.path.realpath(pbm)) + "/../libexec/pbm", folder + "/libexec/pbm")
    subprocess.run(["chown", "-R", "--reference=" + stack.dir + "/exim/spool", site.dir], check=True)
    executable(stack.dir + "/pipe", "#!/bin/sh\nexec %s -C %s deliver\n" % (program, site.dir))

    alice.reply(asked, "e3")
    bob_asked = bob.get("your move (1. e3)")
    alice.write("a novel", "It was a dark and stormy night.\n" * 10000, to="pipe@localhost")
    bounce = alice.get("Mail delivery failed")
    t.check("larger than" in str(bounce), "exit 65 bounces, with the reason")
    with open(site.dir + "/lock", "r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        bob.reply(bob_asked, "e6")
        log = stack.dir + "/exim/log/main"
        wait_for(lambda: "T=pipe defer" in open(log).read(), "exit 75 to defer the mail")
    t.check(not alice.find("your move (1... e6)"), "nobody is told before the mail is taken")
    stack.settle()
    t.check(alice.get("your move (1... e6)"), "the deferred mail comes again")
    t.equal(len(bob.look()), 3, "mails to bob")
    for who in alice, bob:
        who.close()
