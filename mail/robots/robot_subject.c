/* People too write about being out of office, or forward a bounce.  So a phrase counts
 * only at the very beginning of the subject, where programs put it; a phrase that
 * people use counts only in the form that programs give it. */
#include "mail/robots/robot_subject.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/robots/robot_phrases.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

#define FOLDED_MAX 200

/* The small letter of a Latin, Greek or Cyrillic capital; ' for its typographic form. */
static uint32_t small(uint32_t c)
{
	static const struct {
		uint32_t from, to, add;
	} ranges[] = {
		{ 'A', 'Z', 32 },     { 0xc0, 0xde, 32 },   { 0x391, 0x3a9, 32 },
		{ 0x400, 0x40f, 80 }, { 0x410, 0x42f, 32 },
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (c >= ranges[i].from && c <= ranges[i].to)
			return c + ranges[i].add;
	if (c >= 0x100 && c <= 0x137 && c % 2 == 0 && c != 0x130)
		return c + 1;
	if (c >= 0x139 && c <= 0x148 && c % 2 == 1)
		return c + 1;
	if (c >= 0x14a && c <= 0x177 && c % 2 == 0)
		return c + 1;
	return c == 0x2019 ? '\'' : c;
}

static void fold(const char *s, char out[FOLDED_MAX + 4])
{
	size_t left, n = 0;

	s += strspn(s, " *\t");
	for (left = strlen(s); left && n < FOLDED_MAX;) {
		uint32_t c;
		size_t k = utf8_decode(s, left, &c);

		s += k;
		left -= k;
		n += utf8_encode(small(c), out + n);
	}
	out[n] = '\0';
}

static bool begins(const char *s, const char *phrase)
{
	return strncmp(s, phrase, strlen(phrase)) == 0;
}

/* Some programs write a space or a no-break space before the colon. */
static bool colon_follows(const char *rest)
{
	rest += strspn(rest, " ");
	if (begins(rest, "\xc2\xa0"))
		rest += 2;
	return *rest == ':' || begins(rest, "：");
}

static bool ends(const char *s, const char *phrase)
{
	size_t n = strlen(s), k = strlen(phrase);

	return n > k && strcmp(s + n - k, phrase) == 0;
}

bool robot_subject_bounce(const char *subject)
{
	char s[FOLDED_MAX + 4];

	fold(subject, s);
	return str_prefix_any(s, robot_phrases_bounces) || strcmp(s, "returned mail") == 0 ||
	       strcmp(s, "mail delivery") == 0 || strcmp(s, "mail error") == 0;
}

static bool ends_with_square(const char *s)
{
	size_t n = strlen(s);

	return n > 2 && s[n - 2] >= 'a' && s[n - 2] <= 'h' && s[n - 1] >= '1' && s[n - 1] <= '8';
}

bool robot_subject_reply(const char *subject)
{
	char s[FOLDED_MAX + 4];

	fold(subject, s);
	if ((str_prefix_any(s, robot_phrases_leave) && !ends_with_square(s)) ||
	    str_prefix_any(s, robot_phrases_replies))
		return true;
	for (const char *const *p = robot_phrases_away; *p; p++) {
		const char *rest = s + strlen(*p);

		if (begins(s, *p) && (!rest[strspn(rest, " .!")] || colon_follows(rest)))
			return true;
	}
	for (const char *const *p = robot_phrases_before_colon; *p; p++)
		if (begins(s, *p) && colon_follows(s + strlen(*p)))
			return true;
	for (const char *const *p = robot_phrases_reply_ends; *p; p++)
		if (ends(s, *p))
			return true;
	return false;
}
