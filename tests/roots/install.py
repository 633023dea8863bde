"""The package as an operator gets it: apt with nobody at the keyboard, a site, years of an
old one, another version, and away with it."""
import os
import shutil

from layer import SOURCE

PACKAGES = None          # on the smallest system, with what apt takes by itself
NETWORK = True
INSTALLED = False
OLDEST = SOURCE + "/tests/data/sites/format-1.tar.gz"


def comes(root, t):
    shutil.copy(root.deb, root.path("/pbm.deb"))
    root.run("apt-get -qq update && apt-get -y -qq --no-install-recommends install /pbm.deb")
    t.check("uid=" in root.run("id pbm"), "the user is there")
    t.equal(root.run("stat -c '%U:%G %a' /var/lib/pbm /var/lib/pbm-archive").split("\n"), ["pbm:pbm 700", "pbm:pbm 755", ""], "the folders")
    t.equal(root.run("dpkg-query -W -f '${Conffiles}' pbm").split()[0::2], ["/etc/cron.d/pbm"], "conffiles")
    files = root.run("dpkg -L pbm")
    for name in ("man1/pbm.1.gz", "man5/pbm.conf.5.gz", "man7/pbm-commands.7.gz", "completions/pbm",
                 "system/pbm.service", "system/pbm.timer", "examples/nginx/pbm", "doc/pbm/SECURITY.md", "doc/pbm/docs/mail.md"):
        t.check(name in files, "the package has " + name)
    t.check(root.run("pbm --version").startswith("pbm "), "it runs")
    t.equal(root.run(cron_line(root), user="pbm"), "", "cron says nothing before there is a site")


def cron_line(root):
    line = [r for r in root.run("cat /etc/cron.d/pbm").split("\n") if r.startswith("* * * * * pbm ")]
    return line[0].split("pbm ", 1)[1]


def site(root, t):
    root.run("pbm init /var/lib/pbm --host games.example.org", user="pbm")
    root.pbm("user add alice alice@example.org")
    root.pbm("user add bob bob@example.org --role moderator")
    root.write("/var/lib/pbm/inbox/new/1", "From: alice@example.org\nTo: pbm@games.example.org\nSubject: help\n"
               "Message-ID: <1@example.org>\n\n", "pbm", 0o600)
    root.run(cron_line(root), user="pbm")
    t.check(root.run("grep -l '^Delivered-To: alice@example.org' /var/lib/pbm/sent/new/*"), "cron's line answers a mail")
    t.check("Subject: " in root.pbm("talk alice", stdin="suicide challenge alice bob\n"), "talk works")
    t.check("{" in root.run("pbm position suicide e3"), "a position")
    t.equal(root.pbm("fsck"), "clean\n", "fsck")


def oldest(root, t):
    """A site of the first version moves in."""
    root.run("mv /var/lib/pbm /var/lib/pbm.first")
    root.run("mkdir /var/lib/pbm")
    shutil.copy(OLDEST, root.path("/old.tar.gz"))
    root.run("tar -C /var/lib/pbm --strip-components=1 -xmzf /old.tar.gz && chown -R pbm:pbm /var/lib/pbm && chmod 700 /var/lib/pbm")
    if not os.path.exists(root.path("/var/lib/pbm/pbm.conf")):
        # The tests keep only the store of it.
        root.run("cp -a /var/lib/pbm.first/pbm.conf /var/lib/pbm.first/secret /var/lib/pbm/")
    root.run("for d in inbox sent; do [ -d /var/lib/pbm/$d ] || cp -a /var/lib/pbm.first/$d /var/lib/pbm/; done")
    before = sorted(os.listdir(root.path("/var/lib/pbm/games/000")))
    root.pbm("-q tick")
    t.equal(sorted(os.listdir(root.path("/var/lib/pbm/games/000"))), before, "the games of the oldest layout")
    root.pbm("fsck --repair")
    t.equal(root.pbm("fsck"), "clean\n", "fsck of the oldest layout")
    t.check("games in the archive" in root.pbm("archive"), "its archive")
    root.pbm("reindex")
    t.equal(root.pbm("fsck"), "clean\n", "fsck of the oldest layout, made from its documents")


def goes(root, t):
    marks = "cd /var/lib/pbm && ls -ld . pbm.conf secret && cat pbm.conf secret | md5sum"
    before = root.run(marks)
    root.run("dpkg -i /pbm.deb")
    t.equal(root.run(marks), before, "another version leaves the site as it is")
    root.run("dpkg -r pbm")
    t.equal(root.run(marks), before, "so does its removal")
    said = root.run("dpkg -P pbm")
    t.check("stay" in said, "a purge says that the site stays: " + said)
    t.equal(root.run(marks), before, "a purge leaves games alone")
    t.check(not os.path.exists(root.path("/etc/cron.d/pbm")), "conffiles go")
    root.run("dpkg -i /pbm.deb")
    t.equal(root.pbm("fsck"), "clean\n", "and it is there when the package comes back")
    root.run("rm -r /var/lib/pbm/* /var/lib/pbm-archive && dpkg -P pbm")
    t.check(not os.path.exists(root.path("/var/lib/pbm")), "a purge removes an empty folder")
    t.check("no such user" in root.run("id pbm", good=None), "and then the user")


def run(root, t):
    comes(root, t)
    site(root, t)
    oldest(root, t)
    goes(root, t)
