/* Lists of words with blanks between them. */
#include <check.h>
#include <string.h>

#include "pbm/text/word_list.h"
#include "tests/util/util.h"

static const struct {
	const char *list, *word;
	bool has;
	size_t length;
	const char *without, *with, *written;
} words[] = {
	{ NULL, "bob", false, 0, "", "bob", "" },
	{ "", "bob", false, 0, "", "bob", "" },
	{ "bob", "bob", true, 1, "", "bob bob", "bob" },
	{ "bob", "BOB", true, 1, "", "bob BOB", "bob" },
	{ "alice bob carol", "bob", true, 3, "alice carol", "alice bob carol bob",
	  "alice, bob, carol" },
	{ "alice bob carol", "alice", true, 3, "bob carol", "alice bob carol alice",
	  "alice, bob, carol" },
	{ "alice bob carol", "carol", true, 3, "alice bob", "alice bob carol carol",
	  "alice, bob, carol" },
	{ "bobby", "bob", false, 1, "bobby", "bobby bob", "bobby" },
	{ "bo", "bob", false, 1, "bo", "bo bob", "bo" },
	{ "alice  bob", "bob", true, 2, "alice", "alice  bob bob", "alice, bob" },
	{ "alice bob ", "", false, 2, "alice bob", "alice bob  ", "alice, bob" },
	{ "chess=3 losing=2", "chess", false, 2, "losing=2", "chess=3 losing=2 chess",
	  "chess=3, losing=2" },
	{ "chess=3 losing=2", "losing", false, 2, "chess=3", "chess=3 losing=2 losing",
	  "chess=3, losing=2" },
};

START_TEST(finds_and_changes_words)
{
	struct arena a = { 0 };
	char text[80];
	struct str s = STR_FIXED(text);
	const char *list = words[_i].list, *word = words[_i].word;

	word_list_write(list, &s);
	ck_assert_int_eq(word_list_has(list, word), words[_i].has);
	ck_assert_uint_eq(word_list_length(list), words[_i].length);
	ck_assert_str_eq(word_list_without(&a, list, word), words[_i].without);
	ck_assert_str_eq(word_list_with(&a, list, word), words[_i].with);
	ck_assert_str_eq(text, words[_i].written);
	arena_release(&a);
}
END_TEST

START_TEST(finds_values)
{
	const char *list = "chess=3 suicide=0 losing2=12 atomic";

	ck_assert_int_eq(word_list_value(list, "chess")[0], '3');
	ck_assert_int_eq(word_list_value(list, "SUICIDE")[0], '0');
	ck_assert_str_eq(word_list_value("losing2=12", "losing2"), "12");
	ck_assert_ptr_null(word_list_value(list, "losing"));
	ck_assert_ptr_null(word_list_value(list, "atomic"));
	ck_assert_ptr_null(word_list_value(NULL, "chess"));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("word list");

	tcase_add_loop_test(t, finds_and_changes_words, 0, ROWS(words));
	tcase_add_test(t, finds_values);
	return util_main(t);
}
