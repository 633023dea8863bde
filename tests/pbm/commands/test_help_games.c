/* Replays the example games of the help pages.  A block "fen" is a position, a
 * block "game" a game from the array, "game fen" one from the last position;
 * words with a hyphen are the game's options.  The moves must be legal and
 * written as the server writes them, and end in the result that stands last. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/text/template.h"
#include "tests/util/help_blocks.h"

static char page[200]; /* the place, for messages */

static void set_options(struct game *g, const char *info)
{
	char copy[80], *save = NULL;
	struct err e = { 0 };

	snprintf(copy, sizeof copy, "%s", info);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		if (w[0] == '-')
			ck_assert_msg(game_option(g, w, strlen(w), &e) == 0, "%s: %s: %s", page, w,
			              e.text);
}

static bool is_number(const char *word)
{
	size_t n = strspn(word, "0123456789");

	return n > 0 && word[n] == '.' && word[n + strspn(word + n, ".")] == '\0';
}

static bool is_result(const char *word)
{
	return strcmp(word, "*") == 0 || strcmp(word, "1-0") == 0 || strcmp(word, "0-1") == 0 ||
	       strcmp(word, "1/2-1/2") == 0;
}

static void play(const struct game *g, struct pos *p, const char *word)
{
	char san[80];
	struct str s = STR_FIXED(san);
	struct err e = { 0 };
	struct move m;

	ck_assert_msg(game_read_move(g, p, word, strlen(word), &m, NULL, &e) == 0, "%s: %s: %s",
	              page, word, e.text);
	game_write_san(g, p, &m, &s);
	ck_assert_msg(strcmp(san, word) == 0, "%s: %s is written %s", page, word, san);
	game_apply(g, p, &m, NULL);
}

static void replay(const struct game *g, const char *fen, char *text)
{
	struct pos p;
	struct outcome o;
	struct err e = { 0 };
	const char *result = NULL;
	char *save = NULL;

	ck_assert_msg(game_setup(g, fen, &p, &e) == 0, "%s: %s", page, e.text);
	for (char *w = strtok_r(text, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
		ck_assert_msg(!result, "%s: %s behind the result", page, w);
		if (is_result(w))
			result = w;
		else if (!is_number(w))
			play(g, &p, w);
	}
	game_outcome(g, &p, &o);
	ck_assert_msg(result != NULL, "%s: an example without a result", page);
	ck_assert_msg(strcmp(result_text(o.result), result) == 0, "%s: %s, not %s", page,
	              result_text(o.result), result);
}

static int replay_page(const struct rules *rules, const char *md)
{
	char fen[200] = "";
	int games = 0;

	for (struct block b = { .at = md }; block_next(&b);) {
		if (strcmp(b.info, "fen") == 0)
			snprintf(fen, sizeof fen, "%.*s", (int)strcspn(b.body, "\n"), b.body);
		if (strncmp(b.info, "game", 4) != 0)
			continue;
		struct game g = { .rules = rules };

		set_options(&g, b.info);
		replay(&g, strstr(b.info, " fen") ? fen : NULL, b.body);
		games++;
	}
	return games;
}

START_TEST(examples_are_right)
{
	char name[40];
	int games = 0;

	for (const struct embedded_file *f = embedded_files; f->name; f++) {
		const struct rules *rules;
		struct err e = { 0 };

		if (!page_game(f->name, name, sizeof name))
			continue;
		snprintf(page, sizeof page, "%s", f->name);
		rules = rules_find(name, strlen(name), &e);
		ck_assert_msg(rules != NULL, "%s: %s", page, e.text);
		int n = replay_page(rules, f->data);
		ck_assert_msg(n > 0, "%s has no example", page);
		games += n;
	}
	ck_assert_int_ge(games, 20);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("help_games");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, examples_are_right);
	suite_add_tcase(s, tc);
	SRunner *sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
