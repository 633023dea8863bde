"""Conditions that hold after the year, whatever happened in it."""
import collections
import datetime
import json
import os
import statistics
import subprocess

from checks import Tally
from site_of_month import START, moves_of

DAY = datetime.timedelta(days=1)


def runs_end_well(club, t):
    t.check(not club.site.wrong, "runs ended badly:\n" + "\n".join(club.site.wrong[:5]))
    met = [kind for kind, n in club.weather.met.items() if n]
    t.check(len(met) >= 4, "only these faults were met: %s" % met)


def mails_are_sent_once(club, t):
    twice = [key for key, n in club.sent.items() if n != 1]
    t.check(not twice, "%d mails were sent more than once: %s" % (len(twice), twice[:3]))
    t.check(not club.strays, "mails to strangers: %s" % club.strays[:3])
    waiting = club.site.waiting()
    t.check(not waiting, "%d mails were never sent" % len(waiting))


def turns_are_played_once(club, t):
    """Each turn that was sent stands at its ply, and nothing else does."""
    games = {g["board"]: g for g in club.games}
    made = {}
    for board, g in games.items():
        for ply, e in enumerate(e for e in g["events"] if e["kind"] == "move"):
            made[board, ply] = e["san"], e.get("automatic")
    sent, late = {}, []
    for turn in club.turns:
        sent[turn.board, turn.ply] = turn.turn
        if (turn.board, turn.ply) not in made and games[turn.board]["state"] == "running":
            t.check(False, "board %d: turn %d (%s) was sent on %s in mail %s and never played" % turn)
        elif (turn.board, turn.ply) not in made:
            late.append(turn)
        else:
            t.check(made[turn.board, turn.ply][0] == turn.turn, "board %d: another turn than %s" % (turn[0], turn))
    for key, (san, automatic) in made.items():
        t.check(automatic or sent.get(key) == san, "board %d, ply %d: %s was never sent" % (key + (san,)))
    t.check(len(late) <= len(club.turns) / 50, "%d turns came after the end of their game" % len(late))


def at(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def last_turn(game):
    return max(at(e["at"]) for e in game["events"] if e["kind"] in ("start", "move"))


def clocks_are_right(club, t):
    """Nobody loses on time early, and no game goes on without its player."""
    for g in club.games:
        days, silent = g["days"] + g["reserve"], None
        if "out of time" in g.get("reason", "") or "time" == g.get("reason"):
            silent = at(g["ended"]) - last_turn(g)
            t.check(silent >= g["days"] * DAY, "board %d ended after %s" % (g["board"], silent))
        elif g["state"] == "running":
            silent = club.site.now - last_turn(g)
            given = datetime.timedelta(seconds=sum(e["number"] for e in g["events"]
                                                   if e["kind"] == "extend" and at(e["at"]) >= last_turn(g)))
            longest = days + 7 + 30 + 6 + 3    # forfeit, vacations
            t.check(silent <= longest * DAY + given, "board %d stands still for %s" % (g["board"], silent))


def tournaments_are_whole(club, t):
    """Nobody meets twice, each pairing has one game, and each game one pairing."""
    folder, paired = club.site.folder + "/tournaments", collections.Counter()
    states = collections.Counter()
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            cup = json.load(f)
        states[cup["state"]] += 1
        met = collections.Counter()
        for g in cup.get("games", []):
            if g.get("board"):
                paired[cup["name"], g["board"]] += 1
            if g.get("black") and g.get("played"):
                met[tuple(sorted((g["white"], g["black"])))] += 1
        t.check(not met or max(met.values()) == 1, "%s: players met twice: %s" % (name, met))
    games = {(g["tournament"], g["board"]) for g in club.games if g.get("tournament")}
    t.check(games == set(paired), "games and pairings differ: %s" % sorted(games ^ set(paired))[:5])
    t.check(not paired or max(paired.values()) == 1, "a pairing was started twice")
    t.check(club.days < 120 or states["finished"] >= 1, "no tournament was finished: %s" % states)


def memory_is_flat(club, t):
    """The largest runs of the last quarter need no more than those of the second one."""
    quarter = len(club.site.sizes) // 4
    before, after = (statistics.quantiles(club.site.sizes[i * quarter:(i + 1) * quarter], n=20)[-1] for i in (1, 3))
    t.check(after <= before * 1.25, "a run took %d KiB, later %d" % (before, after))


def disk_is_bounded(club, t):
    """Bytes a game do not grow, and what is kept for a time only is given up again."""
    (half, n), (whole, m) = club.half, club.site.measure()
    for place in half:
        t.check(whole[place] / max(m, 1) <= 1.3 * half[place] / max(n, 1) + 4096,
                "%s: %d bytes for %d games, later %d for %d" % (place, half[place], n, whole[place], m))


def pbm_says(club, *words):
    now = club.site.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    done = subprocess.run([club.site.pbm, "-C", club.site.folder, "--now", now, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def store_is_whole(club, t):
    def documents():
        return {path: open(path, "rb").read() for kind in ("games", "players", "acts", "tournaments")
                for folder, _, names in os.walk(club.site.folder + "/" + kind)
                for path in (os.path.join(folder, name) for name in names)}
    before = documents()
    for words in (["fsck"], ["reindex"], ["fsck"], ["ratings", "--rebuild"], ["fsck"]):
        code, said = pbm_says(club, *words)
        t.check(code == 0, "%s: %s" % (words, said[-800:]))
    changed = [path for path, text in documents().items() if before.get(path) != text]
    t.check(not changed, "fsck, reindex or ratings changed %d documents: %s" % (len(changed), changed[:3]))


def archive_is_whole(club, t):
    """Every finished game has its page, and a rebuild makes the same bytes."""
    def pages():
        return {path: open(path, "rb").read() for folder, _, names in os.walk(club.site.folder + "/archive")
                for path in (os.path.join(folder, name) for name in names)}
    before = pages()
    for g in club.games:
        if g["state"] == "finished":
            path = "%s/archive/games/%03d/%d.html" % (club.site.folder, g["board"] // 1000, g["board"])
            t.check(path in before, "board %d has no page" % g["board"])
    code, said = pbm_says(club, "archive", "--rebuild")
    t.check(code == 0, "archive --rebuild: " + said[-500:])
    after = pages()
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    t.check(not changed, "a rebuild changes %d pages: %s" % (len(changed), changed[:5]))


def much_happened(club, t):
    states = collections.Counter(g["state"] for g in club.games)
    t.check(states["finished"] >= len(club.settled) * club.days / 200, "games: %s" % states)
    t.check(len(club.settled) >= 0.9 * len(club.members), "only %d players have an account" % len(club.settled))


CHECKS = [runs_end_well, mails_are_sent_once, turns_are_played_once, clocks_are_right, tournaments_are_whole, memory_is_flat, disk_is_bounded,
          archive_is_whole, store_is_whole, much_happened]


def check_all(club):
    t, club.games = Tally(), club.site.games()
    for check in CHECKS:
        check(club, t)
    return t
