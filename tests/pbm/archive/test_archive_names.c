/* Players who get another name, or become part of another one: documents, index, ratings and
 * pages say the same, as a reindex and a rebuild show. */
#include <check.h>
#include <unistd.h>

#include "pbm/archive/archive.h"
#include "pbm/base/log.h"
#include "pbm/commands/account/account_end.h"
#include "pbm/commands/account/account_merge.h"
#include "pbm/commands/account/account_rename.h"
#include "pbm/commands/command_list.h"
#include "pbm/rating/rating_again.h"
#include "pbm/rating/rating_rebuild.h"
#include "pbm/record/match.h"
#include "pbm/request/act_record.h"
#include "store/check/store_fsck.h"
#include "store/check/store_reindex.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "tests/util/simulated.h"
#include "tests/util/suite.h"

#define GAMES 60
#define PLAYERS 5

static char folder[64], dir[80];
static struct site site;
static struct err err;
static struct arena arena;

#define must(call) ck_assert_msg((call) == 0, "%s", err.text)

/* $A is the archive. */
static void shell(const char *command)
{
	char archive[100];

	snprintf(archive, sizeof archive, "%s/archive", dir);
	setenv("A", archive, 1);
	ck_assert_msg(system(command) == 0, "%s", command);
}

static void open_site(void)
{
	must(site_open(dir, &site, &err));
	must(site_open_store(&site, STORE_WRITE, &err));
}

static void publish(void)
{
	struct archive_report r = { 0 };

	must(archive_publish(&site, &r, &err));
	ck_assert_msg(r.failed == 0, "%s", r.first);
}

static void setup(void)
{
	struct simulation sim = { .games = GAMES,
		                  .players = PLAYERS,
		                  .seed = 3,
		                  .from = 1700000000,
		                  .to = 1702000000,
		                  .publish = true };
	struct rebuild_report r = { 0 };

	log_threshold(LOG_LEVEL_ERROR);
	err = (struct err){ 0 };
	snprintf(folder, sizeof folder, "/tmp/pbm-names-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(dir, sizeof dir, "%s/site", folder);
	must(site_create(dir, "localhost", &err));
	open_site();
	must(simulate(&site, &sim, &err));
	must(rating_rebuild(site.store, true, &r, &err));
	publish();
}

static void teardown(void)
{
	site_close(&site);
	arena_release(&arena);
	shell("rm -rf \"$(dirname $(dirname $A))\"");
}

static struct request *begin(void)
{
	struct request *q = arena_alloc(&arena, sizeof *q);

	*q = (struct request){
		.site = &site, .arena = &arena, .now = 1702000000 + 86400, .cause = "test"
	};
	q->who.proof = PROOF_OPERATOR;
	q->mail.from = q->mail.message_id = "";
	must(store_begin(site.store, &err));
	return q;
}

static struct player_doc player(const char *userid)
{
	struct player_doc p;

	must(store_player_get(site.store, &arena, userid, &p, &err));
	return p;
}

static const struct act_by by = { "operator", "why" };

static void rename_to(const char *from, const char *to)
{
	struct request *q = begin();
	struct player_doc p = player(from);
	struct err why = { 0 };

	ck_assert_msg(account_rename_may(q, &p, to, &why, &err) == 1, "%s", why.text);
	must(account_rename(q, &p, to, &by, &err));
	must(store_commit(site.store, &err));
}

static void merge(const char *from, const char *into)
{
	struct request *q = begin();
	struct player_doc p = player(from), s = player(into);
	struct err why = { 0 };

	ck_assert_msg(account_merge_may(q, &p, &s, &why, &err) == 1, "%s", why.text);
	must(account_merge(q, &p, &s, &by, &err));
	must(store_commit(site.store, &err));
}

static void leave(const char *userid)
{
	struct request *q = begin();
	struct player_doc p = player(userid);

	must(account_end(q, &p, true, &err));
	must(store_commit(site.store, &err));
}

static void find(const char *what, bool repaired, void *)
{
	ck_abort_msg("%s%s", what, repaired ? " (repaired)" : "");
}

/* The pages that runs wrote follow from the documents. */
static void check_all(void)
{
	struct archive_report r = { 0 };
	struct rebuild_report wrong = { 0 };

	must(rating_again_run(site.store, false, &err));
	publish();
	must(rating_rebuild(site.store, false, &wrong, &err));
	ck_assert_int_eq(wrong.wrong, 0);
	shell("mv $A $A.old");
	must(archive_rebuild(&site, &r, &err));
	ck_assert_msg(r.failed == 0, "%s", r.first);
	/* The JSON of a game has its present ratings when it is written; the pages have those of
	 * the day of play. */
	shell("diff -r -x '*.json' $A.old $A && rm -r $A.old");
	site_close(&site);
	ck_assert_int_eq(store_fsck(dir, FSCK_LOOK, match_verify, find, NULL, &err), 0);
	must(store_reindex(dir, NULL, NULL, &err));
	ck_assert_int_eq(store_fsck(dir, FSCK_LOOK, match_verify, find, NULL, &err), 0);
	open_site();
}

static int64_t games_of(const char *userid)
{
	char list[60];
	int64_t n = 0;

	snprintf(list, sizeof list, "player:%s", userid);
	must(store_count(site.store, list, &n, &err));
	return n;
}

START_TEST(another_name)
{
	int64_t n = games_of("p0");

	ck_assert(n > 5);
	rename_to("p0", "Nimzo");
	check_all();
	ck_assert_int_eq(games_of("p0"), 0);
	ck_assert_int_eq(games_of("nimzo"), n);
	ck_assert_str_eq(player("P0").userid, "Nimzo");
	shell("grep -q 'url=../nimzo/index.html' $A/player/p0/index.html &&"
	      " grep -q '>Nimzo</a>' $A/player/p0/index.html &&"
	      " grep -q Nimzo $A/player/nimzo/index.html &&"
	      " ! grep -rl --include=*.html --include=*.json '\\bp0\\b' $A/games");
	/* The page's sum of all kinds: each game is won, lost or drawn. */
	shell("sed -n 's/^<p>\\([0-9]*\\) finished games: \\([0-9]*\\) won, \\([0-9]*\\) lost, "
	      "\\([0-9]*\\) drawn.*/\\1 \\2 \\3 \\4/p' $A/player/nimzo/index.html |"
	      " awk '$1 == $2 + $3 + $4 { n++ } END { exit n != 1 }'");
	/* The old name leads straight to the newest. */
	rename_to("nimzo", "capa");
	check_all();
	ck_assert_str_eq(player("p0").userid, "capa");
	shell("grep -q 'url=../capa/index.html' $A/player/p0/index.html &&"
	      " grep -q 'url=../capa/index.html' $A/player/nimzo/index.html");
	/* A name that comes back. */
	rename_to("capa", "p0");
	check_all();
	ck_assert_int_eq(games_of("p0"), n);
	shell("! grep -q http-equiv.*refresh $A/player/p0/index.html &&"
	      " grep -q 'url=../p0/index.html' $A/player/capa/index.html &&"
	      " grep -q 'url=../p0/index.html' $A/player/nimzo/index.html");
}
END_TEST

START_TEST(one_account_of_two)
{
	int64_t all = games_of("p0") + games_of("p1");

	merge("p0", "p1");
	check_all();
	/* Their games against each other no longer count, for neither. */
	ck_assert(games_of("p1") < all && games_of("p1") > all / 2);
	ck_assert_int_eq(games_of("p0"), 0);
	ck_assert_uint_eq(player("p0").address_count, 2);
	ck_assert_str_eq(player("p0").addresses[0].address, "p1@example.org");
	merge("p1", "p2");
	check_all();
	ck_assert_str_eq(player("p0").userid, "p2");
	ck_assert_uint_eq(player("p0").address_count, 3);
	leave("p2");
	check_all();
	ck_assert(player("p0").deleted != 0);
	shell("! test -e $A/player/p2/index.html && ! test -e $A/player/p0/index.html");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("archive_names");
	TCase *t = tcase_create("names");

	command_use(command_list);
	tcase_set_timeout(t, 120);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, another_name);
	tcase_add_test(t, one_account_of_two);
	suite_add_tcase(s, t);
	return suite_run(s);
}
