/* Lists of games and players, answered from the index. */
#pragma once

#include "store/document/document.h"
#include "store/store.h"

/* The members have the meaning they have in struct game_doc. */
struct game_row {
	int64_t board;
	const char *game, *options, *players[2], *result, *reason;
	enum game_state state;
	uint8_t to_move;
	unsigned ply;
	int64_t created, ended, deadline, due;
	const char *opening;    /* of a finished game: opening_of(); NULL: not known */
	int64_t puzzle;         /* the day of its puzzle; 0: it has none */
	const char *tournament; /* ""; NULL: not known */
	int64_t ratings[2];     /* store_finished(): after the game, in hundredths; 0: not rated */
};
typedef int game_row_fn(const struct game_row *row, void *arg);

/* Only counts the rows; arg: a size_t. */
game_row_fn store_count_row;

enum game_filter {
	GAMES_OPEN,     /* running games */
	GAMES_TO_MOVE,  /* running games in which the player is to move, or anybody */
	GAMES_FINISHED, /* games with a result */
	GAMES_OFFERS,
	GAMES_ALL /* closed ones too */
};

/* Newest first: finished games by their end, the others by board number.  Skips offset
 * games.  userid NULL: of all players; game NULL: of all kinds. */
int store_games(struct store *s, const char *userid, const char *game, enum game_filter f,
                size_t limit, size_t offset, game_row_fn *fn, void *arg, struct err *e);

/* Finished games, newest first, starting below a place in that order: so a page at the
 * end of a long list costs no more than one at its beginning. */
struct finished_place {
	int64_t ended, board; /* INT64_MAX both: start with the newest */
};
/* since: the earliest end; it counts only when game is NULL. */
int store_finished(struct store *s, const char *userid, const char *game,
                   struct finished_place below, int64_t since, size_t limit, game_row_fn *fn,
                   void *arg, struct err *e);

/* The same of a list of games by result ("result:suicide 0-1"), opening ("opening:suicide e3
 * b5", one to four plies), pair ("pair:alice bob") or tournament ("tournament:spring-26"). */
int store_placed(struct store *s, const char *list, struct finished_place below, size_t limit,
                 game_row_fn *fn, void *arg, struct err *e);
/* ... after a place in that order, the oldest of them first. */
int store_placed_after(struct store *s, const char *list, struct finished_place above, size_t limit,
                       game_row_fn *fn, void *arg, struct err *e);
/* Games that have given the puzzle of a day before t, the newest day first; game NULL: of all
 * kinds. */
int store_puzzles(struct store *s, const char *game, int64_t t, size_t limit, game_row_fn *fn,
                  void *arg, struct err *e);

/* The name of the list after `after`, in the order of their names; "" if there is none, or if it
 * has no room. size: of list. */
int store_placed_next(struct store *s, const char *after, char *list, size_t size, struct err *e);
/* The player's finished games after a place in that order, the oldest of them first. */
int store_finished_after(struct store *s, const char *userid, struct finished_place above,
                         size_t limit, game_row_fn *fn, void *arg, struct err *e);

/* All games with greater board numbers than `after`, rising; and the greatest number of all,
 * 0 if there is none. */
int store_boards(struct store *s, int64_t after, size_t limit, game_row_fn *fn, void *arg,
                 struct err *e);
int store_boards_last(struct store *s, int64_t *board, struct err *e);

/* Games for which the server has something to do at or before t, earliest first, starting after
 * a place in that order; {0} starts with the first. */
struct due_place {
	int64_t due, board;
};
int store_due(struct store *s, int64_t t, struct due_place after, size_t limit, game_row_fn *fn,
              void *arg, struct err *e);

/* From now on all running games of the player are due, before any others, until they are
 * put again: something about the player's clocks has changed. */
int store_look_at(struct store *s, const char *userid, struct err *e);

/* Running games with a greater board number than `after`, rising. */
int store_running(struct store *s, int64_t after, size_t limit, game_row_fn *fn, void *arg,
                  struct err *e);

/* The userids of all players that are greater than `after`, rising; not the names that lead on
 * to others. */
typedef int userid_fn(const char *userid, void *arg);
int store_players(struct store *s, const char *after, size_t limit, userid_fn *fn, void *arg,
                  struct err *e);

/* The same of all, some hundred at a time; fn may change documents. */
int store_each_player(struct store *s, userid_fn *fn, void *arg, struct err *e);

/* Reads what lists say of a player, without his document if the index knows it: sets userid and
 * role; the rest of *out must not be read.  ERR_NOT_FOUND: there is none. */
int store_player_name(struct store *s, struct arena *a, const char *userid, struct player_doc *out,
                      struct err *e);

/* 1: there is a player with this userid, or else one whose userid looks like it
 * (key_is_alike()), and *found is it; 0: there is none. */
int store_player_like(struct store *s, struct arena *a, const char *userid, const char **found,
                      struct err *e);
