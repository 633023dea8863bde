/* The lists of games: which rows each player gets, in which order. */
#include "pbm/record/match.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
#include "tests/util/store_case.h"

static int add_board(const struct game_row *row, void *arg)
{
	str_addf(arg, "%" PRId64 " ", row->board);
	return 0;
}

static void put_mixed_games(void)
{
	static const struct {
		int64_t board;
		const char *game, *white, *black;
		enum game_state state;
		uint8_t to_move;
		int64_t ended;
	} rows[] = {
		{ 1, "chess", "alice", "Bob", GAME_RUNNING, SEAT_WHITE, 0 },
		{ 2, "chess", "bob", "alice", GAME_RUNNING, SEAT_WHITE, 0 },
		{ 3, "losing", "alice", "carol", GAME_FINISHED, SEAT_NONE, 200 },
		{ 4, "losing", "carol", "alice", GAME_FINISHED, SEAT_NONE, 100 },
		{ 5, "chess", "alice", NULL, GAME_OFFERED, SEAT_NONE, 0 },
		{ 6, "chess", "dave", "DAVE", GAME_RUNNING, SEAT_BLACK, 0 },
		{ 7, "losing", "alice", "bob", GAME_CLOSED, SEAT_NONE, 300 },
	};

	must(store_begin(s, e));
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct game_doc g = sample_game(rows[i].board);

		g.game = rows[i].game;
		g.players[0] = rows[i].white;
		g.players[1] = rows[i].black;
		g.state = rows[i].state;
		g.to_move = rows[i].to_move;
		g.ended = rows[i].ended;
		g.deadline = 1000 - rows[i].board;
		if (g.state == GAME_FINISHED)
			g.result = "1-0";
		must(store_game_put(s, &g, e));
	}
	must(store_commit(s, e));
}

static const struct {
	const char *userid, *game;
	enum game_filter f;
	size_t limit, offset;
	const char *boards;
} questions[] = {
	{ NULL, NULL, GAMES_ALL, 100, 0, "7 6 5 4 3 2 1 " },
	{ NULL, NULL, GAMES_ALL, 2, 3, "4 3 " },
	{ NULL, NULL, GAMES_ALL, SIZE_MAX, 6, "1 " },
	{ NULL, "losing", GAMES_ALL, 100, 0, "7 4 3 " },
	{ NULL, NULL, GAMES_OPEN, 100, 0, "6 2 1 " },
	{ NULL, "chess", GAMES_OPEN, 1, 1, "2 " },
	{ NULL, NULL, GAMES_TO_MOVE, 100, 0, "6 2 1 " },
	{ NULL, NULL, GAMES_FINISHED, 100, 0, "3 4 " },
	{ NULL, "losing", GAMES_FINISHED, 1, 1, "4 " },
	{ NULL, NULL, GAMES_OFFERS, 100, 0, "5 " },
	{ "Alice", NULL, GAMES_ALL, 100, 0, "7 5 4 3 2 1 " },
	{ "alice", "chess", GAMES_ALL, 100, 0, "5 2 1 " },
	{ "alice", NULL, GAMES_OPEN, 100, 0, "2 1 " },
	{ "alice", NULL, GAMES_TO_MOVE, 100, 0, "1 " },
	{ "BOB", NULL, GAMES_TO_MOVE, 100, 0, "2 " },
	{ "bob", "losing", GAMES_TO_MOVE, 100, 0, "" },
	{ "dave", NULL, GAMES_TO_MOVE, 100, 0, "6 " },
	{ "carol", NULL, GAMES_FINISHED, 100, 0, "3 4 " },
	{ "carol", "chess", GAMES_FINISHED, 100, 0, "" },
	{ "alice", "chess", GAMES_OFFERS, 100, 0, "5 " },
	{ "bob", NULL, GAMES_OFFERS, 100, 0, "" },
	{ "", NULL, GAMES_ALL, 100, 0, "" },
	{ "no such/user", NULL, GAMES_ALL, 100, 0, "" },
};

START_TEST(named_questions)
{
	char text[100];
	struct str out = STR_FIXED(text);

	put_mixed_games();
	must(store_games(s, questions[_i].userid, questions[_i].game, questions[_i].f,
	                 questions[_i].limit, questions[_i].offset, add_board, &out, e));
	ck_assert_str_eq(text, questions[_i].boards);
}
END_TEST

START_TEST(lists_follow_the_game)
{
	char text[100];
	struct str out = STR_FIXED(text);
	struct game_doc g = sample_game(5);

	put_mixed_games();
	g.players[0] = "bob";
	g.players[1] = "carol";
	must(store_begin(s, e));
	must(store_game_put(s, &g, e));
	must(store_games(s, "alice", NULL, GAMES_ALL, 9, 0, add_board, &out, e));
	ck_assert_str_eq(text, "7 4 3 2 1 ");
	str_clear(&out);
	must(store_games(s, "bob", NULL, GAMES_TO_MOVE, 9, 0, add_board, &out, e));
	ck_assert_str_eq(text, "5 2 ");
	store_abort(s);
	str_clear(&out);
	must(store_games(s, "bob", NULL, GAMES_TO_MOVE, 9, 0, add_board, &out, e));
	ck_assert_str_eq(text, "2 ");
}
END_TEST

START_TEST(due_deadlines)
{
	char text[100];
	struct str out = STR_FIXED(text);

	put_mixed_games();
	must(store_due(s, 997, (struct due_place){ 0 }, 10, add_board, &out, e));
	ck_assert_str_eq(text, "6 ");
	str_clear(&out);
	must(store_due(s, 5000, (struct due_place){ 0 }, 2, add_board, &out, e));
	ck_assert_str_eq(text, "6 2 ");
}
END_TEST

static int end_game(const struct game_row *row, void *arg)
{
	struct game_doc g;

	must(store_game_get(s, &a, row->board, &g, e));
	g.state = GAME_FINISHED;
	g.result = "0-1";
	g.ended = 5000;
	must(store_game_put(s, &g, e));
	return add_board(row, arg);
}

START_TEST(callbacks_may_write)
{
	char text[100];
	struct str out = STR_FIXED(text);

	put_mixed_games();
	must(store_begin(s, e));
	must(store_due(s, 5000, (struct due_place){ 0 }, 10, end_game, &out, e));
	ck_assert_str_eq(text, "6 2 1 ");
	str_clear(&out);
	must(store_due(s, 5000, (struct due_place){ 0 }, 10, end_game, &out, e));
	ck_assert_str_eq(text, "");
	must(store_commit(s, e));
}
END_TEST

/* The rows are asked with the players of `have` in the store, after 400 others. */
static const struct {
	const char *userid, *like; /* like: NULL: nobody looks like this */
} looks[] = {
	{ "alice", "Alice" },     { "ALICE", "Alice" },
	{ "a-l_i-c_e", "Alice" }, { "a1ice", "Alice" },
	{ "allce", "Alice" },     { "alic", NULL },
	{ "alicee", "Alice" },    { "bob0", "b-o-b-o" },
	{ "bobo5", NULL },        { "B0B0", "b-o-b-o" },
	{ "bobo", "b-o-b-o" },    { "5am", "sam" },
	{ "s-a-m", "sam" },       { "p9", "P9" },
	{ "p-9", "P9" },          { "px9", NULL },
	{ "xi", "xi" },           { "x1", "x1" },
	{ "arnie", "amie" },      { "a-m-I-e", "amie" },
	{ "wim", "vvim" },        { "vwim", NULL },
	{ "AA11ice", "Alice" },   { "bbobboo", NULL },
	{ "alice2", NULL },       { "P399", "P399" },
	{ "P1111", NULL },        { "P3999", NULL },
	{ "rosse", "ros5e" },     { "ro55e", "ros5e" },
	{ "xl", "x1" },           { "a123456789012345678901234567890123", NULL },
};

START_TEST(names_that_look_alike)
{
	static const char *const have[] = { "Alice", "b-o-b-o", "sam",  "x1",
		                            "xi",    "amie",    "vvim", "ros5e" };

	must(store_begin(s, e));
	for (int i = 0; i < 400; i++) {
		char userid[20];

		snprintf(userid, sizeof userid, "P%d", i);
		struct player_doc p = sample_player(i < 8 ? have[i] : userid, NULL);
		must(store_player_put(s, &p, e));
	}
	must(store_commit(s, e));
	for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
		const char *found = NULL;
		int rc = store_player_like(s, &a, looks[i].userid, &found, NULL);

		ck_assert_msg(rc == (looks[i].like != NULL), "%s: %d", looks[i].userid, rc);
		if (looks[i].like)
			ck_assert_str_eq(found, looks[i].like);
	}
}
END_TEST

static void put(const char *userid, const char *role, const char *renamed)
{
	struct player_doc p = sample_player(userid, NULL);

	p.role = role;
	p.renamed = renamed;
	must(store_begin(s, e));
	must(store_player_put(s, &p, e));
	must(store_commit(s, e));
}

static void is_named(const char *asked, const char *userid, const char *role)
{
	struct player_doc p = { 0 };

	must(store_player_name(s, &a, asked, &p, e));
	ck_assert_str_eq(p.userid, userid);
	ck_assert_str_eq(p.role, role);
}

/* A row that knows the role answers; for the others the document does. */
START_TEST(names_for_lists)
{
	struct player_doc p;

	put("Alice", "player", NULL);
	put("hal", "moderator computer", NULL);
	put("ali", "player", "Alice");
	is_named("aLICE", "Alice", "player");
	is_named("hal", "hal", "moderator computer");
	is_named("ali", "Alice", "player");
	must_fail(ERR_NOT_FOUND, store_player_name(s, &a, "nobody", &p, e));
	must_fail(ERR_NOT_FOUND, store_player_name(s, &a, "no name", &p, e));

	store_site_sql("UPDATE players SET role = 'from the row'");
	is_named("hal", "hal", "from the row");
	is_named("ali", "Alice", "player");
	store_site_sql("UPDATE players SET role = NULL"); /* as an earlier version left it */
	is_named("hal", "hal", "moderator computer");
	put("hal", "computer", NULL);
	is_named("hal", "hal", "computer");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_questions");
	TCase *t = tcase_create("questions");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, named_questions, 0, sizeof questions / sizeof questions[0]);
	tcase_add_test(t, lists_follow_the_game);
	tcase_add_test(t, due_deadlines);
	tcase_add_test(t, callbacks_may_write);
	tcase_add_test(t, names_that_look_alike);
	tcase_add_test(t, names_for_lists);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
