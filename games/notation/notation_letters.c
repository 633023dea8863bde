#include "games/notation/notation_letters.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char english[] = "KQRBN";

/* The letters of each language, in the order of the English ones. */
static const char *const letters[][5] = {
	[TONGUE_ENGLISH] = { "K", "Q", "R", "B", "N" },
	[TONGUE_FIGURINE] = { "♔", "♕", "♖", "♗", "♘" },
	[TONGUE_GERMAN] = { "K", "D", "T", "L", "S" },
	[TONGUE_FRENCH] = { "R", "D", "T", "F", "C" },
	[TONGUE_SPANISH] = { "R", "D", "T", "A", "C" },
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

static bool is_square(const char *s)
{
	return s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' && s[1] <= '8';
}

/* The tail of a move with its origin as the bits say: 1 a file, 2 a rank. */
static size_t tail_of(const char *s, int origin)
{
	const char *p = s;

	if ((origin & 1) && !(*p >= 'a' && *p++ <= 'h'))
		return 0;
	if ((origin & 2) && !(*p >= '1' && *p++ <= '8'))
		return 0;
	p += *p == 'x' || *p == '@';
	if (!is_square(p))
		return 0;
	p += 2;
	/* An X follows a turn that removes men. */
	return is_word(*p) && !(*p == 'X' && !is_word(p[1])) ? 0 : (size_t)(p - s);
}

/* The length of what follows a piece's letter in a move: "f3", "bd7", "1xe2", "f1c4"; 0 when
 * it is no move. */
static size_t move_tail(const char *s)
{
	size_t n = 0;

	for (int origin = 0; origin < 4 && n == 0; origin++)
		n = tail_of(s, origin);
	return n;
}

/* Does a promotion's piece stand at s, after "e8="? */
static bool is_promotion(const char *text, const char *s)
{
	return s - text >= 3 && s[-1] == '=' && is_square(s - 3);
}

/* The piece whose letter in `from` begins at s: 0 to 4, or -1. */
static int letter_at(const char *const from[5], const char *s)
{
	for (int i = 0; i < 5; i++)
		if (strncmp(s, from[i], strlen(from[i])) == 0)
			return i;
	return -1;
}

/* The piece at s, if a move begins there, or if it is a promotion's. */
static int piece_at(const char *const from[5], const char *text, const char *s)
{
	int piece = letter_at(from, s);

	if (piece < 0)
		return -1;
	const char *behind = s + strlen(from[piece]);
	if (is_promotion(text, s))
		return is_word(*behind) && *behind != 'X' ? -1 : piece;
	return (s > text && is_word(s[-1])) || !move_tail(behind) ? -1 : piece;
}

void notation_say(enum tongue t, const char *text, struct str *out)
{
	for (const char *s = text; *s;) {
		int piece = t == TONGUE_ENGLISH ? -1 : piece_at(letters[TONGUE_ENGLISH], text, s);

		if (piece < 0) {
			str_add_char(out, *s++);
		} else {
			str_add(out, letters[t][piece]);
			s++;
		}
	}
}

/* Does a move begin at s that is to be translated: the line's first one, or one after "then"? */
static bool is_heard(const char *text, const char *s, size_t heard)
{
	static const char then[] = "then ", iff[] = "if ";

	return heard == 0 || is_promotion(text, s) ||
	       (s - text >= (long)sizeof then - 1 &&
	        strncasecmp(s - (sizeof then - 1), then, sizeof then - 1) == 0) ||
	       (s - text >= (long)sizeof iff - 1 &&
	        strncasecmp(s - (sizeof iff - 1), iff, sizeof iff - 1) == 0);
}

void notation_hear(enum tongue t, const char *text, struct str *out)
{
	size_t heard = 0;

	for (const char *s = text; *s;) {
		int piece = t == TONGUE_ENGLISH ? -1 : piece_at(letters[t], text, s);

		if (piece >= 0 && !(strlen(letters[t][piece]) == 1 && strchr(english, *s)) &&
		    is_heard(text, s, heard)) {
			heard++;
			str_add_char(out, english[piece]);
			s += strlen(letters[t][piece]);
		} else {
			str_add_char(out, *s++);
		}
	}
}
