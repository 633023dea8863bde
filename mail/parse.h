/* From the bytes of a mail to a struct mail.  The sender and all other addresses
 * are read by our own code alone; libetpan, libxml2 and iconv see only the subject,
 * the sender's display name and the body.  Never decides whether the mail is
 * answered. */
#pragma once

#include <stddef.h>

#include "mail/mail.h"
#include "pbm/base/err.h"

/* Reads the header of any bytes, also of a mail that the gate refused: fields,
 * addresses, ids, the date.  from_name keeps its encoded words, subject and all
 * texts are "".  Returns the offset of the body.  Calls neither libetpan, libxml2
 * nor iconv. */
size_t parse_header(struct arena *a, const char *bytes, size_t len, struct mail *out);

/* Reads a whole mail that passed the gate.  When From is missing, repeated or
 * names no usable address (programs write "MAILER-DAEMON"), from is "" and fault
 * says why.  ERR_BAD or ERR_LIMIT: the body can't be taken apart. */
int parse_any(struct arena *a, const char *bytes, size_t len, struct mail *out, struct err *e);

/* The same, but ERR_BAD also for every fault of From. */
int parse_mail(struct arena *a, const char *bytes, size_t len, struct mail *out, struct err *e);
