/* Reads Authentication-Results fields (RFC 8601), in which a receiving mail server says
 * how it checked the sender of a mail.  Never decides whether a field may be believed:
 * anybody can write one. */
#pragma once

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

/* Reads the unfolded value of a field.  ERR_BAD: it is no field of version 1;
 * ERR_LIMIT: it has too many parts.  After an error too out->id is set, or NULL if the
 * id can't be read.  Accepts three things that the RFC forbids and real servers write:
 * unquoted property values of any characters but blanks, ';', '"' and parentheses;
 * properties without a type ("action=none"); a semicolon at the end. */
int authres_read(struct arena *a, const char *value, struct authres *out, struct err *e);

/* The value of a property, such as type "header" and name "from"; or NULL. */
const char *authres_property(const struct authres_result *r, const char *type, const char *name);

/* The domain in a property's value: the text after its last '@', or all of it. */
const char *authres_domain(const char *value);

/* Are two domain names equal?  Letter case and one final dot don't matter; an empty
 * name equals none. */
bool authres_same_domain(const char *a, const char *b);
