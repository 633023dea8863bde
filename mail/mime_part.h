/* The MIME parts of a mail that programs write: reports, and mails that came back. */
#pragma once

#include <stdbool.h>

struct mime_part {
	const char *subtype;
	const char *type; /* of a report; NULL: a returned mail, or its header */
};

/* The kind of part with this subtype, or NULL.  "xfc822" is what mime_read() has made of rfc822. */
const struct mime_part *mime_part_find(const char *subtype);

/* Is type "" or the type of a report? */
bool mime_part_is_report(const char *type);
