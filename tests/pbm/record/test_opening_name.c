/* The tables of openings are sorted, and name positions by whatever turns they were reached. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "pbm/record/opening_name.h"
#include "pbm/text/template.h"
#include "tests/util/util.h"

static const struct {
	const char *game, *turns, *eco, *name; /* NULL: none */
} rows[] = {
	{ "chess", "e4 e5 Nf3 Nc6 Bc4", "C50", "Italian Game" },
	{ "chess", "Nf3 Nc6 e4 e5 Bc4", "C50", "Italian Game" },
	{ "chess", "e4 e6", "C00", "French Defense" },
	{ "chess", "e4 e6 a3 a6 h3", NULL, NULL },
	{ "chess", "e4 xyzzy", NULL, NULL },
	{ "suicide", "e3 b6", "", "Liardet Defence" },
	{ "antichess", "e3 b6", "", "Liardet Defence" },
	{ "losers", "e3 b6", NULL, NULL },
	{ "atomic", "e4 e6", NULL, NULL },
	{ "xyzzy", "e4", NULL, NULL },
};

START_TEST(a_name)
{
	struct opening_line line = opening_line_start(rows[_i].game);
	struct opening_name name;

	ck_assert(opening_line_play_all(&line, rows[_i].turns, &name) == (rows[_i].name != NULL));
	if (rows[_i].name) {
		ck_assert_str_eq(name.text, rows[_i].name);
		ck_assert_str_eq(name.eco, rows[_i].eco);
	}
}
END_TEST

START_TEST(a_table_is_sorted)
{
	static const char *const files[] = { "openings/chess.tsv", "openings/losing.tsv" };
	const char *line = template_text(NULL, files[_i]), *before = "";
	char key[13], eco[4], name[104], end;

	ck_assert(line && *line == '#');
	for (line = strchr(line, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
		ck_assert_int_eq(sscanf(line, "%12[0-9a-f]\t%3[-A-E0-9]\t%103[^\t\n]%c", key, eco,
		                        name, &end),
		                 4);
		ck_assert_msg(end == '\n' && strncmp(before, line, 12) < 0, "%.40s", line);
		before = line;
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("opening_name");

	tcase_add_loop_test(t, a_name, 0, ROWS(rows));
	tcase_add_loop_test(t, a_table_is_sorted, 0, 2);
	return util_main(t);
}
