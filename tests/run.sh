#!/bin/sh
# Runs test programs made with Check, as many at once as there are processors, shows
# the failures, adds up their summaries and closes with "N passed, N failed".
#   tests/run.sh [--valgrind] PROGRAM…
set -u
export TOOL=
if [ "${1-}" = --valgrind ]; then
	shift
	TOOL="valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --trace-children=no --suppressions=tests/valgrind.supp"
	export CK_FORK=no PBM_VALGRIND=1
fi
OUT=$(mktemp -d)
export OUT
trap 'rm -rf "$OUT"' EXIT
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT-120}
# shellcheck disable=SC2016 # the inner shell's business
printf '%s\n' "$@" | xargs -P "${TEST_JOBS-$(nproc)}" -I '{}' sh -c '
	log="$OUT/$(basename "{}")"
	$TOOL "{}" >"$log" 2>&1
	echo $? >"$log.code"'

passed=0 failed=0
for t in "$@"; do
	log=$OUT/$(basename "$t")
	code=$(cat "$log.code")
	line=$(grep -E '^[0-9]+%: Checks:' "$log" | tail -1)
	checks=$(printf '%s\n' "$line" | sed -n 's/.*Checks: \([0-9]*\).*/\1/p')
	wrong=$(printf '%s\n' "$line" | sed -n 's/.*Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1+\2/p')
	if [ -z "$line" ]; then
		echo "$t: no summary, exit code $code"
		tail -40 "$log"
		failed=$((failed + 1))
		continue
	fi
	# shellcheck disable=SC2004 # a sum in the variable
	wrong=$(($wrong))
	if [ "$code" != 0 ] && [ "$wrong" = 0 ]; then wrong=1; fi
	[ "$wrong" = 0 ] || tail -60 "$log"
	grep -E '^skipped:' "$log"
	passed=$((passed + checks - wrong))
	failed=$((failed + wrong))
	echo "$(basename "$t"): $((checks - wrong)) of $checks"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
