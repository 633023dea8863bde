#!/bin/sh
# Runs one part of a stage and notes in build/check/STAGE what came of it: NAME.log is
# what it said, NAME.end its exit code and its seconds.  Always ends with 0, so that
# the other parts run too; tests/stage.sh sums up.
#   tests/unit.sh STAGE NAME COMMAND…
set -u
to=build/check/$1/$2
shift 2
mkdir -p "$(dirname "$to")"
# A test that hangs fails, on a slow machine after a long time.
export CK_DEFAULT_TIMEOUT=120 CK_TIMEOUT_MULTIPLIER=10
from=$(date +%s%N)
"$@" >"$to.log" 2>&1
code=$?
echo "$code $((($(date +%s%N) - from) / 100000000))" >"$to.end"
