/* Sentences of the program's own mails, and those of other people. */
#include <check.h>

#include "pbm/answer/own_words.h"
#include "tests/util/util.h"

static const struct {
	const char *paragraphs;
	bool own;
} rows[] = {
	{ "", true },
	{ "alice writes:\nIt is your move, bob. You play Black.\nDu bist am Zug, bob.\n", true },
	{ "Text unter dieser Zeile, in derselben Mail, geht an den anderen Spieler. Andere\n",
	  true },
	{ "FEN: 8/8/8/8/8/8/8/K1k5 w - - 0 1\n", true },
	{ "Your setting has been changed: noise is every now.\nalice: Nothing was changed.\n",
	  true },
	{ "language is en.\nautomove is off.\nformula is none.\nSprache: de.\n", false },
	{ "language is en.\nautomove is off.\nformula is none.\nlanguage: de.\n", true },
	{ "language is hard.\n", false },
	{ "days until 5.\n", false },
	{ "The server checks the claim. It ends the game, or says why the claim is wrong.\n",
	  true },
	{ "A draw is agreed when one player offers it.\nresign\n", false },
	{ "For example I play e4.\n", false },
	{ "By agreement we stop here.\n", false },
	{ "There is no \"x\" here.\n", false },
	{ "It is your move, bob.\nI think it is the best move.\n", false },
	{ "Ja, das dachte ich auch.\n", false },
	{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n1\n2\n3\n4\n5\n6\n7\n8\n9\n1\n2\n3\n4\n5\n6\n7\n8\n9\n1\n"
	  "2\n3\n4\n5\n6\n7\n8\n9\n1\n2\n3\n4\n5\n",
	  false },
};

START_TEST(own_words_are_known)
{
	struct own_table *t = own_words_open(NULL);

	ck_assert(own_words_only(t, rows[_i].paragraphs) == rows[_i].own);
	own_words_close(t);
}
END_TEST

static const struct {
	const char *paragraph;
	enum own_words own;
} certain[] = {
	{ "You played well.", OWN_WORDS_NOT },
	{ "Nothing was played on board 1.", OWN_WORDS_SURE },
	{ "Nothing was played on board 1, I see", OWN_WORDS_NOT },
	{ "You take messages and offers from dave again.", OWN_WORDS_ALONE },
	{ "You have no limits. For example: limit chess 5", OWN_WORDS_ALONE },
	{ "You have no limits. For example: limit chess 5 is mine", OWN_WORDS_NOT },
	{ "Board 1 has not ended. A rematch comes after a game.", OWN_WORDS_LIKELY },
	{ "carol has left the tournament.", OWN_WORDS_LIKELY },
	{ "Dave says carol has left the tournament yesterday.", OWN_WORDS_NOT },
	{ "carol has left the tournament, so we are four.", OWN_WORDS_NOT },
	{ "Nice. Carol plays White, dave plays Black.", OWN_WORDS_NOT },
	{ "Carol would like to play in your team, I hear.", OWN_WORDS_NOT },
};

START_TEST(only_whole_long_sentences_are_certain)
{
	struct own_table *t = own_words_open(NULL);

	ck_assert_int_eq(own_words_judge(t, certain[_i].paragraph), certain[_i].own);
	own_words_close(t);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("own words");

	tcase_add_loop_test(t, own_words_are_known, 0, ROWS(rows));
	tcase_add_loop_test(t, only_whole_long_sentences_are_certain, 0, ROWS(certain));
	return util_main(t);
}
