/* Answers of a parser that a mail has got hold of. */
#include <stdlib.h>
#include <string.h>

#include "mail/sandbox/sandbox_wire.h"
#include "pbm/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_line(const char *s)
{
	if (!utf8_valid(s, strlen(s)) || strpbrk(s, "\r\n"))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct mail m = { 0 };
	struct err e = { 0 };
	int rc = sandbox_read(&a, (const char *)data, size, &m, &e);

	if (rc == 0) {
		must_be_line(m.from_name);
		must_be_line(m.subject);
		must_be_line(m.report_type);
		must_be_line(m.sealed);
		if (strchr(m.text, '\r') || strchr(m.report, '\r') || strchr(m.returned, '\r'))
			abort();
	} else if (rc != ERR_UNCERTAIN) {
		must_be_line(e.text);
	}
	arena_release(&a);
	return 0;
}
