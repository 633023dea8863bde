#!/bin/sh
# Runs the fuzz targets of what strangers write (mime, command, san, fen) for
# FUZZ_SECONDS (15), the others for a third of that, two at a time, from its seeds in
# tests/data/fuzz/NAME and with its dictionary.  A finding stays in build/fuzz.
#   tests/fuzz.sh FOLDER-OF-TARGETS
set -u
seconds=${FUZZ_SECONDS-15}
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
one() {
	name=$(basename "$1" | sed 's/^fuzz_//')
	case "$name" in
	mime | command | san | fen) time=$seconds ;;
	*) time=$((seconds / 3)) ;;
	esac
	mkdir -p "build/fuzz/corpus/$name"
	set -- "$1" "build/fuzz/corpus/$name"
	[ -d "tests/data/fuzz/$name" ] && set -- "$@" "tests/data/fuzz/$name"
	[ -f "tests/data/fuzz/$name.dict" ] && set -- "$@" "-dict=tests/data/fuzz/$name.dict"
	if "$@" -max_total_time="$time" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
	    -artifact_prefix="build/fuzz/$name-" -print_final_stats=1 >"$log/$name" 2>&1; then
		echo "fuzz $name: $(sed -n 's/stat::number_of_executed_units: *//p' "$log/$name") runs, no finding"
	else
		echo "fuzz $name: FINDING"; tail -30 "$log/$name"; touch "$log/failed"
	fi
}
running=0
for t in "$1"/fuzz_*; do
	case "$t" in *.o | *.d) continue ;; esac
	one "$t" &
	running=$((running + 1))
	if [ "$running" = 2 ]; then wait; running=0; fi
done
wait
[ ! -e "$log/failed" ]
