/* The test mail of pbm doctor: it goes out through the site's sink, to an address
 * pbm+doctor.WORD@host that nobody else knows, and must come back through its source. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "mail/mail.h"
#include "mail/transport/transport.h"
#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/site/site.h"

/* Makes the WORD of the next test mail and keeps it in the site, in place of the last one.
 * Writes the address to out. */
int test_mail_new(const struct site *site, char *out, size_t size, struct err *e);

/* Is this the test mail that was sent?  Then its header is kept in the site.  Called for each
 * mail that comes. */
bool test_mail_take(const struct site *site, const struct mail *m, const struct mail_raw *raw);

/* The header of the last test mail that came back, and its time.  1; 0: none has come back, or a
 * newer one is on its way (*out_since: its time; 0: none was sent); <0: error. */
int test_mail_read(const struct site *site, struct arena *a, struct mail *m, int64_t *came,
                   int64_t *out_since, struct err *e);
