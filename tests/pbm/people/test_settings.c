/* The variables of players: names, values, standard values. */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/io.h"
#include "pbm/base/utf8.h"
#include "pbm/people/settings.h"
#include "pbm/text/language.h"
#include "pbm/text/template.h"
#include "tests/util/suite.h"
#include "tests/util/util.h"

#define HELP_WIDTH 50  /* of a line of `set`, after name and value */
#define RIGHT_WIDTH 59 /* of the line below it */

/* Values that a player writes for a variable, and the stored ones: NULL is not a right value, ""
 * the standard value. */
static const struct {
	const char *name, *text, *kept;
} rows[] = {
	{ "timezone", "Europe/Berlin", "Europe/Berlin" },
	{ "timezone", "europe/berlin", "Europe/Berlin" },
	{ "timezone", "America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires" },
	{ "timezone", "Berlin", "Europe/Berlin" },
	{ "timezone", "new york", "America/New_York" },
	{ "timezone", "sydney", "Australia/Sydney" },
	{ "timezone", "Berlin/Berlin", NULL },
	{ "timezone", "Atlantis", NULL },
	{ "timezone", "utc", "UTC" },
	{ "timezone", "Etc/GMT+5", "Etc/GMT+5" },
	{ "timezone", "Europe", NULL },
	{ "timezone", "Europe/", NULL },
	{ "timezone", "/Europe/Berlin", NULL },
	{ "timezone", "Europe//Berlin", NULL },
	{ "timezone", "../zoneinfo/UTC", NULL },
	{ "timezone", "../../../etc/passwd", NULL },
	{ "timezone", "/etc/passwd", NULL },
	{ "timezone", "posix/UTC", NULL },
	{ "timezone", "right/UTC", NULL },
	{ "timezone", "posixrules", NULL },
	{ "timezone", "zone.tab", NULL },
	{ "timezone", "tzdata.zi", NULL },
	{ "timezone", "Europe/Atlantis", NULL },
	{ "timezone", "Moon\nUTC", NULL },
	{ "language", "German", "de" },
	{ "language", "deutsch", "de" },
	{ "language", "EN", "en" },
	{ "language", "Español", "es" },
	{ "language", "klingon", NULL },
	{ "style", "HTML", "html" },
	{ "style", "text", "text" },
	{ "style", "pdf", NULL },
	{ "board", "figurine", "figurine" },
	{ "board", "prose", "prose" },
	{ "board", "wood", NULL },
	{ "flip", "on", "on" },
	{ "flip", "yes.", "on" },
	{ "size", "large", "large" },
	{ "size", "huge", NULL },
	{ "notation", "Français", "french" },
	{ "notation", "español", "spanish" },
	{ "notation", "german", "german" },
	{ "digest", "8:00", "08:00" },
	{ "digest", "08:30", "08:30" },
	{ "digest", "23:59", "23:59" },
	{ "digest", "0:00", "00:00" },
	{ "digest", "7", "07:00" },
	{ "digest", "24:00", NULL },
	{ "digest", "8:60", NULL },
	{ "digest", "8:5", NULL },
	{ "digest", "-1:00", NULL },
	{ "digest", "99999999999999999999", NULL },
	{ "digest", "off", "off" },
	{ "digest", "daily", NULL },
	{ "noise", "all", "every" },
	{ "noise", "end", "end" },
	{ "reminders", "Off!", "off" },
	{ "reminders", "standard", "" },
	{ "automove", "on", "on" },
	{ "automove", "\"on\"", "on" },
	{ "automove", "maybe", NULL },
	{ "automove", "o", NULL },
	{ "retract", "10m", "10m" },
	{ "retract", "10 minutes", "10m" },
	{ "retract", "24h", "24h" },
	{ "retract", "1d", "1d" },
	{ "retract", "2d", NULL },
	{ "retract", "25h", NULL },
	{ "retract", "0m", NULL },
	{ "retract", "10", NULL },
	{ "retract", "m", NULL },
	{ "retract", "no", "off" },
	{ "rated", "ask", "ask" },
	{ "rated", "unrated", "no" },
	{ "rated", "perhaps", NULL },
	{ "days", "3", "3" },
	{ "days", "003", "3" },
	{ "days", "0", NULL },
	{ "days", "366", NULL },
	{ "days", "-3", NULL },
	{ "days", "3 days", NULL },
	{ "days", "1e2", NULL },
	{ "reserve", "0", "0" },
	{ "open", "no", "no" },
	{ "open", "off", "no" },
	{ "formula", "rating > 1400 and days >= 5", "rating > 1400 and days >= 5" },
	{ "formula", "none", "" },
	{ "name", "Alice Smith", "Alice Smith" },
	/* beside the control characters, and the first and the last of them */
	{ "name", "a~\u00a0\u200a\u2010\u2027\u202f\u205f\u2070z",
	  "a~\u00a0\u200a\u2010\u2027\u202f\u205f\u2070z" },
	{ "name", "a\x1fz", NULL },
	{ "name", "a\x7fz", NULL },
	{ "name", "a\xc2\x9fz", NULL },
	{ "name", "a\u200bz", NULL },
	{ "name", "a\u200fz", NULL },
	{ "name", "a\u2028z", NULL },
	{ "name", "a\u202ez", NULL },
	{ "name", "a\u2060z", NULL },
	{ "name", "a\u206fz", NULL },
	{ "name", "\"Alice Smith\"", "Alice Smith" },
	{ "name", "Ålice", "Ålice" },
	{ "name", "none", "" },
	{ "name", "a\tb", NULL },
	{ "name", "evil\u202eeman", NULL },
	{ "name", "0123456789012345678901234567890123456789012345678901234567890", NULL },
};

static const struct setting *find(const char *name)
{
	struct err why = { 0 };
	const struct setting *s = setting_find(name, &why);

	ck_assert_msg(s != NULL, "%s: %s", name, why.text);
	return s;
}

START_TEST(values)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct arena a = { 0 };
		struct err why = { 0 };
		const char *value = "?", *kept = rows[i].kept;
		int rc = setting_read(find(rows[i].name), NULL, &a, rows[i].text, &value, NULL,
		                      &why);

		ck_assert_msg((rc == 0) == (kept != NULL), "%s %s: %d %s", rows[i].name,
		              rows[i].text, rc, why.text);
		if (rc < 0)
			ck_assert_msg(strncmp(why.text, rows[i].name, strlen(rows[i].name)) == 0,
			              "%s", why.text);
		else
			ck_assert_str_eq(value ? value : "", kept);
		arena_release(&a);
	}
}
END_TEST

static const struct {
	const char *typed, *found; /* or the part of the complaint in brackets */
} names[] = {
	{ "timezone", "timezone" },
	{ "TIMEZONE", "timezone" },
	{ "tz", "timezone" },
	{ "time", "timezone" },
	{ "lang", "language" },
	{ "dig", "digest" },
	{ "no", "[can mean notation or noise.]" },
	{ "re", "[can mean reminders, retract, report or reserve.]" },
	{ "r", "[can mean reminders, retract, report, rated or reserve.]" },
	{ "automoves", "[Did you mean automove?]" },
	{ "dygest", "[Did you mean digest?]" },
	{ "colour", "[There is no setting \"colour\".]" },
	{ "", "[There is no setting]" },
};

START_TEST(names_are_found)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct err why = { 0 };
		const struct setting *s = setting_find(names[i].typed, &why);
		const char *found = names[i].found;

		if (*found != '[') {
			ck_assert_msg(s && strcmp(s->name, found) == 0, "%s: %s", names[i].typed,
			              why.text);
			continue;
		}
		char part[100];
		ck_assert_int_lt(
			snprintf(part, sizeof part, "%.*s", (int)strlen(found) - 2, found + 1),
			(int)sizeof part);
		ck_assert_msg(!s && strstr(why.text, part), "%s: %s", names[i].typed, why.text);
	}
}
END_TEST

/* The standard value is a right value, the right values are named, there is
 * a page, and the half line fits into the list. */
START_TEST(table_is_whole)
{
	for (const struct setting *s = settings_all; s->name; s++) {
		struct arena a = { 0 };
		const char *value = NULL;

		if (*s->standard) {
			ck_assert_int_eq(setting_read(s, NULL, &a, s->standard, &value, NULL, NULL),
			                 0);
			ck_assert_str_eq(value, s->standard);
		}
		for (const char *const *v = s->values; v && *v; v++) {
			char *word = arena_strndup(&a, *v, strcspn(*v, "|"));

			ck_assert_msg(strstr(s->right, word) != NULL, "%s: %s", s->name, word);
		}
		const char *page = arena_printf(&a, "help/set/%s.md", s->name);
		ck_assert_msg(template_text(NULL, page) != NULL, "%s", page);
		ck_assert_msg(strlen(s->help) <= HELP_WIDTH, "%s: %s", s->name, s->help);
		arena_release(&a);
	}
}
END_TEST

/* Both lines fit into the list in each language, too. */
START_TEST(lines_fit)
{
	static const char *const codes[] = { "en", "de", "es" };

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		for (const struct setting *s = settings_all; s->name; s++) {
			const struct language *l;
			char help[300], right[300];
			struct str h = STR_FIXED(help), r = STR_FIXED(right);

			ck_assert(language_find(NULL, codes[i], &l));
			language_say(l, s->help, &h);
			language_say(l, s->right, &r);
			ck_assert_msg(utf8_count(help, h.len) <= HELP_WIDTH, "%s", help);
			/* a line that begins with a capital is filled */
			ck_assert_msg(isupper((unsigned char)*right) ||
			                      utf8_count(right, r.len) <= RIGHT_WIDTH,
			              "%s", right);
		}
}
END_TEST

/* A language that a site adds in its own templates is a right value there. */
START_TEST(a_site_adds_a_language)
{
	char *dir = util_folder(), path[200];
	struct arena a = { 0 };
	const char *value;

	snprintf(path, sizeof path, "%s/fr", dir);
	ck_assert_int_eq(io_make_dirs(AT_FDCWD, path, 0755, NULL), 0);
	snprintf(path, sizeof path, "%s/fr/sentences.json", dir);
	static const char text[] = "{\"names\":[\"français\"]}";
	ck_assert_int_eq(io_replace(AT_FDCWD, path, text, strlen(text), 0644, IO_LAZY, NULL), 0);
	ck_assert_int_eq(setting_read(find("language"), dir, &a, "français", &value, NULL, NULL),
	                 0);
	ck_assert_str_eq(value, "fr");
	ck_assert_int_eq(setting_read(find("language"), NULL, &a, "fr", &value, NULL, NULL),
	                 ERR_BAD);
	arena_release(&a);
	util_drop(dir);
}
END_TEST

START_TEST(standard_values)
{
	struct player_setting set[] = { { "automove", "on" },
		                        { "style", "hologram" },
		                        { "retract", "2h" },
		                        { "days", "3" },
		                        { "reserve", "999" } };
	struct player_doc p = { .setting_count = 5, .settings = set };

	ck_assert_str_eq(settings_get(&p, "automove"), "on");
	ck_assert_str_eq(settings_get(&p, "reminders"), "on");
	ck_assert_str_eq(settings_get(&p, "formula"), "");
	ck_assert_str_eq(settings_get(&p, "nothing"), "");
	/* a value that this program does not know */
	ck_assert_str_eq(settings_get(&p, "style"), "both");
	ck_assert_int_eq(settings_number(&p, "reserve"), 30);
	ck_assert(settings_is(&p, "automove", "on"));
	ck_assert_int_eq(settings_number(&p, "days"), 3);
	ck_assert_int_eq(settings_number(&p, "retract"), 7200);
	ck_assert_int_eq(settings_number(&p, "digest"), 0);
}
END_TEST

/* The least and the largest number are kept, the next ones are not. */
static const struct {
	const char *days;
	long number;
} stored[] = { { "1", 1 }, { "365", 365 }, { "0", 7 }, { "366", 7 }, { "3x", 7 }, { "", 7 } };

START_TEST(a_stored_number_has_limits)
{
	struct player_setting set[] = { { "days", stored[_i].days } };
	struct player_doc p = { .setting_count = 1, .settings = set };

	ck_assert_int_eq(settings_number(&p, "days"), stored[_i].number);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("settings");
	TCase *t = tcase_create("settings");

	tcase_add_test(t, values);
	tcase_add_test(t, names_are_found);
	tcase_add_test(t, table_is_whole);
	tcase_add_test(t, lines_fit);
	tcase_add_test(t, a_site_adds_a_language);
	tcase_add_test(t, standard_values);
	tcase_add_loop_test(t, a_stored_number_has_limits, 0,
	                    (int)(sizeof stored / sizeof *stored));
	suite_add_tcase(s, t);
	return suite_run(s);
}
