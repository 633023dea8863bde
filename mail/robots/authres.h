/* The Authentication-Results field (RFC 8601): what a receiving mail server
 * found out about a mail.  Reading only: whom to believe is the caller's
 * affair, for anybody may write such a field. */
#ifndef MAIL_ROBOTS_AUTHRES_H
#define MAIL_ROBOTS_AUTHRES_H

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

#define AUTHRES_RESULTS_MAX 50
#define AUTHRES_PROPERTIES_MAX 20

/* "header.d=example.org"; type and name in lower case, value unquoted; type is
 * "" for "reason=…". */
struct authres_property {
	const char *type, *name, *value;
};

/* "dkim=pass header.d=example.org"; method and result in lower case. */
struct authres_result {
	const char *method, *result;
	size_t n;
	struct authres_property *properties;
};

struct authres {
	const char *id; /* authserv-id, unquoted, as it was written */
	size_t n;       /* 0 for "none" */
	struct authres_result *results;
};

/* Reads the (unfolded) value of a field.  ERR_BAD when it isn't one of version
 * 1, ERR_LIMIT when it has too many parts; out->id is set all the same, or
 * NULL when even that can't be read.  Three things beyond the RFC's grammar are
 * read, since real servers write them: unquoted property values of any
 * characters but blanks, ';', '"' and parentheses; properties without a type
 * ("action=none"); a semicolon at the end. */
int authres_read(struct arena *a, const char *value, struct authres *out, struct err *e);

/* The value of a property ("header", "from"), or NULL. */
const char *authres_property(const struct authres_result *r, const char *type, const char *name);

/* What stands behind the last '@' of a property's value, or all of it. */
const char *authres_domain(const char *value);

/* Are two domain names the same?  Letter case and one dot at the end don't
 * count; nothing is the same as an empty one. */
bool authres_same_domain(const char *a, const char *b);

#endif
