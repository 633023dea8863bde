/* An SMTP server's bytes, cut into pieces: whatever it says, each mail has one
 * outcome, and one it did not say yes to is never taken for sent. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mail/transport/smtp_talk.h"

#define MAIL "A: b\r\n\r\n.\r\n.x\r\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct mail_sending *v, const struct smtp_talk *t)
{
	size_t n = strlen(v->why.text);

	if (v->rc != 0 && v->rc != ERR_TEMP && v->rc != ERR_PERM && v->rc != ERR_UNCERTAIN)
		abort();
	if ((v->rc == 0) != (n == 0) || t->mail)
		abort();
	for (size_t i = 0; i < n; i++)
		if (v->why.text[i] < ' ' || v->why.text[i] >= 0x7f)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mail_sending v[3];
	struct smtp_talk t;
	size_t next = 0, at = 1, ends = 0;
	int rc = 1;

	if (size < 2)
		return 0;
	smtp_talk_init(&t, data[0] & 3);
	while (at < size && rc >= 0) {
		size_t n = data[at] % 64 + 1u;
		struct err e = { 0 };

		if (rc == 1 && next == 3)
			break;
		if (rc == 1) {
			v[next] = (struct mail_sending){ .from = "",
				                         .to = "bob@example.org",
				                         .key = "k",
				                         .bytes = MAIL,
				                         .len = strlen(MAIL),
				                         .rc = 77 };
			smtp_talk_begin(&t, &v[next++]);
		}
		/* Not all of it may have left. */
		t.out_at = data[at] & 128 ? t.out.len : t.out.len / 2;
		at++;
		n = n < size - at ? n : size - at;
		rc = smtp_talk_hear(&t, (const char *)data + at, n, &e);
		at += n;
		if (rc == 1)
			check(&v[next - 1], &t);
		ends += rc == 1;
	}
	if (t.mail) {
		smtp_talk_lose(&t, "lost");
		/* Without a word about the mail itself it is not sent. */
		if (v[next - 1].rc == 0)
			abort();
		check(&v[next - 1], &t);
	}
	if (ends > next)
		abort();
	smtp_talk_release(&t);
	return 0;
}
