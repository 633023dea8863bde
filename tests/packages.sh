#!/bin/sh
# Installs what the named job needs on Debian, says so, and does nothing when all
# is there.  Not root: prints the command instead.
#   tests/packages.sh build   to build and run pbm (make, make demo); it also fetches the
#                             board library for the archive's pages, if it can
#   tests/packages.sh check   also what the tests and checks need (make check)
#   tests/packages.sh deb     to build a Debian package (make deb)
#   tests/packages.sh roots   also what tries it in fresh roots (make packages-check)
set -eu

build="gcc make pkg-config libc6-dev libjansson-dev libsqlite3-dev libsodium-dev libetpan-dev
libcurl4-gnutls-dev libc-ares-dev libxml2-dev libmd4c-dev libmd4c-html0-dev libedit-dev libarchive-dev libseccomp-dev libpq-dev libpng-dev libgif-dev"
check="$build clang lld clang-format clang-tidy cppcheck valgrind check libsubunit-dev pmccabe fairy-stockfish
libclang-rt-14-dev python3 python3-jsonschema git openssl dovecot-core dovecot-imapd dovecot-pop3d dovecot-lmtpd strace e2fsprogs mount sqlite3 postgresql-15 chromium firefox-esr"

deb="$build build-essential dpkg-dev debhelper fakeroot"
roots="$deb lintian python3 mmdebstrap man-db mandoc systemd systemd-container musl-tools"

case "${1-}" in
build) wanted=$build ;;
check) wanted=$check ;;
deb) wanted=$deb ;;
roots) wanted=$roots ;;
*) echo "usage: $0 build|check|deb|roots" >&2; exit 64 ;;
esac

# Exim would push another mail server off the machine; then the tests do without.
others=$(dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null |
	grep '^installed .*mail-transport-agent' || :)
[ "$1" != check ] || [ -n "$others" ] || wanted="$wanted exim4-daemon-light"

missing=
for p in $wanted; do
	dpkg-query -W -f '${db:Status-Status}\n' "$p" 2>/dev/null | grep -qx installed ||
		missing="$missing $p"
done
# The board library is wished for, not needed: what fails here is no error.
if ! command -v npm >/dev/null && [ "$(id -u)" = 0 ]; then
	echo "installing: npm"
	wish="apt-get install -y --no-install-recommends npm"
	$wish >/dev/null 2>&1 || { apt-get update -qq && $wish; } >/dev/null 2>&1 || :
fi
"$(dirname "$0")/../pbm/archive/board/fetch.sh"
# With sudo: what is built then belongs to the user.
if [ "$(id -u)" = 0 ] && [ -d build/board ]; then
	chown --reference=. build
	chown -R --reference=. build/board
fi
[ "$1" != check ] || "$(dirname "$0")/browser/fetch.sh"
[ -n "$missing" ] || exit 0

command="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" != 0 ]; then
	echo "pbm needs packages that are missing.  Please run:" >&2
	echo "    sudo $command" >&2
	exit 69
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# No server among them starts by itself: 101 is "forbidden" for invoke-rc.d.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
	trap 'rm -f $policy' EXIT
	trap 'exit 1' HUP INT TERM
	printf '#!/bin/sh\nexit 101\n' >$policy
	chmod 755 $policy
fi
# A fresh machine has no package lists; fetching them costs seconds, so only when needed.
$command >/dev/null 2>&1 || { apt-get update -qq && $command >/dev/null; }
