#!/bin/sh
# Everything a commit must pass, stage by stage; the last line sums up.
set -u
make="make --no-print-directory -j$(nproc)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
start=$(date +%s)
total=0 bad=0

# stage NAME COMMAND…: shows only the end unless it fails
stage() {
	name=$1
	shift
	from=$(date +%s)
	"$@" >"$log" 2>&1
	code=$?
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -1)
	if [ "$code" = 0 ]; then
		total=$((total + $(echo "${line:-1}" | cut -d' ' -f1)))
	else
		bad=$((bad + 1))
		tail -150 "$log"
	fi
	grep -E '^(skipped:|fuzz |[0-9]+ kill points)' "$log"
	echo "-- $name: $([ "$code" = 0 ] && echo good || echo BAD), $(($(date +%s) - from)) s${line:+, $line}"
}

stage "build with gcc" $make WERROR=1 all
stage "build with clang" $make WERROR=1 CC=clang B=build/clang build/clang/bin/pbm
stage "layers, headers, sizes" $make layers headers complexity
stage "cppcheck" $make cppcheck
stage "clang-tidy" $make -k tidy
stage "unit tests" $make WERROR=1 unit
stage "unit tests under ASan and UBSan" $make asan
stage "unit tests under valgrind" $make valgrind
stage "the demo, compared with what it should be" tests/golden.sh --compare build/pbm
stage "end to end with Exim and Dovecot" tests/e2e.py build/pbm
stage "faults at every call, full disks, power cuts" $make faults
stage "fuzzing" $make fuzz

echo "$(($(date +%s) - start)) s in all"
echo "$total passed, $bad failed"
[ "$bad" = 0 ]
