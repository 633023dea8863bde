#include "mail/robots/authres.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define COMMENT_DEPTH_MAX 20

static int bad(const char *at, struct err *e)
{
	return err_set(e, ERR_BAD, "Authentication-Results can't be read at \"%.20s\"", at);
}

/* Skips blanks and comments.  false: a comment has no end, or nests too deep. */
static bool skip_cfws(const char **p)
{
	size_t depth = 0;

	for (; **p; ++*p) {
		if (depth && **p == '\\' && (*p)[1])
			++*p;
		else if (**p == '(')
			depth++;
		else if (depth && **p == ')')
			depth--;
		else if (!depth && **p != ' ' && **p != '\t')
			break;
		if (depth > COMMENT_DEPTH_MAX)
			return false;
	}
	return depth == 0;
}

/* Reads "a quoted \" string" and returns it unquoted; NULL when it has no end. */
static const char *read_quoted(struct arena *a, const char **p)
{
	const char *s = *p + 1;
	char *out = arena_alloc(a, strlen(s) + 1), *to = out;

	for (; *s && *s != '"'; s++) {
		if (*s == '\\' && s[1])
			s++;
		*to++ = *s;
	}
	if (!*s)
		return NULL;
	*p = s + 1;
	return out;
}

/* Reads a MIME token (RFC 2045) or a quoted string; NULL when there is neither. */
static const char *read_value(struct arena *a, const char **p)
{
	if (**p == '"')
		return read_quoted(a, p);
	size_t n = strcspn(*p, " \t()<>@,;:\\\"/[]?=");
	const char *s = *p;

	*p += n;
	return n ? arena_strndup(a, s, n) : NULL;
}

/* Reads letters, digits, dashes and underscores, and returns them in lower case; NULL
 * when there are none. */
static const char *read_keyword(struct arena *a, const char **p)
{
	const char *s = *p;

	while (isalnum((unsigned char)**p) || **p == '-' || **p == '_')
		++*p;
	if (*p == s)
		return NULL;
	char *out = arena_strndup(a, s, (size_t)(*p - s));
	for (char *c = out; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return out;
}

/* Reads c and the blanks and comments around it. */
static bool read_sign(const char **p, char c)
{
	const char *s = *p;

	if (!skip_cfws(&s) || *s != c)
		return false;
	s++;
	*p = s;
	return skip_cfws(p);
}

/* Reads a quoted string, a quoted local part with its domain, or unquoted
 * characters. */
static const char *read_property_value(struct arena *a, const char **p)
{
	const char *quoted = "";

	if (**p == '"' && !(quoted = read_quoted(a, p)))
		return NULL;
	size_t n = strcspn(*p, " \t;\"()");
	const char *s = *p;

	*p += n;
	if (!*quoted)
		return arena_strndup(a, s, n);
	if (n && *s != '@')
		return NULL;
	return n ? arena_printf(a, "%s%.*s", quoted, (int)n, s) : quoted;
}

/* Reads the version of a method ("dkim/1") or after the authserv-id.  Only 1 is
 * known. */
static bool read_version(const char **p)
{
	size_t n = strspn(*p, "0123456789");
	bool one = n == 1 && **p == '1';

	*p += n;
	return one && (!**p || strchr(" \t(;=", **p));
}

/* Reads "header.d=example.org", or "reason=\"…\"", which has no type. */
static int read_property(struct arena *a, const char **p, struct authres_result *r, struct err *e)
{
	const char *start = *p;
	struct authres_property prop = { .type = "", .name = read_keyword(a, p) };

	if (prop.name && read_sign(p, '.')) {
		prop.type = prop.name;
		prop.name = read_keyword(a, p);
	}
	if (!prop.name || !read_sign(p, '=') || !(prop.value = read_property_value(a, p)))
		return bad(start, e);
	if (r->n == AUTHRES_PROPERTIES_MAX)
		return err_set(e, ERR_LIMIT, "more than %d properties in a result",
		               AUTHRES_PROPERTIES_MAX);
	r->properties[r->n++] = prop;
	return 0;
}

/* Reads one result, up to the next semicolon or the end. */
static int read_result(struct arena *a, const char **p, struct authres_result *r, struct err *e)
{
	const char *start = *p;
	int rc = 0;

	*r = (struct authres_result){ .method = read_keyword(a, p) };
	r->properties = arena_alloc(a, AUTHRES_PROPERTIES_MAX * sizeof *r->properties);
	if (!r->method || (read_sign(p, '/') && !read_version(p)) || !read_sign(p, '=') ||
	    !(r->result = read_keyword(a, p)))
		return bad(start, e);
	while (rc == 0) {
		const char *before = *p;

		if (!skip_cfws(p))
			return bad(before, e);
		if (!**p || **p == ';')
			break;
		if (*p == before) /* "dkim=pass,spf=pass" */
			return bad(before, e);
		rc = read_property(a, p, r, e);
	}
	return rc;
}

/* Reads the results after the authserv-id; each begins with a semicolon. */
static int read_results(struct arena *a, const char **p, struct authres *out, struct err *e)
{
	while (**p) {
		const char *start = *p, *s = *p;
		int rc;

		if (!read_sign(&s, ';'))
			return bad(start, e);
		*p = s;
		if (!*s) /* a semicolon at the end */
			break;
		if (out->n == AUTHRES_RESULTS_MAX)
			return err_set(e, ERR_LIMIT, "more than %d results", AUTHRES_RESULTS_MAX);
		const char *word = read_keyword(a, &s);
		if (word && strcmp(word, "none") == 0 && skip_cfws(&s) && !*s && out->n == 0) {
			*p = s;
			return 0;
		}
		rc = read_result(a, p, &out->results[out->n], e);
		if (rc < 0)
			return rc;
		out->n++;
	}
	return 0;
}

int authres_read(struct arena *a, const char *value, struct authres *out, struct err *e)
{
	const char *p = value;

	*out = (struct authres){ 0 };
	if (!skip_cfws(&p) || !(out->id = read_value(a, &p)))
		return bad(value, e);
	if (*p && !strchr(" \t(;", *p))
		return bad(p, e);
	if (!skip_cfws(&p) || (isdigit((unsigned char)*p) && !read_version(&p)) || !skip_cfws(&p))
		return bad(p, e);
	out->results = arena_alloc(a, AUTHRES_RESULTS_MAX * sizeof *out->results);
	int rc = *p ? read_results(a, &p, out, e) : bad("the end", e);
	if (rc < 0)
		out->n = 0;
	return rc;
}

const char *authres_property(const struct authres_result *r, const char *type, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->properties[i].type, type) == 0 &&
		    strcmp(r->properties[i].name, name) == 0)
			return r->properties[i].value;
	return NULL;
}

const char *authres_domain(const char *value)
{
	const char *at = strrchr(value, '@');

	return at ? at + 1 : value;
}

bool authres_same_domain(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	n -= n && a[n - 1] == '.';
	m -= m && b[m - 1] == '.';
	return n && n == m && strncasecmp(a, b, n) == 0;
}
