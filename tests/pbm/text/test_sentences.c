/* Sentences in another language: formats, their holes, and catalogues that are wrong. */
#include <check.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/io.h"
#include "pbm/text/language.h"
#include "pbm/text/sentences.h"
#include "pbm/text/template.h"
#include "tests/util/util.h"

/* Pairs of a catalogue; NULL in the second column begins the parts. */
static const struct {
	const char *format, *said;
	bool part;
} catalogue[] = {
	{ "You resigned.", "Du hast aufgegeben.", false },
	{ "%s resigned.", "%s hat aufgegeben.", false },
	{ "%s resigned", "%s hat aufgegeben", false },
	{ "Board %lld is over: %s.", "Brett %d ist zu Ende: %t.", false },
	{ "%s wins (%s)", "%s gewinnt (%s)", false },
	{ "%s wins (%s): %s", "%s gewinnt (%s): %t", false },
	{ "There is no %s that can go to %s.", "Kein %1$t kann nach %2$s ziehen.", false },
	{ "There is no queen that can go to %s.", "Keine Dame kann nach %s ziehen.", false },
	{ "%d %s taken back.", "%d %t zurückgenommen.", false },
	{ "I don't know \"%s\".", "„%s“ kenne ich nicht.", false },
	{ "You played %s now.", "Du hast %s gespielt.", false },
	{ "Did you mean %s?", "Meinst du %t?", false },
	{ "Until %s: %s.", "Bis %t: %t.", false },
	{ "%s %d %s %d, %02d:%02d (%s)", "%1$t, %2$d. %3$t %4$d, %5$d:%6$d Uhr (%7$s)", false },
	{ "%zu%% of %s", "%2$s: %1$d %%", false },
	{ "board  turns", "Brett  Züge", false },
	{ "turns", "Züge", false },
	{ "state", "Stand", false },
	{ "checkmate", "Schachmatt", true },
	{ "knight", "Springer", true },
	{ "that odd, long thing", "das lange Ding", true },
	{ "turns", "Züge", true },
	{ "%lld days", "%d Tage", true },
	{ "%s or %s", "%t oder %t", true },
	{ "Tue", "Di", true },
	{ "Dec", "Dezember", true },
};

static const struct {
	const char *english, *german;
} said[] = {
	{ "You resigned.", "Du hast aufgegeben." },
	{ "alice resigned.", "alice hat aufgegeben." },
	/* no name goes across columns */
	{ "   1  Chess   turns   alice resigned", "   1  Chess   Züge    alice hat aufgegeben" },
	{ "You resigned.  alice resigned.", "Du hast aufgegeben.  alice hat aufgegeben." },
	{ "Never heard of it.  You resigned.", "Never heard of it.  Du hast aufgegeben." },
	/* sentences inside sentences */
	{ "Board 7 is over: alice wins (1-0): bob resigned.",
	  "Brett 7 ist zu Ende: alice gewinnt (1-0): bob hat aufgegeben." },
	{ "Board 7 is over: alice wins (1-0): checkmate.",
	  "Brett 7 ist zu Ende: alice gewinnt (1-0): Schachmatt." },
	/* the format that says most goes first */
	{ "There is no knight that can go to f3.", "Kein Springer kann nach f3 ziehen." },
	{ "There is no queen that can go to f3.", "Keine Dame kann nach f3 ziehen." },
	{ "There is no dragon that can go to f3.", "Kein dragon kann nach f3 ziehen." },
	{ "There is no knight that can go to f3.  You resigned.",
	  "Kein Springer kann nach f3 ziehen.  Du hast aufgegeben." },
	{ "Did you mean checkmate, knight, that odd, long thing or rook?",
	  "Meinst du Schachmatt, Springer, das lange Ding oder rook?" },
	{ "Did you mean this, that odd, long thing, this, knight?",
	  "Meinst du this, das lange Ding, this, Springer?" },
	{ "There is no knight that can go to 5m. You resigned.",
	  "Kein Springer kann nach 5m ziehen. Du hast aufgegeben." },
	{ "There is no knight that can go to 12. You resigned.",
	  "Kein Springer kann nach 12 ziehen. Du hast aufgegeben." },
	{ "There is no knight that can go to x + 7  You resigned.",
	  "There is no knight that can go to x + 7  Du hast aufgegeben." },
	{ "I don't know \"so  Many blanks\".", "„so Many blanks“ kenne ich nicht." },
	{ "You played 7. Bc4 now.", "Du hast 7. Bc4 gespielt." },
	{ "You played 1... e5 now.", "Du hast 1... e5 gespielt." },
	/* numbers are numbers, and keep their zeros */
	{ "2 turns taken back.", "2 Züge zurückgenommen." },
	{ "two turns taken back.", "two turns taken back." },
	{ "Until Tue 1 Dec 2026, 08:05 (UTC): 6 days.",
	  "Bis Di, 1. Dezember 2026, 08:05 Uhr (UTC): 6 Tage." },
	{ "50% of alice", "alice: 50 %" },
	/* typed words stay as they are, even if they look like a sentence */
	{ "I don't know \"knight\".", "„knight“ kenne ich nicht." },
	{ "I don't know \"x. You resigned.\".", "„x. You resigned.“ kenne ich nicht." },
	{ "Did you mean checkmate, knight or rook?", "Meinst du Schachmatt, Springer oder rook?" },
	/* a part is no sentence */
	{ "checkmate", "checkmate" },
	{ "alice or bob", "alice or bob" },
	/* lines and columns */
	{ "  You resigned.\n\n  nothing\n", "  Du hast aufgegeben.\n\n  nothing\n" },
	{ "name    turns   state", "name    Züge    Stand" },
	{ "name  turns  state", "name  Züge   Stand" },
	{ "| You resigned.\nYou resigned.", "| You resigned.\nDu hast aufgegeben." },
	{ "", "" },
	{ "%s%n%d", "%s%n%d" },
};

static struct sentences *make(void)
{
	struct sentences *s = sentences_new();
	struct err e = { 0 };

	for (size_t i = 0; i < ROWS(catalogue); i++)
		ck_assert_msg(sentences_add(s, catalogue[i].format, catalogue[i].said,
		                            catalogue[i].part, &e) == 0,
		              "%s: %s", catalogue[i].format, e.text);
	return s;
}

START_TEST(says)
{
	struct sentences *s = make();
	struct str out;

	str_init(&out, 10000);
	sentences_say(s, said[_i].english, &out);
	ck_assert_str_eq(out.data, said[_i].german);
	str_clear(&out);
	sentences_say(NULL, said[_i].english, &out);
	ck_assert_str_eq(out.data, said[_i].english);
	str_release(&out);
	sentences_free(s);
}
END_TEST

/* Pairs that don't belong together. */
static const struct {
	const char *format, *said;
} wrong[] = {
	{ "You have %d.", "Du hast %s." },
	{ "You have %s.", "Du hast %d." },
	{ "You have %s.", "Du hast %n." },
	{ "You have %s.", "Du hast %p." },
	{ "You have %s.", "Du hast %2$s." },
	{ "You have %s.", "Du hast %0$s." },
	{ "You have %s.", "Du hast %99$s." },
	{ "You have %s.", "Du hast %999999999999$s." },
	{ "You have %s.", "Du hast %1$s %s." },
	{ "You have %s.", "Du hast." },
	{ "You have %s.", "Du hast %" },
	{ "You have %s.", "Du hast %1$" },
	{ "You have %s.", "Du hast %1" },
	{ "You have %s.", "Du hast %5" },
	{ "You have %s and %s.", "Du hast %1$s." },
	{ "You have.", "Du hast %s." },
	{ "You have %n.", "Du hast %n." },
	{ "You have %1$s.", "Du hast %1$s." },
	{ "You have %", "Du hast" },
	{ "%s", "%s" },
	{ " %s ", "ein %s" },
	{ "", "" },
	{ "a%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%sb", "a%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%sb" },
};

START_TEST(refuses)
{
	struct sentences *s = sentences_new();
	struct err e = { 0 };

	ck_assert_msg(sentences_add(s, wrong[_i].format, wrong[_i].said, false, &e) < 0, "%s",
	              wrong[_i].said);
	ck_assert_str_ne(e.text, "");
	sentences_free(s);
}
END_TEST

START_TEST(a_sentence_stands_once)
{
	struct sentences *s = sentences_new();

	ck_assert_int_eq(sentences_add(s, "You resigned.", "a", false, NULL), 0);
	ck_assert_int_eq(sentences_add(s, "You resigned.", "b", false, NULL), ERR_CONFLICT);
	ck_assert_int_eq(sentences_add(s, "You resigned.", "c", true, NULL), 0);
	sentences_free(s);
}
END_TEST

/* A text that fits a format in very many ways, almost, comes to an end. */
START_TEST(a_comparison_ends)
{
	struct sentences *s = sentences_new();
	struct str text, out;

	ck_assert_int_eq(
		sentences_add(s, "a%sa%sa%sa%sa%sa%sa%sa%sb", "%s%s%s%s%s%s%s%s", false, NULL), 0);
	str_init(&text, 20000);
	str_init(&out, 40000);
	while (text.len < 9000)
		str_add(&text, "a");
	sentences_say(s, text.data, &out);
	ck_assert_str_eq(out.data, text.data);
	str_release(&text);
	str_release(&out);
	sentences_free(s);
}
END_TEST

static void check_language(const char *code, void *arg)
{
	const struct language *l;
	const char *text;
	int *count = arg;

	ck_assert_msg(language_find(NULL, code, &l), "%s", code);
	ck_assert_str_eq(language_code(l), code);
	++*count;
	if (!l)
		return;
	char name[40];
	struct str path = STR_FIXED(name);
	str_addf(&path, "%s/sentences.json", code);
	text = template_text(NULL, name);
	ck_assert_ptr_nonnull(text);
	json_error_t why;
	json_t *o = json_loads(text, JSON_REJECT_DUPLICATES, &why);
	ck_assert_msg(o != NULL, "%s: line %d: %s", name, why.line, why.text);
	struct sentences *s = sentences_new();
	ck_assert_uint_eq(sentences_add_all(s, o, name), 0);
	ck_assert(json_is_array(json_object_get(o, "names")));
	sentences_free(s);
	json_decref(o);
}

START_TEST(built_in_languages_are_right)
{
	int count = 0;

	language_each(NULL, check_language, &count);
	ck_assert_int_ge(count, 2);
}
END_TEST

static const struct {
	const char *word, *code; /* NULL: none such */
} words[] = {
	{ "de", "de" },   { "DE", "de" },        { "German", "de" }, { "deutsch", "de" },
	{ "en", "en" },   { "English", "en" },   { "", NULL },       { "xx", NULL },
	{ "mail", NULL }, { "../../etc", NULL }, { "help", NULL },   { "de/mail", NULL },
	{ ".", NULL },    { "-", NULL },         { "d e", NULL },    { "deutschlandsprache", NULL },
};

START_TEST(languages_are_found)
{
	const struct language *l;
	bool found = language_find(NULL, words[_i].word, &l);

	ck_assert_msg(found == (words[_i].code != NULL), "%s", words[_i].word);
	if (found)
		ck_assert_str_eq(language_code(l), words[_i].code);
}
END_TEST

/* A site adds a language by a folder, and its wrong entries do no harm. */
START_TEST(a_site_adds_a_language)
{
	char *dir = util_folder(), path[200];
	const struct language *l;
	struct str out;

	snprintf(path, sizeof path, "%s/fr", dir);
	ck_assert_int_eq(io_make_dirs(AT_FDCWD, path, 0755, NULL), 0);
	snprintf(path, sizeof path, "%s/fr/sentences.json", dir);
	static const char text[] = "{\"names\":[\"français\",7],\"sentences\":{"
				   "\"You resigned.\":\"Vous avez abandonné.\","
				   "\"%s resigned.\":\"%n%n%n\",\"x\":[],\"Hm.\":null}}";
	ck_assert_int_eq(io_replace(AT_FDCWD, path, text, strlen(text), 0644, IO_LAZY, NULL), 0);
	ck_assert(language_find(dir, "fr", &l));
	str_init(&out, 1000);
	language_say(l, "You resigned.  bob resigned.", &out);
	ck_assert_str_eq(out.data, "Vous avez abandonné.  bob resigned.");
	ck_assert_ptr_eq(template_text_in(dir, l, "help/start.md"),
	                 template_text(NULL, "help/start.md"));
	str_release(&out);
	util_drop(dir);
}
END_TEST

/* Catalogues that are no catalogues. */
static const char *const broken[] = { "",
	                              "[]",
	                              "{",
	                              "7",
	                              "{\"sentences\":7,\"parts\":\"x\",\"names\":{}}",
	                              "{\"sentences\":{\"a\":\"b\",\"a\":\"b\"}}",
	                              "\xff" };

START_TEST(a_broken_catalogue_does_no_harm)
{
	char *dir = util_folder(), path[200];
	const struct language *l;
	struct str out;

	snprintf(path, sizeof path, "%s/fr", dir);
	ck_assert_int_eq(io_make_dirs(AT_FDCWD, path, 0755, NULL), 0);
	snprintf(path, sizeof path, "%s/fr/sentences.json", dir);
	ck_assert_int_eq(
		io_replace(AT_FDCWD, path, broken[_i], strlen(broken[_i]), 0644, IO_LAZY, NULL), 0);
	str_init(&out, 1000);
	language_find(dir, "fr", &l);
	language_say(l, "You resigned.", &out);
	ck_assert_str_eq(out.data, "You resigned.");
	ck_assert(!language_find(dir, "français", &l));
	str_release(&out);
	util_drop(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("sentences");

	tcase_add_loop_test(t, says, 0, ROWS(said));
	tcase_add_loop_test(t, refuses, 0, ROWS(wrong));
	tcase_add_test(t, a_sentence_stands_once);
	tcase_add_test(t, a_comparison_ends);
	tcase_add_test(t, built_in_languages_are_right);
	tcase_add_loop_test(t, languages_are_found, 0, ROWS(words));
	tcase_add_test(t, a_site_adds_a_language);
	tcase_add_loop_test(t, a_broken_catalogue_does_no_harm, 0, ROWS(broken));
	return util_main(t);
}
