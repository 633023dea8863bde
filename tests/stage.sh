#!/bin/sh
# Sums up a stage that tests/unit.sh has run: shows what failed and what was skipped,
# then one line.  Its seconds are those that processors worked, which are much the same on a
# busy machine and on a quiet one.
#   tests/stage.sh STAGE TITLE
# In build/check/STAGE.sum it leaves "PASSED FAILED SKIPPED".  A part that says nothing of
# numbers counts as one test.  Ends with 1 when something failed.
set -u
dir=build/check/$1
passed=0 failed=0 skipped=0 tenths=0

# numbers LOG: "PASSED FAILED" as Check or one of our own programs says them
numbers() {
	sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' \
		-e 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$1" | tail -1 |
		awk 'NF == 3 { print $1 - $2 - $3, $2 + $3 } NF == 2'
}

for end in "$dir"/*.end; do
	read -r code _ worked <"$end"
	log=${end%.end}.log
	found=$(numbers "$log")
	good=${found% *} bad=${found#* }
	if [ -z "$found" ]; then
		good=0 bad=0
		case $(basename "$log") in
		test_*) grep -q skipped "$log" || bad=1 ;; # it ended before Check could say
		*) [ "$code" != 0 ] || good=1 ;;
		esac
	fi
	if [ "$code" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
	if [ "$bad" != 0 ]; then
		echo "$1: $(basename "$log" .log): exit code $code"
		tail -100 "$log"
	fi
	skipped=$((skipped + $(grep -c '^skipped:' "$log")))
	grep -E '^(skipped:|fuzz |[0-9]+ kill points)' "$log"
	passed=$((passed + good)) failed=$((failed + bad)) tenths=$((tenths + worked))
done
echo "-- $2: $([ "$failed" = 0 ] && echo good || echo BAD), $((tenths / 10)) s, $passed passed, $failed failed, $skipped skipped"
echo "$passed $failed $skipped" >"$dir.sum"
[ "$failed" = 0 ]
