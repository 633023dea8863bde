#include "mail/reply/reply_date.h"

#include <string.h>

#include "pbm/base/str.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
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

/* with_time: a time of day counts too. */
static bool has_date(const char *flat, bool with_time)
{
	for (const char *s = flat; *s; s++) {
		if (!is_digit(*s) || (s > flat && is_digit(s[-1])))
			continue;
		size_t n = strspn(s, "0123456789");
		if (n == 4 && (str_prefix(s, "19") || str_prefix(s, "20")))
			return true;
		if (is_numeric_date(s))
			return true;
		if (with_time && n <= 2 && (s[n] == ':' || s[n] == '.') && is_digit(s[n + 1]) &&
		    is_digit(s[n + 2]))
			return true;
	}
	return false;
}

bool reply_has_date(const char *flat)
{
	return has_date(flat, false);
}

bool reply_has_date_or_time(const char *flat)
{
	return has_date(flat, true);
}
