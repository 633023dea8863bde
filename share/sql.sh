#!/bin/sh
# Prints a file of SQL, ROOM/X.sql, as a table X of C, which ROOM/ROOM.h or store/db/db_sql.h declares.
# A line "-- step N" begins a step of a schema: a list of statements, with NULL at the end.
# A line "-- query DB_X" begins the text of that query (struct db_sql); "whole" after it: it walks a
# whole table on purpose.  A line "-- part X" begins a text that stands as {X} in those below it.
# A statement begins in the first column and goes on in lines that begin with a blank; they are joined
# as they are.  Other lines that begin with -- are comments.
#   share/sql.sh FILE
set -eu
room=${1%/*} name=${1##*/}
echo "#include \"$room/${room##*/}.h\""
echo '#include "store/db/db_sql.h"'
echo '#include <stddef.h>'
awk -v name="${name%.sql}" '
	function wrong(why) { print FILENAME ":" NR ": " why >"/dev/stderr"; exit failed = 1 }
	function end_step() { if (steps) print (open ? "\t," : "") "\tNULL,\n};" }
	function end_query() { if (queries) print "\t, .whole = " whole " }," }
	/^-- step / {
		if ($3 != steps + 0) wrong("this is step " steps + 0)
		end_step()
		print "static const char *const step_" steps++ + 0 "[] = {"
		open = 0
		next
	}
	/^-- query / {
		end_query()
		if (!queries++) print "const struct db_sql " name "[DB_QUERIES] = {"
		print "\t[" $3 "] = { .sql ="
		whole = $4 == "whole" ? "true" : "false"
		part = ""
		next
	}
	/^-- part / { part = $3; next }
	/^ *--/ || /^$/ { next }
	{
		while (match($0, /\{[A-Z_]+\}/)) {
			used = substr($0, RSTART + 1, RLENGTH - 2)
			if (!(used in parts)) wrong("there is no part " used)
			$0 = substr($0, 1, RSTART - 1) parts[used] substr($0, RSTART + RLENGTH)
		}
	}
	part { parts[part] = parts[part] $0; next }
	steps && /^[^ ]/ { if (open) print "\t,"; open = 1 }
	{ gsub(/["\\]/, "\\\\&"); print "\t\"" $0 "\"" }
	END {
		if (failed) exit 1
		end_query()
		if (queries) print "};"
		end_step()
		if (steps) print "const char *const *const " name "[] = {"
		for (i = 0; i < steps; i++) print "\tstep_" i ","
		if (steps) print "};"
	}' "$1"
