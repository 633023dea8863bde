"""Conditions that hold after the month, whatever happened in it."""
import collections
import difflib
import glob
import os
import re
import subprocess

from people import SERVER
from site_of_month import moves_of


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, right, what):
        self.passed += bool(right)
        if not right:
            self.failed += 1
            print("FAILED: " + what, flush=True)


def mails_are_sent_once(month, t):
    ids = collections.Counter((m.id, m.rcpt) for m in month.mails)
    for (name, rcpt), n in ids.items():
        t.check(n == 1, "%s was sent %d times to %s" % (name, n, rcpt))


def mails_go_to_players(month, t):
    for m in month.mails:
        t.check(m.rcpt.split("@")[0] in month.people, "a mail to %s: %s" % (m.rcpt, m.subject))


def games_are_legal(month, t):
    """Each game replayed by `pbm position`; its summary is what the replay gives."""
    for g in month.site.games():
        seen = month.site.ask(g, moves_of(g))
        t.check(seen["error"] is None, "board %d can't be replayed: %s" % (g["board"], seen["error"]))
        t.check(seen["fen"] == g["fen"], "board %d: %s instead of %s" % (g["board"], g["fen"], seen["fen"]))


def reply_addresses_are_personal(month, t):
    """A reply address is a proof, so nobody else may ever read it."""
    owners = {}
    for m in month.mails:
        if m.reply_to != SERVER:
            owners.setdefault(m.reply_to, set()).add(m.rcpt)
    for address, rcpts in owners.items():
        t.check(len(rcpts) == 1, "%s is the reply address of %s" % (address, rcpts))
    for m in month.mails:
        found = re.findall(r"pbm\+[\w.]+@[\w.]+\w", m.raw.decode("utf-8", "replace") + m.text)
        others = [a for a in found if owners.get(a, {m.rcpt}) != {m.rcpt}]
        t.check(not others, "%s reads %s" % (m.rcpt, others))


def public_files(site):
    for path in glob.glob(site.folder + "/archive/**/*", recursive=True):
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as f:
                yield path, f.read()


def secrets_are_kept(month, t):
    """Private notes and lines ahead: in nobody else's mail, and not in the archive."""
    public = list(public_files(month.site))
    for p in month.people.values():
        for secret in p.secrets:
            told = [m.rcpt + ": " + m.subject for m in month.mails
                    if m.rcpt != p.address and secret in m.text + "".join(m.attachments)]
            told += [path for path, text in public if secret in text]
            t.check(not told, "%s's \"%s\" is read in %s" % (p.name, secret, told))


def moves_are_played_once(month, t):
    """The record holds the turns that the players sent, in that order, each once."""
    for g in month.site.games():
        for seat in ("white", "black"):
            sent = iter(month.people[g[seat]].played[g["board"]])
            made = [e["san"] for e in g["events"]
                    if e["kind"] == "move" and e["seat"] == seat and not e.get("automatic")]
            for san in made:
                t.check(san in sent, "board %d: %s never sent %s, or sent it once" % (g["board"], g[seat], san))


def clocks_are_never_negative(month, t):
    wrong = [m.subject for m in month.mails if re.search(r"(?<![\w-])-\d+ (day|hour|minute)", m.text)]
    t.check(not wrong, "negative times: %s" % wrong)


def who_left_gets_answers_only(month, t):
    for p in month.people.values():
        for m in month.mails:
            if p.left and m.rcpt == p.address and m.at > p.left:
                t.check(str(m.msg["In-Reply-To"]) in p.sent, "%s has left and reads: %s" % (p.name, m.subject))


def everything_happened(month, t):
    """The month is no test of what didn't happen in it."""
    games = month.site.games()
    kinds = collections.Counter(g["game"] for g in games if g["ply"] > 0)
    t.check(len(kinds) >= 16, "games of only these kinds had moves: %s" % kinds)
    happened = collections.Counter(e["kind"] for g in games for e in g["events"])
    happened.update("automatic" for g in games for e in g["events"] if e.get("automatic"))
    happened.update(g["state"] for g in games)
    happened.update("time" for g in games if "out of time" in str(g.get("reason")))
    happened.update("rated" for g in games if g.get("ratings"))
    for what, least in {"finished": 8, "rated": 5, "time": 1, "undo": 1, "draw-offer": 2, "chat": 10, "remind": 3,
                        "extend": 1, "automatic": 5}.items():
        t.check(happened[what] >= least, "%s happened %d times: %s" % (what, happened[what], happened))


def pbm_says(month, *words):
    done = subprocess.run([month.site.pbm, "-C", month.site.folder] + list(words), capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def documents(month):
    texts = {}
    for kind in ("games", "players"):
        for path in glob.glob("%s/%s/**/*.json" % (month.site.folder, kind), recursive=True):
            with open(path, "rb") as f:
                texts[path] = f.read()
    return texts


def store_is_whole(month, t):
    before = documents(month)
    for words in (["fsck"], ["reindex"], ["fsck"]):
        code, said = pbm_says(month, *words)
        t.check(code == 0, "%s: %s" % (words, said))
    month.site.export()
    t.check(documents(month) == before, "fsck or reindex changed a document")


GOLDEN = os.path.dirname(os.path.abspath(__file__)) + "/../data/month/%s.txt"
READER = "iris"


def mailbox(month, name):
    """All mails to a player as text, without what only programs read."""
    lines = []
    for m in month.mails:
        if m.rcpt == name + "@example.org":
            text = re.sub(r"pbm\+[\w.]+@", "pbm+TOKEN@", m.text)
            lines += ["=" * 76, m.at.strftime("%a %d %b %Y %H:%M"), "Subject: " + m.subject, "", text.rstrip(), ""]
    return "\n".join(lines)


def mailbox_is_golden(month, t):
    """The whole correspondence of one player, word by word."""
    path, text = GOLDEN % READER, mailbox(month, READER)
    if month.write:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    with open(path, encoding="utf-8") as f:
        wanted = f.read()
    diff = difflib.unified_diff(wanted.split("\n"), text.split("\n"), "expected", "now", lineterm="", n=1)
    t.check(wanted == text, "%s reads other mails (tests/month.py PBM --write, then read the diff):\n%s" %
            (READER, "\n".join(list(diff)[:60])))


CHECKS = [mails_are_sent_once, mails_go_to_players, games_are_legal, reply_addresses_are_personal, secrets_are_kept,
          moves_are_played_once, clocks_are_never_negative, who_left_gets_answers_only, everything_happened,
          store_is_whole, mailbox_is_golden]


def check_all(month):
    t = Tally()
    for check in CHECKS:
        check(month, t)
    return t
