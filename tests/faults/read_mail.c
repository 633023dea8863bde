/* Prints what parse_any() makes of a mail on standard input: for tests/faults,
 * which denies it memory.  It must read the same, or not at all. */
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

#include "mail/gate.h"
#include "mail/mail.h"
#include "mail/parse.h"
#include "pbm/base/io.h"

int main(void)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	struct mail m;
	struct str bytes;

	str_init(&bytes, MAIL_MAX_BYTES + 1);
	int rc = io_read_all(STDIN_FILENO, MAIL_MAX_BYTES, &bytes, &e);
	if (rc == 0)
		rc = gate_check(bytes.data, bytes.len, &e);
	if (rc == 0)
		rc = parse_any(&a, bytes.data, bytes.len, &m, &e);
	if (rc < 0) {
		printf("error %d: %s\n", rc, e.text);
		return EX_DATAERR;
	}
	printf("from %s (%s)\nsubject %s\ntext %s\nreport %s\nreturned %s\n", m.from, m.from_name,
	       m.subject, m.text, m.report, m.returned);
	arena_release(&a);
	str_release(&bytes);
	return 0;
}
