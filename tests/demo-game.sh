#!/bin/sh
# One line about a game file, from its JSON keys, which stand one a line.
get() { sed -n "s/^ *\"$2\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1" | head -1; }
players=$(sed -n 's/^ *"players": *\[ *"\([^"]*\)" *, *"\([^"]*\)".*/\1 (White) and \2 (Black)/p' "$1")
echo "Board $(get "$1" board): $(get "$1" game), $players, $(get "$1" ply) plies: $(get "$1" result), $(get "$1" reason)"
