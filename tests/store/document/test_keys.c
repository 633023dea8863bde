/* Names and paths: which are right, which look alike, and the way back from a path. */
#include <check.h>

#include "store/document/keys.h"
#include "tests/util/util.h"

static const struct {
	const char *path;
	char kind;        /* 'g', 'p', 't'; '-': of no document */
	const char *name; /* of a player or tournament */
	int64_t board;
} paths[] = {
	{ "games/000/1.json", 'g', NULL, 1 },
	{ "games/001/1234.json", 'g', NULL, 1234 },
	{ "games/1234/1234567.json", 'g', NULL, 1234567 },
	{ "games/000/0.json", '-', NULL, 0 },
	{ "games/000/-1.json", '-', NULL, 0 },
	{ "games/000/01.json", '-', NULL, 0 },
	{ "games/000/1234.json", '-', NULL, 0 },
	{ "games/000/1.json.tmp", '-', NULL, 0 },
	{ "games/000/1", '-', NULL, 0 },
	{ "1.json", '-', NULL, 0 },
	{ "players/alice.json", 'p', "alice", 0 },
	{ "players/a-b_2.json", 'p', "a-b_2", 0 },
	{ "players/Alice.json", '-', NULL, 0 },
	{ "players/2.json", 'p', "2", 0 },
	{ "players/-a.json", '-', NULL, 0 },
	{ "players/abcdefghijklmnopqrstuvwxyz123456.json", 'p', "abcdefghijklmnopqrstuvwxyz123456",
	  0 },
	{ "players/abcdefghijklmnopqrstuvwxyz1234567.json", '-', NULL, 0 },
	{ "players/alice.jsn", '-', NULL, 0 },
	{ "players/alice", '-', NULL, 0 },
	{ "players/x/alice.json", '-', NULL, 0 },
	{ "./players/alice.json", '-', NULL, 0 },
	{ "alice.json", '-', NULL, 0 },
	{ "a.b/alice", '-', NULL, 0 },
	{ "", '-', NULL, 0 },
	{ "tournaments/spring-26.json", 't', "spring-26", 0 },
	{ "tournaments/Spring.json", '-', NULL, 0 },
};

START_TEST(a_path_names_its_document)
{
	const char *path = paths[_i].path;
	char name[KEY_USERID_MAX + 1] = "", again[KEY_PATH_MAX];
	char kind = paths[_i].kind;
	int64_t board = 0;

	ck_assert_int_eq(key_path_is_game(path, &board), kind == 'g');
	if (kind == 'g')
		ck_assert_int_eq(board, paths[_i].board);
	ck_assert_int_eq(key_path_is_player(path, name), kind == 'p');
	if (kind == 'p') {
		ck_assert_str_eq(name, paths[_i].name);
		key_player_path("ALICE", again);
		ck_assert_str_eq(again, "players/alice.json");
	}
	ck_assert_int_eq(key_path_is_tournament(path, name), kind == 't');
	if (kind == 't')
		ck_assert_str_eq(name, paths[_i].name);
}
END_TEST

static const struct {
	const char *one, *other;
	bool alike, doubled;
} pairs[] = {
	{ "bob", "b0b", true, true },        { "bob", "bobb", false, true },
	{ "Ana", "Anna", false, true },      { "carol", "carrol", true, true },
	{ "carol", "carola", false, false }, { "s1", "s11", false, false },
	{ "alice", "bob", false, false },    { "tigers", "t1g3r5", true, false },
	{ "bob", "bo8", true, false },       { "taba", "7484", true, false },
	{ "anna", "anna4", false, false },   { "steve", "steve3", false, false },
};

START_TEST(names_look_alike)
{
	ck_assert_int_eq(key_is_alike(pairs[_i].one, pairs[_i].other), pairs[_i].alike);
	ck_assert_int_eq(key_is_alike(pairs[_i].other, pairs[_i].one), pairs[_i].alike);
	ck_assert_int_eq(key_is_doubled(pairs[_i].one, pairs[_i].other), pairs[_i].doubled);
}
END_TEST

START_TEST(letters_fit_their_buffer)
{
	char few[4];

	key_letters("w-ider", few, sizeof few);
	ck_assert_str_eq(few, "wld");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("keys");

	tcase_add_loop_test(t, a_path_names_its_document, 0, ROWS(paths));
	tcase_add_loop_test(t, names_look_alike, 0, ROWS(pairs));
	tcase_add_test(t, letters_fit_their_buffer);
	return util_main(t);
}
