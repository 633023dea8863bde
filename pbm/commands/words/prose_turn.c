#include "pbm/commands/words/prose_turn.h"

#include <ctype.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/base/str.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/piece_letters.h"
#include "pbm/record/match_text.h"

#define SPELLED_MAX 96
#define MAN_MIN 4      /* letters of a man's name */
#define LOOKED_MAX 200 /* words of a text that are looked at */

static bool reads_whole(struct request *q, const struct match *m, const struct pos *p,
                        const char *word, struct move *mv)
{
	const char *as[] = { piece_letters_word(q, word), word,
		             piece_letters_german(q->arena, word),
		             piece_letters_file(q->arena, word) };

	for (size_t i = 0; i < sizeof as / sizeof *as; i++)
		if (as[i] && game_read_move(&m->game, p, as[i], strlen(as[i]), mv, NULL,
		                            &(struct err){ 0 }) == 0)
			return true;
	return false;
}

const char *prose_turn_at(struct request *q, const struct match *m, const struct pos *p,
                          const struct prose_sentence *s, size_t i, size_t *next)
{
	struct str spelled = STR_LOCAL(SPELLED_MAX);
	const char *word = sentence_is_turn(s->v[i].word) ? s->v[i].word : NULL;
	struct move mv;
	size_t used;

	*next = i + 1;
	if (!first_line_spells(s->v[i].start, &spelled, &used) ||
	    (word && !reads_whole(q, m, p, spelled.data, &mv)))
		return word;
	*next = sentence_skip(s, i, used);
	return arena_strdup(q->arena, spelled.data);
}

bool prose_turn_reads(struct request *q, const struct match *m, const struct pos *p,
                      const char *word, struct move *mv)
{
	if (!sentence_is_turn(word))
		return false;
	if (reads_whole(q, m, p, word, mv))
		return true;
	struct moves *legal = m->game.rules->read_turn ? arena_alloc(q->arena, sizeof *legal)
	                                               : NULL;
	if (legal)
		game_legal(&m->game, p, legal);
	for (size_t i = 0; legal && i < legal->n; i++) {
		const char *san = match_turn(q->arena, m, p, &legal->v[i]);
		size_t n = str_prefix(san, word);

		if (n && san[n] == ',') {
			*mv = legal->v[i];
			return true;
		}
	}
	return false;
}

/* 'N' for "knight"; '\0': the word names no man with a letter. */
static char man_of(struct arena *a, const char *word)
{
	struct str s = STR_LOCAL(40);
	const char *line = arena_printf(a, "%.20s a1", word);

	return strlen(word) >= MAN_MIN && game_spell_move(line, strlen(line), &s) &&
	                       strchr("NBRQK", *s.data)
	               ? *s.data
	               : '\0';
}

/* "d4", "d4,a6" */
static bool is_square(const char *turn)
{
	return islower((unsigned char)*turn) && (!turn[2] || turn[2] == ',');
}

static bool has(const char *const *list, size_t n, const char *san)
{
	while (n && strcmp(list[n - 1], san) != 0)
		n--;
	return n;
}

size_t prose_turn_named(struct request *q, const struct match *m, const struct pos *p,
                        const char *text, const char *out[PROSE_TURNS_MAX])
{
	struct prose_sentence s;
	size_t n = 0, looked = 0;
	struct move mv;

	while (text && looked < LOOKED_MAX && (text = sentence_next(q->arena, text, &s))) {
		char man = '\0';

		for (size_t i = 0, next; i < s.n && n < PROSE_TURNS_MAX; i = next, looked++) {
			const char *turn = prose_turn_at(q, m, p, &s, i, &next);

			if (man_of(q->arena, s.v[i].word))
				man = man_of(q->arena, s.v[i].word);
			if (turn && man && is_square(turn)) /* "the knight should go to d4" */
				turn = arena_printf(q->arena, "%c%s", man, turn);
			if (!turn || !reads_whole(q, m, p, turn, &mv))
				continue;
			const char *san = match_turn(q->arena, m, p, &mv);
			if (!has(out, n, san))
				out[n++] = san;
		}
	}
	return n;
}

const char *prose_turn_only(struct request *q, const struct match *m, const struct pos *p,
                            const char *text)
{
	const char *named[PROSE_TURNS_MAX];

	return prose_turn_named(q, m, p, text, named) == 1 ? *named : NULL;
}
