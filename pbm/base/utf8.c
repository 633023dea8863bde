#include "pbm/base/utf8.h"

#include <string.h>

static size_t sequence_length(unsigned char c)
{
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c <= 0xdf)
		return 2;
	if (c >= 0xe0 && c <= 0xef)
		return 3;
	if (c >= 0xf0 && c <= 0xf4)
		return 4;
	return 0;
}

size_t utf8_decode(const char *s, size_t n, uint32_t *out)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	size_t len = sequence_length(p[0]);

	*out = 0xfffd;
	if (len == 0 || len > n)
		return 1;
	if (len == 1) {
		*out = p[0];
		return 1;
	}
	uint32_t c = p[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (p[i] & 0x3fu);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 1;
	*out = c;
	return len;
}

bool utf8_valid(const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t c;
		size_t len = utf8_decode(s + i, n - i, &c);

		if (c == 0 || (c == 0xfffd && len == 1))
			return false;
		i += len;
	}
	return true;
}

size_t utf8_count(const char *s, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)s[i] & 0xc0) != 0x80;
	return count;
}

size_t utf8_columns(const char *s, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; columns++) {
		uint32_t c;

		i += utf8_decode(s + i, n - i, &c);
		columns += (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c != 0xfffd);
	}
	return columns;
}

size_t utf8_encode(uint32_t c, char *out)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

size_t utf8_cut(const char *s, size_t n, size_t max)
{
	size_t end = 0;

	while (end < n) {
		uint32_t c;
		size_t len = utf8_decode(s + end, n - end, &c);

		if (end + len > max)
			break;
		end += len;
	}
	return end;
}

void utf8_scrub(char *s)
{
	size_t n = strlen(s), out = 0;

	for (size_t i = 0; i < n;) {
		uint32_t c;
		size_t len = utf8_decode(s + i, n - i, &c);

		if (c != 0xfffd || len > 1) {
			memmove(s + out, s + i, len);
			out += len;
		}
		i += len;
	}
	s[out] = '\0';
}
