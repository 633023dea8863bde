/* The child's side of sink_isolated(). */
#include <string.h>

#include "mail/transport/isolate_child.h"
#include "mail/transport/sink_smtp.h"
#include "pbm/base/clock.h"

/* The mails of a frame, most of them at most; their bytes stay there.  How many; 0: none, or the
 * frame makes no sense. */
static size_t read_mails(const char *p, size_t n, struct mail_sending *v, size_t most)
{
	const char *end = p + n;
	size_t count = 0;
	uint64_t len;
	int64_t left;

	for (; p < end && count < most; count++) {
		v[count] = (struct mail_sending){ .from = p };
		v[count].to = p += strlen(p) + 1;
		if (p >= end || (p += strlen(p) + 1) + sizeof left + sizeof len > end)
			return 0;
		memcpy(&left, p, sizeof left);
		p += sizeof left;
		if (left < INT64_MAX - clock_ms())
			v[count].until = clock_ms() + left;
		memcpy(&len, p, sizeof len);
		p += sizeof len;
		if (len > (size_t)(end - p))
			return 0;
		v[count].bytes = v[count].key = p;
		v[count].len = (size_t)len;
		p += len;
	}
	return p == end ? count : 0;
}

static void add_outcome(struct child *parent, int rc, bool untried, const struct err *why)
{
	struct isolate_outcome o = { .rc = rc, .code = why->code, .untried = untried };

	memcpy(o.text, why->text, sizeof o.text);
	str_add_n(child_frame(parent), (const char *)&o, sizeof o);
}

/* <0: the parent has closed the sink, or is gone. */
static int send_mails(struct child *parent, struct mail_sink *sink)
{
	struct mail_sending v[SINK_SMTP_WINDOW];
	struct err why = { 0 };
	const char *frame;
	size_t n;

	if (child_receive(parent, &frame, &n, NULL) < 0)
		return ERR_TEMP;
	n = read_mails(frame, n, v, SINK_SMTP_WINDOW);
	if (n == 0)
		return ERR_TEMP;
	int rc = sink->ops->send(sink->self, v, n, &why);
	add_outcome(parent, rc, false, &why);
	for (size_t i = 0; i < n; i++)
		add_outcome(parent, v[i].rc, v[i].untried, &v[i].why);
	return child_send(parent, NULL);
}

void isolate_serve_smtp(struct child *parent, void *)
{
	struct arena a = { 0 };
	struct mail_account acc;
	struct mail_sink sink;
	struct err why = { 0 };

	if (isolate_read_account(parent, &a, &acc) < 0)
		return;
	int rc = sink_smtp_open(&acc, &sink, &why);
	if (isolate_reply(parent, rc, NULL, &why) < 0 || rc < 0)
		return;
	while (send_mails(parent, &sink) == 0)
		;
	sink.ops->close(sink.self);
}
