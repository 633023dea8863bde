#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/command_list.h"
#include "pbm/commands/help/help_board.h"
#include "pbm/commands/words/command.h"
#include "pbm/text/markdown.h"
#include "pbm/text/template.h"
#include "tests/util/help_blocks.h"

#define WIDTH 72
#define OUT_MAX 60000
#define PAGES_MAX 1000

/* The greatest number of lines that a page may have in a mail, by the beginning of its name; the
 * first that fits. */
static const struct limit {
	const char *name;
	int lines;
} limits[] = {
	{ "help/games/", 230 },
	{ "help/set/", 40 },
	{ "help/", 100 },
};

/* A page of another language may be longer by a third. */
#define TRANSLATED(lines) ((lines) + (lines) / 3)

static struct limit pages[PAGES_MAX];
static int page_count;

static int limit_of(const char *name)
{
	size_t i = 0;

	while (strncmp(limits[i].name, name, strlen(limits[i].name)) != 0)
		i++;
	return limits[i].lines;
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

/* Returns the next number with its move ("1. d4", "1... e6"), NULL at the end. */
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
		                      strcmp(topic, "index") == 0 || page_exists(topic),
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

/* Does the line begin with the command, or with a game ("suicide challenge") and the command? */
static bool is_command(const char *line, const char *word)
{
	line += strspn(line, " ");
	size_t n = strcspn(line, " \n`"), len = strlen(word);

	if (line[n] == ' ' && rules_find(line, n, NULL))
		line += n + 1;
	return strncmp(line, word, len) == 0 && !isalpha((unsigned char)line[len]);
}

/* Does something in the text that stands after such a character begin with the command? */
static bool is_after(char mark, const char *text, const char *word)
{
	while ((text = strchr(text, mark)))
		if (is_command(++text, word))
			return true;
	return false;
}

/* Does one of the help pages write the word as a command: as the first one of code? */
static bool is_on_a_page(const char *word)
{
	for (const struct embedded_file *f = embedded_files; f->name; f++) {
		if (strncmp(f->name, "help/", 5) != 0)
			continue;
		if (is_after('`', f->data, word))
			return true;
		for (struct block b = { .at = f->data }; block_next(&b);)
			if (!b.info[0] &&
			    (is_command(b.body, word) || is_after('\n', b.body, word)))
				return true;
	}
	return false;
}

START_TEST(each_command_is_on_a_page)
{
	for (size_t i = 0; command_tables[i]; i++)
		for (const struct command *c = command_tables[i]; c->word; c++) {
			ck_assert_msg(strlen(c->usage) <= 68, "a mail's line is too short for: %s",
			              c->usage);
			const char *at = *c->usage == '<' ? NULL : strstr(c->usage, c->word);
			char words[60]; /* "show ifs", or the word alone */

			snprintf(words, sizeof words, "%.*s%s", at ? (int)(at - c->usage) : 0,
			         c->usage, c->word);
			ck_assert_msg(is_on_a_page(words), "no help page has the command %s",
			              words);
		}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("help");
	TCase *tc = tcase_create("all");
	find_pages();
	int n = page_count;

	command_use(command_list);
	tcase_add_loop_test(tc, renders, 0, n);
	tcase_add_loop_test(tc, keeps_moves, 0, n);
	tcase_add_loop_test(tc, refers_to_pages, 0, n);
	tcase_add_loop_test(tc, has_examples, 0, n);
	tcase_add_test(tc, each_command_is_on_a_page);
	suite_add_tcase(s, tc);
	SRunner *sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
