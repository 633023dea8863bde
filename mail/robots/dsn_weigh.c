/* Weighs refusals by their status codes and words. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "mail/lines.h"
#include "mail/robots/dsn.h"
#include "mail/robots/robot_phrases.h"
#include "pbm/base/str.h"

#define GUESS_BYTES 8192 /* so much of the prose is read */
#define GUESS_LINES 100

/* Enhanced status codes (RFC 3463).  The first prefix that matches decides. */
/* clang-format off */
static const struct { const char *prefix; enum dsn_weight weight; } codes[] = {
	{ "5.1.7", DSN_SOFT },               /* the sender's address */
	{ "5.1.8", DSN_SOFT },
	{ "5.1.9", DSN_SOFT },               /* non-compliant gateway */
	{ "5.2.0", DSN_SOFT },               /* filters, locks */
	{ "5.2.2", DSN_SOFT },               /* full */
	{ "5.2.3", DSN_SOFT },               /* too long */
	{ "5.2.4", DSN_SOFT },
	{ "5.3", DSN_SOFT },                 /* their system */
	{ "5.4.1", DSN_HARD },               /* Exchange: recipient address rejected */
	{ "5.4.310", DSN_HARD },             /* no such domain */
	{ "5.4.4", DSN_HARD },               /* no such host */
	{ "5.4", DSN_SOFT },                 /* network, loops, time-outs */
	{ "5.5", DSN_SOFT },                 /* protocol */
	{ "5.6", DSN_SOFT },                 /* content */
	{ "5.7", DSN_SOFT },                 /* policy, spam, authentication */
	{ "5.", DSN_HARD },
	{ "4.", DSN_SOFT },
};
/* clang-format on */

static void lower(const char *text, char *out, size_t size)
{
	size_t i = 0;

	for (; text[i] && i + 1 < size; i++)
		out[i] = (char)tolower((unsigned char)text[i]);
	out[i] = '\0';
}

/* The length of a status code ("5.1.1") at s, or 0; a part of a longer number or name
 * is none. */
static size_t code_at(const char *text, const char *s)
{
	size_t n = 1;

	if ((*s != '4' && *s != '5') || s[1] != '.' || s[2] < '0' || s[2] > '7' || s[3] != '.' ||
	    (s > text && (isalnum((unsigned char)s[-1]) || s[-1] == '.')))
		return 0;
	n = 4 + strspn(s + 4, "0123456789");
	return n > 4 && n < 8 && !(s[n] == '.' && isdigit((unsigned char)s[n + 1])) ? n : 0;
}

/* Finds the first status code in the text. */
static bool find_code(const char *text, char out[DSN_CODE_SIZE])
{
	for (const char *s = text; *s; s++) {
		size_t n = code_at(text, s);

		if (n) {
			snprintf(out, DSN_CODE_SIZE, "%.*s", (int)n, s);
			return true;
		}
	}
	return false;
}

/* The first digit, '5' or '4', of an SMTP reply code in the text, or 0. */
static char find_reply(const char *text)
{
	static const char *const replies[] = { "550", "551", "552", "553", "554", "521", "541",
		                               "556", "571", "421", "450", "451", "452" };

	for (size_t i = 0; i < sizeof replies / sizeof *replies; i++)
		for (const char *s = text; (s = strstr(s, replies[i])); s += 3)
			if ((s == text ||
			     !(isalnum((unsigned char)s[-1]) || strchr(".-:", s[-1]))) &&
			    strchr(" -,#:\t", s[3]))
				return *s;
	return '\0';
}

static enum dsn_weight weigh_code(const char *code)
{
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (strncmp(code, codes[i].prefix, strlen(codes[i].prefix)) == 0)
			return codes[i].weight;
	return DSN_SOFT;
}

/* No code, or one such as "5.0.0" that gives no reason. */
static bool is_vague(const char *code)
{
	return !*code || strcmp(code + 1, ".0.0") == 0;
}

/* Weighs a permanent refusal. */
static enum dsn_weight weigh_refusal(const char *code, const char *words)
{
	/* The server refuses our address, not the recipient's. */
	if (strcmp(code, "5.1.7") == 0 || strcmp(code, "5.1.8") == 0)
		return DSN_SOFT;
	if (str_holds_any(words, robot_phrases_full))
		return DSN_SOFT;
	if (strcmp(code, "5.1.1") == 0 || str_holds_any(words, robot_phrases_gone))
		return DSN_HARD;
	if (str_holds_any(words, robot_phrases_policy))
		return DSN_SOFT;
	return is_vague(code) ? DSN_HARD : weigh_code(code);
}

enum dsn_weight dsn_weigh(const char *status, const char *text)
{
	char words[1000], code[DSN_CODE_SIZE];

	lower(text, words, sizeof words);
	snprintf(code, sizeof code, "%s", status);
	/* The server's words may hold a code that says more. */
	if (is_vague(code))
		find_code(words, code);
	bool never = *code ? *code == '5' : find_reply(words) != '4';
	return never ? weigh_refusal(code, words) : DSN_SOFT;
}

/* The weight of one line of prose; DSN_NOTHING when it gives no reason. */
static enum dsn_weight guess_line(const char *line, const char *words, char code[DSN_CODE_SIZE])
{
	bool coded = find_code(words, code), is_gone = str_holds_any(words, robot_phrases_gone),
	     is_full = str_holds_any(words, robot_phrases_full);
	bool reply = find_reply(words) != '\0';

	if (!coded && !reply && !is_gone && !is_full)
		return DSN_NOTHING;
	/* An SMTP reply code alone says too little: without words or a status code it
	 * is soft. */
	return coded || is_gone ? dsn_weigh(code, line) : DSN_SOFT;
}

enum dsn_weight dsn_guess(struct arena *a, const char *text, char code[DSN_CODE_SIZE],
                          const char **line)
{
	const char *p = text, *end = text + strnlen(text, GUESS_BYTES);
	enum dsn_weight found = DSN_NOTHING;
	struct line l;

	code[0] = '\0';
	*line = "";
	for (int n = 0; n < GUESS_LINES && line_next(&p, end, &l); n++) {
		char words[1000];
		const char *whole = arena_strndup(a, l.s, l.n);

		lower(whole, words, sizeof words);
		if (str_holds_any(words, robot_phrases_waiting))
			return DSN_NOTHING;
		if (n > 3 && str_holds_any(words, robot_phrases_copy))
			break;
		if (found == DSN_NOTHING && (found = guess_line(whole, words, code)) != DSN_NOTHING)
			*line = whole;
	}
	return found == DSN_NOTHING ? DSN_SOFT : found;
}
