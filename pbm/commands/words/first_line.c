#include "pbm/commands/words/first_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/record/ahead_tree.h"

#define MAX_GREETING 60                 /* bytes */
#define MAX_FRAMES 6                    /* brackets, labels and numbers around one move */
#define MAX_YES (FIRST_LINE_SIMPLE - 4) /* bytes of a line that says yes */
#define MAX_MOVE 96

/* "Bob,", "Lieber Bob,": one or two words of letters, and a comma. */
static bool is_name(const char *line)
{
	size_t n = strlen(line), words = 1;

	if (n < 3 || line[n - 1] != ',' || command_find(line, n - 1, NULL))
		return false;
	for (size_t i = 0; i + 1 < n; i++) {
		words += line[i] == ' ';
		if (!str_is_letter(line[i]) && !strchr(" '-", line[i]))
			return false;
	}
	return words <= 2;
}

bool first_line_is_greeting(const char *line)
{
	if (strlen(line) > MAX_GREETING || line[strcspn(line, "0123456789")])
		return false;
	line += str_prefix(line, "¡");
	return first_words_phrase(line, first_words_greeting) > 0 || is_name(line);
}

/* "Tel. 030 …": a line of a signature. */
static bool is_telephone(const char *line)
{
	static const char *const words[] = { "tel",       "phone", "mobile", "mobil",
		                             "handy",     "cell",  "fax",    "telefon",
		                             "telephone", "fon",   NULL };
	size_t n = first_words_phrase(line, words);

	n += n ? strspn(line + n, " .:/") : 0;
	return n && (isdigit((unsigned char)line[n]) || strchr("+(", line[n])) && line[n];
}

bool first_line_is_closing(const char *line)
{
	if (is_telephone(line))
		return true;
	size_t n = first_words_phrase(line, first_words_closing);
	const char *behind = line + n + strspn(line + n, " \t");

	return n && strlen(line) <= MAX_GREETING && (!*behind || strchr(",.!-", *behind));
}

bool first_line_spells(const char *line, struct str *out, size_t *used)
{
	for (size_t n = strnlen(line, MAX_MOVE); n; n--) {
		bool end = !line[n] || (strchr(",;.!(", line[n]) && strchr(" ", line[n + 1])) ||
		           (line[n] == ' ' &&
		            (line[n + 1] == '(' || first_line_is_please(line + n)));

		if (end && game_spell_move(line, n, out)) {
			*used = n;
			return true;
		}
	}
	return false;
}

static const char push_gaps[] = " ,;/+&("; /* between a move and a push */

static bool is_square(const char *s)
{
	return *s >= 'a' && *s <= 'h' && s[1] >= '1' && s[1] <= '8';
}

/* The end of the push that follows the n bytes of a move, added to it in out: " and push a6".  NULL:
 * none follows. */
static const char *push_behind(const char *line, size_t n, const char *move, struct str *out)
{
	size_t gap = strspn(line + n, push_gaps);
	const char *square = line + n + gap;
	size_t word = gap ? first_words_phrase(square, first_words_push) : 0;

	square += word ? word + strspn(square + word, " ") : 0;
	if (gap == 0 || gap > 3 || !is_square(square))
		return NULL;
	const char *end = square + 2;
	if (*end == '-' && is_square(end + 1)) /* "a2-a3" */
		end += 3;
	if (str_is_alnum(*end))
		return NULL;
	str_addf(out, "%s,%.*s", move, (int)(end - square), square);
	return end + (*end == ')');
}

const char *first_line_push(const char *line, struct str *out)
{
	char buf[MAX_MOVE];
	size_t first = strcspn(line, push_gaps);

	for (size_t n = strnlen(line, MAX_MOVE); n > first; n--) { /* "knight to f3, a6" */
		struct str spelled = STR_FIXED(buf);

		if (line[n] && strchr(push_gaps, line[n]) && game_spell_move(line, n, &spelled)) {
			const char *end = push_behind(line, n, buf, out);

			if (end)
				return end;
		}
	}
	bool whole = line[first] == ',' && strspn(line + first, push_gaps) == 1; /* "e6,f4" */
	if (first == 0 || first >= sizeof buf || whole || !game_looks_like_move(line, first))
		return NULL;
	memcpy(buf, line, first);
	buf[first] = '\0';
	return push_behind(line, first, buf, out);
}

bool first_line_is_move(const char *line)
{
	const char *text = command_move_text(line);
	struct str spelled = STR_LOCAL(MAX_MOVE);
	size_t used;

	return game_looks_like_move(text, command_guard_at(text)) ||
	       first_line_spells(text, &spelled, &used) || first_line_push(text, &spelled);
}

/* Is it one move, with nothing but a "please" after it? */
static bool is_one_move(const char *text)
{
	struct str spelled = STR_LOCAL(MAX_MOVE);
	size_t n = strcspn(text, " "), used;

	if (first_line_spells(text, &spelled, &used))
		return first_line_is_please(text + used);
	return game_looks_like_move(text, n) && first_line_is_please(text + n);
}

bool first_line_is_clear(const char *line)
{
	const char *text = command_move_text(line);
	size_t n = strcspn(text, " \t");
	struct str pushed = STR_LOCAL(MAX_MOVE);

	const char *rest = first_line_push(text, &pushed);
	if (is_one_move(text) || (rest && !rest[strspn(rest, " .!")]))
		return true;
	return n && game_looks_like_move(text, command_guard_at(text)) &&
	       (strchr(".,;:!?", text[n - 1]) || !text[n] ||
	        strchr("-(:;!?", text[n + strspn(text + n, " \t")]));
}

const char *first_line_next_turn(const char *text, size_t *n)
{
	static const char before[] = " \t,;.-(&/\"'[{+*>|", behind[] = ")]}\"'.,;!?";
	const char *p = text + strspn(text, before);
	bool castles = strncasecmp(p, "o-o", 3) == 0; /* "o" is also a word */
	size_t word = castles ? 0 : first_words_phrase(p, first_words_unless);

	p += word ? word + strspn(p + word, before) : 0;
	size_t digits = strspn(p, "0123456789"), len;
	if (digits && p[digits] && strchr(". \t", p[digits]))
		p += digits + strspn(p + digits, ". \t");
	for (len = strcspn(p, " \t"); len && strchr(behind, p[len - 1]);)
		len--;
	*n = len;
	return len && game_looks_like_move(p, len) ? p : NULL;
}

/* The length of the mark with which a sentence ends here, and of the blank after it; 0: none does. */
static size_t sentence_end(const char *s)
{
	static const char *const ends[] = { ". ", "! ", NULL };

	return str_prefix_any(s, ends);
}

bool first_line_has_second(const char *behind)
{
	size_t n, end = sentence_end(behind);
	bool sentence = end && first_words_phrase(behind + end, first_words_open);

	return !sentence && first_line_next_turn(behind, &n);
}

bool first_line_is_turns(const char *line)
{
	size_t n;
	const char *turn = first_line_next_turn(line, &n), *end = NULL;

	for (; turn; turn = first_line_next_turn(end, &n))
		end = turn + n;
	return end && !end[strspn(end, " \t)]}\"'.,;!?")];
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* Cuts one pair of brackets or marks, and the punctuation outside of it. */
static bool cut_brackets(char **s)
{
	static const char open[] = "[({<\"'`*_~|", close[] = "])}>\"'`*_~|";
	const char *at = **s ? strchr(open, **s) : NULL;
	size_t n = strlen(*s);

	while (at && n > 2 && strchr(".,;! ", (*s)[n - 1]) && strchr(*s + 1, close[at - open]))
		n--;
	if (!at || n < 3 || (*s)[n - 1] != close[at - open])
		return false;
	(*s)[n - 1] = '\0';
	++*s;
	return true;
}

/* Cuts "1)", "(1)", "-", "->" or a bullet from the front. */
static bool cut_bullet(char **s)
{
	static const char *const bullets[] = { "- ", "* ",  "-> ", "=> ", "--> ", "->",
		                               "=>", "•",   "·",   "→",   "➔",    "▶",
		                               "+ ", ">> ", "» ",  ": ",  ",",    NULL };
	size_t paren = **s == '(', digits = strspn(*s + paren, "0123456789");

	if (digits && digits < 4 && (*s)[paren + digits] == ')') {
		*s += paren + digits + 1;
		*s += strspn(*s, " .");
		return true;
	}
	for (const char *const *b = bullets; *b; b++) {
		size_t n = str_prefix(*s, *b);

		if (n) {
			*s += n;
			return true;
		}
	}
	return false;
}

/* Cuts "Move:" from the front. */
static bool cut_label(char **s)
{
	size_t n = first_words_phrase(*s, first_words_label);
	const char *sign = n ? skip_blanks(*s + n) : "";

	if (*sign != ':' && *sign != '=' && !(*sign == '-' && sign[1] == ' '))
		return false;
	*s += (size_t)(sign + 1 - *s);
	return true;
}

/* Cuts "I play" and "Hello!" from the front. */
static bool cut_sentence(char **s)
{
	size_t n = first_words_phrase(*s, first_words_sentence);

	if (n && strchr(" :-", (*s)[n])) {
		*s += n + strspn(*s + n, " :-");
		return true;
	}
	if (first_words_phrase(*s, first_words_greeting) == 0)
		return false;
	n = strcspn(*s, ",!.:-");
	if (n > MAX_GREETING || !(*s)[n] || (*s)[n + 1] != ' ')
		return false;
	*s += n + 1;
	return true;
}

/* Does it begin with "if", as a line of moves ahead does? */
static bool is_ahead(const char *text)
{
	return strncasecmp(text, "if", 2) == 0 && isspace((unsigned char)text[2]) &&
	       ahead_tree_is_line(text);
}

const char *first_line_move(struct arena *a, const char *line)
{
	char *s = arena_strdup(a, line);
	bool sentence = false, cut = false;

	for (int i = 0; i < MAX_FRAMES && *s; i++) {
		bool said = false;

		s += strspn(s, " \t");
		if (!cut_brackets(&s) && !cut_bullet(&s) && !cut_label(&s) &&
		    !(said = cut_sentence(&s)))
			break;
		cut = true;
		sentence = sentence || said;
	}
	s += strspn(s, " \t");
	if (cut && !sentence && is_ahead(s))
		return s;
	if (!cut || (sentence && strchr(s, '?')) || !is_one_move(command_move_text(s)))
		return line;
	return s;
}

/* "would lose a pawn", "? Hmm, not sure yet": a sentence about the move before it.  After a comma
 * another one may begin: "e4, can you see it?" */
static bool is_contrary(const char *behind)
{
	const char *next = behind + strspn(behind, " \t?!");

	if (first_words_phrase(next, first_words_contrary) &&
	    !first_words_phrase(next, first_words_meant))
		return true;
	for (const char *p = behind; *p; p += strcspn(p, " \t")) {
		p += strspn(p, " \t");
		if (first_words_phrase(p, first_words_not_sure))
			return true;
	}
	return false;
}

bool first_line_is_doubt(const char *behind)
{
	bool ends = sentence_end(behind);

	if (is_contrary(behind))
		return true;
	behind += strspn(behind, " ,;.-\t(?!");
	if (first_words_phrase(behind, first_words_or))
		return true;
	if (ends || !first_words_phrase(behind, first_words_unless))
		return false;
	for (const char *p = behind; *p; p += strcspn(p, " \t,;.-(?)!")) {
		p += strspn(p, " \t,;.-(?)!");
		size_t n = strcspn(p, " \t,;.-(?)!");

		if (n && game_looks_like_move(p, n))
			return true;
	}
	return false;
}

bool first_line_takes_back(const char *behind)
{
	static const char *const *const tables[] = { first_words_no, first_words_cancel,
		                                     first_words_open, first_words_excuse };
	bool said = false;

	for (;;) {
		size_t n = 0;

		behind += strspn(behind, " ,;.-\t()?!");
		for (size_t i = 0; i < sizeof tables / sizeof *tables && !n; i++) {
			n = first_words_phrase(behind, tables[i]);
			said |= n && tables[i] != first_words_excuse;
		}
		if (n == 0)
			return said && !*behind;
		behind += n;
	}
}

bool first_line_names_board(const char *behind, int64_t board)
{
	for (const char *p = behind; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		size_t n = *p == '#' ? 1 : first_words_phrase(p, first_words_board);
		const char *number = p + n + strspn(p + n, " ");
		size_t digits = strspn(number, "0123456789");
		/* "2: b5", but no time of day */
		bool colon = number[digits] == ':' && !isdigit((unsigned char)number[digits + 1]);

		if (digits && (n || colon) && strtoll(number, NULL, 10) != board)
			return true;
	}
	return false;
}

bool first_line_is_please(const char *behind)
{
	behind += strspn(behind, " ,;.!-\t");
	if (!*behind)
		return true;
	behind += first_words_phrase(behind, first_words_please);
	return !behind[strspn(behind, " .!")];
}

const char *first_line_without_please(struct arena *a, const char *line)
{
	for (const char *at = line + strcspn(line, " \t,"); *at; at += 1 + strcspn(at + 1, " \t,"))
		if (first_line_is_please(at))
			return arena_strndup(a, line, (size_t)(at - line));
	return line;
}

bool first_line_is_courtesy(const char *s)
{
	size_t n = first_words_phrase(s, first_words_courtesy);

	return (n && !s[n + strspn(s + n, " .!")]) || first_line_is_please(s);
}

/* The letter that the last letter of out and a combining mark make; 0: an unknown one. */
static uint32_t compose(char letter, uint32_t mark)
{
	static const struct {
		char letter;
		uint32_t mark, composed;
	} pairs[] = {
		{ 'i', 0x301, 0xed }, { 'i', 0x300, 0xec }, { 'a', 0x301, 0xe1 },
		{ 'a', 0x308, 0xe4 }, { 'o', 0x301, 0xf3 }, { 'a', 0x302, 0xe2 },
		{ 'e', 0x301, 0xe9 }, { 'i', 0x302, 0xee }, { 'o', 0x308, 0xf6 },
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		if (pairs[i].letter == letter && pairs[i].mark == mark)
			return pairs[i].composed;
	}
	return 0;
}

/* The small letter of a Latin or Russian capital; a blank for a picture. */
static uint32_t small(uint32_t c)
{
	if (c < 0x80)
		return (uint32_t)tolower((int)c);
	if ((c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x410 && c <= 0x42f))
		return c + 32;
	return c >= 0x1f000 || (c >= 0x2190 && c < 0x2c00) ? ' ' : c;
}

void first_line_simplify(const char *line, char out[FIRST_LINE_SIMPLE])
{
	size_t n = 0, left = strlen(line);

	while (left && n < MAX_YES) {
		uint32_t c;
		size_t k = utf8_decode(line, left, &c);
		bool mark = (c >= 0x300 && c < 0x370) || c == 0xa1; /* "¡vamos!" */
		uint32_t composed = mark && n ? compose(out[n - 1], c) : 0;

		line += k;
		left -= k;
		if (composed)
			n += utf8_encode(composed, out + n - 1) - 1;
		else if (!mark)
			n += utf8_encode(small(c), out + n);
	}
	while (n && strchr(" .,!;:)-", out[n - 1]))
		n--;
	out[n] = '\0';
}

bool first_line_declines(const char *text)
{
	static const char *const words[] = { "declin", "reject", "refuse", "abgelehnt",
		                             "ablehn", "rechaz", "rifiut", NULL };

	return str_holds_any(text, words);
}

bool first_line_says_but(const char *line)
{
	return first_words_phrase(line, first_words_but) > 0;
}
