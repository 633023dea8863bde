/* pbm outbox: lists the mails that wait to be sent, retries them, or drops them.  pbm inbox: the same of
 * mails that came to a store which several machines share. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/outbox/outbox.h"
#include "pbm/program/prog.h"
#include "pbm/site/site.h"
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
	char old[40], next[CLOCK_ISO_SIZE];

	if (l->n == 0)
		printf("%-7s %-7s %5s  %-20s  %s\n", "ID", "AGE", "TRIES", "NEXT TRY",
		       "TO  MESSAGE-ID  WHY");
	printf("%-7" PRId64 " %-7s %5d  %-20s  %s  <%s>  %s\n", m->id,
	       write_age(l->now - m->created, old, sizeof old), m->attempts,
	       clock_write_iso(m->next_try, next), m->rcpt, m->message_id, m->why ? m->why : "-");
}

static void print_json(const struct outbox_mail *m)
{
	char created[CLOCK_ISO_SIZE], next[CLOCK_ISO_SIZE];

	prog_print_json(json_pack(
		"{s:I, s:s, s:s, s:s, s:I, s:s, s:i, s:s, s:s?}", "id", (json_int_t)m->id, "to",
		m->rcpt, "from", m->envelope_from, "message_id", m->message_id, "bytes",
		(json_int_t)m->len, "created", clock_write_iso(m->created, created), "attempts",
		m->attempts, "next_try", clock_write_iso(m->next_try, next), "why", m->why));
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
	char when[CLOCK_ISO_SIZE];
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
		       s->conf.sink.where, failures, clock_write_iso(until, when));
	return 0;
}

static int note_row(const struct outbox_mail *m, void *arg)
{
	*(int64_t *)arg = m->id;
	return 1;
}

/* drop and retry refuse ids that do not exist. */
static int check_id(struct site *s, int64_t id, struct err *e)
{
	int64_t found = 0;
	int rc = store_outbox_list(s->store, id - 1, 1, note_row, &found, e);

	if (rc == 0 && found != id)
		rc = err_set(e, ERR_NOT_FOUND, "no mail %" PRId64 " waits", id);
	return rc;
}

static int drop_mails(struct site *s, const int64_t *ids, size_t n, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = check_id(s, ids[i], e);
		if (rc == 0)
			rc = store_outbox_done(s->store, ids[i], e);
	}
	return rc;
}

/* Also ends the pause of a failing sink: the operator has probably mended it. */
static int retry_mails(struct site *s, const int64_t *ids, size_t n, struct err *e)
{
	int64_t now = clock_now();
	int rc = store_value_set(s->store, SINK_PAUSE, 0, e);

	if (rc == 0 && n == 0)
		rc = store_outbox_hurry(s->store, 0, now, e);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = check_id(s, ids[i], e);
		if (rc == 0)
			rc = store_outbox_hurry(s->store, ids[i], now, e);
	}
	return rc;
}

/* Changes all the mails named, or none. */
static int change_outbox(const struct prog_options *o, const int64_t *ids, size_t n,
                         int (*act)(struct site *, const int64_t *, size_t, struct err *))
{
	struct site s;
	struct err e = { 0 };
	int code = prog_open(o, STORE_WRITE, WAIT, &s);

	if (code)
		return code;
	int rc = store_begin(s.store, &e);
	if (rc == 0)
		rc = act(&s, ids, n, &e);
	rc = store_end(s.store, rc, &e);
	site_close(&s);
	return rc < 0 ? prog_fail(&e) : 0;
}

/* retry [ID…] | drop ID… */
static int run_change(const struct prog_options *o, int argc, char **argv)
{
	bool drops = strcmp(argv[1], "drop") == 0;
	size_t n = (size_t)argc - 2;
	struct err e = { 0 };
	int code = 0;

	if (!drops && strcmp(argv[1], "retry") != 0)
		return prog_refuse_word(argv, argv[1]);
	if (drops && n == 0)
		return prog_usage(argv[0], "the ID is missing; pbm outbox lists them");
	int64_t *ids = mem_alloc((n + 1) * sizeof *ids);
	for (size_t i = 0; code == 0 && i < n; i++) {
		uint64_t id;

		if (prog_number("an ID", argv[2 + i], 1, INT64_MAX, &id, &e) < 0)
			code = prog_usage(argv[0], "%s", e.text);
		else
			ids[i] = (int64_t)id;
	}
	if (code == 0)
		code = change_outbox(o, ids, n, drops ? drop_mails : retry_mails);
	free(ids);
	return code;
}

int prog_outbox(const struct prog_options *o, int argc, char **argv)
{
	bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
	struct site s;
	struct err e = { 0 };

	if (argc > 1 && !json)
		return run_change(o, argc, argv);
	int code = prog_open(o, STORE_READ, 0, &s);
	if (code)
		return code;
	int rc = print_outbox(&s, json, &e);
	site_close(&s);
	return rc < 0 ? prog_fail(&e) : 0;
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
	char when[CLOCK_ISO_SIZE], old[40];

	if (l->json)
		prog_print_json(json_pack("{s:s, s:s, s:I, s:b, s:s}", "name", m->name, "at",
		                          clock_write_iso(m->at, when), "bytes", (json_int_t)m->len,
		                          "proved", m->proved, "why", m->why));
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

static int show_aside(struct site *s, const char *name, struct err *e)
{
	char *bytes = NULL;
	size_t len = 0;
	int rc = store_aside_get(s->store, name, &bytes, &len, e);

	if (rc == 0)
		fwrite(bytes, 1, len, stdout);
	free(bytes);
	return rc;
}

/* Changes all the mails named, or none. */
static int change_aside(struct site *s, char **names, size_t n,
                        int (*act)(struct store *, const char *, struct err *), struct err *e)
{
	int rc = store_begin(s->store, e);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		char *bytes = NULL;
		size_t len;

		rc = store_aside_get(s->store, names[i], &bytes, &len, e);
		free(bytes);
		if (rc == 0)
			rc = act(s->store, names[i], e);
	}
	return store_end(s->store, rc, e);
}

/* The words of pbm inbox about mails that were set aside. */
static const struct aside_act {
	const char *word;
	int (*change)(struct store *, const char *, struct err *); /* NULL: the mail is shown */
} aside_acts[] = { { "show", NULL }, { "retry", store_aside_retry }, { "drop", store_aside_drop } };

static const struct aside_act *find_act(const char *word)
{
	for (size_t i = 0; i < sizeof aside_acts / sizeof *aside_acts; i++)
		if (strcmp(word, aside_acts[i].word) == 0)
			return &aside_acts[i];
	return NULL;
}

/* Without an act, lists all mails. */
static int work_on_inbox(struct site *s, const struct aside_act *act, int argc, char **argv,
                         struct err *e)
{
	if (act && act->change)
		return change_aside(s, argv + 2, (size_t)argc - 2, act->change, e);
	return act ? show_aside(s, argv[2], e) : print_inbox(s, argc == 2, e);
}

int prog_inbox(const struct prog_options *o, int argc, char **argv)
{
	const struct aside_act *act = argc > 1 ? find_act(argv[1]) : NULL;
	struct site s;
	struct err e = { 0 };

	if (argc > 1 && !act && (argc > 2 || strcmp(argv[1], "--json") != 0))
		return prog_refuse_word(argv, argv[1]);
	if (act && argc < 3)
		return prog_usage(argv[0], "the NAME is missing; pbm inbox lists them");
	if (act && !act->change && argc > 3)
		return prog_refuse_word(argv, argv[3]);
	int code = act && act->change ? prog_open(o, STORE_WRITE, WAIT, &s)
	                              : prog_open(o, STORE_READ, 0, &s);
	if (code)
		return code;
	int rc = work_on_inbox(&s, act, argc, argv, &e);
	site_close(&s);
	return rc < 0 ? prog_fail(&e) : 0;
}
