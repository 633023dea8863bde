#include "mail/transport/isolate_child.h"

#include <string.h>

static int reply(struct child *parent, int rc, const struct mail_raw *mail, const struct err *why)
{
	struct isolate_reply r = { .rc = rc };
	struct str *frame = child_frame(parent);

	if (mail) {
		r.oversize = mail->oversize != 0;
		r.received = mail->received;
		memcpy(r.id, mail->id, sizeof r.id);
	}
	memcpy(r.text, why->text, sizeof r.text);
	str_add_n(frame, (const char *)&r, sizeof r);
	if (mail && rc == 1)
		str_add_n(frame, mail->bytes, mail->len);
	return child_send(parent, NULL);
}

static int work(struct mail_source *source, const struct isolate_request *q, struct mail_raw *at,
                struct err *why)
{
	switch (q->verb) {
	case ISOLATE_NEXT: return source->ops->next(source->self, q->max, at, why);
	case ISOLATE_RESUME:
		return source->ops->resume ? source->ops->resume(source->self, q->id, why)
		                           : err_set(why, ERR_TEMP, "it can't go on behind a mail");
	case ISOLATE_SETTLE:
		return source->ops->settle(source->self, q->id, (enum mail_fate)q->fate, why);
	default: return source->ops->flush ? source->ops->flush(source->self, why) : 0;
	}
}

/* <0: the parent has closed the source, or is gone. */
static int answer(struct child *parent, struct mail_source *source, struct mail_raw *at)
{
	struct isolate_request q;
	struct err why = { 0 };
	const char *bytes;
	size_t n;

	if (child_receive(parent, &bytes, &n, NULL) < 0 || n != sizeof q)
		return ERR_TEMP;
	memcpy(&q, bytes, sizeof q);
	if (q.verb == ISOLATE_CLOSE)
		return ERR_TEMP;
	int rc = work(source, &q, at, &why);
	/* An error names the mail that can't be fetched. */
	int sent = reply(parent, rc, q.verb == ISOLATE_NEXT ? at : NULL, &why);
	if (q.verb == ISOLATE_NEXT && rc == 1)
		mail_raw_release(at);
	return sent;
}

void isolate_serve(struct child *parent, void *arg)
{
	const struct isolate_job *job = arg;
	struct mail_source source;
	struct err why = { 0 };
	int rc = job->open(&job->acc, &source, &why);

	if (reply(parent, rc, NULL, &why) < 0 || rc < 0)
		return;
	while (answer(parent, &source, job->at) == 0)
		;
	source.ops->close(source.self);
}
