#!/bin/sh
# The stages of `make check` (quick) or those that `make check-all` adds to them (rest).  They
# are one pool of jobs for make: two jobs for each processor, for some wait, for a disk, a mail
# server or a clock.  Those that mostly wait and long ones come first, small ones last, so that
# all processors are busy up to the end.  The last line sums up.
set -u
case $1 in
quick) first="" stages="postgres unit asan release demo format layers complexity" ;;
rest) first="fault.so read_mail" stages="faults postgres mutants asan fuzz valgrind e2e browser unit cppcheck tidy headers" ;;
*) echo "usage: $0 quick|rest" >&2; exit 64 ;;
esac
start=$(date +%s)
passed=0 failed=0 skipped=0

# A pool of our own: not the one of the make that may have called us.
MAKEFLAGS=$(printf %s "${MAKEFLAGS-}" | sed 's/ *-j[0-9]*//; s/--jobserver-auth=[^ ]*//')
export MAKEFLAGS
# python3 may be a script that looks for the right one, which takes longer than most of ours.
PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
rm -rf build/check
mkdir -p build/check
# What the longest stage needs: make would return to its parts only after it has begun all others.
for f in $first; do make --no-print-directory WERROR=1 QUIET=1 "build/release/tests/faults/$f"; done
# shellcheck disable=SC2086 # a list of words
make --no-print-directory -k -j$(($(nproc) * 2)) WERROR=1 QUIET=1 SET=$1 $(printf 'check-%s ' $stages)
for stage in $stages; do
	if read -r good bad left 2>/dev/null <"build/check/$stage.sum"; then
		passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
	else
		echo "-- $stage: BAD, did not come to its end"
		failed=$((failed + 1))
	fi
done
# Of a test that skips several things, the first is named.
cat build/check/*.skipped 2>/dev/null | awk '
	!n[$2]++ { first[$2] = $0 }
	END { for (t in n) print first[t] (n[t] > 1 ? " (and " n[t] - 1 " more)" : "") }' | sort
# The third number of an .end file: tenths of seconds that processors worked.
(cd build/check && for end in */*.end; do read -r _ _ worked <"$end" && echo "$worked ${end%.end}"; done) |
	sort -rn | head -8 | awk '{ printf "%s%s %d s", NR == 1 ? "longest: " : ", ", $2, $1 / 10 } END { print "" }'
times >build/check/times
worked=$(awk 'END { split($1 "m" $2, t, "m"); printf "%d", t[1] * 60 + t[2] + t[3] * 60 + t[4] }' build/check/times)
echo "$(($(date +%s) - start)) s in all, $worked s of processors"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
