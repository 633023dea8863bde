#include "games/game.h"

#include <string.h>
#include <strings.h>

#include "games/attacks.h"
#include "games/fen.h"
#include "games/gen.h"
#include "games/numbered.h"

#define AUTOMATIC_DRAW_PLIES 150 /* 75 moves */

int game_option(struct game *g, const char *word, size_t len, struct err *e)
{
	const struct rules_option *o = g->rules->options;
	struct str words = STR_LOCAL(200);

	for (unsigned i = 0; i < rules_option_count(g->rules); i++) {
		str_addf(&words, "%s%s", i ? ", " : "", o[i].word);
		if (strlen(o[i].word) != len || strncasecmp(word, o[i].word, len) != 0)
			continue;
		for (unsigned k = 0; o[k].word; k++)
			if (g->options & o[i].excludes & 1u << k)
				return err_set(e, ERR_BAD, "%s and %s contradict each other.",
				               o[k].word, o[i].word);
		g->options |= 1u << i;
		return 0;
	}
	if (len > 40)
		len = 40;
	if (!words.len)
		return err_set(e, ERR_NOT_FOUND, "%s has no option %.*s, nor any other.",
		               g->rules->title, (int)len, word);
	return err_set(e, ERR_NOT_FOUND, "%s has no option %.*s. It has %s.", g->rules->title,
	               (int)len, word, words.data);
}

void game_write_options(const struct game *g, struct str *out)
{
	const struct rules_option *o = g->rules->options;
	bool first = true;

	for (unsigned i = 0; i < rules_option_count(g->rules); i++) {
		if (!(g->options & 1u << i))
			continue;
		str_addf(out, "%s%s", first ? "" : " ", o[i].word);
		first = false;
	}
}

/* Of several options with a start of their own the last one counts. */
static const char *usual_start(const struct game *g)
{
	for (unsigned i = rules_option_count(g->rules); i-- > 0;)
		if (g->options >> i & 1 && g->rules->options[i].start)
			return g->rules->options[i].start;
	return g->rules->start;
}

void game_write_variant(const struct game *g, struct str *out)
{
	if (!g->rules->pgn)
		return;
	str_add(out, g->rules->pgn);
	for (unsigned i = 0; i < rules_option_count(g->rules); i++)
		if (g->options >> i & 1 && g->rules->options[i].pgn)
			str_add(out, g->rules->options[i].pgn);
}

bool game_is_numbered(const struct game *g, const char *fen, unsigned *number)
{
	for (unsigned i = 0; g->rules->numbered && i < NUMBERED_STARTS; i++) {
		struct str start = STR_LOCAL(100);

		numbered_start(i, g->rules->numbered, &start);
		if (strcmp(start.data, fen) != 0)
			continue;
		if (number)
			*number = i;
		return true;
	}
	return false;
}

int game_setup(const struct game *g, const char *fen, struct pos *out, struct err *e)
{
	struct pos p;
	int rc = fen_read(g, fen ? fen : usual_start(g), &p, e);

	if (!rc && g->rules->check_position)
		rc = g->rules->check_position(g, &p, e);
	if (!rc)
		*out = p;
	return rc;
}

void game_write_fen(const struct game *g, const struct pos *p, struct str *out)
{
	fen_write(g, p, out);
}

bool game_same_position(const struct pos *a, const struct pos *b)
{
	return memcmp(a->color, b->color, sizeof a->color) == 0 &&
	       memcmp(a->type, b->type, sizeof a->type) == 0 && a->to_move == b->to_move &&
	       a->ep == b->ep && a->castling == b->castling &&
	       memcmp(a->own, b->own, sizeof a->own) == 0;
}

/* Lists the turns; out NULL: only until one is found.  Returns how many. */
static size_t find_turns(const struct game *g, const struct pos *p, struct moves *out)
{
	const struct rules_fast *fast = &g->rules->fast[ATTACKS_PORTABLE];
	enum color c = p->to_move;
	struct gen_list l;
	size_t n = 0;

	if (fast->leaf[c](g, p) != RESULT_RUNNING)
		return 0;
	fast->list[c](g, p, &l);
	for (unsigned i = 0; i < l.n && (out || !n); i++) {
		struct pos next = *p;

		if (!fast->apply[c](g, &next, &l.v[l.first + i]))
			continue;
		if (out)
			out->v[n] = l.v[l.first + i];
		n++;
	}
	return n;
}

void game_turns(const struct game *g, const struct pos *p, struct moves *out)
{
	if (g->rules->legal)
		g->rules->legal(g, p, out);
	else
		out->n = find_turns(g, p, out);
}

void game_result(const struct game *g, const struct pos *p, struct outcome *out)
{
	const struct rules *r = g->rules;

	if (r->outcome)
		r->outcome(g, p, out);
	else if (!r->ended || !r->ended(g, p, out))
		*out = find_turns(g, p, NULL) ? outcome_running
		       : r->stalemate         ? outcome_draw(r->stalemate)
		                              : outcome_no_move(p->to_move, game_in_check(g, p));
}

void game_legal(const struct game *g, const struct pos *p, struct moves *out)
{
	struct outcome o;

	out->n = 0;
	game_outcome(g, p, &o);
	if (o.result == RESULT_RUNNING)
		game_turns(g, p, out);
}

void game_apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx)
{
	g->rules->apply(g, p, m, fx);
}

void game_outcome(const struct game *g, const struct pos *p, struct outcome *out)
{
	game_result(g, p, out);
	if (out->result == RESULT_RUNNING && p->halfmove >= AUTOMATIC_DRAW_PLIES)
		*out = outcome_draw("75 moves without a capture or pawn move");
}

bool game_is_pass(const struct move *m)
{
	static const uint8_t nothing[MOVE_OWN];

	return m->from == NO_SQUARE && memcmp(m->own, nothing, sizeof nothing) == 0;
}

const char *result_text(enum result r)
{
	static const char *const texts[] = {
		[RESULT_RUNNING] = "*",
		[RESULT_WHITE] = "1-0",
		[RESULT_BLACK] = "0-1",
		[RESULT_DRAW] = "1/2-1/2",
	};

	return texts[r];
}

bool game_in_check(const struct game *g, const struct pos *p)
{
	if (g->rules->in_check)
		return g->rules->in_check(g, p);
	return g->rules->flags & RULES_CHECK && board_king_attacked(p, p->to_move);
}

uint64_t game_perft(const struct game *g, const struct pos *p, int depth)
{
	const struct rules_fast *fast = &g->rules->fast[attacks_have_pext()];

	return depth > 0 ? fast->perft[p->to_move](g, p, depth) : 1;
}

bool game_blunder(const struct game *g, const struct pos *p, const struct move *m, struct str *why)
{
	return g->rules->blunder && g->rules->blunder(g, p, m, why);
}

void game_remark(const struct game *g, const struct pos *p, struct str *out)
{
	if (g->rules->remark)
		g->rules->remark(g, p, out);
}

const char *game_how_to_answer(const struct game *g, const struct moves *legal)
{
	return g->rules->how_to_answer ? g->rules->how_to_answer(legal) : NULL;
}

const struct outcome outcome_running = { .result = RESULT_RUNNING };

struct outcome outcome_win(enum color c, const char *why)
{
	return (struct outcome){ .result = c == WHITE ? RESULT_WHITE : RESULT_BLACK, .why = why };
}

struct outcome outcome_draw(const char *why)
{
	return (struct outcome){ .result = RESULT_DRAW, .why = why };
}

struct outcome outcome_no_move(enum color to_move, bool in_check)
{
	struct outcome lost = outcome_win(!to_move, "checkmate");

	lost.mate = true;
	return in_check ? lost : outcome_draw("stalemate");
}
