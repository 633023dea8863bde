#!/bin/sh
# Prints the steps of a schema, ROOM/X.sql, as C: a table X of steps, each of them a list of statements
# with NULL at the end.  ROOM/ROOM.h declares it.  A line "-- step N" begins a step.  A statement begins
# in the first column and goes on in lines that begin with a blank; they are joined as they are.  Other
# lines that begin with -- are comments.
#   share/sql.sh FILE
set -eu
room=${1%/*} name=${1##*/}
echo "#include \"$room/${room##*/}.h\""
echo '#include <stddef.h>'
awk -v name="${name%.sql}" '
	function end_step() { if (steps) print (open ? "\t," : "") "\tNULL,\n};" }
	/^-- step / {
		if ($3 != steps + 0) {
			print FILENAME ":" NR ": this is step " steps + 0 >"/dev/stderr"
			exit 1
		}
		end_step()
		print "static const char *const step_" steps++ + 0 "[] = {"
		open = 0
		next
	}
	/^ *--/ || /^$/ { next }
	/^[^ ]/ { if (open) print "\t,"; open = 1 }
	{ gsub(/["\\]/, "\\\\&"); print "\t\"" $0 "\"" }
	END {
		end_step()
		print "const char *const *const " name "[] = {"
		for (i = 0; i < steps; i++) print "\tstep_" i ","
		print "};"
	}' "$1"
