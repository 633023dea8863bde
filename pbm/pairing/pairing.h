/* Pairings and tables of tournaments: Swiss, round robin, double round robin, knockout, simul.
 *
 * Everything here is a pure function of what the caller has written down: the entries with
 * their frozen ratings and lots, and the results of games.  The same input always gives the
 * same answer.  There is no clock, no I/O and no memory but the arena's.
 *
 * Points are counted in half points: a win is 2, a draw 1.  A player is his index in
 * entries, which is also his seed: 0 has the highest rating.
 *
 * Limits: at most 500 entries; a Swiss tournament has at most half as many
 * rounds as it has players at its start, else it could run out of opponents. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/mem.h"

#define PAIRING_BEST_OF_MAX 15
#define PAIRING_BYE (-1) /* instead of an opponent */

enum pairing_kind {
	PAIRING_SWISS,
	PAIRING_ROUND_ROBIN,
	PAIRING_DOUBLE, /* round robin twice, the second time with colours changed */
	PAIRING_KNOCKOUT,
	PAIRING_SIMUL /* one round: the first entry plays each of the others */
};

/* The colour of the first entry of a simul. */
enum pairing_colour {
	PAIRING_BOTH_COLOURS, /* in turn, from board to board; the lot gives the first */
	PAIRING_WHITE,
	PAIRING_BLACK
};

/* A player, or a team.  Order: rating downwards, then lot upwards; late entries after all
 * others, in order of entry. */
struct pairing_entry {
	int rating;
	uint32_t lot;    /* drawn once; decides what nothing else decides, the smaller is better */
	int first_round; /* 1; of a late entry: the first round that he can be paired in */
	bool withdrawn;  /* withdrawn or banned: is paired no more */
	bool absent;     /* not paired in the round that is being paired, and has no bye */
	bool void_results; /* round robin: withdrawn before half of his games were over; his games
	                    * don't count for anybody */
	int seed_points;   /* half points without play; a late entry has 1 in all */
};

/* A game, or a match of two teams, as it is written.  A bye is one game with black
 * PAIRING_BYE and points { 2 * best_of, 0 }; one that the player asked for has half of them. */
struct pairing_game {
	int round; /* from 1 */
	int white, black;
	int points[2]; /* of white, of black; both -1: not over */
	bool played;   /* both sides have moved: they have met, and have had their colours */
	bool annulled; /* without a result; if it was played, they have met nevertheless */
	int boards[2]; /* of a match of teams: half points on all boards */
};

struct pairing {
	enum pairing_kind kind;
	int rounds;
	int best_of;  /* games of a pairing, from 1: in a knockout one after the other, as many
	              * as needed; else all at once, with colours alternating */
	uint32_t lot; /* Swiss, simul, round 1: even: the first seed has White */
	enum pairing_colour colour; /* of a simul */
	const struct pairing_entry *entries;
	int n;
	const struct pairing_game *games; /* in any order; of a pairing or match, as begun */
	int n_games;
};

/* The most rounds that the kind can have: Swiss players / 2; the others have always so many. */
int pairing_rounds_max(enum pairing_kind kind, int players);

/* The number of its rounds: of a Swiss tournament those asked for, at most rounds_max. */
int pairing_round_count(enum pairing_kind kind, int players, int asked);

struct pairing_pair {
	int white, black; /* black PAIRING_BYE: white has a bye */
};

enum {
	PAIRING_NO_PAIRING = -1, /* there is no complete pairing: the tournament is over */
	PAIRING_TOO_EARLY = -2   /* knockout: a match of the round before is not decided */
};

/* Pairs a round, 1 to rounds, from the games of earlier rounds alone; those of this round and
 * later ones are not looked at.  Returns 0 and the pairs in order of boards, a bye last, or
 * an error as above, or when nobody is there to be paired.
 *
 * Swiss.  Paired is who is neither withdrawn nor absent, from his first round on.  An earlier
 * game that isn't over counts as drawn, and its players as having met with their colours.
 *  1. With an odd number, the bye goes to the lowest (points, then seed) who has had neither
 *     a bye, but for those asked for, nor a forfeit win, and without whom the others can be paired completely.
 *  2. Of all complete pairings without a second meeting, those with the fewest breaches: a
 *     player gets the same colour for the third time running, or three more games with one
 *     colour than with the other.  A player with both is one breach.
 *  3. Of these the best from the top.  The players of the highest score come first: as many
 *     pairs among them as possible; those who are left over, the floats, are the lowest (the
 *     highest of two possible floats stays, whatever happens below him).  Of those who stay,
 *     the highest plays the first of the lower half with whom all this remains possible, or
 *     else the last such in the upper half; so on with the next, who has a lower half of
 *     those who are left.  The floats are the first of the next score group, above its own
 *     players, and are paired with it in the same way.
 *  4. Colours, pair by pair: first as few breaches as possible; then the greater difference
 *     of colours is reduced; then who had the same colour twice running gets the other; then
 *     the two swap the colours of the latest game, counted from the end, in which theirs
 *     differed; then the higher gets the colour that he did not have last.  Who has had no
 *     colour yet gets one by the lot, board by board alternating.
 * Round robin: FIDE's Berger tables, numbers = seeds from 1.  With an odd number, the player
 * without a game is not listed: he has no bye.  All pairs are listed, those of withdrawn
 * players too: what becomes of their games is the caller's business.
 * Knockout: each pair is a match of best_of games; its white is the better seed.  Winners of
 * neighbouring matches meet; the best seeds have byes in round 1.  A withdrawn player stays
 * in his match: the caller writes his games as lost until it is decided.  Of a match whose
 * winner has a game of the next round only that is looked at, because its results may have
 * changed since. */
int pairing_make(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
                 int *n);

enum pairing_match_state {
	PAIRING_MATCH_NEXT,    /* start a game of white and black */
	PAIRING_MATCH_RUNNING, /* a game of theirs is not over */
	PAIRING_MATCH_DECIDED
};
struct pairing_match {
	enum pairing_match_state state;
	int white, black;
	int game;      /* of NEXT: its number in the match, from 1 */
	bool tiebreak; /* the next game, or the one that decided: one more because the match is
	                * level; Black is the better seed, and a draw is enough for him */
	int winner;    /* of DECIDED */
};

/* The state of a knockout match of that round, from its games as written; pair is one of
 * pairing_make().  Colours alternate; the lots of the two give those of the first game.  An
 * annulled game is played again. */
struct pairing_match pairing_knockout_next(const struct pairing *t, int round,
                                           const struct pairing_pair *pair);

/* A line of the table, after the games that are over.
 *
 * Swiss: an open game of an earlier round counts as drawn, one of the latest round does not
 * count.  In the other kinds no open game counts.
 * Order: points; of teams, points on all boards; head-to-head (points in the games among those
 * who are equal so far, if all of them have met each other); Buchholz without the lowest;
 * Buchholz; Sonneborn-Berger; wins; the lot.  Each is asked of those only who are equal in all
 * before it.  The points of a pairing are those of all its games.  Buchholz adds each opponent
 * once a pairing, Sonneborn-Berger as often as the points in it say.  There a pairing without
 * play, and in a Swiss tournament a round without a game, is a drawn one with somebody who has
 * the player's own points.
 * Players with void_results come last, with place 0.
 * Knockout: points are 2 for each round survived; equal ones share a place. */
struct pairing_row {
	int entry;
	int place;                  /* from 1 */
	int points;                 /* half points */
	int board_points;           /* of teams: half points on all boards */
	int head_to_head;           /* half points, -1: does not apply */
	int buchholz_cut, buchholz; /* half points */
	int sonneborn_berger;       /* quarter points */
	int wins;                   /* over the board: a forfeit or a bye is none */
	int games;                  /* that are over and were played */
	bool shared;                /* equal with a neighbour in everything but the lot */
};

/* n rows, best first. */
void pairing_table(const struct pairing *t, struct arena *a, struct pairing_row **out);

/* The result of a match of two teams from its games, n boards in order: on the first, third
 * board White plays for the team that is white in out.  Sets points (2 for more points on the
 * boards, 1 for as many, 0 without any, -1 while a game is not over), played (any of them
 * was) and boards.  A team's bye, for which boards may be NULL, has points 2 and as many on
 * boards as a drawn match. */
void pairing_team_result(const struct pairing_game *boards, int n, struct pairing_game *out);
