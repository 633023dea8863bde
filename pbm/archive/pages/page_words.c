#include "pbm/archive/pages/page_words.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "pbm/base/clock.h"
#include "pbm/base/str.h"
#include "pbm/text/text.h"

/* Reasons for which the rules decide a game, in words for readers who don't know it: $w is the
 * winner, $l the loser. */
static const struct {
	const char *reason, *text;
} reasons[] = {
	{ "no men left", "$l had to take $w's last man" },
	{ "bare king", "$l had to leave $w with a bare king" },
	{ "stalemate, fewer men", "stalemate, and $w has fewer men" },
	{ "the king has exploded", "$l's king has exploded" },
	{ "the third check", "$w gave the third check" },
	{ "a push left the pusher's own king attacked", "$l's push left $l's own king attacked" },
	{ "the king is mated and removed", "$l's king is mated and removed" },
};

static void write_reason(const char *text, const char *winner, const char *loser, struct str *out)
{
	for (; *text; text++)
		if (text[0] == '$' && (text[1] == 'w' || text[1] == 'l'))
			str_add(out, *++text == 'w' ? winner : loser);
		else
			str_add_char(out, *text);
}

void page_result(const char *const players[2], const char *result, const char *reason,
                 struct str *out)
{
	static const char *const sides[2] = { "White", "Black" };
	/* A player who plays alone is on both sides. */
	const char *const *names = strcasecmp(players[0], players[1]) == 0 ? sides : players;
	bool decided = strcmp(result, "1-0") == 0 || strcmp(result, "0-1") == 0;
	const char *winner = names[strcmp(result, "0-1") == 0];
	const char *loser = names[strcmp(result, "0-1") != 0];

	if (decided)
		str_addf(out, "%s won", winner);
	else
		str_add(out, strcmp(result, "1/2-1/2") == 0 ? "a draw" : "no result");
	if (!reason || !*reason)
		return;
	str_add(out, ": ");
	for (size_t i = 0; decided && i < sizeof reasons / sizeof *reasons; i++)
		if (strcmp(reasons[i].reason, reason) == 0) {
			write_reason(reasons[i].text, winner, loser, out);
			return;
		}
	/* XML knows no other control characters. */
	for (; *reason; reason++)
		str_add_char(out, (unsigned char)*reason < ' ' ? ' ' : *reason);
}

/* The number of bytes of the mail address with which the text begins; 0: with none. *run: the
 * number that cannot be the beginning of one that begins later. */
static size_t address_length(const char *text, size_t *run)
{
	size_t name = 0, domain, dots = 0;

	while (str_is_alnum(text[name]) ||
	       (text[name] && strchr("!#$%&'*+-/=?^_`{|}~.", text[name])))
		name++;
	*run = name ? name : 1;
	if (!name || text[name] != '@')
		return 0;
	domain = name + 1;
	while (str_is_alnum(text[domain]) || text[domain] == '-' || text[domain] == '.')
		domain++;
	while (text[domain - 1] == '.')
		domain--;
	for (size_t i = name + 1; i < domain; i++)
		dots += text[i] == '.';
	return dots ? domain : 0;
}

void page_comment(const char *text, struct str *out)
{
	while (*text) {
		size_t run, n = address_length(text, &run);

		if (n)
			str_add(out, "[address]");
		else
			text_straight(text, run, out);
		text += n ? n : run;
	}
}

json_t *page_date(int64_t t)
{
	const char *iso = CLOCK_ISO(t);
	char day[40] = "";
	time_t tt = (time_t)t;
	struct tm tm;

	if (gmtime_r(&tt, &tm))
		strftime(day, sizeof day, "%e %B %Y", &tm);
	return json_pack("{s:s, s:s, s:s#}", "text", day[0] == ' ' ? day + 1 : day, "iso", iso,
	                 "day", iso, (int)strnlen(iso, 10));
}
