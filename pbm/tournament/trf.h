/* FIDE's tournament report file (TRF16: FIDE Handbook C.04, "FIDE Data Exchange Format", whose
 * columns are those of this file), with the lines XXR (rounds) and XXC (colour in round 1) that
 * JaVaFo's manual adds for pairing programs.  Reads and writes text; knows no tournament of this
 * server. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"

#define TRF_PLAYERS_MAX 9999
#define TRF_ROUNDS_MAX 200
#define TRF_NAME_MAX 33

/* A player's round.  Zeros: he was not paired, or the round is not paired yet. */
struct trf_result {
	int opponent; /* start number; 0: none */
	char colour;  /* 'w', 'b', '-' */
	char result;  /* '1' '0' '=', 'W' 'L' 'D' the same before both had moved, '+' '-' forfeits,
	               * 'H' 'F' 'U' 'Z' byes of a half point, a full one, by pairing, none; ' ':
	               * no result yet */
};

struct trf_player {
	int number; /* from 1 */
	const char *name;
	int rating; /* 0: none */
	int points; /* half points */
	int rank;
	struct trf_result *round; /* of each round */
};

struct trf {
	const char *name, *type, *arbiter, *times; /* "" where not known */
	const char *begin, *end;                   /* "2026/12/31" */
	int rounds;                                /* planned (XXR); 0: not said */
	bool black_first, colour_said;             /* XXC: the colour of the first player */
	size_t player_count;
	struct trf_player *players;
	size_t round_count; /* of which something is written */
	const char **dates; /* of the rounds, or NULL */
	size_t team_count;
	struct trf_team {
		const char *name;
		size_t n;
		const int *members; /* start numbers, first board first */
	} * teams;                  /* written only */
};

/* The half points that a result gives; -1: it is open. */
int trf_points(char result);

void trf_write(const struct trf *t, struct str *out);

/* Reads the tournament and its players, in order of their numbers.  Lines end with CR, LF or
 * both; lines of other kinds are passed over.  ERR_BAD: the text names the line. */
int trf_read(struct arena *a, const char *text, struct trf *out, struct err *e);

/* Checks that the results fit each other: both sides of a game name each other, colours differ,
 * and points add up.  ERR_BAD: the text names the player. */
int trf_check(const struct trf *t, struct err *e);
