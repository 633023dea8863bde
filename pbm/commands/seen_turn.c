#include "pbm/commands/seen_turn.h"

#include <string.h>

#include "games/notation/notation.h"
#include "mail/plain.h"
#include "mail/reply/reply.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/record/match.h"
#include "pbm/text/words.h"

#define GUESSES_MAX 3 /* refused lines of a mail for which the move among its words is looked for */
#define MAN_MIN 4     /* letters of a man's name */

/* The turn that the words at s begin with, in words ("Springer f6") or as one; *words: its
 * number of words.  NULL: it is none. */
static const char *turn_at(struct request *q, const char *s, size_t *words)
{
	char buf[80];
	struct str spelled = STR_FIXED(buf);
	const char *line = arena_strndup(q->arena, s, strcspn(s, "\n"));
	size_t used, n;

	*words = 1;
	if (first_line_spells(line, &spelled, &used)) {
		for (size_t i = 0; i < used; i++)
			*words += line[i] == ' ' && line[i + 1] != ' ';
		return arena_strdup(q->arena, buf);
	}
	line = plain_line(q->arena, arena_strndup(q->arena, line, strcspn(line, " \t")));
	n = strlen(line);
	while (n && strchr(".,;:!?)", line[n - 1]))
		n--;
	line = arena_strndup(q->arena, line, n);
	return strpbrk(line, "12345678O0") && game_looks_like_move(line, n) ? line : NULL;
}

/* "Nd4" for "knight" and "d4"; NULL: the word names no man. */
static const char *names_man(struct arena *a, const char *word, const char *square)
{
	char text[40];
	struct str s = STR_FIXED(text);
	const char *line = arena_printf(a, "%.20s %s", word, square);

	return strlen(word) >= MAN_MIN && game_spell_move(line, strlen(line), &s) &&
	                       strchr("NBRQK", *text)
	               ? arena_strdup(a, text)
	               : NULL;
}

const char *seen_turn_of(struct request *q, int64_t board)
{
	const struct match *m = board ? request_match(q, board, NULL) : NULL;
	uint8_t seat = m && q->who.known ? match_seat_of(m, q->who.player.userid) : SEAT_NONE;
	const char *found = NULL;
	struct words w;

	/* Many lines may be refused, and the whole mail is read for each answer. */
	if (seat == SEAT_NONE || q->note_count > GUESSES_MAX)
		return NULL;
	words_split(q->arena, reply_text(q->arena, q->mail.text), &w);
	const char *man = NULL;
	for (size_t i = 0, used; i < w.n; i += used) {
		const char *word = turn_at(q, w.v[i].start, &used);

		if (names_man(q->arena, w.v[i].text, "a1"))
			man = w.v[i].text;
		if (word && man && strlen(word) == 2) /* "the knight should go to d4" */
			word = names_man(q->arena, man, word);
		if (!word || !turn_is_legal(q, m, seat, word))
			continue;
		if (found && strcmp(found, word) != 0)
			return NULL;
		found = word;
	}
	return found;
}
