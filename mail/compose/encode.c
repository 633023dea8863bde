#include "mail/compose/encode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/utf8.h"

#define MAX_LINE 78   /* RFC 5322 §2.1.1 */
#define MAX_WORD 75   /* RFC 2047 §2 */
#define MAX_QP 76     /* RFC 2045 §6.7 */
#define MAX_HTML 900  /* bytes of a line; RFC 5321 §4.5.3.1.6 allows 998 */
#define MAX_QUOTED 60 /* a longer display name is encoded instead */
#define WORD_START "=?UTF-8?Q?"
#define WORD_END "?="

/* A copy of value as one line of valid UTF-8 without control characters; on the heap. */
static char *clean(const char *value)
{
	size_t n = strlen(value);
	struct str s;

	str_init(&s, n * 3 + 1);
	for (size_t i = 0; i < n;) {
		uint32_t c;
		char buf[4];

		i += utf8_decode(value + i, n - i, &c);
		if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
			c = ' ';
		str_add_n(&s, buf, utf8_encode(c, buf));
	}
	str_cut(&s, str_trim(s.data, s.len, " "));
	return str_detach(&s);
}

static bool is_ascii(const char *s)
{
	for (; *s; s++) {
		if ((unsigned char)*s >= 0x7f)
			return false;
	}
	return true;
}

/* The length of the longest word. */
static size_t longest_word(const char *s)
{
	size_t most = 0;

	while (*s) {
		size_t n = strcspn(s, " ");

		most = n > most ? n : most;
		s += n + strspn(s + n, " ");
	}
	return most;
}

/* The column of the next character, counted from 0. */
static size_t column(const struct str *out)
{
	size_t n = out->len;

	while (n && out->data[n - 1] != '\n')
		n--;
	return out->len - n;
}

static void fold(struct str *out)
{
	str_add(out, "\r\n ");
}

/* Adds ASCII words, folded at their spaces. */
static void add_folded(struct str *out, const char *s)
{
	for (bool first = true; *s; first = false) {
		size_t spaces = strspn(s, " "), n = strcspn(s + spaces, " ");

		if (!first && column(out) + spaces + n > MAX_LINE)
			str_add(out, "\r\n");
		str_add_n(out, s, spaces + n);
		s += spaces + n;
	}
}

/* One byte as "=C3", at buf; returns the length. */
static size_t hex_byte(unsigned char c, char *buf)
{
	static const char hex[] = "0123456789ABCDEF";

	buf[0] = '=';
	buf[1] = hex[c >> 4];
	buf[2] = hex[c & 15];
	return 3;
}

/* Writes one character as Q encoding to buf; returns the length. */
static size_t q_char(const char *s, size_t n, char *buf)
{
	static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789!*+-/";
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == ' ' || strchr(fine, c))
			buf[k++] = c == ' ' ? '_' : (char)c;
		else
			k += hex_byte(c, buf + k);
	}
	return k;
}

/* Adds s, which clean() made, as encoded words that split no character. */
static void add_words(struct str *out, const char *s)
{
	size_t n = strlen(s), used = 0;
	const size_t frame = sizeof WORD_START - 1 + sizeof WORD_END - 1;

	for (size_t i = 0; i < n;) {
		char buf[12];
		uint32_t c;
		size_t len = utf8_decode(s + i, n - i, &c), k = q_char(s + i, len, buf);

		if (used && (used + k + sizeof WORD_END - 1 > MAX_WORD ||
		             column(out) + k + sizeof WORD_END - 1 > MAX_LINE)) {
			str_add(out, WORD_END);
			fold(out);
			used = 0;
		}
		if (used == 0) {
			if (column(out) + frame + k > MAX_LINE)
				fold(out);
			str_add(out, WORD_START);
			used = sizeof WORD_START - 1;
		}
		str_add_n(out, buf, k);
		used += k;
		i += len;
	}
	if (used)
		str_add(out, WORD_END);
}

void encode_field(struct str *out, const char *name, const char *value)
{
	AUTO(mem_free) char *text = clean(value);

	str_addf(out, "%s: ", name);
	/* Encoded words keep a run of spaces; folding would not. */
	if (is_ascii(text) && !strstr(text, "=?") && !strstr(text, "  ") &&
	    longest_word(text) + strlen(name) + 2 <= MAX_LINE)
		add_folded(out, text + strspn(text, " "));
	else
		add_words(out, text);
	str_add(out, "\r\n");
}

static void add_quoted(struct str *out, const char *s)
{
	str_add_char(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			str_add_char(out, '\\');
		str_add_char(out, *s);
	}
	str_add_char(out, '"');
}

void encode_mailbox(struct str *out, const char *name, const char *display, const char *addr)
{
	static const char atoms[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789!#$%&'*+-/^_{|}~ ";
	AUTO(mem_free) char *text = clean(display);

	str_addf(out, "%s: ", name);
	if (!is_ascii(text) || strstr(text, "=?") || strlen(text) > MAX_QUOTED)
		add_words(out, text);
	else if (strspn(text, atoms) == strlen(text))
		str_add(out, text + strspn(text, " "));
	else
		add_quoted(out, text);
	if (*text && column(out) + strlen(addr) + 3 > MAX_LINE)
		fold(out);
	else if (*text)
		str_add_char(out, ' ');
	str_addf(out, "<%s>\r\n", addr);
}

/* Would some MTA change the line?  (mbox quotes "From ", SMTP doubles a dot.) */
static bool is_fragile(const char *line, size_t n)
{
	return (n >= 5 && memcmp(line, "From ", 5) == 0) || (n && line[0] == '.');
}

bool encode_is_7bit(const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		if (n > MAX_LINE || is_fragile(text, n))
			return false;
		for (size_t i = 0; i < n; i++) {
			unsigned char c = (unsigned char)text[i];

			if (c >= 0x7f || (c < ' ' && c != '\t'))
				return false;
		}
		text += n + (text[n] == '\n');
	}
	return true;
}

void encode_7bit(struct str *out, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		str_add_n(out, text, n);
		str_add(out, "\r\n");
		text += n + (text[n] == '\n');
	}
}

/* Writes one character as quoted-printable to buf; returns the length, 0 for a control
 * character.  first, last: its place in the line; MTAs strip blanks at the end. */
static size_t qp_char(uint32_t c, bool first, bool last, bool fragile, char *buf)
{
	char raw[4];
	size_t n = utf8_encode(c, raw), k = 0;

	if ((c < ' ' && c != '\t') || (c >= 0x7f && c < 0xa0))
		return 0;
	if (c < 0x7f && c != '=' && !(first && fragile) && !(last && (c == ' ' || c == '\t'))) {
		buf[0] = raw[0];
		return 1;
	}
	for (size_t i = 0; i < n; i++)
		k += hex_byte((unsigned char)raw[i], buf + k);
	return k;
}

/* The number of bytes, at most room, that need no code.  A space at the end of the line
 * needs one. */
static size_t plain_bytes(const char *s, size_t n, size_t room)
{
	size_t k = 0;

	while (k < room && k < n && s[k] >= ' ' && s[k] < 0x7f && s[k] != '=' &&
	       (s[k] != ' ' || k + 1 < n))
		k++;
	return k;
}

static void qp_line(struct str *out, const char *line, size_t n)
{
	const bool fragile = is_fragile(line, n);
	size_t used = 0;

	for (size_t i = 0; i < n;) {
		char buf[12];
		uint32_t c;
		size_t plain = i || !fragile ? plain_bytes(line + i, n - i, MAX_QP - 1 - used) : 0;

		if (plain) {
			str_add_n(out, line + i, plain);
			used += plain;
			i += plain;
			continue;
		}
		size_t len = utf8_decode(line + i, n - i, &c);
		size_t k = qp_char(c, i == 0, i + len == n, fragile, buf);

		if (used + k > MAX_QP - 1) {
			str_add(out, "=\r\n");
			used = 0;
			/* The next character begins a line now. */
			if (is_fragile(line + i, n - i))
				k = qp_char(c, true, false, true, buf);
		}
		str_add_n(out, buf, k);
		used += k;
		i += len;
	}
	str_add(out, "\r\n");
}

void encode_quoted_printable(struct str *out, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		qp_line(out, text, n);
		text += n + (text[n] == '\n');
	}
}

bool encode_html_fits(const char *html)
{
	while (*html) {
		size_t n = (size_t)(strchrnul(html, '\n') - html);
		unsigned high = 0, control = 0;

		if (n > MAX_HTML || is_fragile(html, n))
			return false;
		/* Without branches: this sees every byte of every mail. */
		for (size_t i = 0; i < n; i++) {
			unsigned char c = (unsigned char)html[i];

			control |= (c < ' ' && c != '\t') | (c == 0x7f);
			high += c > 0x7f;
		}
		/* Of two bytes "&#2047;" is made. */
		if (control || n + 3 * high > MAX_HTML)
			return false;
		html += n + (html[n] == '\n');
	}
	return true;
}

/* One character of several bytes, but no control character, which browsers take for
 * another one; returns its length. */
static size_t add_number(struct str *out, const char *s)
{
	char text[16];
	uint32_t c;
	size_t n = utf8_decode(s, strnlen(s, 4), &c), at = sizeof text;

	if (c < 0xa0)
		return n;
	text[--at] = ';';
	do {
		text[--at] = (char)('0' + c % 10);
		c /= 10;
	} while (c);
	text[--at] = '#';
	text[--at] = '&';
	str_add_n(out, text + at, sizeof text - at);
	return n;
}

void encode_html(struct str *out, const char *html)
{
	const char *p = html;

	while (*p) {
		size_t n = 0;

		while (p[n] && p[n] != '\n' && (unsigned char)p[n] < 0x80)
			n++;
		str_add_n(out, p, n);
		p += n;
		if (*p == '\n') {
			str_add_n(out, "\r\n", 2);
			p++;
		} else if (*p) {
			p += add_number(out, p);
		}
	}
	if (p > html && p[-1] != '\n')
		str_add_n(out, "\r\n", 2);
}

void encode_base64(struct str *out, const void *bytes, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *b = bytes;

	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = (uint32_t)b[i] << 16 | (i + 1 < n ? (uint32_t)b[i + 1] << 8 : 0) |
		             (i + 2 < n ? b[i + 2] : 0u);
		char four[4] = { digits[v >> 18], digits[v >> 12 & 63],
			         i + 1 < n ? digits[v >> 6 & 63] : '=',
			         i + 2 < n ? digits[v & 63] : '=' };

		str_add_n(out, four, 4);
		if (i / 3 % 19 == 18 || i + 3 >= n)
			str_add(out, "\r\n");
	}
}
