/* Sites that earlier versions made: each can be opened, is brought to the present version,
 * and still has the same contents. */
#include "tests/util/store_site.h"

#include "pbm/record/match.h"
#include "store/check/store_fsck.h"
#include "store/check/store_reindex.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_outbox.h"
#include "store/store_questions.h"
#include "store/store_work.h"

/* The contents of each format's site; a row of this table is never removed. */
static const struct {
	const char *name;
	int finished, running;
	const char *held_of;
} sites[] = {
	{ "format-1", 2, 1, "dave@example.org" }, { "format-2", 2, 1, "dave@example.org" },
	{ "format-3", 2, 1, "dave@example.org" }, { "format-4", 2, 1, "dave@example.org" },
	{ "format-5", 2, 1, "dave@example.org" }, { "format-6", 2, 1, "dave@example.org" },
	{ "format-7", 2, 1, "dave@example.org" }, { "format-8", 2, 1, "dave@example.org" },
};

static char folder[64];

static void setup(void)
{
	snprintf(folder, sizeof folder, "%s/pbm-upgrade-XXXXXX", folder_parent());
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void unpack(const char *name)
{
	char command[300];

	snprintf(command, sizeof command, "tar -C %s -xmzf tests/data/sites/%s.tar.gz", folder,
	         name);
	ck_assert_int_eq(system(command), 0);
	snprintf(site, sizeof site, "%.40s/%s", folder, name);
}

static void teardown(void)
{
	char command[100];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static void complain(const char *what, bool, void *)
{
	ck_abort_msg("%s", what);
}

static int count_row(const struct game_row *, void *arg)
{
	++*(int *)arg;
	return 0;
}

static int count_mail(const struct outbox_mail *m, void *arg)
{
	ck_assert_str_eq(m->rcpt, "alice@example.org");
	++*(int *)arg;
	return 0;
}

START_TEST(opens)
{
	int finished = 0, running = 0, waiting = 0;
	int64_t all = 0;

	unpack(sites[_i].name);
	must_fail(ERR_BAD, store_open(site, STORE_READ, &(struct store *){ 0 }, e));
	struct store *s = store_site_open(STORE_WRITE);
	must(store_games(s, NULL, NULL, GAMES_FINISHED, 100, 0, count_row, &finished, e));
	must(store_games(s, "alice", NULL, GAMES_OPEN, 100, 0, count_row, &running, e));
	must(store_outbox_due(s, INT64_MAX, 100, count_mail, &waiting, e));
	must(store_count(s, "all", &all, e));
	ck_assert_int_eq(finished, sites[_i].finished);
	ck_assert_int_eq(running, sites[_i].running);
	ck_assert_int_eq(waiting, 1);
	ck_assert_int_eq(all, sites[_i].finished);
	store_close(s);
	store_close(store_site_open(STORE_READ));
	char *dump = store_site_dump();
	ck_assert_ptr_nonnull(strstr(dump, sites[_i].held_of));
	ck_assert_int_eq(store_fsck(site, FSCK_LOOK, match_verify, complain, NULL, NULL), 0);
	/* Only the sums were missing. */
	ck_assert_int_eq(store_fsck(site, FSCK_REPAIR, match_verify, complain, NULL, NULL), 0);
	free(dump);
	dump = store_site_dump();
	must(store_reindex(site, NULL, NULL, e));
	char *again = store_site_dump();
	ck_assert_str_eq(dump, again);
	free(dump);
	free(again);
}
END_TEST

static void add_work(struct store *s, enum work_kind kind, struct str *out)
{
	struct work v[9];
	size_t n;

	must(store_work(s, kind, 0, 9, v, &n, e));
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%" PRId64 " %zu;", v[i].board, v[i].events);
}

static int add_name(const char *name, int64_t, void *arg)
{
	str_addf(arg, "%s;", name);
	return 0;
}

/* The marks of pages and watchers, which had a table each. */
START_TEST(marks_become_work)
{
	char text[200];
	struct str out = STR_FIXED(text);

	unpack("format-8");
	store_site_sql("DELETE FROM archive_due; INSERT INTO archive_due VALUES(1), (-2), (-3);"
	               "DELETE FROM watch_due; INSERT INTO watch_due VALUES(3, 7)");
	struct store *s = store_site_open(STORE_WRITE);
	add_work(s, WORK_GAME, &out);
	add_work(s, WORK_LIVE, &out);
	add_work(s, WORK_WATCHERS, &out);
	must(store_work_names(s, WORK_GONE, "", 9, add_name, &out, e));
	must(store_work_names(s, WORK_TOURNAMENT, "", 9, add_name, &out, e));
	ck_assert_str_eq(text, "1 0;2 0;3 0;3 7;");
	store_close(s);
}
END_TEST

/* A document that waited for its file. */
START_TEST(pending_document)
{
	char sql[8000];

	unpack(sites[_i].name);
	char *text = store_site_read("games/000/3.json");
	snprintf(sql, sizeof sql,
	         "INSERT INTO pending VALUES('games/000/3.json', CAST('%s' AS BLOB))", text);
	store_site_sql(sql);
	store_site_write("games/000/3.json", "");
	store_close(store_site_open(STORE_WRITE));
	char *again = store_site_read("games/000/3.json");
	ck_assert_str_eq(again, text);
	free(again);
	free(text);
}
END_TEST

/* A reindex upgrades the rows that it takes from the old database. */
START_TEST(reindexes)
{
	unpack(sites[_i].name);
	must(store_reindex(site, NULL, NULL, e));
	char *dump = store_site_dump();
	ck_assert_ptr_nonnull(strstr(dump, sites[_i].held_of));
	ck_assert_ptr_nonnull(strstr(dump, "421 busy"));
	free(dump);
	ck_assert_int_eq(store_fsck(site, FSCK_LOOK, match_verify, complain, NULL, NULL), 0);
}
END_TEST

/* The rows of players that an earlier version made are found by how they look today. */
START_TEST(players_rows)
{
	static const char *const have[] = { "Derrek", "bob22",    "Aanna--a",
		                            "s11",    "bu11ockk", "t1g33r8s" };
	struct arena a = { 0 };
	const char *found;

	unpack("format-8");
	struct store *s = store_site_open(STORE_WRITE);
	must(store_begin(s, e));
	for (size_t i = 0; i < sizeof have / sizeof *have; i++) {
		struct player_doc p = { .userid = have[i], .role = "player" };

		must(store_player_put(s, &p, e));
	}
	must(store_commit(s, e));
	store_close(s);
	char *dump = store_site_dump();
	/* as version 15 wrote them */
	store_site_sql(
		"PRAGMA user_version = 15; UPDATE players SET looks = replace(replace("
		"replace(replace(key, '-', ''), '1', 'l'), 'i', 'l'), '5', 's');"
		"DROP VIEW placed_due; CREATE VIEW placed_due AS SELECT '' list, 0 ended, 0 board;"
		"DROP TRIGGER game_unplaced; DROP TRIGGER game_replaced; DROP INDEX games_old;"
		"CREATE TRIGGER game_unplaced AFTER UPDATE ON games BEGIN SELECT 1; END;"
		"CREATE TRIGGER game_replaced AFTER UPDATE ON games BEGIN SELECT 1; END;"
		"DELETE FROM placed WHERE list GLOB 'pair:*';"
		"ALTER TABLE games DROP COLUMN tournament; CREATE INDEX games_old ON games(board);"
		"DROP INDEX games_puzzle; DROP INDEX puzzles_of_game;"
		"ALTER TABLE games DROP COLUMN puzzle;"
		"ALTER TABLE outbox DROP COLUMN worker;"
		"ALTER TABLE outbox DROP COLUMN until;"
		"DROP TABLE inbox; DROP TABLE workers;"
		"DROP TABLE work; CREATE TABLE archive_due(board); CREATE TABLE archive_gone(player);"
		"CREATE TABLE archive_tournaments(key); CREATE TABLE watch_due(board, events)");
	s = store_site_open(STORE_WRITE);
	ck_assert_int_eq(store_player_like(s, &a, "derek", &found, NULL), 1);
	ck_assert_str_eq(found, "Derrek");
	ck_assert_int_eq(store_player_like(s, &a, "bullock", &found, NULL), 1);
	ck_assert_int_eq(store_player_like(s, &a, "tigerbs", &found, NULL), 1);
	ck_assert_str_eq(found, "t1g33r8s");
	ck_assert_int_eq(store_player_like(s, &a, "s1", &found, NULL), 0);
	store_close(s);
	char *again = store_site_dump();
	ck_assert_str_eq(dump, again);
	ck_assert_int_eq(store_fsck(site, FSCK_LOOK, match_verify, complain, NULL, NULL), 0);
	free(dump);
	free(again);
	arena_release(&a);
}
END_TEST

/* A database of a newer program is refused and not changed. */
START_TEST(newer_is_left_alone)
{
	unpack("format-1");
	store_close(store_site_open(STORE_WRITE));
	store_site_sql("PRAGMA user_version = 99");
	must_fail(ERR_BAD, store_open(site, STORE_WRITE, &(struct store *){ 0 }, e));
	must_fail(ERR_BAD, store_open(site, STORE_READ, &(struct store *){ 0 }, e));
	must_fail(ERR_BAD, store_reindex(site, NULL, NULL, e));
	must_fail(ERR_BAD, store_fsck(site, FSCK_REPAIR, match_verify, complain, NULL, e));
	ck_assert(!store_site_has("damaged"));
}
END_TEST

/* A document of a newer format is refused, and none of its keys is dropped. */
START_TEST(newer_document)
{
	struct arena a = { 0 };
	struct game_doc g;

	unpack("format-1");
	struct store *s = store_site_open(STORE_WRITE);
	char *text = store_site_read("games/000/3.json");
	char *at = strstr(text, "\"format\": 1");
	ck_assert_ptr_nonnull(at);
	at[10] = '9';
	store_site_write("games/000/3.json", text);
	must_fail(ERR_DAMAGED, store_game_get(s, &a, 3, &g, e));
	store_close(s);
	free(text);
	arena_release(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("store_upgrade");
	TCase *t = tcase_create("upgrade");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, opens, 0, (int)(sizeof sites / sizeof sites[0]));
	tcase_add_loop_test(t, pending_document, 0, (int)(sizeof sites / sizeof sites[0]));
	tcase_add_loop_test(t, reindexes, 0, (int)(sizeof sites / sizeof sites[0]));
	tcase_add_test(t, players_rows);
	tcase_add_test(t, marks_become_work);
	tcase_add_test(t, newer_is_left_alone);
	tcase_add_test(t, newer_document);
	suite_add_tcase(s, t);
	return run_suite(s);
}
