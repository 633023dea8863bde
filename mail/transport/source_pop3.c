/* Mails are named by UIDL (RFC 1939 §7).  The server deletes at QUIT, so flush() ends the session
 * and the next mail begins another one.  Message numbers differ between sessions: the list of the
 * first session is the plan of the run, and the mails in it are found again by their names. */
#include "mail/transport/source_pop3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/transport/pop3.h"
#include "pbm/base/array.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"

#define SESSIONS_LOST 6 /* so many broken sessions end the run */
#define MAILS_MAX 1000000
#define LIST_BYTES (96u * 1024 * 1024) /* of an answer to LIST or UIDL */
#define SLACK (64 * 1024)              /* of an answer, beyond the mail */
/* A server without TOP must send a large mail as a whole; larger ones than this are not
 * fetched. */
#define WHOLE_MAX (32u * 1024 * 1024)

struct entry {
	char *id;
	uint32_t number; /* in this session; 0: not in the mailbox, or another mail has its id */
	uint32_t size;   /* bytes, as the server says */
	bool settled;
};

struct name {
	const char *id;
	struct entry *entry;
};

struct source {
	struct arena arena;
	struct mail_account acc;
	mail_connect *connect;
	struct pop3 pop;
	bool open;
	int lost;           /* sessions that broke in this run */
	const char *resume; /* begin after the mail with this id; NULL: with the first */
	struct entry *v;    /* the plan: n mails in the server's order */
	struct name *by_id; /* the same n mails, sorted; NULL until the plan is complete */
	size_t n, cap, at;  /* at: the next mail */
	size_t settled;     /* mails to be deleted at flush() */
};

/* ---- the list ---- */

static int compare_id(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return strcmp(x->id, y->id);
}

static struct entry *find(const struct source *s, const char *id)
{
	const struct name key = { .id = id };
	const struct name *found = NULL;

	if (s->by_id)
		found = bsearch(&key, s->by_id, s->n, sizeof *s->by_id, compare_id);
	return found ? found->entry : NULL;
}

/* Reads "number word" of a list.  The word has at most size - 1 printable characters. */
static bool read_row(const char *line, uint32_t *number, char *word, size_t size)
{
	char *end;
	unsigned long n = strtoul(line, &end, 10);
	size_t len = strcspn(end + (*end == ' '), " ");

	if (n < 1 || n > MAILS_MAX || *end != ' ' || len == 0 || len >= size)
		return false;
	memcpy(word, end + 1, len);
	word[len] = '\0';
	for (const char *p = word; *p; p++)
		if (*p <= ' ' || *p > '~')
			return false;
	*number = (uint32_t)n;
	return true;
}

/* Asks for the sizes of all mails.  *sizes is heap memory with *n entries, indexed by message
 * number; 0 for mails that the server does not list. */
static int read_sizes(struct source *s, uint32_t **sizes, size_t *n, struct err *e)
{
	char line[600], word[256];
	uint32_t number;
	int rc = pop3_command(&s->pop, LIST_BYTES, e, "LIST");

	*sizes = NULL;
	*n = 0;
	while (rc == 0 && (rc = pop3_line(&s->pop, line, sizeof line, e)) == 1) {
		rc = 0;
		if (!read_row(line, &number, word, sizeof word))
			continue;
		if (number >= *n) {
			size_t more = (size_t)number * 2 + 64;

			*sizes = mem_resize(*sizes, more * sizeof **sizes);
			memset(*sizes + *n, 0, (more - *n) * sizeof **sizes);
			*n = more;
		}
		unsigned long long size = strtoull(word, NULL, 10);
		(*sizes)[number] = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	}
	return rc;
}

static void plan_mail(struct source *s, const char *id, uint32_t number, uint32_t size)
{
	*ARRAY_ADD(NULL,
	           s) = (struct entry){ .id = mem_strdup(id), .number = number, .size = size };
}

static void forget_plan(struct source *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].id);
	free(s->v);
	free(s->by_id);
	s->v = NULL;
	s->by_id = NULL;
	s->n = s->cap = 0;
}

/* Completes the plan.  Its entries don't move after this. */
static void finish_plan(struct source *s)
{
	s->by_id = mem_alloc((s->n + 1) * sizeof *s->by_id);
	for (size_t i = 0; i < s->n; i++)
		s->by_id[i] = (struct name){ s->v[i].id, &s->v[i] };
	if (s->n)
		qsort(s->by_id, s->n, sizeof *s->by_id, compare_id);
	/* Identical mails may have the same id (RFC 1939 §7): one of them is taken in a run. */
	for (size_t i = 1; i < s->n; i++)
		if (strcmp(s->by_id[i].id, s->by_id[i - 1].id) == 0)
			s->by_id[i].entry->number = 0;
	const struct entry *last = s->resume ? find(s, s->resume) : NULL;
	s->at = last ? (size_t)(last - s->v) + 1 : 0;
}

static int read_ids(struct source *s, const uint32_t *sizes, size_t n, struct err *e)
{
	char line[600], id[256];
	uint32_t number;
	struct err why = { 0 };
	int rc = pop3_command(&s->pop, LIST_BYTES, &why, "UIDL");

	if (rc == ERR_PERM)
		return err_set(e, ERR_TEMP,
		               "%.150s can't name its mails (UIDL), and without names mails would "
		               "be taken twice",
		               s->pop.stream.name);
	if (rc < 0)
		return err_set(e, rc, "%s", why.text);
	for (size_t i = 0; i < s->n; i++)
		s->v[i].number = 0;
	while (rc == 0 && (rc = pop3_line(&s->pop, line, sizeof line, e)) == 1) {
		rc = 0;
		if (!read_row(line, &number, id, sizeof id))
			continue;
		uint32_t size = number < n ? sizes[number] : 0;
		struct entry *known = s->by_id ? find(s, id) : NULL;

		if (!s->by_id && s->n < MAILS_MAX)
			plan_mail(s, id, number, size);
		else if (known && !known->number)
			known->number = number;
	}
	if (rc == 0 && !s->by_id)
		finish_plan(s);
	return rc;
}

/* ---- sessions ---- */

static void disconnect(struct source *s)
{
	if (s->open)
		stream_close(&s->pop.stream);
	s->open = false;
}

static int begin_session(struct source *s, struct err *e)
{
	uint32_t *sizes = NULL;
	size_t n = 0;

	s->pop.at = s->pop.n = 0;
	int rc = stream_open(s->connect, &s->acc, &s->pop.stream, e);
	if (rc < 0)
		return rc;
	s->open = true;
	rc = read_sizes(s, &sizes, &n, e);
	if (rc == 0)
		rc = read_ids(s, sizes, n, e);
	free(sizes);
	if (rc < 0 && !s->by_id)
		forget_plan(s);
	return rc;
}

/* Begins a session unless there is one.  Each error is ERR_TEMP, which ends the run. */
static int be_connected(struct source *s, struct err *e)
{
	struct err why = { 0 };

	if (s->open && !s->pop.stream.why.code)
		return 0;
	s->lost += s->open;
	disconnect(s);
	if (s->lost == SESSIONS_LOST)
		return err_set(e, ERR_TEMP, "%s://%.200s:%d: the connection broke %d times",
		               s->acc.scheme, s->acc.host, s->acc.port, SESSIONS_LOST);
	if (begin_session(s, &why) == 0)
		return 0;
	disconnect(s);
	return err_set(e, ERR_TEMP, "%s", why.text);
}

/* ---- mails ---- */

static int fetch_bytes(struct source *s, const struct entry *mail, size_t max, struct mail_raw *out,
                       struct err *e)
{
	size_t size = mail->size;
	int rc = ERR_PERM;

	/* A mail that is too large is not looked into: its header is enough.  TOP is optional. */
	if (size > max)
		rc = pop3_command(&s->pop, 2 * max + SLACK, NULL, "TOP %u 50", mail->number);
	if (rc == ERR_PERM && size > WHOLE_MAX)
		return err_set(e, ERR_LIMIT, "%zu bytes are too many", size);
	if (rc == ERR_PERM)
		rc = pop3_command(&s->pop, (size > max ? size : max) * 2 + SLACK, e, "RETR %u",
		                  mail->number);
	/* One byte more than max shows that a mail is larger than the server said. */
	return rc < 0 ? rc : pop3_body(&s->pop, max + 1, &out->bytes, &out->len, e);
}

static int fetch(struct source *s, const struct entry *mail, size_t max, struct mail_raw *out,
                 struct err *e)
{
	struct err why = { 0 };

	*out = (struct mail_raw){ .received = clock_now() };
	snprintf(out->id, sizeof out->id, "%s", mail->id);
	if (fetch_bytes(s, mail, max, out, &why) < 0)
		return err_set(e, ERR_DAMAGED, "mail %s: %.200s", out->id,
		               why.code ? why.text : s->pop.stream.why.text);
	out->oversize = mail->size > max || out->len > max;
	out->len = out->len < max ? out->len : max;
	out->bytes[out->len] = '\0';
	return 1;
}

static int pop3_next(void *self, size_t max, struct mail_raw *out, struct err *e)
{
	struct source *s = self;

	while (!s->by_id || s->at < s->n) {
		int rc = be_connected(s, e);

		if (rc < 0)
			return rc;
		if (s->at == s->n)
			break;
		const struct entry *mail = &s->v[s->at++];
		if (mail->number && !mail->settled)
			return fetch(s, mail, max, out, e);
	}
	return 0;
}

static int pop3_resume(void *self, const char *id, struct err *)
{
	struct source *s = self;

	s->resume = arena_strdup(&s->arena, id);
	return 0;
}

/* ---- deleting ---- */

static int pop3_settle(void *self, const char *id, enum mail_fate fate, struct err *e)
{
	struct source *s = self;
	int rc = s->by_id || fate == MAIL_RETRY || fate == MAIL_REFUSED ? 0 : be_connected(s, e);

	if (rc < 0 || fate == MAIL_RETRY || fate == MAIL_REFUSED)
		return rc;
	struct entry *mail = find(s, id);
	if (mail && !mail->settled) {
		mail->settled = true;
		s->settled++;
	}
	return 0;
}

static int delete_settled(struct source *s, struct err *e)
{
	int rc = be_connected(s, e);

	for (size_t i = 0; rc == 0 && i < s->n; i++)
		if (s->v[i].settled && s->v[i].number)
			rc = pop3_command(&s->pop, 0, e, "DELE %u", s->v[i].number);
	if (rc == 0)
		rc = pop3_command(&s->pop, 0, e, "QUIT");
	disconnect(s);
	return rc;
}

static int pop3_flush(void *self, struct err *e)
{
	struct source *s = self;
	struct err why = { 0 };

	if (s->settled == 0)
		return 0;
	/* Servers close sessions that were quiet for long: try once more in a new one. */
	int rc = delete_settled(s, &why);
	if (rc == ERR_TEMP && ++s->lost < SESSIONS_LOST) {
		err_clear(&why);
		rc = delete_settled(s, &why);
	}
	s->settled = 0;
	return rc < 0 ? err_set(e, rc, "%s", why.text) : 0;
}

static void pop3_close(void *self)
{
	struct source *s = self;

	if (s->open && !s->pop.stream.why.code)
		pop3_command(&s->pop, 0, NULL, "QUIT");
	disconnect(s);
	forget_plan(s);
	arena_release(&s->arena);
	free(s);
}

static const struct mail_source_ops ops = {
	.name = "pop3",
	.next = pop3_next,
	.resume = pop3_resume,
	.settle = pop3_settle,
	.flush = pop3_flush,
	.close = pop3_close,
};

int source_pop3_over(mail_connect *connect, const struct mail_account *acc, struct mail_source *out,
                     struct err *e)
{
	if (*acc->folder)
		return err_set(e, ERR_BAD, "a POP3 mailbox has no folders");
	struct source *s = mem_alloc(sizeof *s);
	s->connect = connect;
	s->acc = mail_account_copy(&s->arena, acc);
	*out = (struct mail_source){ &ops, s };
	return 0;
}

int source_pop3_open(const struct mail_account *acc, struct mail_source *out, struct err *e)
{
	return source_pop3_over(stream_connect, acc, out, e);
}
