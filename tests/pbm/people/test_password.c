/* The cost of checking passwords. */
#include "pbm/people/password.h"
#include "store/store_documents.h"
#include "tests/util/util.h"

/* A word that several lines of a mail hold is hashed once, however often the mail asks before it
 * begins again. */
START_TEST(a_word_is_hashed_once)
{
	char *dir = util_site();
	struct site s;
	struct arena a = { 0 };
	struct err e = { 0 };
	struct request q = { .site = &s, .arena = &a, .now = 1796119200 };
	struct player_doc alice;
	enum password_answer answer;

	ck_assert_msg(site_open(dir, &s, &e) == 0, "%s", e.text);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, &e), 0);
	ck_assert_int_eq(store_player_get(s.store, &a, "alice", &alice, &e), 0);
	s.run.desk = password_desk_open();
	q.mail.from = "eve@example.org";
	ck_assert_int_eq(store_begin(s.store, &e), 0);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(password_in_text(&q, &alice, "guess1", &answer, &e), ERR_AGAIN);
		ck_assert_int_eq(password_in_text(&q, &alice, "alice-pw", &answer, &e), ERR_AGAIN);
	}
	store_abort(s.store);
	ck_assert_uint_eq(password_desk_work(s.run.desk), 2);
	ck_assert_int_eq(store_begin(s.store, &e), 0);
	ck_assert_int_eq(password_in_text(&q, &alice, "guess1", &answer, &e), 0);
	ck_assert_int_eq(answer, PASSWORD_WRONG);
	ck_assert_int_eq(password_in_text(&q, &alice, "alice-pw", &answer, &e), 0);
	ck_assert_int_eq(answer, PASSWORD_RIGHT);
	store_abort(s.store);
	ck_assert_uint_eq(password_desk_work(s.run.desk), 0);
	password_desk_close(s.run.desk);
	s.run.desk = NULL;
	site_close(&s);
	arena_release(&a);
	util_drop(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("password");

	tcase_add_test(t, a_word_is_hashed_once);
	return util_main(t);
}
