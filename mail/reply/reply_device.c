#include "mail/reply/reply_device.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "mail/reply/reply_phrases.h"
#include "pbm/base/str.h"

#define MAX_DEVICE 200
#define MAX_WORDS 7     /* of "Sent from my …" with a device we don't know */
#define NAMED_WITHIN 40 /* bytes in which a longer line names its device */

static bool ends_as_device(const char *s, size_t n)
{
	for (const char *const *end = reply_phrases_sent_from_ends; *end; end++) {
		size_t k = strlen(*end);

		if (n > k && strncasecmp(s + n - k, *end, k) == 0)
			return true;
	}
	return false;
}

/* "Virus-free.www.avast.com", in any language: a line of advertising that names the
 * program and the viruses. */
static bool is_scanner(const char *s)
{
	return str_holds_any(s, reply_phrases_scanners) && str_holds_any(s, reply_phrases_viruses);
}

/* "Sent from my desk, is much easier than my phone": a long line that names no device
 * at its beginning is prose. */
static bool is_long_prose(const char *s)
{
	char start[NAMED_WITHIN + 1] = "";
	size_t words = 1;

	for (const char *p = strchr(s, ' '); p; p = strchr(p + 1, ' '))
		words++;
	strncat(start, s, NAMED_WITHIN);
	return words > MAX_WORDS && str_prefix(s, "sent from my ") &&
	       !str_holds_any(start, reply_phrases_devices) && !strcasestr(s, "excuse") &&
	       !strcasestr(s, "typo");
}

bool reply_says_device(const char *s)
{
	s += strspn(s, " <([*_-");
	size_t n = strlen(s);

	if (n > MAX_DEVICE)
		return false;
	if ((!is_long_prose(s) && str_prefix_any(s, reply_phrases_sent_from)) || is_scanner(s))
		return true;
	while (n && strchr(" .>)]*_", s[n - 1]))
		n--;
	return str_holds_any(s, reply_phrases_devices) &&
	       (str_prefix(s, "from my ") || ends_as_device(s, n));
}
