#include "pbm/exchange/import_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

/* U+00C0 to U+017F without their accents. */
#define FIRST 0xc0
static const char plain[] = "aaaaaaaceeeeiiiidnooooo-ouuuuytsaaaaaaaceeeeiiiidnooooo-ouuuuyty"
			    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
			    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/* The letter or digit that a name has for this character; '-' for none. */
static char letter_of(uint32_t c)
{
	if (c >= FIRST && c < FIRST + sizeof plain - 1)
		return plain[c - FIRST];
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? (char)c : '-';
}

void import_name(const char *name, char out[KEY_USERID_MAX + 1])
{
	size_t n = 0, left = strlen(name);

	out[n++] = KEY_ELSEWHERE;
	for (const char *p = name; left && n < KEY_USERID_MAX;) {
		uint32_t c;
		size_t used = utf8_decode(p, left, &c);

		p += used;
		left -= used;
		out[n] = letter_of(c);
		/* No '-' at the beginning, and no two of them. */
		n += out[n] != '-' || (n > 1 && out[n - 1] != '-');
	}
	n -= n > 1 && out[n - 1] == '-';
	out[n] = '\0';
	if (n == 1)
		snprintf(out + 1, KEY_USERID_MAX, "player-%" PRIx64, str_hash(name));
}
