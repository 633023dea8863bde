/* A mail from a stranger, the whole way in. */
#include <stdlib.h>
#include <string.h>

#include "mail/address.h"
#include "mail/gate.h"
#include "mail/mail.h"
#include "mail/parse.h"
#include "mail/reply/reply.h"
#include "mail/robots/robot.h"
#include "mail/subject.h"
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

	if (gate_check((const char *)data, size, &e) == 0 &&
	    parse_mail(&a, (const char *)data, size, &m, &e) == 0) {
		if (!address_valid(m.from))
			abort();
		must_be_text(m.text);
		must_be_text(reply_read(&a, m.text, NULL).text);
		must_be_text(subject_base(&a, m.subject));
		robot_judge(&m, "", NULL, NULL);
		robot_judge(&m, NULL, NULL, NULL);
	}
	arena_release(&a);
	return 0;
}
