#include "pbm/text/link.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/str.h"

/* Does it begin with a point and what may end the name of a host, as ".com"?  In ".Nf3" a digit follows. */
static bool is_ending(const char *s)
{
	size_t n = 1;

	while (str_is_letter(s[n]))
		n++;
	return n > 2 && !isdigit((unsigned char)s[n]);
}

const char *link_colon(const char *plain)
{
	static const char *const schemes[] = {
		"about",   "bitcoin",  "callto", "cid",         "data",   "facetime", "file",
		"geo",     "gtalk",    "im",     "intent",      "irc",    "ircs",     "javascript",
		"ldap",    "magnet",   "mailto", "maps",        "market", "mid",      "mms",
		"msteams", "news",     "nntp",   "onenote",     "sip",    "sips",     "skype",
		"sms",     "spotify",  "ssh",    "steam",       "tel",    "telnet",   "tg",
		"urn",     "vbscript", "viber",  "view-source", "webcal", "whatsapp", "xmpp",
		"zoommtg", NULL
	};

	for (const char *colon = plain; (colon = strchr(colon, ':')); colon++) {
		const char *word = colon;

		while (word > plain && (isalpha((unsigned char)word[-1]) || word[-1] == '-'))
			word--;
		size_t n = (size_t)(colon - word);
		if (!colon[1] || isspace((unsigned char)colon[1]))
			continue;
		if (str_is_any_n(word, n, schemes))
			return colon;
	}
	return NULL;
}

bool link_is_in(const char *plain)
{
	char digit[2];

	if (strstr(plain, "://") || link_colon(plain))
		return true;
	for (size_t i = 1; *plain && plain[i]; i++) {
		const char *p = plain + i;

		if (*p == '.' && !strchr(" ./", p[-1]) &&
		    (is_ending(p) || (isdigit((unsigned char)p[-1]) &&
		                      sscanf(p, ".%*3[0-9].%*3[0-9].%1[0-9]", digit) == 1)))
			return true;
	}
	return false;
}
