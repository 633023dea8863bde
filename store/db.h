/* What a database back-end gives the store: named queries with bound values
 * and rows read by column.  A back-end keeps a text per query and checks
 * nothing; SQL and the library's types stay behind this header.  Inside
 * db_each() the same query must not run again. */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"

struct db;
struct db_row;

enum db_mode {
	DB_READ, /* beside a writer; changes nothing */
	DB_WRITE,
	DB_CREATE, /* as DB_WRITE, making what is missing */
	DB_BUILD   /* a new file, no durability until db_build_done() */
};

/* Arguments and columns; ENUM… are the numbers of document.h.  GAME_ROW is
 * board, game, options, white, black, state, to_move, ply, result, reason,
 * created, ended, deadline, due.  PAGE is who ("": everybody), game, limit, offset
 * in this order; queries without a game take who, limit, offset. */
enum db_query {
	DB_BEGIN,
	DB_COMMIT,
	DB_ROLLBACK,
	DB_MARK,
	DB_MARK_ROLLBACK,
	DB_MARK_RELEASE,
	DB_NEXT_BOARD,    /* → board */
	DB_BOARD_RESERVE, /* board: the next one is greater */
	DB_BOARD_PEEK,    /* → the board DB_NEXT_BOARD would give */

	DB_PENDING_PUT, /* path, bytes */
	DB_PENDING_GET, /* path → bytes */
	DB_PENDING_ALL, /* → path, bytes */
	DB_PENDING_CLEAR,

	DB_SUM_PUT, /* path, sum */
	DB_SUM,     /* path → sum */

	DB_GAME_PUT,    /* GAME_ROW */
	DB_GAME_GET,    /* board → GAME_ROW */
	DB_GAMES_AFTER, /* board, limit → GAME_ROW, rising */
	DB_DUE,         /* time, due, board, limit → GAME_ROW up to the time, behind that place */
	DB_RUNNING,     /* board, limit → GAME_ROW, rising */
	DB_LIST,        /* five queries by enum game_filter: PAGE → GAME_ROW */
	DB_LIST_GAME = DB_LIST + 5, /* the same, of one game */
	DB_LISTING_WRONG = DB_LIST_GAME +
	                   5, /* → rows of the lists that aren't what they should be */
	DB_LISTING_CLEAR,
	DB_LISTING_FILL,
	DB_FINISHED, /* who, ended, board, limit, since → GAME_ROW before that, newest first */
	DB_FINISHED_GAME, /* who, game, ended, board, limit → GAME_ROW */
	DB_COUNT,         /* list → how many games are in it */
	DB_COUNTS,        /* from, to, limit → list, number; both ends left out */
	DB_COUNTS_WRONG,
	DB_COUNTS_CLEAR,
	DB_COUNTS_FILL,

	/* RATING_ROW is player, game, board, rating, deviation, volatility, games,
	 * ended; numbers as in struct game_rating. */
	DB_RATING_PUT,    /* RATING_ROW; an older one changes nothing */
	DB_RATINGS_AFTER, /* player, game, limit → RATING_ROW, rising */
	DB_RATING,        /* player, game → RATING_ROW */
	DB_RATINGS_OF,    /* player → RATING_ROW */
	DB_LADDER,        /* game, limit, offset → RATING_ROW, best first, no provisional ones */
	DB_LADDER_ABOVE,  /* game, rating → how many stand above it */
	DB_LADDER_SIZE,   /* game → how many there are */

	DB_PLAYER_PUT,    /* key, userid */
	DB_PLAYER_GET,    /* key → userid */
	DB_PLAYERS_AFTER, /* key, limit → key, userid, rising */
	DB_ADDRESS_PUT,   /* key, address, confirmed */
	DB_ADDRESS_CLEAR, /* key: all addresses of the player */
	DB_ADDRESSES,     /* key → address, confirmed; by address */
	DB_ADDRESS_OWNER, /* address → key */
	DB_ORPHANS,       /* → how many addresses have no player */
	DB_ORPHANS_CLEAR,

	DB_OUTBOX_ADD,       /* message_id, from, rcpt, bytes, created, next_try, attempts, why */
	DB_OUTBOX_DUE,       /* time, limit → id */
	DB_OUTBOX_GET,       /* id → id and what OUTBOX_ADD takes */
	DB_OUTBOX_FIND,      /* message_id, rcpt → id */
	DB_OUTBOX_DONE,      /* id */
	DB_OUTBOX_RETRY,     /* id, next_try, why */
	DB_OUTBOX_ATTEMPTS,  /* id, attempts */
	DB_OUTBOX_NOTE,      /* id, why */
	DB_OUTBOX_LIST,      /* id, limit → as OUTBOX_GET, the length for the bytes; rising */
	DB_OUTBOX_HURRY,     /* time, id */
	DB_OUTBOX_HURRY_ALL, /* time */
	DB_VALUE_GET,        /* name → number */
	DB_VALUE_SET,        /* name, number */
	DB_SEEN,
	DB_SEEN_ADD,    /* key → 1; key, time */
	DB_SEEN_EXPIRE, /* time, limit */
	DB_HELD_PUT,    /* id, userid, address, text, expires */
	DB_HELD_GET,    /* id → id, userid, address, text, expires */
	DB_HELD_DELETE, /* id */
	DB_HELD_EXPIRE, /* time */
	DB_RATE_EXPIRE, /* time */
	DB_RATE_COUNT,  /* key, end of the window → count */
	DB_ARCHIVE_MARK,
	DB_ARCHIVE_DONE, /* board */
	DB_ARCHIVE_DUE,  /* board, limit → boards above it, rising */
	DB_AUDIT_ADD,    /* at, reason, sender, player, what, cause */
	DB_AUDIT_TRIM,   /* how many of the newest stay */
	DB_AUDIT,        /* id, limit → id and what AUDIT_ADD takes, rising */
	DB_QUERIES
};

struct db_value {
	enum { DB_NULL, DB_INT, DB_TEXT, DB_BYTES } type;
	int64_t number;
	const void *bytes;
	size_t len;
};

struct db_value db_int(int64_t n);
struct db_value db_count(size_t n);        /* capped, for limits */
struct db_value db_text(const char *text); /* NULL gives DB_NULL */
struct db_value db_bytes(const void *bytes, size_t n);

#define DB_NONE 0, NULL
#define DB_ARGS(...)                                                                               \
	sizeof((const struct db_value[]){ __VA_ARGS__ }) / sizeof(struct db_value),                \
		(const struct db_value[])                                                          \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

/* ERR_NOT_FOUND: no such file.  ERR_DAMAGED: not a database of ours.  ERR_BAD: a
 * newer version's, or, for a reader, an older one's; a writer upgrades it. */
int db_open(const char *path, enum db_mode mode, struct db **out, struct err *e);
void db_close(struct db *d); /* NULL is fine */
/* From here on closing leaves the log as it is, which is quick: for who comes back
 * soon. */
void db_keep_log(struct db *d);

/* Runs a query that gives no rows.
 * ERR_UNCERTAIN: a commit that may have happened; only a new open can tell. */
int db_run(struct db *d, enum db_query q, size_t n, const struct db_value *args, struct err *e);

/* The first failure of the machine or of the file since db_forget_trouble(), or
 * NULL.  What is no answer must not be taken for one. */
const struct err *db_trouble(const struct db *d);
void db_forget_trouble(struct db *d);

/* False also after the database rolled back by itself, on a full disk say. */
bool db_in_transaction(const struct db *d);

/* Calls fn for each row until it returns nonzero.  Returns that, or 0. */
typedef int db_row_fn(const struct db_row *row, void *arg, struct err *e);
int db_each(struct db *d, enum db_query q, size_t n, const struct db_value *args, db_row_fn *fn,
            void *arg, struct err *e);

/* One number of at most one row.  1: *out is set; 0: no row. */
int db_number(struct db *d, enum db_query q, size_t n, const struct db_value *args, int64_t *out,
              struct err *e);

/* Valid until fn returns; NULL is NULL. */
int64_t db_row_int(const struct db_row *row, int column);
const char *db_row_text(const struct db_row *row, int column);
const void *db_row_bytes(const struct db_row *row, int column, size_t *len);

/* The library's own check of the file.  ERR_DAMAGED with its first complaint. */
int db_check(struct db *d, struct err *e);

/* Copies what no document has (next board, the server's own clock, outbox, seen,
 * held, rate, archive marks, audit) from the database at path into d, outside a transaction. */
int db_adopt(struct db *d, const char *path, struct err *e);

/* Makes a built database an ordinary one, durable, in one file.  Frees d. */
int db_build_done(struct db *d, struct err *e);

/* Puts all of the database at path into this one file, so that it may be
 * renamed or replaced.  ERR_BUSY while somebody reads. */
int db_fold(const char *path, struct err *e);

/* The files beside path that belong to it: "-wal" and the like, NULL-ended. */
extern const char *const db_suffixes[];

#endif
