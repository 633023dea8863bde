/* Things that each game of the registry must have beside its rules: a help page with a sample
 * game, counts to test it by, names nobody else uses. */
#include <ctype.h>
#include <glob.h>

#include "pbm/text/template.h"
#include "tests/util/rows.h"
#include "tests/util/suite.h"

#define GAMES_MAX 64

static const struct rules *counted[GAMES_MAX];
static unsigned counted_n;

static void note_game(const json_t *row, const char *where)
{
	struct game g = row_game(row, where);

	ck_assert_msg(json_object_get(row, "perft") || json_object_get(row, "perft_turns"),
	              "%s: a row without counts", where);
	for (unsigned i = 0; i < counted_n; i++)
		if (counted[i] == g.rules)
			return;
	ck_assert(counted_n < GAMES_MAX);
	counted[counted_n++] = g.rules;
}

START_TEST(games_have_counts)
{
	glob_t found;

	ck_assert(glob("tests/data/perft/*.jsonl", 0, NULL, &found) == 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		rows_run(found.gl_pathv[i], note_game);
	globfree(&found);
	for (const struct rules *const *r = rules_all; *r; r++) {
		bool known = false;

		for (unsigned i = 0; i < counted_n; i++)
			known |= counted[i] == *r;
		ck_assert_msg(known, "%s has no row in tests/data/perft", (*r)->name);
	}
}
END_TEST

START_TEST(games_have_pages)
{
	for (const struct rules *const *r = rules_all; *r; r++) {
		char name[80];
		const char *text;

		snprintf(name, sizeof name, "help/games/%s.md", (*r)->name);
		text = template_text(NULL, name);
		ck_assert_msg(text != NULL, "%s is missing", name);
		ck_assert_msg(strstr(text, "\n```game") != NULL, "%s has no sample game", name);
		for (const struct rules_option *o = (*r)->options; o && o->word; o++)
			ck_assert_msg(strstr(text, o->word) != NULL, "%s: not a word on %s", name,
			              o->word);
	}
}
END_TEST

/* Words people type: lower-case letters, of other alphabets too, and digits, perhaps a hyphen
 * between. */
static void check_word(const char *word)
{
	ck_assert_msg(strlen(word) >= 2 && strlen(word) <= 20, "%s", word);
	for (const char *c = word; *c; c++)
		ck_assert_msg(islower((unsigned char)*c) || isdigit((unsigned char)*c) ||
		                      (unsigned char)*c >= 0x80 || (*c == '-' && c > word && c[1]),
		              "%s", word);
}

/* The game with this word answers to it alone. */
static void check_owner(const struct rules *owner, const char *word)
{
	unsigned n = 0;

	check_word(word);
	for (const struct rules *const *r = rules_all; *r; r++) {
		n += strcmp((*r)->name, word) == 0;
		for (const char *const *a = (*r)->aliases; a && *a; a++)
			n += strcmp(*a, word) == 0;
	}
	ck_assert_msg(n == 1, "%s stands for %u games", word, n);
	ck_assert(rules_find(word, strlen(word), NULL) == owner);
}

START_TEST(names_are_unique)
{
	for (const struct rules *const *r = rules_all; *r; r++) {
		check_owner(*r, (*r)->name);
		for (const char *const *a = (*r)->aliases; a && *a; a++)
			check_owner(*r, *a);
	}
}
END_TEST

static void check_said(const struct rules *r, const char *text, const char *what)
{
	ck_assert_msg(text && *text && strlen(text) <= 72 && !strchr(text, '\n'), "%s: %s", r->name,
	              what);
}

START_TEST(games_say_what_they_are)
{
	for (const struct rules *const *r = rules_all; *r; r++) {
		check_said(*r, (*r)->title, "title");
		check_said(*r, (*r)->list_name, "list_name");
		check_said(*r, (*r)->summary, "summary");
		ck_assert((*r)->version >= 1);
		for (const struct rules *const *o = rules_all; o < r; o++) {
			ck_assert_str_ne((*o)->title, (*r)->title);
			ck_assert_str_ne((*o)->list_name, (*r)->list_name);
			ck_assert_str_ne((*o)->summary, (*r)->summary);
		}
	}
}
END_TEST

static char variants[GAMES_MAX][80];
static unsigned variants_n;

/* Each choice of options that nothing forbids can be told in PGN. */
static void check_choice(const struct game *g)
{
	char *variant = variants[variants_n];
	struct str s = STR_FIXED(variants[variants_n]);
	struct pos p;
	struct err e = { 0 };

	ck_assert(variants_n < GAMES_MAX);
	game_write_variant(g, &s);
	for (unsigned i = 0; *variant && !g->rules->pgn_options_tag && i < variants_n; i++)
		ck_assert_str_ne(variants[i], variant);
	if (*variant)
		variants_n++;

	ck_assert_msg(game_setup(g, NULL, &p, &e) == 0, "%s: %s", g->rules->name, e.text);
	ck_assert_msg((*variant == 0) == (strcmp(g->rules->name, "chess") == 0), "%s",
	              g->rules->name);
}

START_TEST(options_are_whole)
{
	for (const struct rules *const *r = rules_all; *r; r++) {
		const struct rules_option *o = (*r)->options;
		unsigned n = 0;

		for (; n < rules_option_count(*r); n++) {
			ck_assert_msg(o[n].word[0] == '-', "%s", o[n].word);
			ck_assert(strlen(o[n].word) <= 20 && !strpbrk(o[n].word, " ,"));
			check_said(*r, o[n].help, o[n].word);
		}
		for (uint32_t chosen = 0; chosen < 1u << n; chosen++) {
			bool possible = true;

			for (unsigned i = 0; i < n; i++) {
				ck_assert(!(o[i].excludes >> n));
				possible &= !(chosen >> i & 1 && chosen & o[i].excludes);
			}
			if (possible)
				check_choice(&(struct game){ *r, chosen });
		}
	}
}
END_TEST

/* Words that people type for a game: its name, another of its words, or only the beginning. */
static const struct {
	const char *word, *game, *says; /* game NULL: refused so */
} words[] = {
	{ "suicide", "suicide", NULL },
	{ "SUICIDE", "suicide", NULL },
	{ "sui", "suicide", NULL },
	{ "su", NULL, "There is no game" },
	{ "frc", "chess960", NULL },
	{ "racing", "racingkings", NULL },
	{ "kamikaze", "kamikaze", NULL },
	{ "kami", NULL, "can mean several games: kamikaze, kamikaze2." },
	{ "suicde", NULL, "There is no game \"suicde\". Did you mean suicide?" },
	{ "xyzzyx", NULL, "The games are: chess, chess960, " },
	{ "", NULL, "There is no game" },
};

START_TEST(words_find_games)
{
	struct err e = { 0 };
	const struct rules *r = rules_find(words[_i].word, strlen(words[_i].word), &e);

	if (words[_i].game)
		ck_assert_str_eq(r ? r->name : e.text, words[_i].game);
	else
		ck_assert_msg(!r && strstr(e.text, words[_i].says), "%s", e.text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("registry");
	TCase *t = tcase_create("registry");

	tcase_add_test(t, games_have_counts);
	tcase_add_test(t, games_have_pages);
	tcase_add_test(t, names_are_unique);
	tcase_add_loop_test(t, words_find_games, 0, (int)(sizeof words / sizeof *words));
	tcase_add_test(t, games_say_what_they_are);
	tcase_add_test(t, options_are_whole);
	suite_add_tcase(s, t);
	return suite_run(s);
}
