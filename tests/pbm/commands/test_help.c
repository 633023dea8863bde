#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/command.h"
#include "pbm/commands/help_board.h"
#include "pbm/text/markdown.h"
#include "pbm/text/template.h"
#include "tests/util/help_blocks.h"

#define WIDTH 72
#define OUT_MAX 60000
#define PAGES_MAX 200
#define GAME_LINES 230
#define SETTING_LINES 40

/* How long a page may be in a mail.  A game's page that is not listed has GAME_LINES. */
static const struct limit {
	const char *name;
	int lines;
} limits[] = {
	{ "help/start.md", 60 },
	{ "help/playing.md", 90 },
	{ "help/challenge.md", 80 },
	{ "help/seek.md", 80 },
	{ "help/formulas.md", 80 },
	{ "help/moves.md", 80 },
	{ "help/identity.md", 90 },
	{ "help/draw.md", 50 },
	{ "help/undo.md", 70 },
	{ "help/ifs.md", 100 },
	{ "help/multiple.md", 50 },
	{ "help/privacy.md", 50 },
	{ "help/rating.md", 50 },
	{ "help/time.md", 80 },
	{ "help/vacation.md", 60 },
	{ "help/settings.md", 50 },
	{ "help/leaving.md", 60 },
	{ "help/games/giveaway.md", 110 },
	{ "help/games/losing2.md", 110 },
	{ "help/games/losing3.md", 110 },
	{ "help/games/losing4.md", 110 },
	{ "help/games/losing5.md", 110 },
	{ "help/games/kamikaze.md", 110 },
	{ "help/games/kamikaze2.md", 110 },
};

/* A page of another language may be longer by a third. */
#define TRANSLATED(lines) ((lines) + (lines) / 3)

static struct limit pages[PAGES_MAX];
static int page_count;

/* The limit of a page; 0 for one that is no game's and has none above. */
static int limit_of(const char *name)
{
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (strcmp(limits[i].name, name) == 0)
			return limits[i].lines;
	if (strncmp(name, "help/set/", 9) == 0)
		return SETTING_LINES;
	return strncmp(name, "help/games/", 11) == 0 ? GAME_LINES : 0;
}

static void find_pages(void)
{
	for (const struct embedded_file *f = embedded_files; f->name; f++) {
		const char *english = strstr(f->name, "help/");

		if (english && page_count < PAGES_MAX)
			pages[page_count++] = (struct limit){
				f->name, english == f->name ? limit_of(english)
							    : TRANSLATED(limit_of(english))
			};
	}
}

static int check_lines(const char *name, const char *text)
{
	int count = 0;

	for (const char *line = text; *line; count++) {
		size_t n = strcspn(line, "\n"), columns = 0;

		for (size_t i = 0; i < n; columns++) {
			uint32_t c;

			i += utf8_decode(line + i, n - i, &c);
		}
		ck_assert_msg(columns <= WIDTH, "%s: too wide: %.*s", name, (int)n, line);
		line += n + (line[n] == '\n');
	}
	return count;
}

START_TEST(renders)
{
	const char *name = pages[_i].name, *md = template_text(NULL, name);
	struct str out;
	struct err e = { 0 };

	ck_assert_msg(md != NULL, "%s is missing", name);
	ck_assert_msg(utf8_valid(md, strlen(md)), "%s", name);
	ck_assert_msg(strncmp(md, "# ", 2) == 0, "%s has no title", name);
	struct str drawn;
	char game[40];
	const char *own = page_game(strstr(name, "help/"), game, sizeof game);

	str_init(&out, OUT_MAX);
	str_init(&drawn, OUT_MAX);
	help_draw_boards(md, own ? rules_find(own, strlen(own), NULL) : NULL, &drawn);
	ck_assert_msg(!strstr(drawn.data, "```fen") && !strstr(drawn.data, "```board"),
	              "%s has a position that can't be drawn", name);
	ck_assert_msg(markdown_text(drawn.data, WIDTH, &out, &e) == 0, "%s: %s", name, e.text);
	str_release(&drawn);
	int lines = check_lines(name, out.data);
	ck_assert_msg(lines <= pages[_i].lines, "%s has %d lines", name, lines);
	str_release(&out);
}
END_TEST

/* Where the next number with its move ("1. d4", "1... e6") begins, NULL at the end. */
static const char *next_numbered(const char *p, size_t *len)
{
	for (; *p; p++) {
		size_t n = strspn(p, "0123456789"), dots = strspn(p + n, "."), gap, word;

		if (n == 0 || dots == 0) {
			p += n ? n - 1 : 0;
			continue;
		}
		gap = strspn(p + n + dots, " ");
		gap += p[n + dots + gap] == '\n';
		gap += strspn(p + n + dots + gap, " ");
		word = strcspn(p + n + dots + gap, " \n`*.,;:)");
		*len = n + dots + gap + word;
		if (gap && word)
			return p;
		p += n + dots - 1;
	}
	return NULL;
}

/* The same characters, blanks and line ends aside. */
static bool same_words(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t i = 0, j = 0;

	for (;;) {
		i += strspn(a + i, " \n");
		j += strspn(b + j, " \n");
		if (i >= a_len || j >= b_len)
			return i >= a_len && j >= b_len;
		if (a[i++] != b[j++])
			return false;
	}
}

/* Markdown takes "1. d4" at the start of a line for a list: no number and no
 * move may get lost on the way to the mail, or change. */
START_TEST(keeps_moves)
{
	const char *name = pages[_i].name, *md = template_text(NULL, name);
	struct str out;
	size_t n, m;

	ck_assert_ptr_nonnull(md);
	str_init(&out, OUT_MAX);
	ck_assert_int_eq(markdown_text(md, WIDTH, &out, NULL), 0);
	const char *text = out.data;
	while ((md = next_numbered(md, &n))) {
		text = next_numbered(text, &m);
		ck_assert_msg(text && same_words(md, n, text, m), "%s: lost or changed: %.*s", name,
		              (int)n, md);
		md += n;
		text += m;
	}
	str_release(&out);
}
END_TEST

static bool page_exists(const char *topic)
{
	char name[120];

	snprintf(name, sizeof name, "help/%s.md", topic);
	for (char *blank = name; (blank = strchr(blank, ' '));) /* `help set digest` */
		*blank = '/';
	if (template_text(NULL, name))
		return true;
	snprintf(name, sizeof name, "help/games/%s.md", topic);
	return template_text(NULL, name) != NULL;
}

/* Each `help topic` in a page leads somewhere; the program makes "commands" and
 * "games" from its tables. */
START_TEST(refers_to_pages)
{
	const char *md = template_text(NULL, pages[_i].name);

	ck_assert_ptr_nonnull(md);
	for (const char *at = md; (at = strstr(at, "`help "));) {
		char topic[60];

		at += strlen("`help ");
		snprintf(topic, sizeof topic, "%.*s", (int)strcspn(at, "`"), at);
		ck_assert_msg(strcmp(topic, "commands") == 0 || strcmp(topic, "games") == 0 ||
		                      page_exists(topic),
		              "%s: there is no help %s", pages[_i].name, topic);
	}
}
END_TEST

START_TEST(has_examples)
{
	const char *name = pages[_i].name, *md = template_text(NULL, name);
	char game[40];
	bool fen = false;
	int games = 0;

	ck_assert_ptr_nonnull(md);
	for (struct block b = { .at = md }; block_next(&b);) {
		if (strncmp(b.info, "game", 4) == 0)
			games++;
		else
			ck_assert_msg(!b.info[0] || strcmp(b.info, "fen") == 0 ||
			                      strncmp(b.info, "board ", 6) == 0,
			              "%s: ```%s", name, b.info);
		ck_assert_msg(strcmp(b.info, "game fen") != 0 || fen, "%s: no fen before", name);
		fen = fen || strcmp(b.info, "fen") == 0;
	}
	ck_assert_msg(!page_game(name, game, sizeof game) || games, "%s: no example game", name);
}
END_TEST

START_TEST(each_page_has_a_limit)
{
	size_t listed = sizeof limits / sizeof *limits, found = 0;

	ck_assert_int_lt(page_count, PAGES_MAX);
	for (int i = 0; i < page_count; i++) {
		ck_assert_msg(pages[i].lines > 0, "%s has no limit in this test", pages[i].name);
		for (size_t k = 0; k < listed; k++)
			found += strcmp(limits[k].name, pages[i].name) == 0;
	}
	ck_assert_msg(found == listed, "a page that this test lists is missing");
}
END_TEST

/* Is the word in one of the help pages, with no letter before or behind it? */
static bool is_on_a_page(const char *word)
{
	size_t len = strlen(word);

	for (const struct embedded_file *f = embedded_files; f->name; f++) {
		if (strncmp(f->name, "help/", 5) != 0)
			continue;
		for (const char *p = f->data; (p = strstr(p, word)); p += len)
			if ((p == f->data || !isalpha((unsigned char)p[-1])) &&
			    !isalpha((unsigned char)p[len]))
				return true;
	}
	return false;
}

START_TEST(each_command_is_on_a_page)
{
	for (size_t i = 0; command_tables[i]; i++)
		for (const struct command *c = command_tables[i]; c->word; c++)
			ck_assert_msg(is_on_a_page(c->word), "no help page has the command %s",
			              c->word);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("help");
	TCase *tc = tcase_create("all");
	find_pages();
	int n = page_count;

	tcase_add_loop_test(tc, renders, 0, n);
	tcase_add_loop_test(tc, keeps_moves, 0, n);
	tcase_add_loop_test(tc, refers_to_pages, 0, n);
	tcase_add_loop_test(tc, has_examples, 0, n);
	tcase_add_test(tc, each_page_has_a_limit);
	tcase_add_test(tc, each_command_is_on_a_page);
	suite_add_tcase(s, tc);
	SRunner *sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
