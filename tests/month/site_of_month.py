"""A site of pbm on a simulated clock.  Mails are put into its Maildir with the time at
which they came; mails that it sends are taken out, as a mail server would.  Its store is in
PostgreSQL if tests/postgres.sh runs the test."""
import base64
import datetime
import email
import email.policy
import functools
import glob
import json
import os
import subprocess
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/util")
import schema  # noqa: E402

START = datetime.datetime(2026, 11, 30, 6, tzinfo=datetime.timezone.utc)
HOST = "pbm.example.org"
SECRET = "1 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


class Mail:
    """One mail of the site, read as a person's mail program reads it."""

    def __init__(self, raw, at):
        self.raw, self.at = raw, at
        self.msg = email.message_from_bytes(raw, policy=email.policy.default)
        self.rcpt = str(self.msg["Delivered-To"])
        self.subject = str(self.msg["Subject"])
        self.id = str(self.msg["Message-ID"])
        self.reply_to = str(self.msg["Reply-To"]).strip("<>")
        body = self.msg.get_body(("plain",))
        self.text = body.get_content().replace("\r", "") if body else ""

    @functools.cached_property      # asked for again for each secret
    def attachments(self):
        return [str(part.get_content()) for part in self.msg.iter_attachments()]


class Site:
    def __init__(self, pbm, folder):
        self.pbm, self.folder, self.now, self.fed = pbm, folder, START, 0
        server = os.environ.get("PBM_TEST_STORE")
        self.url = server and server + "&options=-csearch_path%3Dmonth"
        store = self.url or "sqlite:"
        self.run("init", folder, "--host", HOST, "--store", store, site=False)
        self.write("secret", SECRET + "\n")
        self.write("pbm.conf", "host = %s\nstore = %s\nstrangers-per-run = 100\nmails-per-run = 5000\n" % (HOST, store))
        self.oracle = subprocess.Popen([pbm, "position", "--batch"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)

    def close(self):
        self.oracle.stdin.close()
        self.oracle.wait()
        bad = schema.wrong(self.folder)
        if bad:
            raise AssertionError("\n".join(bad[:schema.SHOWN]))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.write(text)

    def run(self, *words, site=True):
        """A command of pbm at the simulated time; what it printed."""
        args = [self.pbm] + (["-C", self.folder] if site else [])
        args += ["--now", self.now.strftime("%Y-%m-%dT%H:%M:%SZ")]
        done = subprocess.run(args + list(words), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError("pbm %s: %d: %s%s" % (" ".join(words), done.returncode, done.stdout, done.stderr))
        return done.stdout

    def feed(self, raw, at):
        """A mail reaches the Maildir at this time, later than it is now or not."""
        stamp = int(at.timestamp())
        path = "%s/inbox/new/%d.%06d.month" % (self.folder, stamp, self.fed)
        self.fed += 1
        with open(path, "wb") as f:
            f.write(raw)
        os.utime(path, (stamp, stamp))

    def tick(self):
        """One run; the mails that it sent, oldest first."""
        self.run("-q", "tick")
        self.export()
        return self.collect()

    def export(self):
        """Writes documents that are rows of a server to the files where SQLite has them."""
        if not self.url:
            return
        rows = subprocess.run(
            ["psql", "-At", self.url, "-c",
             "SELECT path || ' ' || translate(encode(string_agg(bytes, ''::bytea ORDER BY at), 'base64'), E'\\n', '')"
             " FROM documents GROUP BY path"], capture_output=True, text=True, check=True).stdout
        for path, text in (row.split() for row in rows.splitlines()):
            os.makedirs(os.path.dirname(self.folder + "/" + path), exist_ok=True)
            with open(self.folder + "/" + path, "wb") as f:
                f.write(base64.b64decode(text))

    def collect(self):
        found = []
        paths = glob.glob(self.folder + "/sent/new/*")
        for path in sorted(paths):  # by name: the same order on every machine
            with open(path, "rb") as f:
                found.append(Mail(f.read(), self.now))
            os.rename(path, path.replace("/sent/new/", "/sent/cur/"))
        return found

    def game(self, board):
        with open("%s/games/%03d/%d.json" % (self.folder, board // 1000, board), encoding="utf-8") as f:
            return json.load(f)

    def games(self):
        paths = glob.glob(self.folder + "/games/*/*.json")
        return [self.game(int(os.path.basename(p)[:-5])) for p in sorted(paths, key=lambda p: (len(p), p))]

    def player(self, userid):
        with open("%s/players/%s.json" % (self.folder, userid), encoding="utf-8") as f:
            return json.load(f)

    def ask(self, game, moves):
        """The output of `pbm position` after these turns of the game."""
        row = {"game": game["game"], "options": game.get("options", "").split(), "moves": moves}
        if game.get("start_fen"):
            row["fen"] = game["start_fen"]
        self.oracle.stdin.write(json.dumps(row) + "\n")
        self.oracle.stdin.flush()
        return json.loads(self.oracle.stdout.readline())


def moves_of(game):
    """The turns that stand on the board: what was taken back is gone."""
    moves = []
    for e in game["events"]:
        if e["kind"] == "move":
            moves.append(e["move"])
        elif e["kind"] == "undo":
            del moves[len(moves) - e["number"]:]
    return moves
