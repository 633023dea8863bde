#include "mail/header.h"

#include <string.h>
#include <strings.h>

#include "mail/charset.h"
#include "mail/lines.h"
#include "pbm/base/array.h"

/* A folded value, from p to end, as one line. */
static const char *unfold(struct arena *a, const char *p, const char *end)
{
	while (p < end && strchr(" \t\r\n", *p))
		p++;
	while (end > p && strchr(" \t\r\n", end[-1]))
		end--;
	char *raw = arena_strndup(a, p, (size_t)(end - p)), *to = raw;
	for (const char *s = raw; *s; s++) {
		if (*s == '\r' || *s == '\n')
			continue;
		*to++ = (unsigned char)*s < 0x20 || *s == 0x7f ? ' ' : *s;
	}
	return charset_to_utf8(a, NULL, raw, (size_t)(to - raw));
}

struct field_array {
	struct mail_field *v;
	size_t n, cap;
};

/* Moves *p past empty lines and mbox "From " lines before the header. */
static void skip_preface(const char **p, const char *end)
{
	const char *q = *p;
	struct line l;

	while (line_next(&q, end, &l) && (l.n == 0 || line_is_mbox(l)))
		*p = q;
}

size_t header_read(struct arena *a, const char *bytes, size_t len, struct mail *out)
{
	const char *p = bytes, *end = bytes + len, *next;
	struct field_array g = { 0 };
	struct line l;

	out->field_count = 0;
	skip_preface(&p, end);
	for (next = p; line_next(&next, end, &l); p = next) {
		size_t value, n = line_field_name(l, &value);

		if (l.n == 0)
			return (size_t)(next - bytes);
		if (n == 0)
			return (size_t)(p - bytes);
		line_skip_folded(&next, end);
		*ARRAY_ADD(a, &g) = (struct mail_field){ arena_strndup(a, p, n),
			                                 unfold(a, p + value, next) };
		out->fields = g.v;
		out->field_count = g.n;
	}
	return len;
}

const char *header_field(const struct mail *m, const char *name)
{
	for (size_t i = 0; i < m->field_count; i++) {
		if (strcasecmp(m->fields[i].name, name) == 0)
			return m->fields[i].value;
	}
	return NULL;
}

void header_ids(struct arena *a, const char *value, struct mail_strings *out, size_t max)
{
	for (const char *p = strchr(value, '<'); p && out->n < max; p = strchr(p, '<')) {
		const char *s = ++p;

		while (*p > ' ' && *p < 0x7f && *p != '<' && *p != '>')
			p++;
		if (*p == '>' && p > s)
			mail_strings_add(a, out, arena_strndup(a, s, (size_t)(p - s)));
	}
}
