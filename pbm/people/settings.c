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

/* The name, the usual value, the line of help, and what else a setting has. */
#define ROW(name_, standard_, help_, ...)                                                          \
	{                                                                                          \
		.name = name_, .standard = standard_, .help = help_, __VA_ARGS__                   \
	}
#define CHOICE(list, words) .read = settings_read_choice, .values = list, .right = words
#define SWITCH CHOICE(on_off, "on or off")

const struct setting settings_all[] = {
	ROW("timezone", "UTC", "the timezone of the times in your mails", .own_mails = true,
	    .aliases = "tz zone", .read = settings_read_zone,
	    .right = "UTC or the name of a timezone like Europe/Berlin or America/New_York"),
	ROW("language", "en", "the language of your mails", .own_mails = true,
	    .right = "en, de (German), es (Spanish), or one that this site adds"),
	ROW("style", "both", "text: your mails have no HTML part", .own_mails = true,
	    CHOICE(styles, "both, text or html")),
	ROW("board", "ascii", "how the text of your mails shows the board", .own_mails = true,
	    CHOICE(boards, "ascii, unicode, figurine or prose")),
	ROW("flip", "off", "on: the board from the other player's side", .own_mails = true, SWITCH),
	ROW("size", "normal", "how large the board is", .own_mails = true,
	    CHOICE(sizes, "normal, small or large")),
	ROW("notation", "english", "the language of the moves that you get", .own_mails = true,
	    CHOICE(notations, "english, figurine, german, french or spanish")),
	ROW("digest", "off", "one mail a day at this time with all your boards", .own_mails = true,
	    .read = settings_read_hour, .right = "off, or a time of day like 08:00"),
	ROW("puzzle", "off", "a puzzle by mail each day, or each Monday", .own_mails = true,
	    .read = settings_read_puzzle,
	    .right = "off, daily, weekly, with games: daily suicide,antichess"),
	ROW("noise", "mine", "mails at your turn, at every move, or at the end", .own_mails = true,
	    .silent = "end", CHOICE(noises, "mine, every, quiet or end")),
	ROW("reminders", "on", "off: no reminders, only the last warning", .own_mails = true,
	    .silent = "off", SWITCH),
	ROW("automove", "off", "on: the server plays your only legal move", SWITCH),
	ROW("ifs", "on", "off: your mails don't list your moves ahead", .own_mails = true, SWITCH),
	ROW("retract", "off", "so long you can take your move back alone",
	    .read = settings_read_duration, .min = 60, .max = CLOCK_DAY,
	    .right = "off, or a time from 1m to 1d, like 10m"),
	ROW("livepage", "on", "off: your running games have no web page", SWITCH),
	ROW("autovacation", "on", "off: when your time is up, vacation doesn't begin", SWITCH),
	ROW("comments", "on", "off: the archive doesn't show your comments", SWITCH),
	ROW("lines", "private", "public: the archive shows your lines at the end",
	    CHOICE(private_public, "private or public")),
	ROW("analysis", "on", "off: games are not judged; mail: it writes to you",
	    CHOICE(on_off_mail, "on, off or mail")),
	ROW("news", "off", "on: mails with news of this server", .own_mails = true, SWITCH),
	ROW("report", "on", "off: no weekly report, for moderators", .own_mails = true, SWITCH),
	ROW("rated", "yes", "are the games rated that you offer",
	    CHOICE(yes_no_ask, "yes, no or ask")),
	ROW("days", AS_TEXT(MATCH_DAYS), "days for each move in the games that you offer",
	    .read = settings_read_number, .min = 1, .max = DAYS_MAX,
	    .right = "a number of days from 1 to 365"),
	ROW("reserve", AS_TEXT(MATCH_RESERVE), "days in reserve in the games that you offer",
	    .read = settings_read_number, .max = DAYS_MAX,
	    .right = "a number of days from 0 to 365"),
	ROW("open", "yes", "no: nobody can offer you a game", CHOICE(yes_no, "yes or no")),
	ROW("formula", "", "the condition that offers to you must fulfil",
	    .read = settings_read_text, .max = FORMULA_MAX,
	    .right = "none, or a formula like: rating > 1400 and days >= 5",
	    .check = formula_check),
	ROW("name", "", "the name that others read beside your userid",
	    .aliases = "private-name realname fullname", .read = settings_read_text,
	    .max = NAME_MAX_BYTES,
	    .right = "none, or a name like Alice Smith, without address or link"),
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
	struct str s = STR_LOCAL(200);

	for (size_t i = 0; i < n; i++)
		text_list(&s, i, n, near[i]->name, "or");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcasecmp(name, commands[i][0]) == 0) {
			str_clear(&s);
			str_add(&s, commands[i][1]);
		}
	if (begin)
		err_set(why, ERR_CONFLICT, "\"%.30s\" can mean %s.", name, s.data);
	else if (*s.data)
		err_set(why, ERR_NOT_FOUND, "There is no setting \"%.30s\".  Did you mean %s?",
		        name, s.data);
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
	static const char *const standard[] = { "default", "standard", "usual", "reset", NULL };
	const char *word = trim(a, s, text);

	*value = NULL;
	if (str_is_any(word, standard))
		return 0;
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
