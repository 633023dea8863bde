#include "pbm/text/text.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "pbm/base/utf8.h"
#include "pbm/base/zone.h"

#define LONG_WORD 100 /* bytes */

void text_date(int64_t t, const char *zone, struct str *out)
{
	static const char *const days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
		                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	struct zone z;
	struct tm tm;

	zone_load(zone, t, t, &z);
	time_t local = (time_t)zone_local(&z, t);
	gmtime_r(&local, &tm);
	str_addf(out, "%s %d %s %d, %02d:%02d (%s)", days[tm.tm_wday], tm.tm_mday,
	         months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min,
	         zone && zone_is_known(zone) ? zone : "UTC");
}

void text_date_end(int64_t t, const char *zone, struct str *out)
{
	struct zone z;

	zone_load(zone, t, t, &z);
	text_date(zone_local(&z, t) % 86400 == 0 ? t - 1 : t, zone, out);
}

static void unit(struct str *out, int64_t n, const char *name)
{
	str_addf(out, "%s%lld %s%s", out->len ? " " : "", (long long)n, name, n == 1 ? "" : "s");
}

void text_duration(int64_t seconds, struct str *out)
{
	struct str s = STR_LOCAL(80);
	int64_t minutes = seconds < 0 ? 0 : seconds / 60, hours = minutes / 60, days = hours / 24;

	if (days > 0)
		unit(&s, days, "day");
	if (hours % 24 && days < 10)
		unit(&s, hours % 24, "hour");
	if (days == 0 && minutes % 60)
		unit(&s, minutes % 60, "minute");
	str_add(out, s.len ? s.data : "less than a minute");
}

void text_fill_within(const char *text, size_t columns, struct str *out)
{
	size_t column = 0;

	while (*text) {
		if (*text == '\n') {
			str_add_char(out, '\n');
			column = 0;
			text++;
			continue;
		}
		size_t spaces = strspn(text, " "), n = strcspn(text + spaces, " \n");
		size_t width = utf8_columns(text + spaces, n);

		if (column && n && column + spaces + width > columns) {
			str_add_char(out, '\n');
			column = 0;
			spaces = 0;
			text += strspn(text, " ");
		}
		str_add_n(out, text, spaces + n);
		column += spaces + width;
		text += spaces + n;
	}
}

void text_fill(const char *text, struct str *out)
{
	text_fill_within(text, TEXT_WIDTH, out);
}

void text_list(struct str *out, size_t i, size_t n, const char *item, const char *last)
{
	if (i > 0 && i + 1 == n)
		str_addf(out, " %s ", last);
	else if (i > 0)
		str_add(out, ", ");
	str_add(out, item);
}

/* Appends the words of a line, those that are too far right on lines of their own below it. */
static void hang_line(const char *line, size_t n, size_t indent, struct str *out)
{
	size_t column = indent;

	str_add_n(out, line, indent);
	for (size_t i = indent, word; i < n; i += word) {
		size_t blanks = strspn(line + i, " ");

		word = strcspn(line + i + blanks, " \n");
		size_t width = utf8_count(line + i + blanks, word);
		if (column > indent && column + blanks + width > TEXT_WIDTH) {
			str_addf(out, "\n%.*s", (int)indent, line);
			column = indent;
		} else {
			str_add_n(out, line + i, blanks);
			column += blanks;
		}
		str_add_n(out, line + i + blanks, word);
		column += width;
		word += blanks;
	}
}

/* A term in a list of games, or the help of a command. */
static bool is_term(const char *line, size_t, size_t indent)
{
	return indent >= TEXT_HANGING
	               ? isupper((unsigned char)line[indent])
	               : indent == TEXT_HELP && !isdigit((unsigned char)line[indent]);
}

/* No command, which stands further right, no quotation, and no row of a table. */
static bool is_sentence(const char *line, size_t n, size_t indent)
{
	return indent < TEXT_COMMAND && !strchr("|>", line[indent]) &&
	       !memmem(line + indent, n - indent, "   ", 3);
}

static void hang_lines(const char *text, bool (*may)(const char *, size_t, size_t), struct str *out)
{
	while (*text) {
		size_t n = strcspn(text, "\n"), indent = strspn(text, " ");

		if (utf8_count(text, n) > TEXT_WIDTH && may(text, n, indent))
			hang_line(text, n, indent, out);
		else
			str_add_n(out, text, n);
		text += n;
		if (*text) {
			str_add_char(out, '\n');
			text++;
		}
	}
}

void text_hang(const char *text, struct str *out)
{
	hang_lines(text, is_term, out);
}

void text_narrow(const char *text, struct str *out)
{
	hang_lines(text, is_sentence, out);
}

void text_straight(const char *text, size_t n, struct str *out)
{
	for (size_t i = 0; i < n;) {
		uint32_t c;
		size_t len = utf8_decode(text + i, n - i, &c);

		if (!(c >= 0x202a && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069))
			str_add_n(out, text + i, len);
		i += len;
	}
}

size_t text_cut(const char *text, size_t max)
{
	size_t n = utf8_cut(text, strlen(text), max), word = n;

	if (!text[n])
		return n;
	while (word && !isspace((unsigned char)text[word]))
		word--;
	while (word && isspace((unsigned char)text[word - 1]))
		word--;
	return word + LONG_WORD < n ? n : word;
}
