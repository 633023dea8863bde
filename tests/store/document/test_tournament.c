/* A tournament's document: written, read, and refused when something is wrong. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "store/document/tournament.h"
#include "tests/util/suite.h"

static const char whole[] =
	"{\n"
	"\"format\": 1,\n"
	"\"name\": \"Spring-26\",\n"
	"\"kind\": \"swiss\",\n"
	"\"state\": \"running\",\n"
	"\"director\": \"carol\",\n"
	"\"game\": \"suicide\",\n"
	"\"rated\": true,\n"
	"\"days\": 7,\n"
	"\"reserve\": 30,\n"
	"\"rounds\": 1,\n"
	"\"least\": 2,\n"
	"\"most\": 8,\n"
	"\"undo\": true,\n"
	"\"round_days\": 60,\n"
	"\"created\": \"2026-12-01T10:00:00Z\",\n"
	"\"started\": \"2026-12-02T10:00:00Z\",\n"
	"\"due\": \"2027-02-01T10:00:00Z\",\n"
	"\"lot\": 7,\n"
	"\"entries\": [\n"
	" {\"userid\": \"alice\", \"standing\": \"plays\", \"at\": "
	"\"2026-12-01T11:00:00Z\", \"rating\": 1700, \"lot\": 5, \"first_round\": 1},\n"
	" {\"userid\": \"bob\", \"standing\": \"withdrawn\", \"at\": "
	"\"2026-12-01T11:00:00Z\", \"rating\": 1500, \"lot\": 9, \"first_round\": 1},\n"
	" {\"userid\": \"dave\", \"standing\": \"plays\", \"at\": "
	"\"2026-12-02T11:00:00Z\", \"rating\": 1500, \"lot\": 2, \"first_round\": 2, "
	"\"seed_points\": 1, \"missed\": 1}\n"
	"],\n"
	"\"rounds_paired\": [\n"
	" {\"at\": \"2026-12-02T10:00:00Z\", \"from\": \"20\", \"out\": \"3\"}\n"
	"],\n"
	"\"games\": [\n"
	" {\"round\": 1, \"white\": 1, \"black\": 2, \"board\": 17, \"over\": true, "
	"\"played\": true, \"points_white\": 2},\n"
	" {\"round\": 1, \"white\": 3, \"over\": true, \"points_white\": 2},\n"
	" {\"round\": 1, \"white\": 2, \"black\": 3, \"board\": 18, \"over\": true, "
	"\"annulled\": true}\n"
	"]\n"
	"}\n";

/* Three teams of two; a and b have played, c has a bye. */
static const char teams[] =
	"{\n"
	"\"format\": 1,\n"
	"\"name\": \"league\",\n"
	"\"kind\": \"swiss\",\n"
	"\"state\": \"running\",\n"
	"\"director\": \"carol\",\n"
	"\"game\": \"suicide\",\n"
	"\"rated\": true,\n"
	"\"days\": 7,\n"
	"\"reserve\": 30,\n"
	"\"rounds\": 1,\n"
	"\"boards\": 2,\n"
	"\"by_teams\": true,\n"
	"\"least\": 2,\n"
	"\"most\": 8,\n"
	"\"round_days\": 60,\n"
	"\"created\": \"2026-12-01T10:00:00Z\",\n"
	"\"started\": \"2026-12-02T10:00:00Z\",\n"
	"\"entries\": [\n"
	" {\"userid\": \"a1\", \"standing\": \"plays\", \"at\": \"2026-12-01T11:00:00Z\", "
	"\"team\": 1, \"captain\": true},\n"
	" {\"userid\": \"a2\", \"standing\": \"plays\", \"at\": \"2026-12-01T11:00:00Z\", "
	"\"team\": 1},\n"
	" {\"userid\": \"b1\", \"standing\": \"plays\", \"at\": \"2026-12-01T11:00:00Z\", "
	"\"team\": 2},\n"
	" {\"userid\": \"b2\", \"standing\": \"asks\", \"at\": \"2026-12-01T11:00:00Z\", "
	"\"team\": 2},\n"
	" {\"userid\": \"c1\", \"standing\": \"plays\", \"at\": \"2026-12-01T11:00:00Z\", "
	"\"team\": 3},\n"
	" {\"userid\": \"c2\", \"standing\": \"withdrawn\", \"at\": "
	"\"2026-12-01T11:00:00Z\", \"team\": 3}\n"
	"],\n"
	"\"teams\": [\n"
	" {\"name\": \"a\", \"standing\": \"plays\", \"at\": \"2026-12-01T11:00:00Z\", "
	"\"rating\": 1700, \"lot\": 5, \"first_round\": 1},\n"
	" {\"name\": \"b\", \"standing\": \"withdrawn\", \"at\": \"2026-12-01T11:00:00Z\", "
	"\"rating\": 1600, \"lot\": 6, \"first_round\": 1},\n"
	" {\"name\": \"c\", \"standing\": \"plays\", \"at\": \"2026-12-01T11:00:00Z\", "
	"\"first_round\": 1, \"seed_points\": 1}\n"
	"],\n"
	"\"rounds_paired\": [\n"
	" {\"at\": \"2026-12-02T10:00:00Z\"}\n"
	"],\n"
	"\"games\": [\n"
	" {\"round\": 1, \"white\": 1, \"black\": 3, \"board\": 17},\n"
	" {\"round\": 1, \"white\": 4, \"black\": 2, \"board\": 18},\n"
	" {\"round\": 1, \"white\": 5, \"over\": true, \"points_white\": 2}\n"
	"]\n"
	"}\n";

/* Reads the text, which must be what is written of it. */
static void come_back(struct arena *a, const char *text, struct tournament_doc *t)
{
	struct err e = { 0 };
	struct str s;

	ck_assert_msg(tournament_doc_read(a, text, strlen(text), t, &e) == 0, "%s", e.text);
	str_init(&s, TOURNAMENT_DOC_MAX);
	tournament_doc_write(t, &s);
	ck_assert_str_eq(s.data, text);
	str_release(&s);
}

START_TEST(teams_come_back)
{
	struct arena a = { 0 };
	struct tournament_doc t;

	come_back(&a, teams, &t);
	ck_assert_int_eq(tournament_unit_of(&t, 4), 2);
	arena_release(&a);
}
END_TEST

START_TEST(comes_back)
{
	struct arena a = { 0 };
	struct tournament_doc t;

	come_back(&a, whole, &t);
	ck_assert_int_eq(tournament_find(&t, "BOB"), 2);
	ck_assert_int_eq(tournament_find(&t, "carol"), 0);
	ck_assert_uint_eq(tournament_count(&t, ENTRY_PLAYS), 2);
	arena_release(&a);
}
END_TEST

/* A change in the document, and the key that the refusal names. */
struct change {
	const char *from, *to, *key;
};
static const struct change wrong[] = {
	{ "\"format\": 1", "\"format\": 2", "format" },
	{ "\"name\": \"Spring-26\"", "\"name\": \"../x\"", "name" },
	{ "\"swiss\"", "\"french\"", "kind" },
	{ "\"director\": \"carol\",\n", "", "director" },
	{ "\"least\": 2", "\"least\": 9", "least" },
	{ "\"started\": \"2026-12-02T10:00:00Z\",\n", "", "started" },
	{ "\"state\": \"running\"", "\"state\": \"open\"", "games" },
	{ "\"userid\": \"bob\"", "\"userid\": \"Alice\"", "entries[1].userid" },
	{ "\"userid\": \"bob\"", "\"userid\": \"b b\"", "entries[1].userid" },
	{ "\"seed_points\": 1", "\"seed_points\": 5", "entries[2].seed_points" },
	{ "\"white\": 3, ", "\"white\": 4, ", "games[1].white" },
	{ "\"black\": 2", "\"black\": 1", "games[0].black" },
	{ "\"round\": 1, \"white\": 3", "\"round\": 2, \"white\": 3", "games[1].round" },
	{ "\"board\": 18, \"over\": true, \"annulled\": true", "\"points_white\": 2",
	  "games[2].board" },
	{ "\"board\": 17, \"over\": true", "\"board\": 17", "games[0].points_white" },
	{ "\"undo\": true", "\"undo\": true, \"more\": 1", "more" },
};

static const struct change wrong_teams[] = {
	{ "\"boards\": 2,\n", "", "boards" },
	{ "\"boards\": 2,\n", "\"boards\": 3,\n", "teams[0].name" },
	{ "\"by_teams\": true,\n", "", "teams" },
	{ "\"withdrawn\", \"at\": \"2026-12-01T11:00:00Z\", \"team\": 3",
	  "\"withdrawn\", \"at\": \"2026-12-01T11:00:00Z\", \"team\": 1", "teams[2].name" },
	{ "\"team\": 1},", "\"team\": 4},", "entries[1].team" },
	{ ", \"team\": 1}", "}", "entries[1].team" },
	{ "\"name\": \"b\"", "\"name\": \"A\"", "teams[1].name" },
	{ "\"name\": \"b\"", "\"name\": \"<b>\"", "teams[1].name" },
	{ "\"white\": 4, \"black\": 2", "\"white\": 2, \"black\": 4", "games[1].white" },
	{ "\"white\": 1, \"black\": 3", "\"white\": 1, \"black\": 2", "games[0].black" },
	{ "\"standing\": \"asks\"", "\"standing\": \"begs\"", "entries[3].standing" },
};

static void check_refused(const char *doc, const struct change *c)
{
	const char *at = strstr(doc, c->from);
	struct arena a = { 0 };
	struct tournament_doc t;
	struct err e = { 0 };

	ck_assert_ptr_nonnull(at);
	const char *text = arena_printf(&a, "%.*s%s%s", (int)(at - doc), doc, c->to,
	                                at + strlen(c->from));
	ck_assert_int_eq(tournament_doc_read(&a, text, strlen(text), &t, &e), ERR_DAMAGED);
	ck_assert_msg(strstr(e.text, c->key) != NULL, "%s, not %s", e.text, c->key);
	arena_release(&a);
}

START_TEST(is_refused)
{
	check_refused(whole, &wrong[_i]);
}
END_TEST

START_TEST(teams_are_refused)
{
	check_refused(teams, &wrong_teams[_i]);
}
END_TEST

START_TEST(lists_grow)
{
	struct arena a = { 0 };
	struct tournament_doc t;

	ck_assert_int_eq(tournament_doc_read(&a, whole, strlen(whole), &t, NULL), 0);
	for (int i = 0; i < 100; i++) {
		tournament_add_game(&a, &t)->board = 100 + i;
		tournament_add_round(&a, &t)->at = i;
		tournament_add_entry(&a, &t)->at = i;
	}
	ck_assert_uint_eq(t.game_count, 103);
	ck_assert_int_eq(t.games[0].board, 17);
	ck_assert_int_eq(t.games[102].board, 199);
	ck_assert_str_eq(t.entries[0].userid, "alice");
	ck_assert_str_eq(t.round[100].from, "");
	arena_release(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tourney");
	TCase *t = tcase_create("tourney");

	tcase_add_test(t, comes_back);
	tcase_add_loop_test(t, is_refused, 0, (int)(sizeof wrong / sizeof wrong[0]));
	tcase_add_test(t, teams_come_back);
	tcase_add_loop_test(t, teams_are_refused, 0,
	                    (int)(sizeof wrong_teams / sizeof wrong_teams[0]));
	tcase_add_test(t, lists_grow);
	suite_add_tcase(s, t);
	return suite_run(s);
}
