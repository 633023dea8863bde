# See make.sh.  Reads the table, then the page twice: first what @more says, then the page.
BEGIN { FS = "\t" }
FNR == 1 { file++ }
file == 1 {
	if ($1 == "version") version = $2
	for (i = 2; i <= NF; i++) row[$1, count[$1] + 0, i] = $i
	# The words of a group belong to the group before them.
	if ($1 == "group") groups++
	if ($1 == "mail") group_of[count[$1] + 0] = groups
	count[$1]++
	known[$2] = 1
	next
}
file == 2 {
	if (sub(/^@more /, "")) {
		topic = $0
		if (!(topic in known)) {
			print FILENAME ": there is no " topic > "/dev/stderr"
			failed = 1
			exit 1
		}
	} else if (topic != "")
		more[topic] = more[topic] $0 "\n"
	next
}
/^@more / { exit }
/^@table / { tables($0); next }
{ gsub(/@date/, date); gsub(/@version/, version); print }

# A text for roff: no character of it is read as a request.
function plain(s) {
	gsub(/\\/, "\\e", s)
	gsub(/…/, "...", s)
	gsub(/-/, "\\-", s)
	gsub(/^[.']/, "\\\\\\&&", s)
	return s
}
# "exit code 0: taken" becomes a sentence, each on a line of its own.
function sentence(s) {
	s = toupper(substr(s, 1, 1)) substr(s, 2)
	s = plain(s)
	gsub(/\.  +/, ".\n", s)
	return s ~ /[.?!]$/ ? s : s "."
}
# A usage: WORDS are the user's, other words are typed as they stand.
function usage(s,   out, w) {
	out = ""
	while (match(s, /[A-Za-z0-9_.@+=<>#:\/*…-]+/)) {
		w = substr(s, RSTART, RLENGTH)
		out = out plain(substr(s, 1, RSTART - 1)) (w ~ /^[A-Z][A-Z]/ || w ~ /^DIR/ ? "\\fI" : "\\fB") plain(w) "\\fR"
		s = substr(s, RSTART + RLENGTH)
	}
	return out plain(s)
}
# Of a command by mail only the word itself, options and alternatives are typed as they stand.
function mail_usage(s, word,   out, w) {
	out = ""
	while (match(s, /[A-Za-z0-9_.@+=<>#:\/*…-]+/)) {
		w = substr(s, RSTART, RLENGTH)
		out = out plain(substr(s, 1, RSTART - 1)) (w ~ /^-/ || index(" " word " ", " " w " ") || w ~ /^#/ ? "\\fB" : "\\fI") plain(w) "\\fR"
		s = substr(s, RSTART + RLENGTH)
	}
	return out plain(s)
}
function head(s,   n, i, part) {
	n = split(s, part, /  [|]  /)
	for (i = 1; i <= n; i++) print (i == 1 ? ".TP" : ".TQ") "\n" usage(part[i])
}
function tables(line,   kind, i, at, g) {
	kind = substr(line, 8)
	if (kind == "group")
		for (g = 1; g <= groups; g++) {
			print ".SS \"" row["group", g - 1, 2] "\""
			for (i = 0; i < count["mail"]; i++) if (group_of[i] == g) one("mail", i)
		}
	else
		for (i = 0; i < count[kind]; i++) one(kind, i)
}
function one(kind, i,   word) {
	word = row[kind, i, 2]
	if (kind == "command") {
		head(row[kind, i, 3])
		print sentence(row[kind, i, 4])
	} else if (kind == "option") {
		head(row[kind, i, 2])
		print sentence(row[kind, i, 3])
	} else if (kind == "exit") {
		print ".TP\n.B " word "\n" sentence(row[kind, i, 3])
	} else if (kind == "setting") {
		print ".TP\n\\fB" plain(word) "\\fR = " (row[kind, i, 4] == "" ? "(empty)" : "\\fI" plain(row[kind, i, 4]) "\\fR")
		print sentence(row[kind, i, 7])
		if (row[kind, i, 3] == "number") print "A number from " row[kind, i, 5] " to " row[kind, i, 6] "."
		if (row[kind, i, 3] == "yes or no") print "yes or no."
	} else if (kind == "mail") {
		print ".TP\n" mail_usage(row[kind, i, 3], word)
		print sentence(row[kind, i, 4])
	} else if (kind == "act") {
		print mail_usage(row[kind, i, 3], word) "\n.br"
	} else if (kind == "alias") {
		print ".TP\n.B " plain(word) "\n" plain(row[kind, i, 3])
	} else if (kind == "variable") {
		print ".TP\n\\fBset " plain(word) "\\fR \\fIvalue\\fR"
		print sentence(row[kind, i, 5])
		print "Values: " plain(row[kind, i, 3]) ". Without it: " (row[kind, i, 4] == "" ? "none" : plain(row[kind, i, 4])) "."
	} else if (kind == "game") {
		print ".TP\n\\fB" plain(word) "\\fR" (row[kind, i, 3] == "" ? "" : ", " plain(row[kind, i, 3])) \
			(row[kind, i, 4] == "" ? "" : " [" plain(row[kind, i, 4]) "]")
		print sentence(row[kind, i, 5])
	}
	if (word in more) printf "%s", more[word]
}
END { exit failed }
