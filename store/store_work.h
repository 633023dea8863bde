/* Work that a change leaves for later: pages to be written again, watchers to be told.  Each piece
 * of work has a number, which rises and is never given again.  Noting a piece once more gives it a
 * new number.  So a process reads the number before it begins, and names it when it is done: if the
 * game has changed meanwhile, the work stays. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

enum work_kind {
	WORK_GAME,       /* of a board: its archive pages must be written again */
	WORK_LIVE,       /* of a board: its live pages must be written again, or removed */
	WORK_WATCHERS,   /* of a board: its watchers must be told */
	WORK_TOURNAMENT, /* of a name: the tournament's archive pages must be written again */
	WORK_ANALYSIS,   /* of a board: the engine shall judge the finished game */
	WORK_PUZZLE,     /* of a board: the engine shall look for a puzzle in the judged game */
	WORK_GONE        /* of a name: it has left the archive, its pages must be removed */
};

struct work {
	int64_t n, board;
	size_t events; /* only of WORK_WATCHERS: how many events of the game they know */
};

/* Notes work on a board.  If it waits already, it keeps its number of events. */
int store_work_add(struct store *s, enum work_kind kind, int64_t board, size_t events,
                   struct err *e);
/* Notes work on a name, which is folded. */
int store_work_add_name(struct store *s, enum work_kind kind, const char *name, struct err *e);
/* WORK_GAME for all finished games of a player. */
int store_work_add_games_of(struct store *s, const char *userid, struct err *e);
/* WORK_TOURNAMENT for all tournaments. */
int store_work_add_tournaments(struct store *s, struct err *e);

/* The work of a kind on greater boards than `after`, rising; or on greater names. */
int store_work(struct store *s, enum work_kind kind, int64_t after, size_t limit, struct work *v,
               size_t *n, struct err *e);
typedef int work_name_fn(const char *name, int64_t n, void *arg);
int store_work_names(struct store *s, enum work_kind kind, const char *after, size_t limit,
                     work_name_fn *fn, void *arg, struct err *e);

/* Forgets a piece of work, unless it has got another number. */
int store_work_done(struct store *s, int64_t n, struct err *e);
