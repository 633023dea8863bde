#include "pbm/commands/lobby/colors.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "pbm/request/request_games.h"
#include "store/store_documents.h"

#define COMPARED 10  /* games of each player */
#define LOOKED_AT 60 /* an offer has its number before the game starts: more, to sort them */
#define PLIES 4      /* two of each side */

/* Tosses a coin, each time independently.  It depends on a key, so that no player can choose the
 * side by words of a mail. */
static bool colors_toss(struct request *q)
{
	char seed[120], letter[2];
	struct str s = STR_FIXED(letter);

	snprintf(seed, sizeof seed, "%s %zu", q->cause, q->note_count);
	token_digest(q->site, "coin", seed, 1, &s);
	return letter[0] & 1;
}

struct color_past {
	int64_t start, board;
	bool white;
};

/* The colours of a player's games. */
struct history {
	size_t between; /* offers and running games between the two */
	size_t n;
	struct color_past v[LOOKED_AT];
};

static int64_t start_of(struct request *q, int64_t board)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;
	int64_t at = 0;

	if (store_game_get(q->site->store, &a, board, &d, NULL) == 0)
		for (size_t i = 0; i < d.event_count && !at; i++)
			if (d.events[i].kind == EVENT_START)
				at = d.events[i].at;
	return at;
}

/* The newest first. */
static int by_start(const void *a, const void *b)
{
	const struct color_past *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? 1 : -1;
	return x->board < y->board ? 1 : -1;
}

static int load_history(struct request *q, const char *userid, const char *other, struct history *h,
                        struct err *e)
{
	struct game_list games;
	int rc = request_games(q, userid, NULL, GAMES_ALL, 2 * LOOKED_AT, &games, e);

	*h = (struct history){ 0 };
	for (size_t i = 0; i < games.n; i++) {
		const struct game_row *row = &games.v[i];

		h->between += row->state <= GAME_RUNNING && game_row_has(row, other);
		if (h->n < LOOKED_AT && row->ply >= PLIES &&
		    strcasecmp(row->players[0], row->players[1]) != 0)
			h->v[h->n++] = (struct color_past){ start_of(q, row->board), row->board,
				                            strcasecmp(row->players[SEAT_WHITE],
				                                       userid) == 0 };
	}
	qsort(h->v, h->n, sizeof h->v[0], by_start);
	return rc;
}

/* Tosses a coin that stays the same for two players until one of them has played on, or they
 * have one more offer: nobody gets another toss by withdrawing an offer. */
static bool toss_fairly(struct request *q, const char *const u[2], const struct history *h)
{
	bool turned = strcasecmp(u[0], u[1]) > 0;
	char seed[200], letter[2];
	struct str s = STR_FIXED(letter);

	snprintf(seed, sizeof seed, "%s %s %lld %lld %zu", u[turned], u[!turned],
	         (long long)(h[turned].n ? h[turned].v[0].board : 0),
	         (long long)(h[!turned].n ? h[!turned].v[0].board : 0), h[0].between);
	token_digest(q->site, "coin", seed, 1, &s);
	return (letter[0] & 1) != turned;
}

static int decide_fairly(struct request *q, const char *const u[2], bool *swap, const char **why,
                         struct err *e)
{
	struct history *h = arena_alloc(q->arena, 2 * sizeof *h);
	int rc = load_history(q, u[0], u[1], &h[0], e);

	if (rc == 0)
		rc = load_history(q, u[1], u[0], &h[1], e);
	for (size_t i = 0; rc == 0 && i < COMPARED && i < h[0].n && i < h[1].n; i++)
		if (h[0].v[i].white != h[1].v[i].white) {
			const char *who = u[h[1].v[i].white];

			*swap = h[0].v[i].white;
			*why = arena_printf(
				q->arena, "%s played White on board %lld, and so plays Black now.",
				who, (long long)h[h[1].v[i].white].v[i].board);
			return 0;
		}
	*swap = toss_fairly(q, u, h);
	*why = "A coin decided who plays White.";
	return rc;
}

int colors_decide(struct request *q, enum game_colors how, const char *const u[2], bool *swap,
                  const char **why, struct err *e)
{
	*why = NULL;
	if (how == COLORS_GIVEN)
		return 0;
	if (how == COLORS_FAIR)
		return decide_fairly(q, u, swap, why, e);
	*swap = colors_toss(q);
	*why = "A coin decided who plays White.";
	return 0;
}
