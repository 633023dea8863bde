#!/bin/sh
# Prints the lists of a file of words, X.words, as C; X.h declares them.  A list begins with its
# name, [greeting], and goes on with a word a line.  In [said =] each line is a pair, "WORD = ANSWER".
# A word that begins with " or [ or #, or has a blank at an end, stands in quotation marks.  # begins
# a line of comment.
#   share/words.sh FILE
set -eu
stem=${1%.words}
echo "#include \"$stem.h\""
echo '#include <stddef.h>'
awk -v stem="${stem##*/}" '
	function end() { if (name) print "\t" (pairs ? "{ NULL, NULL }" : "NULL") ",\n};" }
	/^#/ || /^$/ { next }
	/^[ \t]|[ \t]$/ { print FILENAME ":" NR ": put the blank in quotation marks" >"/dev/stderr"; exit 1 }
	/^\[/ {
		end()
		name = substr($1, 2)
		sub(/\].*/, "", name)
		pairs = / =\]$/
		print "const char *const " stem "_" name "[]" (pairs ? "[2]" : "") " = {"
		next
	}
	pairs { sub(/ = /, "\", \""); print "\t{ \"" $0 "\" },"; next }
	/^"/ { print "\t" $0 ","; next }
	{ print "\t\"" $0 "\"," }
	END { end() }' "$1"
