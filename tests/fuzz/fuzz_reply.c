/* The text of a mail: every function that looks for what a person meant, alone and one after the
 * other. */
#include <stdlib.h>
#include <string.h>

#include "mail/enriched.h"
#include "mail/flowed.h"
#include "mail/html.h"
#include "mail/mail.h"
#include "mail/mime.h"
#include "mail/placeholder.h"
#include "mail/plain.h"
#include "mail/reply/reply.h"
#include "mail/subject.h"
#include "pbm/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_text(const char *s)
{
	if (!utf8_valid(s, strlen(s)))
		abort();
}

/* An answer only leaves out. */
static const char *reply(struct arena *a, const char *text)
{
	const char *own = reply_read(a, text, NULL).text;

	must_be_text(own);
	if (strlen(own) > strlen(text))
		abort();
	must_be_text(reply_read(a, text, NULL).left_out);
	return own;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };

	if (utf8_valid((const char *)data, size)) {
		const char *text = arena_strndup(&a, (const char *)data, size);
		const char *page = html_text(&a, text, size);

		must_be_text(page);
		must_be_text(plain_line(&a, reply(&a, text)));
		must_be_text(subject_base(&a, text));
		must_be_text(reply(&a, page));
		for (int delsp = 0; delsp < 2; delsp++)
			must_be_text(reply(&a, flowed_join(&a, text, delsp)));
		must_be_text(reply(&a, enriched_text(&a, text, size % 2)));
		placeholder_is_text(text);
	}
	arena_release(&a);
	return 0;
}
