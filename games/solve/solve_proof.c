/* Writing out and checking proofs that the search has left in the table. */
#include "games/solve/solve_proof.h"

#include <string.h>

static bool wins(const struct solve *s, const struct outcome *o)
{
	return o->result == (s->attacker == WHITE ? RESULT_WHITE : RESULT_BLACK);
}

static bool proved(const struct successor *c, bool attacker_moves)
{
	/* A child's side to move is the other one. */
	return numbers_proved(c->now, !attacker_moves);
}

/* The winner's shortest way, or the loser's longest, among the proved ones;
 * NULL without any. */
static struct successor *choose(struct successor *c, unsigned n, bool attacker_moves)
{
	struct successor *best = NULL;

	for (unsigned i = 0; i < n; i++) {
		if (!proved(&c[i], attacker_moves))
			continue;
		if (!best || (attacker_moves ? c[i].now.dist < best->now.dist
		                             : c[i].now.dist > best->now.dist))
			best = &c[i];
	}
	return best;
}

/* Proves the successors of a proved position again that the table has dropped:
 * one for the winner, all for the loser. */
static void restore(struct solve *s, const struct pos *p, unsigned depth, struct successor *c,
                    unsigned n)
{
	bool attacker_moves = p->to_move == s->attacker;

	if (attacker_moves) {
		if (!choose(c, n, true)) {
			search_node(s, p, depth, NUMBERS_ANY);
			search_know(s, p, depth, c, n);
		}
		return;
	}
	for (unsigned i = 0; i < n && !search_must_stop(s); i++) {
		struct pos next = *p;

		if (numbers_solved(c[i].now))
			continue;
		search_enter(s, depth, &c[i]);
		s->game->rules->apply(s->game, &next, &c[i].move, NULL);
		c[i].now = search_node(s, &next, depth + 1, NUMBERS_ANY);
	}
}

static unsigned list_known(struct solve *s, const struct pos *p, unsigned depth)
{
	struct successor *c = s->children + s->used;
	unsigned n = successors_list(s->game, s->fast, p, s->attacker, c);

	s->used += n;
	search_know(s, p, depth, c, n);
	restore(s, p, depth, c, n);
	return n;
}

static bool is_legal(struct solve *s, const struct pos *p, const struct move *m)
{
	game_turns(s->game, p, &s->legal);
	for (size_t i = 0; i < s->legal.n; i++)
		if (memcmp(&s->legal.v[i], m, sizeof *m) == 0)
			return true;
	return false;
}

/* Plays out.line as far as the table leads; true when that is to the end. */
static bool write_line(struct solve *s, const struct pos *p, struct solve_result *out)
{
	const struct rules *rules = s->game->rules;
	struct pos now = *p;
	struct outcome o;

	out->n = 0;
	for (game_result(s->game, &now, &o); o.result == RESULT_RUNNING && out->n < SOLVE_DEPTH;
	     game_result(s->game, &now, &o)) {
		struct successor *c = s->children + s->used;
		unsigned n = list_known(s, &now, (unsigned)out->n);

		s->used -= n;
		c = choose(c, n, now.to_move == s->attacker);
		/* The line is played by the game's own rules, not by ours. */
		if (!c || !is_legal(s, &now, &c->move))
			break;
		search_enter(s, (unsigned)out->n, c);
		rules->apply(s->game, &now, &c->move, NULL);
		out->line[out->n++] = c->move;
	}
	return wins(s, &o);
}

/* Plies to the end of the proof, or NO_PROOF. */
#define NO_PROOF (-1)
static int verify(struct solve *s, const struct pos *p, unsigned depth, uint64_t *positions);

static int verify_child(struct solve *s, const struct pos *p, unsigned depth,
                        const struct successor *c, uint64_t *positions)
{
	struct pos next = *p;

	search_enter(s, depth, c);
	s->game->rules->apply(s->game, &next, &c->move, NULL);
	return verify(s, &next, depth + 1, positions);
}

/* One of the winner's moves that holds.  What the table calls proved may lead
 * in a circle here, when one entry was dropped and proved again by way of
 * another that had relied on it; verify() has then forgotten that entry, and
 * the search finds a way that goes on. */
static int verify_any(struct solve *s, const struct pos *p, unsigned depth, struct successor *c,
                      unsigned n, uint64_t *positions)
{
	while (!search_must_stop(s)) {
		struct successor *best = choose(c, n, true);

		if (best) {
			int plies = verify_child(s, p, depth, best, positions);

			if (plies != NO_PROOF)
				return plies;
			best->now = (struct numbers){ 1, 1, 0 };
			continue;
		}
		if (!numbers_proved(search_node(s, p, depth, NUMBERS_ANY), true))
			return NO_PROOF;
		search_know(s, p, depth, c, n);
	}
	return NO_PROOF;
}

/* All of the loser's. */
static int verify_all(struct solve *s, const struct pos *p, unsigned depth,
                      const struct successor *c, unsigned n, uint64_t *positions)
{
	int longest = NO_PROOF;

	/* One that repeats the line can't be part of a proof. */
	for (unsigned i = 0; i < n; i++)
		if (!proved(&c[i], false))
			return NO_PROOF;
	for (unsigned i = 0; i < n; i++) {
		int plies = verify_child(s, p, depth, &c[i], positions);

		if (plies == NO_PROOF)
			return NO_PROOF;
		if (plies > longest)
			longest = plies;
	}
	return longest;
}

static unsigned list_by_rules(struct solve *s, const struct pos *p)
{
	struct successor *c = s->children + s->used;

	game_turns(s->game, p, &s->legal);
	for (size_t i = 0; i < s->legal.n; i++)
		successor_make(s->game, s->fast, p, s->attacker, &s->legal.v[i], &c[i]);
	return (unsigned)s->legal.n;
}

static void mark(struct solve *s, unsigned depth, bool attacker_moves, int plies)
{
	const struct ply *here = &s->ply[depth];
	struct numbers now = { attacker_moves ? 0 : NUMBER_MAX, attacker_moves ? NUMBER_MAX : 0,
		               0 };
	struct proof_entry *e;

	table_store(&s->table, here->key, here->path, now, FINDING_PROVED, 1);
	e = table_entry(&s->table, here->key);
	e->flags |= ENTRY_VERIFIED;
	e->dist = (uint16_t)plies;
}

/* The successors of a running position. */
static int verify_moves(struct solve *s, const struct pos *p, unsigned depth, uint64_t *positions)
{
	bool attacker_moves = p->to_move == s->attacker;
	struct successor *c = s->children + s->used;
	unsigned n = list_by_rules(s, p);
	int plies;

	s->used += n;
	search_know(s, p, depth, c, n);
	restore(s, p, depth, c, n);
	plies = attacker_moves ? verify_any(s, p, depth, c, n, positions)
	                       : verify_all(s, p, depth, c, n, positions);
	s->used -= n;
	if (plies == NO_PROOF) {
		if (!search_must_stop(s))
			table_forget(&s->table, s->ply[depth].key);
		return NO_PROOF;
	}
	plies += plies < DIST_MAX - 1;
	mark(s, depth, attacker_moves, plies);
	++*positions;
	return plies;
}

static int verify(struct solve *s, const struct pos *p, unsigned depth, uint64_t *positions)
{
	const struct proof_entry *e = table_entry(&s->table, s->ply[depth].key);
	struct outcome o;

	if (e && e->flags & ENTRY_VERIFIED)
		return e->dist;
	game_result(s->game, p, &o);
	if (o.result != RESULT_RUNNING)
		return wins(s, &o) ? 0 : NO_PROOF;
	search_count(s, depth);
	if (search_must_stop(s) || depth == SOLVE_DEPTH || s->used > SPARE_SUCCESSORS)
		return NO_PROOF;
	return verify_moves(s, p, depth, positions);
}

void proof_write(struct solve *s, const struct pos *p, struct solve_result *out)
{
	uint64_t positions = 0;

	s->stop_at = s->nodes + s->nodes / 4 + SOLVE_LINE_NODES;
	search_root(s, p, out->value == SOLVE_WIN ? p->to_move : !p->to_move);
	out->complete = write_line(s, p, out);
	/* Going through the whole proof mends what a table too small has mangled. */
	if (!out->complete && verify(s, p, 0, &positions) != NO_PROOF)
		out->complete = write_line(s, p, out);
}

bool solve_verify(struct solve *s, const struct pos *p, enum solve_value value,
                  const struct solve_limits *limits, uint64_t *positions)
{
	uint64_t count = 0;
	bool holds = false;

	search_begin(s, limits);
	search_root(s, p, value == SOLVE_WIN ? p->to_move : !p->to_move);
	if (value != SOLVE_UNKNOWN)
		holds = verify(s, p, 0, &count) != NO_PROOF;
	if (positions)
		*positions = count;
	return holds;
}
