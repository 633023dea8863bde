/* Finds the text or the report in the body of a mail.  libetpan splits the body into
 * its MIME parts and decodes base64; it never sees the mail's own header, only the
 * three fields of struct mime_header.  Attachments are not read. */
#pragma once

#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

/* Values of Content-Type, Content-Transfer-Encoding and Content-Disposition; NULL
 * for a missing field. */
struct mime_header {
	const char *type, *encoding, *disposition;
};

/* The parts of a body that count; "" for each that is missing.  UTF-8, LF. */
struct mime_found {
	/* the first text/plain part that is no attachment, neither blank nor a mere note that
	 * there is HTML, nor a gateway's warning; else the first text/html or text/enriched part
	 * as text */
	const char *text;
	/* the first part for programs: delivery-status (RFC 3464), feedback-report (RFC
	 * 5965) or disposition-notification (RFC 8098) */
	const char *report;
	const char *report_type; /* which of the three words */
	const char *returned;    /* the header of the first mail inside */
	const char *sealed;      /* how a part hides its text: a word of mail/sealed.h */
};

/* ERR_LIMIT: the body has too many parts, or nests them too deep.  ERR_BAD: libetpan
 * can't split it. */
int mime_read(struct arena *a, const struct mime_header *h, const char *body, size_t len,
              struct mime_found *out, struct err *e);
