/* A sink in a child process; the source is in isolate.c. */
#include <stdlib.h>
#include <string.h>

#include "mail/transport/isolate.h"
#include "mail/transport/isolate_child.h"
#include "mail/transport/sink_smtp.h"
#include "pbm/base/clock.h"

/* The longest time for a mail with its connection, as a multiple of the account's time-out. */
#define MAIL_TIMES 10
#define CPU_SECONDS 20
#define GOODBYE_SECONDS 5

struct isolated_sink {
	struct arena arena;
	struct mail_account acc;
	struct child_plan plan;
	struct child child;
};

/* Makes sure that there is a child. */
static int start_sender(struct isolated_sink *s, struct err *e)
{
	struct isolate_reply r;
	const char *bytes = NULL;
	size_t n = 0;

	if (s->child.pid)
		return 0;
	int rc = isolate_begin(&s->child, &s->plan, &s->acc, e);
	if (rc < 0)
		return rc;
	child_grant(&s->child, (int)s->acc.timeout, CPU_SECONDS);
	rc = child_receive(&s->child, &bytes, &n, e);
	if (rc < 0)
		return rc;
	if (n != sizeof r)
		return child_lied(&s->child, e);
	memcpy(&r, bytes, sizeof r);
	isolate_clean(r.text, sizeof r.text);
	if (r.rc == 0)
		return 0;
	child_stop(&s->child);
	return err_set(e, ERR_TEMP, "%s", r.text);
}

static void write_mails(struct str *out, const struct mail_sending *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t len = v[i].len;
		int64_t left = v[i].until ? v[i].until - clock_ms() : INT64_MAX;

		str_add_n(out, v[i].from, strlen(v[i].from) + 1);
		str_add_n(out, v[i].to, strlen(v[i].to) + 1);
		str_add_n(out, (const char *)&left, sizeof left);
		str_add_n(out, (const char *)&len, sizeof len);
		str_add_n(out, v[i].bytes, v[i].len);
	}
}

static bool is_of_a_mail(int rc)
{
	return rc == 0 || rc == ERR_TEMP || rc == ERR_PERM || rc == ERR_UNCERTAIN;
}

/* Takes an outcome over, with its error.  False: it makes no sense. */
static bool take_outcome(const char *bytes, struct isolate_outcome *o, struct err *why)
{
	memcpy(o, bytes, sizeof *o);
	isolate_clean(o->text, sizeof o->text);
	err_clear(why);
	if (o->code)
		err_set(why, (enum err_code)o->code, "%s", o->text);
	return is_of_a_mail(o->code);
}

/* 0 or 1 as send(); <0: the child is gone. */
static int take_outcomes(struct isolated_sink *s, struct mail_sending *v, size_t n, struct err *e)
{
	struct isolate_outcome o;
	struct err why = { 0 };
	const char *bytes;
	size_t len;

	if (child_receive(&s->child, &bytes, &len, e) < 0)
		return ERR_TEMP;
	if (len != (n + 1) * sizeof o || !take_outcome(bytes, &o, &why) || (o.rc != 0 && o.rc != 1))
		return child_lied(&s->child, e);
	int rc = o.rc;
	for (size_t i = 0; i < n; i++) {
		if (!take_outcome(bytes += sizeof o, &o, &v[i].why) || !is_of_a_mail(o.rc))
			return child_lied(&s->child, e);
		v[i].rc = o.rc;
		v[i].untried = o.untried != 0;
	}
	return rc ? (err_set(e, why.code, "%s", why.text), 1) : 0;
}

/* The same outcome for all mails, and nothing more can be sent now. */
static int stop_sending(struct mail_sending *v, size_t n, enum err_code rc, const struct err *why,
                        struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		v[i].rc = rc;
		v[i].untried = rc == ERR_TEMP;
		err_clear(&v[i].why);
		err_set(&v[i].why, rc, "%s", why->text);
	}
	err_set(e, ERR_TEMP, "%s", why->text);
	return 1;
}

static int isolated_send(void *self, struct mail_sending *v, size_t n, struct err *e)
{
	struct isolated_sink *s = self;
	struct err why = { 0 };

	if (start_sender(s, &why) < 0)
		return stop_sending(v, n, ERR_TEMP, &why, e);
	child_grant(&s->child, (int)(s->acc.timeout * MAIL_TIMES * (long)n), CPU_SECONDS);
	write_mails(child_frame(&s->child), v, n);
	int rc = child_send(&s->child, &why);
	if (rc == 0)
		rc = take_outcomes(s, v, n, &why);
	if (rc < 0)
		return stop_sending(v, n, ERR_UNCERTAIN, &why, e);
	return rc ? err_set(e, why.code, "%s", why.text), 1 : 0;
}

static void isolated_sink_close(void *self)
{
	struct isolated_sink *s = self;
	const char *bytes;
	size_t n;

	/* The child says good-bye to the server and exits without an answer. */
	if (s->child.pid) {
		child_grant(&s->child, GOODBYE_SECONDS, 0);
		child_frame(&s->child);
		if (child_send(&s->child, NULL) == 0)
			child_receive(&s->child, &bytes, &n, NULL);
	}
	child_stop(&s->child);
	arena_release(&s->arena);
	free(s);
}

static const struct mail_sink_ops ops = {
	.name = "isolated",
	.window = SINK_SMTP_WINDOW,
	.send = isolated_send,
	.close = isolated_sink_close,
};

static int open_isolated_sink(const char *program, const struct child_job *job,
                              const struct mail_account *acc, struct mail_sink *out, struct err *e)
{
	if (*acc->user && !acc->secret)
		return err_set(e, ERR_BAD, "the user %.100s has neither password nor token",
		               acc->user);
	struct isolated_sink *s = mem_alloc(sizeof *s);
	s->acc = mail_account_copy(&s->arena, acc);
	s->plan = (struct child_plan){
		.name = arena_printf(&s->arena, "%s: the process that sends",
		                     mail_account_name(&s->arena, acc)),
		.program = program,
		.job = *job,
		.trust = CHILD_LIMITED,
		.memory = ISOLATE_MEMORY,
		.question_max = ISOLATE_SEND_MAX,
		.answer_max = (SINK_SMTP_WINDOW + 1) * sizeof(struct isolate_outcome),
		/* It hears a server that the operator has chosen: mails go out all the same. */
		.filter_optional = true,
	};
	*out = (struct mail_sink){ &ops, s };
	return 0;
}

int sink_isolated(const struct mail_account *acc, struct mail_sink *out, struct err *e)
{
	return open_isolated_sink(ISOLATE_PROGRAM, &(struct child_job){ .name = ISOLATE_SMTP }, acc,
	                          out, e);
}

int sink_isolated_over(const struct child_job *job, const struct mail_account *acc,
                       struct mail_sink *out, struct err *e)
{
	return open_isolated_sink(NULL, job, acc, out, e);
}
