#include "mail/reply/reply_words.h"

#include <ctype.h>
#include <string.h>

#include "mail/reply/reply_phrases.h"
#include "pbm/base/str.h"

size_t reply_header_name(const char *s)
{
	for (const char *const *p = reply_phrases_headers; *p; p++) {
		size_t n = str_prefix(s, *p);

		if (n && s[n + strspn(s + n, " *")] == ':')
			return n;
	}
	return 0;
}

size_t reply_says_original(const char *s)
{
	return str_prefix_any(s, reply_phrases_original);
}

bool reply_says_forwarded(const char *s, bool dashes)
{
	return str_prefix_any(s, reply_phrases_forwarded_bare) ||
	       (dashes && str_prefix_any(s, reply_phrases_forwarded));
}

bool reply_says_disclaimer(const char *s)
{
	return str_prefix_any(s + strspn(s, " *_"), reply_phrases_disclaimers) != 0;
}

/* May a word begin after c? */
static bool parts_words(char c)
{
	return (unsigned char)c >= 0x80 || strchr(" >)]'\",*", c);
}

/* The last place in s where word begins, not in the middle of a longer word. */
static const char *find_last(const char *s, const char *word)
{
	const char *found = NULL;

	for (const char *p = s; (p = strcasestr(p, word)); p++) {
		if (p == s || (unsigned char)*p >= 0x80 || parts_words(p[-1]))
			found = p;
	}
	return found;
}

const char *reply_verb(const char *s, const char **behind)
{
	const char *verb = NULL;

	*behind = s + str_prefix_any(s, reply_phrases_quoting);
	if (*behind > s)
		return s;
	for (const char *const *v = reply_phrases_verbs; *v; v++) {
		const char *p = find_last(s, *v);

		if (p && p + strlen(*v) > *behind) {
			verb = p;
			*behind = p + strlen(*v);
		}
	}
	return verb;
}

bool reply_says_quoting(const char *s)
{
	return str_prefix_any(s, reply_phrases_quoting) != 0;
}

bool reply_says_intro(const char *s)
{
	return str_prefix_any(s, reply_phrases_intros) != 0;
}

/* "1/12/26", "1.12.2026", "2026-12-01". */
static bool is_numeric_date(const char *s)
{
	size_t i = 0, parts = 0;

	for (;;) {
		size_t digits = strspn(s + i, "0123456789");

		i += digits;
		if (digits == 0 || digits > 4)
			return false;
		if (++parts == 3)
			return true;
		if (!s[i] || !strchr("/.-", s[i]))
			return false;
		i++;
	}
}

bool reply_has_date(const char *flat, bool with_time)
{
	for (const char *s = flat; *s; s++) {
		if (!isdigit((unsigned char)*s) || (s > flat && isdigit((unsigned char)s[-1])))
			continue;
		size_t n = strspn(s, "0123456789");
		if (n == 4 && (str_prefix(s, "19") || str_prefix(s, "20")))
			return true;
		if (is_numeric_date(s))
			return true;
		if (with_time && n <= 2 && (s[n] == ':' || s[n] == '.') &&
		    isdigit((unsigned char)s[n + 1]) && isdigit((unsigned char)s[n + 2]))
			return true;
	}
	return false;
}
