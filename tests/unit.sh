#!/bin/sh
# Runs one part of a stage and notes in build/check/STAGE what came of it: NAME.log is
# what it said, NAME.end its exit code, its tenths of seconds, and those that processors
# worked for it.  Always ends with 0, so that the other parts run too; tests/stage.sh sums up.
#   tests/unit.sh STAGE NAME COMMAND…
set -u
stage=$1
to=build/check/$1/$2
shift 2
mkdir -p "$(dirname "$to")"
# A test that waits for ever fails after a long time, for the machine may be slow; one that
# works for ever fails when it has worked long.  The limit is for each process.
export CK_DEFAULT_TIMEOUT=120 CK_TIMEOUT_MULTIPLIER=5
case $stage in
unit) ulimit -t 20 ;;
asan) ulimit -t 100 ;;
esac
from=$(date +%s%N)
"$@" >"$to.log" 2>&1
code=$?
spent=$((($(date +%s%N) - from) / 100000000))
times >"$to.end"
worked=$(awk 'END { split($1 "m" $2, t, "m"); printf "%d", (t[1] * 60 + t[2] + t[3] * 60 + t[4]) * 10 }' "$to.end")
echo "$code $spent $worked" >"$to.end"
