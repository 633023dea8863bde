#!/bin/sh
# The demo played in a temporary folder and compared with tests/data/demo: every
# mail sent, every game and player file.  Then: a second run changes nothing, and
# feeding every mail again changes nothing.
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

"$here/demo.sh" "$pbm" "$dir/site" quiet
snapshot "$dir/first"
if [ -z "$compare" ]; then
	rm -rf "$here/data/demo"
	cp -r "$dir/first" "$here/data/demo"
	echo "written: $(find "$here/data/demo" -type f | wc -l) files in tests/data/demo"
	exit 0
fi
diff -r "$here/data/demo" "$dir/first" || fail "the demo differs from tests/data/demo"
passed=$(find "$dir/first" -type f | wc -l)

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
