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
	{ "There is no \"x\" here.\n", false },
	{ "It is your move, bob.\nI think it is the best move.\n", false },
	{ "Ja, das dachte ich auch.\n", false },
	{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n1\n2\n3\n4\n5\n6\n7\n8\n9\n1\n2\n3\n4\n5\n6\n7\n8\n9\n1\n"
	  "2\n3\n4\n5\n6\n7\n8\n9\n1\n2\n3\n4\n5\n",
	  false },
};

START_TEST(own_words_are_known)
{
	ck_assert(own_words_only(NULL, rows[_i].paragraphs) == rows[_i].own);
}
END_TEST

START_TEST(only_long_sentences_are_certain)
{
	static const char *const texts[] = { "You played well.", "Nothing was played on board 1." };
	bool own[2];

	own_words_find(NULL, texts, 2, own);
	ck_assert(!own[0] && own[1]);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("own words");

	tcase_add_loop_test(t, own_words_are_known, 0, ROWS(rows));
	tcase_add_test(t, only_long_sentences_are_certain);
	return util_main(t);
}
