#!/bin/sh
# The demo: a site, mails as real clients write them, one run, two whole games.
#   tests/demo.sh PBM FOLDER [quiet]
set -eu
pbm=$1 site=$2
here=$(cd "$(dirname "$0")" && pwd)
now=2026-12-01T10:00:00Z

rm -rf "$site"
"$pbm" init "$site" --host pbm.example.org >/dev/null
# The demo's mails answer mails of this very site, so it has a known secret.
# A real site keeps the one that init made.
echo "1 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" >"$site/secret"
"$pbm" -C "$site" --now $now user add alice alice@example.org >/dev/null
"$pbm" -C "$site" --now $now user add bob bob@example.net >/dev/null
"$pbm" -C "$site" --now $now user add carol carol@example.org --role moderator >/dev/null

n=0
for f in "$here"/demo/*.eml; do
	n=$((n + 1))
	to="$site/inbox/new/$((1796119200 + n)).$(basename "$f" .eml)"
	cp "$f" "$to"
	touch -d "$now" "$to" # when the mail came: the clocks stop then
done
"$pbm" -C "$site" --now $now tick 2>"$site/tick.log"
log() { sed -n "s/^[^ ]* level=$1 msg=\"\(.*\)\".*/     \1/p" "$site/tick.log" | sed 's/\\"/"/g' | fold -s -w 76 | sed 's/^[^ ]/     &/'; }
[ -n "$(log info)" ] || { echo "demo: the run said nothing" >&2; exit 1; }
[ "${3-}" != quiet ] || exit 0

key() { sed -n "s/^\"$2\": \"\{0,1\}\([^\"]*\)\"\{0,1\},\$/\1/p" "$1"; }
# the plain text of the first mail to $1 whose header and text hold $2 and $3
text() {
	for f in $(grep -l "^Delivered-To: $1" "$site"/sent/new/* | xargs grep -l "$2" | xargs grep -l "$3"); do
		[ "$(grep -m1 '^Content-Transfer-Encoding' "$f")" = "Content-Transfer-Encoding: 7bit" ] || continue
		grep -m2 -E '^(To|Subject):' "$f"
		echo
		awk '/^Content-Type: text\/html/ { exit } n >= 2; /^$/ { n++ }' "$f" | sed '/^--=_/d'
		break
	done
}

# what alice reads after her first move
computer_game() {
	"$pbm" -C "$site" --now $now -q computer add robot2 all 2 >/dev/null
	printf 'match robot2 suicide -white\ne3\n' | "$pbm" -C "$site" --now $now -q talk alice |
		sed -n '/^Subject:.*1\.\.\./,/^Answer this/p' | head -24
}

cat <<EOF

WHAT HAPPENED

  1. A site was made in $site/, with two players, alice and bob, and a
     moderator, carol.
  2. $n mails were put into $site/inbox, as mail programs write them:
     answers on top of a quote, HTML from a phone, base64, quoted-printable,
     format=flowed, signatures, "AW: Re:" Subjects, a vacation message, a
     bounce, a forged sender, and one mail that came twice.
  3. "pbm tick" ran once, as cron would run it. It said:

$(log info)
$(log warn)

  4. Two games were played to their ends:

EOF
for f in "$site"/games/*/*.json; do
	echo "     board $(key "$f" board), $(key "$f" game): $(key "$f" white) (White) against" \
	     "$(key "$f" black) (Black), $(key "$f" ply) moves in all,"
	echo "     $(key "$f" result), $(key "$f" reason)"
done
cat <<EOF

A MAIL IN: what bob's phone sent

$(sed 's/^/     | /' "$here/demo/012-bob-html-phone.eml" | cut -c1-76 | head -20)
     | ...

A MAIL OUT: alice's answer had reached bob like this

$(text bob '#1 alice-bob: your move' 'alice played 1\.' | sed 's/^/     | /')

A REFUSAL: alice wrote "Nf3, sorry for the delay", but she had to capture

$(text alice 'was not played' 'You must capture' | sed 's/^/     | /' | head -24)

AGAINST A COMPUTER: alice offers robot2 a game and plays 1. e3; it answers

$(computer_game | sed 's/^/     | /')
     | ...

LOOK AT IT

  $site/sent/new/            every mail sent, one a file
  $site/games/000/           the games, as JSON
  $site/archive/index.html   the archive, for a browser

TRY IT

  $pbm -C $site --now 2026-12-01T11:00:00Z talk alice     # an hour after the last mail
  and there, for example:   match robot2 avalanche
                            suicide challenge alice bob
                            help

THE ARCHIVE, for a browser: file://$(cd "$site" && pwd)/archive/index.html
EOF
