/* When the run looks after the clocks, and when it must not. */
#include <check.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/libexec.h"
#include "pbm/base/log.h"
#include "pbm/base/str.h"
#include "pbm/commands/command_list.h"
#include "pbm/outbox/outbox.h"
#include "pbm/record/match.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/mail_sum.h"
#include "pbm/run/outage.h"
#include "pbm/run/run.h"
#include "pbm/site/mail_ends.h"
#include "store/check/store_reindex.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_questions.h"
#include "tests/util/util.h"

#define T0 1796119200 /* 2026-12-01T10:00:00Z */
#define HOUR 3600
#define DAY 86400
#define GAMES 5

static char *dir;

/* A source that says these things, one after the other, and then that it is empty. */
struct script {
	const int *says;
};

static int script_next(void *self, size_t, struct mail_raw *, struct err *e)
{
	struct script *s = self;

	return *s->says ? err_set(e, *s->says++, "as the script says") : 0;
}

static int script_settle(void *self, const char *id, enum mail_fate fate, struct err *e)
{
	(void)self, (void)id, (void)fate, (void)e;
	return 0;
}

static void script_close(void *)
{
}

static const struct mail_source_ops script_ops = {
	.name = "script", .next = script_next, .settle = script_settle, .close = script_close
};

static const int empty[] = { 0 };

static int try_at(int64_t now, unsigned flags, const int *says, struct run_report *r, struct err *e)
{
	struct site s;
	struct mail_sink sink;
	struct script script = { says };
	struct mail_source source = { &script_ops, &script };

	clock_set(now);
	*r = (struct run_report){ 0 };
	ck_assert_msg(site_open(dir, &s, e) == 0, "%s", e->text);
	ck_assert_msg(site_open_store(&s, STORE_WRITE, e) == 0, "%s", e->text);
	ck_assert_msg(mail_ends_sink(&s, &sink, e) == 0, "%s", e->text);
	int rc = run_once(&s, &source, &sink, flags, r, e);
	sink.ops->close(sink.self);
	site_close(&s);
	return rc;
}

static struct run_report run_at(int64_t now, unsigned flags, const int *says)
{
	struct run_report r;
	struct err e = { 0 };
	int rc = try_at(now, flags, says, &r, &e);

	ck_assert_msg(rc == 0 || *says, "%s", e.text);
	return r;
}

static void change(int64_t board, const char *value, int64_t number)
{
	struct site s;
	struct arena a = { 0 };
	struct game_doc d = {
		.board = board,
		.game = "chess",
		.options = "",
		.players = { "alice", "bob" },
		.days = 2,
		.created = T0,
		.rated = true,
	};
	struct match m;
	struct err e = { 0 };

	ck_assert_int_eq(site_open(dir, &s, &e), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, &e), 0);
	ck_assert_int_eq(store_begin(s.store, &e), 0);
	if (value) {
		ck_assert_int_eq(store_value_set(s.store, value, number, &e), 0);
	} else {
		ck_assert_int_eq(store_next_board(s.store, &d.board, &e), 0);
		ck_assert_int_eq(match_create(&a, &d, &m, &e), 0);
		match_start(&m, T0);
		ck_assert_msg(store_game_put(s.store, &m.doc, &e) == 0, "%s", e.text);
	}
	ck_assert_int_eq(store_commit(s.store, &e), 0);
	site_close(&s);
	arena_release(&a);
}

static void setup(void)
{
	log_threshold(LOG_LEVEL_ERROR);
	dir = util_site();
	for (int i = 0; i < GAMES; i++)
		change(0, NULL, 0);
}

static void teardown(void)
{
	util_drop(dir);
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

static size_t sent_to_alice(void)
{
	struct arena a = { 0 };
	size_t n, count = 0;
	const struct sent_mail *list = util_sent(&a, dir, &n);

	for (size_t i = 0; i < n; i++)
		count += strcmp(list[i].rcpt, "alice@example.org") == 0;
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

START_TEST(once_for_every_game)
{
	struct run_report r = run_at(T0 + DAY - 1, 0, empty);

	ck_assert_uint_eq(r.clocks.reminded, 0);
	for (int i = 0; i < 3; i++) {
		r = run_at(T0 + DAY, 0, empty);
		ck_assert_uint_eq(r.clocks.reminded, i ? 0 : GAMES);
		ck_assert_uint_eq(sent_to_alice(), GAMES);
	}
	fsck_is_clean();
}
END_TEST

/* The last run ended by a fault of the program in the clock of that board. */
static void leave_fault(int64_t board)
{
	char text[60], name[MAIL_SUM_NAME], path[300], note[MAIL_SUM_NAME + 2];

	snprintf(text, sizeof text, "clock %lld " LIBEXEC_VERSION, (long long)board);
	mail_sum_name(&(struct mail_raw){ .bytes = text, .len = strlen(text) }, name);
	int n = snprintf(note, sizeof note, "%s!\n", name);
	snprintf(path, sizeof path, "%s/attempt", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, note, (size_t)n, 0600, IO_LAZY, NULL), 0);
}

/* A game in which the program fails again and again stops no other one. */
START_TEST(a_game_that_ends_the_program)
{
	for (int fault = 0; fault < 4; fault++) {
		leave_fault(2);
		run_at(T0 + DAY - 60 * (5 - fault), 0, empty);
	}
	ck_assert_uint_eq(run_at(T0 + DAY, 0, empty).clocks.reminded, GAMES - 1);
	ck_assert_int_eq(ask("SELECT count(*) FROM games WHERE due = 1796119200 + 86400"), 1);
	fsck_is_clean();
}
END_TEST

/* When a player's vacation begins or ends, the index says at once that the games are due;
 * a run that is cut before it comes to them does no harm. */
START_TEST(a_vacation_in_all_games)
{
	struct site s;
	struct err e = { 0 };
	struct arena a = { 0 };
	struct player_doc p;
	struct player_vacation v = { .from = T0 + HOUR, .until = T0 + 5 * DAY + HOUR };

	for (int ended = 0; ended < 2; ended++) {
		ck_assert_int_eq(site_open(dir, &s, &e), 0);
		ck_assert_int_eq(site_open_store(&s, STORE_WRITE, &e), 0);
		ck_assert_int_eq(store_begin(s.store, &e), 0);
		ck_assert_int_eq(store_player_get(s.store, &a, "alice", &p, &e), 0);
		p.vacations = &v;
		p.vacation_count = !ended;
		ck_assert_int_eq(store_player_put(s.store, &p, &e), 0);
		ck_assert_int_eq(store_look_at(s.store, "ALICE", &e), 0);
		ck_assert_int_eq(store_commit(s.store, &e), 0);
		site_close(&s);
		ck_assert_int_eq(ask("SELECT count(*) FROM games WHERE due = 1"), GAMES);
		fsck_is_clean();
		for (int i = 0; i < 2; i++)
			run_at(T0 + 1, 0, empty);
		ck_assert_int_eq(ask("SELECT min(due) FROM games"),
		                 ended ? T0 + DAY : T0 + 6 * DAY);
		ck_assert_int_eq(ask("SELECT min(deadline) FROM games"),
		                 ended ? T0 + 2 * DAY : T0 + 7 * DAY);
		fsck_is_clean();
	}
	ck_assert_uint_eq(sent_to_alice(), 0);
	arena_release(&a);
}
END_TEST

/* Transactions with few of them. */
START_TEST(in_batches)
{
	char path[300];

	snprintf(path, sizeof path, "%s/pbm.conf", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, "host = pbm.example.org\nbatch = 2\n", 33, 0644,
	                            IO_LAZY, NULL),
	                 0);
	ck_assert_uint_eq(run_at(T0 + DAY, 0, empty).clocks.reminded, GAMES);
	ck_assert_uint_eq(run_at(T0 + 9 * DAY, 0, empty).clocks.reminded,
	                  0); /* an outage, in batches too */
	ck_assert_int_eq(
		ask("SELECT count(*) FROM games WHERE deadline = 1796119200 + (2 + 8 + 1) * 86400"),
		GAMES);
	ck_assert_int_eq(ask("SELECT value FROM meta WHERE key = 'clock-outage-until'"), 0);
	fsck_is_clean();
}
END_TEST

/* An outage that was being made good when the run was cut: the games up to the
 * board have their time, the others get it now. */
START_TEST(a_cut_outage_goes_on)
{
	run_at(T0, 0, empty);
	change(0, OUTAGE_SINCE, T0 - 10 * DAY);
	change(0, OUTAGE_UNTIL, T0);
	change(0, OUTAGE_BOARD, 3);
	run_at(T0 + 60, 0, empty);
	ck_assert_int_eq(ask("SELECT count(*) FROM games WHERE deadline = 1796119200 + 2 * 86400"),
	                 3);
	ck_assert_int_eq(ask("SELECT count(*) FROM games WHERE deadline = 1796119200 + 13 * 86400"),
	                 GAMES - 3);
	run_at(T0 + 120, 0, empty);
	ck_assert_int_eq(ask("SELECT sum(deadline) FROM games"),
	                 GAMES * (T0 + INT64_C(2) * DAY) + (GAMES - 3) * (INT64_C(11) * DAY));
	fsck_is_clean();
}
END_TEST

/* After a cut run the machine was away once more: nobody may claim before that time,
 * too, is given back. */
START_TEST(an_outage_behind_a_cut_one)
{
	run_at(T0, 0, empty);
	change(0, OUTAGE_SINCE, T0 - 10 * DAY);
	change(0, OUTAGE_UNTIL, T0);
	run_at(T0 + 20 * DAY, 0, empty);
	ck_assert_int_eq(
		ask("SELECT count(*) FROM games WHERE deadline = 1796119200 + (2 + 11 + 21) * 86400"),
		GAMES);
	fsck_is_clean();
}
END_TEST

static const int broken[] = { ERR_TEMP, 0 }, one_lost[] = { ERR_SYSTEM, 0 };

static const struct {
	unsigned flags;
	const int *says;
	const char *value;
} refusals[] = {
	{ 0, broken, NULL },           /* the mailbox can't be read */
	{ 0, one_lost, NULL },         /* a mail in it can't */
	{ 0, empty, SINK_FAILURES },   /* no mail leaves */
	{ MAIL_IN_PIPE, empty, NULL }, /* there is an inbox this run knows nothing of */
	{ MAIL_IN_OPERATOR, empty, NULL },
};

START_TEST(not_while_a_move_may_wait)
{
	run_at(T0 + 8 * DAY, 0, empty); /* the first run ever; a reminder a game */
	if (refusals[_i].value)
		change(0, refusals[_i].value, 1);
	size_t before = sent_to_alice();
	for (int i = 1; i <= 6; i++) { /* the warning is due after a day */
		struct run_report r = run_at(T0 + 8 * DAY + i * 11 * HOUR, refusals[_i].flags,
		                             refusals[_i].says);

		ck_assert_uint_eq(r.clocks.reminded + r.clocks.ended, 0);
	}
	ck_assert_uint_eq(sent_to_alice(), before);
	if (refusals[_i].value)
		change(0, refusals[_i].value, 0);
	change(0, OUTAGE_LAST_RUN, T0 + 8 * DAY + 66 * HOUR);
	struct run_report r = run_at(T0 + 8 * DAY + 67 * HOUR, 0, empty);
	ck_assert_uint_eq(r.clocks.reminded, GAMES);
	ck_assert_uint_eq(r.clocks.ended, 0); /* never unwarned */
	ck_assert_uint_eq(run_at(T0 + 8 * DAY + 78 * HOUR, 0, empty).clocks.ended, 0);
	ck_assert_uint_eq(run_at(T0 + 8 * DAY + 89 * HOUR, 0, empty).clocks.ended, 0);
	ck_assert_uint_eq(run_at(T0 + 8 * DAY + 91 * HOUR, 0, empty).clocks.ended, GAMES);
}
END_TEST

/* Anybody can send mails that can't be fetched, so they stop the clocks for three days in
 * a row and no longer. */
START_TEST(unread_mails_stop_no_clock_for_ever)
{
	char path[300];
	struct run_report r;

	snprintf(path, sizeof path, "%s/pbm.conf", dir);
	const char *conf = "host = pbm.example.org\noperator = root@example.org\n";
	ck_assert_int_eq(io_replace(AT_FDCWD, path, conf, strlen(conf), 0644, IO_LAZY, NULL), 0);
	for (int hour = 0; hour < 72; hour += 8) {
		r = run_at(T0 + DAY + hour * HOUR, 0, one_lost);
		ck_assert_uint_eq(r.clocks.reminded, 0);
	}
	r = run_at(T0 + 4 * DAY, 0, one_lost);
	ck_assert_uint_eq(r.clocks.reminded, GAMES);
	ck_assert_int_eq(ask("SELECT count(*) FROM rate WHERE key = 'operator:unread'"), 1);
	ck_assert_uint_eq(sent_to_alice(), GAMES);
	/* A run that reads everything begins anew. */
	run_at(T0 + 4 * DAY + 1, 0, empty);
	ck_assert_int_eq(ask("SELECT value FROM meta WHERE key = 'clock-unread-since'"), 0);
	for (int hour = 0; hour < 120; hour += 8) {
		r = run_at(T0 + 9 * DAY + hour * HOUR, 0, one_lost);
		ck_assert_uint_eq(r.clocks.reminded, hour == 72 ? GAMES : 0);
	}
	fsck_is_clean();
}
END_TEST

/* A warning that stays in the outbox while no mail can be sent is none before it has
 * left; also where reindex forgets what the sink is like. */
START_TEST(a_warning_that_could_not_leave)
{
	static const char lost[] =
		"host = pbm.example.org\nsink = smtp://127.0.0.1:9\noutage-hours = 0\n";
	static const char good[] = "host = pbm.example.org\noutage-hours = 0\n";
	char path[300];
	int64_t warned = T0 + 9 * DAY, mended = warned + 3 * DAY;
	struct err e = { 0 };

	snprintf(path, sizeof path, "%s/pbm.conf", dir);
	run_at(T0 + DAY, 0, empty);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, lost, strlen(lost), 0644, IO_LAZY, NULL), 0);
	ck_assert_uint_eq(run_at(warned, 0, empty).clocks.reminded, GAMES);
	for (int i = 1; i <= 5; i++)
		ck_assert_uint_eq(run_at(warned + i * 12 * HOUR, 0, empty).clocks.ended, 0);
	if (_i)
		ck_assert_int_eq(store_reindex(dir, NULL, NULL, &e), 0);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, good, strlen(good), 0644, IO_LAZY, NULL), 0);
	if (!_i) {
		ck_assert_uint_eq(run_at(mended, 0, empty).clocks.ended, 0);
		ck_assert_uint_ge(sent_to_alice(), 2 * GAMES - 1);
	}
	int64_t told = _i ? warned + 60 * HOUR : mended;
	ck_assert_uint_eq(run_at(told + DAY - 1, 0, empty).clocks.ended, 0);
	ck_assert_uint_eq(run_at(told + DAY, 0, empty).clocks.ended, GAMES);
	fsck_is_clean();
}
END_TEST

/* A game that can't be read is left alone, and stops nothing. */
START_TEST(a_damaged_game_is_passed_by)
{
	char path[300];

	snprintf(path, sizeof path, "%s/games/000/2.json", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, "{}\n", 3, 0600, IO_LAZY, NULL), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_uint_eq(run_at(T0 + DAY + i, 0, empty).clocks.reminded,
		                  i ? 0 : GAMES - 1);
	ck_assert_uint_eq(sent_to_alice(), GAMES - 1);
}
END_TEST

/* One that the disk doesn't give makes the run wait, as it may be the whole disk, but not
 * without end; and mails are still sent.  So after an outage, too, when no mail is taken before
 * every clock is right. */
static const struct {
	const char *conf;
	int64_t last;
} unreadable[] = {
	{ "host = pbm.example.org\n", 0 },
	{ "host = pbm.example.org\nbatch = 2\n", 0 },
	{ "host = pbm.example.org\nbatch = 2\n", T0 - DAY },
};

START_TEST(an_unreadable_game_stops_nothing_for_ever)
{
	char path[300], moved[300];
	int64_t now = T0 + DAY;
	struct run_report r;
	struct err e;

	snprintf(path, sizeof path, "%s/pbm.conf", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, unreadable[_i].conf,
	                            strlen(unreadable[_i].conf), 0644, IO_LAZY, NULL),
	                 0);
	change(0, OUTAGE_LAST_RUN, unreadable[_i].last);
	snprintf(path, sizeof path, "%s/games/000/2.json", dir);
	snprintf(moved, sizeof moved, "%s/moved.json", dir);
	ck_assert_int_eq(rename(path, moved), 0);
	ck_assert_int_eq(symlink("../../moved.json", path), 0);
	for (int i = 1; i <= 4; i++) {
		e = (struct err){ 0 };
		int rc = try_at(now + i, 0, empty, &r, &e);

		ck_assert_msg(rc == (i < 3 ? ERR_SYSTEM : 0), "run %d: %s", i, e.text);
		ck_assert_int_eq(ask("SELECT count(*) FROM outbox"), 0);
	}
	if (unreadable[_i].last)
		ck_assert_int_eq(ask("SELECT sum(deadline) FROM games WHERE board != 2"),
		                 (GAMES - 1) *
		                         (now + 1 - unreadable[_i].last + DAY + T0 + 2 * DAY));
	else
		ck_assert_uint_eq(sent_to_alice(), GAMES - 1);
}
END_TEST

/* Nothing is written while nothing happens, but once an hour that the server runs. */
static char *database_log(size_t *len)
{
	char path[300], *bytes;

	snprintf(path, sizeof path, "%s/pbm.db-wal", dir);
	ck_assert_int_eq(io_read_file(AT_FDCWD, path, 1 << 24, &bytes, len, NULL), 0);
	return bytes;
}

START_TEST(an_idle_run_writes_nothing)
{
	static const struct {
		int seconds;
		bool writes;
	} runs[] = {
		{ 1, false },    { 3599, false }, { 3600, true },
		{ 3700, false }, { 7199, false }, { 7200, true },
	};

	run_at(T0, 0, empty);
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		size_t n, m;
		char *before = database_log(&n);

		run_at(T0 + runs[i].seconds, 0, empty);
		char *after = database_log(&m);
		ck_assert_int_eq(m != n || memcmp(before, after, n) != 0, runs[i].writes);
		free(before);
		free(after);
	}
}
END_TEST

/* A reindex makes of the documents what was there. */
START_TEST(reindex_makes_it_again)
{
	struct err e = { 0 };

	run_at(T0, 0, empty);
	run_at(T0 + DAY, 0, empty);
	int64_t sum = ask("SELECT sum(due * board) FROM games"),
		run = ask("SELECT value FROM meta WHERE key = '" OUTAGE_LAST_RUN "'");
	ck_assert_int_gt(sum, 0);
	ck_assert_int_eq(store_reindex(dir, NULL, NULL, &e), 0);
	ck_assert_int_eq(ask("SELECT sum(due * board) FROM games"), sum);
	ck_assert_int_eq(ask("SELECT value FROM meta WHERE key = '" OUTAGE_LAST_RUN "'"), run);
}
END_TEST

/* A document that says something else, as its editor accepts it or as it was found;
 * SQL on the index. */
static const struct {
	const char *from, *to, *sql, *how, *found;
} lies[] = {
	{ "\"due\": \"2026-12-02T10", "\"due\": \"2026-12-03T10", NULL, NULL,
	  "is not what pbm wrote" },
	{ "\"due\": \"2026-12-02T10", "\"due\": \"2026-12-03T10", NULL, "--accept",
	  "the summary differs from what the moves give" },
	{ NULL, NULL, "UPDATE games SET due = 5 WHERE board = 2", NULL, "the index differs: due" },
};

START_TEST(fsck_finds_a_wrong_time)
{
	int status;
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	char path[300];

	if (lies[_i].sql)
		ask(lies[_i].sql);
	if (lies[_i].from) {
		char *text = util_read(dir, "games/000/2.json"), *at = strstr(text, lies[_i].from);

		ck_assert_ptr_nonnull(at);
		memcpy(at, lies[_i].to, strlen(lies[_i].to));
		snprintf(path, sizeof path, "%s/games/000/2.json", dir);
		ck_assert_int_eq(
			io_replace(AT_FDCWD, path, text, strlen(text), 0600, IO_LAZY, NULL), 0);
		free(text);
	}
	char *out = util_pbm((const char *[]){ pbm, "-C", dir, "fsck", lies[_i].how, NULL }, NULL,
	                     &status);
	ck_assert_int_eq(status, 65);
	ck_assert_msg(strstr(out, lies[_i].found) != NULL, "%s", out);
	free(out);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("deadline");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, once_for_every_game);
	tcase_add_test(t, a_game_that_ends_the_program);
	tcase_add_test(t, a_vacation_in_all_games);
	tcase_add_test(t, in_batches);
	tcase_add_test(t, a_cut_outage_goes_on);
	tcase_add_test(t, an_outage_behind_a_cut_one);
	tcase_add_loop_test(t, not_while_a_move_may_wait, 0, ROWS(refusals));
	tcase_add_test(t, unread_mails_stop_no_clock_for_ever);
	tcase_add_loop_test(t, a_warning_that_could_not_leave, 0, 2);
	tcase_add_test(t, a_damaged_game_is_passed_by);
	tcase_add_loop_test(t, an_unreadable_game_stops_nothing_for_ever, 0, ROWS(unreadable));
	tcase_add_test(t, an_idle_run_writes_nothing);
	tcase_add_test(t, reindex_makes_it_again);
	tcase_add_loop_test(t, fsck_finds_a_wrong_time, 0, ROWS(lies));
	return util_main(t);
}
