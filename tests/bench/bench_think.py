#!/usr/bin/env python3
"""Computers beside the rest of a site.

    tests/bench/bench_think.py build/pbm BENCH tick [MAILS]      a run over mails while computers are to move on
                                                                 as many boards, beside one where people are
    tests/bench/bench_think.py build/pbm BENCH puzzles [N]       N puzzles, judged by Fairy-Stockfish

BENCH is the program of bench.c."""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

FAIRY = "/usr/games/fairy-stockfish"
# Games that Fairy-Stockfish knows, by its names, and its score beyond which a turn wins.
KNOWN = {"chess": "chess", "threecheck": "3check", "kingofthehill": "kingofthehill",
         "crazyhouse": "crazyhouse", "suicide": "suicide", "antichess": "antichess", "giveaway": "giveaway",
         "losers": "losers"}
NODES = 2000000
WINNING = 150
LEVELS = (2, 2, 3, 3)


def pbm_in(pbm, site, *words, text=None):
    return subprocess.run([pbm, "-C", site, "-q", *words], check=True, input=text, text=True,
                          stdout=subprocess.PIPE).stdout


def seat_computer(site, boards):
    """Half of the boards, those without a mail, are a computer's."""
    for path in glob.glob(site + "/games/*/*.json"):
        if int(os.path.basename(path)[:-5]) > boards:
            with open(path, encoding="utf-8") as f:
                text = f.read()
            with open(path, "w", encoding="utf-8") as f:
                f.write(text.replace('"alice"', '"robot1"'))


def tick_site(pbm, bench, site, mails, computers):
    subprocess.run([bench, "--make", site, str(2 * mails)], check=True)
    with open(site + "/pbm.conf", "a", encoding="utf-8") as conf:
        conf.write("\nsender-per-day = 1000000\nmails-per-run = 1000000\nsend-seconds = 3600\n")
    waiting = sorted(os.listdir(site + "/inbox/new"), key=lambda name: int(name.split(".")[1]))
    for name in waiting[mails:]:
        os.unlink(site + "/inbox/new/" + name)
    pbm_in(pbm, site, "computer", "add", "robot1", "all", "1")
    if computers:
        seat_computer(site, mails)
    pbm_in(pbm, site, "reindex")


def instructions(pbm, site):
    """Of a run of tick: times differ more on a busy machine than what is measured."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", pbm, "-C", site, "-q",
                          "tick"], check=True, stderr=subprocess.PIPE, text=True)
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def tick(pbm, bench, mails):
    count, due = [], []
    with tempfile.TemporaryDirectory(prefix="bench-", dir="build") as folder:
        for computers in (0, 1):
            site = "%s/%d" % (folder, computers)
            tick_site(pbm, bench, site, mails, computers)
            due.append(int(re.search(r"robot1.* (\d+) running", pbm_in(pbm, site, "computer", "list"))[1]))
            count.append(instructions(pbm, site))
    print("tick: %d mails, %d boards of computers: %d instructions; %d boards: %d; %+.2f %% (2)" %
          (mails, due[0], count[0], due[1], count[1], 100 * (count[1] / count[0] - 1)))


class Fairy:
    def __init__(self, variant):
        self.program = subprocess.Popen([FAIRY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("uci", "setoption name Use NNUE value false", "setoption name UCI_Variant value " + variant,
                 "setoption name MultiPV value 2")

    def say(self, *lines):
        self.program.stdin.write("\n".join(lines) + "\n")
        self.program.stdin.flush()

    def two_best(self, fen, moves):
        """[(turn, score)]; a win is 100000."""
        best = {}
        self.say("ucinewgame", "position fen %s moves %s" % (fen, " ".join(moves)), "go nodes %d" % NODES)
        for line in self.program.stdout:
            if line.startswith("bestmove"):
                break
            found = re.search(r"(?:multipv (\d+))? score (cp|mate) (-?\d+) .* pv (\S+)", line)
            if found:
                score = int(found[3]) if found[2] == "cp" else 100000 if int(found[3]) > 0 else -100000
                best[found[1] or "1"] = (found[4], score)
        return [best[k] for k in sorted(best)]


def has_one_solution(fairy, fen, moves):
    """Does it find each turn of the solver, and no other one that wins?"""
    for i in range(0, len(moves), 2):
        best = fairy.two_best(fen, moves[:i])
        if not best or best[0][0] != moves[i] or best[0][1] < WINNING:
            return "after %s: %s" % (" ".join(moves[:i]) or "nothing", best)
        if len(best) > 1 and best[1][1] >= max(WINNING, best[0][1] / 2):
            return "after %s also: %s" % (" ".join(moves[:i]) or "nothing", best)
    return ""


def fen_for_fairy(fen):
    """The checks that were given, +1+0, as those that are left: 2+3, before the clock."""
    found = re.match(r"((?:\S+ ){4})(.*) \+(\d)\+(\d)$", fen)
    return "%s%d+%d %s" % (found[1], 3 - int(found[3]), 3 - int(found[4]), found[2]) if found else fen


def puzzles_of(pbm, site):
    """(game, FEN, solution) of each puzzle of the site."""
    for path in glob.glob(site + "/games/*/*.json"):
        with open(path, encoding="utf-8") as f:
            game = json.load(f)
        if "puzzle" not in game:
            continue
        ply, *solution = game["puzzle"].split()
        turns = [e["move"] for e in game["events"] if e["kind"] == "move"][:int(ply)]
        question = {"game": game["game"], "moves": turns}
        answer = json.loads(pbm_in(pbm, site, "position", "--batch", text=json.dumps(question) + "\n"))
        yield game["game"], fen_for_fairy(answer["fen"]), solution


def make_games(pbm, site):
    """Each game that Fairy-Stockfish knows, between computers, judged."""
    pbm_in(pbm, ".", "init", site, "--host", "localhost")
    with open(site + "/pbm.conf", "a", encoding="utf-8") as conf:
        conf.write("\nanalysis-nodes = 20000\npuzzle-stock = 10000\n")
    pbm_in(pbm, site, "user", "add", "carol", "carol@localhost")
    pbm_in(pbm, site, "user", "role", "carol", "moderator", "for the games")
    names = ["robot%d" % i for i, _ in enumerate(LEVELS)]
    for name, level in zip(names, LEVELS):
        pbm_in(pbm, site, "computer", "add", name, "all", str(level))
    pbm_in(pbm, site, "talk", "carol",
           text="".join("%s challenge %s %s\n" % (game, *random.sample(names, 2)) for game in KNOWN))
    pbm_in(pbm, site, "think", "--seconds", "86400")


def puzzles(pbm, _bench, wanted):
    good, bad, sites = 0, [], 0
    fairies = {}
    with tempfile.TemporaryDirectory(prefix="bench-", dir="build") as folder:
        while good + len(bad) < wanted:
            site = "%s/%d" % (folder, sites)
            sites += 1
            make_games(pbm, site)
            for game, fen, solution in puzzles_of(pbm, site):
                if game not in fairies:
                    fairies[game] = Fairy(KNOWN[game])
                why = has_one_solution(fairies[game], fen, solution)
                good += not why
                bad += ["%s %s %s: %s" % (game, fen, " ".join(solution), why)] if why else []
            print("puzzles: %d of %d have one solution for Fairy-Stockfish too" % (good, good + len(bad)), flush=True)
    print("\n".join(bad))


def main():
    pbm, bench, part, *n = sys.argv[1:]
    work, usual = {"tick": (tick, 1000), "puzzles": (puzzles, 300)}[part]
    work(os.path.abspath(pbm), os.path.abspath(bench), int(n[0]) if n else usual)


main()
