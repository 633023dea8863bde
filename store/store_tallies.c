#include "store/store_tallies.h"

#include <stdlib.h>
#include <string.h>

#include "store/db/gather.h"
#include "store/document/keys.h"
#include "store/document/opening.h"
#include "store/store_inside.h"

static int copy_tally(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct games_tally *)out = (struct games_tally){
		.key = arena_strdup(a, db_row_text(row, 0)),
		.n = db_row_int(row, 1),
		.won = db_row_int(row, 2),
		.lost = db_row_int(row, 3),
		.drawn = db_row_int(row, 4),
	};
	return 0;
}

int store_tally(struct store *s, const char *list, const char *key, struct games_tally *out,
                struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };

	*out = (struct games_tally){ 0 };
	int rc = gather_one(&a, s->db, DB_TALLY, DB_ARGS(db_text(list), db_text(key)), copy_tally,
	                    out, e);
	out->key = NULL;
	return rc < 0 ? rc : 0;
}

int store_tallies(struct store *s, const char *list, size_t limit, tally_fn *fn, void *arg,
                  struct err *e)
{
	return GATHER_EACH(struct games_tally, copy_tally, fn(row, arg), e, s->db, DB_TALLIES,
	                   DB_ARGS(db_text(list), db_count(limit)));
}

static int copy_rated(const struct db_row *row, struct arena *, void *out, struct err *)
{
	*(struct past_rating *)out = (struct past_rating){ db_row_int(row, 0), db_row_int(row, 1),
		                                           db_row_int(row, 2) };
	return 0;
}

int store_rated(struct store *s, const char *userid, const char *game, size_t limit, rated_fn *fn,
                void *arg, struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_is_player(userid) || !key_fold(userid, key, sizeof key))
		return 0;
	return GATHER_EACH(struct past_rating, copy_rated, fn(row, arg), e, s->db, DB_RATED,
	                   DB_ARGS(db_text(key), db_text(game), db_count(limit)));
}

struct room {
	struct arena *a;
	const char *turns;
	size_t looked;
	struct opening_games *out;
};

static int take_game(const struct db_row *row, void *arg, struct err *)
{
	struct room *room = arg;
	struct opening_games *g = room->out;
	const char *opening = db_row_text(row, 0), *result = db_row_text(row, 1);

	room->looked++;
	if (strncmp(opening, room->turns, g->at) == 0 && (!opening[g->at] || opening[g->at] == ' '))
		g->v[g->n++] = (struct opening_game){ arena_strdup(room->a, opening),
			                              strlen(result) > 2 ? result[2] : '*' };
	return 0;
}

int store_opening_games(struct store *s, struct arena *a, const char *game, const char *turns,
                        struct opening_games *out, size_t *all, struct err *e)
{
	const char *list = arena_printf(a, "opening:%s %.*s", game,
	                                (int)opening_head(turns, OPENING_LISTED), turns);
	struct room room = { .a = a, .turns = turns, .out = out };

	*out = (struct opening_games){ .at = strlen(turns) };
	out->v = arena_alloc(a, OPENINGS_COUNTED * sizeof *out->v);
	int rc = db_each(s->db, DB_PLACED_OPENINGS,
	                 DB_ARGS(db_text(list), db_count(OPENINGS_COUNTED)), take_game, &room, e);
	*all = room.looked;
	return rc;
}

/* The turn that follows the first `at` bytes, up to the next blank. */
static const char *next_turn(const char *opening, size_t at, size_t *n)
{
	const char *turn = opening + at + (opening[at] == ' ');

	*n = strcspn(turn, " ");
	return turn;
}

/* Games with the same next turn stand together: those are equal that are equal up to its end. */
static int by_opening(const void *a, const void *b)
{
	const struct opening_game *one = a, *other = b;

	return strcmp(one->opening, other->opening);
}

static int by_number(const void *a, const void *b)
{
	const struct opening_branch *one = a, *other = b;

	return one->tally.n != other->tally.n ? (one->tally.n < other->tally.n ? 1 : -1)
	                                      : strcmp(one->tally.key, other->tally.key);
}

size_t store_opening_branches(struct arena *a, struct opening_games *g, struct opening_branch **out)
{
	struct opening_branch *b = NULL;
	size_t n = 0, len, same = 0;
	const char *last = "";

	*out = arena_alloc(a, (g->n + 1) * sizeof **out);
	qsort(g->v, g->n, sizeof *g->v, by_opening);
	for (size_t i = 0; i < g->n; i++) {
		const char *turn = next_turn(g->v[i].opening, g->at, &len);

		if (len == 0)
			continue;
		if (!b || same != len || strncmp(last, turn, len) != 0) {
			b = &(*out)[n++];
			*b = (struct opening_branch){ .games = { .v = &g->v[i] } };
			b->tally.key = arena_strndup(a, turn, len);
			b->games.at = (size_t)(turn + len - g->v[i].opening);
			last = turn;
			same = len;
		}
		b->games.n++;
		b->tally.n++;
		b->tally.won += g->v[i].result == '0';
		b->tally.lost += g->v[i].result == '1';
		b->tally.drawn += g->v[i].result == '2';
	}
	qsort(*out, n, sizeof **out, by_number);
	return n;
}
