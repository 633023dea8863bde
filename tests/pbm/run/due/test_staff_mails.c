/* The weekly report comes once a week, and a broadcast once to each reader, however often runs are
 * killed. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/commands/staff/broadcast.h"
#include "pbm/run/due/staff_mails.h"
#include "pbm/site/site.h"
#include "store/store_documents.h"
#include "store/store_outbox.h"
#include "tests/util/util.h"

#define T0 1796119200 /* 2026-12-01T10:00:00Z */
#define HOUR INT64_C(3600)
#define DAY (24 * HOUR)
/* So many steps that three runs in a row can be killed, each at a later flush. */
#define READERS 630
#define DIED 9

static char *dir;
static long flushes_left = -1;

/* In place of the system's: each durable step ends with one of them. */
static void count_flush(void)
{
	if (flushes_left > 0 && --flushes_left == 0)
		_exit(DIED);
}

int fdatasync(int fd)
{
	count_flush();
	return (int)syscall(SYS_fdatasync, fd);
}

int syncfs(int fd)
{
	count_flush();
	return (int)syscall(SYS_syncfs, fd);
}

static void open_site(struct site *s)
{
	struct err e = { 0 };

	ck_assert_msg(site_open(dir, s, &e) == 0, "%s", e.text);
	ck_assert_msg(site_open_store(s, STORE_WRITE, &e) == 0, "%s", e.text);
}

/* n: the process dies at its n-th flush; -1: it lives.  true: it died. */
static bool run_at(int64_t now, long n, long mails_per_run)
{
	int status = 0;

	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		struct site s;
		struct err e = { 0 };

		clock_set(now);
		if (site_open(dir, &s, &e) < 0 || site_open_store(&s, STORE_WRITE, &e) < 0)
			_exit(1);
		s.conf.mails_per_run = mails_per_run;
		flushes_left = n;
		_exit(staff_mails_run(&s, now, &e) == 0 ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == DIED));
	return WEXITSTATUS(status) == DIED;
}

struct waiting {
	size_t n, to_carol, doubles;
	char rcpt[READERS + 50][60];
};

static int count_mail(const struct outbox_mail *m, void *arg)
{
	struct waiting *w = arg;

	w->to_carol += strcmp(m->rcpt, "carol@example.org") == 0;
	for (size_t i = 0; i < w->n; i++)
		w->doubles += strcmp(w->rcpt[i], m->rcpt) == 0;
	snprintf(w->rcpt[w->n++], sizeof w->rcpt[0], "%s", m->rcpt);
	return 0;
}

static struct waiting look(void)
{
	struct waiting w = { 0 };
	struct site s;
	struct err e = { 0 };

	open_site(&s);
	ck_assert_int_eq(store_outbox_list(s.store, 0, READERS + 50, count_mail, &w, &e), 0);
	site_close(&s);
	return w;
}

static int drop_mail(const struct outbox_mail *m, void *arg)
{
	return store_outbox_done(arg, m->id, &(struct err){ 0 });
}

/* As if all had been sent. */
static void empty_outbox(void)
{
	struct site s;
	struct err e = { 0 };

	open_site(&s);
	ck_assert_int_eq(store_begin(s.store, &e), 0);
	ck_assert_int_eq(store_outbox_list(s.store, 0, 10000, drop_mail, s.store, &e), 0);
	ck_assert_int_eq(store_commit(s.store, &e), 0);
	site_close(&s);
}

static void set_news(int64_t confirmed)
{
	struct site s;
	struct err e = { 0 };

	open_site(&s);
	ck_assert_int_eq(store_begin(s.store, &e), 0);
	for (int i = 0; i < READERS; i++) {
		char userid[20], address[60];
		struct player_address a = { .address = address, .confirmed = confirmed };
		struct player_setting news = { "news", i % 10 ? "on" : "off" };
		struct player_doc p = { .userid = userid,
			                .role = "player",
			                .created = T0,
			                .address_count = 1,
			                .addresses = &a,
			                .setting_count = 1,
			                .settings = &news };

		snprintf(userid, sizeof userid, "p%03d", i);
		snprintf(address, sizeof address, "p%03d@example.org", i);
		ck_assert_msg(store_player_put(s.store, &p, &e) == 0, "%s", e.text);
	}
	ck_assert_int_eq(store_commit(s.store, &e), 0);
	site_close(&s);
}

static void add_broadcast(int64_t now, const char *text)
{
	struct site s;
	struct arena a = { 0 };
	struct err e = { 0 };
	struct request *q = calloc(1, sizeof *q);
	const struct broadcast b = { .by = "carol", .text = text, .at = now };

	open_site(&s);
	q->site = &s;
	q->arena = &a;
	q->now = now;
	ck_assert_int_eq(store_begin(s.store, &e), 0);
	ck_assert_msg(broadcast_add(q, &b, &e) == 0, "%s", e.text);
	ck_assert_int_eq(store_commit(s.store, &e), 0);
	site_close(&s);
	arena_release(&a);
	free(q);
}

static void setup(void)
{
	log_threshold(LOG_LEVEL_ERROR);
	dir = util_site();
}

static void teardown(void)
{
	util_drop(dir);
}

/* 70 days, a run every six hours, and each of them is killed at one flush after the other before
 * it may end. */
START_TEST(reports_once_a_week)
{
	size_t before = 0;
	int died = 0;

	for (int64_t at = T0; at < T0 + 70 * DAY; at += 6 * HOUR) {
		for (long n = 1; run_at(at, n, 5000); n++)
			died++;
		struct waiting w = look();
		size_t due = (size_t)((at - T0) / (7 * DAY));
		ck_assert_msg(w.to_carol == due, "after %d hours: %zu reports, not %zu",
		              (int)((at - T0) / HOUR), w.to_carol, due);
		ck_assert_uint_eq(w.n, w.to_carol);
		before = w.n;
	}
	ck_assert_uint_eq(before, 9);
	ck_assert_int_ge(died, 10);
}
END_TEST

/* No run for three weeks: one report, and the next one at its usual time. */
START_TEST(one_report_after_a_pause)
{
	run_at(T0, -1, 5000);
	run_at(T0 + 23 * DAY, -1, 5000);
	run_at(T0 + 23 * DAY + HOUR, -1, 5000);
	ck_assert_uint_eq(look().to_carol, 1);
	run_at(T0 + 28 * DAY - HOUR, -1, 5000);
	ck_assert_uint_eq(look().to_carol, 1);
	run_at(T0 + 28 * DAY, -1, 5000);
	ck_assert_uint_eq(look().to_carol, 2);
	/* the clock goes back a year: no flood, and no silence for a year */
	run_at(T0 - 340 * DAY, -1, 5000);
	run_at(T0 - 339 * DAY, -1, 5000);
	ck_assert_uint_le(look().to_carol, 3);
	run_at(T0 - 330 * DAY, -1, 5000);
	ck_assert_uint_ge(look().to_carol, 3);
}
END_TEST

START_TEST(news_once_to_each)
{
	int died = 0;

	set_news(T0);
	run_at(T0, -1, 5000);
	add_broadcast(T0, "One.");
	for (long n = 1; run_at(T0, n, 5000); n++)
		died++;
	struct waiting w = look();
	ck_assert_uint_eq(w.n, READERS - READERS / 10);
	ck_assert_uint_eq(w.doubles, 0);
	ck_assert_int_ge(died, 3);
	ck_assert(!run_at(T0 + HOUR, -1, 5000));
	ck_assert_uint_eq(look().n, w.n);
}
END_TEST

/* The outbox never has more of them than one run may send. */
START_TEST(news_at_the_pace_of_the_outbox)
{
	size_t sum = 0;

	set_news(T0);
	run_at(T0, -1, 150);
	add_broadcast(T0, "One.");
	add_broadcast(T0, "Two.");
	for (int i = 0; i < 10; i++) {
		run_at(T0 + i * HOUR, -1, 150);
		size_t n = look().n;
		ck_assert_uint_le(n, 150);
		run_at(T0 + i * HOUR, -1, 150);
		ck_assert_uint_eq(look().n, n);
		sum += n;
		empty_outbox();
	}
	ck_assert_uint_eq(sum, 2 * (READERS - READERS / 10));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("club");

	command_use(command_list);
	tcase_set_timeout(t, 300);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, reports_once_a_week);
	tcase_add_test(t, one_report_after_a_pause);
	tcase_add_test(t, news_once_to_each);
	tcase_add_test(t, news_at_the_pace_of_the_outbox);
	return util_main(t);
}
