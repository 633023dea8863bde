/* Finds the boards on which a computer is to move, and the seeks that a computer takes. */
#include <stdio.h>
#include <stdlib.h>

#include "pbm/base/array.h"
#include "pbm/commands/lobby/seek.h"
#include "pbm/people/computer.h"
#include "pbm/record/match.h"
#include "pbm/record/timetable.h"
#include "pbm/think/think.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define BOARDS_MAX 100000
#define SEEKS_MAX 200
#define SEEK_WAITS 600       /* seconds in which people may take it */
#define PACE_LEAST (20 * 60) /* seconds until a computer with human pace moves */
#define PACE_MOST (8 * 3600)
#define PACE_SPARE TIMETABLE_DAY /* before its deadline it moves */

struct task_list {
	struct site *site;
	struct arena *arena;
	int64_t now;
	const struct player_doc *computer;
	struct think_tasks *out;
};

/* The same for a board and a ply in every run. */
static int64_t delay(int64_t board, unsigned ply)
{
	uint64_t h = ((uint64_t)board << 20 ^ ply) * 0x9e3779b97f4a7c15u;

	return PACE_LEAST + (int64_t)((h >> 33) % (PACE_MOST - PACE_LEAST));
}

/* Would a person think a while longer? */
static bool waits(const struct task_list *l, const struct game_row *row)
{
	struct game_doc d;
	struct match m;

	if (l->computer->pace != PACE_HUMAN ||
	    store_game_get(l->site->store, l->arena, row->board, &d, NULL) < 0 ||
	    match_load(l->arena, &d, &m, NULL) < 0)
		return false;
	int64_t deadline = match_deadline(&m);
	return l->now < m.turn_started + delay(row->board, row->ply) &&
	       (!deadline || l->now < deadline - PACE_SPARE);
}

static struct think_task *add(const struct task_list *l, const struct game_row *row)
{
	struct think_task *t = ARRAY_ADD(NULL, l->out);

	*t = (struct think_task){ .board = row->board,
		                  .due = row->deadline ? row->deadline : INT64_MAX };
	t->last = l->computer->pace == PACE_SLOW && t->due > l->now + PACE_SPARE;
	snprintf(t->computer, sizeof t->computer, "%s", l->computer->userid);
	return t;
}

static int add_board(const struct game_row *row, void *arg)
{
	struct task_list *l = arg;

	if (!waits(l, row))
		add(l, row);
	return 0;
}

static int add_boards(const struct player_doc *p, void *arg, struct err *e)
{
	struct task_list *l = arg;

	if (p->paused)
		return 0;
	l->computer = p;
	return store_games(l->site->store, p->userid, NULL, GAMES_TO_MOVE, BOARDS_MAX, 0, add_board,
	                   l, e);
}

static int by_due(const void *a, const void *b)
{
	const struct think_task *x = a, *y = b;

	if (x->last != y->last)
		return x->last - y->last;
	if (x->due != y->due)
		return x->due < y->due ? -1 : 1;
	return (x->board > y->board) - (x->board < y->board);
}

/* A seek that refuses the computer would be tried again in every run. */
static bool lets_in(const struct task_list *l, const struct game_doc *d,
                    const struct player_doc *computer)
{
	struct request *q = request_new(l->site, l->arena, l->now);
	struct player_doc owner;
	const char *why;

	return store_player_get(l->site->store, l->arena, d->players[game_offer_seat(d)], &owner,
	                        NULL) == 0 &&
	       seek_lets_in(q, d, &owner, computer, &why, NULL) == 1;
}

static int add_seek(const struct game_row *row, void *arg)
{
	struct task_list *l = arg;
	struct player_doc p;
	struct game_doc d;

	/* A computer plays no rated games, and whoever wants to choose waits for people. */
	if (row->created > l->now - SEEK_WAITS || !game_has_anyone(row->players) ||
	    store_game_get(l->site->store, l->arena, row->board, &d, NULL) < 0 || d.rated ||
	    d.manual)
		return 0;
	const char *taker = computer_suggest(l->site->store, l->arena, row->game);
	if (taker && store_player_get(l->site->store, l->arena, taker, &p, NULL) == 0 &&
	    lets_in(l, &d, &p)) {
		l->computer = &p;
		add(l, row)->seek = true;
	}
	return 0;
}

int think_list(struct site *s, int64_t now, struct think_tasks *out, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct task_list l = { .site = s, .arena = &a, .now = now, .out = out };
	int rc = computer_each(s->store, &a, add_boards, &l, e);

	if (rc == 0 && s->conf.computers_seek)
		rc = store_games(s->store, GAME_ANYONE, NULL, GAMES_OFFERS, SEEKS_MAX, 0, add_seek,
		                 &l, e);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_due);
	return rc;
}
