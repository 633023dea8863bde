#!/bin/sh
# Runs a fuzz target over its seeds in tests/data/fuzz/NAME, with its dictionary, so
# many times as the table says: some seconds of a quiet machine.  A finding stays in
# build/fuzz.
#   tests/fuzz.sh TARGET        FULL=1: a thousand times as often
set -u
name=$(basename "$1" | sed 's/^fuzz_//')
# Targets for strangers' texts (mime, command, san, fen) run more than the others.
case $name in
mime) runs=1600 ;;
command) runs=8000 ;;
san) runs=2500 ;;
fen) runs=400000 ;;
imap) runs=80 ;; # some of them wait for a server that is silent
reply) runs=700 ;;
pgn) runs=3000 ;;
markdown) runs=5000 ;;
text_html) runs=100000 ;;
pop3) runs=7000 ;;
dsn) runs=13000 ;;
header) runs=25000 ;;
child | sandbox) runs=60000 ;;
document) runs=75000 ;;
template) runs=150000 ;;
authres) runs=200000 ;;
smtp) runs=250000 ;;
token) runs=300000 ;;
first_line) runs=40000 ;;
tree) runs=20000 ;;
club) runs=20000 ;;
dns) runs=200000 ;;
formula) runs=300000 ;;
trf) runs=30000 ;;
calendar) runs=300000 ;;
sentences) runs=20000 ;;
uci) runs=20000 ;;
external) runs=300000 ;;
*) echo "fuzz $name: say in $0 how often"; exit 1 ;;
esac
[ -z "${FULL-}" ] || runs=$((runs * 1000))
corpus=build/fuzz/corpus/$name seeds=tests/data/fuzz/$name log=build/fuzz/$name.log
mkdir -p "$corpus"
runs=$((runs + $(find "$corpus" -type f | wc -l))) # those of earlier times come first
set -- "$1" "-runs=$runs" -timeout=600 -rss_limit_mb=2048 -max_len=16384 \
	"-artifact_prefix=build/fuzz/$name-" -print_final_stats=1 "$corpus"
[ ! -d "$seeds" ] || set -- "$@" "$seeds"
[ ! -f "$seeds.dict" ] || set -- "$@" "-dict=$seeds.dict"
if "$@" >"$log" 2>&1; then
	echo "fuzz $name: $(sed -n 's/stat::number_of_executed_units: *//p' "$log") runs, no finding"
else
	echo "fuzz $name: FINDING"
	tail -30 "$log"
	exit 1
fi
