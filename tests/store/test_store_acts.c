/* The record of acts: durable with its transaction, in order, and nobody can change a line
 * without being noticed. */
#include "store/check/store_fsck.h"
#include "store/check/store_reindex.h"
#include "store/document/document_file.h"
#include "store/store_acts.h"
#include "tests/util/store_site.h"

#define DECEMBER 1796144400 /* 2026-12-01T17:00:00Z */
#define JANUARY (DECEMBER + 31 * 86400)

static char report[4000];

static void setup(void)
{
	store_site_new();
	report[0] = '\0';
}

static void teardown(void)
{
	store_site_remove();
}

static void add(int64_t at, int64_t board, bool commit)
{
	const struct act act = { .at = at,
		                 .by = "carol",
		                 .what = "extend",
		                 .board = board,
		                 .players = "alice bob",
		                 .detail = "5 days",
		                 .reason = "a \"quoted\" why\nwith a line" };
	struct store *s = store_site_open(STORE_WRITE);

	must(store_begin(s, e));
	must(store_act_add(s, &act, e));
	if (commit)
		must(store_commit(s, e));
	else
		store_abort(s);
	store_close(s);
}

static int note_board(const struct act *act, void *arg)
{
	str_addf(arg, "%d ", (int)act->board);
	return 0;
}

static const char *boards(void)
{
	static char text[200];
	struct str out = STR_FIXED(text);
	struct store *s = store_site_open(STORE_READ);

	must(store_acts(s, note_board, &out, e));
	store_close(s);
	return text;
}

static void add_finding(const char *what, bool repaired, void *arg)
{
	str_addf(arg, "%s%s\n", repaired ? "+ " : "- ", what);
}

static int fsck(enum fsck_mode mode)
{
	struct str out = STR_FIXED(report);
	struct err e = { 0 };
	int rc = store_fsck(site, mode, NULL, add_finding, &out, &e);

	ck_assert_msg(rc >= 0, "%d %s", rc, e.text);
	return rc;
}

START_TEST(acts_are_kept_in_order)
{
	ck_assert_str_eq(boards(), "");
	add(DECEMBER, 1, true);
	add(DECEMBER + 5, 2, true);
	add(DECEMBER + 6, 9, false);
	add(JANUARY, 3, true);
	add(DECEMBER + 9, 4, true); /* the clock went back */
	ck_assert_str_eq(boards(), "1 2 3 4 ");
	ck_assert(store_site_has("acts/2026-12.jsonl"));
	ck_assert(store_site_has("acts/2027-01.jsonl"));
	ck_assert_msg(fsck(FSCK_LOOK) == 0, "%s", report);
	must(store_reindex(site, NULL, NULL, e));
	ck_assert_str_eq(boards(), "1 2 3 4 ");
	ck_assert_int_eq(unlink(store_site_path("pbm.db")), 0);
	must(store_reindex(site, NULL, NULL, e));
	ck_assert_msg(fsck(FSCK_LOOK) == 0, "%s", report);
	add(JANUARY, 5, true);
	ck_assert_str_eq(boards(), "1 2 3 4 5 ");
}
END_TEST

/* Changes one line of the record in several ways. */
static const struct {
	const char *command, *finding;
} changes[] = {
	{ "sed -i '2s/5 days/9 days/' acts/2026-12.jsonl", "line 3: it does not follow" },
	{ "sed -i 2d acts/2026-12.jsonl", "line 2: it does not follow" },
	{ "sed -i '2{p}' acts/2026-12.jsonl", "line 3: it does not follow" },
	{ "sed -i '$d' acts/2026-12.jsonl", "acts/2027-01.jsonl: line 1: it does not follow" },
	{ "sed -i '$d' acts/2027-01.jsonl", "the file is not what pbm wrote" },
	{ "truncate -s -1 acts/2027-01.jsonl", "line 2: its end is missing" },
	{ "rm acts/2026-12.jsonl", "acts/2026-12.jsonl: the file is missing" },
	{ "echo x >> acts/2027-01.jsonl", "line 3: it is not the record of an act" },
	{ "sed -i '2s/}$/,\"more\":1}/' acts/2027-01.jsonl", "it is not the record of an act" },
	{ "touch acts/notes", "acts/notes: not a file of the store" },
};

START_TEST(changes_are_found)
{
	char command[300];

	for (int i = 1; i <= 3; i++)
		add(DECEMBER + i, i, true);
	for (int i = 4; i <= 5; i++)
		add(JANUARY + i, i, true);
	snprintf(command, sizeof command, "cd %s && %s", site, changes[_i].command);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_gt(fsck(FSCK_LOOK), 0);
	ck_assert_msg(strstr(report, changes[_i].finding) != NULL, "%s", report);
	if (strstr(changes[_i].command, "notes"))
		return;
	struct store *s = store_site_open(STORE_READ);
	struct err why = { 0 };
	struct str out = STR_FIXED(report);
	ck_assert_int_eq(store_acts(s, note_board, &out, &why), ERR_DAMAGED);
	store_close(s);
	fsck(FSCK_REPAIR);
	ck_assert(!store_site_has("damaged"));
}
END_TEST

/* The state between the commit and the file. */
START_TEST(committed_but_no_file)
{
	add(DECEMBER, 1, true);
	add(DECEMBER, 2, true);
	char *text = store_site_read("acts/2026-12.jsonl"), sql[4000];
	sqlite3_snprintf(
		sizeof sql, sql,
		"INSERT INTO pending(path, bytes) VALUES('acts/2026-12.jsonl', CAST(%Q AS BLOB))",
		text);
	store_site_sql(sql);
	store_site_write("acts/2026-12.jsonl", "");
	ck_assert_str_eq(boards(), "1 2 ");
	add(DECEMBER, 3, true);
	ck_assert_str_eq(boards(), "1 2 3 ");
	ck_assert_msg(fsck(FSCK_LOOK) == 0, "%s", report);
	free(text);
}
END_TEST

/* The same of a file to which a line is added: the line waits, and a part of it may be there. */
START_TEST(committed_but_not_added)
{
	for (int i = 1; i <= 3; i++)
		add(DECEMBER + i, i, true);
	char *text = store_site_read("acts/2026-12.jsonl"), sql[4000], *second, *third;
	second = strchr(text, '\n') + 1;
	third = strchr(second, '\n') + 1;
	for (size_t there = 0; there <= strlen(second); there += 40) {
		sqlite3_snprintf(sizeof sql, sql,
		                 "INSERT INTO pending VALUES('acts/2026-12.jsonl',"
		                 " CAST(substr(%Q, 1, %d) AS BLOB), %d),"
		                 " ('acts/2026-12.jsonl', CAST(%Q AS BLOB), %d)",
		                 second, (int)(third - second), (int)(second - text), third,
		                 (int)(third - text));
		store_site_sql(sql);
		store_site_write("acts/2026-12.jsonl", text);
		ck_assert_int_eq(truncate(store_site_path("acts/2026-12.jsonl"),
		                          (off_t)((size_t)(second - text) + there)),
		                 0);
		ck_assert_str_eq(boards(), "1 2 3 ");
		store_close(store_site_open(STORE_WRITE));
		char *again = store_site_read("acts/2026-12.jsonl");
		ck_assert_str_eq(again, text);
		free(again);
		ck_assert_msg(fsck(FSCK_LOOK) == 0, "%s", report);
	}
	add(DECEMBER + 4, 4, true);
	ck_assert_str_eq(boards(), "1 2 3 4 ");
	free(text);
}
END_TEST

/* An earlier version noted the sum of all bytes. */
START_TEST(earlier_sum)
{
	char sql[200];

	add(DECEMBER, 1, true);
	add(DECEMBER, 2, true);
	char *text = store_site_read("acts/2026-12.jsonl");
	sqlite3_snprintf(sizeof sql, sql, "UPDATE sums SET sum = %lld WHERE path GLOB 'acts/*'",
	                 (long long)document_file_sum_of(text, strlen(text)));
	store_site_sql(sql);
	ck_assert_str_eq(boards(), "1 2 ");
	ck_assert_msg(fsck(FSCK_LOOK) == 0, "%s", report);
	*strstr(text, "5 days") = '9';
	store_site_write("acts/2026-12.jsonl", text);
	struct store *s = store_site_open(STORE_WRITE);
	const struct act act = { .at = DECEMBER, .by = "carol", .what = "pause" };
	must(store_begin(s, e));
	must_fail(ERR_DAMAGED, store_act_add(s, &act, e));
	store_close(s);
	*strstr(text, "9 days") = '5';
	store_site_write("acts/2026-12.jsonl", text);
	add(DECEMBER, 3, true);
	ck_assert_str_eq(boards(), "1 2 3 ");
	ck_assert_msg(fsck(FSCK_LOOK) == 0, "%s", report);
	free(text);
}
END_TEST

/* Lines that are longer than what is read at first, and many in one transaction. */
START_TEST(long_lines)
{
	static char why[ACTS_TEXT_MAX + 1];
	struct act act = { .at = DECEMBER, .by = "carol", .what = "pause", .reason = why };
	struct str out = STR_FIXED(report);

	memset(why, '\t', ACTS_TEXT_MAX);
	for (int i = 0; i < 3; i++) {
		struct store *s = store_site_open(STORE_WRITE);

		must(store_begin(s, e));
		for (int k = 0; k < 3; k++)
			must(store_act_add(s, &act, e));
		must(store_commit(s, e));
		store_close(s);
	}
	struct store *s = store_site_open(STORE_READ);
	must(store_acts(s, note_board, &out, e));
	store_close(s);
	ck_assert_str_eq(report, "0 0 0 0 0 0 0 0 0 ");
	ck_assert_msg(fsck(FSCK_LOOK) == 0, "%s", report);
}
END_TEST

/* A month of so many acts, and the bytes that this process writes for one more. */
static long long written_for_one(int acts)
{
	char hash[ACTS_HASH_SIZE], line[200];
	long long before = 0, after = 0;
	struct str bytes;

	str_init(&bytes, ACTS_FILE_MAX);
	acts_first_hash(hash);
	for (int i = 0; i < acts; i++) {
		const struct act act = { .at = DECEMBER, .by = "carol", .what = "pause" };

		must(acts_write(&act, hash, &bytes, e));
	}
	store_site_write("acts/2026-12.jsonl", bytes.data);
	str_release(&bytes);
	must(store_reindex(site, NULL, NULL, e));
	for (int i = 0; i < 2; i++) {
		FILE *io = fopen("/proc/self/io", "r");

		while (fgets(line, sizeof line, io))
			if (strncmp(line, "wchar:", 6) == 0)
				*(i ? &after : &before) = atoll(line + 6);
		fclose(io);
		if (i == 0)
			add(DECEMBER + 60, 1, true);
	}
	return after - before;
}

START_TEST(an_act_costs_the_same_in_a_long_month)
{
	long long few = written_for_one(10), many = written_for_one(10000);

	ck_assert_msg(many < few + 20000, "%lld bytes, then %lld", few, many);
	ck_assert_msg(fsck(FSCK_LOOK) == 0, "%s", report);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_acts");
	TCase *t = tcase_create("acts");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, acts_are_kept_in_order);
	tcase_add_loop_test(t, changes_are_found, 0, sizeof changes / sizeof changes[0]);
	tcase_add_test(t, committed_but_no_file);
	tcase_add_test(t, committed_but_not_added);
	tcase_add_test(t, earlier_sum);
	tcase_add_test(t, long_lines);
	tcase_add_test(t, an_act_costs_the_same_in_a_long_month);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
