#!/bin/sh
# Makes FOLDER/pbm_VERSION_ARCH.deb from the source as "make dist" packs it, and asks lintian, if
# it is there.
# The board library, if it was fetched, goes into the program as in a build without a package.
#   share/deb.sh VERSION FOLDER
set -eu
cd "$(dirname "$0")/.."
tarball=$(share/dist.sh "$1" "$2")
here=$(pwd) work=$2/deb
rm -rf "$work"
mkdir -p "$work"
tar -C "$work" -xzf "$tarball"
if [ -e build/board/static/chessground.js ]; then
	mkdir -p "$work/board/static"
	cp build/board/static/chessground.js "$work/board/static/"
fi
cd "$work/pbm-$1"
echo "building the package: some minutes (what it does: tail -f $here/$work/build.log)"
env -u MAKEFLAGS -u MAKELEVEL -u V -u B BOARD="$here/$work/board" dpkg-buildpackage -us -uc -b -j"$(nproc)" \
	>../build.log 2>&1 || {
	tail -40 ../build.log >&2
	exit 1
}
cd "$here"
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$2/"
! command -v lintian >/dev/null || lintian --fail-on error --tag-display-limit 0 "$2"/pbm_"$1"_*.changes
ls "$2"/pbm_"$1"_*.deb
