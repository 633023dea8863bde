"""What must be true after the month, whatever happened in it."""
import collections
import subprocess

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


def games_are_legal(month, t):
    """Each game replayed by `pbm position`; its summary is what the replay gives."""
    for g in month.site.games():
        seen = month.site.ask(g, moves_of(g))
        t.check(seen["error"] is None, "board %d can't be replayed: %s" % (g["board"], seen["error"]))
        t.check(seen["fen"] == g["fen"], "board %d: %s instead of %s" % (g["board"], g["fen"], seen["fen"]))


def everything_happened(month, t):
    games = month.site.games()
    kinds = collections.Counter(g["game"] for g in games if g["ply"] > 0)
    t.check(len(kinds) >= 15, "games of only these kinds had moves: %s" % kinds)
    states = collections.Counter(g["state"] for g in games)
    t.check(states["finished"] >= 5, "%s" % states)
    ends = collections.Counter(g["reason"] for g in games if g["state"] == "finished")
    print(states, ends, len(month.mails), "mails")


def fsck_is_clean(month, t):
    done = subprocess.run([month.site.pbm, "-C", month.site.folder, "fsck"], capture_output=True, text=True,
                          check=False)
    t.check(done.returncode == 0, done.stdout + done.stderr)


CHECKS = [mails_are_sent_once, games_are_legal, everything_happened, fsck_is_clean]


def check_all(month):
    t = Tally()
    for check in CHECKS:
        check(month, t)
    return t
