#include "mail/subject.h"

#include <string.h>

#include "mail/mail_phrases.h"
#include "pbm/base/str.h"

static const char *skip_space(const char *s)
{
	for (size_t n = 1; n; s += n)
		n = *s == ' ' || *s == '\t' ? 1 : str_prefix(s, "\u00a0");
	return s;
}

/* Skips a counter: "[2]", "(3)" or "^2". */
static const char *skip_counter(const char *s)
{
	static const char digits[] = "0123456789";
	const char *p = s + 1 + strspn(*s ? s + 1 : s, digits);

	if ((*s == '[' && *p == ']') || (*s == '(' && *p == ')'))
		return p + 1;
	return *s == '^' ? p : s;
}

/* The text after one prefix and its colon, or NULL. */
static const char *skip_prefix(const char *s)
{
	for (const char *const *prefix = mail_phrases_prefixes; *prefix; prefix++) {
		size_t n = str_prefix(s, *prefix);

		if (n == 0)
			continue;
		const char *p = skip_space(skip_counter(skip_space(s + n)));
		size_t colon = *p == ':' ? 1 : str_prefix(p, "\uff1a");
		if (colon)
			return p + colon;
	}
	return NULL;
}

/* The text after a "[list tag]"; NULL when there is no tag or nothing after it. */
static const char *skip_tag(const char *s)
{
	size_t n = *s == '[' ? strcspn(s + 1, "[]") : 0;

	if (n == 0 || s[n + 1] != ']')
		return NULL;
	s += n + 2;
	return *skip_space(s) ? s : NULL;
}

const char *subject_base(struct arena *a, const char *subject)
{
	/* Spaces, marks of mail programs and our " **". */
	static const char *const ends[] = { " ", "\t", "\u00a0", " **", "(fwd)", NULL };
	const char *s = skip_space(subject), *next = s;
	size_t n = strlen(subject);

	for (size_t k; (k = str_ends_any(subject, n, ends)); n -= k)
		;
	char *base = arena_strndup(a, subject, n);
	for (s = skip_space(base); next; s = skip_space(next ? next : s)) {
		size_t len = strlen(s);

		if (str_prefix(s, "[fwd:") && s[len - 1] == ']') {
			base[n - 1] = '\0'; /* s ends where base ends */
			n--;
			s++;
		}
		next = skip_prefix(s);
		if (!next)
			next = skip_tag(s);
	}
	return s;
}
