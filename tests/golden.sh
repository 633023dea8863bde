#!/bin/sh
# The demo played in a temporary folder and compared with tests/data/demo: every game and
# player file, eight mails and four pages as they are, and of each other mail and page what it
# is about.  Then: a second run changes nothing, and feeding every mail again changes nothing.
#   tests/golden.sh PBM            writes tests/data/demo anew
#   tests/golden.sh --compare PBM  compares
set -eu
compare=
if [ "$1" = --compare ]; then compare=1; shift; fi
pbm=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
now=2026-12-01T10:00:00Z
passed=0

fail() { echo "golden: $*"; echo "$passed passed, 1 failed"; exit 1; }
ok() { passed=$((passed + 1)); }

# snapshot FOLDER: what a site holds, in a form to compare: without style sheets, scripts and
# pictures, whose names change with their bytes, and without the pages of help; of a mail's
# pictures, that they are there
snapshot() {
	mkdir -p "$1"
	for kind in games players archive; do cp -r "$dir/site/$kind" "$1/$kind"; done
	rm -rf "$1/archive/static" "$1/archive/help" "$1/archive/rules"
	find "$1/archive" -name '*.html' -exec sed -i -E -e '/<script src=|<link rel="stylesheet"/d' \
		-e 's#static/[0-9a-f]{16}#static/HASH#g' {} +
	mkdir "$1/sent"
	for f in "$dir"/site/sent/new/*; do
		awk '/^Content-Type: image/ { at = 1 }
			at == 2 && /^$/ { at = 0 }
			at < 2 { print }
			at == 1 && /^$/ { print "(the picture)"; at = 2 }' "$f" >"$1/sent/$(basename "$f")"
	done
}

# The Subjects of mails that are compared as they are: the first mail with each.
whole_mails='Please confirm: challenge
Avalanche #1 alice-bob: your move
Avalanche #1 alice-bob: your move (1. f4,h6)
Avalanche #1 alice-bob: bob to move (1. f4,h6)
Avalanche #1 alice-bob: alice wins (1-0)
Suicide #2 alice-bob: bob offers you a game
Suicide #2 alice-bob: Nf3 was not played
your command: challenge'

# digest SNAPSHOT FOLDER: what of it is kept with the tests
digest() {
	mkdir -p "$2/sent" "$2/archive"
	cp -r "$1/games" "$1/players" "$2"
	echo "$whole_mails" | while read -r subject; do
		cp "$(grep -lxF "Subject: [pbm] $subject" "$1"/sent/* | head -1)" "$2/sent"
	done
	cp "$1"/archive/index.html "$1"/archive/games/000/1.html "$1"/archive/games/000/*.pgn "$2/archive"
	# a line for each mail: file, Subject, first paragraph of its text
	for f in "$1"/sent/*; do
		awk -v name="$(basename "$f" | cut -d. -f1-3)" '
			/^Subject: / && !subject { subject = substr($0, 16) }
			/^Content-Type: text\/plain/ { plain = 1 }
			/^$/ { if (text != "") exit; body = plain; next }
			body { text = text " " $0 }
			END { print name ": " subject " |" text }' "$f"
	done >"$2/mails.txt"
	(cd "$1/archive" && find . -type f | LC_ALL=C sort | while read -r f; do
		echo "$f" "$(sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' "$f" | head -1)"
	done) >"$2/pages.txt"
}

"$here/demo.sh" "$pbm" "$dir/site" quiet
snapshot "$dir/first"
digest "$dir/first" "$dir/kept"
if [ -z "$compare" ]; then
	rm -rf "$here/data/demo"
	cp -r "$dir/kept" "$here/data/demo"
	echo "written: $(find "$here/data/demo" -type f | wc -l) files in tests/data/demo"
	exit 0
fi
"$here/util/schema.py" "$dir/site" || fail "a document does not fit its schema"
ok
diff -r "$here/data/demo" "$dir/kept" || fail "the demo differs from tests/data/demo"
ok

"$pbm" -C "$dir/site" --now $now -q tick
snapshot "$dir/second"
diff -r "$dir/first" "$dir/second" || fail "a second run changed something"
ok
for f in "$here"/demo/*.eml; do cp "$f" "$dir/site/inbox/new/1796200000.again.$(basename "$f")"; done
"$pbm" -C "$dir/site" --now $now -q tick
snapshot "$dir/third"
diff -r "$dir/first" "$dir/third" || fail "mails that came twice changed something"
ok
"$pbm" -C "$dir/site" fsck >/dev/null || fail "fsck found something"
ok
"$pbm" -C "$dir/site" reindex && "$pbm" -C "$dir/site" fsck >/dev/null || fail "reindex"
ok
echo "$passed passed, 0 failed"
