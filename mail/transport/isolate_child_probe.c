/* A probe in a child process: both sides. */
#include <string.h>

#include "mail/transport/isolate_child.h"

#define TRIES 4 /* of twice the account's time-out each, with the connection */
#define CPU_SECONDS 20

void isolate_serve_probe(struct child *parent, void *)
{
	struct arena a = { 0 };
	struct mail_account acc;
	struct mail_probe probe;

	if (isolate_read_account(parent, &a, &acc) < 0)
		return;
	mail_probe(&acc, &probe);
	isolate_reply(parent, 0,
	              &(struct mail_raw){ .oversize = (int)probe.end, .received = probe.expires },
	              &probe.why);
}

/* Its answer, checked. */
static int take_probe(struct child *c, struct mail_probe *out, struct err *e)
{
	struct isolate_reply r;
	const char *bytes;
	size_t n;

	if (child_receive(c, &bytes, &n, e) < 0)
		return ERR_TEMP;
	if (n != sizeof r)
		return child_lied(c, e);
	memcpy(&r, bytes, sizeof r);
	isolate_clean(r.text, sizeof r.text);
	if (r.rc < 0)
		return err_set(e, ERR_BAD, "%s", r.text);
	if (r.oversize > PROBE_FINE)
		return child_lied(c, e);
	*out = (struct mail_probe){ .end = (enum mail_probe_end)r.oversize, .expires = r.received };
	if (out->end != PROBE_FINE)
		err_set(&out->why, ERR_TEMP, "%s", r.text);
	return 0;
}

int probe_isolated(const struct mail_account *acc, struct mail_probe *out, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct child c = { 0 };
	struct child_plan plan = {
		.name = arena_printf(&a, "%s: the process that tries it",
		                     mail_account_name(&a, acc)),
		.program = ISOLATE_PROGRAM,
		.job = { .name = ISOLATE_PROBE },
		.trust = CHILD_LIMITED,
		.memory = ISOLATE_MEMORY,
		.question_max = ISOLATE_ACCOUNT_MAX,
		.answer_max = sizeof(struct isolate_reply),
		.filter_optional = true,
	};
	int rc = isolate_begin(&c, &plan, acc, e);

	if (rc == 0) {
		child_grant(&c, (int)acc->timeout * TRIES, CPU_SECONDS);
		rc = take_probe(&c, out, e);
	}
	child_stop(&c);
	return rc;
}
