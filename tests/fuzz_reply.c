/* The text of a mail: every function that looks for what a person meant. */
#include <stdlib.h>
#include <string.h>

#include "mail/mail.h"
#include "pbm/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};

	if (utf8_valid((const char *)data, size)) {
		const char *text = arena_strndup(&a, (const char *)data, size);
		const char *reply = mail_reply_text(&a, text);

		/* It only leaves out. */
		if (strlen(reply) > size)
			abort();
		mail_plain_line(&a, text);
		mail_subject_base(&a, text);
		const char *plain = mail_html_text(&a, text, size);
		if (!utf8_valid(plain, strlen(plain)))
			abort();
	}
	arena_release(&a);
	return 0;
}
