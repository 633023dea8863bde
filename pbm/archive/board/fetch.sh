#!/bin/sh
# Makes build/board/static/chessground.js, one classic script, of the board library
# chessgroundx.  npm fetches it and esbuild, and checks them against the sums in
# package-lock.json; no script of theirs runs.  Does nothing when the file is there already,
# made of the same files.  A failure is a warning and no more: without the file, pbm is
# built without the script.
set -u
from=$(cd "$(dirname "$0")" && pwd)
to=build/board
out=$to/static/chessground.js
log=$to/npm.log

sums=$(cat "$from/package-lock.json" "$from/entry.js" "$0" | sha256sum)
[ ! -e $out ] || [ "$(cat $to/made-of 2>/dev/null)" != "$sums" ] || exit 0

bundle() {
	cp "$from/package.json" "$from/package-lock.json" "$from/entry.js" $to/ &&
		(cd $to && timeout 120 npm ci --ignore-scripts --no-audit --no-fund) &&
		$to/node_modules/@esbuild/*/bin/esbuild $to/entry.js --bundle --minify --format=iife \
			--global-name=Chessgroundx --target=es2018 --outfile=$to/bundle.js \
			--banner:js="/* chessgroundx 10.7.4, GPL-3.0, https://github.com/gbtami/chessgroundx */" &&
		mkdir -p $to/static && mv $to/bundle.js $out && echo "$sums" >$to/made-of
}

mkdir -p $to
if ! command -v npm >/dev/null; then
	echo "pbm is built without the board library, because there is no npm to fetch it." >&2
elif ! bundle >$log 2>&1; then
	echo "pbm is built without the board library: npm could not fetch it, see $log." >&2
fi
exit 0
