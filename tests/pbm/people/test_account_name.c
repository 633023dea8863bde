/* Names of new accounts. */
#include "tests/util/store_site.h"

#include "pbm/base/mem.h"
#include "pbm/people/account_name.h"

static const struct {
	const char *userid;
	enum err_code why; /* 0: the name is free */
} rows[] = {
	{ "carol", 0 },
	{ "alice", ERR_CONFLICT },
	{ "ALICE", ERR_CONFLICT },
	{ "a1-ice", ERR_CONFLICT },
	{ "alicia", 0 },
	{ "c", ERR_BAD },
	{ "resign", ERR_BAD },
	{ "postmaster", ERR_BAD },
	{ "chess", ERR_BAD },
	{ "b0b", ERR_CONFLICT },
	{ "bobby", 0 },
	{ "al1c3", ERR_CONFLICT },
	{ "bo8", ERR_CONFLICT },
	{ "bob64", 0 },
	{ "alice2", 0 },
	{ "alice3", 0 },
	/* moves, ladders and words of sentences */
	{ "e4", ERR_BAD },
	{ "Nf3", ERR_BAD },
	{ "e7-e8Q", ERR_BAD },
	{ "Sxe4", ERR_BAD },
	{ "o-o-o", ERR_BAD },
	{ "ladder-chess", ERR_BAD },
	{ "Hello", ERR_BAD },
	{ "danke", ERR_BAD },
	{ "olga", 0 },
	{ "mike4", 0 },
	{ "bea", 0 },
	{ "1alice", ERR_BAD },
	{ "ali_ce", ERR_CONFLICT },
	/* words of staff, in parts of the name and in letters that look alike */
	{ "moderators", ERR_BAD },
	{ "mod3rator", ERR_BAD },
	{ "rnoderator", ERR_BAD },
	{ "THEadmin", ERR_BAD },
	{ "bob-mod", ERR_BAD },
	{ "Mod_Bob", ERR_BAD },
	{ "bobMod2", ERR_BAD },
	{ "m0d99", ERR_BAD },
	{ "mymoderator", ERR_BAD },
	{ "no_reply", ERR_BAD },
	{ "p-b-m", ERR_BAD },
	{ "turnierleiterin", ERR_BAD },
	{ "vvebmaster", ERR_BAD },
	{ "supp0rt", ERR_BAD },
	/* words of lists */
	{ "o-f-f", ERR_BAD },
	{ "N0ne", ERR_BAD },
	{ "myself", ERR_BAD },
	{ "deleted-7", ERR_BAD },
	/* names of people */
	{ "Modell", 0 },
	{ "armod", 0 },
	{ "adminna", 0 },
	{ "neus", 0 },
	{ "help4all", 0 },
	{ "supporter", 0 },
	{ "onno", 0 },
};

static bool is_word(const char *word)
{
	return strcmp(word, "resign") == 0;
}

static void check_names(struct store *s)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct arena a = { 0 };
		struct err why = { 0 }, e = { 0 };
		int rc = account_name_check(s, &a, rows[i].userid, 0, is_word, &why, &e);

		ck_assert_msg(rc == (rows[i].why != 0) && why.code == rows[i].why, "%s: %d %s %s",
		              rows[i].userid, rc, why.text, e.text);
		arena_release(&a);
	}
}

START_TEST(names)
{
	store_site_new();
	struct store *s = store_site_open(STORE_WRITE);
	struct player_doc alice = sample_player("Alice", NULL), bob = sample_player("bob", NULL);

	must(store_begin(s, e));
	must(store_player_put(s, &alice, e));
	must(store_player_put(s, &bob, e));
	must(store_commit(s, e));
	check_names(s);
	/* The other players are not looked at: this row would be complained about. */
	store_site_sql("INSERT INTO players(key, userid) VALUES('a wrong key', 'a wrong userid')");
	check_names(s);
	store_close(s);
	store_site_remove();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("account");
	TCase *t = tcase_create("names");

	tcase_add_test(t, names);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
