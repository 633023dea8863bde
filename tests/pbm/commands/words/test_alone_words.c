/* Words that act: what may stand on their line, and what is asked back. */
#include <check.h>
#include <string.h>

#include "pbm/commands/command_list.h"
#include "pbm/commands/words/alone_words.h"
#include "tests/util/suite.h"

static struct arena arena;

static void release(void)
{
	arena_release(&arena);
}

static const struct {
	const char *word, *rest; /* after the word, board and pair */
	const char *core;        /* NULL: asked back */
	const char *thanked;
} lines[] = {
	{ "resign", "", "", "" },
	{ "resign", ".", "", "" },
	{ "resign", "!!", "", "" },
	{ "resign", "thanks", "", "" },
	{ "resign", ", thanks!", "", "" },
	{ "resign", ". Thank you for the game.", "", "" },
	{ "resign", "- thx", "", "" },
	{ "resign", "Danke", "", "" },
	{ "resign", ", merci bob", "", "bob" },
	{ "resign", ". Gracias, bob!", "", "bob" },
	{ "resign", "grazie for all", "", "" },
	{ "resign", "bedankt", "", "" },
	{ "resign", "obrigado.", "", "" },
	{ "resign", "спасибо!", "", "" },
	{ "resign", "? never!", NULL, "" },
	{ "resign", "never", NULL, "" },
	{ "resign", "if I lose the queen", NULL, "" },
	{ "resign", "? thanks", NULL, "" },
	{ "resign", "thanks?", NULL, "" },
	{ "resign", "but thanks", NULL, "" },
	{ "resign", "no", NULL, "" },
	{ "resign", "thanks for nothing, but not now", NULL, "" },
	{ "resign", "thanks for the game, I don't", NULL, "" },
	{ "resign", "thanks for what?", NULL, "" },
	{ "resign", "thanks bob and alice", NULL, "" },
	{ "resign", "thankless", NULL, "" },
	{ "resign", "soon", NULL, "" },
	{ "resign", ": e4", NULL, "" },
	{ "resign", ":)", NULL, "" },
	{ "resign", "later, thanks", NULL, "" },
	{ "abort", "please", NULL, "" },
	{ "abort", "", "", "" },
	{ "accept", "", "", "" },
	{ "accept", "draw", "draw", "" },
	{ "accept", "Undo, thanks", "Undo", "" },
	{ "accept", "abort!", "abort", "" },
	{ "accept", "suicide", "suicide", "" },
	{ "accept", "no draw", NULL, "" },
	{ "accept", "draw if you want", NULL, "" },
	{ "accept", "the draw", NULL, "" },
	{ "decline", "", "", "" },
	{ "decline", "sorry, too busy", "sorry, too busy", "" },
	{ "decline", "? why should I", NULL, "" },
	{ "decline", "no time", "no time", "" },
	{ "decline", "no, wait", NULL, "" },
	{ "decline", "not", NULL, "" },
	{ "decline", "but maybe later", NULL, "" },
	{ "withdraw", "", "", "" },
	{ "withdraw", "someone", NULL, "" },
	{ "draw", "", "", "" },
	{ "draw", "?", NULL, "" },
	{ "draw", "would be fine", NULL, "" },
	{ "undo", "2.", "2", "" },
	{ "undo", "two", NULL, "" },
	{ "undo", "2, thanks", "2", "" },
	{ "undo", "nothing", NULL, "" },
	{ "claim", "repetition.", "repetition", "" },
	{ "claim", "time, thank you", "time", "" },
	{ "claim", "win Qxf7 Kxf7 Nxd8", "win Qxf7 Kxf7 Nxd8", "" },
	{ "claim", "win if he takes", NULL, "" },
	{ "claim", "time soon", NULL, "" },
	{ "rematch", "", "", "" },
	{ "rematch", "17 -days=3", "17 -days=3", "" },
	{ "rematch", "sometime", NULL, "" },
	{ "delete", "anonymous", "anonymous", "" },
	{ "delete", "my last mail", NULL, "" },
	{ "signoff", "", "", "" },
	{ "signoff", "never", NULL, "" },
	{ "chat", "no? never: if", "no? never: if", "" }, /* acts not */
};

START_TEST(a_line)
{
	const char *thanked;
	const char *core = alone_words_core(&arena, lines[_i].rest, &thanked);
	bool wanted = lines[_i].core != NULL;

	ck_assert_msg(alone_words_takes(lines[_i].word, core) == wanted, "%s %s: %s",
	              lines[_i].word, lines[_i].rest, core);
	if (wanted) {
		ck_assert_str_eq(core, lines[_i].core);
		ck_assert_str_eq(thanked, lines[_i].thanked);
	}
}
END_TEST

START_TEST(words)
{
	static const char *const act[] = { "resign",   "abort",  "accept", "decline",
		                           "withdraw", "draw",   "undo",   "claim",
		                           "rematch",  "delete", "Signoff" };

	for (size_t i = 0; i < sizeof act / sizeof *act; i++)
		ck_assert(alone_words_has(act[i]));
	ck_assert(!alone_words_has("chat"));
	ck_assert(!alone_words_has("res"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("acting");
	TCase *t = tcase_create("acting");

	command_use(command_list);
	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_loop_test(t, a_line, 0, (int)(sizeof lines / sizeof *lines));
	tcase_add_test(t, words);
	suite_add_tcase(s, t);
	return suite_run(s);
}
