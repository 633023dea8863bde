/* Reindexing makes the same database; fsck finds each kind of damage, and
 * mends what can be proved. */
#include "store/check/store_fsck.h"
#include "store/check/store_reindex.h"
#include "store/store_documents.h"
#include "store/store_held.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"
#include "store/store_work.h"
#include "tests/util/store_site.h"

static char report[4000];

static void setup(void)
{
	static struct player_address address = { .address = "alice@example.org",
		                                 .confirmed = 1796144400 };
	struct player_doc alice = sample_player("Alice", &address),
			  bob = sample_player("bob", NULL);
	struct outbox_mail m = { .message_id = "<1>",
		                 .envelope_from = "",
		                 .rcpt = "bob@example.org",
		                 .bytes = "text",
		                 .len = 4,
		                 .created = 100,
		                 .next_try = 100 };
	struct held_command h = { "id1", "alice", "alice@example.org", "resign 5", 500 };
	int64_t n;

	store_site_new();
	struct store *s = store_site_open(STORE_WRITE);
	must(store_begin(s, e));
	for (int64_t b = 998; b <= 1003; b++) {
		struct game_doc g = sample_game(b);

		if (b == 1000) {
			g.state = GAME_FINISHED;
			g.to_move = SEAT_NONE;
			g.result = "1/2-1/2";
			g.reason = "agreed";
			g.ended = 1796144500;
			g.deadline = 0;
		}
		must(store_game_put(s, &g, e));
	}
	must(store_player_put(s, &alice, e));
	must(store_player_put(s, &bob, e));
	must(store_outbox_add(s, &m, e));
	must(store_seen_add(s, "seen", 5, e));
	must(store_held_put(s, &h, e));
	must(store_rate(s, "rate", 100, 60, &n, e));
	must(store_work_add(s, WORK_GAME, 1000, 0, e));
	must(store_commit(s, e));
	store_close(s);
	report[0] = '\0';
}

static void teardown(void)
{
	store_site_remove();
}

static void add_finding(const char *what, bool repaired, void *arg)
{
	struct str *out = arg;

	str_addf(out, "%s%s\n", repaired ? "+ " : "- ", what);
}

static int fsck(bool repair, verify_game_fn *verify)
{
	struct str out = STR_FIXED(report);
	struct err e = { 0 };
	int rc = store_fsck(site, repair ? FSCK_REPAIR : FSCK_LOOK, verify, add_finding, &out, &e);

	ck_assert_msg(rc >= 0, "%d %s\n%s", rc, e.text, report);
	return rc;
}

START_TEST(reindex_gives_the_same)
{
	char *before = store_site_dump();

	must(store_reindex(site, NULL, NULL, e));
	char *after = store_site_dump();
	ck_assert_str_eq(before, after);
	ck_assert(!store_site_has("damaged"));
	ck_assert(!store_site_has("pbm.db.new"));
	ck_assert(!store_site_has("pbm.db.new-wal"));
	ck_assert_int_eq(fsck(false, NULL), 0);
	free(before);
	free(after);
}
END_TEST

static void see_progress(int64_t done, int64_t total, void *arg)
{
	ck_assert_int_eq(total, 8);
	*(int64_t *)arg = done;
}

START_TEST(reindex_from_files_alone)
{
	char *before = store_site_dump(), *after;
	int64_t done = 0;

	ck_assert_int_eq(unlink(store_site_path("pbm.db")), 0);
	must(store_reindex(site, see_progress, &done, e));
	ck_assert_int_eq(done, 8);
	after = store_site_dump();
	*strstr(before, "outbox\n") = '\0';
	*strstr(after, "outbox\n") = '\0';
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
}
END_TEST

START_TEST(reindex_settles_pending_rows_first)
{
	struct game_doc g;
	struct arena a = { 0 };

	char *text = store_site_read("games/001/1003.json"), sql[4000];
	*strstr(text, "\"ply\": 0") = '\0';
	sqlite3_snprintf(sizeof sql, sql,
	                 "INSERT INTO pending(path, bytes) VALUES('games/001/1003.json',"
	                 "CAST(%Q || '\"ply\": 5' || %Q AS BLOB))",
	                 text, text + strlen(text) + 8);
	store_site_sql(sql);
	free(text);
	must(store_reindex(site, NULL, NULL, e));
	struct store *s = store_site_open(STORE_READ);
	must(store_game_get(s, &a, 1003, &g, e));
	ck_assert_uint_eq(g.ply, 5);
	store_close(s);
	ck_assert_int_eq(fsck(false, NULL), 0);
	arena_release(&a);
}
END_TEST

START_TEST(reindex_leaves_damage_out)
{
	struct err why = { 0 };
	struct store *s;
	int64_t board;

	store_site_write("games/001/1003.json", "{}");
	ck_assert_int_eq(unlink(store_site_path("pbm.db")), 0);
	ck_assert_int_eq(store_reindex(site, NULL, NULL, &why), 1);
	ck_assert_ptr_nonnull(strstr(why.text, "games/001/1003.json: format: is missing"));
	s = store_site_open(STORE_WRITE);
	must(store_begin(s, e));
	must(store_next_board(s, &board, e));
	ck_assert_int_eq(board, 1004);
	store_close(s);
}
END_TEST

START_TEST(reindex_keeps_an_unreadable_database)
{
	struct err why = { 0 };

	store_site_write("pbm.db",
	                 "Nothing that SQLite would know, and long enough to be looked at twice.");
	ck_assert_int_eq(store_reindex(site, NULL, NULL, &why), 1);
	ck_assert(store_site_has("damaged/pbm.db"));
	ck_assert_int_eq(fsck(false, NULL), 0);
}
END_TEST

START_TEST(reindex_waits_for_readers)
{
	struct store *r = store_site_open(STORE_READ);

	must_fail(ERR_BUSY, store_reindex(site, NULL, NULL, e));
	store_close(r);
	must(store_reindex(site, NULL, NULL, e));
}
END_TEST

/* Damage to a sound site, and the finding that fsck reports.  "+": the repair mends it,
 * and the next run finds nothing. */
static const struct {
	const char *sql;         /* or */
	const char *path, *text; /* text NULL: unlink */
	const char *says;
	bool mended;
} damages[] = {
	{ "UPDATE games SET ply = 3 WHERE board = 999", NULL, NULL,
	  "games/000/999.json: the index differs: ply", true },
	{ "UPDATE games SET to_move = 1 WHERE board = 999", NULL, NULL,
	  "games/000/999.json: the index differs: to_move", true },
	{ "UPDATE games SET reason = NULL WHERE board = 1000", NULL, NULL,
	  "games/001/1000.json: the index differs: reason", true },
	{ "DELETE FROM games WHERE board = 1001", NULL, NULL,
	  "games/001/1001.json: the index differs: no row", true },
	{ "DELETE FROM players WHERE key = 'alice'", NULL, NULL,
	  "players/alice.json: the index differs: no row", true },
	{ "UPDATE players SET userid = 'ALICE' WHERE key = 'alice'", NULL, NULL,
	  "players/alice.json: the index differs: userid", true },
	{ "UPDATE players SET role = 'operator' WHERE key = 'alice'", NULL, NULL,
	  "players/alice.json: the index differs: role", true },
	{ "UPDATE addresses SET rank = 7", NULL, NULL,
	  "players/alice.json: the index differs: addresses", true },
	{ "DELETE FROM addresses", NULL, NULL, "players/alice.json: the index differs: addresses",
	  true },
	{ "INSERT INTO addresses VALUES('x@example.org', 1, 'bob')", NULL, NULL,
	  "players/bob.json: the index differs: addresses", true },
	{ "INSERT INTO addresses VALUES('x@example.org', 1, 'dave')", NULL, NULL,
	  "pbm.db: 1 rows of table addresses are wrong", true },
	{ "DELETE FROM lists WHERE board = 1000 AND who = 'bob'", NULL, NULL,
	  "pbm.db: 1 rows of table lists are wrong", true },
	{ "UPDATE lists SET ended = 5 WHERE board = 1000 AND who = ''", NULL, NULL,
	  "pbm.db: 2 rows of table lists are wrong", true },
	{ "UPDATE meta SET value = 1003", NULL, NULL, "pbm.db: board 1003 would be given again",
	  true },
	{ "PRAGMA application_id = 99", NULL, NULL, "pbm.db: not a database of pbm", false },
	{ "UPDATE counts SET n = n + 1 WHERE list = 'all'", NULL, NULL,
	  "pbm.db: 2 rows of table counts", true },
	{ "UPDATE tallies SET won = won + 1 WHERE list = 'kind'", NULL, NULL,
	  "pbm.db: 2 rows of table tallies are wrong", true },
	{ "DELETE FROM placed", NULL, NULL, "pbm.db: 2 rows of table placed are wrong", true },
	{ "INSERT INTO rated VALUES('bob', 'chess', 5, 7, 150000)", NULL, NULL,
	  "pbm.db: 1 rows of table rated are wrong", true },
	{ NULL, "games/001/1002.json", NULL,
	  "games/001/1002.json: the file is missing, only its index row is left", false },
	{ NULL, "players/bob.json", NULL,
	  "players/bob.json: the file is missing, only its index row is left", false },
	{ NULL, "games/001/1002.json", "{ \"format\": 1, ", "games/001/1002.json: line 1", false },
	{ NULL, "games/001/1002.json", "", "games/001/1002.json: line 1", false },
	{ NULL, "players/bob.json", "{ \"format\": 7 }",
	  "players/bob.json: format: 7 is not a format that this program knows", false },
	{ NULL, "players/dave.json",
	  "{\"format\":1,\"userid\":\"carol\",\"role\":\"player\","
	  "\"created\":\"2026-12-01T17:00:00Z\"}",
	  "players/dave.json: userid: carol does not fit the name of the file", false },
	{ NULL, "players/carol.json",
	  "{\"format\":1,\"userid\":\"carol\",\"role\":\"player\","
	  "\"created\":\"2026-12-01T17:00:00Z\"}",
	  "players/carol.json: not written the way pbm writes it", true },
	{ NULL, "games/001/1002.json.tmp", "{ torn",
	  "games/001/1002.json.tmp: not a file of the store", true },
	{ NULL, "games/001/01002.json", "{}", "games/001/01002.json: not a file of the store",
	  false },
	{ NULL, "players/README", "hello", "players/README: not a file of the store", false },
};

static void do_damage(int i)
{
	if (damages[i].sql)
		store_site_sql(damages[i].sql);
	else if (damages[i].text)
		store_site_write(damages[i].path, damages[i].text);
	else
		ck_assert_int_eq(unlink(store_site_path(damages[i].path)), 0);
}

START_TEST(finds_damage)
{
	ck_assert_msg(fsck(true, NULL) == 0 && report[0] == '\0', "%s", report);
	do_damage(_i);
	char *before = store_site_dump();
	ck_assert_int_ge(fsck(false, NULL), 1);
	ck_assert_msg(strstr(report, damages[_i].says) != NULL, "%s", report);
	char *after = store_site_dump();
	ck_assert_str_eq(before, after);
	ck_assert(!store_site_has("damaged"));
	free(before);
	free(after);

	int left = fsck(true, NULL);
	ck_assert_msg(strstr(report, damages[_i].says) != NULL, "%s", report);
	ck_assert_msg((left == 0) == damages[_i].mended, "%d\n%s", left, report);
	if (damages[_i].mended)
		ck_assert_msg(fsck(true, NULL) == 0 && report[0] == '\0', "%s", report);
}
END_TEST

/* One bit of each byte in turn.  A text that is still a valid document cannot be
 * repaired, because nothing tells what it was. */
START_TEST(each_flipped_bit_is_found)
{
	static const char *const paths[] = { "games/001/1000.json", "players/alice.json" };
	char *text = store_site_read(paths[_i]);
	size_t n = strlen(text);
	struct arena a = { 0 };
	struct game_doc g;
	struct player_doc p;

	for (size_t i = 0; i < n; i++) {
		char was = text[i];

		text[i] = (char)(was ^ 1 << i % 7);
		store_site_write_n(paths[_i], text, n);
		struct store *s = store_site_open(STORE_READ);
		must_fail(ERR_DAMAGED, _i ? store_player_get(s, &a, "alice", &p, e)
		                          : store_game_get(s, &a, 1000, &g, e));
		store_close(s);
		if (i % 5 == 0)
			ck_assert_msg(fsck(false, NULL) >= 1, "byte %zu", i);
		text[i] = was;
	}
	store_site_write_n(paths[_i], text, n);
	ck_assert_int_eq(fsck(false, NULL), 0);
	free(text);
	arena_release(&a);
}
END_TEST

static void edit(const char *path, const char *from, const char *to)
{
	char *text = store_site_read(path), *at = strstr(text, from);

	ck_assert_ptr_nonnull(at);
	ck_assert_uint_eq(strlen(from), strlen(to));
	memcpy(at, to, strlen(to));
	store_site_write(path, text);
	free(text);
}

START_TEST(edited_files_are_accepted_when_told)
{
	static const char path[] = "games/001/1000.json";
	struct arena a = { 0 };
	struct game_doc g;

	edit(path, "1/2-1/2", "1-0    ");
	ck_assert_int_eq(fsck(false, NULL), 1);
	edit(path, "\"1-0    \"", "\"1-0\"    ");
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(fsck(i, NULL), 1);
		ck_assert_ptr_nonnull(
			strstr(report, "- games/001/1000.json: the file is not what pbm wrote"));
	}
	struct str out = STR_FIXED(report);
	ck_assert_int_eq(store_fsck(site, FSCK_ACCEPT, NULL, add_finding, &out, NULL), 0);
	ck_assert_ptr_nonnull(
		strstr(report, "+ games/001/1000.json: the file is not what pbm wrote"));
	ck_assert_int_eq(fsck(false, NULL), 0);
	struct store *s = store_site_open(STORE_READ);
	must(store_game_get(s, &a, 1000, &g, e));
	ck_assert_str_eq(g.result, "1-0");
	store_close(s);
	/* A reindex accepts it too. */
	edit(path, "agreed", "deemed");
	ck_assert_int_eq(fsck(false, NULL), 1);
	must(store_reindex(site, NULL, NULL, e));
	ck_assert_int_eq(fsck(false, NULL), 0);
	arena_release(&a);
}
END_TEST

/* A site that is older than the sums gets them from a repair, which does not report it. */
START_TEST(sums_are_made_up_for)
{
	char *before = store_site_dump();

	store_site_sql("DELETE FROM sums");
	ck_assert_int_eq(fsck(false, NULL), 0);
	ck_assert_msg(fsck(true, NULL) == 0 && report[0] == '\0', "%s", report);
	char *after = store_site_dump();
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
}
END_TEST

/* A rating that is in no document any more. */
START_TEST(ratings_without_a_game_are_found)
{
	static const char *const wrong[] = {
		"INSERT INTO ratings VALUES('bob', 'suicide', 1000, 150000, 9000, 59999675, 3, 5)",
		"INSERT INTO ratings VALUES('bob', 'suicide', 999, 150000, 9000, 59999675, 3, 5)",
	};

	store_site_sql(wrong[_i]);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(fsck(i, NULL), 1);
		ck_assert_ptr_nonnull(
			strstr(report, "- pbm.db: bob's rating in suicide is not what board"));
	}
	must(store_reindex(site, NULL, NULL, e));
	ck_assert_int_eq(fsck(false, NULL), 0);
}
END_TEST

/* A lost game that came back may have as many rated games as the one that took its place:
 * the same one of them counts, in whatever order they are read. */
START_TEST(ratings_of_the_same_number)
{
	for (int64_t b = 1001; b >= 1000; b--) {
		struct game_doc g = sample_game(b);
		struct game_rating ratings[2];
		struct store *s = store_site_open(STORE_WRITE);

		g.ratings = ratings;
		g.rated = true;
		g.state = GAME_FINISHED;
		g.to_move = SEAT_NONE;
		g.result = "1-0";
		g.reason = "mate";
		g.ended = 1796144500 + b;
		g.deadline = 0;
		g.rating_count = 2;
		for (uint8_t i = 0; i < 2; i++)
			ratings[i] = (struct game_rating){ .seat = i,
				                           .before = 150000,
				                           .rating = 150000 + b,
				                           .deviation = 9000,
				                           .volatility = 59999675,
				                           .games = 3 };
		must(store_begin(s, e));
		must(store_game_put(s, &g, e));
		must(store_commit(s, e));
		store_close(s);
	}
	char *before = store_site_dump();
	ck_assert_ptr_nonnull(strstr(before, "alice|chess|1001|151001|"));
	for (int i = 0; i < 2; i++)
		ck_assert_msg(fsck(i, NULL) == 0 && report[0] == '\0', "%s", report);
	must(store_reindex(site, NULL, NULL, e));
	char *after = store_site_dump();
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
}
END_TEST

START_TEST(repair_gives_the_same_index)
{
	char *before = store_site_dump();

	store_site_sql(
		"DELETE FROM games; DELETE FROM players; DELETE FROM addresses; DELETE FROM lists;"
		"UPDATE meta SET value = 1");
	ck_assert_int_eq(fsck(true, NULL), 0);
	char *after = store_site_dump();
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
}
END_TEST

START_TEST(damaged_file_is_kept)
{
	struct store *s;
	struct game_doc g;
	struct arena a = { 0 };

	for (int i = 1; i <= 2; i++) {
		store_site_write("games/001/1002.json", i == 1 ? "first" : "second");
		ck_assert_int_eq(fsck(true, NULL), 2); /* the lost file, and the row that is left */
	}
	char *first = store_site_read("damaged/games_001_1002.json");
	char *second = store_site_read("damaged/games_001_1002.json.2");
	ck_assert_str_eq(first, "first");
	ck_assert_str_eq(second, "second");
	free(first);
	free(second);
	s = store_site_open(STORE_READ);
	must_fail(ERR_DAMAGED, store_game_get(s, &a, 1002, &g, e));
	store_close(s);
	must(store_reindex(site, NULL, NULL, e)); /* accepts the loss */
	ck_assert_int_eq(fsck(false, NULL), 0);
	arena_release(&a);
}
END_TEST

START_TEST(pending_row_mends_its_file)
{
	char *text = store_site_read("games/001/1002.json"), sql[4000];

	sqlite3_snprintf(
		sizeof sql, sql,
		"INSERT INTO pending(path, bytes) VALUES('games/001/1002.json', CAST(%Q AS BLOB));"
		"INSERT INTO ratings VALUES('bob', 'suicide', 1002, 150000, 9000, 59999675, 3, 5)",
		text);
	store_site_sql(sql);
	/* Its index row is compared when the file is there. */
	ck_assert_int_eq(fsck(false, NULL), 1);
	store_site_sql("DELETE FROM ratings");
	store_site_write("games/001/1002.json", "torn");
	ck_assert_int_eq(fsck(false, NULL), 1);
	ck_assert_str_eq(report, "- games/001/1002.json: waited in pbm.db for its file\n");
	/* A look has written nothing. */
	char *torn = store_site_read("games/001/1002.json");
	ck_assert_str_eq(torn, "torn");
	free(torn);
	ck_assert_int_eq(fsck(true, NULL), 0);
	char *after = store_site_read("games/001/1002.json");
	ck_assert_str_eq(text, after);
	ck_assert_int_eq(fsck(false, NULL), 0);
	free(text);
	free(after);
}
END_TEST

/* The rows are read in pages of 500. */
START_TEST(the_last_row_of_many)
{
	struct store *s = store_site_open(STORE_WRITE);
	char name[20];

	must(store_begin(s, e));
	for (int i = 0; i < 1001; i++) {
		snprintf(name, sizeof name, "p%04d", i);
		struct player_doc p = sample_player(name, NULL);
		must(store_player_put(s, &p, e));
	}
	must(store_commit(s, e));
	store_close(s);
	ck_assert_int_eq(fsck(false, NULL), 0);
	ck_assert_int_eq(unlink(store_site_path("players/p1000.json")), 0);
	ck_assert_int_eq(fsck(false, NULL), 1);
	ck_assert_str_eq(report,
	                 "- players/p1000.json: the file is missing, only its index row is left\n");
}
END_TEST

/* A repair that is interrupted leaves no file that pbm would refuse: the sum of a file is
 * stored before the file is written again. */
START_TEST(cut_repair_breaks_nothing)
{
	static const char *const paths[] = { "games/001/1000.json", "players/bob.json" };
	struct str out = STR_FIXED(report);
	struct arena a = { 0 };
	struct game_doc g;

	for (size_t i = 0; i < 2; i++) {
		char *text = store_site_read(paths[i]), other[4000];

		snprintf(other, sizeof other, "%s\n", text);
		store_site_write(paths[i], other);
		free(text);
	}
	must(store_reindex(site, NULL, NULL, e));
	store_site_sql("CREATE TRIGGER cut BEFORE UPDATE ON sums WHEN new.path = 'players/bob.json'"
	               " BEGIN SELECT RAISE(FAIL, 'cut'); END");
	ck_assert_int_lt(store_fsck(site, FSCK_REPAIR, NULL, add_finding, &out, NULL), 0);
	store_site_sql("DROP TRIGGER cut");
	struct store *s = store_site_open(STORE_WRITE);
	must(store_game_get(s, &a, 1000, &g, e));
	store_close(s);
	ck_assert_int_eq(fsck(true, NULL), 0);
	ck_assert_ptr_nonnull(
		strstr(report, "+ players/bob.json: not written the way pbm writes it"));
	ck_assert_msg(fsck(true, NULL) == 0 && report[0] == '\0', "%s", report);
	arena_release(&a);
}
END_TEST

START_TEST(lost_database_is_made_anew)
{
	char *before = store_site_dump();

	ck_assert_int_eq(unlink(store_site_path("pbm.db")), 0);
	ck_assert_int_eq(fsck(false, NULL), 1);
	ck_assert(!store_site_has("pbm.db"));
	ck_assert_int_eq(fsck(true, NULL), 0);
	char *after = store_site_dump();
	*strstr(before, "outbox\n") = '\0';
	*strstr(after, "outbox\n") = '\0';
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
}
END_TEST

/* A page of an index overwritten: SQLite's own check sees it. */
START_TEST(broken_index_is_made_anew)
{
	char garbage[4096];
	FILE *f;

	store_site_sql("PRAGMA journal_mode=DELETE");
	f = fopen(store_site_path("pbm.db"), "r+");
	ck_assert_ptr_nonnull(f);
	memset(garbage, 0x5a, sizeof garbage);
	for (long page = 4; page < 8; page++) {
		fseek(f, page * 4096, SEEK_SET);
		fwrite(garbage, 1, sizeof garbage, f);
	}
	fclose(f);
	ck_assert_int_ge(fsck(false, NULL), 1);
	ck_assert_int_ge(fsck(true, NULL), 0);
	ck_assert_int_eq(fsck(false, NULL), 0);
}
END_TEST

/* A symbolic link is not followed: reading it fails as a bad sector does. */
START_TEST(unreadable_file_stops_nothing)
{
	ck_assert_int_eq(unlink(store_site_path("games/000/999.json")), 0);
	ck_assert_int_eq(symlink("/etc/hostname", store_site_path("games/000/999.json")), 0);
	store_site_sql("UPDATE games SET ply = 3 WHERE board = 1001");
	ck_assert_int_eq(fsck(true, NULL), 1);
	ck_assert_ptr_nonnull(strstr(report, "- open games/000/999.json: Too many levels"));
	ck_assert_ptr_nonnull(strstr(report, "+ games/001/1001.json: the index differs: ply"));
	ck_assert(!store_site_has("damaged"));
}
END_TEST

static int distrust(const struct game_doc *g, void *, struct err *e)
{
	return g->board == 1001 ? err_set(e, ERR_DAMAGED, "ply 3 is illegal") : 0;
}

START_TEST(rules_are_asked)
{
	ck_assert_int_eq(fsck(true, distrust), 1);
	ck_assert_str_eq(report, "- games/001/1001.json: ply 3 is illegal\n");
	ck_assert(store_site_has("games/001/1001.json"));
}
END_TEST

START_TEST(fsck_needs_the_lock)
{
	struct store *s = store_site_open(STORE_WRITE);

	must_fail(ERR_BUSY, store_fsck(site, FSCK_LOOK, NULL, NULL, NULL, e));
	store_close(s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_fsck");
	TCase *t = tcase_create("fsck");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, reindex_gives_the_same);
	tcase_add_test(t, reindex_from_files_alone);
	tcase_add_test(t, reindex_settles_pending_rows_first);
	tcase_add_test(t, reindex_leaves_damage_out);
	tcase_add_test(t, reindex_keeps_an_unreadable_database);
	tcase_add_test(t, reindex_waits_for_readers);
	tcase_add_loop_test(t, finds_damage, 0, sizeof damages / sizeof damages[0]);
	tcase_add_loop_test(t, each_flipped_bit_is_found, 0, 2);
	tcase_add_test(t, edited_files_are_accepted_when_told);
	tcase_add_test(t, sums_are_made_up_for);
	tcase_add_loop_test(t, ratings_without_a_game_are_found, 0, 2);
	tcase_add_test(t, ratings_of_the_same_number);
	tcase_add_test(t, repair_gives_the_same_index);
	tcase_add_test(t, damaged_file_is_kept);
	tcase_add_test(t, pending_row_mends_its_file);
	tcase_add_test(t, the_last_row_of_many);
	tcase_add_test(t, cut_repair_breaks_nothing);
	tcase_add_test(t, lost_database_is_made_anew);
	tcase_add_test(t, broken_index_is_made_anew);
	tcase_add_test(t, unreadable_file_stops_nothing);
	tcase_add_test(t, rules_are_asked);
	tcase_add_test(t, fsck_needs_the_lock);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
