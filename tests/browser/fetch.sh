#!/bin/sh
# Puts axe-core, which judges how accessible a page is, into build/browser/axe.js.  npm
# checks it against the sum in package-lock.json.  Without it the browser test says so and
# leaves that part out.
set -u
from=$(cd "$(dirname "$0")" && pwd)
to=build/browser/npm
mkdir -p $to
cmp -s "$from/package-lock.json" $to/package-lock.json && [ -e build/browser/axe.js ] && exit 0
cp "$from/package.json" "$from/package-lock.json" $to/ &&
	(cd $to && timeout 120 npm ci --ignore-scripts --no-audit --no-fund) >$to/npm.log 2>&1 &&
	cp $to/node_modules/axe-core/axe.min.js build/browser/axe.js ||
	echo "The browser test goes without axe-core: npm could not fetch it, see $to/npm.log." >&2
exit 0
