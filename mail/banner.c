#include "mail/banner.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "mail/mail_phrases.h"
#include "pbm/base/str.h"

#define MAX_LINES 12    /* of one warning */
#define MAX_LINE 1000   /* bytes of a line; longer ones are no warning */
#define MIN_FOLDED 50   /* bytes of a line that was folded for its length */
#define MIN_LAST_WORD 4 /* letters of a folded warning's last word: "safe." */
#define MAX_TAG 40

/* The first line of text without its line end, in buf; its length with the line end. */
static size_t copy_line(const char *text, char buf[MAX_LINE])
{
	size_t n = strcspn(text, "\n"), k = n < MAX_LINE ? n : 0;

	memcpy(buf, text, k);
	buf[k] = '\0';
	return n + (text[n] == '\n');
}

static bool is_blank(const char *s)
{
	while (*s) {
		size_t n = strspn(s, " \t\r");

		n = n ? n : str_prefix(s, "\u00a0");
		n = n ? n : str_prefix(s, "\u200b");
		n = n ? n : str_prefix(s, "\ufeff");
		if (n == 0)
			return false;
		s += n;
	}
	return true;
}

static bool is_rule(const char *s)
{
	size_t n = strspn(s, "*-=_#~!+| ");

	return n > 3 && !s[n];
}

/* The length of a tag at the beginning of s, "[EXTERNAL]" or "*** External ***", with
 * the spaces after it; else 0. */
static size_t tag_length(const char *s)
{
	static const char *const marks[][2] = {
		{ "[", "]" },   { "(", ")" }, { "{", "}" },   { "***", "***" }, { "*", "*" },
		{ "【", "】" }, { "<", ">" }, { "**", "**" }, { "!!", "!!" },   { "#", "#" },
		{ "「", "」" }, { "=", "=" }, { "［", "］" }, { "--", "--" },
	};

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		char inside[MAX_TAG];
		size_t open = str_prefix(s, marks[i][0]);
		const char *end = open ? strstr(s + open, marks[i][1]) : NULL;

		if (!end || end == s + open || (size_t)(end - s) - open >= MAX_TAG)
			continue;
		memcpy(inside, s + open, (size_t)(end - s) - open);
		inside[(size_t)(end - s) - open] = '\0';
		const char *word = inside + strspn(inside, " *");
		if (!str_holds_any(inside, mail_phrases_outside) &&
		    !(str_prefix(word, "ext") && !isalpha((unsigned char)word[3])))
			continue;
		size_t n = (size_t)(end - s) + strlen(marks[i][1]);
		return n + strspn(s + n, " \t:*");
	}
	return 0;
}

/* Does the line warn of mail from outside? */
static bool is_warning(const char *s)
{
	if (str_holds_any(s, mail_phrases_tips))
		return true;
	return str_holds_any(s, mail_phrases_outside) &&
	       (str_holds_any(s, mail_phrases_mails) || str_holds_any(s, mail_phrases_dangers));
}

/* Does a sentence end with s? */
static bool is_end(const char *s)
{
	static const char *const ends[] = {
		".", "!", "?", ":", ">", ")", "]", "*", "。", "！", NULL
	};
	size_t n = str_trim(s, strlen(s), " \r");

	return str_ends_any(s, n, ends) || str_holds_any(s, mail_phrases_tips);
}

/* Can s be the rest of a sentence that was folded, and no move or command? */
static bool is_folded_rest(const char *s)
{
	if (s[strcspn(s, "0123456789")])
		return false;
	return strchr(s, ' ') || (strlen(s) > MIN_LAST_WORD && is_end(s));
}

/* Does the warning whose last line was above go on with the line s? */
static bool goes_on(const char *above, const char *s)
{
	if (is_warning(s) || is_rule(s))
		return true;
	if (strchr(s, ' ') && str_holds_any(s, mail_phrases_dangers) &&
	    (str_holds_any(s, mail_phrases_mails) || is_end(s)))
		return true;
	return strlen(above) >= MIN_FOLDED && !is_end(above) && is_folded_rest(s);
}

/* The offset after the warning that begins with text; 0: none does. */
static size_t one_end(const char *text)
{
	char line[MAX_LINE], above[MAX_LINE];
	size_t at = copy_line(text, line), tag = tag_length(line);

	if (tag && line[tag] && !is_warning(line + tag))
		return tag;
	if (!tag && !is_warning(line))
		return 0;
	for (int n = 1; n < MAX_LINES && text[at]; n++) {
		memcpy(above, line, sizeof above);
		size_t len = copy_line(text + at, line);

		if (is_blank(line) || !goes_on(above, line))
			break;
		at += len;
	}
	return at;
}

size_t banner_end(const char *text)
{
	char line[MAX_LINE];
	size_t end = 0;

	for (size_t at = 0; text[at];) {
		size_t len = copy_line(text + at, line), indent = strspn(text + at, " \t");

		if (is_blank(line) || is_rule(line)) {
			at += len;
			if (end && is_blank(line))
				end = at;
			continue;
		}
		len = one_end(text + at + indent);
		if (len == 0)
			break;
		at += indent + len;
		end = at;
	}
	return end;
}
