"""A site with finished games of every kind, made by the program from lines of mail.

    tests/browser/made_site.py build/pbm FOLDER

The games are short: known ones, or turns that a seed chooses, captures first."""
import datetime
import json
import os
import random
import subprocess
import sys

START = datetime.datetime(2026, 12, 1, 10)
PLIES = 30  # of a game whose turns are chosen; then somebody gives up
HOSTILE = "<script>alert(1)</script> & \"quoted\" 'words' <img src=x onerror=alert(2)>"

OPERA = """e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5
Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"""
WATKINS = """d4 e5 dxe5 Qg5 Qxd7 Bxd7 Bxg5 Kd8 Bxd8 a6 Bxc7 Ra7 Bxb8 b6 Bxa7 a5 Bxb6 g6 Bxa5 Bb4
Bxb4 Ne7 Bxe7 Rf8 Bxf8 h6 Bxh6 g5 Bxg5 f6 Bxf6 Bh3 Nxh3"""
AVALANCHE = """f4,h6 Na6,c3 c4,g6 Nf6,f5 c5,e6 b6,a3 e3,e5 Nb8,d3 Bd2,g5 bxc5,h3 Qc2,g4 Be7,e4
Ba5,c6"""

# game, options, White, Black, turns ("" to have them chosen)
GAMES = [
    ("chess", [], "alice", "bob", OPERA),
    ("antichess", [], "carol", "dave", WATKINS),
    ("avalanchechess", ["-reversed"], "alice", "bob", AVALANCHE),
    ("atomic", [], "bob", "alice", "Nf3 d5 Ne5 a6 Nxf7#"),
    ("connectedchess", [], "alice", "carol", ""),
    ("connectedchess", ["-half"], "dave", "alice", ""),
    ("connectedchess", ["-friendly"], "bob", "carol", ""),
    ("allmate", [], "alice", "bob", ""),
    ("allmate", ["-cascade-both"], "carol", "bob", ""),
    ("avalanchechess", ["-standard"], "bob", "dave", ""),
    ("avalanchechess", ["-balanced"], "carol", "alice", ""),
    ("threecheck", [], "bob", "alice", ""),
    ("suicide", [], "alice", "bob", ""),
    ("giveaway", [], "bob", "dave", ""),
    ("losers", [], "alice", "dave", ""),
    ("kamikaze", [], "carol", "bob", ""),
    ("kamikaze2", [], "alice", "carol", ""),
    ("losing2", [], "dave", "bob", ""),
    ("losing3", [], "alice", "dave", ""),
    ("losing4", [], "carol", "dave", ""),
    ("losing5", [], "bob", "carol", ""),
    ("atomic", [], "alice", "dave", ""),
    ("crazyhouse", [], "carol", "dave", "e4 e6 d4 Qe7 e5 Nf6 exf6 Qd6 N@b5 gxf6 Nxd6+ Kd8 Q@e8"),
    ("crazyhouse", [], "bob", "alice", ""),
]
# Texts of players between moves: (ply, who, line).
BETWEEN = {
    1: [(4, "bob", "chat %d A pity about the bishop, but I like the open file."),
        (9, "alice", "draw %d")],
    3: [(4, "bob", "undo %d"), (4, "alice", "accept %d"), (4, "bob", "move %d Nf6,f5"), (7, "bob", "chat %d Zwei Züge auf einmal – schön!"),
        (10, "alice", "chat %d " + HOSTILE)],
}
PLAYERS = {"alice": "alice@example.org", "bob": "bob@example.net", "carol": "carol@example.org",
           "dave": "dave@example.com"}


class Rules:
    """Positions, from `pbm position --batch`."""

    def __init__(self, pbm):
        self.process = subprocess.Popen([pbm, "position", "--batch"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def position(self, game, options, moves):
        line = json.dumps({"game": game, "options": options, "fen": None, "moves": moves})
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def choose(rules, game, options, seed):
    """Turns of a game in which both like to take and to push men off."""
    rng, turns = random.Random(seed), []
    at = rules.position(game, options, turns)
    while at["result"] == "*" and len(turns) < PLIES:
        rough = [s for s in at["san"] if "x" in s or "X" in s]
        turn = rng.choice(rough if rough and rng.random() < 0.7 else at["san"])
        after = rules.position(game, options, turns + [turn])
        if "pusher" in (after["reason"] or ""):
            continue  # the server would ask whether that is meant
        turns, at = turns + [turn], after
    return turns


class Site:
    def __init__(self, pbm, folder):
        self.pbm, self.folder, self.now = pbm, folder, START
        self.call("init", folder, "--host", "pbm.example.org")
        for name, address in PLAYERS.items():
            self.call("-C", folder, "--now", self.time(), "user", "add", name, address)

    def time(self):
        return self.now.strftime("%Y-%m-%dT%H:%M:%SZ")

    def call(self, *words, text=None):
        return subprocess.run([self.pbm, *words], input=text, check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout

    def write(self, lines):
        """[(who, line)]: everybody's lines at one time, each a mail."""
        for who in PLAYERS:
            mine = [line for name, line in lines if name == who]
            if mine:
                self.call("-C", self.folder, "--now", self.time(), "talk", who,
                          text="\n".join(mine) + "\n")
        self.now += datetime.timedelta(hours=7)


def begin(site):
    n = len(GAMES)
    site.write([(white, " ".join([game, "challenge", white, black, *options]))
                for game, options, white, black, _ in GAMES])
    records = [json.load(open(f"{site.folder}/games/000/{i + 1}.json")) for i in range(n)]
    order = {(r["game"], r.get("options", ""), r["white"], r["black"]): r["board"] for r in records}
    boards = []
    for game, options, white, black, _ in GAMES:
        boards.append(next(b for (g, o, w, k), b in order.items() if (g, w, k) ==
                           (game, white, black) and all(x in o for x in options)))
    site.write([(black, f"accept {b}") for b, (_, _, _, black, _) in zip(boards, GAMES)])
    return boards


def play_cup(site, board):
    """A tournament of two games, which the search finds by its name."""
    site.call("-C", site.folder, "--now", site.time(), "user", "role", "carol", "director", "for", "the", "cup")
    site.write([("carol", "mod tournament new cup chess -double -players=2-4")])
    site.write([("alice", "join cup"), ("bob", "join cup")])
    site.write([("carol", "mod tournament cup start"), ("carol", "ok")])
    for n in (board, board + 1):
        record = json.load(open(f"{site.folder}/games/000/{n}.json"))
        for ply, turn in enumerate(["f3", "e5", "g4", "Qh4#"]):
            site.write([(record["black" if ply % 2 else "white"], f"move {n} {turn}")])


def make(pbm, folder):
    """Returns [(board, game, options, turns)], and the Rules they came from."""
    rules = Rules(pbm)
    site = Site(pbm, folder)
    boards = begin(site)
    games = []
    for n, (game, options, white, black, turns) in enumerate(GAMES):
        turns = turns.split() or choose(rules, game, options, n)
        black_begins = rules.position(game, options, [])["turn"] == "black"
        games.append((boards[n], (black, white) if black_begins else (white, black), turns))
    for ply in range(max(len(turns) for _, _, turns in games) + 1):
        lines = []
        for n, (board, seats, turns) in enumerate(games):
            for at, who, line in BETWEEN.get(n + 1, ()):
                if at == ply:
                    site.write([(who, line % board)])
            if ply < len(turns):
                lines.append((seats[ply % 2], f"move {board} {turns[ply]}"))
            elif ply == len(turns):
                lines.append((seats[ply % 2], f"resign {board}"))
        site.write(lines)
    # Two that nobody may find in the archive: one goes on, one is private and goes on.
    site.write([("alice", "chess challenge alice bob"), ("bob", "chess challenge bob alice -private")])
    site.write([("bob", f"accept {len(GAMES) + 1}"), ("alice", f"accept {len(GAMES) + 2}")])
    play_cup(site, len(GAMES) + 3)
    return [(board, game, options, turns) for (board, _, turns), (game, options, *_)
            in zip(games, GAMES)], rules


if __name__ == "__main__":
    make(os.path.abspath(sys.argv[1]), sys.argv[2])
