#include "mail/charset.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

/* A byte becomes at most four. */
#define GROWTH 4

#define JIS "ISO-2022-JP-3"
#define SJIS "CP932"

/* iconv's names, and those in mails for them.  ISO-8859-1 is not here: it is read
 * as windows-1252, because many mails labelled so contain windows-1252. */
/* clang-format off */
static const struct { const char *name, *labels[11]; } known[] = {
	{ "ISO-8859-2", { "iso-8859-2", "latin2", "iso8859-2" } },
	{ "ISO-8859-3", { "iso-8859-3" } }, { "ISO-8859-4", { "iso-8859-4" } },
	{ "ISO-8859-5", { "iso-8859-5" } }, { "ISO-8859-6", { "iso-8859-6", "iso-8859-6-i" } },
	{ "ISO-8859-7", { "iso-8859-7" } },
	{ "ISO-8859-8", { "iso-8859-8", "iso-8859-8-i", "iso-8859-8-e", "logical" } },
	{ "ISO-8859-9", { "iso-8859-9", "latin5" } }, { "ISO-8859-10", { "iso-8859-10" } },
	{ "ISO-8859-13", { "iso-8859-13" } }, { "ISO-8859-14", { "iso-8859-14" } },
	{ "ISO-8859-15", { "iso-8859-15", "latin-9", "latin9", "iso8859-15" } },
	{ "ISO-8859-16", { "iso-8859-16" } },
	{ "CP1250", { "windows-1250", "cp1250", "x-cp1250" } },
	{ "CP1251", { "windows-1251", "cp1251", "win-1251", "x-cp1251" } },
	{ "CP1253", { "windows-1253", "cp1253" } }, { "CP1254", { "windows-1254", "cp1254" } },
	{ "CP1255", { "windows-1255", "cp1255" } }, { "CP1256", { "windows-1256", "cp1256" } },
	{ "CP1257", { "windows-1257", "cp1257" } }, { "CP1258", { "windows-1258", "cp1258" } },
	{ "CP874", { "windows-874", "cp874", "iso-8859-11" } }, { "TIS-620", { "tis-620" } },
	{ "KOI8-R", { "koi8-r", "koi8r", "koi8", "cskoi8r" } }, { "KOI8-U", { "koi8-u" } },
	{ "CP437", { "ibm437", "cp437" } }, { "CP850", { "ibm850", "cp850" } },
	{ "CP866", { "cp866", "ibm866" } },
	{ "MACINTOSH", { "macintosh", "x-mac-roman", "x-macintosh" } },
	{ "GB18030", { "gb2312", "gbk", "gb18030", "gb_2312-80", "x-gbk", "cp936", "ms936", "euc-cn", "csgb2312", "x-gb18030" } },
	{ "BIG5-HKSCS", { "big5", "big5-hkscs", "cp950", "x-x-big5" } },
	{ JIS, { "iso-2022-jp", "iso-2022-jp-ms", "cp50220", "cp50221", "cp50222", "csiso2022jp", "iso-2022-jp-1", "iso-2022-jp-2", "iso-2022-jp-3" } },
	{ SJIS, { "shift_jis", "shift-jis", "windows-31j", "cp932", "sjis", "x-sjis", "ms_kanji", "csshiftjis", "ms932" } },
	{ "EUC-JP-MS", { "euc-jp", "x-euc-jp", "eucjp-ms" } },
	{ "CP949", { "uhc", "cp949", "windows-949", "ksc5601", "ks_c_5601", "x-windows-949", "euc-kr", "ks_c_5601-1987" } },
	{ "JOHAB", { "johab" } }, { "EUC-TW", { "euc-tw" } }, { "CP852", { "ibm852", "cp852" } },
	{ "CP855", { "ibm855" } }, { "MAC-CYRILLIC", { "x-mac-cyrillic" } },
	{ "VISCII", { "viscii" } }, { "TCVN", { "tcvn" } }, { "ISO-2022-KR", { "iso-2022-kr" } },
	{ "UTF-16", { "utf-16" } }, { "UTF-16LE", { "utf-16le" } }, { "UTF-16BE", { "utf-16be" } },
};
/* clang-format on */

/* Text with these labels is windows-1252 even when it is valid UTF-8. */
static const char *const latin[] = { "iso-8859-1",   "iso8859-1", "iso_8859-1", "latin1",
	                             "windows-1252", "cp1252",    NULL };

/* 0x80 to 0x9f of windows-1252. */
static const uint16_t cp1252[32] = {
	0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
	0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd, 0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
	0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178,
};

/* The label for UTF-16 text.  Without a byte order mark, the half of the bytes with
 * more zeros holds the high bytes.  (RFC 2781 §4.3 says big endian, but few programs
 * keep to it.) */
static const char *byte_order(const char *bytes, size_t n)
{
	size_t zeros[2] = { 0, 0 };

	if (n >= 2 && (memcmp(bytes, "\xfe\xff", 2) == 0 || memcmp(bytes, "\xff\xfe", 2) == 0))
		return "utf-16";
	for (size_t i = 0; i < n; i++)
		zeros[i % 2] += bytes[i] == '\0';
	return zeros[1] > zeros[0] ? "utf-16le" : "utf-16be";
}

#define COUNT (sizeof known / sizeof *known)
#define MAX_LABEL 16

/* Converters that charset_load() keeps open. */
static iconv_t loaded[COUNT];
static bool is_loaded[COUNT];

static bool is_label(const char *known_label, const char *label, size_t n)
{
	return tolower((unsigned char)*known_label) == tolower((unsigned char)*label) &&
	       strncasecmp(label, known_label, n) == 0 && !known_label[n];
}

/* The index in known[] of a label of n bytes, or COUNT. */
static size_t find_label(const char *label, size_t n)
{
	for (size_t i = 0; i < COUNT; i++)
		for (const char *const *l = known[i].labels; *l; l++)
			if (is_label(*l, label, n))
				return i;
	return COUNT;
}

static size_t find_row(const char *label)
{
	return find_label(label, strlen(label));
}

static bool is_label_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '-' || c == '_';
}

static uint64_t bit_of(size_t row)
{
	_Static_assert(COUNT <= 64, "each row has a bit");
	return UINT64_C(1) << row;
}

uint64_t charset_find(const char *bytes, size_t n)
{
	uint64_t found = 0;

	for (size_t i = 0, k; i < n; i += k + 1) {
		k = 0;
		while (i + k < n && is_label_char(bytes[i + k]))
			k++;
		size_t at = k > 2 && k <= MAX_LABEL ? find_label(bytes + i, k) : COUNT;
		if (at == COUNT)
			continue;
		found |= bit_of(at);
		if (strcmp(known[at].name, "UTF-16") == 0) /* byte_order() may choose these */
			found |= bit_of(find_row("utf-16le")) | bit_of(find_row("utf-16be"));
		if (strcmp(known[at].name, JIS) == 0) /* add_jis() needs it */
			found |= bit_of(find_row("cp932"));
	}
	return found;
}

void charset_load(uint64_t which)
{
	for (size_t row = 0; row < COUNT; row++)
		if (which & bit_of(row) && !is_loaded[row]) {
			loaded[row] = iconv_open("UTF-8", known[row].name);
			is_loaded[row] = loaded[row] != (iconv_t)-1;
		}
}

/* Adds one character, unless it is a control character. */
static void add(struct str *out, uint32_t c)
{
	char buf[4];

	if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || (c >= 0x7f && c < 0xa0))
		return;
	str_add_n(out, buf, utf8_encode(c, buf));
}

static void add_1252(struct str *out, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		add(out, c >= 0x80 && c < 0xa0 ? cp1252[c - 0x80] : c);
	}
}

static void add_utf8(struct str *out, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t c;

		i += utf8_decode(bytes + i, n - i, &c);
		add(out, c);
	}
}

/* false when the C library lacks this converter. */
static bool add_iconv(struct str *out, size_t row, const char *bytes, size_t n)
{
	char buf[4096];

	mem_watch();
	iconv_t cd = is_loaded[row] ? loaded[row] : iconv_open("UTF-8", known[row].name);
	mem_watched();
	if (cd == (iconv_t)-1)
		return false;
	iconv(cd, NULL, NULL, NULL, NULL);
	char *in = mem_strndup(bytes, n), *p = in;
	while (n) {
		char *q = buf;
		size_t room = sizeof buf;
		size_t rc = iconv(cd, &p, &n, &q, &room);

		add_utf8(out, buf, sizeof buf - room);
		if (rc == (size_t)-1 && errno == EILSEQ) {
			add(out, 0xfffd);
			p++;
			n--;
		} else if (rc == (size_t)-1 && errno != E2BIG) {
			break;
		}
	}
	free(in);
	if (!is_loaded[row])
		iconv_close(cd);
	return true;
}

/* ISO-2022-JP with the characters that Microsoft added to it (ISO-2022-JP-MS, CP50221).
 * The C library has no converter for these, but one for Shift_JIS with the same
 * additions (CP932). */

#define ESC 0x1b
#define SHIFT_OUT 0x0e
#define SHIFT_IN 0x0f

enum jis_set { ASCII, KANA, KANJI, OTHER };

/* The escape sequences that choose a character set, RFC 1468 and CP50221. */
static const struct {
	const char *text;
	enum jis_set set;
} escapes[] = {
	{ "$@", KANJI },  { "$B", KANJI },  { "(B", ASCII },  { "(J", ASCII },
	{ "(I", KANA },   { "(H", ASCII },  { "$(D", OTHER }, { "$(O", OTHER },
	{ "$(P", OTHER }, { "$(Q", OTHER }, { "$(C", OTHER }, { "$A", OTHER },
};

/* The length of the escape sequence at p, ESC included; 0: it is none that we know. */
static size_t read_escape(const unsigned char *p, size_t n, enum jis_set *set)
{
	for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
		size_t k = strlen(escapes[i].text);

		if (n > k && memcmp(p + 1, escapes[i].text, k) == 0) {
			*set = escapes[i].set;
			return k + 1;
		}
	}
	return 0;
}

/* One character of two bytes, each 0x21 to 0x7e. */
static void add_kanji(unsigned char row, unsigned char cell, struct str *out)
{
	unsigned lead = (row - 0x21U) / 2 + 0x81, trail;

	if (lead > 0x9f)
		lead += 0x40;
	if (row % 2)
		trail = cell + 0x1fU + (cell >= 0x60);
	else
		trail = cell + 0x7eU;
	str_add_char(out, (char)lead);
	str_add_char(out, (char)trail);
}

static bool is_graphic(unsigned char c)
{
	return c > 0x20 && c < 0x7f;
}

/* Adds n bytes of ISO-2022-JP-MS to out as CP932.  A character of another set becomes
 * "?". */
static void charset_jis(const char *bytes, size_t n, struct str *out)
{
	const unsigned char *p = (const unsigned char *)bytes, *end = p + n;
	enum jis_set set = ASCII;
	bool shifted = false;

	while (p < end) {
		size_t left = (size_t)(end - p), k = *p == ESC ? read_escape(p, left, &set) : 0;

		if (k) {
			p += k;
		} else if (*p == SHIFT_OUT || *p == SHIFT_IN) {
			shifted = *p++ == SHIFT_OUT;
		} else if (*p == '\n' || !is_graphic(*p)) {
			if (*p == '\n')
				set = ASCII;
			str_add_char(out, (char)*p++);
		} else if (shifted || set == KANA) {
			str_add_char(out, (char)(*p++ | 0x80));
		} else if (set == ASCII) {
			str_add_char(out, (char)*p++);
		} else if (left < 2 || !is_graphic(p[1])) {
			str_add_char(out, '?');
			p++;
		} else if (set == KANJI) {
			add_kanji(p[0], p[1], out);
			p += 2;
		} else {
			str_add_char(out, '?');
			p += 2;
		}
	}
}

/* Text of the ISO-2022-JP family that has Microsoft's additions, which iconv replaced. */
static void add_jis(struct str *out, const char *bytes, size_t n)
{
	AUTO(str_release) struct str sjis = str_heap(n * 2 + 1);

	charset_jis(bytes, n, &sjis);
	str_clear(out);
	add_iconv(out, find_row("cp932"), sjis.data, sjis.len);
}

/* CR LF and CR become LF, in place; returns the new length. */
static size_t unify_line_ends(char *s, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\r' && i + 1 < n && s[i + 1] == '\n')
			continue;
		s[k++] = s[i] == '\r' ? '\n' : s[i];
	}
	return k;
}

char *charset_to_utf8(struct arena *a, const char *charset, const char *bytes, size_t n)
{
	size_t row = charset ? find_row(charset) : COUNT;

	if (charset && strcasecmp(charset, "utf-16") == 0)
		row = find_row(byte_order(bytes, n));
	AUTO(str_release) struct str out = str_heap(n * GROWTH + 1);
	if (row == COUNT || !add_iconv(&out, row, bytes, n)) {
		if (!(charset && str_is_any(charset, latin)) && utf8_valid(bytes, n))
			add_utf8(&out, bytes, n);
		else
			add_1252(&out, bytes, n);
	} else if (strcmp(known[row].name, JIS) == 0 && strstr(out.data, "\ufffd")) {
		add_jis(&out, bytes, n);
	}
	return arena_strndup(a, out.data, unify_line_ends(out.data, out.len));
}
