/* Computes ratings again from the games' documents alone, in memory: all of them, or those of one
 * kind of game since a time.  It changes nothing. */
#pragma once

#include <jansson.h>

#include "pbm/rating/rating.h"
#include "store/store.h"

/* A rated game. */
struct rated {
	int64_t board, ended, run;
	double score[2];
	size_t player[2];          /* places of the players in this kind of game */
	struct game_rating old[2]; /* as the document has them; games is 0: it has none */
	struct game_rating made[2];
};

/* A player's rating in one kind of game, after the games that are computed. */
struct rated_player {
	const char *userid;      /* folded */
	const char *game;        /* or another list of its kind: game_doc_list() */
	struct game_rating last; /* of the last game; games is 0: none yet */
	int64_t board, ended;    /* that game */
	bool loaded;             /* the games before `since` are in it */
};

/* To begin with, only s, game, since and most are set. */
struct rating_compute {
	struct store *s;
	const char *game; /* the only kind; NULL: all */
	int64_t since;    /* games that ended before are taken as they are; 0: none is */
	size_t most;      /* games that may be computed; 0: any number */
	struct arena a;
	json_t *places; /* {"suicide alice": place in players} */
	struct {
		size_t n, cap;
		struct rated_player *v;
	} players;
	struct {
		size_t n, cap;
		struct rated *v; /* in the order in which runs rated them */
	} games;
	int64_t unread; /* games that can't be read; they are left out */
};

/* 1: there are more games than `most`, and nothing was computed. */
int rating_compute(struct rating_compute *c, struct err *e);
void rating_compute_release(struct rating_compute *c);

/* The player's place; a new one is added. */
size_t rating_compute_player(struct rating_compute *c, const char *game, const char *userid);
/* Finds what the player has of the games before `since`, if that is not known yet. */
int rating_compute_load(struct rating_compute *c, size_t player, struct err *e);

/* Has the document other ratings? */
bool rating_compute_differs(const struct rated *g);
