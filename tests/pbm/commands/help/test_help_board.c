/* Drawings in help pages. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/commands/command_list.h"
#include "pbm/commands/help/help_board.h"
#include "pbm/record/match.h"
#include "tests/util/util.h"

#define KINGS "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"

static const struct {
	const char *game, *page; /* game: of the page, or NULL */
	const char *holds;       /* NULL: the page stays as it is */
} rows[] = {
	{ NULL, "", NULL },
	{ NULL, "no block", NULL },
	{ NULL, "```\ncode\n```\n", NULL },
	{ "chess", "a\n```fen\n" KINGS "\n```\nb\n", "a\n```\n      a   b   c " },
	{ "chess", "```fen\n" KINGS "\n```\nb\n", "1 |   |   |   |   | K |   |   |   | 1" },
	{ "chess", "```fen\n" KINGS "\n```\nb\n", "\n```\nb\n" },
	/* a move is played, and marked */
	{ "chess", "```fen\n" KINGS "\ne4\n```\n", "4 |   |   |   |   |*P*|" },
	{ "chess", "```fen\n" KINGS "\ne4\nKd7\n```\n", "7 |   |   |   |*k*|" },
	/* on a page about no game */
	{ NULL, "```board chess\n" KINGS "\n```\n", "| K |" },
	{ NULL, "```board connectedchess -half\nrkqr/nbbn/4/4/4/4/NBBN/RKQR w - - 0 1\n```\n",
	  "    a   b   c   d\n" },
	{ "chess", "```board suicide\n8/8/8/8/8/8/4P3/8 w - - 0 1\n```\n", "| P |" },
	/* two, with code in a list between them */
	{ "chess", "```fen\n" KINGS "\n```\n1. x\n\n   ```\n   y\n   ```\n```fen\n" KINGS "\n```\n",
	  "   ```\n   y\n   ```\n```\n      a " },
	/* a wrong block stays */
	{ NULL, "```fen\n" KINGS "\n```\n", NULL },
	{ "chess", "```fen\n```\n", NULL },
	{ "chess", "```fen\nx\n```\n", NULL },
	{ "chess", "```fen\n" KINGS "\nNf3\n```\n", NULL },
	{ "chess", "```fen\n" KINGS "\n", NULL },
	{ "chess", "```fen", NULL },
	{ "chess", "```game fen\n" KINGS "\n```\n", NULL },
	{ NULL, "```board\n" KINGS "\n```\n", NULL },
	{ NULL, "```board nothing\n" KINGS "\n```\n", NULL },
	{ NULL, "```board chess -half\n" KINGS "\n```\n", NULL },
	{ NULL, "```board chess \n" KINGS "\n```\n", NULL },
};

START_TEST(draws)
{
	const struct rules *rules = NULL;
	struct str out;

	if (rows[_i].game)
		rules = rules_find(rows[_i].game, strlen(rows[_i].game), NULL);
	str_init(&out, 10000);
	help_draw_boards(rows[_i].page, rules, &out);
	if (rows[_i].holds)
		ck_assert_msg(strstr(out.data, rows[_i].holds) != NULL, "%s", out.data);
	else
		ck_assert_str_eq(out.data, rows[_i].page);
	str_release(&out);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("help_board");

	command_use(command_list);
	tcase_add_loop_test(t, draws, 0, ROWS(rows));
	return util_main(t);
}
