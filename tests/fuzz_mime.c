/* A mail from a stranger, the whole way in. */
#include <stdlib.h>
#include <string.h>

#include "mail/mail.h"
#include "pbm/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_text(const char *s)
{
	if (!utf8_valid(s, strlen(s)) || strchr(s, '\r'))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct mail m;
	struct err e = { 0 };

	if (mail_gate((const char *)data, size, &e) == 0 &&
	    mail_parse(&a, (const char *)data, size, &m, &e) == 0) {
		if (!mail_address_valid(m.from))
			abort();
		must_be_text(m.text);
		must_be_text(mail_reply_text(&a, m.text));
		must_be_text(mail_subject_base(&a, m.subject));
		mail_automatic(&m, "", NULL, NULL);
		mail_automatic(&m, NULL, NULL, NULL);
	}
	arena_release(&a);
	return 0;
}
