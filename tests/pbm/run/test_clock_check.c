/* Clocks that jump between runs, and what the jump must not change. */
#include <check.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/record/match.h"
#include "pbm/run/clock_check.h"
#include "pbm/run/run.h"
#include "pbm/site/mail_ends.h"
#include "store/store_documents.h"
#include "store/store_held.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"
#include "tests/util/util.h"

#define T0 1796119200 /* 2026-12-01T10:00:00Z */
#define HOUR 3600
#define DAY 86400
#define YEAR (365 * DAY)
#define DAYS 4 /* for a turn */
#define GAMES 3
#define DEADLINE (T0 + DAYS * INT64_C(86400))

static char *dir;

static void begin_game(struct site *s)
{
	struct arena a = { 0 };
	struct game_doc d = {
		.game = "chess",
		.options = "",
		.players = { "alice", "bob" },
		.days = DAYS,
		.created = T0,
	};
	struct match m;

	ck_assert_int_eq(store_next_board(s->store, &d.board, NULL), 0);
	ck_assert_int_eq(match_create(&a, &d, &m, NULL), 0);
	match_start(&m, T0);
	ck_assert_int_eq(store_game_put(s->store, &m.doc, NULL), 0);
	arena_release(&a);
}

static void setup(void)
{
	static const char conf[] =
		"host = pbm.example.org\noperator = root@example.org\nbatch = 2\n";
	char path[300];
	struct site s;
	struct err e = { 0 };
	struct held_command held = {
		.id = "abc", .userid = "alice", .address = "alice@example.org", .text = "x"
	};

	log_threshold(LOG_LEVEL_ERROR);
	dir = util_site();
	snprintf(path, sizeof path, "%s/pbm.conf", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, conf, sizeof conf - 1, 0644, IO_LAZY, NULL), 0);
	ck_assert_int_eq(site_open(dir, &s, &e), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, &e), 0);
	ck_assert_int_eq(store_begin(s.store, &e), 0);
	for (int i = 0; i < GAMES; i++)
		begin_game(&s);
	held.expires = T0 + 3 * DAY;
	ck_assert_msg(store_held_put(s.store, &held, &e) == 0, "%s", e.text);
	ck_assert_int_eq(store_seen_add(s.store, "raw:old", T0 - 300 * DAY, &e), 0);
	ck_assert_int_eq(store_commit(s.store, &e), 0);
	site_close(&s);
}

static void teardown(void)
{
	clock_set(-1);
	clock_set_witness(NULL);
	util_drop(dir);
}

/* A whole run when the machine's clock says this. */
static struct run_report run_at(int64_t now)
{
	struct site s;
	struct mail_source source;
	struct mail_sink sink;
	struct run_report r = { 0 };
	struct err e = { 0 };

	clock_set(now);
	ck_assert_msg(site_open(dir, &s, &e) == 0, "%s", e.text);
	ck_assert_msg(site_open_store(&s, STORE_WRITE, &e) == 0, "%s", e.text);
	ck_assert_msg(mail_ends_source(&s, &source, &e) == 0, "%s", e.text);
	ck_assert_msg(mail_ends_sink(&s, &sink, &e) == 0, "%s", e.text);
	ck_assert_msg(run_once(&s, &source, &sink, 0, &r, &e) == 0, "%s", e.text);
	source.ops->close(source.self);
	sink.ops->close(sink.self);
	site_close(&s);
	return r;
}

/* The same, with a witness: the seconds since the start of the machine. */
static struct run_report run_beside(int64_t now, int64_t boottime, bool synced)
{
	clock_set_witness(&(struct clock_witness){ 77, boottime, synced });
	return run_at(now);
}

static int64_t ask(const char *sql)
{
	char path[300];
	sqlite3 *db;
	sqlite3_stmt *st;

	snprintf(path, sizeof path, "%s/pbm.db", dir);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK, "%s",
	              sqlite3_errmsg(db));
	int64_t n = sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
	sqlite3_finalize(st);
	sqlite3_close(db);
	return n;
}

/* All games have this deadline. */
static void deadline_is(int64_t deadline)
{
	ck_assert_int_eq(ask("SELECT min(deadline) FROM games"), deadline);
	ck_assert_int_eq(ask("SELECT max(deadline) FROM games"), deadline);
}

static size_t told(const char *words)
{
	struct arena a = { 0 };
	size_t n, count = 0;
	const struct sent_mail *list = util_sent(&a, dir, &n);

	for (size_t i = 0; i < n; i++)
		count += strcmp(list[i].rcpt, "root@example.org") == 0 &&
		         (!words || strstr(list[i].mail.text, words));
	arena_release(&a);
	return count;
}

static void fsck_is_clean(void)
{
	int status;
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	char *out = util_pbm((const char *[]){ pbm, "-C", dir, "fsck", NULL }, NULL, &status);

	ck_assert_msg(status == 0, "%s", out);
	free(out);
}

static void nothing_has_lapsed(void)
{
	deadline_is(DEADLINE);
	ck_assert_int_eq(ask("SELECT count(*) FROM games WHERE state = 1"), GAMES);
	ck_assert_int_eq(ask("SELECT count(*) FROM held"), 1);
	ck_assert_int_eq(ask("SELECT count(*) FROM seen WHERE key = 'raw:old'"), 1);
}

/* One run with a clock that is far off, and then the right time. */
static const int64_t jumps[] = { YEAR, 70 * DAY, 10 * YEAR, -2 * HOUR, -YEAR, -(T0 - 1000) };

START_TEST(one_wrong_run_changes_nothing)
{
	run_at(T0);
	struct run_report r = run_at(T0 + 60 + jumps[_i]);
	ck_assert_uint_eq(r.clocks.reminded + r.clocks.ended, 0);
	ck_assert_uint_eq(told("is not believed yet"), 1);
	nothing_has_lapsed();
	run_at(T0 + 120);
	ck_assert_int_eq(clock_now(), T0 + 120);
	nothing_has_lapsed();
	ck_assert_int_eq(ask("SELECT value FROM meta WHERE key = '" CLOCK_DOUBT "'"), 0);
	/* and time goes on as if nothing had been */
	for (int i = 1; i < 3 * 24; i++)
		r = run_at(T0 + i * HOUR + 120);
	ck_assert_uint_eq(r.clocks.reminded, 0);
	ck_assert_uint_eq(run_at(T0 + 3 * DAY + 120).clocks.reminded, GAMES);
	deadline_is(DEADLINE);
	fsck_is_clean();
}
END_TEST

/* A mail that comes while the clock is not believed has the site's time. */
START_TEST(a_doubted_clock_stamps_nothing)
{
	run_at(T0);
	run_at(T0 + HOUR + YEAR);
	util_mail(dir, "1", "carol@example.org", "pbm@pbm.example.org", "",
	          "chess challenge alice bob -days=4 carol carol-pw", NULL);
	run_at(T0 + 2 * HOUR + YEAR);
	ck_assert_int_lt(ask("SELECT max(created) FROM games"), T0 + 3 * HOUR);
	ck_assert_int_lt(ask("SELECT max(ends) FROM rate"), T0 + 40 * DAY);
}
END_TEST

/* After a steady day it is believed: an outage, then.  When the clock goes back to
 * where it was, the time is taken back. */
START_TEST(a_steady_clock_is_believed)
{
	int64_t there = T0 + YEAR;

	run_at(T0);
	for (int i = 0; i < 24; i++)
		run_at(there + i * HOUR);
	deadline_is(DEADLINE);
	run_at(there + 24 * HOUR);
	ck_assert_uint_eq(told("The new time is believed"), 1);
	ck_assert_int_gt(ask("SELECT min(deadline) FROM games"), DEADLINE + YEAR - 2 * DAY);
	fsck_is_clean();
	run_at(there + 25 * HOUR);
	run_at(T0 + 26 * HOUR);
	ck_assert_uint_eq(told("is taken back"), 1);
	ck_assert_int_ge(ask("SELECT min(deadline) FROM games"), DEADLINE);
	ck_assert_int_le(ask("SELECT max(deadline) FROM games"), DEADLINE + 2 * DAY);
	ck_assert_int_eq(ask("SELECT value FROM meta WHERE key = 'clock-outage-until'"), 0);
	fsck_is_clean();
	run_at(T0 + 27 * HOUR);
	ck_assert_int_le(ask("SELECT max(deadline) FROM games"), DEADLINE + 2 * DAY);
}
END_TEST

/* Six days can be an outage: they are given, and taken back when they were none. */
START_TEST(a_short_jump_is_taken_back)
{
	run_at(T0);
	run_at(T0 + 6 * DAY);
	deadline_is(DEADLINE + 7 * DAY);
	run_at(T0 + 600);
	deadline_is(DEADLINE + DAY + 600);
	ck_assert_int_eq(clock_now(), T0 + 600);
	fsck_is_clean();
}
END_TEST

/* Within one start of the machine no jump goes unnoticed, unless the system vouches. */
static const struct {
	int64_t jump;
	bool synced, doubted;
} starts[] = {
	{ 6 * DAY, false, true }, { 6 * DAY, true, false },  { 2 * HOUR, false, true },
	{ -DAY, false, true },    { 30 * 60, false, false }, { 0, false, false },
};

START_TEST(the_start_of_the_machine_is_a_witness)
{
	run_beside(T0, 1000, false);
	run_beside(T0 + 10 + starts[_i].jump, 1010, starts[_i].synced);
	ck_assert_int_eq(clock_now(), T0 + 10 + (starts[_i].doubted ? 0 : starts[_i].jump));
	ck_assert_uint_eq(told("is not believed yet"), starts[_i].doubted);
	if (!starts[_i].doubted)
		return;
	/* the system sets the clock right, or says that it was right */
	run_beside(T0 + 20, 1020, false);
	ck_assert_int_eq(clock_now(), T0 + 20);
	run_beside(T0 + 30 + starts[_i].jump, 1030, false);
	ck_assert_int_eq(clock_now(), T0 + 30);
	run_beside(T0 + 40 + starts[_i].jump, 1040, true);
	ck_assert_int_eq(clock_now(), T0 + 40 + starts[_i].jump);
	fsck_is_clean();
}
END_TEST

/* A machine that was off for a while, however long the witness says nothing. */
START_TEST(another_start_is_no_jump)
{
	run_beside(T0, 1000, false);
	clock_set_witness(&(struct clock_witness){ 78, 20, false });
	run_at(T0 + 5 * DAY);
	ck_assert_int_eq(clock_now(), T0 + 5 * DAY);
	ck_assert_uint_eq(told("is not believed"), 0);
	deadline_is(DEADLINE + 6 * DAY);
}
END_TEST

/* A mail that waits for a time that a wrong clock set does not wait for it. */
START_TEST(mails_do_not_wait_for_a_wrong_time)
{
	struct site s;
	struct err e = { 0 };

	run_at(T0);
	run_at(T0 + 6 * DAY);
	ck_assert_int_eq(site_open(dir, &s, &e), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, &e), 0);
	ck_assert_int_eq(store_begin(s.store, &e), 0);
	struct outbox_mail m = { .message_id = "a@pbm.example.org",
		                 .envelope_from = "",
		                 .rcpt = "alice@example.org",
		                 .bytes = "Subject: a\r\nFrom: a@b.example\r\n\r\na\r\n",
		                 .created = T0 + 6 * DAY,
		                 .next_try = T0 + 6 * DAY + HOUR };
	m.len = strlen(m.bytes);
	ck_assert_int_eq(store_outbox_add(s.store, &m, &e), 0);
	ck_assert_int_eq(store_commit(s.store, &e), 0);
	site_close(&s);
	run_at(T0 + 600);
	ck_assert_int_eq(ask("SELECT count(*) FROM outbox"), 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("clock_check");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, one_wrong_run_changes_nothing, 0, ROWS(jumps));
	tcase_add_test(t, a_doubted_clock_stamps_nothing);
	tcase_add_test(t, a_steady_clock_is_believed);
	tcase_add_test(t, a_short_jump_is_taken_back);
	tcase_add_loop_test(t, the_start_of_the_machine_is_a_witness, 0, ROWS(starts));
	tcase_add_test(t, another_start_is_no_jump);
	tcase_add_test(t, mails_do_not_wait_for_a_wrong_time);
	return util_main(t);
}
