/* Mails made to hurt take the whole way into a site, in one run, and each ends soon: answered,
 * refused or put aside.  The ordinary mail after each of them is answered as ever. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "mail/gate.h"
#include "mail/transport/transport.h"
#include "pbm/base/child_confine.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/outbox/outbox.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/run.h"
#include "tests/util/hostile.h"
#include "tests/util/util.h"

#define MUTATIONS (SANITIZED ? 300 : 4000)
/* Seconds of the processor, without the sandbox, which has its own two.  How long it takes
 * by the clock on the wall is the machine's business. */
#define CPU_MAX (SANITIZED ? 20.0 : 2.0)
#define MEMORY_MAX 150000      /* kB; a mail is 256 KiB at most */
#define SENDING_SECONDS 100000 /* never over */

/* A source of number mails; between two of them comes an ordinary one. */
struct mail_queue {
	size_t next, count;
	void (*write)(size_t i, struct str *out);
	const char *(*name)(size_t i);
	double started, cpu, slowest[3];
	char slowest_name[3][60];
	size_t fates[4], ordinary; /* ordinary ones that were answered */
	bool show;                 /* each with its time */
};

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(struct mail_queue *f, const char *name)
{
	double took = seconds(CLOCK_MONOTONIC) - f->started;
	double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - f->cpu;
	size_t at = 3;

	struct rusage used;

	ck_assert_msg(cpu < CPU_MAX, "%s took %.2f s, %.2f s of them ours", name, took, cpu);
	getrusage(RUSAGE_SELF, &used);
	ck_assert_msg(SANITIZED || used.ru_maxrss < MEMORY_MAX, "%s took %ld kB", name,
	              used.ru_maxrss);
	if (f->show)
		printf("%8.1f ms  %s\n", took * 1e3, name);
	while (at && took > f->slowest[at - 1])
		at--;
	if (at == 3)
		return;
	for (size_t i = 2; i > at; i--) {
		f->slowest[i] = f->slowest[i - 1];
		memcpy(f->slowest_name[i], f->slowest_name[i - 1], sizeof f->slowest_name[i]);
	}
	f->slowest[at] = took;
	snprintf(f->slowest_name[at], sizeof f->slowest_name[at], "%s", name);
}

static int feed_next(void *self, size_t max, struct mail_raw *out, struct err *)
{
	struct mail_queue *f = self;
	struct str s;

	if (f->next % 2 == 1)
		measure(f, f->name(f->next / 2));
	if (f->next == 2 * f->count)
		return 0;
	str_init(&s, 2 * max);
	if (f->next % 2 == 0)
		f->write(f->next / 2, &s);
	else
		str_addf(&s,
		         "From: bob@example.org\nTo: pbm@pbm.example.org\nSubject: help\n"
		         "Message-ID: <%zu@example.org>\n\n",
		         f->next);
	*out = (struct mail_raw){ .len = s.len, .received = clock_now(), .oversize = s.len > max };
	out->bytes = str_detach(&s);
	snprintf(out->id, sizeof out->id, "%zu", f->next++);
	f->started = seconds(CLOCK_MONOTONIC);
	f->cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	return 1;
}

static int feed_settle(void *self, const char *id, enum mail_fate fate, struct err *)
{
	struct mail_queue *f = self;
	size_t i = strtoul(id, NULL, 10);

	ck_assert_msg(fate == MAIL_HANDLED || (i % 2 == 0 && fate == MAIL_QUARANTINED),
	              "mail %zu (%s): fate %d", i, f->name(i / 2), fate);
	f->ordinary += i % 2;
	f->fates[fate] += i % 2 == 0;
	return 0;
}

static void mail_queue_close(void *)
{
}

static const struct mail_source_ops feed_ops = {
	.name = "feed", .next = feed_next, .settle = feed_settle, .close = mail_queue_close
};

/* Everything arrives; mails to bob are counted. */
static int drop_send(void *self, struct mail_sending *v, size_t n, struct err *)
{
	for (size_t i = 0; i < n; i++) {
		v[i].rc = 0;
		*(size_t *)self += strcmp(v[i].to, "bob@example.org") == 0;
	}
	return 0;
}

static const struct mail_sink_ops drop_ops = {
	.name = "drop", .window = 100, .send = drop_send, .close = mail_queue_close
};

/* flags as run_once()'s: by MAIL_IN_OPERATOR everybody is who he says he is. */
static void run(struct mail_queue *f, unsigned flags)
{
	char *dir = util_site();
	struct site s;
	struct err e = { 0 };
	struct run_report r = { 0 };
	size_t to_bob = 0;
	struct mail_source source = { &feed_ops, f };
	struct mail_sink sink = { &drop_ops, &to_bob };

	log_threshold(LOG_LEVEL_ERROR + 1);
	ck_assert_msg(site_open(dir, &s, &e) == 0, "%s", e.text);
	ck_assert_msg(site_open_store(&s, STORE_WRITE, &e) == 0, "%s", e.text);
	s.conf.sender_per_day = 1000000;
	s.conf.mails_per_run = s.conf.strangers_per_run = 1000000;
	ck_assert_msg(run_once(&s, &source, &sink, flags, &r, &e) == 0, "%s", e.text);
	ck_assert_msg(outbox_flush(&s, &sink, SENDING_SECONDS, &r, &e) == 0, "%s", e.text);
	site_close(&s);
	ck_assert_uint_eq(f->ordinary, f->count);
	ck_assert_uint_ge(to_bob, flags & MAIL_IN_OPERATOR ? f->count : 1);
	printf("%zu mails: %zu handled, %zu put aside; slowest", f->count, f->fates[MAIL_HANDLED],
	       f->fates[MAIL_QUARANTINED]);
	for (size_t i = 0; i < 3; i++)
		printf("%s %.0f ms (%s)", i ? "," : "", f->slowest[i] * 1e3, f->slowest_name[i]);
	printf("\n");
	util_drop(dir);
}

static void write_largest(size_t i, struct str *out)
{
	hostile_write(i, MAIL_MAX_BYTES, out);
}

START_TEST(made_by_hand)
{
	struct mail_queue f = {
		.count = hostile_count(),
		.write = write_largest,
		.name = hostile_name,
		.show = getenv("HOSTILE_TIMES") != NULL,
	};

	run(&f, _i ? MAIL_IN_OPERATOR : 0);
	ck_assert_uint_ge(f.fates[MAIL_HANDLED], 100);
	ck_assert_uint_ge(f.fates[MAIL_QUARANTINED], 20);
}
END_TEST

static void write_mutated(size_t i, struct str *out)
{
	hostile_mutate(i, out);
}

static const char *seed_name(size_t i)
{
	static char name[40];

	snprintf(name, sizeof name, "seed %zu", i);
	return name;
}

START_TEST(mutated)
{
	struct mail_queue f = { .count = MUTATIONS, .write = write_mutated, .name = seed_name };

	run(&f, MAIL_IN_OPERATOR);
	ck_assert_uint_ge(f.fates[MAIL_HANDLED], MUTATIONS / 5);
	ck_assert_uint_ge(f.fates[MAIL_QUARANTINED], MUTATIONS / 20);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("hostile");

	command_use(command_list);
	tcase_add_loop_test(t, made_by_hand, 0, 2);
	tcase_add_test(t, mutated);
	return util_main(t);
}
