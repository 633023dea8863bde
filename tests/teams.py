#!/usr/bin/env python3
"""A league of six teams, and a Swiss tournament with two games a pairing, both by mail alone:
players ask and are invited, play, leave, don't come.  Then documents, mails and pages are checked.

    tests/teams.py build/pbm [FOLDER]
        FOLDER:  keep the site there

Ends with "N passed, M failed"."""
import collections
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tournament import Checks, Half, pages  # noqa: E402

BOARDS, ROUNDS = 3, 3
TEAMS = {"tigers": 4, "lions": 3, "bears": 3, "wolves": 3, "foxes": 3, "owls": 4, "ants": 2}  # players
MEMBERS = {team: ["%s%d" % (team, i) for i in range(n)] for team, n in TEAMS.items()}
PAIRS = ["q%d" % i for i in range(7)]
SILENT = {"bears1": 1, "q3": 2}     # who never moves in that round
TERMS = "-days=4 -reserve=2 -forfeit=1"


class League(Half):
    def __init__(self, pbm, folder):
        super().__init__(pbm, folder, sum(MEMBERS.values(), []) + PAIRS)

    def enter_teams(self):
        self.write("carol", "mod tournament new league suicide -swiss=%d -teams=%d -players=2-8 %s"
                   % (ROUNDS, BOARDS, TERMS))
        self.tick()
        for team, members in MEMBERS.items():
            self.write(members[0], "join league team " + team)
        self.tick()
        for team, members in MEMBERS.items():
            for i, name in enumerate(members[1:]):       # invited, or asking
                if i % 2:
                    self.write(members[0], "team league add " + name)
                else:
                    self.write(name, "join league team " + team)
        self.tick()
        for team, members in MEMBERS.items():
            for i, name in enumerate(members[1:]):
                if i % 2:
                    self.write(name, "join league team " + team)
                else:
                    self.write(members[0], "team league add " + name)
        self.tick()

    def enter_pairs(self):
        self.write("carol", "mod tournament new pairs suicide -swiss=%d -boards=2 -players=2-8 %s" % (ROUNDS, TERMS))
        self.tick()
        for name in PAIRS:
            self.write(name, "join pairs")
        self.tick()

    def leave(self, number):
        """Those who leave in that round; their running games go on."""
        if number == 1:
            self.confirmed("tigers1", "leave league")    # a substitute plays from now on
            self.confirmed("lions2", "leave league")     # the last board is without a player
        if number == 2:
            self.confirmed("foxes0", "team league withdraw")
        self.tick()

    def run(self):
        self.enter_teams()
        self.enter_pairs()
        self.confirmed("carol", "mod tournament league start")
        self.confirmed("carol", "mod tournament pairs start")
        for number in range(1, ROUNDS + 1):
            self.leave(number)
            for name in ("league", "pairs"):
                self.play(number, name, SILENT)
            for _ in range(30):
                if all(self.doc(name).get("ended") or len(self.doc(name)["rounds_paired"]) > number
                       for name in ("league", "pairs")):
                    break
                self.tick(1)


def matches_of(doc):
    """[(round, white, black or 0, games)] in the order of the document; numbers of teams."""
    team, found, i = [e["team"] for e in doc["entries"]], [], 0
    while i < len(doc["games"]):
        g = doc["games"][i]
        n = BOARDS if g.get("black") else 1
        found.append((g["round"], team[g["white"] - 1], team[g["black"] - 1] if g.get("black") else 0,
                      doc["games"][i:i + n]))
        i += n
    return found


def points(g, number):
    return g.get("points_white" if g["white"] == number else "points_black", 0)


def check_league(c, doc):
    met, colours, total, boards = set(), collections.Counter(), collections.Counter(), collections.Counter()
    team = [e["team"] for e in doc["entries"]]
    c.true("it is over", doc["state"] == "finished", doc["state"])
    c.true("six teams", [t["name"] for t in doc["teams"]].count("ants") == 0 and len(doc["teams"]) == 6)
    for number, white, black, games in matches_of(doc):
        what = "round %d, %d-%d" % (number, white, black)
        if not black:
            total[white] += 2
            boards[white] += BOARDS
            continue
        c.true(what + ": not twice", (white, black) not in met)
        met |= {(white, black), (black, white)}
        colours[white] += 1
        colours[black] -= 1
        sides = [[team[g["white"] - 1], team[g["black"] - 1]] for g in games]
        c.true(what + ": colours alternate", sides == [[white, black], [black, white], [white, black]], sides)
        players = [n for g in games for n in (g["white"], g["black"])]
        c.true(what + ": one board each", len(set(players)) == 2 * BOARDS, players)
        own = [[points(g, n) for g in games for n in (g["white"], g["black"]) if team[n - 1] == side]
               for side in (white, black)]
        sums = [sum(v) for v in own]
        c.true(what + ": each board counts once", sum(sums) == 2 * BOARDS, sums)
        for side, mine, other in ((white, *sums), (black, *reversed(sums))):
            boards[side] += mine
            total[side] += 2 if mine > other else 1 if mine == other else 0
        for k in (0, 1):    # those who play stand in the order of the boards
            line = [g["white"] if team[g["white"] - 1] == (white, black)[k] else g["black"] for g in games]
            played = [n for n, g in zip(line, games) if g.get("board")]
            c.true(what + ": in order", played == sorted(played), line)
    c.true("colours are balanced", max(map(abs, colours.values())) <= 2, colours)
    return total, boards


def check_absence(c, doc):
    number = {e["userid"]: i + 1 for i, e in enumerate(doc["entries"])}
    for name in ("tigers1", "lions2"):
        late = [g for g in doc["games"] if g["round"] > 1 and g.get("board") and number[name] in (g["white"], g.get("black"))]
        c.true("%s plays no more" % name, not late, late)
    forfeits = [g for g in doc["games"] if not g.get("board") and g.get("black")]
    c.true("a board of the lions is lost", any(number["lions2"] in (g["white"], g["black"]) for g in forfeits), forfeits)
    c.true("the substitute plays", any(number["tigers%d" % k] in (g["white"], g.get("black")) for g in doc["games"]
                                       for k in (3,) if g["round"] > 1))
    foxes = [t for t in doc["teams"] if t["name"] == "foxes"][0]
    c.true("the foxes are out", foxes["standing"] == "withdrawn", foxes)
    c.true("the foxes are paired no more", not [m for m in matches_of(doc) if m[0] == 3 and
                                                doc["teams"].index(foxes) + 1 in m[1:3]])


def check_table(c, half, doc, total, boards):
    half.write("tigers0", "tournament league")
    (answer,) = [m for m in half.tick() if m.rcpt == "tigers0"]
    for i, t in enumerate(doc["teams"]):
        row = re.search(r"^ +\d+ +%s +\d+ +(\d+) +([\d.]+) " % t["name"], answer.text, re.M)
        got = row and (int(row.group(1)), float(row.group(2)))
        c.true("the points of " + t["name"], got == (total[i + 1], boards[i + 1] / 2), (got, total[i + 1], boards[i + 1]))
    c.true("the captain is named", re.search(r"foxes0 .*\(captain\)|foxes0 .*\(has left\)", answer.text))


def check_pairs(c, doc):
    c.true("the pairs are over", doc["state"] == "finished", doc["state"])
    met, white, i = set(), collections.Counter(), 0
    while i < len(doc["games"]):
        g = doc["games"][i]
        if not g.get("black"):
            i += 1
            continue
        first, second = doc["games"][i:i + 2]
        i += 2
        pair = tuple(sorted((first["white"], first["black"])))
        c.true("two games, both colours", (second["white"], second["black"]) == (first["black"], first["white"]))
        if first.get("played") or second.get("played"):
            c.true("nobody meets twice", pair not in met, pair)
            met.add(pair)
        white[first["white"]] += 1
        white[second["white"]] += 1
    for number in range(1, ROUNDS + 1):
        who = [g[side] for g in doc["games"] if g["round"] == number for side in ("white", "black") if g.get(side)]
        c.true("each twice in round %d, or once with a bye" % number, sorted(set(collections.Counter(who).values())) == [1, 2])
    byes = collections.Counter(g["white"] for g in doc["games"] if not g.get("black"))
    c.true("one bye each", max(byes.values()) == 1)


def check_site(c, half):
    folder = half.site.folder
    games = half.site.games()
    boards = [g["board"] for name in ("league", "pairs") for g in half.doc(name)["games"] if g.get("board")]
    c.true("a game for each board", sorted(boards) == sorted(g["board"] for g in games))
    told = collections.Counter((m.rcpt, m.subject) for m in half.mails if "ound 2 of league" in m.subject)
    c.true("one mail a round", max(told.values()) == 1, told.most_common(2))
    half.site.run("fsck")
    before = pages(folder)
    c.true("pages", {"archive/tournament/league/index.html", "archive/tournament/pairs/index.html"} <= before.keys())
    half.site.run("archive")
    after = pages(folder)
    c.true("a rebuild changes nothing", before == after, [k for k in before.keys() | after.keys()
                                                          if before.get(k) != after.get(k)][:5])
    half.site.run("reindex")
    half.site.run("fsck")
    with open(folder + "/archive/tournament/league/index.html", encoding="utf-8") as f:
        page = f.read()
    links = set(re.findall(r'href="#?([^"]*#match-\d+)"', page))
    c.true("cells link to matches", links and all('id="%s"' % link.split("#")[1] in page for link in links), links)


def main():
    pbm, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    c = Checks()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="pbm-teams-", dir=memory) as folder:
        half = League(pbm, words[0] if words else folder + "/site")
        try:
            half.run()
            doc = half.doc("league")
            total, boards = check_league(c, doc)
            check_absence(c, doc)
            check_table(c, half, doc, total, boards)
            check_pairs(c, half.doc("pairs"))
            check_site(c, half)
        finally:
            half.site.close()
    print("%d passed, %d failed" % (c.passed, c.failed))
    return c.failed > 0


if __name__ == "__main__":
    sys.exit(main())
