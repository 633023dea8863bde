#!/bin/sh
# Runs a command beside a PostgreSQL server of its own, which ends with it.  Sites that tests make
# then keep their store there, each in a schema of its own (tests/util/on_postgres.h).
#   tests/postgres.sh COMMAND…
# The server listens on a socket in a temporary folder alone.  It refuses to run as root: then it
# runs as nobody.
set -eu
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
dir=$(mktemp -d "${TMPDIR:-/tmp}/pbm-postgres-XXXXXX")
as=
if [ "$(id -u)" = 0 ]; then
	chown nobody "$dir"
	as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
fi
server() { (cd "$dir" && $as "$bin/pg_ctl" -s -w -D "$dir/data" -l "$dir/log" "$@"); }
finish() { server stop -m immediate || :; rm -rf "$dir"; }
trap finish EXIT
trap 'exit 1' HUP INT TERM
(cd "$dir" && $as "$bin/initdb" --locale=C -E UTF8 -N -A trust -U pbm -D "$dir/data" >/dev/null)
server start -o "-c listen_addresses= -c unix_socket_directories=$dir -c fsync=off -c max_connections=80"
PBM_TEST_STORE="postgresql:///postgres?host=$dir&user=pbm"
export PBM_TEST_STORE
"$@" || { code=$?; tail -20 "$dir/log"; exit $code; }
