#include "mail/sandbox/sandbox.h"

#include <stdlib.h>

#include "mail/charset.h"
#include "mail/gate.h"
#include "mail/parse.h"
#include "mail/sandbox/sandbox_child.h"
#include "mail/sandbox/sandbox_wire.h"

#define MAILS_PER_CHILD 500

struct mail_sandbox *mail_sandbox_new(void (*forget)(void *arg), void *arg)
{
	struct mail_sandbox *s = mem_alloc(sizeof *s);

	*s = (struct mail_sandbox){
		.parse = parse_any,
		.forget = forget,
		.arg = arg,
		.mails = MAILS_PER_CHILD,
	};
	return s;
}

void mail_sandbox_stop(struct mail_sandbox *s)
{
	child_stop(&s->child);
}

void mail_sandbox_free(struct mail_sandbox *s)
{
	if (s)
		mail_sandbox_stop(s);
	free(s);
}

static int start(struct mail_sandbox *s, struct err *e)
{
	s->served = 0;
	return child_start(&s->child, &sandbox_plan, s, e);
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

	s->served++;
	child_grant(&s->child, MAIL_SANDBOX_SECONDS, MAIL_SANDBOX_CPU);
	str_add_n(child_frame(&s->child), bytes, len);
	if (child_send(&s->child, NULL) < 0 || child_receive(&s->child, &answer, &n, NULL) < 0)
		return ERR_UNCERTAIN;
	int rc = sandbox_read(a, answer, n, m, e);
	if (rc == ERR_UNCERTAIN)
		child_lied(&s->child, NULL);
	return rc;
}

/* Lets a child read the mail.  Perhaps the mails that the child served before killed it, or
 * the machine was short of memory: then a fresh child tries once more. */
static int parse_inside(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                        struct mail *m, struct err *e)
{
	if (s->served >= s->mails)
		mail_sandbox_stop(s);
	for (int tries = 1;; tries++) {
		if (!s->child.pid && start(s, e) < 0)
			return ERR_SYSTEM;
		int rc = ask(s, a, bytes, len, m, e);
		enum child_trouble t = s->child.trouble;
		if (rc != ERR_UNCERTAIN)
			return rc;
		if (tries == 2 || t == CHILD_HUNG || t == CHILD_SPUN)
			return err_set(e, ERR_BAD, "%s", reason(t));
	}
}

int mail_sandbox_parse(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                       struct mail *out, struct err *e)
{
	struct mail decoded = { 0 }, m;
	int rc = gate_check(bytes, len, e);

	if (rc < 0)
		return rc;
	/* The child can't open files, so a new one inherits the tables its mails will need. */
	if (charset_load(bytes, len))
		mail_sandbox_stop(s);
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
