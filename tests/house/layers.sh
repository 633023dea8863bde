#!/bin/sh
# The arrows of the house: pbm -> games, mail, store -> pbm/base; the three never
# see each other; each library is used in its own place only.  With a plant of a
# violation this script must fail: tests/house/test_house.c does that.
#   tests/house/layers.sh ROOT
set -eu
cd "$1"
bad=0

# deny PATTERN FILES…: no line of the files may match
deny() {
	pattern=$1
	shift
	if grep -nE "$pattern" /dev/null "$@"; then bad=1; fi
}
files() { find "$@" -maxdepth 1 -name '*.[ch]' | LC_ALL=C sort; }

for d in pbm pbm/base games mail store; do
	[ -n "$(files $d)" ] || { echo "layers: no file in $d/"; bad=1; }
done
deny '#include "(pbm/[a-z_]+\.h|mail/|store/)' $(files games)
deny '#include "(pbm/[a-z_]+\.h|games/|store/)' $(files mail)
deny '#include "(pbm/[a-z_]+\.h|games/|mail/)' $(files store)
deny '#include "(pbm/[a-z_]+\.h|games/|mail/|store/)' $(files pbm/base)
deny '#include <libetpan/' $(files pbm pbm/base games store)
deny '#include (<(sqlite3|curl/curl)\.h>|"mail/(curl|secure)\.h")' $(files pbm pbm/base games)
deny '#include <sqlite3' $(files mail)
deny '#include <jansson' $(files games mail pbm/base)
deny '\<(malloc|calloc|realloc|fopen|printf|time|clock_now|getenv)\(' $(files games)
n=$(grep -lE '#include <libetpan/' $(files mail) | wc -l)
[ "$n" -le 2 ] || { echo "layers: libetpan is in $n files of mail/, at most 2"; bad=1; }
exit $bad
