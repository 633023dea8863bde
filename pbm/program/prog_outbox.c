/* pbm outbox: lists the mails that wait to be sent, retries them, or drops them.  pbm inbox: the same of
 * mails that came to a store which several machines share. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "pbm/base/clock.h"
#include "pbm/outbox/outbox.h"
#include "pbm/program/prog_act.h"
#include "store/shared/store_inbox.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"

#define PAGE 500
#define WAIT 30 /* seconds for a run to finish */

struct outbox_listing {
	bool json;
	int64_t now, last; /* last: the id of the page's last row */
	size_t n, page;
};

/* "47m", "3h12m", "2d5h" */
static const char *write_age(int64_t seconds, char *buf, size_t size)
{
	int64_t m = seconds < 0 ? 0 : seconds / 60;

	if (m < 60)
		snprintf(buf, size, "%" PRId64 "m", m);
	else if (m < 24 * 60)
		snprintf(buf, size, "%" PRId64 "h%" PRId64 "m", m / 60, m % 60);
	else
		snprintf(buf, size, "%" PRId64 "d%" PRId64 "h", m / 1440, m / 60 % 24);
	return buf;
}

static void print_row(const struct outbox_mail *m, const struct outbox_listing *l)
{
	char old[40];

	if (l->n == 0)
		printf("%-7s %-7s %5s  %-20s  %s\n", "ID", "AGE", "TRIES", "NEXT TRY",
		       "TO  MESSAGE-ID  WHY");
	printf("%-7" PRId64 " %-7s %5d  %-20s  %s  <%s>  %s\n", m->id,
	       write_age(l->now - m->created, old, sizeof old), m->attempts, CLOCK_ISO(m->next_try),
	       m->rcpt, m->message_id, m->why ? m->why : "-");
}

static void print_json(const struct outbox_mail *m)
{
	prog_print_json(json_pack("{s:I, s:s, s:s, s:s, s:I, s:s, s:i, s:s, s:s?}", "id",
	                          (json_int_t)m->id, "to", m->rcpt, "from", m->envelope_from,
	                          "message_id", m->message_id, "bytes", (json_int_t)m->len,
	                          "created", CLOCK_ISO(m->created), "attempts", m->attempts,
	                          "next_try", CLOCK_ISO(m->next_try), "why", m->why));
}

static int print_mail(const struct outbox_mail *m, void *arg)
{
	struct outbox_listing *l = arg;

	if (l->json)
		print_json(m);
	else
		print_row(m, l);
	l->last = m->id;
	l->n++;
	l->page++;
	return 0;
}

static int print_outbox(struct site *s, bool json, struct err *e)
{
	struct outbox_listing l = { .json = json, .now = clock_now() };
	int64_t until = 0, failures = 0;
	int rc = 0;

	do {
		l.page = 0;
		rc = store_outbox_list(s->store, l.last, PAGE, print_mail, &l, e);
	} while (rc == 0 && l.page == PAGE);
	if (rc == 0)
		rc = store_value(s->store, SINK_PAUSE, &until, e);
	if (rc == 0)
		rc = store_value(s->store, SINK_FAILURES, &failures, e);
	if (rc < 0 || json)
		return rc;
	if (l.n == 0)
		puts("no mail waits");
	if (until > l.now)
		printf("%s failed %" PRId64 " times in a row; nothing is sent before %s\n",
		       s->conf.sink.where, failures, CLOCK_ISO(until));
	return 0;
}

static int note_row(const struct outbox_mail *m, void *arg)
{
	*(int64_t *)arg = m->id;
	return 1;
}

/* 0, or EX_USAGE with the reason printed. */
static int check_ids(const struct prog_call *c)
{
	struct err e = { 0 };
	uint64_t id;

	for (size_t i = 0; i < c->argc; i++)
		if (prog_number("an ID", c->argv[i], 1, INT64_MAX, &id, &e) < 0)
			return prog_usage(c->command, "%s", e.text);
	return 0;
}

/* The n-th mail of the line, which must wait. */
static int find_mail(struct prog_call *c, size_t n, int64_t *id, struct err *e)
{
	int64_t found = 0;

	*id = strtoll(c->argv[n], NULL, 10);
	int rc = store_outbox_list(c->store, *id - 1, 1, note_row, &found, e);
	if (rc == 0 && found != *id)
		rc = err_set(e, ERR_NOT_FOUND, "no mail %" PRId64 " waits", *id);
	return rc;
}

static int run_drop(struct prog_call *c, struct err *e)
{
	int64_t id;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < c->argc; i++) {
		rc = find_mail(c, i, &id, e);
		if (rc == 0)
			rc = store_outbox_done(c->store, id, e);
	}
	return rc;
}

/* Also ends the pause of a failing sink: the operator has probably mended it. */
static int run_retry(struct prog_call *c, struct err *e)
{
	int64_t id;
	int rc = store_value_set(c->store, SINK_PAUSE, 0, e);

	if (rc == 0 && c->argc == 0)
		rc = store_outbox_hurry(c->store, 0, clock_now(), e);
	for (size_t i = 0; rc == 0 && i < c->argc; i++) {
		rc = find_mail(c, i, &id, e);
		if (rc == 0)
			rc = store_outbox_hurry(c->store, id, clock_now(), e);
	}
	return rc;
}

int prog_outbox(const struct prog_options *o, int argc, char **argv)
{
	static const struct prog_act acts[] = {
		{ "retry", "[ID…]", 0, PROG_MANY, .writes = true, .check = check_ids,
		  .run = run_retry },
		{ "drop", "ID…", 1, PROG_MANY, .writes = true, .check = check_ids,
		  .run = run_drop },
		{ .word = NULL },
	};

	return argc > 1 && argv[1][0] != '-' ? prog_act(o, argc, argv, acts, WAIT)
	                                     : prog_print(o, argc, argv, print_outbox);
}

/* ---- pbm inbox ---- */

struct aside_listing {
	bool json;
	int64_t now;
	char last[100];
	size_t n, page;
};

static int print_aside(const struct aside_mail *m, void *arg)
{
	struct aside_listing *l = arg;
	char old[40];

	if (l->json)
		prog_print_json(json_pack("{s:s, s:s, s:I, s:b, s:s}", "name", m->name, "at",
		                          CLOCK_ISO(m->at), "bytes", (json_int_t)m->len, "proved",
		                          m->proved, "why", m->why));
	else if (l->n == 0)
		printf("%-32s  %-7s %7s  %-5s  %s\n", "NAME", "AGE", "BYTES", "PROOF", "WHY");
	if (!l->json)
		printf("%-32s  %-7s %7zu  %-5s  %s\n", m->name,
		       write_age(l->now - m->at, old, sizeof old), m->len, m->proved ? "yes" : "no",
		       m->why);
	snprintf(l->last, sizeof l->last, "%s", m->name);
	l->n++;
	l->page++;
	return 0;
}

static int print_inbox(struct site *s, bool json, struct err *e)
{
	struct aside_listing l = { .json = json, .now = clock_now() };
	int64_t waiting, oldest;
	char old[40];
	int rc = store_inbox_size(s->store, INT64_MIN, &waiting, &oldest, e);

	if (rc == 0 && !json && waiting)
		printf("%" PRId64 " mails wait to be worked on; the oldest came %s ago\n", waiting,
		       write_age(l.now - oldest, old, sizeof old));
	else if (rc == 0 && !json)
		puts("no mail waits to be worked on");
	do {
		l.page = 0;
		if (rc == 0)
			rc = store_aside_list(s->store, l.last, PAGE, print_aside, &l, e);
	} while (rc == 0 && l.page == PAGE);
	return rc;
}

static int run_show(struct prog_call *c, struct err *e)
{
	AUTO(mem_free) char *bytes = NULL;
	size_t len = 0;
	int rc = store_aside_get(c->store, c->argv[0], &bytes, &len, e);

	if (rc == 0)
		fwrite(bytes, 1, len, stdout);
	return rc;
}

/* Changes all the mails named, or none. */
static int change_asides(struct prog_call *c,
                         int (*change)(struct store *, const char *, struct err *), struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < c->argc; i++) {
		AUTO(mem_free) char *bytes = NULL;
		size_t len;

		rc = store_aside_get(c->store, c->argv[i], &bytes, &len, e);
		if (rc == 0)
			rc = change(c->store, c->argv[i], e);
	}
	return rc;
}

static int retry_asides(struct prog_call *c, struct err *e)
{
	return change_asides(c, store_aside_retry, e);
}

static int drop_asides(struct prog_call *c, struct err *e)
{
	return change_asides(c, store_aside_drop, e);
}

int prog_inbox(const struct prog_options *o, int argc, char **argv)
{
	static const struct prog_act acts[] = {
		{ "show", "NAME", 1, 1, .run = run_show },
		{ "retry", "NAME…", 1, PROG_MANY, .writes = true, .run = retry_asides },
		{ "drop", "NAME…", 1, PROG_MANY, .writes = true, .run = drop_asides },
		{ .word = NULL },
	};

	return argc > 1 && argv[1][0] != '-' ? prog_act(o, argc, argv, acts, WAIT)
	                                     : prog_print(o, argc, argv, print_inbox);
}
