#include "pbm/people/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/base/distance.h"
#include "pbm/people/formula_names.h"
#include "pbm/record/match.h"
#include "pbm/request/request_player.h"
#include "pbm/text/formula.h"
#include "pbm/text/language.h"
#include "pbm/text/text.h"
#include "pbm/text/word_list.h"

#define DAYS_MAX 365
#define NAME_MAX_BYTES 60
#define VALUE_MAX 600
#define BEGIN_MAX 8 /* names that begin alike */
#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)

static const char *const on_off[] = { "on|yes|true|1", "off|no|false|0", NULL },
			 *const on_off_mail[] = { "on|yes|true|1", "off|no|false|0", "mail", NULL },
			 *const yes_no[] = { "yes|on|true|1", "no|off|false|0", NULL },
			 *const private_public[] = { "private|off|no", "public|on|yes", NULL },
			 *const yes_no_ask[] = { "yes|on|rated", "no|off|unrated", "ask", NULL },
			 *const styles[] = { "both|all", "text|plain", "html", NULL },
			 *const boards[] = { "ascii", "unicode", "figurine", "prose|words", NULL },
			 *const sizes[] = { "normal|medium", "small", "large|big", NULL },
			 *const notations[] = { "english|en|san",
	                                        "figurine|figurines",
	                                        "german|deutsch|de",
	                                        "french|français|francais|fr",
	                                        "spanish|español|espanol|es",
	                                        NULL },
			 *const noises[] = { "mine", "every|all", "quiet|off", "end|final", NULL };

#define SWITCH .read = settings_read_choice, .values = on_off, .right = "on or off"

const struct setting settings_all[] = {
	{ .name = "timezone",
	  .own_mails = true,
	  .aliases = "tz zone",
	  .standard = "UTC",
	  .read = settings_read_zone,
	  .right = "UTC or the name of a timezone like Europe/Berlin or America/New_York",
	  .help = "the timezone of the times in your mails" },
	{ .name = "language",
	  .own_mails = true,
	  .standard = "en",
	  .right = "en, de (German), es (Spanish), or one that this site adds",
	  .help = "the language of your mails" },
	{ .name = "style",
	  .own_mails = true,
	  .standard = "both",
	  .read = settings_read_choice,
	  .values = styles,
	  .right = "both, text or html",
	  .help = "text: your mails have no HTML part" },
	{ .name = "board",
	  .own_mails = true,
	  .standard = "ascii",
	  .read = settings_read_choice,
	  .values = boards,
	  .right = "ascii, unicode, figurine or prose",
	  .help = "how the text of your mails shows the board" },
	{ .name = "flip",
	  .own_mails = true,
	  .standard = "off",
	  SWITCH,
	  .help = "on: the board from the other player's side" },
	{ .name = "size",
	  .own_mails = true,
	  .standard = "normal",
	  .read = settings_read_choice,
	  .values = sizes,
	  .right = "normal, small or large",
	  .help = "how large the board is" },
	{ .name = "notation",
	  .own_mails = true,
	  .standard = "english",
	  .read = settings_read_choice,
	  .values = notations,
	  .right = "english, figurine, german, french or spanish",
	  .help = "the language of the moves that you get" },
	{ .name = "digest",
	  .own_mails = true,
	  .standard = "off",
	  .read = settings_read_hour,
	  .right = "off, or a time of day like 08:00",
	  .help = "one mail a day at this time with all your boards" },
	{ .name = "puzzle",
	  .own_mails = true,
	  .standard = "off",
	  .read = settings_read_puzzle,
	  .right = "off, daily, weekly, with games: daily suicide,antichess",
	  .help = "a puzzle by mail each day, or each Monday" },
	{ .name = "noise",
	  .own_mails = true,
	  .silent = "end",
	  .standard = "mine",
	  .read = settings_read_choice,
	  .values = noises,
	  .right = "mine, every, quiet or end",
	  .help = "mails at your turn, at every move, or at the end" },
	{ .name = "reminders",
	  .own_mails = true,
	  .silent = "off",
	  .standard = "on",
	  SWITCH,
	  .help = "off: no reminders, only the last warning" },
	{ .name = "automove",
	  .standard = "off",
	  SWITCH,
	  .help = "on: the server plays your only legal move" },
	{ .name = "ifs",
	  .own_mails = true,
	  .standard = "on",
	  SWITCH,
	  .help = "off: your mails don't list your moves ahead" },
	{ .name = "retract",
	  .standard = "off",
	  .read = settings_read_duration,
	  .min = 60,
	  .max = CLOCK_DAY,
	  .right = "off, or a time from 1m to 1d, like 10m",
	  .help = "so long you can take your move back alone" },
	{ .name = "livepage",
	  .standard = "on",
	  SWITCH,
	  .help = "off: your running games have no web page" },
	{ .name = "autovacation",
	  .standard = "on",
	  SWITCH,
	  .help = "off: when your time is up, vacation doesn't begin" },
	{ .name = "comments",
	  .standard = "on",
	  SWITCH,
	  .help = "off: the archive doesn't show your comments" },
	{ .name = "lines",
	  .standard = "private",
	  .read = settings_read_choice,
	  .values = private_public,
	  .right = "private or public",
	  .help = "public: the archive shows your lines at the end" },
	{ .name = "analysis",
	  .standard = "on",
	  .read = settings_read_choice,
	  .values = on_off_mail,
	  .right = "on, off or mail",
	  .help = "off: games are not judged; mail: it writes to you" },
	{ .name = "news",
	  .own_mails = true,
	  .standard = "off",
	  SWITCH,
	  .help = "on: mails with news of this server" },
	{ .name = "report",
	  .own_mails = true,
	  .standard = "on",
	  SWITCH,
	  .help = "off: no weekly report, for moderators" },
	{ .name = "rated",
	  .standard = "yes",
	  .read = settings_read_choice,
	  .values = yes_no_ask,
	  .right = "yes, no or ask",
	  .help = "are the games rated that you offer" },
	{ .name = "days",
	  .standard = AS_TEXT(MATCH_DAYS),
	  .read = settings_read_number,
	  .min = 1,
	  .max = DAYS_MAX,
	  .right = "a number of days from 1 to 365",
	  .help = "days for each move in the games that you offer" },
	{ .name = "reserve",
	  .standard = AS_TEXT(MATCH_RESERVE),
	  .read = settings_read_number,
	  .max = DAYS_MAX,
	  .right = "a number of days from 0 to 365",
	  .help = "days in reserve in the games that you offer" },
	{ .name = "open",
	  .standard = "yes",
	  .read = settings_read_choice,
	  .values = yes_no,
	  .right = "yes or no",
	  .help = "no: nobody can offer you a game" },
	{ .name = "formula",
	  .standard = "",
	  .read = settings_read_text,
	  .max = FORMULA_MAX,
	  .right = "none, or a formula like: rating > 1400 and days >= 5",
	  .check = formula_check,
	  .help = "the condition that offers to you must fulfil" },
	{ .name = "name",
	  .aliases = "private-name realname fullname",
	  .standard = "",
	  .read = settings_read_text,
	  .max = NAME_MAX_BYTES,
	  .right = "none, or a name like Alice Smith, without address or link",
	  .help = "the name that others read beside your userid" },
	{ .name = NULL }
};

static const struct setting *find_exact(const char *name)
{
	for (const struct setting *s = settings_all; s->name; s++)
		if (strcasecmp(s->name, name) == 0 || word_list_has(s->aliases, name))
			return s;
	return NULL;
}

/* Lists the names near a misspelt one, or those that begin with it. */
static void complain(const char *name, const struct setting *const *near, size_t n, bool begin,
                     struct err *why)
{
	static const char *const commands[][2] = {
		{ "email", "change address <new>" },       { "address", "change address <new>" },
		{ "password", "change password <new>" },   { "passwort", "change password <new>" },
		{ "contraseña", "change password <new>" }, { "vacation", "vacation <from> <to>" },
		{ "holiday", "vacation <from> <to>" },     { "urlaub", "vacation <from> <to>" },
		{ "vacaciones", "vacation <from> <to>" },
	};
	char text[200];
	struct str s = STR_FIXED(text);

	for (size_t i = 0; i < n; i++)
		text_list(&s, i, n, near[i]->name, "or");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcasecmp(name, commands[i][0]) == 0) {
			str_clear(&s);
			str_add(&s, commands[i][1]);
		}
	if (begin)
		err_set(why, ERR_CONFLICT, "\"%.30s\" can mean %s.", name, text);
	else if (*text)
		err_set(why, ERR_NOT_FOUND, "There is no setting \"%.30s\".  Did you mean %s?",
		        name, text);
	else
		err_set(why, ERR_NOT_FOUND, "There is no setting \"%.30s\".", name);
}

const struct setting *setting_find(const char *name, struct err *why)
{
	const struct setting *s = find_exact(name), *found[BEGIN_MAX];
	size_t n = 0, len = strlen(name);

	if (s)
		return s;
	for (s = settings_all; len && s->name; s++)
		if (n < BEGIN_MAX && strncasecmp(s->name, name, len) == 0)
			found[n++] = s;
	if (n == 1)
		return found[0];
	bool begin = n > 0;
	for (s = settings_all; !begin && s->name; s++)
		if (n < 3 && len < 40 &&
		    word_distance(name, len, s->name, strlen(s->name)) <= 1 + len / 4)
			found[n++] = s;
	complain(name, found, n, begin, why);
	return NULL;
}

/* Without the blanks around it, and without the full stop of a sentence. */
static const char *trim(struct arena *a, const struct setting *s, const char *text)
{
	size_t n;

	while (isspace((unsigned char)*text))
		text++;
	n = strlen(text);
	while (n && (isspace((unsigned char)text[n - 1]) ||
	             (s->read != settings_read_text && strchr(".!\"'", text[n - 1]))))
		n--;
	if (s->read != settings_read_text)
		for (; n && strchr("\"'", *text); n--)
			text++;
	return arena_strndup(a, text, n);
}

static int read_language(const char *templates, const char *text, const char **value)
{
	const struct language *l;

	if (!language_find(templates, text, &l))
		return 1;
	*value = language_code(l);
	return 0;
}

int setting_read(const struct setting *s, const char *templates, struct arena *a, const char *text,
                 const char **value, const char **shown, struct err *why)
{
	static const char *const standard[] = { "default", "standard", "usual", "reset" };
	const char *word = trim(a, s, text);

	for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
		if (strcasecmp(word, standard[i]) == 0) {
			*value = NULL;
			return 0;
		}
	*value = NULL;
	int rc = !*word || strlen(word) > VALUE_MAX ? 1
	         : !s->read                         ? read_language(templates, word, value)
	                                            : s->read(s, a, word, value, why);
	if (rc == 0 && *value && s->check)
		rc = s->check(a, *value, shown, why);
	if (rc == 1)
		rc = err_set(why, ERR_BAD, "%s is %s.", s->name, s->right);
	return rc;
}

/* A value of a closed list that this program does not know (a newer one wrote it, or a
 * person), and a number that is too small or too large, count as not set. */
static bool is_known(const struct setting *s, const char *value)
{
	if (s->read == settings_read_number) {
		char *end;
		long n = strtol(value, &end, 10);

		return end > value && !*end && n >= s->min && n <= s->max;
	}
	if (s->read != settings_read_choice)
		return true;
	for (const char *const *v = s->values; *v; v++)
		if (strcspn(*v, "|") == strlen(value) && strncmp(*v, value, strlen(value)) == 0)
			return true;
	return false;
}

const char *settings_get(const struct player_doc *p, const char *name)
{
	for (const struct setting *s = settings_all; s->name; s++) {
		if (strcmp(s->name, name) != 0)
			continue;
		const char *value = player_setting(p, name);

		return value && is_known(s, value) ? value : s->standard;
	}
	return "";
}

bool settings_is(const struct player_doc *p, const char *name, const char *value)
{
	return strcmp(settings_get(p, name), value) == 0;
}

long settings_number(const struct player_doc *p, const char *name)
{
	const char *value = settings_get(p, name);
	size_t n = strspn(value, "0123456789");

	return n && n <= 9 && !value[n] ? strtol(value, NULL, 10) : settings_duration(value);
}
