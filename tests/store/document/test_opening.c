/* The first plies of a game, from its events and from the text of its document. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/document/opening.h"
#include "tests/util/suite.h"

static const struct {
	const char *sans; /* "-2": two plies are taken back */
	const char *start_fen;
	enum game_state state;
	const char *expected;
} rows[] = {
	{ "e3 b5 Bxb5 Bb7 Bxd7+", NULL, GAME_FINISHED, "e3 b5 Bxb5 Bb7 Bxd7" },
	{ "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6", NULL, GAME_FINISHED,
	  "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5" },
	{ "e4 e5", NULL, GAME_FINISHED, "e4 e5" },
	{ "", NULL, GAME_FINISHED, "" },
	{ "e4 e5 Qh5 Qh4+", NULL, GAME_FINISHED, "e4 e5 Qh5 Qh4" },
	{ "e4 e5 -1 c5 Nf3 d6", NULL, GAME_FINISHED, "e4 c5 Nf3 d6" },
	{ "e4 e5 Nf3 Nc6 Bb5 a6 -6 d4 d5", NULL, GAME_FINISHED, "d4 d5" },
	{ "e4,c6 Nf3,h5 e8=Q# O-O", NULL, GAME_FINISHED, "e4,c6 Nf3,h5 e8=Q O-O" },
	{ "e4 e5", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", GAME_FINISHED, "" },
	{ "e4 e5", NULL, GAME_RUNNING, "" },
};

static void make(int i, struct arena *a, struct game_doc *g)
{
	char text[200];

	*g = (struct game_doc){
		.board = 7,
		.game = "chess",
		.options = "",
		.players = { "alice", "bob" },
		.days = 7,
		.created = 1796144400,
		.state = rows[i].state,
		.start_fen = rows[i].start_fen,
		.fen = "",
		.result = "*",
	};
	snprintf(text, sizeof text, "%s", rows[i].sans);
	for (char *at = strtok(text, " "); at; at = strtok(NULL, " ")) {
		bool back = *at == '-';
		struct event *ev = game_doc_event(a, g, back ? EVENT_UNDO : EVENT_MOVE, SEAT_WHITE,
		                                  1796144400);

		if (back) {
			ev->number = atoi(at + 1);
		} else {
			ev->move = "e2e4";
			ev->san = arena_strdup(a, at);
		}
		game_doc_event(a, g, EVENT_CHAT, SEAT_WHITE, 1796144400)
			->text = "\"kind\": \"move\", \"san\": \"h4\"";
	}
}

START_TEST(from_events_and_text)
{
	struct arena a = { 0 };
	struct game_doc g;
	char opening[OPENING_MAX];
	struct str json;

	make(_i, &a, &g);
	opening_of(&g, opening);
	ck_assert_str_eq(opening, rows[_i].expected);
	str_init(&json, 100000);
	game_doc_write(&g, &json);
	opening_of_text(&g, json.data, json.len, opening);
	ck_assert_str_eq(opening, rows[_i].expected);
	ck_assert_uint_eq(opening_head(opening, OPENING_PLIES), strlen(opening));
	ck_assert_uint_eq(opening_head(opening, 1), strcspn(opening, " "));
	str_release(&json);
	arena_release(&a);
}
END_TEST

START_TEST(a_turn_fits_its_buffer)
{
	char out[OPENING_TURN_MAX + 1];

	opening_turn("Nb1-d2,c7-c6+?,a7-a6", 20, out);
	ck_assert_str_eq(out, "Nb1-d2,c7-c6,a7");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("opening");
	TCase *t = tcase_create("opening");

	tcase_add_loop_test(t, from_events_and_text, 0, (int)(sizeof rows / sizeof rows[0]));
	tcase_add_test(t, a_turn_fits_its_buffer);
	suite_add_tcase(s, t);
	return suite_run(s);
}
