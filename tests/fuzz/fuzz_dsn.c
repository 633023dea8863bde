/* A report from a stranger's program: read whole, and its words weighed. */
#include <stdlib.h>
#include <string.h>

#include "mail/gate.h"
#include "mail/parse.h"
#include "mail/robots/dsn.h"
#include "mail/robots/robot.h"
#include "pbm/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_line(const char *s)
{
	if (!utf8_valid(s, strlen(s)) || strpbrk(s, "\r\n"))
		abort();
}

static void read_one(struct arena *a, const struct mail *m)
{
	struct dsn d;
	char code[DSN_CODE_SIZE];
	const char *line;

	dsn_read(a, m, &d);
	if (d.count > DSN_RECIPIENTS_MAX || (d.kind == DSN_STATUS) != (d.count > 0))
		abort();
	for (size_t i = 0; i < d.count; i++) {
		must_be_line(d.recipients[i].address);
		must_be_line(d.recipients[i].diagnostic);
	}
	must_be_line(d.sender);
	must_be_line(d.message_id);
	dsn_guess(a, m->text, code, &line);
	must_be_line(line);
	must_be_line(code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	struct mail m;

	if (gate_check((const char *)data, size, &e) == 0 &&
	    parse_any(&a, (const char *)data, size, &m, &e) == 0)
		read_one(&a, &m);
	/* Refused or not: the header alone, and the bytes as if they were a report. */
	parse_header(&a, (const char *)data, size, &m);
	robot_judge(&m, NULL, NULL, NULL);
	char *text = arena_strndup(&a, (const char *)data, size);
	utf8_scrub(text);
	m.report = text;
	m.report_type = size % 2 ? "delivery-status" : "feedback-report";
	read_one(&a, &m);
	arena_release(&a);
	return 0;
}
