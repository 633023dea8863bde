#!/bin/sh
# The demo: a site, mails as real clients write them, one run, two whole games.
#   tests/demo.sh PBM FOLDER
set -eu
pbm=$1 site=$2
here=$(cd "$(dirname "$0")" && pwd)
now=2026-12-01T10:00:00Z

rm -rf "$site"
"$pbm" init "$site" --host pbm.example.org >/dev/null
# The mails of the demo answer mails of this very site, so it has a known secret.
# A real site keeps the one that init made.
echo "1 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" >"$site/secret"
"$pbm" -C "$site" --now $now user add alice alice@example.org >/dev/null
"$pbm" -C "$site" --now $now user add bob bob@example.net >/dev/null
"$pbm" -C "$site" --now $now user add carol carol@example.org --role moderator >/dev/null

n=0
for f in "$here"/demo/*.eml; do
	n=$((n + 1))
	cp "$f" "$site/inbox/new/$((1796119200 + n)).$(basename "$f" .eml)"
done
"$pbm" -C "$site" --now $now tick 2>"$site/tick.log"

[ "${3-}" = quiet ] && exit 0
sed 's/^/    /' <<EOF

pbm: games by mail. What just happened:

  1. made a site in $site/ with two players, alice and bob, and a
     moderator, carol;
  2. put $n mails into $site/inbox, as mail programs write them: replies on top
     of a quote, HTML from a phone, base64, signatures, a vacation message,
     a bounce, a forged sender, a mail that came twice;
  3. ran "pbm tick" once, as cron would.
EOF
echo
sed -n 's/^[^ ]* info /    the run says: /p; s/^[^ ]* warn /    the run warns: /p' "$site/tick.log" | cut -c1-110
echo
for f in "$site"/games/*/*.json; do
	"$here/demo-game.sh" "$f" | sed 's/^/    /'
done
last=$(grep -l '^Subject: .*#2' "$site"/sent/new/* | xargs ls -tr | tail -1)
cat <<EOF

    The last mail of the second game, as bob got it:

EOF
awk '/^$/ { body = 1 } body' "$(grep -l '^Delivered-To: bob' $(grep -l 'wins' $(grep -l '^Subject: .*#2 ' "$site"/sent/new/*)) | tail -1)" |
	sed -n '/Content-Transfer-Encoding/,/^--/p' | sed -n '2,/^-- $/p' | head -45 | sed 's/^/    | /'
cat <<EOF

    Look at it:
        $site/sent/new/         every mail sent, one a file
        $site/games/000/        the games, JSON to read
        $site/archive/index.html  the archive, for a browser
    Try it yourself:
        $pbm -C $site talk alice
    and there, for example:  suicide challenge alice bob   or   help
EOF
