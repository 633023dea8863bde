/* The export of a player, in several texts when it is too long for one. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/commands/account/account_export.h"
#include "pbm/commands/command_list.h"
#include "store/store_acts.h"
#include "store/store_documents.h"
#include "tests/util/store_site.h"
#include "tests/util/suite.h"

#define GAMES 40
#define ACTS 60
#define PARTS_MAX 200

static struct site club;
static struct arena a;
static struct event events[3];
static char long_text[6000];

static void put_game(int64_t board, const char *text)
{
	struct game_doc g = sample_game(board);

	events[0] = *g.events;
	events[1] = (struct event){
		.at = 1796144500, .kind = EVENT_CHAT, .seat = SEAT_WHITE, .text = text
	};
	g.events = events;
	g.event_count = 2;
	must(store_game_put(club.store, &g, e));
}

static void setup(void)
{
	struct player_doc p = sample_player("alice", NULL);

	store_site_new();
	memset(long_text, 'x', sizeof long_text - 1);
	club.store = store_site_open(STORE_WRITE);
	club.conf.host = arena_strdup(&a, "pbm.example.org");
	must(store_begin(club.store, e));
	must(store_player_put(club.store, &p, e));
	for (int64_t board = 1; board <= GAMES; board++)
		put_game(board, board == 20 ? long_text : "hello");
	for (int i = 0; i < ACTS; i++) {
		const struct act act = { .at = 1796144400 + i,
			                 .by = "carol",
			                 .what = "show",
			                 .board = i + 1,
			                 .players = i % 3 ? "alice Bob" : "Bob dave" };
		must(store_act_add(club.store, &act, e));
	}
	must(store_commit(club.store, e));
}

static void teardown(void)
{
	store_close(club.store);
	arena_release(&a);
	store_site_remove();
}

/* The contents of all texts together. */
struct collected {
	size_t parts, accounts, acts, too_long;
	int64_t boards[2 * GAMES];
	size_t games;
};

static void collect(const char *text, struct collected *c)
{
	json_t *part = json_loads(text, 0, NULL), *item;
	size_t i;

	ck_assert_msg(part != NULL, "no JSON: %s", text);
	c->parts++;
	c->accounts += json_object_get(part, "account") != NULL;
	c->acts += json_array_size(json_object_get(part, "acts"));
	json_array_foreach(json_object_get(part, "games"), i, item) {
		ck_assert_uint_lt(c->games, 2 * GAMES);
		c->boards[c->games++] = json_integer_value(json_object_get(item, "board"));
		c->too_long += json_object_get(item, "too_long") != NULL;
	}
	json_decref(part);
}

static struct collected export_in(size_t size)
{
	struct request q = { .site = &club, .arena = &a, .now = 1796200000 };
	struct player_doc p = sample_player("alice", NULL);
	struct export_place at = { 0 };
	struct collected c = { 0 };

	while (!at.done && c.parts < PARTS_MAX) {
		struct str out;

		str_init(&out, size);
		must(account_export_write(&q, &p, &at, &out, e));
		collect(out.data, &c);
		str_release(&out);
		/* A line of the player's next mail says as much. */
		at = at.games_done
		             ? (struct export_place){ .acts = at.acts,
			                              .games_done = true,
			                              .done = at.done,
			                              .left_out = at.left_out }
		             : (struct export_place){ .board = at.board, .left_out = at.left_out };
	}
	ck_assert(at.done);
	ck_assert_int_eq(at.left_out, size < 8000 ? 20 : 0);
	return c;
}

static const size_t sizes[] = { 1 << 20, 20000, 4000, 2000, 1001 };

START_TEST(everything_once)
{
	struct collected c = export_in(sizes[_i]);

	ck_assert_uint_eq(c.accounts, 1);
	ck_assert_uint_eq(c.games, GAMES);
	for (int64_t i = 0; i < GAMES; i++)
		ck_assert_int_eq(c.boards[i], i + 1);
	ck_assert_uint_eq(c.acts, ACTS - ACTS / 3);
	ck_assert_uint_eq(c.too_long, sizes[_i] < 8000);
	ck_assert_uint_ge(c.parts, 1 + 20000 / sizes[_i] / 2);
}
END_TEST

START_TEST(too_small)
{
	struct request q = { .site = &club, .arena = &a, .now = 1796200000 };
	struct player_doc p = sample_player("alice", NULL);
	struct export_place at = { 0 };
	struct str out;

	str_init(&out, 100);
	must_fail(ERR_LIMIT, account_export_write(&q, &p, &at, &out, e));
	str_release(&out);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("export");
	TCase *t = tcase_create("export");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, everything_once, 0, sizeof sizes / sizeof *sizes);
	tcase_add_test(t, too_small);
	suite_add_tcase(s, t);
	return suite_run(s);
}
