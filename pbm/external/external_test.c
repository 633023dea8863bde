#include "pbm/external/external_test.h"

#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/numbered.h"
#include "pbm/external/external_run.h"

#define PLIES_MAX 80 /* of a random game */

struct comparing {
	struct external_run run;
	struct game game;
	struct pos pos;
	struct moves legal;
	struct str position, list; /* as UCI has them */
	uint64_t seed;
};

static uint64_t next_number(struct comparing *c)
{
	c->seed ^= c->seed << 13;
	c->seed ^= c->seed >> 7;
	c->seed ^= c->seed << 17;
	return c->seed;
}

static void begin_game(struct comparing *c)
{
	struct str fen = STR_LOCAL(GAME_FEN_MAX);

	if (c->game.rules->flags & RULES_LOTS)
		numbered_start((unsigned)(next_number(c) % NUMBERED_STARTS),
		               c->game.rules->numbered, &fen);
	game_setup(&c->game, fen.len ? fen.data : NULL, &c->pos, NULL);
	str_clear(&c->position);
	str_addf(&c->position, "%s%s moves", fen.len ? "fen " : "startpos", fen.data);
}

static int refuse(const struct comparing *c, size_t theirs, const char *missing, struct err *e)
{
	struct str fen = STR_LOCAL(GAME_FEN_MAX);

	game_write_fen(&c->game, &c->pos, &fen);
	return err_set(e, ERR_BAD, "%s lists %zu turns of %s, and %zu are legal%s%s; FEN %s",
	               c->run.name, theirs, c->game.rules->name, c->legal.n,
	               *missing ? ", not" : "", missing, fen.data);
}

/* The lists have as many turns, and each of ours is in theirs. */
static int compare(struct comparing *c, struct err *e)
{
	size_t n = 0;
	int rc = external_run_list(&c->run, c->position.data, &c->list, &n, e);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < c->legal.n; i++) {
		struct str turn = STR_LOCAL(EXTERNAL_RUN_TURN);

		str_add_char(&turn, ' ');
		game_write_uci(&c->game, &c->pos, &c->legal.v[i], &turn);
		str_add_char(&turn, ' ');
		if (!strstr(c->list.data, turn.data))
			return refuse(c, n, turn.data, e);
	}
	return n == c->legal.n ? 0 : refuse(c, n, "", e);
}

static void play_any(struct comparing *c)
{
	const struct move *m = &c->legal.v[next_number(c) % c->legal.n];

	str_add_char(&c->position, ' ');
	game_write_uci(&c->game, &c->pos, m, &c->position);
	game_apply(&c->game, &c->pos, m, NULL);
}

static int compare_games(struct comparing *c, size_t positions, struct err *e)
{
	int rc = 0;

	for (size_t done = 0; rc == 0 && done < positions;) {
		begin_game(c);
		for (int ply = 0; rc == 0 && ply < PLIES_MAX && done < positions; ply++, done++) {
			game_legal(&c->game, &c->pos, &c->legal);
			if (!c->legal.n)
				break;
			rc = compare(c, e);
			if (rc == 0)
				play_any(c);
		}
	}
	return rc;
}

int external_test(const struct external_line *l, const struct external_variant *v, size_t positions,
                  struct err *e)
{
	AUTO(mem_free) struct comparing *c = mem_alloc(sizeof *c);

	memset(c, 0, sizeof *c);
	c->game.rules = v->rules;
	c->seed = 2463534242u;
	str_init(&c->position, EXTERNAL_RUN_LIST);
	str_init(&c->list, EXTERNAL_RUN_LIST);
	int rc = external_run_begin(&c->run, l, v, e);
	if (rc == 0)
		rc = compare_games(c, positions, e);
	external_run_end(&c->run);
	str_release(&c->position);
	str_release(&c->list);
	return rc;
}
