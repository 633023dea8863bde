/* Every limit here is far above what a mail written by a person needs. */
#include "mail/gate.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "mail/lines.h"

#define MAX_HEADER (64 * 1024)
#define MAX_FIELD (16 * 1024)
#define MAX_FIELDS 500
#define MAX_PARENS 100
#define MAX_TYPES 100
#define MAX_BOUNDARY 100 /* RFC 2046 §5.1.1 says 70 */

/* RFC 2046 allows fewer characters, but "!", "@" and others occur in bounces.
 * libetpan misreads a quote or a backslash. */
static bool is_boundary_char(char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && strchr(" \t\r\n", *p) && *p)
		p++;
	return p;
}

/* p: the value of a boundary parameter. */
static int check_boundary(const char *p, const char *end, struct err *e)
{
	p = skip_space(p, end);
	bool quoted = p < end && *p == '"';
	const char *s = quoted ? ++p : p;

	/* Outside quotes a parenthesis begins a comment. */
	while (p < end && is_boundary_char(*p) && (quoted || !strchr(" ();", *p)))
		p++;
	size_t n = (size_t)(p - s);
	/* Exchange quotes headers in the text of its bounces.  There a quote ends the
	 * word; libetpan stops at that quote too. */
	bool closed = quoted ? p < end && *p == '"' : p == end || strchr("; \t\r\n\"", *p);
	if (!closed || n == 0 || p[-1] == ' ')
		return err_set(e, ERR_BAD, "a boundary has characters that are not allowed");
	if (n > MAX_BOUNDARY)
		return err_set(e, ERR_LIMIT, "a boundary is %zu characters long", n);
	return 0;
}

/* All boundary parameters of one Content-Type field. */
static int check_type(const char *p, const char *end, struct err *e)
{
	static const char word[] = "boundary";
	const size_t n = sizeof word - 1;

	for (; (size_t)(end - p) >= n; p++) {
		if (strncasecmp(p, word, n) != 0)
			continue;
		const char *q = skip_space(p + n, end);

		if (q < end && *q == '(')
			return err_set(e, ERR_BAD, "a boundary has a comment beside it");
		int rc = q < end && *q == '=' ? check_boundary(q + 1, end, e) : 0;
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* The deepest nesting of parentheses in p to end, also for a reader that ignores
 * backslashes.  *count: the number of opening parentheses. */
static size_t paren_depth(const char *p, const char *end, size_t *count)
{
	size_t depth = 0, most = 0;

	*count = 0;
	for (const char *s = p; s < end; s++) {
		if (*s == '(') {
			++*count;
			if (++depth > most)
				most = depth;
		} else if (*s == ')' && depth && (s == p || s[-1] != '\\')) {
			depth--;
		}
	}
	return most;
}

struct gate_count {
	size_t fields, types;
};

/* Checks one field, from p to end.  top: it is in the mail's own header.  Otherwise
 * its lines may be the header of a part. */
static int check_field(struct gate_count *g, const char *p, const char *end, bool top,
                       struct err *e)
{
	static const char type[] = "Content-Type";
	struct line first;
	const char *next = p;
	size_t value = 0, parens;

	line_next(&next, end, &first);
	size_t n = line_field_name(first, &value);
	if (top && (size_t)(end - p) > MAX_FIELD)
		return err_set(e, ERR_LIMIT, "a header field is %zu bytes long", (size_t)(end - p));
	if (top && ++g->fields > MAX_FIELDS)
		return err_set(e, ERR_LIMIT, "more than %d header fields", MAX_FIELDS);
	if (n == 0)
		return 0;
	size_t depth = paren_depth(p, end, &parens);
	if (depth > MAX_PARENS || (top && parens > MAX_PARENS))
		return err_set(e, ERR_LIMIT, "a header field with more than %d parentheses",
		               MAX_PARENS);
	if (n != sizeof type - 1 || strncasecmp(p, type, n) != 0)
		return 0;
	if (++g->types > MAX_TYPES)
		return err_set(e, ERR_LIMIT, "more than %d parts", MAX_TYPES);
	if ((size_t)(end - p) > MAX_FIELD)
		return err_set(e, ERR_LIMIT, "a Content-Type field is %zu bytes long",
		               (size_t)(end - p));
	return check_type(p + value, end, e);
}

/* bytes: header bytes of the header, len bytes in all. */
static int check_header_bytes(const char *bytes, size_t header, size_t len, struct err *e)
{
	if (header > MAX_HEADER)
		return err_set(e, ERR_LIMIT, "the header is longer than %d bytes", MAX_HEADER);
	if (memchr(bytes, '\0', header))
		return err_set(e, ERR_BAD, "the header contains a NUL");
	if (!memchr(bytes, '\n', len))
		return 0;
	for (size_t i = 0; i < header; i++) {
		/* Some parsers see one field here, others see two. */
		if (bytes[i] == '\r' && (i + 1 == len || bytes[i + 1] != '\n'))
			return err_set(e, ERR_BAD, "the header contains a bare carriage return");
	}
	return 0;
}

int gate_check(const char *bytes, size_t len, struct err *e)
{
	const char *p = bytes, *end = bytes + len;
	struct gate_count g = { 0 };
	bool top = true, begun = false;
	struct line l;
	int rc = 0;

	if (len > MAIL_MAX_BYTES)
		return err_set(e, ERR_LIMIT, "larger than %d bytes", MAIL_MAX_BYTES);
	for (const char *start = p; rc == 0 && line_next(&p, end, &l); start = p) {
		if (top && begun && l.n == 0) {
			top = false;
			rc = check_header_bytes(bytes, (size_t)(p - bytes), len, e);
			continue;
		}
		begun = begun || l.n;
		line_skip_folded(&p, end);
		if (l.n && rc == 0)
			rc = check_field(&g, start, p, top, e);
	}
	return rc == 0 && top ? check_header_bytes(bytes, len, len, e) : rc;
}
