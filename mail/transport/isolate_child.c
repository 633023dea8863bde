#include "mail/transport/isolate_child.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pbm/base/child_files.h"
#include "pbm/base/child_zygote.h"
#include "pbm/base/io.h"

#define SECRET_MAX 16384

int isolate_reply(struct child *parent, int rc, const struct mail_raw *mail, const struct err *why)
{
	struct isolate_reply r = { .rc = rc };
	struct str *frame = child_frame(parent);

	if (mail) {
		r.oversize = (uint32_t)mail->oversize;
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
		                           : err_set(why, ERR_TEMP, "it can't go on after a mail");
	case ISOLATE_SETTLE:
		return source->ops->settle(source->self, q->id, (enum mail_fate)q->fate, why);
	case ISOLATE_PRUNE:
		return source->ops->prune
		               ? source->ops->prune(source->self, (enum mail_fate)q->fate,
		                                    q->before, q->bytes, why)
		               : 0;
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
	int sent = isolate_reply(parent, rc, q.verb == ISOLATE_NEXT ? at : NULL, &why);
	if (q.verb == ISOLATE_NEXT && rc == 1)
		mail_raw_release(at);
	return sent;
}

/* The strings of an account, in the order of the frame. */
static const size_t strings[] = {
	offsetof(struct mail_account, scheme), offsetof(struct mail_account, host),
	offsetof(struct mail_account, user),   offsetof(struct mail_account, folder),
	offsetof(struct mail_account, secret), offsetof(struct mail_account, ca),
	offsetof(struct mail_account, hello),
};
#define STRINGS (sizeof strings / sizeof *strings)

/* The struct, whose pointers mean nothing in another process but NULL, and the strings, each
 * with its NUL; not the secrets, which stand in no frame. */
void isolate_write_account(const struct mail_account *acc, struct str *out)
{
	struct mail_account copy = *acc;

	copy.password = copy.token = NULL;
	str_add_n(out, (const char *)&copy, sizeof copy);
	for (size_t i = 0; i < STRINGS; i++) {
		const char *text;

		memcpy(&text, (const char *)acc + strings[i], sizeof text);
		if (text)
			str_add_n(out, text, strlen(text) + 1);
	}
}

/* The strings stay where they are, in the frame. */
static void read_account(const char *bytes, struct mail_account *acc)
{
	const char *p = bytes + sizeof *acc;

	memcpy(acc, bytes, sizeof *acc);
	for (size_t i = 0; i < STRINGS; i++) {
		const char *text;

		memcpy(&text, (char *)acc + strings[i], sizeof text);
		if (!text)
			continue;
		memcpy((char *)acc + strings[i], &p, sizeof p);
		p += strlen(p) + 1;
	}
}

static int receive_account(struct child *parent, struct arena *a, struct mail_account *out)
{
	struct mail_account acc;
	const char *frame;
	size_t n;

	if (child_receive(parent, &frame, &n, NULL) < 0 || n < sizeof acc)
		return ERR_TEMP;
	read_account(frame, &acc);
	*out = mail_account_copy(a, &acc); /* the next frame takes the place of this one */
	return 0;
}

/* The first line of the kept descriptor; NULL: it is empty, or can't be read. */
static char *read_secret(struct arena *a)
{
	AUTO(str_release) struct str text = str_heap(SECRET_MAX);
	char *line = NULL;

	if (io_read_all(CHILD_KEPT, SECRET_MAX, &text, NULL) == 0 && text.len) {
		size_t n = strcspn(text.data, "\r\n");

		line = n ? arena_strndup(a, text.data, n) : NULL;
		explicit_bzero(text.data, text.len);
	}
	close(CHILD_KEPT);
	return line;
}

int isolate_read_account(struct child *parent, struct arena *a, struct mail_account *out)
{
	char *secret = read_secret(a);
	struct err why = { 0 };

	if (receive_account(parent, a, out) < 0)
		return ERR_TEMP;
	child_limit_files(out->ca);
	*(out->is_token ? &out->token : &out->password) = secret;
	if (secret || !out->secret)
		return 0;
	err_set(&why, ERR_BAD, "the password: the first line is empty");
	isolate_reply(parent, ERR_BAD, NULL, &why);
	return ERR_BAD;
}

void isolate_clean(char *text, size_t size)
{
	text[size - 1] = '\0';
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = '?';
}

void isolate_serve(struct child *parent, source_opener *open)
{
	struct arena a = { 0 };
	struct mail_account acc;
	struct mail_source source;
	struct err why = { 0 };
	struct mail_raw *at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED,
	                           CHILD_KEPT + 1, 0);

	close(CHILD_KEPT + 1);
	if (at == MAP_FAILED || isolate_read_account(parent, &a, &acc) < 0)
		return;
	int rc = open(&acc, &source, &why);

	if (isolate_reply(parent, rc, NULL, &why) < 0 || rc < 0)
		return;
	while (answer(parent, &source, at) == 0)
		;
	source.ops->close(source.self);
}
