/* The outbox: attempts and waits, a sink in trouble, the breaker, pbm outbox. */
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/outbox/outbox.h"
#include "pbm/run/run.h"
#include "pbm/site/site.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"
#include "tests/util/util.h"

#define T0 1796119200 /* 2026-12-01T10:00:00Z */
#define TIME "2026-12-01T10:00:00Z"

/* A sink that answers by the recipient's first letter. */
struct played {
	int calls, mails; /* of send(), and mails seen in it */
	int trouble; /* send() says 1 with this code; the first mail of the window has been tried */
	int64_t slow; /* milliseconds that a send() takes on a clock of our own; 0: the real clock */
	char last[100];
};

static char *dir;
static struct site s;
static struct played played;

static int play(void *self, struct mail_sending *v, size_t n, struct err *e)
{
	static const struct {
		char letter;
		int rc;
	} answers[] = {
		{ 'g', 0 }, { 'l', ERR_TEMP }, { 'n', ERR_PERM }, { 'u', ERR_UNCERTAIN },
		{ 'o', 0 },
	};
	struct played *p = self;

	p->calls++;
	if (p->slow)
		clock_set_ms(clock_ms() + p->slow);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < sizeof answers / sizeof *answers; k++)
			if (answers[k].letter == v[i].to[0])
				v[i].rc = answers[k].rc;
		if (p->trouble) {
			v[i].rc = ERR_TEMP;
			v[i].untried = i > 0;
		}
		if (v[i].rc)
			err_set(&v[i].why, (enum err_code)v[i].rc, "because of %s", v[i].to);
		p->mails++;
		snprintf(p->last, sizeof p->last, "%s", v[i].to);
	}
	return p->trouble ? (err_set(e, (enum err_code)p->trouble, "it is down"), 1) : 0;
}

static void ignore(void *)
{
}

static const struct mail_sink_ops ops = {
	.name = "played", .window = 4, .send = play, .close = ignore
};
static struct mail_sink sink = { &ops, &played };

static void setup(void)
{
	struct err e = { 0 };

	dir = util_folder();
	played = (struct played){ 0 };
	ck_assert_msg(site_create(dir, "pbm.example.org", &e) == 0, "%s", e.text);
	ck_assert_int_eq(site_open(dir, &s, &e), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, &e), 0);
	free(s.conf.operator_address);
	s.conf.operator_address = mem_strdup("operator@example.org");
	clock_set(T0);
	log_threshold(LOG_LEVEL_ERROR + 1);
}

static void teardown(void)
{
	site_close(&s);
	util_drop(dir);
}

/* The mails number, number + 1, …; %d in rcpt becomes the number. */
static void add_many(const char *rcpt, int number, int n)
{
	struct err e = { 0 };

	ck_assert_int_eq(store_begin(s.store, &e), 0);
	for (int i = number; i < number + n; i++) {
		char id[60], to[60];
		const char *d = strstr(rcpt, "%d");

		snprintf(id, sizeof id, "m%d@pbm.example.org", i);
		snprintf(to, sizeof to, "%s", rcpt);
		if (d)
			snprintf(to, sizeof to, "%.*s%d%s", (int)(d - rcpt), rcpt, i, d + 2);
		ck_assert_int_eq(store_outbox_add(s.store,
		                                  &(struct outbox_mail){ .message_id = id,
		                                                         .envelope_from = "",
		                                                         .rcpt = to,
		                                                         .bytes = "A: b\r\n\r\n",
		                                                         .len = 8,
		                                                         .created = clock_now(),
		                                                         .next_try = clock_now() },
		                                  &e),
		                 0);
	}
	ck_assert_int_eq(store_commit(s.store, &e), 0);
}

static void add(const char *rcpt, int number)
{
	add_many(rcpt, number, 1);
}

static struct run_report flush_at(int64_t t)
{
	struct run_report r = { 0 };
	struct err e = { 0 };

	clock_set(t);
	ck_assert_msg(outbox_flush(&s, &sink, s.conf.send_seconds, &r, &e) == 0, "%s", e.text);
	return r;
}

static int add_row(const struct outbox_mail *m, void *arg)
{
	str_addf(arg, "%s %d %" PRId64 ";", m->rcpt, m->attempts, m->next_try - T0);
	return 0;
}

static const char *waiting(void)
{
	static char text[1000];
	struct str out = STR_FIXED(text);

	ck_assert_int_eq(store_outbox_list(s.store, 0, 100, add_row, &out, NULL), 0);
	return text;
}

static int64_t value(const char *name)
{
	int64_t n;

	ck_assert_int_eq(store_value(s.store, name, &n, NULL), 0);
	return n;
}

/* A mail that is put off waits longer each time, until five days are over. */
START_TEST(waits)
{
	static const int64_t steps[] = { 300, 900, 1800, 3600, 7200, 14400, 28800 };
	char expected[200];
	int64_t t = 0;
	int n = 0;

	add(_i ? "u@example.org" : "l@example.org", 1);
	for (; t <= 5 * 86400; n++) {
		struct run_report r = flush_at(T0 + t);
		int64_t step = n < ROWS(steps) ? steps[n] : steps[ROWS(steps) - 1];

		ck_assert(r.deferred == 1 && r.sent == 0 && r.failed == 0 && !r.stopped);
		snprintf(expected, sizeof expected, "%s %d %" PRId64 ";", played.last, n + 1,
		         t + step);
		ck_assert_str_eq(waiting(), expected);
		ck_assert_uint_eq(flush_at(T0 + t + step - 1).deferred, 0);
		t += step;
	}
	ck_assert_int_eq(played.mails, n);
	struct run_report last = flush_at(T0 + t);
	ck_assert(last.failed == 1 && last.sent == 1); /* a word to the operator */
	ck_assert_str_eq(played.last, "operator@example.org");
	ck_assert_str_eq(waiting(), "");
}
END_TEST

/* Even a very old mail is given up only after some attempts; each waits for its time. */
START_TEST(an_old_mail_has_its_attempts)
{
	int64_t t = 6 * 86400;

	add(_i ? "u@example.org" : "l@example.org", 1);
	ck_assert_uint_eq(flush_at(T0).deferred, 1);
	for (int attempt = 2; attempt < 10; attempt++, t += 28800) {
		struct run_report r = flush_at(T0 + t);

		ck_assert_uint_eq(r.deferred, 1);
		ck_assert_uint_eq(r.failed, 0);
		r = flush_at(T0 + t + 299);
		ck_assert_uint_eq(r.deferred + r.failed, 0);
	}
	ck_assert_uint_eq(flush_at(T0 + t).failed, 1);
}
END_TEST

/* A mail that a clock far ahead has made is not tried without end. */
START_TEST(a_mail_from_the_future_ends)
{
	int n = 0;

	clock_set(T0 + 400 * 86400);
	add("l@example.org", 1);
	ck_assert_uint_eq(flush_at(T0 + 400 * 86400).deferred, 1);
	ck_assert_int_eq(store_begin(s.store, NULL), 0);
	ck_assert_int_eq(store_outbox_hurry(s.store, 0, T0, NULL), 0);
	ck_assert_int_eq(store_commit(s.store, NULL), 0);
	while (flush_at(T0 + n * 28800).failed == 0)
		ck_assert_int_lt(n++, 30);
	ck_assert_int_gt(n, 10);
}
END_TEST

/* One outcome has nothing to do with the next one's. */
START_TEST(mixed)
{
	static const char *const to[] = { "g@a.org", "l@a.org", "n@a.org", "u@a.org",
		                          "g@b.org", "n@a.org", "g@c.org" };

	for (int i = 0; i < ROWS(to); i++)
		add(to[i], i);
	struct run_report r = flush_at(T0);
	/* Two to the same address were given up: one word to the operator, who is sent it at once. */
	ck_assert_uint_eq(r.sent, 4);
	ck_assert_uint_eq(r.deferred, 2);
	ck_assert_uint_eq(r.failed, 2);
	ck_assert_str_eq(played.last, "operator@example.org");
	ck_assert_str_eq(waiting(), "l@a.org 1 300;u@a.org 1 300;");
	/* Another one today says nothing, and tomorrow's does. */
	add("n@a.org", 10);
	r = flush_at(T0 + 7200);
	ck_assert_uint_eq(r.failed, 1);
	ck_assert_uint_eq(flush_at(T0 + 7201).sent, 0);
	clock_set(T0 + 90000);
	add("n@a.org", 11);
	r = flush_at(T0 + 90000);
	ck_assert(r.failed == 1 && r.sent == 1);
}
END_TEST

/* The operator's own address does not work: no mail about that. */
START_TEST(no_loop)
{
	s.conf.operator_address[0] = 'n';
	add("nperator@example.org", 2);
	add("n@a.org", 3);
	for (int i = 0; i < 5; i++)
		flush_at(T0 + i);
	ck_assert_int_le(played.mails, 4);
	ck_assert(!strstr(waiting(), "nperator"));
}
END_TEST

/* Forged senders that don't exist can't fill the operator's mailbox: told are the first, the
 * tenth and the hundredth. */
START_TEST(operator_spared)
{
	add_many("n%d@a.org", 0, 120);
	struct run_report r = flush_at(T0), more = flush_at(T0);
	ck_assert_uint_eq(r.failed, 120);
	ck_assert_uint_eq(r.sent + more.sent, 3);
}
END_TEST

/* A failure that can't be followed up, for a player's file is damaged, does not send
 * its neighbours once more. */
START_TEST(damaged_player)
{
	struct player_address a = { .address = "n@a.org", .confirmed = T0 };
	struct err e = { 0 };
	char path[300];

	ck_assert_int_eq(store_begin(s.store, &e), 0);
	ck_assert_int_eq(store_player_put(s.store,
	                                  &(struct player_doc){ .userid = "nina",
	                                                        .role = "player",
	                                                        .created = T0,
	                                                        .address_count = 1,
	                                                        .addresses = &a },
	                                  &e),
	                 0);
	ck_assert_int_eq(store_commit(s.store, &e), 0);
	snprintf(path, sizeof path, "%s/players/nina.json", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, "{", 1, 0600, IO_LAZY, &e), 0);
	add("good@a.org", 1);
	add("n@a.org", 2);
	struct run_report r = flush_at(T0);
	ck_assert_uint_eq(r.sent, 1);
	ck_assert_uint_eq(r.failed, 1);
	ck_assert_str_eq(waiting(), "");
}
END_TEST

/* A store that can't be written sends nothing, or each run would send it again. */
START_TEST(full_disk)
{
	struct run_report r = { 0 };
	struct err e = { 0 };
	sqlite3 *other;

	add("good@a.org", 1);
	char path[300];
	snprintf(path, sizeof path, "%s/pbm.db", dir);
	ck_assert_int_eq(sqlite3_open(path, &other), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(other,
	                              "CREATE TRIGGER full BEFORE UPDATE ON outbox BEGIN"
	                              " SELECT RAISE(FAIL, 'disk is full'); END",
	                              NULL, NULL, NULL),
	                 SQLITE_OK);
	ck_assert_int_lt(outbox_flush(&s, &sink, 100, &r, &e), 0);
	ck_assert_int_eq(played.mails, 0);
	ck_assert_int_eq(sqlite3_exec(other, "DROP TRIGGER full", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(other);
	ck_assert_uint_eq(flush_at(T0).sent, 1);
}
END_TEST

/* The sink is down: the first mail of its window was tried, the others lose no
 * attempt; nothing is sent for a while that grows; then all goes out. */
START_TEST(sink_down)
{
	static const int64_t pauses[][2] = {
		{ 60, 900 }, { 300, 1800 }, { 900, 3600 }, { 1800, 3600 }, { 1800, 3600 }
	};
	int64_t t = T0;

	add_many("g@a.org", 0, 10);
	played.trouble = _i ? ERR_PERM : ERR_TEMP;
	for (int i = 0; i < ROWS(pauses); i++) {
		int calls = played.calls;
		struct run_report r = flush_at(t);

		ck_assert(r.stopped && r.deferred == 4 && r.sent == 0);
		ck_assert_int_eq(value(SINK_PAUSE), t + pauses[i][_i]);
		ck_assert_int_eq(value(SINK_FAILURES), i + 1);
		t += pauses[i][_i];
		r = flush_at(t - 1);
		ck_assert(!r.stopped && r.deferred == 0);
		ck_assert_int_eq(played.calls, calls + 1);
	}
	played.trouble = 0;
	ck_assert_uint_ge(flush_at(t).sent, 5); /* the tried ones wait a little longer */
	ck_assert_int_eq(value(SINK_PAUSE), 0);
	ck_assert_int_eq(value(SINK_FAILURES), 0);
	flush_at(t + 8 * 3600);
	ck_assert_str_eq(waiting(), "");
}
END_TEST

/* No mail is given up because the server was away for a week. */
START_TEST(week_without_server)
{
	add("g@a.org", 1);
	add("g@b.org", 2);
	clock_set(T0);
	played.trouble = ERR_TEMP;
	flush_at(T0);
	ck_assert_str_eq(waiting(), "g@a.org 1 300;g@b.org 0 0;");
	played.trouble = 0;
	ck_assert_uint_eq(flush_at(T0 + 7 * 86400).sent, 2);
}
END_TEST

START_TEST(breaker)
{
	add_many("g@a.org", 0, 11);
	s.conf.mails_per_run = 6;
	struct run_report r = flush_at(T0);
	ck_assert_uint_eq(r.sent, 6);
	ck_assert_int_eq(played.calls, 2); /* 4 and 2 */
	r = flush_at(T0 + 60);             /* 5 and the operator's */
	ck_assert_uint_eq(r.sent, 6);
	ck_assert_str_eq(played.last, "operator@example.org");
	ck_assert_str_eq(waiting(), "");
	add_many("g@a.org", 20, 11);
	ck_assert_uint_eq(flush_at(T0 + 120).sent, 6);
	ck_assert_uint_eq(flush_at(T0 + 180).sent, 5); /* he has been told today */
	/* Exactly as many as may leave are not too many. */
	clock_set(T0 + 2 * 86400);
	add_many("g@a.org", 40, 6);
	ck_assert_uint_eq(flush_at(T0 + 2 * 86400).sent, 6);
	ck_assert_str_eq(waiting(), "");
}
END_TEST

START_TEST(budget)
{
	struct run_report r = { 0 };

	add_many("g@a.org", 0, 40);
	played.slow = 300;
	clock_set_ms(0);
	ck_assert_int_eq(outbox_flush(&s, &sink, 1, &r, NULL), 0);
	ck_assert_uint_eq(r.sent, 16); /* four windows begin within the second */
	ck_assert(!r.stopped);
	played.slow = 0;
	clock_set_ms(-1);
	ck_assert_uint_eq(flush_at(T0).sent, 24);
}
END_TEST

/* The program, beside the writer that this test is. */
static char *outbox(const char *const *words, int *status)
{
	const char *argv[20] = { getenv("PBM") ? getenv("PBM") : "build/pbm",
		                 "-C",
		                 dir,
		                 "--now",
		                 "2026-12-03T11:30:00Z",
		                 "outbox" };

	for (int i = 6; *words; i++)
		argv[i] = *words++;
	return util_run(argv, NULL, status);
}

#define OUTBOX(status, ...) outbox((const char *const[]){ __VA_ARGS__, NULL }, status)

START_TEST(listed)
{
	int status;

	add("l@a.org", 1);
	add("g@b.org", 2);
	flush_at(T0);
	add("g@c.org", 3);
	char *text = outbox((const char *const[]){ NULL }, &status);
	ck_assert_int_eq(status, 0);
	ck_assert_str_eq(
		text,
		"ID      AGE     TRIES  NEXT TRY              TO  MESSAGE-ID  WHY\n"
		"1       2d1h        1  2026-12-01T10:05:00Z  l@a.org  <m1@pbm.example.org>  because of l@a.org\n"
		"3       2d1h        0  2026-12-01T10:00:00Z  g@c.org  <m3@pbm.example.org>  -\n");
	free(text);
	text = OUTBOX(&status, "--json");
	ck_assert_str_eq(
		text,
		"{\"id\":1,\"to\":\"l@a.org\",\"from\":\"\",\"message_id\":\"m1@pbm.example.org\",\"bytes\":8,"
		"\"created\":\"" TIME
		"\",\"attempts\":1,\"next_try\":\"2026-12-01T10:05:00Z\",\"why\":\"because of l@a.org\"}\n"
		"{\"id\":3,\"to\":\"g@c.org\",\"from\":\"\",\"message_id\":\"m3@pbm.example.org\",\"bytes\":8,"
		"\"created\":\"" TIME "\",\"attempts\":0,\"next_try\":\"" TIME
		"\",\"why\":null}\n");
	free(text);
}
END_TEST

START_TEST(many_listed)
{
	int status, lines = 0;

	add_many("g@a.org", 0, 1203);
	char *text = OUTBOX(&status, "--json");
	for (char *p = text; *p; p++)
		lines += *p == '\n';
	ck_assert_int_eq(lines, 1203);
	free(text);
}
END_TEST

static const struct {
	const char *words[4];
	int status;
	const char *left;
} handled[] = {
	{ { "retry" }, 0, "l@a.org 1 178200;l@b.org 1 178200;" },
	{ { "retry", "2" }, 0, "l@a.org 1 200300;l@b.org 1 178200;" },
	{ { "retry", "2", "7" }, 66, "l@a.org 1 200300;l@b.org 1 200300;" },
	{ { "drop", "1" }, 0, "l@b.org 1 200300;" },
	{ { "drop", "1", "2" }, 0, "" },
	{ { "drop", "1", "9" }, 66, "l@a.org 1 200300;l@b.org 1 200300;" },
	{ { "drop" }, 64, "l@a.org 1 200300;l@b.org 1 200300;" },
	{ { "drop", "all" }, 64, "l@a.org 1 200300;l@b.org 1 200300;" },
	{ { "drop", "-1" }, 64, "l@a.org 1 200300;l@b.org 1 200300;" },
	{ { "send" }, 64, "l@a.org 1 200300;l@b.org 1 200300;" },
};

START_TEST(handled_by_hand)
{
	int status;

	clock_set(T0 + 200000);
	add("l@a.org", 1);
	add("l@b.org", 2);
	flush_at(T0 + 200000);
	ck_assert_int_eq(store_begin(s.store, NULL), 0);
	ck_assert_int_eq(store_value_set(s.store, SINK_PAUSE, T0 + 900000, NULL), 0);
	ck_assert_int_eq(store_commit(s.store, NULL), 0);
	store_close(s.store);
	s.store = NULL;
	free(outbox(handled[_i].words, &status));
	ck_assert_int_eq(status, handled[_i].status);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, NULL), 0);
	ck_assert_str_eq(waiting(), handled[_i].left);
	bool resumed = status == 0 && strcmp(handled[_i].words[0], "retry") == 0;
	ck_assert_int_eq(value(SINK_PAUSE), resumed ? 0 : T0 + 900000);
}
END_TEST

/* A pause that begins in a year that the clock took back is none. */
START_TEST(paused_by_a_wrong_clock)
{
	add("g@a.org", 1);
	played.trouble = ERR_PERM;
	ck_assert(flush_at(T0 + 400 * 86400).stopped);
	played.trouble = 0;
	clock_set(T0);
	add("h@a.org", 2);
	ck_assert_uint_ge(flush_at(T0).sent, 1);
	ck_assert_int_eq(value(SINK_PAUSE), 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("outbox");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, an_old_mail_has_its_attempts, 0, 2);
	tcase_add_test(t, a_mail_from_the_future_ends);
	tcase_add_loop_test(t, waits, 0, 2);
	tcase_add_test(t, paused_by_a_wrong_clock);
	tcase_add_test(t, damaged_player);
	tcase_add_test(t, full_disk);
	tcase_add_test(t, mixed);
	tcase_add_test(t, no_loop);
	tcase_add_test(t, operator_spared);
	tcase_add_loop_test(t, sink_down, 0, 2);
	tcase_add_test(t, week_without_server);
	tcase_add_test(t, breaker);
	tcase_add_test(t, budget);
	tcase_add_test(t, listed);
	tcase_add_test(t, many_listed);
	tcase_add_loop_test(t, handled_by_hand, 0, ROWS(handled));
	return util_main(t);
}
