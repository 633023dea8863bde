/* The two halves of mail_read().  Who wrote, and to which address, is read by
 * our own few lines alone; only what follows needs libraries that have been
 * broken before.  The sandbox keeps them apart: see mail/sandbox.h. */
#ifndef MAIL_PARSE_H
#define MAIL_PARSE_H

#include "mail/mail.h"

/* The fields and what stands in them as plain text: addresses, ids, the date.
 * from_name stays as it was sent, subject and the texts are "".  Returns the
 * offset behind the header.  Calls neither libetpan, libxml2 nor iconv. */
size_t parse_header(struct arena *a, const char *bytes, size_t len, struct mail *out);

/* What has to be decoded, into the mail that parse_header() made of the same
 * bytes: from_name, subject and the texts. */
int parse_content(struct arena *a, const char *bytes, size_t len, size_t body, struct mail *m,
                  struct err *e);

#endif
