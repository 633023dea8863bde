#!/bin/sh
# Runs test programs made with Check, shows the failures, adds up their summaries
# and closes with "N passed, N failed".
#   tests/run.sh [--valgrind] PROGRAM…
set -u
tool=
if [ "${1-}" = --valgrind ]; then
	shift
	tool="valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --trace-children=no --suppressions=tests/valgrind.supp"
	export CK_FORK=no PBM_VALGRIND=1
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT-120}
passed=0 failed=0
for t in "$@"; do
	$tool "$t" >"$out" 2>&1
	code=$?
	line=$(grep -E '^[0-9]+%: Checks:' "$out" | tail -1)
	checks=$(printf '%s\n' "$line" | sed -n 's/.*Checks: \([0-9]*\).*/\1/p')
	wrong=$(printf '%s\n' "$line" | sed -n 's/.*Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1+\2/p')
	if [ -z "$line" ]; then
		echo "$t: no summary, exit code $code"
		tail -40 "$out"
		failed=$((failed + 1))
		continue
	fi
	# shellcheck disable=SC2004 # a sum in the variable
	wrong=$(($wrong))
	if [ "$code" != 0 ] && [ "$wrong" = 0 ]; then wrong=1; fi
	[ "$wrong" = 0 ] || tail -60 "$out"
	grep -E '^skipped:' "$out"
	passed=$((passed + checks - wrong))
	failed=$((failed + wrong))
	echo "$(basename "$t"): $((checks - wrong)) of $checks"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
