#include "store/store_numbers.h"

#include <stdio.h>
#include <string.h>

#include "store/db/gather.h"
#include "store/store_inside.h"

#define PREFIX "clock-count:" /* a reindex and a backup keep such names */
#define NAME_SIZE 200

static const char *write_name(const char *name, char text[NAME_SIZE])
{
	snprintf(text, NAME_SIZE, PREFIX "%s", name);
	return text;
}

#define FULL_NAME(name) write_name(name, (char[NAME_SIZE]){ 0 })

int store_number_add(struct store *s, const char *name, int64_t n, struct err *e)
{
	return n ? store_change(s, DB_VALUE_ADD, DB_ARGS(db_text(FULL_NAME(name)), db_int(n)), e)
	         : 0;
}

int store_number_set(struct store *s, const char *name, int64_t n, struct err *e)
{
	return store_change(s, DB_VALUE_SET, DB_ARGS(db_text(FULL_NAME(name)), db_int(n)), e);
}

int store_numbers(struct store *s, number_fn *fn, void *arg, struct err *e)
{
	return gather_each_pair(s->db, DB_VALUES,
	                        DB_ARGS(db_text(PREFIX), db_text(PREFIX "\x7f"), db_int(10000)),
	                        strlen(PREFIX), fn, arg, e);
}

int store_rates_most(struct store *s, const char *prefix, int64_t now, size_t limit, number_fn *fn,
                     void *arg, struct err *e)
{
	return gather_each_pair(s->db, DB_RATES_MOST,
	                        DB_ARGS(db_text(prefix),
	                                db_text(PRINTED(NAME_SIZE, "%.150s\x7f", prefix)),
	                                db_int(now), db_count(limit)),
	                        strlen(prefix), fn, arg, e);
}

struct state_row {
	const char *game;
	int64_t states[4];
};

static int copy_states(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	struct state_row *r = out;

	r->game = arena_strdup(a, db_row_text(row, 0));
	for (int i = 0; i < 4; i++)
		r->states[i] = db_row_int(row, i + 1);
	return 0;
}

int store_game_states(struct store *s, game_states_fn *fn, void *arg, struct err *e)
{
	return GATHER_EACH(struct state_row, copy_states, fn(row->game, row->states, arg), e, s->db,
	                   DB_GAME_STATES, DB_NONE);
}

int store_running_size(struct store *s, int64_t most, int64_t *n, struct err *e)
{
	return db_number_or_0(s->db, DB_RUNNING_SIZE, DB_ARGS(db_int(most)), n, e);
}

int store_players_size(struct store *s, int64_t *n, struct err *e)
{
	return db_number_or_0(s->db, DB_PLAYERS_SIZE, DB_NONE, n, e);
}

int store_outbox_size(struct store *s, int64_t *n, int64_t *oldest, struct err *e)
{
	return db_pair(s->db, DB_OUTBOX_SIZE, DB_NONE, n, oldest, e);
}
