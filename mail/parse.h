/* The two halves of parse_any().  Who wrote, and to which address, is read by
 * our own few lines alone; only what follows needs libraries that have been
 * broken before.  The sandbox keeps them apart: see mail/sandbox/sandbox.h. */
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

/* Only for mails that passed the gate.  ERR_BAD: it can't be read at all (no
 * From, two Froms, an address of insane characters …), quarantine it. */
int parse_mail(struct arena *a, const char *bytes, size_t len, struct mail *out, struct err *e);

/* As parse_mail(), but whoever sent it: programs write From fields that name
 * nobody ("MAILER-DAEMON").  Then from is "" and fault says why.  ERR_BAD and
 * ERR_LIMIT for a body that can't be taken apart. */
int parse_any(struct arena *a, const char *bytes, size_t len, struct mail *out, struct err *e);

/* The header alone, of any bytes, refused ones too: most of what robots are
 * judged by.  Subject and texts are "". */
void parse_header_only(struct arena *a, const char *bytes, size_t len, struct mail *out);

#endif
