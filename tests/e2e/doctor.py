"""pbm doctor on a real site, with a real mailbox: it says nothing about the healthy one, and finds
each planted fault."""
import contextlib
import glob
import http.server
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import threading
import time

from dns import Dns
from mails import one_game
from world import TESTS, Person, Site, is_free

SPF, DKIM, DMARC, MX, MAIL = (("TXT", "localhost"), ("TXT", "test._domainkey.localhost"), ("TXT", "_dmarc.localhost"),
                              ("MX", "localhost"), ("A", "mail.localhost"))
DAY = 86400
NET = ("source", "source-certificate", "source-login", "sink", "sink-certificate", "sink-login", "mx", "spf", "dkim", "dmarc",
       "archive-web", "archive-bucket")


def iso(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


class Patient(Site):
    def examine(self, *words, now=None, folder=None):
        """The exit code, and the worst level and all sentences of each name."""
        r = subprocess.run([self.pbm, "-C", folder or self.dir] + (["--now", now] if now else []) +
                           ["doctor", "--json", *words], capture_output=True, text=True)
        self.log += r.stderr
        rows = [json.loads(line) for line in r.stdout.splitlines()]
        levels = ["ok", "skip", "warn", "bad"]
        found = {}
        for row in rows:
            level, text = found.get(row["name"], ("ok", ""))
            found[row["name"]] = (max(level, row["level"], key=levels.index),
                                  text + " " + row["means"] + " " + (row.get("todo") or ""))
        worst = max((levels.index(row["level"]) for row in rows), default=0)
        return r.returncode, found, {3: 2, 2: 1}.get(worst, 0)

    def path(self, name):
        return os.path.join(self.dir, name)

    def sql(self, text):
        with contextlib.closing(sqlite3.connect(self.path("pbm.db"))) as db, db:
            db.execute(text)


# ---- faults: each is a context; what it changes is right again after it ----

@contextlib.contextmanager
def mode(s, name, bits):
    old = os.stat(s.path(name)).st_mode & 0o7777
    os.chmod(s.path(name), bits)
    yield
    os.chmod(s.path(name), old)


@contextlib.contextmanager
def owner(s, name, uid):
    os.chown(s.path(name), uid, -1)
    yield
    os.chown(s.path(name), 0, -1)


@contextlib.contextmanager
def gone(s, name):
    os.rename(s.path(name), s.path(name) + ".away")
    yield
    os.rename(s.path(name) + ".away", s.path(name))


@contextlib.contextmanager
def conf(s, **values):
    old = dict(s.lines)
    s.conf(**values)
    yield
    s.lines = {}
    s.conf(**old)


@contextlib.contextmanager
def text(s, name, content):
    old = open(s.path(name)).read() if os.path.exists(s.path(name)) else None
    os.makedirs(os.path.dirname(s.path(name)), exist_ok=True)
    stat = os.stat(s.path(name)) if old is not None else None
    with open(s.path(name), "w") as f:
        f.write(content if not callable(content) else content(old))
    yield
    if old is None:
        os.unlink(s.path(name))
    else:
        with open(s.path(name), "w") as f:
            f.write(old)
        os.utime(s.path(name), ns=(stat.st_atime_ns, stat.st_mtime_ns))


@contextlib.contextmanager
def stamp(s, name, ago):
    old = os.stat(s.path(name))
    os.utime(s.path(name), (time.time() - ago, time.time() - ago))
    yield
    os.utime(s.path(name), ns=(old.st_atime_ns, old.st_mtime_ns))


@contextlib.contextmanager
def sql(s, there, back):
    s.sql(there)
    yield
    s.sql(back)


@contextlib.contextmanager
def record(s, key, values):
    old = s.dns.records[key]
    s.dns.records[key] = values
    if not values:
        del s.dns.records[key]
    yield
    s.dns.records[key] = old


@contextlib.contextmanager
def fat(s):
    with conf(s, quota="1"), text(s, "inbox/.Processed/cur/1", "x" * 3000000):
        yield


@contextlib.contextmanager
def waiting(s, name, **lines):
    """A mail that has lain there for a day."""
    with conf(s, **lines), text(s, name, "Subject: x\n\n"), stamp(s, name, DAY):
        yield


class Web:
    """The archive on the web."""

    def __init__(self, folder):
        self.folder, self.lists = folder, False
        outer = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *args):
                super().__init__(*args, directory=outer.folder)

            def list_directory(self, path):
                return super().list_directory(path) if outer.lists else self.send_error(404)

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @contextlib.contextmanager
    def elsewhere(self):
        old, self.folder = self.folder, TESTS + "/data"
        with open(old + "/feed.xml") as f, tempfile.TemporaryDirectory() as folder:
            with open(folder + "/feed.xml", "w") as other:
                other.write(f.read().replace("alice", "carol", 1) + "\n")
            self.folder = folder
            yield
        self.folder = old

    @contextlib.contextmanager
    def listing(self, s):
        page = self.folder + "/live/abcdefghijklmnopqrstuvwxyz234567"
        os.makedirs(page)
        os.rename(self.folder + "/live/index.html", self.folder + "/index.away")
        self.lists = True
        yield
        self.lists = False
        os.rename(self.folder + "/index.away", self.folder + "/live/index.html")
        os.rmdir(page)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def closed_port():
    return next(p for p in range(19000, 20000) if is_free(p))


def plants(s):
    """(finding, level, what the sentence has, the fault, options)"""
    imaps, smtps = ("%s://game@localhost:%d" % (k, s.stack.port(k)) for k in ("imaps", "smtps"))
    ended = int(subprocess.run(["date", "+%s", "-d", subprocess.run(
        ["openssl", "x509", "-noout", "-enddate", "-in", s.stack.dir + "/certs/good.pem"],
        capture_output=True, text=True).stdout.split("=")[1].strip()], capture_output=True, text=True).stdout)
    soon = iso(ended - time.time() - 5 * DAY)
    ca = s.stack.dir + "/certs/self.pem"
    rows = [
        ("site", "bad", "Every user", mode(s, ".", 0o777), []),
        ("site", "warn", "list", mode(s, ".", 0o755), []),
        ("conf", "bad", "can change", mode(s, "pbm.conf", 0o666), []),
        ("conf", "bad", "no setting \"hots\"", text(s, "pbm.conf", lambda t: t + "hots = x\n"), []),
        ("conf", "bad", "already; delete one", text(s, "pbm.conf", lambda t: t + "host = x\n"), []),
        ("conf", "bad", "No such file", gone(s, "pbm.conf"), []),
        ("secret", "bad", "speak for every player", mode(s, "secret", 0o644), []),
        ("secret", "bad", "No such file", gone(s, "secret"), []),
        ("secret", "bad", "no key", text(s, "secret", "\n"), []),
        ("passwords", "bad", "can read or change", mode(s, "pw", 0o644), []),
        ("passwords", "bad", "No such file", conf(s, sink_password="file:nowhere"), []),
        ("folders", "bad", "can be changed", mode(s, "games/000", 0o777), []),
        ("archive-mode", "warn", "can't read", mode(s, "../www", 0o700), []),
        ("archive-mode", "warn", "can write into", mode(s, "../www", 0o777), []),
        ("archive-mode", "warn", "archive-dir", conf(s, archive_dir="archive"), []),
        ("archive-mode", "warn", "No such file", conf(s, archive_dir="/nonexistent/www"), []),
        ("archive-web", "warn", "can't be read", conf(s, archive_url="http://127.0.0.1:%d" % closed_port()), []),
        ("archive-web", "warn", "answers 404", conf(s, archive_url=s.web.url + "/games"), []),
        ("archive-web", "warn", "is not what pbm has written", s.web.elsewhere(), []),
        ("archive-bucket", "bad", "onnect", conf(s, archive_dir="http://key@127.0.0.1:%d/games" % closed_port(),
                                                 archive_password="file:pw"), []),
        ("archive-bucket", "bad", "needs an archive-password", conf(s, archive_dir="s3://key@games"), []),
        ("archive-web", "bad", "secret addresses", s.web.listing(s), []),
        ("conf", "bad", "archive-dir must be", conf(s, archive_dir="games"), []),
        ("conf", "bad", "archive-dir must be", conf(s, archive_dir=s.dir), []),
        ("conf", "bad", "archive-dir must be", conf(s, archive_dir="/"), []),
        ("operator", "warn", "not set", conf(s, operator=""), []),
        ("operator", "bad", "nobody reads it", conf(s, operator="game+me@localhost"), []),
        ("clock", "bad", "1970-01-02", contextlib.nullcontext(), ["now", "1970-01-02T00:00:00Z"]),
        ("disk", "bad", "less than disk-reserve", conf(s, disk_reserve="999999"), []),
        ("runs", "bad", "2 hours ago", stamp(s, "last-run", 7200), []),
        ("runs", "warn", "not run yet", gone(s, "last-run"), []),
        ("database", "bad", "version 99", sql(s, "PRAGMA user_version = 99",
                                              "PRAGMA user_version = %d" % s.version), []),
        ("database", "bad", "pbm reindex", gone(s, "pbm.db"), []),
        ("fsck", "bad", "1 finding", text(s, "games/000/1.json", lambda t: t.replace("alice", "alicf", 1)), []),
        ("outbox", "warn", "5 hours", sql(
            s, "INSERT INTO outbox(id, message_id, envelope_from, rcpt, bytes, created, next_try, attempts, why) VALUES(1, 'a@b', '', 'c@d', 'x', strftime('%s') - 18000, 0, 3, 'busy')",
            "DELETE FROM outbox"), []),
        ("outbox", "bad", "3 days", sql(
            s, "INSERT INTO outbox(id, message_id, envelope_from, rcpt, bytes, created, next_try, attempts, why) VALUES(1, 'a@b', '', 'c@d', 'x', strftime('%s') - 270000, 0, 3, 'busy')",
            "DELETE FROM outbox"), []),
        ("quarantine", "warn", "1 mails", text(s, "quarantine/0.eml", "x"), []),
        ("archive", "warn", "behind", sql(s, "INSERT INTO work VALUES(1, 'game', 1, '', 0)", "DELETE FROM work"), []),
        ("archive", "bad", "index.html is missing", gone(s, "../www/index.html"), []),
        ("clock", "bad", "behind", sql(s, "INSERT INTO meta VALUES('signs-skew', 400)",
                                       "DELETE FROM meta WHERE key = 'signs-skew'"), []),
        ("clock", "warn", "ahead of", sql(s, "INSERT INTO meta VALUES('signs-skew', -70)",
                                          "DELETE FROM meta WHERE key = 'signs-skew'"), []),
        ("source", "bad", "nobody answers", conf(s, source="imaps://game@localhost:%d/INBOX" % closed_port()), []),
        ("source", "bad", "can't be opened", conf(s, source="maildir:/nonexistent"), []),
        ("source", "bad", "source must be", conf(s, source="mbox:/var/mail/game"), []),
        ("source-certificate", "bad", "certificate in source-ca", conf(s, source_ca=ca), []),
        ("source-certificate", "warn", "certificate ends in ", contextlib.nullcontext(), ["now", soon]),
        ("source-login", "bad", "refuses", conf(s, source=imaps.replace("game", "alice") + "/INBOX"), []),
        ("source", "bad", "first line is empty", conf(s, source_password="file:empty"), []),
        ("source", "bad", "can't be", conf(s, source="imaps://game@nowhere.invalid/INBOX"), []),
        ("source", "warn", "1 mails wait", waiting(s, "inbox/new/1", source="maildir:inbox"), []),
        ("sink", "warn", "nobody passes them on", waiting(s, "sent/new/1", sink="maildir:sent"), []),
        ("sink", "bad", "reads its own answers", conf(s, source="maildir:inbox", sink="maildir:inbox"), []),
        ("sink", "bad", "Permission denied", conf(s, sink="sendmail:pbm.conf"), []),
        ("sink", "bad", "nobody answers", conf(s, sink="smtps://game@localhost:%d" % closed_port()), []),
        ("sink", "bad", "sink", conf(s, sink="sendmail:/nonexistent/sendmail"), []),
        ("sink-certificate", "bad", "certificate in sink-ca", conf(s, sink_ca=ca), []),
        ("sink-login", "bad", "refuses", conf(s, sink=smtps.replace("game", "alice")), []),
        ("quota", "warn", "quota allows 1", fat(s), []),
        ("mx", "bad", "no MX", record(s, MX, []), []),
        ("mx", "bad", "takes no mail", record(s, MX, ["."]), []),
        ("mx", "bad", "has no address", record(s, MX, ["gone.localhost"]), []),
        ("mx", "bad", "has no address", record(s, MAIL, []), []),
        ("mx", "warn", "must be an address", conf(s, resolver="[::1"), []),
        ("mx", "warn", "must be an address", conf(s, resolver="1.2.3"), []),
        ("spf", "warn", "v=spf1 mx -all", record(s, SPF, ["something"]), []),
        ("spf", "bad", "2 SPF records", record(s, SPF, ["v=spf1 mx", "v=spf1 a"]), []),
        ("spf", "warn", "every server", record(s, SPF, ["v=spf1 +all"]), []),
        ("dkim", "bad", "test._domainkey.localhost", record(s, DKIM, []), []),
        ("dkim", "bad", "withdrawn", record(s, DKIM, ["v=DKIM1; p="]), []),
        ("dmarc", "warn", "v=DMARC1; p=quarantine", record(s, DMARC, []), []),
        ("mx", "warn", "no DNS server", conf(s, resolver="127.0.0.1:%d" % closed_port()), []),
        ("templates", "bad", "mail/answer.txt", text(s, "templates/mail/answer.txt", "{{#x}}"), []),
        ("templates", "bad", "UTF-8", text(s, "templates/mail/answer.txt", "x" * 300000), []),
        ("templates", "warn", "nothing uses", text(s, "templates/mail/anwser.txt", "x"), []),
    ]
    if os.getuid() == 0:
        rows.append(("folders", "bad", "don't belong", owner(s, "players", 65534), []))
    return rows


def finds(t, s, name, level, words, fault, options):
    """The fault, planted: and after it the site is well again."""
    now = options[1] if options else None
    with fault:
        code, found, wanted = s.examine(*([] if name in NET else ["--offline"]), now=now)
    got = found.get(name, ("none", ""))
    t.check(got[0] == level and words in got[1], "%s %s %r: %r" % (name, level, words, got))
    t.equal(code, wanted, name + ": exit code")


def healthy(t, s, when):
    code, found, _ = s.examine()
    t.equal({k: v for k, v in found.items() if v[0] in ("warn", "bad")}, {}, when + ": no finding")
    t.equal(code, 0, when + ": exit code")


def old_site(t, s, folder):
    """A newer program opens a site of an older layout, after a backup beside it."""
    with tarfile.open(TESTS + "/data/sites/format-1.tar.gz") as f:
        f.extractall(folder + "/old")
    site = folder + "/old/format-1"
    t.equal(s.examine(folder=site)[1]["database"][0], "warn", "an older database")
    bare = folder + "/old/bare"
    shutil.copytree(site, bare)
    subprocess.run([s.pbm, "-C", bare, "upgrade", "--no-backup"], check=True, capture_output=True)
    t.equal(len(os.listdir(folder + "/old")), 2, "told to write no backup")
    subprocess.run([s.pbm, "-C", site, "outbox", "retry"], capture_output=True)
    backups = [n for n in os.listdir(folder + "/old") if n.startswith("format-1-version-1-")]
    t.equal(len(backups), 1, "a backup beside the site: %s" % os.listdir(folder + "/old"))
    path = folder + "/old/" + backups[0]
    t.equal(os.stat(path).st_mode & 0o777, 0o600, "nobody else reads the backup")
    subprocess.run([s.pbm, "backup", "--verify", path], check=True, capture_output=True)
    subprocess.run([s.pbm, "restore", path, folder + "/again"], check=True, capture_output=True)
    r = subprocess.run([s.pbm, "-C", folder + "/again", "fsck"], capture_output=True, text=True)
    t.equal(r.stdout, "clean\n", "what was restored from it")
    t.equal(s.examine(folder=site)[1]["database"][0], "ok", "after the upgrade")


def mends(t, s):
    """--fix mends modes, the archive and the index, and nothing else."""
    with mode(s, "secret", 0o640), mode(s, "games/000", 0o777), mode(s, "../www", 0o700), \
            text(s, "pbm.conf", lambda c: c + "# as it was\n"):
        s.sql("INSERT INTO work VALUES(1, 'game', 1, '', 0)")
        s.sql("DELETE FROM players")
        before = open(s.path("pbm.conf")).read()
        code, found, _ = s.examine("--fix")
        for name in ("secret", "folders", "archive-mode", "archive", "fsck"):
            t.check(found[name][0] == "ok" and "Mended" in found[name][1], "--fix: %s: %r" % (name, found[name]))
        t.equal(code, 0, "--fix: exit code")
        t.equal(open(s.path("pbm.conf")).read(), before, "--fix leaves pbm.conf alone")
        code, found, _ = s.examine()
        t.equal(code, 0, "after --fix: %r" % {k: v for k, v in found.items() if v[0] in ("warn", "bad")})


def small_disk(t, s, folder):
    place = folder + "/small"
    os.mkdir(place)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100m", "none", place], capture_output=True).returncode:
        return
    try:
        shutil.copytree(s.dir, place + "/site")
        t.equal(s.examine("--offline", folder=place + "/site")[1]["disk"][0], "bad", "a small disk")
        used = os.statvfs(place)
        subprocess.run(["mount", "-o", "remount,nr_inodes=%d" % (used.f_files - used.f_ffree + 50), place], check=True)
        n = 0
        try:
            while n < 300:
                open(place + "/%d" % n, "w").close()
                n += 1
        except OSError:
            pass
        found = s.examine("--offline", folder=place + "/site")[1]["disk"]
        t.check(found[0] == "bad" and "names for 0 files" in found[1], "no room for another file: %r" % (found,))
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        found = s.examine("--offline", folder=place + "/site")[1]["site"]
        t.check(found[0] == "bad" and "only be read" in found[1], "a disk that can only be read: %r" % (found,))
    finally:
        subprocess.run(["umount", place])


def other_owner(t, s, folder):
    """root looks at a site of another user: what it mends must stay that user's."""
    if os.getuid() != 0:
        return
    site, www = folder + "/theirs", folder + "/theirs-www"
    shutil.copytree(s.dir, site)
    os.mkdir(www)
    subprocess.run(["chown", "-R", "nobody:", site], check=True)
    with open(site + "/pbm.conf", "w") as f:
        f.writelines("%s = %s\n" % item for item in {**s.lines, "archive-dir": www}.items())
    found = s.examine("--offline", folder=site)[1]["archive-mode"]
    t.check(found[0] == "bad" and "can't write into it" in found[1], "an archive of another user: %r" % (found,))
    os.unlink(site + "/pbm.db")
    s.examine("--offline", "--fix", folder=site)
    found = s.examine("--offline", folder=site)[1]
    for name in ("archive-mode", "database", "fsck", "folders", "archive"):
        t.equal(found[name][0], "ok", "mended by root: %s: %r" % (name, found[name]))
    roots = subprocess.run(["find", site, www, "-user", "root"], capture_output=True, text=True).stdout
    t.equal(roots, "", "root leaves no files of its own")
    link = folder + "/link"
    os.symlink(site, link)
    found = s.examine("--offline", folder=link)[1]
    t.equal({k: v for k, v in found.items() if v[0] in ("warn", "bad") and k != "runs"}, {}, "a link to the site")


def ended_certificate(t, s):
    for end, server in (("source", "dovecot"), ("sink", "exim")):
        s.stack.stop(server)
        s.stack.start(server, CERT="expired")
        found = s.examine()[1][end + "-certificate"]
        t.check(found[0] == "bad" and "certificate" in found[1], "an ended certificate of the %s: %r" % (end, found))
        s.stack.stop(server)
        s.stack.start(server)


def two_crons(t, s):
    """Two lines in a crontab, or cron beside the timer, harm nothing."""
    runs = [subprocess.Popen([s.pbm, "-C", s.dir, "-q", "tick"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(4)]
    found = s.examine("--offline")[1]
    t.equal({k: v for k, v in found.items() if v[0] in ("warn", "bad")}, {}, "runs at the same time")
    t.equal([(p.communicate()[0], p.returncode in (0, 75)) for p in runs], [(b"", True)] * 4, "what they say")


def over_ipv6(t, s):
    try:
        dns = Dns({MX: ["mail.localhost"], ("AAAA", "mail.localhost"): ["2001:db8::1"], SPF: ["v=spf1 mx -all"]}, host="::1")
    except OSError:
        return             # a machine without it
    try:
        with conf(s, resolver=dns.address):
            found = s.examine()[1]
            t.equal((found["mx"][0], found["spf"][0], found["dmarc"][0]), ("ok", "ok", "warn"), "a DNS server over IPv6, and an AAAA")
    finally:
        dns.stop()


def two_sites(t, s, alice, folder):
    """Another site takes a mail from the same mailbox."""
    other = s.copy(folder + "/other")
    alice.write("help", "")
    other.tick()
    found = s.examine()[1]["mailbox"]
    t.check(found[0] == "bad" and "another site" in found[1], "two sites on a mailbox: %r" % (found,))


def results(t, s, alice):
    with conf(s, authserv_id="mx.example.org"):
        t.equal(s.examine()[1]["authserv"][0], "skip", "before a mail came")
        alice.write("help", "")
        s.tick()
        found = s.examine()[1]["authserv"]
        t.check(found[0] == "warn" and "mx.example.org" in found[1], "no results: %r" % (found,))


def goes_elsewhere(t, s):
    with conf(s, local_part="ghost", timeout="1"):
        found = s.examine("--test-mail", "alice@localhost")[1]["test-mail"]
        t.check(found[0] == "bad" and "did not come back" in found[1], "mail for the site goes elsewhere: %r" % (found,))
    # It bounces to where it came from; nobody waits for that.
    s.stack.stop("exim")
    for f in glob.glob(s.stack.dir + "/exim/spool/input/*"):
        os.unlink(f)
    s.stack.start("exim")


def by_the_mails(t, s, alice):
    """The clock, seen from the mail server's stamp of a mail that a run takes."""
    alice.write("help", "")
    s.stack.settle()
    s.run("tick", now=iso(-400))
    found = s.examine()[1]["clock"]
    t.check(found[0] == "bad" and "6 minutes behind" in found[1], "a clock that is late: %r" % (found,))
    os.utime(s.path("last-run"), (time.time() + 200, time.time() + 200))
    alice.write("help", "")
    s.stack.settle()
    s.run("tick", now=iso(210))
    found = s.examine()[1]["clock"]
    t.check(found[0] == "warn" and "ahead" in found[1], "a clock that is early: %r" % (found,))
    alice.write("help", "")
    s.tick()
    t.equal(s.examine()[1]["clock"][0], "ok", "the clock is right again")


def doctor(t, stack, pbm, folder):
    folder += "/doctor"
    os.makedirs(folder + "/www")
    key = stack.dir + "/dkim.key"
    subprocess.run(["openssl", "genrsa", "-out", key, "1024"], check=True, capture_output=True)
    os.chmod(key, 0o644)
    alice, bob = Person(stack, "alice"), Person(stack, "bob")
    dns = Dns({SPF: ["v=spf1 ip4:127.0.0.1 -all"], DKIM: ["v=DKIM1; k=rsa; p=" + "A" * 300],
               DMARC: ["v=DMARC1; p=reject"], MX: ["mail.localhost"], MAIL: ["127.0.0.1"]})
    web = Web(folder + "/www")
    try:
        s = Patient(stack, pbm, folder + "/site", resolver=dns.address, archive_dir=folder + "/www",
                    archive_url=web.url, timeout="20", operator="carol@localhost")
        s.dns, s.web = dns, web
        s.version = sqlite3.connect(s.path("pbm.db")).execute("PRAGMA user_version").fetchone()[0]
        t.equal(s.examine()[1]["runs"][0], "warn", "before the first run")
        alice.reply(one_game(s, alice), "e3")
        s.tick()
        bob.reply(bob.get("your move"), "resign")
        s.tick()
        code, found, _ = s.examine("--test-mail", "alice@localhost")
        t.equal((code, found["test-mail"][0], found["dkim"][0]), (0, "ok", "ok"), "a test mail: %r" % (found,))
        t.check(alice.get("a test mail"), "the address got one, too")
        healthy(t, s, "a site that is well")
        open(s.path("empty"), "w").close()
        os.chmod(s.path("empty"), 0o600)
        for row in plants(s):
            finds(t, s, *row)
        healthy(t, s, "after all faults")
        mends(t, s)
        other_owner(t, s, folder)
        over_ipv6(t, s)
        two_crons(t, s)
        small_disk(t, s, folder)
        old_site(t, s, folder)
        by_the_mails(t, s, alice)
        results(t, s, alice)
        os.unlink(key)
        stack.settle()
        code, found, _ = s.examine("--test-mail", "game@localhost")
        t.check(found["dkim"][0] == "warn" and "without a DKIM signature" in found["dkim"][1], "unsigned mail")
        two_sites(t, s, alice, folder)
        goes_elsewhere(t, s)
        ended_certificate(t, s)
    finally:
        web.stop()
        dns.stop()
        alice.close()
        bob.close()
