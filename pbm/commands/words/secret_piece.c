#include "pbm/commands/words/secret_piece.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "pbm/base/str.h"
#include "pbm/commands/words/command.h"
#include "pbm/people/password.h"

#define PLAIN_SIGNS "'-/.,:;!?()\"*" /* of words that are no passwords */

bool secret_piece_is_address(const char *s, size_t n)
{
	const char *at = memchr(s, '@', n),
		   *dot = at ? memchr(at, '.', n - (size_t)(at - s)) : NULL;

	return memmem(s, n, "://", 3) || (n > 4 && strncasecmp(s, "www.", 4) == 0) ||
	       (dot && dot + 1 < s + n && str_is_alnum(dot[1]));
}

size_t secret_piece_cut(const char *s, size_t n, struct secret_piece *out)
{
	bool address = secret_piece_is_address(s, n);
	size_t count = 0;

	for (const char *p = s; p < s + n; p++) {
		struct secret_piece *last = count ? &out[count - 1] : NULL;

		if (!str_is_alnum(*p))
			continue;
		bool joins = address && last &&
		             strspn(last->end, ".-_%") >= (size_t)(p - last->end);
		if (!last || (last->end != p && !joins)) {
			last = &out[count++];
			last->start = p;
		}
		last->end = p + 1;
	}
	return count;
}

bool secret_piece_is_move(struct arena *a, const char *s, size_t n)
{
	const char *bare = command_move_text(arena_strndup(a, s, n));

	return game_looks_like_move(bare, strlen(bare));
}

/* Letters with digits, or many digits, and no move? */
static bool is_mixed(struct arena *a, const struct secret_piece *p)
{
	size_t letters = 0, digits = 0, n = (size_t)(p->end - p->start);

	for (const char *s = p->start; s < p->end; s++) {
		letters += str_is_letter(*s);
		digits += isdigit((unsigned char)*s) != 0;
	}
	return n >= PASSWORD_MIN && (digits == n || (letters && digits)) &&
	       !secret_piece_is_move(a, p->start, n);
}

/* Are all pieces moves, numbers or short: "12...Nf3", "Nf3/Nc3"? */
static bool is_notation(struct arena *a, const struct secret_piece *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = (size_t)(p[i].end - p[i].start), digits = 0;

		while (digits < len && isdigit((unsigned char)p[i].start[digits]))
			digits++;
		if (digits < len && len > 1 && !secret_piece_is_move(a, p[i].start, len))
			return false;
	}
	return true;
}

bool secret_piece_looks(struct arena *a, const char *word, size_t len, const struct secret_piece *p,
                        size_t n, bool pair)
{
	size_t letters = 0, digits = 0, signs = 0, dashes = 0;
	bool option = *word == '-' && str_is_letter(word[1]); /* "-days=3" */

	for (size_t i = 0; i < n; i++)
		if (is_mixed(a, &p[i]))
			return true;
	if (n == 0 || option || secret_piece_is_address(word, len) ||
	    secret_piece_is_move(a, word, len))
		return false;
	for (const char *s = p[0].start; s < p[n - 1].end; s++) {
		letters += str_is_letter(*s);
		digits += isdigit((unsigned char)*s) != 0;
		signs += ispunct((unsigned char)*s) && !strchr(PLAIN_SIGNS, *s);
		dashes += *s == '-';
	}
	return letters && (digits || signs || dashes > !pair) && !is_notation(a, p, n);
}
