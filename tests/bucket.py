#!/usr/bin/env python3
"""The archive in a bucket.  A site that writes its pages into one, and its twin that writes them into a folder,
live through the same days: all names and bytes are the same, also after the server was slow, in trouble or full
of malice, and after runs were killed.  The server is tests/util/s3.py, on the loopback.

    tests/bucket.py build/pbm

Ends with "N passed, M failed"."""
import glob
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "util"))
import s3  # pylint: disable=wrong-import-position

START = 1796115600      # 2026-12-01T09:00:00Z
RESIGN = ("From: alice@example.org\nTo: pbm@pbm.example.org\nSubject: suicide resign %d alice alice-pw\n"
          "Message-ID: <end.%d@client.example>\nDate: Tue, 1 Dec 2026 09:59:00 +0000\n\n\n")
PREFIX = "w\u00e4b &+'1/pages"


class Check:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def __call__(self, right, *what):
        self.passed += bool(right)
        self.failed += not right
        if not right:
            print("wrong:", *what)


class Site:
    def __init__(self, pbm, folder):
        self.pbm, self.folder, self.said = pbm, folder, ""

    def start(self, now, *words):
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + now))
        return subprocess.Popen([self.pbm, "-C", self.folder, "--now", stamp] + list(words), stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, now, *words, text=None):
        p = self.start(now, *words)
        said = p.communicate(text)[0]
        self.said += said
        return p.returncode, said

    def conf(self, **lines):
        """Sets lines of pbm.conf, or takes them away (None)."""
        names = [name.replace("_", "-") for name in lines]
        with open(self.folder + "/pbm.conf", encoding="utf-8") as f:
            kept = [line for line in f if line.split("=")[0].strip() not in names]
        kept += ["%s = %s\n" % (name.replace("_", "-"), value) for name, value in lines.items() if value is not None]
        with open(self.folder + "/pbm.conf", "w", encoding="utf-8") as f:
            f.writelines(kept)


class Twins:
    """The same site twice, one with a bucket."""

    def __init__(self, pbm, folder, server, check):
        self.server, self.bucket, self.check = server, server.bucket, check
        self.calm, self.cloud = Site(pbm, folder + "/calm"), Site(pbm, folder + "/cloud")
        subprocess.run([pbm, "init", self.calm.folder, "--host", "pbm.example.org"], check=True, capture_output=True)
        self.calm.conf(archive_url="https://games.example.org", outage_hours=0, analysis_nodes=0, puzzle_stock=0)
        shutil.rmtree(self.calm.folder + "/archive")
        shutil.copytree(self.calm.folder, self.cloud.folder)
        with open(self.cloud.folder + "/key", "w", encoding="ascii") as f:
            f.write(s3.SECRET + "\n")
        os.chmod(self.cloud.folder + "/key", 0o600)
        self.url = "http://%s@127.0.0.1:%d/%s/" % (s3.KEY, server.port, s3.BUCKET)
        self.cloud.conf(archive_dir=self.url + PREFIX.replace("'", "%27"), archive_region=s3.REGION,
                        archive_password="file:key", timeout=2)
        self.now = 0

    def both(self, *words, text=None):
        """The same command for both; that of the folder must succeed."""
        code, said = self.calm.run(self.now, *words, text=text)
        self.check(code == 0, " ".join(words), code, said)
        return self.cloud.run(self.now, *words, text=text)

    def talk(self, who, *lines):
        self.both("talk", who, text="".join(line + "\n" for line in lines))
        self.now += 60

    def tick(self, *faults):
        """Both run; the server has these faults while one does."""
        self.bucket.faults[:] = faults
        said = self.both("tick")
        self.bucket.faults.clear()
        self.now += 60
        return said

    def differ(self):
        calm, folder = {}, self.calm.folder + "/archive/"
        for path in glob.glob(folder + "**", recursive=True, include_hidden=True):
            if os.path.isfile(path):
                with open(path, "rb") as f:
                    calm[path[len(folder):]] = f.read()
        cloud = self.bucket.pages(PREFIX + "/")
        return ["%s: %s" % (n, "only in the folder" if n not in cloud else "only in the bucket" if n not in calm else "other bytes")
                for n in sorted(set(calm) | set(cloud)) if calm.get(n) != cloud.get(n)]

    def same(self, when):
        found = self.differ()
        self.check(not found, when, len(found), found[:5])

    def end(self, board, other="bob"):
        self.talk("alice", "suicide move %d e3" % board)
        self.talk(other, "suicide move %d b5" % board)
        for site in self.calm, self.cloud:
            with open("%s/inbox/new/end.%d" % (site.folder, board), "w", encoding="ascii") as f:
                f.write(RESIGN % (board, board))


def days(t, check):
    """Accounts, games, ends, a game that is annulled, a player who leaves, other addresses of live pages."""
    for who in "alice", "bob", "carol", "dave":
        t.both("user", "add", who, who + "@example.org", "--password-stdin", text=who + "-pw\n")
    t.both("user", "role", "carol", "moderator", "she", "helps")
    t.tick()
    t.same("an archive without games")
    for _ in range(2):      # ten in an hour
        t.talk("carol", *["suicide challenge alice bob -unrated"] * 10)
        t.now += 3700
    t.talk("carol", "suicide challenge alice dave -unrated")
    t.tick()
    t.same("live pages")
    t.end(1)
    t.tick()
    t.same("the first game")
    check(any(k.endswith("games/000/1.html") for k in t.bucket.files), "the page of board 1", list(t.bucket.files)[:3])
    kept = {k.rpartition("pages/")[2]: v for k, v in t.bucket.kept.items()}
    check(kept["index.html"] == {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache"}, kept["index.html"])
    check(kept["games/000/1.pgn"]["Content-Type"].startswith("application/x-chess-pgn"), kept["games/000/1.pgn"])
    check({v["Cache-Control"] for k, v in kept.items() if k.startswith("live/")} == {"no-store"}, "live pages are kept")
    check({v["Cache-Control"] for k, v in kept.items() if re.fullmatch(r"static/\w+\.\w+", k)} ==
          {"public, max-age=31536000, immutable"}, "static files are not kept")
    asked = len(t.bucket.log)
    t.tick()
    check(len(t.bucket.log) == asked, "a run without work asks the server", t.bucket.log[asked:])
    check(t.bucket.most_busy > 1 and t.bucket.connections < asked / 4, t.bucket.most_busy, t.bucket.connections)
    # The player's folder gets more files than a page of a list has, with names that need care.
    t.end(21, "dave")
    t.tick()
    t.same("a game of dave's")
    with t.bucket.lock:
        for i in range(2 * s3.PAGE + 7):
            t.bucket.files["%s/player/dave/%d \u00fc+%%2F&<'\">.html" % (PREFIX, i)] = b"x"
    t.both("user", "delete", "dave", "--anonymous", "he", "asked")
    t.tick()
    t.both("archive", "--rebuild")
    t.same("a player who left")
    check(not any("player/dave/" in k for k in t.bucket.files), "files of a player who left")
    old = {k for k in t.bucket.files if "/live/" in k}
    for words in ("new",), ("drop", "1", "--force"):
        code, said = t.calm.run(t.now, "key", *words)
        check(code == 0, words, said)
    shutil.copy2(t.calm.folder + "/secret", t.cloud.folder + "/secret")
    t.tick()
    t.tick()
    t.same("new addresses of live pages")
    left = [k for k in old & set(t.bucket.files) if not k.endswith("live/index.html")]
    check(len(old) > 20 and not left, "old addresses of live pages", len(old), left[:3])


def times(n, do):
    """A fault of the first n writes."""
    left = [n]

    def fault(handler, method, key):
        if method != "PUT" or left[0] <= 0:
            return False
        left[0] -= 1
        handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        do(handler, key)
        return True

    return fault


def cut(handler, method, _):
    """In the midst of a file the connection is gone."""
    size = int(handler.headers.get("Content-Length", 0))
    if method != "PUT" or size < 100:
        return False
    handler.rfile.read(size // 2)
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True
    return True


def hang(_, method, __):
    if method == "PUT":
        time.sleep(8)
    return method == "PUT"


def slow(*_):
    time.sleep(0.05)
    return False


def faults(t, check):
    """Runs while the server is in trouble: the pages of the next run are right."""
    board = [1]

    def day(name, *now, said=None, ends=0, seconds=60):
        board[0] += 1
        t.end(board[0])
        began = time.monotonic()
        code, told = t.tick(*now)
        check(code == ends and ("level=error" not in told if said is None else said in told), name, code, told)
        check(time.monotonic() - began < seconds, name, "took", time.monotonic() - began)
        if said is not None:
            check(t.differ(), name, "was no trouble")
            t.tick()
        t.same("after " + name)

    day("two answers 500", times(2, lambda h, _: h.refuse(500, "InternalError")))
    day("an answer 503", times(1, lambda h, _: h.refuse(503, "SlowDown")))
    day("an answer 429", times(1, lambda h, _: h.refuse(429, "TooManyRequests")))
    day("a slow server", slow)
    day("a cut connection", times(1, lambda h, _: (h.connection.shutdown(socket.SHUT_RDWR))))
    day("many answers 500", times(10 ** 6, lambda h, _: h.refuse(500, "InternalError")), said="500 InternalError")
    day("a refusal", times(10 ** 6, lambda h, _: h.refuse(403, "AccessDenied")), said="allow it to write, read, delete and list")
    day("one file refused", lambda h, m, k: m == "PUT" and k.endswith("feed.xml") and (
        h.rfile.read(int(h.headers["Content-Length"])), h.refuse(400, "InvalidRequest")), said="400 InvalidRequest")
    day("cut connections", cut, said="can't be written to the archive")
    day("a server that says nothing", hang, said="can't be written to the archive", seconds=30)
    return board[0]


def killed(t, check, board):
    """Runs end at any time; the next one ends the day as if nothing had been."""
    lot = random.Random(3)
    t.end(board + 1)
    t.calm.run(t.now, "tick")
    cut_off = 0
    for _ in range(6):
        t.bucket.faults[:] = [lambda *_: time.sleep(0.02)]
        p = t.cloud.start(t.now, "tick")
        until, before = lot.randrange(1, 40), len(t.bucket.log)
        while p.poll() is None and len(t.bucket.log) < before + until:
            time.sleep(0.005)
        cut_off += p.poll() is None
        p.send_signal(signal.SIGKILL)
        p.communicate()
    t.bucket.faults.clear()
    code, said = t.cloud.run(t.now, "tick")
    check(code == 0, "after kills", code, said)
    t.same("after kills")
    check(cut_off > 1, "kills", cut_off)


def wrong_settings(t, check):
    """Each is a sentence that says what to do, without the secret."""
    t.end(20)
    t.both("tick")
    good = t.url + PREFIX.replace("'", "%27")
    for lines, wanted in [
            ({"archive_region": "us-east-9"}, "the bucket is in another region: correct archive-region"),
            ({"archive_dir": good.replace(s3.KEY, "OTHER")}, "it does not know the key that archive-dir names"),
            ({"archive_dir": good.replace("/games/", "/chess/")}, "there is no bucket of that name"),
            ({"archive_dir": good.replace(s3.KEY + "@", "")}, "must name the key before the @"),
            ({"archive_dir": good.replace("127.0.0.1", "s3.example.org")}, "must be an https:// one"),
            ({"archive_dir": good.replace(s3.KEY, s3.KEY + ":word")}, "must not contain a password"),
            ({"archive_dir": good.replace("/games/", "/games/../")}, "must name a bucket"),
            ({"archive_dir": "s3://K@bucket", "archive_region": "x/y"}, "archive-region must be a name"),
            ({"archive_dir": good.replace("http:", "ftp:")}, "none of s3, https, http"),
            ({"archive_dir": good.replace(":%d" % t.server.port, ":1")}, "onnect"),
            ({"archive_password": None}, "needs an archive-password"),
            ({"archive_password": "file:none"}, "No such file"),
            ({"archive_password": "command:echo other"}, "the secret key of archive-password does not belong to the key")]:
        t.cloud.conf(**lines)
        for words in ("archive",), ("doctor",):
            code, said = t.cloud.run(t.now, *words)
            check(code and wanted in said, words, lines, code, said[-600:])
        t.cloud.conf(archive_dir=good, archive_region=s3.REGION, archive_password="file:key")
    for skew in 3600, -3600:
        t.server.skew = skew
        check("the clock of this machine is wrong" in t.cloud.run(t.now, "doctor")[1], "skew", skew)
    t.server.skew = 0
    code, said = t.cloud.run(t.now, "doctor")
    check("The archive's bucket lets pbm write, read, list and remove files." in said, "doctor", said)
    check("doctor.txt" not in "".join(t.bucket.files), "the doctor's file")
    code, said = t.cloud.run(t.now, "config")
    check("archive-password" in said and "file:key" not in said, "config", said)


def endless(handler, kind):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/xml")
    if kind == "lines":
        for i in range(10 ** 6):
            handler.send_header("X-%d" % i, "x" * 60000)
            handler.flush_headers()
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for _ in range(10 ** 6):
        handler.wfile.write(b"10000\r\n" + b"<Key>" + b"x" * (65536 - 5) + b"\r\n")


def listing(rows, more=""):
    return ("<ListBucketResult>%s%s</ListBucketResult>" % (more, "".join(rows))).encode()


def hostile(t, check):
    """A server that means harm can spoil a run's pages, and nothing else."""
    listened = socket.create_server(("127.0.0.1", 0))
    elsewhere, strangers = "http://127.0.0.1:%d/" % listened.getsockname()[1], []
    threading.Thread(target=lambda: strangers.append(listened.accept()), daemon=True).start()
    more = "<IsTruncated>true</IsTruncated><NextContinuationToken>%s</NextContinuationToken>"

    def of(method, do):
        def fault(handler, asked, key):
            if asked != method:
                return False
            handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
            try:
                do(handler, key)
            except OSError:
                pass
            handler.close_connection = True
            return True
        return fault

    def to(where):
        return lambda h, _: h.send(307, b"", Location=where)

    for name, fault in [
            ("a redirection to a file", of("PUT", to("file:///etc/passwd"))),
            ("a redirection", of("PUT", to(elsewhere))),
            ("a page from elsewhere", of("GET", to(elsewhere))),
            ("an endless answer to a file", of("PUT", lambda h, _: endless(h, "body"))),
            ("an endless answer to a question", of("GET", lambda h, _: endless(h, "body"))),
            ("endless lines", of("PUT", lambda h, _: endless(h, "lines"))),
            ("no HTTP", of("PUT", lambda h, _: h.wfile.write(os.urandom(5000)))),
            ("other status", of("PUT", lambda h, _: h.send(999))),
            ("words for a terminal", of("PUT", lambda h, _: h.send(400, b"<Code>\x1b[2J</Code>")))]:
        t.bucket.faults[:] = [fault]
        began = time.monotonic()
        code, said = t.cloud.run(t.now, "archive")
        check(code and "\x1b" not in said and time.monotonic() - began < 40, name, code, said, time.monotonic() - began)
    # A list must not lead to files that are not asked for.
    for name, body in [
            ("a list of others' files", listing(["<CommonPrefixes><Prefix>other/live/%s/</Prefix></CommonPrefixes>" % ("x" * 22)])),
            ("a list that leads up", listing(["<CommonPrefixes><Prefix>%s/live/../player/</Prefix></CommonPrefixes>" % PREFIX.replace("&", "&amp;")])),
            ("a list without end", listing([], more % "again")),
            ("a long token", listing([], more % ("x" * 10 ** 6))),
            ("a list of nothing", listing(["<CommonPrefixes><Prefix></Prefix></CommonPrefixes>" * 1000])),
            ("half a list", listing(["<CommonPrefixes><Prefix>"])[:60]),
            ("a list of entities", listing(["<CommonPrefixes><Prefix>%s</Prefix></CommonPrefixes>" % ("&x;" * 10 ** 5)]))]:
        before = dict(t.bucket.files)
        t.bucket.faults[:] = [lambda h, m, k, b=body: m == "GET" and not k and (h.send(200, b) or True)]
        code, said = t.cloud.run(t.now, "archive")
        t.bucket.faults.clear()
        check(code or name == "half a list", name, code, said)
        lost = [k for k in before if k not in t.bucket.files]
        check(not lost, name, lost[:3])
    check(not strangers, "another server was asked")
    t.bucket.faults.clear()
    t.both("archive", "--rebuild")
    t.same("after malice")


def main():
    check = Check()
    wrong = s3.wrong_examples()
    check(not wrong, "signatures of Amazon's examples", wrong)
    folder = tempfile.mkdtemp(prefix="pbm-bucket-")
    server = s3.Server()
    t = Twins(os.path.abspath(sys.argv[1]), folder, server, check)
    days(t, check)
    board = faults(t, check)
    check(not t.bucket.wrong, "requests that no S3 takes", t.bucket.wrong[:3])
    killed(t, check, board)
    wrong_settings(t, check)
    hostile(t, check)
    check(s3.SECRET not in t.cloud.said, "the secret is in the log")
    leaks = re.findall("level=.*live/[a-z2-7]{10}.*", t.cloud.said)
    check(not leaks, "the address of a live page is in the log:", leaks[:3])
    check(all(k.startswith(PREFIX + "/") for k in t.bucket.files), "files above the prefix")
    shutil.rmtree(folder)
    print("%d passed, %d failed" % (check.passed, check.failed))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
