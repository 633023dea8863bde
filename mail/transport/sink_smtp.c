/* Mails to a submission server.  A window of mails shares up to LANES
 * connections, each with one transaction at a time. */
#include "mail/transport/sink_smtp.h"

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mail/address.h"
#include "mail/mail.h"
#include "mail/transport/curl.h"
#include "mail/transport/smtp_talk.h"
#include "mail/transport/smtp_wire.h"
#include "mail/transport/transport.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"

/* A mail that the server has and the outbox has not crossed out is sent again
 * after a crash, so no more than a window can be; and a window is one fsync, which
 * is little beside WINDOW mails over a network. */
#define WINDOW 16
#define LANES 4
#define PER_LANE 4 /* so many mails are worth a connection of their own */

/* A server thinks longest about a whole mail, and who gives up then will send it
 * twice (RFC 5321 §4.5.3.2.6): there it has this many times the time-out.
 * Twice that is the most one mail may take, however busy the line. */
#define PATIENCE 4

struct lane {
	struct smtp_wire wire;
	struct smtp_talk talk;
	bool served;          /* this connection has been through a transaction */
	int64_t begun, heard; /* of the mail under way, and of the line; milliseconds */
};

struct smtp {
	struct arena arena; /* of account */
	struct mail_account account;
	char name[320];
	size_t lanes_most; /* as many as the server lets us have */
	struct lane lanes[LANES];
	struct err trouble; /* set: nothing more for now */
};

static void close_lane(struct lane *l)
{
	smtp_wire_close(&l->wire);
	smtp_talk_release(&l->talk);
	l->served = false;
}

static int open_lane(struct smtp *s, struct lane *l, struct err *e)
{
	struct err why = { 0 };
	int rc = smtp_wire_open(&s->account, &l->wire, &why);

	if (rc < 0)
		return err_set(e, rc, "%s: %.400s", s->name, why.text);
	smtp_talk_init(&l->talk, l->wire.abilities);
	return 0;
}

/* The line is dead, or of no more use.  A connection that lived before may simply
 * have been old; what it had not been given yet goes over a new one. */
static void drop_lane(struct smtp *s, struct lane *l, const char *why)
{
	struct mail_sending *again = l->served && smtp_talk_untouched(&l->talk) ? l->talk.mail
	                                                                        : NULL;
	struct err e = { 0 };

	if (!again) {
		smtp_talk_lost(&l->talk, why);
		if (l->talk.trouble.code)
			err_set(&s->trouble, l->talk.trouble.code, "%s: %.400s", s->name,
			        l->talk.trouble.text);
	}
	close_lane(l);
	if (!again)
		return;
	if (open_lane(s, l, &e) == 0) {
		smtp_talk_begin(&l->talk, again);
		l->begun = l->heard = clock_ms();
		return;
	}
	again->rc = err_set(&again->why, ERR_TEMP, "%s", e.text);
	again->untried = true;
	err_set(&s->trouble, e.code, "%s", e.text);
}

/* Everything that waits for the server, as far as it takes it.  False: lost. */
static bool push(struct lane *l)
{
	struct smtp_talk *t = &l->talk;

	while (t->out_at < t->out.len) {
		long n = smtp_wire_send(&l->wire, t->out.data + t->out_at, t->out.len - t->out_at);

		if (n <= 0)
			return n == 0;
		t->out_at += (size_t)n;
		l->heard = clock_ms();
	}
	return true;
}

static bool is_busy(const struct lane *l)
{
	return l->talk.mail != NULL;
}

/* Moves the lane on as far as it goes without waiting. */
static void pump(struct smtp *s, struct lane *l)
{
	char buf[4096];

	while (is_busy(l)) {
		struct err e = { 0 };
		bool alive = push(l);
		/* Also of a line that takes nothing more: it may have said why. */
		long n = smtp_wire_receive(&l->wire, buf, sizeof buf);

		if (n > 0) {
			l->heard = clock_ms();
			int rc = smtp_talk_hear(&l->talk, buf, (size_t)n, &e);
			if (rc < 0)
				drop_lane(s, l, e.text);
			else if (rc > 0)
				l->served = true;
			if (rc == 0)
				continue;
			if (rc > 0 && l->talk.trouble.code)
				err_set(&s->trouble, l->talk.trouble.code, "%s: %.400s", s->name,
				        l->talk.trouble.text);
			return;
		}
		if (n < 0 || !alive)
			drop_lane(s, l, "the connection was lost");
		else
			return;
	}
}

/* When the lane's server will have been silent for too long. */
static int64_t patience_ends(const struct smtp *s, const struct lane *l)
{
	int64_t silence = s->account.timeout * 1000, most = l->begun + 2 * PATIENCE * silence;
	int64_t end = l->heard + (l->talk.step == SMTP_END ? PATIENCE * silence : silence);

	return most < end ? most : end;
}

static void wait_for_lanes(struct smtp *s)
{
	struct pollfd fds[LANES];
	struct lane *lanes[LANES];
	int64_t now = clock_ms(), end = INT64_MAX;
	nfds_t n = 0;

	for (size_t i = 0; i < LANES; i++) {
		struct lane *l = &s->lanes[i];

		if (!is_busy(l))
			continue;
		if (patience_ends(s, l) < end)
			end = patience_ends(s, l);
		fds[n] = (struct pollfd){ .fd = l->wire.fd, .events = POLLIN };
		if (l->talk.out_at < l->talk.out.len)
			fds[n].events |= POLLOUT;
		lanes[n++] = l;
	}
	if (n == 0)
		return;
	poll(fds, n, end > now ? (int)(end - now) + 1 : 0);
	for (nfds_t i = 0; i < n; i++) {
		pump(s, lanes[i]);
		if (is_busy(lanes[i]) && clock_ms() >= patience_ends(s, lanes[i]))
			drop_lane(s, lanes[i], "the server did not answer in time");
	}
}

/* A lane with an open connection, or NULL: then there is trouble, or the server
 * has given all the connections it wants to. */
static struct lane *free_lane(struct smtp *s, size_t lanes)
{
	struct err e = { 0 };
	size_t others = 0;

	for (size_t i = 0; i < lanes; i++) {
		if (s->lanes[i].wire.curl && !is_busy(&s->lanes[i]))
			return &s->lanes[i];
		others += is_busy(&s->lanes[i]);
	}
	for (size_t i = 0; i < lanes && i < s->lanes_most; i++) {
		if (s->lanes[i].wire.curl)
			continue;
		if (open_lane(s, &s->lanes[i], &e) == 0)
			return &s->lanes[i];
		if (others == 0)
			err_set(&s->trouble, e.code, "%s", e.text);
		else
			s->lanes_most = others;
		return NULL;
	}
	return NULL;
}

static bool is_sane(struct mail_sending *v)
{
	v->untried = false;
	v->rc = 0;
	err_clear(&v->why);
	if ((!*v->from || address_valid(v->from)) && address_valid(v->to))
		return true;
	v->rc = err_set(&v->why, ERR_PERM, "no mail address: %.100s", v->to);
	return false;
}

static size_t busy_lanes(const struct smtp *s)
{
	size_t n = 0;

	for (size_t i = 0; i < LANES; i++)
		n += is_busy(&s->lanes[i]);
	return n;
}

/* Gives the next mail of v to a free lane, or waits for one. */
static void step(struct smtp *s, struct mail_sending *v, size_t lanes, size_t *next)
{
	struct lane *l;

	if (!is_sane(&v[*next])) {
		++*next;
	} else if ((l = free_lane(s, lanes))) {
		smtp_talk_begin(&l->talk, &v[(*next)++]);
		l->begun = l->heard = clock_ms();
		pump(s, l);
	} else {
		wait_for_lanes(s);
	}
}

static int smtp_send(void *self, struct mail_sending *v, size_t n, struct err *e)
{
	struct smtp *s = self;
	size_t lanes = n / PER_LANE < 1 ? 1 : n / PER_LANE > LANES ? LANES : n / PER_LANE, next = 0;

	while (next < n && !s->trouble.code)
		step(s, v, lanes, &next);
	while (busy_lanes(s) > 0)
		wait_for_lanes(s);
	for (; next < n; next++) {
		v[next].rc = ERR_TEMP;
		v[next].untried = true;
		err_clear(&v[next].why);
		err_set(&v[next].why, ERR_TEMP, "not tried: %.400s", s->trouble.text);
	}
	if (!s->trouble.code)
		return 0;
	err_set(e, s->trouble.code, "%s", s->trouble.text);
	err_clear(&s->trouble);
	return 1;
}

static void smtp_close(void *self)
{
	struct smtp *s = self;

	for (size_t i = 0; i < LANES; i++)
		close_lane(&s->lanes[i]);
	arena_release(&s->arena);
	free(s);
}

static const struct mail_sink_ops ops = {
	.name = "smtp",
	.window = WINDOW,
	.send = smtp_send,
	.close = smtp_close,
};

int sink_smtp_open(const struct mail_account *acc, struct mail_sink *out, struct err *e)
{
	if (*acc->user && !acc->password && !acc->token)
		return err_set(e, ERR_BAD, "the user %.100s has neither password nor token",
		               acc->user);
	int rc = curl_start(e);
	if (rc < 0)
		return rc;
	struct smtp *s = mem_alloc(sizeof *s);
	s->account = mail_account_copy(&s->arena, acc);
	strncpy(s->name, mail_account_name(&s->arena, acc), sizeof s->name - 1);
	s->lanes_most = LANES;
	*out = (struct mail_sink){ &ops, s };
	return 0;
}
