/* The search itself, and what it and the writing out of proofs share. */
#pragma once

#include "games/gen.h"
#include "games/solve/solve.h"
#include "games/solve/solve_table.h"

#define SPARE_SUCCESSORS 32768

/* A move, with the key of the position after it and a first guess of its numbers. */
struct successor {
	struct key key;
	struct numbers now;
	struct move move;
	bool reversible; /* earlier positions can come back after it */
};

/* Room for the successors of any position. */
#define SUCCESSORS_MAX GEN_MAX

/* One ply of the line being searched. */
struct ply {
	struct key key;
	uint64_t path;  /* of the positions since .since, this one left out */
	unsigned since; /* the oldest ply whose position can come back */
};

struct solve {
	const struct game *game;
	const struct rules_fast *fast;
	struct proof_table table;
	enum color attacker;
	uint64_t nodes;   /* expanded in this run */
	uint64_t stop_at; /* no further than this many */
	uint64_t report_at;
	bool stopped; /* by the report */
	const struct solve_limits *limits;
	unsigned used; /* of children[] */
	struct ply ply[SOLVE_DEPTH + 1];
	struct move line[SOLVE_DEPTH + 1];
	struct successor children[SPARE_SUCCESSORS + SUCCESSORS_MAX];
	struct moves legal;              /* of solve_verify() */
	const struct solve_avoid *avoid; /* NULL: none */
};

/* Unlimited. */
#define NUMBERS_ANY ((struct numbers){ NUMBER_MAX, NUMBER_MAX, 0 })

/* Has somebody reached the aim? */
GAMES_INLINE bool numbers_solved(struct numbers now)
{
	return !now.phi || !now.delta;
}

/* Does the attacker win, when it is (or isn't) the side to move? */
GAMES_INLINE bool numbers_proved(struct numbers now, bool attacker_moves)
{
	return attacker_moves ? !now.phi : !now.delta;
}

GAMES_INLINE bool search_must_stop(const struct solve *s)
{
	return s->nodes >= s->stop_at || s->stopped;
}

/* Makes a move; .now is left as it was. */
void successor_make(const struct game *g, const struct rules_fast *fast, const struct pos *p,
                    enum color attacker, const struct move *m, struct successor *out);
/* The successors of a running position, by the game's fast list. */
unsigned successors_list(const struct game *g, const struct rules_fast *fast, const struct pos *p,
                         enum color attacker, struct successor *out);
/* Begins to count nodes, at most so many (0: any number). */
void search_begin(struct solve *s, const struct solve_limits *limits);
/* Makes a position the root; there is no path to it. */
void search_root(struct solve *s, const struct pos *p, enum color attacker);
/* Puts the position a child leads to on the line. */
void search_enter(struct solve *s, unsigned depth, const struct successor *c);
/* Fills in what is known of the successors of p. */
void search_know(struct solve *s, const struct pos *p, unsigned depth, struct successor *c,
                 unsigned n);
/* Counts a node, and reports now and then. */
void search_count(struct solve *s, unsigned depth);
/* Searches the position at this depth until its numbers reach the bound. */
struct numbers search_node(struct solve *s, const struct pos *p, unsigned depth,
                           struct numbers bound);
