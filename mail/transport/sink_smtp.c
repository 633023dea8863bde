/* Sends mails to a submission server.  The mails of a window share up to LANES connections,
 * and each connection has one mail at a time. */
#include "mail/transport/sink_smtp.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mail/address.h"
#include "mail/transport/secure.h"
#include "mail/transport/smtp_talk.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"

/* A connection to a submission server: TLS, EHLO and login are done by libcurl, and smtp_talk.h
 * knows what the bytes mean that secure_write() and secure_read() move.
 *
 * libcurl could also send the mails.  It was tried, with libcurl 7.88 and four connections, and
 * is not used for two reasons:
 *  - After each refused recipient libcurl closes the connection (lib/smtp.c, smtp_done(), up to
 *    8.22), and the next mail must log in again.  Test: test_mail_smtp, many:4, where five
 *    refused mails of forty took nine connections instead of at most four.
 *  - curl_multi waits for the answer to a mail without looking at its other connections (the
 *    same function).  With a server 50 ms away it sent 8 mails a second where this code sends
 *    22, and 2 instead of 7 when the server thinks about each mail for half a second.  One
 *    thread a connection sent 15 and 7. */
struct smtp_wire {
	void *curl;         /* for secure_read() and secure_write(); NULL: closed */
	int fd;             /* to poll() */
	unsigned abilities; /* enum smtp_ability: what the server offers */
};

#define GREETING_MAX 65536 /* bytes that a server may say until the login is over */

/* The server's words while libcurl talks to it. */
struct greeting {
	size_t bytes;
	unsigned abilities; /* enum smtp_ability */
	bool logged_in;
	struct smtp_reply last;
};

static void note_ability(struct greeting *g, const char *line, size_t n)
{
	static const struct {
		const char *word;
		enum smtp_ability ability;
	} words[] = {
		{ "PIPELINING", SMTP_PIPELINING },
		{ "SIZE", SMTP_SIZE },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		size_t len = strlen(words[i].word);

		if (n >= 4 + len && strncasecmp(line + 4, words[i].word, len) == 0 &&
		    (n == 4 + len || strchr(" \r\n", line[4 + len])))
			g->abilities |= words[i].ability;
	}
}

/* libcurl calls this with each line of a reply. */
static size_t on_line(char *line, size_t size, size_t count, void *arg)
{
	struct greeting *g = arg;
	size_t n = size * count, used;
	struct err e = { 0 };

	g->bytes += n;
	if (g->bytes > GREETING_MAX)
		return 0;
	/* After STARTTLS (220) the answer to the first EHLO is void (RFC 3207 §4.2). */
	if (n >= 4 && strncmp(line, "220", 3) == 0)
		g->abilities = 0;
	if (n >= 4 && strncmp(line, "250", 3) == 0)
		note_ability(g, line, n);
	/* The login was accepted (RFC 4954 §6). */
	g->logged_in |= n >= 4 && strncmp(line, "235", 3) == 0;
	if (smtp_reply_read(&g->last, line, n, &used, &e) < 0)
		g->last = (struct smtp_reply){ 0 };
	return n;
}

/* Repeats the server's words only where no secret can have been said before: the refusal of a
 * login may quote the password, and of it only the code is repeated. */
static int explain(const struct secure_failure *failure, const struct smtp_reply *last,
                   struct err *e)
{
	bool denied = failure->code == CURLE_LOGIN_DENIED;
	bool quote = failure->code == CURLE_WEIRD_SERVER_REPLY ||
	             failure->code == CURLE_REMOTE_ACCESS_DENIED;
	struct err why = { 0 };

	const char *words = PRINTED(330, "%d%s%s", last->code, denied ? "" : " ",
	                            denied ? "" : last->text);
	int rc = secure_explain(failure, denied || (quote && last->code) ? words : NULL, &why);
	/* 4xx: the login is refused for now only (RFC 4954 §4). */
	if (denied && last->code / 100 == 4)
		rc = ERR_TEMP;
	return err_set(e, (enum err_code)rc, "%s", why.text);
}

/* Connects and logs in.  When acc names a user and the server offers no login, that is an error.
 * ERR_PERM: somebody must change something, like the certificate or the password; else
 * ERR_TEMP.  Takes at most acc->timeout seconds. */
static int smtp_wire_open(const struct mail_account *acc, struct smtp_wire *out, struct err *e)
{
	struct greeting g = { 0 };
	const struct secure_way way = {
		.protocols = "smtp,smtps",
		/* Inside TLS the plain mechanisms are the safe choice.  The others are older, and
		 * which of them libcurl knows depends on how it was built. */
		.mechanisms = "AUTH=PLAIN;AUTH=LOGIN",
		.path = acc->hello ? acc->hello : "localhost",
		.first_answer = true,
		.seconds = acc->timeout,
		.on_line = on_line,
		.arg = &g,
	};
	struct secure_failure failure;
	struct smtp_wire w = { 0 };

	w.curl = secure_open(acc, &way, &w.fd, &failure);
	if (!w.curl)
		return explain(&failure, &g.last, e);
	/* libcurl goes on without a login when the server offers none. */
	if (*acc->user && !g.logged_in) {
		secure_close(w.curl);
		return err_set(e, ERR_PERM, "it offers no way to log in");
	}
	w.abilities = g.abilities;
	*out = w;
	return 0;
}

/* Says QUIT, does not wait for the answer, and closes.  A closed or zeroed wire is fine. */
static void smtp_wire_close(struct smtp_wire *w)
{
	static const char quit[] = "QUIT\r\n";

	if (w->curl) {
		secure_write(w->curl, quit, sizeof quit - 1);
		secure_close(w->curl);
	}
	*w = (struct smtp_wire){ 0 };
}

#define LANES 4
#define PER_LANE 4 /* mails of a window for which another connection is opened */

/* A server takes longest to answer after the whole mail, and a client that gives up too early
 * there sends the mail twice (RFC 5321 §4.5.3.2.6).  So that answer may take this many times
 * the account's time-out, and a mail as a whole twice as long as that. */
#define PATIENCE 4

struct lane {
	struct smtp_wire wire;
	struct smtp_talk talk;
	bool served;          /* a mail has been sent or refused on this connection */
	int64_t begun, heard; /* when the mail began, when bytes last moved; clock_ms() */
};

struct smtp {
	struct arena arena; /* holds the strings of account */
	struct mail_account account;
	char name[320];
	size_t lanes_most; /* connections that the server lets us have */
	struct lane lanes[LANES];
	struct err trouble; /* set: no further mail is begun in this send() */
};

static void note_trouble(struct smtp *s, const struct err *e)
{
	if (e->code)
		err_set(&s->trouble, e->code, "%s: %.400s", s->name, e->text);
}

static bool is_busy(const struct lane *l)
{
	return l->talk.mail != NULL;
}

static size_t busy_lanes(const struct smtp *s)
{
	size_t n = 0;

	for (size_t i = 0; i < LANES; i++)
		n += is_busy(&s->lanes[i]);
	return n;
}

static void close_lane(struct lane *l)
{
	smtp_wire_close(&l->wire);
	smtp_talk_release(&l->talk);
	l->served = false;
}

static int open_lane(struct smtp *s, struct lane *l, struct err *e)
{
	int rc = smtp_wire_open(&s->account, &l->wire, e);

	if (rc == 0)
		smtp_talk_init(&l->talk, l->wire.abilities);
	return rc;
}

static void begin_mail(struct lane *l, struct mail_sending *v)
{
	smtp_talk_begin(&l->talk, v);
	l->begun = l->heard = clock_ms();
}

/* Closes a connection that is dead or of no more use.  Servers close connections that have
 * served a while: when the server has seen nothing of the mail but its envelope, the mail goes
 * over a new connection. */
static void drop_lane(struct smtp *s, struct lane *l, const char *why)
{
	struct mail_sending *again = NULL;
	struct err e = { 0 };

	if (l->served && smtp_talk_is_untouched(&l->talk)) {
		again = l->talk.mail;
	} else {
		smtp_talk_lose(&l->talk, why);
		note_trouble(s, &l->talk.trouble);
	}
	close_lane(l);
	if (!again || mail_sending_is_late(again))
		return;
	if (open_lane(s, l, &e) == 0) {
		begin_mail(l, again);
		return;
	}
	note_trouble(s, &e);
	mail_sending_leave(again, s->trouble.text);
}

/* Sends as much as the connection takes now.  False: the connection is lost. */
static bool send_some(struct lane *l)
{
	struct smtp_talk *t = &l->talk;

	while (t->out_at < t->out.len) {
		ssize_t n = secure_write(l->wire.curl, t->out.data + t->out_at,
		                         t->out.len - t->out_at);

		if (n <= 0)
			return n < 0 && errno == EAGAIN;
		t->out_at += (size_t)n;
		l->heard = clock_ms();
	}
	return true;
}

/* Takes what the server said.  False: the connection must wait for more, or was dropped, or its
 * mail is done. */
static bool hear_some(struct smtp *s, struct lane *l, const char *bytes, size_t n)
{
	struct err e = { 0 };
	int rc = smtp_talk_hear(&l->talk, bytes, n, &e);

	l->heard = clock_ms();
	if (rc < 0)
		drop_lane(s, l, e.text);
	if (rc <= 0)
		return rc == 0;
	l->served = true;
	note_trouble(s, &l->talk.trouble);
	return false;
}

/* Moves the lane's mail on as far as possible without waiting. */
static void move_on(struct smtp *s, struct lane *l)
{
	char buf[4096];

	while (is_busy(l)) {
		bool alive = send_some(l);
		/* Read also when sending failed: the server may have said why. */
		ssize_t n = secure_read(l->wire.curl, buf, sizeof buf);

		if (n > 0) {
			if (!hear_some(s, l, buf, (size_t)n))
				return;
		} else if (n < 0 && errno == EAGAIN && alive) {
			return;
		} else {
			drop_lane(s, l, "the connection was lost");
		}
	}
}

/* When the lane's server will have been silent for too long; clock_ms(). */
static int64_t patience_ends(const struct smtp *s, const struct lane *l)
{
	int64_t silence = s->account.timeout * 1000, most = l->begun + 2 * PATIENCE * silence;
	int64_t end = l->heard + (l->talk.step == SMTP_END ? PATIENCE * silence : silence);

	return most < end ? most : end;
}

/* Waits until one of the busy lanes can go on, and drops those that were silent for too long. */
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
		move_on(s, lanes[i]);
		if (is_busy(lanes[i]) && clock_ms() >= patience_ends(s, lanes[i]))
			drop_lane(s, lanes[i], "the server did not answer in time");
	}
}

/* A lane with a connection and without a mail.  NULL: all are busy, the server gives no more
 * connections, or there is trouble. */
static struct lane *free_lane(struct smtp *s, size_t lanes)
{
	struct err e = { 0 };
	struct lane *closed = NULL;

	for (size_t i = 0; i < lanes; i++) {
		struct lane *l = &s->lanes[i];

		if (l->wire.curl && !is_busy(l))
			return l;
		if (!l->wire.curl && !closed && i < s->lanes_most)
			closed = l;
	}
	if (!closed || open_lane(s, closed, &e) == 0)
		return closed;
	/* While other connections are at work, the server has only given enough of them. */
	if (busy_lanes(s) > 0)
		s->lanes_most = busy_lanes(s);
	else
		note_trouble(s, &e);
	return NULL;
}

static bool has_addresses(struct mail_sending *v)
{
	v->untried = false;
	v->rc = 0;
	err_clear(&v->why);
	if ((!*v->from || address_valid(v->from)) && address_valid(v->to))
		return true;
	v->rc = err_set(&v->why, ERR_PERM, "no mail address: %.100s", v->to);
	return false;
}

/* Gives the next mail of v to a free lane, or waits for a lane. */
static void step(struct smtp *s, struct mail_sending *v, size_t lanes, size_t *next)
{
	struct lane *l;

	if (!has_addresses(&v[*next]) || mail_sending_is_late(&v[*next])) {
		++*next;
	} else if ((l = free_lane(s, lanes))) {
		begin_mail(l, &v[(*next)++]);
		move_on(s, l);
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
	for (; next < n; next++)
		mail_sending_leave(&v[next], s->trouble.text);
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
	.window = SINK_SMTP_WINDOW,
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
