#include "mail/sandbox/sandbox.h"

#include <stdlib.h>

#include "mail/charset.h"
#include "mail/gate.h"
#include "mail/parse.h"
#include "mail/sandbox/sandbox_child.h"
#include "mail/sandbox/sandbox_wire.h"
#include "pbm/base/child_zygote.h"

struct mail_sandbox *mail_sandbox_new(void)
{
	struct mail_sandbox *s = mem_alloc(sizeof *s);

	*s = (struct mail_sandbox){ .parse = parse_any, .plan = sandbox_plan };
	return s;
}

void mail_sandbox_allow_unfiltered(struct mail_sandbox *s)
{
	s->plan.filter_optional = true;
}

/* Makes the child that was ordered the one for the next mail.  Without a child, the next
 * mail orders another one, and hears why there is none. */
static void take_later(struct mail_sandbox *s)
{
	if (!s->later.ordered || child_zygote_take(&s->later, NULL) < 0)
		return;
	s->child = s->later;
	s->later = (struct child){ 0 };
}

void mail_sandbox_stop(struct mail_sandbox *s)
{
	child_stop(&s->child);
	take_later(s);
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
		take_later(s);
	if (s->child.pid)
		return 0;
	struct sandbox_job job = job_of(s);
	return child_zygote_bear(&s->child, &s->plan, &job, sizeof job, e);
}

/* Orders the child for the mail behind this one, unless this is the first: perhaps there is
 * no other.  It gets ready while the program works on this mail. */
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

/* Sends one mail to the child and reads its answer.  ERR_UNCERTAIN: the child is gone. */
static int ask(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
               struct mail *m, struct err *e)
{
	const char *answer;
	size_t n;

	child_grant(&s->child, MAIL_SANDBOX_SECONDS, 0);
	str_add_n(child_frame(&s->child), bytes, len);
	if (child_send(&s->child, NULL) < 0)
		return ERR_UNCERTAIN;
	if (child_receive(&s->child, &answer, &n, NULL) < 0)
		return ERR_UNCERTAIN;
	order_later(s);
	int rc = sandbox_read(a, answer, n, m, e);
	if (rc == ERR_UNCERTAIN) {
		child_lied(&s->child, NULL);
		return rc;
	}
	/* It needs a moment to end, and nobody has to wait for that. */
	child_stop(&s->done);
	s->done = s->child;
	s->child = (struct child){ 0 };
	return rc;
}

/* Lets a child read the mail.  If the machine was short of memory, or killed the child while
 * it waited, another child tries once more. */
static int parse_inside(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                        struct mail *m, struct err *e)
{
	uint64_t charsets = charset_find(bytes, len);

	for (int tries = 1;; tries++) {
		int rc = start(s, charsets, e);

		if (rc < 0)
			return rc;
		rc = ask(s, a, bytes, len, m, e);
		enum child_trouble t = s->child.trouble;
		if (rc != ERR_UNCERTAIN)
			return rc;
		if (tries == 2 && s->child.killed)
			return err_set(e, ERR_SYSTEM, "the parser was killed from outside");
		if (tries == 2 || t == CHILD_HUNG || t == CHILD_SPUN)
			return err_set(e, ERR_BAD, "%s", reason(t));
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
