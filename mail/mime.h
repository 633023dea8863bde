/* From a body to the text that a person wrote, or to the report of a program.  libetpan takes the structure
 * apart and undoes the transfer encodings; it never sees the mail's own header,
 * only the three fields below. */
#ifndef MAIL_MIME_H
#define MAIL_MIME_H

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

struct mime_header {
	const char *type, *encoding, *disposition; /* values, or NULL */
};

/* What a body holds; "" for what it does not. */
struct mime_found {
	const char *text;        /* the first text/plain part that says something and is no
	                          * attachment, else the first text/html part as text */
	const char *report;      /* the first part for programs: delivery-status (RFC 3464),
	                          * feedback-report (RFC 5965), disposition-notification */
	const char *report_type; /* its subtype, as one of these words */
	const char *returned;    /* the header of the first mail, or of a mail, inside */
};

/* "" or one of the words above. */
bool mime_is_report_type(const char *type);

/* All of it UTF-8, LF.  ERR_LIMIT for a body of too many or too deep parts. */
int mime_read(struct arena *a, const struct mime_header *h, const char *body, size_t len,
              struct mime_found *out, struct err *e);

#endif
