#!/bin/sh
# Makes FOLDER/pbm-VERSION.tar.gz of the source: the same bytes from the same source, with or
# without git.  The times in it are the release's, from debian/changelog.
#   share/dist.sh VERSION FOLDER
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
name=pbm-$1
when=$(sed -n 's/^ -- .*>  //p' debian/changelog | head -1)
mkdir -p "$2"

list() {
	# git may be missing, or refuse a folder of another user, as with sudo.
	if [ -e .git ] && git ls-files >/dev/null 2>&1; then
		git ls-files | while read -r f; do [ ! -e "$f" ] || echo "$f"; done
	else
		# Without what .gitignore names.
		find . \( -path ./.git -o -path ./build -o -path ./demo-site -o -path ./debian/pbm -o -path ./debian/.debhelper \
			-o -path './debian/*.substvars' -o -path './debian/*.log' -o -path ./debian/files \
			-o -path ./debian/pbm.service -o -path ./debian/pbm.timer -o -path "./debian/pbm.pbm-think.*" -o -path ./debian/pbm.cron.d \
			-o -path ./debian/debhelper-build-stamp \) -prune \
			-o ! -type d -print | sed 's|^\./||'
	fi | sort
}
tar=$2/$name.tar
list >"$tar.list"
tar --create --file "$tar" --format=gnu --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
	--mtime="$when" --transform "s|^|$name/|" --no-recursion --files-from "$tar.list"
gzip -9 -n <"$tar" >"$tar.gz.new"
rm "$tar" "$tar.list"
mv "$tar.gz.new" "$tar.gz"
echo "$tar.gz"
