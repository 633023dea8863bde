#!/bin/sh
# make bench-engine: the computers' speed, strength and place beside the rest, with what is wanted in
# parentheses.  GAMES=20 plays fewer games of each kind.
set -e
B=$1
engine=$B/tests/bench/engine

$engine speed
# The same turns and scores whatever the compiler and the processor.
turns() {
	env "$@" speed 3000 | sed 's/ *[0-9.]* M nodes.s//' | sha256sum
}
same=$( (turns $engine; turns PORTABLE=1 $engine; turns build/clang/tests/bench/engine) | uniq | wc -l)
echo "turns of gcc, of gcc without PEXT and of clang: $same kind (1)"
$engine proofs
for part in chance material levels; do
	$engine $part $GAMES
done
for pair in suicide:25:75 antichess:25:75 suicide:100:65 antichess:100:65 losers:25:65 giveaway:25:65; do
	$engine fairy $(echo $pair | tr : ' ') $GAMES
done
# 500 kills; 20 games through mail against each level of each game.
export FULL=1 PBM=$B/bin/pbm WARM=$B/tests/util/warm CK_DEFAULT_TIMEOUT=36000
for test in think computers; do
	$B/tests/pbm/think/test_$test | tail -1
done
