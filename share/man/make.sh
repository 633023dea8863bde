#!/bin/sh
# Makes a man page of the program's own tables ("pbm manual") and of the words in PAGE.in.
#   share/man/make.sh PAGE.in PBM >PAGE
# Lines of PAGE.in that begin with "@":
#   @table KIND     the rows of that kind
#   @more WORD      what follows, up to the next @more, stands below the row of that word
#   @date, @version, in .TH
set -eu
here=$(dirname "$0")
page=$1 pbm=$2
case $page in
*conf.5.in) table=conf ;;
*commands.7.in) table=mail ;;
*) table=commands ;;
esac
# The date of the release: that of the newest entry of debian/changelog.
date=$(sed -n 's/^ -- .*>  //p' "$here/../../debian/changelog" | awk 'NR == 1 {
	printf "%s-%02d-%02d", $4, (index("JanFebMarAprMayJunJulAugSepOctNovDec", $3) + 2) / 3, $2 }')
"$pbm" manual $table | LC_ALL=C awk -f "$here/make.awk" -v date="$date" - "$page" "$page"
