#include "mail/sandbox/sandbox.h"

#include <stdlib.h>
#include <string.h>

#include "mail/charset.h"
#include "mail/gate.h"
#include "mail/parse.h"
#include "mail/sandbox/sandbox_child.h"
#include "mail/sandbox/sandbox_wire.h"
#include "pbm/base/child_zygote.h"

/* A larger mail does not fit into the buffer of the socket, so that the program would have to
 * wait for the child. */
#define AHEAD_MAX 32768

static const struct child_plan plan = {
	.name = "the parser",
	.program = "pbm-parse",
	.job = { .name = SANDBOX_JOB },
	.trust = CHILD_SEALED,
	.memory = MAIL_SANDBOX_MEMORY,
	.cpu = MAIL_SANDBOX_CPU,
	.question_max = MAIL_MAX_BYTES,
	.answer_max = SANDBOX_ANSWER_MAX,
};

struct mail_sandbox *mail_sandbox_new(void)
{
	struct mail_sandbox *s = mem_alloc(sizeof *s);

	*s = (struct mail_sandbox){ .plan = plan };
	return s;
}

void mail_sandbox_allow_unfiltered(struct mail_sandbox *s)
{
	s->plan.filter_optional = true;
}

/* Makes the child that was ordered the one at *to.  False: there is none; the next mail orders
 * another one, and hears why. */
static bool take_later(struct mail_sandbox *s, struct child *to)
{
	if (!s->later.ordered || child_zygote_take(&s->later, NULL) < 0)
		return false;
	*to = s->later;
	s->later = (struct child){ 0 };
	return true;
}

static void drop_ahead(struct sandbox_ahead *ahead)
{
	child_stop(&ahead->child);
	free(ahead->bytes);
	*ahead = (struct sandbox_ahead){ 0 };
}

void mail_sandbox_stop(struct mail_sandbox *s)
{
	drop_ahead(&s->ahead[0]);
	drop_ahead(&s->ahead[1]);
	child_stop(&s->child);
	take_later(s, &s->child);
	child_stop(&s->child);
	child_stop(&s->done);
}

void mail_sandbox_free(struct mail_sandbox *s)
{
	if (s)
		mail_sandbox_stop(s);
	free(s);
}

static struct sandbox_job job_of(const struct mail_sandbox *s)
{
	return (struct sandbox_job){ .parse = s->parse, .charsets = s->loaded };
}

/* Makes sure that a child waits that has these charsets. */
static int start(struct mail_sandbox *s, uint64_t charsets, struct err *e)
{
	if ((s->loaded | charsets) != s->loaded)
		mail_sandbox_stop(s);
	s->loaded |= charsets;
	if (!s->child.pid)
		take_later(s, &s->child);
	if (s->child.pid)
		return 0;
	struct sandbox_job job = job_of(s);
	return child_zygote_bear(&s->child, &s->plan, &job, sizeof job, e);
}

/* Orders the child for the next mail, unless this is the first mail: perhaps there is no other.
 * The child gets ready while the program works on this mail. */
static void order_later(struct mail_sandbox *s)
{
	struct sandbox_job job = job_of(s);

	if (s->busy && !s->later.ordered)
		child_zygote_order(&s->later, &s->plan, &job, sizeof job, NULL);
	s->busy = true;
}

int mail_sandbox_check(struct mail_sandbox *s, struct err *e)
{
	int rc = start(s, 0, e);

	return rc < 0 ? rc : s->child.unfiltered;
}

/* The sentence for a child that is gone. */
static const char *reason(enum child_trouble t)
{
	if (t == CHILD_HUNG || t == CHILD_SPUN)
		return "the parser took too long over it";
	if (t == CHILD_STARVED)
		return "the parser needed too much memory for it";
	return "the parser crashed on it";
}

static int send_mail(struct child *c, const char *bytes, size_t len)
{
	child_grant(c, MAIL_SANDBOX_SECONDS, 0);
	str_add_n(child_frame(c), bytes, len);
	return child_send(c, NULL);
}

/* Reads the child's answer about its mail.  ERR_UNCERTAIN: the child is gone. */
static int take_answer(struct mail_sandbox *s, struct child *c, struct arena *a, struct mail *m,
                       struct err *e)
{
	const char *answer;
	size_t n;

	if (child_receive(c, &answer, &n, NULL) < 0)
		return ERR_UNCERTAIN;
	order_later(s);
	int rc = sandbox_read(a, answer, n, m, e);
	if (rc == ERR_UNCERTAIN) {
		child_lied(c, NULL);
		return rc;
	}
	/* It needs a moment to end, and nobody has to wait for that. */
	child_stop(&s->done);
	s->done = *c;
	*c = (struct child){ 0 };
	return rc;
}

void mail_sandbox_ahead(struct mail_sandbox *s, const char *bytes, size_t len)
{
	struct sandbox_ahead *ahead = &s->ahead[s->turn ^= 1];

	drop_ahead(ahead);
	if (!s->later.ordered || len > AHEAD_MAX || gate_check(bytes, len, NULL) < 0 ||
	    (s->loaded | charset_find(bytes, len)) != s->loaded || !take_later(s, &ahead->child))
		return;
	ahead->bytes = mem_strndup(bytes, len);
	ahead->len = len;
	send_mail(&ahead->child, bytes, len); /* a failure shows when the answer is read */
	order_later(s);
}

static struct sandbox_ahead *find_ahead(struct mail_sandbox *s, const char *bytes, size_t len)
{
	for (size_t i = 0; i < 2; i++)
		if (s->ahead[i].bytes && s->ahead[i].len == len &&
		    memcmp(s->ahead[i].bytes, bytes, len) == 0)
			return &s->ahead[i];
	return NULL;
}

struct ending {
	enum child_trouble trouble;
	bool killed;
};

/* Has a child read the mail, one that is ahead or a new one.  ERR_UNCERTAIN: the child is gone,
 * *gone says how. */
static int ask(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
               struct mail *m, struct ending *gone, struct err *e)
{
	struct sandbox_ahead *ahead = find_ahead(s, bytes, len);
	struct child *c = ahead ? &ahead->child : &s->child;
	int rc = ahead ? 0 : start(s, charset_find(bytes, len), e);

	if (rc < 0)
		return rc;
	rc = ahead || send_mail(c, bytes, len) == 0 ? take_answer(s, c, a, m, e) : ERR_UNCERTAIN;
	*gone = (struct ending){ c->trouble, c->killed };
	if (ahead)
		drop_ahead(ahead);
	return rc;
}

/* Lets a child read the mail.  If that fails, another child tries once more: the machine may have
 * been short of memory, have killed the child, or have stood still (a paused virtual machine), so
 * that the child is late although it did not use its processor time.  A child that used it up
 * (CHILD_SPUN) is the mail's own fault. */
static int parse_inside(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                        struct mail *m, struct err *e)
{
	for (int tries = 1;; tries++) {
		struct ending gone = { 0 };
		int rc = ask(s, a, bytes, len, m, &gone, e);

		if (rc != ERR_UNCERTAIN)
			return rc;
		if (tries == 2 && gone.killed)
			return err_set(e, ERR_SYSTEM, "the parser was killed from outside");
		if (tries == 2 || gone.trouble == CHILD_SPUN)
			return err_set(e, ERR_BAD, "%s", reason(gone.trouble));
	}
}

int mail_sandbox_parse(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                       struct mail *out, struct err *e)
{
	struct mail decoded = { 0 }, m;
	int rc = gate_check(bytes, len, e);

	if (rc == 0)
		rc = parse_inside(s, a, bytes, len, &decoded, e);
	if (rc < 0)
		return rc;
	/* This process reads the header itself; the child has survived the same code. */
	parse_header(a, bytes, len, &m);
	m.from_name = decoded.from_name;
	m.subject = decoded.subject;
	m.text = decoded.text;
	m.report = decoded.report;
	m.report_type = decoded.report_type;
	m.returned = decoded.returned;
	m.sealed = decoded.sealed;
	*out = m;
	return 0;
}
