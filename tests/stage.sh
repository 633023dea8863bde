#!/bin/sh
# Sums up a stage that tests/unit.sh has run: shows what failed and what was skipped,
# then one line.  Its seconds are those that processors worked, which are much the same on a
# busy machine and on a quiet one.
#   tests/stage.sh STAGE TITLE
# A test is a test of Check (a row of a table is one), or a part that has none.  What such a
# part counts itself (mails looked at, points where a run was killed) are its checks.  In
# build/check/STAGE.sum it leaves "PASSED FAILED SKIPPED", and in STAGE.skipped the names.
# Ends with 1 when something failed, or nothing was tested.
set -u
dir=build/check/$1
passed=0 failed=0 checks=0 tenths=0
: >"$dir.skipped"

# numbers LOG: "PASSED FAILED" as Check says them
numbers() {
	sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' "$1" |
		tail -1 | awk '{ print $1 - $2 - $3, $2 + $3 }'
}

for end in "$dir"/*.end; do
	[ -e "$end" ] || continue
	read -r code _ worked <"$end"
	log=${end%.end}.log name=$(basename "$end" .end)
	found=$(numbers "$log")
	good=${found% *} bad=${found#* }
	grep '^skipped:' "$log" | sed "s/^skipped:/skipped: $name:/" >>"$dir.skipped"
	if [ -z "$found" ]; then
		good=0 bad=0
		own=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log" | tail -1)
		[ -z "$own" ] || checks=$((checks + ${own% *}))
		[ "${own#* }" = "${own:+0}" ] || bad=1
		case $name:$own in
		test_*) grep -q '^skipped:' "$log" || bad=1 ;; # it ended before Check could say
		*:"0 0") grep -q '^skipped:' "$log" || bad=1 ;;
		*) [ "$code$bad" != 00 ] || good=1 ;;
		esac
	fi
	if [ "$code" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
	if [ "$bad" != 0 ]; then
		echo "$1: $name: exit code $code"
		tail -100 "$log"
	fi
	grep -E '^(fuzz |LIVES |[0-9]+ kill points|[0-9]+ of [0-9]+ mutants)' "$log"
	passed=$((passed + good)) failed=$((failed + bad)) tenths=$((tenths + worked))
done
skipped=$(wc -l <"$dir.skipped")
[ $((passed + failed + skipped)) != 0 ] || { echo "$1: nothing was tested"; failed=1; }
echo "-- $2: $([ "$failed" = 0 ] && echo good || echo BAD), $((tenths / 10)) s, $passed passed, $failed failed, $skipped skipped$([ "$checks" = 0 ] || echo " ($checks checks)")"
echo "$passed $failed $skipped" >"$dir.sum"
[ "$failed" = 0 ]
