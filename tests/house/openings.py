#!/usr/bin/env python3
"""Makes templates/openings/GAME.tsv, the names of positions that openings lead to.

  tests/house/openings.py build/pbm GAME FILE.tsv… >templates/openings/GAME.tsv

A line of FILE.tsv has an ECO code or -, a name, and turns as PGN: "C50<Tab>Italian Game<Tab>1. e4 e5 2. Nf3 Nc6
3. Bc4".  A line of what is made has the key of the position instead of the turns (pbm/record/opening_name.h)."""
import json
import re
import subprocess
import sys

PLIES = 16


def key(fen):
    """FNV-1a of a FEN without its numbers, 48 bits."""
    h = 0xcbf29ce484222325
    for byte in " ".join(fen.split()[:4]).encode():
        h = (h ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return f"{h >> 16:012x}"


def main():
    rows, asked = [], []
    for path in sys.argv[3:]:
        for line in open(path, encoding="utf-8"):
            eco, name, pgn = line.rstrip("\n").split("\t")
            moves = [w for w in pgn.split() if not re.match(r"\d+\.", w)]
            if eco != "eco" and len(moves) <= PLIES:
                rows.append((eco, name))
                asked.append(json.dumps({"game": sys.argv[2], "options": [], "fen": None, "moves": moves}))
    answers = subprocess.run([sys.argv[1], "position", "--batch"], input="\n".join(asked) + "\n",
                             text=True, check=True, capture_output=True).stdout.splitlines()
    found = {}
    for row, answer in zip(rows, answers, strict=True):
        found.setdefault(key(json.loads(answer)["fen"]), row)
    print("\n".join("\t".join((k, *found[k])) for k in sorted(found)))


main()
