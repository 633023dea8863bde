/* The named queries of the store.  The comment at each query says which values it takes and,
 * after the arrow, which columns its rows have.
 *
 * GAME_ROW is board, game, options, white, black, state, to_move, ply, result,
 * reason, created, ended, deadline, due, opening, puzzle, tournament.  NULL in the
 * last or in opening: not known; a game outside tournaments has "" there.  state is 0 for an offered game, 1 running,
 * 2 finished, 3 closed; to_move is 0 for White, 1 Black, 2 nobody.
 * RATING_ROW is player, game, board, rating, deviation, volatility, games, ended;
 * ratings and deviations are in hundredths of a point, volatility in billionths.
 * Times are Unix seconds.  `who` is a folded userid, or "" for everybody. */
#pragma once

enum db_query {
	DB_BEGIN, /* a server may begin it only with the next query that has rows */
	DB_COMMIT,
	DB_ROLLBACK,
	DB_SNAPSHOT, /* as DB_BEGIN, but only reads, what was there at this moment */
	DB_MARK,     /* a savepoint inside the transaction */
	DB_MARK_ROLLBACK,
	DB_MARK_RELEASE,
	DB_NEXT_BOARD,    /* → board: the next number, which is used up by this */
	DB_BOARD_RESERVE, /* board: the next number will be greater */
	DB_BOARD_PEEK,    /* → the number that DB_NEXT_BOARD would give */

	DB_PENDING_PUT, /* path, bytes, where they begin in the file, or -1: they are all of it */
	DB_PENDING_GET, /* path → bytes, where they begin, rising */
	DB_DOCUMENT, /* path → NULL, -2, sum, if it is known; then bytes and beginning as above, 0 */
	DB_PENDING_LAST, /* path → bytes, where they begin; the last of them */
	DB_PENDING_ALL,  /* → path, bytes, where they begin; of a file rising */
	DB_PENDING_CLEAR,

	DB_SUM_PUT,   /* path, sum */
	DB_SUM,       /* path → sum */
	DB_PATHS,     /* from, to, limit → path; of documents between the two, rising */
	DB_DOCUMENTS, /* the same of documents that are rows */

	DB_GAME_PUT,    /* GAME_ROW */
	DB_GAME_GET,    /* board → GAME_ROW */
	DB_GAME_IS_OLD, /* board → 1 if it is a finished game of which the tournament or plies of the opening are not known */
	DB_GAME_NO_OPENING, /* board: it has no opening and no tournament, as far as anybody knows */
	DB_GAMES_OLD,       /* board, limit → board; greater boards of such games, rising */
	DB_BOARD_LAST,      /* → board; the greatest one */
	DB_GAMES_AFTER,     /* board, limit → GAME_ROW; greater boards, rising */
	DB_DUE,     /* time, due, board, limit → GAME_ROW; due by that time, after (due, board) */
	DB_LOOK_AT, /* who: the server will look at all running games of `who` at once */
	DB_RUNNING, /* board, limit → GAME_ROW; running games of greater boards, rising */

	/* who, limit, offset → GAME_ROW; newest first */
	DB_LIST_OPEN,     /* running games */
	DB_LIST_TO_MOVE,  /* running games in which `who` is to move */
	DB_LIST_FINISHED, /* games with a result */
	DB_LIST_OFFERS,
	DB_LIST_ALL,
	/* who, game, limit, offset → GAME_ROW; the same lists of one kind of game */
	DB_LIST_GAME_OPEN,
	DB_LIST_GAME_TO_MOVE,
	DB_LIST_GAME_FINISHED,
	DB_LIST_GAME_OFFERS,
	DB_LIST_GAME_ALL,

	/* Finished games before (ended, board), newest first: */
	DB_FINISHED,      /* who, ended, board, limit, earliest end → GAME_ROW, both ratings */
	DB_FINISHED_GAME, /* who, game, ended, board, limit → GAME_ROW, both ratings */
	/* ... after (ended, board), oldest first: */
	DB_FINISHED_AFTER, /* who, ended, board, limit → GAME_ROW */

	DB_COUNT,  /* list → how many games are in it */
	DB_COUNTS, /* from, to, limit → list, number; lists strictly between the two names */

	/* Finished games by result ("result:suicide 0-1"), opening ("opening:suicide e3 b5"), pair
	 * ("pair:alice bob") or tournament ("tournament:spring-26") */
	DB_PLACED, /* list, ended, board, limit → GAME_ROW; before (ended, board), newest first */
	DB_PLACED_AFTER, /* the same after (ended, board), oldest first */
	/* Games with a puzzle of a day before a time, newest day first */
	DB_PUZZLES,         /* time, limit → GAME_ROW */
	DB_PUZZLES_GAME,    /* game, time, limit → GAME_ROW */
	DB_PLACED_NEXT,     /* list → the list after it, in the order of their names */
	DB_PLACED_OPENINGS, /* list, limit → opening, result; newest first */
	/* Ends of groups of finished games; see store_tallies.h for the lists.  TALLY is key,
	 * number of games, won, lost, drawn. */
	DB_TALLY,   /* list, key → TALLY */
	DB_TALLIES, /* list, limit → TALLY; those with most games first */
	/* Past ratings */
	DB_RATED_PUT,    /* player, game, ended, board, rating */
	DB_RATED_AT,     /* player, game, ended, board → rating */
	DB_RATED,        /* player, game, limit → ended, board, rating; newest first */
	DB_RATED_FORGET, /* player: deletes the rows */
	DB_RATED_CLEAR,  /* empties the table */
	DB_RATED_BEFORE, /* player, game, ended, limit → board; ended before that, newest first */
	DB_RATED_DROP,   /* player, game, ended, board: deletes the row */

	DB_RATING_PUT,     /* RATING_ROW; changes nothing when the row there is of a later game */
	DB_RATINGS_CLEAR,  /* empties the table */
	DB_RATING_DROP,    /* player, game: deletes the row */
	DB_RATINGS_LOST,   /* game → player; whose last rated game is no finished one any more */
	DB_RATINGS_AFTER,  /* player, game, limit → RATING_ROW; greater (player, game), rising */
	DB_RATING,         /* player, game → RATING_ROW */
	DB_RATINGS_FORGET, /* player: deletes the rows */
	DB_RATINGS_OF,     /* player → RATING_ROW; by game */
	DB_LADDER,         /* game, limit, offset → RATING_ROW; best first, no provisional ones */
	DB_LADDER_PROVISIONAL, /* the same, of the provisional ratings alone */
	DB_LADDER_ABOVE,       /* game, rating → how many players of the ladder are better */
	DB_LADDER_SIZE,        /* game → how many players the ladder has */

	DB_PLAYER_PUT,    /* key, userid, its looks (key_looks()), time of the next digest or 0,
	                   * end of the suspension or 0, key of the name it leads on to or "", role */
	DB_PLAYER_GET,    /* key → userid, looks, time of the next digest, end of the suspension,
	                   * key of the name it leads on to, role or NULL (not known) */
	DB_PLAYER_IS_OLD, /* key → 1 if the role is not known */
	DB_STAFF,         /* → key of each player with a role */
	DB_RENAMED_TO,    /* key → key; names that lead on to it */
	DB_PLAYER_LIKE,   /* looks → userid, role; those that may look so (key_is_alike()) */
	DB_PLAYERS_PRESENT, /* the same without names that lead on to others */
	DB_PLAYERS_AFTER,   /* key, limit → key, userid; greater keys, rising */
	DB_ADDRESS_PUT,     /* key, address, time of confirmation (0: none) */
	DB_ADDRESS_CLEAR,   /* key: deletes all addresses of the player */
	DB_ADDRESSES,       /* key → address, time of confirmation; by address */
	DB_ADDRESS_OWNER,   /* address → key; of several players the one who confirmed it first */

	/* TOURNAMENT_ROW is name, game, director, kind, state, rounds paired, rounds in all, players,
	 * created, ended, due; a tournament's key is its folded name. */
	DB_TOURNAMENT_PUT, /* key, TOURNAMENT_ROW */
	DB_TOURNAMENT_GET, /* key → TOURNAMENT_ROW */
	DB_TOURNAMENTS, /* state, created, key, limit → TOURNAMENT_ROW; before (created, key), newest first */
	DB_TOURNAMENTS_AFTER, /* key, limit → key; greater keys, rising */
	DB_TOURNAMENTS_DUE, /* time, due, key, limit → key, due; due by then, after (due, key) */
	DB_ENTRY_PUT,       /* player, key of the tournament */
	DB_ENTRIES_CLEAR,   /* key: deletes all entries of the tournament */
	DB_ENTRIES,         /* key → player */
	DB_ENTRIES_OF,      /* player, key, limit → key of a tournament; greater keys, rising */

	DB_DIGEST_DUE, /* time, due, key, limit → key, due; due by then, after (due, key) */

	DB_SUSPENDED_DUE, /* time, due, key, limit → key, end; suspensions that end by then */

	DB_BARRED_PUT,     /* key of the player, hash */
	DB_BARRED_CLEAR,   /* key: deletes all hashes of the player */
	DB_BARRED_OF,      /* key → hash */
	DB_BARRED,         /* hash → 1 */
	DB_BARRED_PLAYERS, /* → key of each player with such hashes, rising */

	/* what is a board's number or a game's name, as text */
	DB_WATCH_PUT,   /* key of the player, what, only the end (0 or 1) */
	DB_WATCH_CLEAR, /* key: deletes all watches of the player */
	DB_WATCHES,     /* key → what, only the end; by what */
	DB_WATCHED,     /* what, another → 1 if somebody watches one of them */
	DB_WATCHERS,    /* what, limit → key, only the end; by key */

	/* MAIL is message_id, envelope_from, rcpt, bytes, created, next_try, attempts, why. */
	DB_OUTBOX_ADD,    /* MAIL; nothing when (message_id, rcpt) is there already */
	DB_OUTBOX_DUE,    /* time, worker, limit → id; those that no other worker has, the longest
	                     * due first */
	DB_OUTBOX_WINDOW, /* the same → id, MAIL */
	DB_OUTBOX_GET,    /* id → id, MAIL */
	DB_OUTBOX_FIND,   /* message_id, rcpt → id */
	DB_OUTBOX_SENT,   /* message_id, rcpt: deletes it */
	DB_OUTBOX_DONE,   /* id: deletes the row */
	DB_OUTBOX_RETRY,  /* id, next_try, why, worker: counts an attempt, and gives the mail back,
	                  * unless another worker has it */
	DB_OUTBOX_CLAIM,  /* as DB_OUTBOX_DUE, until: the worker has these mails; counts attempts */
	DB_OUTBOX_RELEASE, /* id, worker, attempts: the worker gives it back */
	DB_OUTBOX_NOTE,    /* id, why */
	DB_OUTBOX_LIST,    /* id, limit → id, MAIL with a length for bytes; greater ids, rising */
	DB_OUTBOX_HURRY,   /* time, id: due at that time at the latest */
	DB_OUTBOX_HURRY_ALL, /* time: the same for all rows */

	/* Mails that came and wait to be worked on, and those that were put aside */
	DB_INBOX_ADD, /* name, came, cut, bytes: nothing when a mail of this name waits; one that was
	                * put aside waits again */
	DB_INBOX_NEXT, /* id, limit → id, came, cut, bytes; those that wait, of greater ids, rising */
	DB_INBOX_HAS,  /* id → 1 if it waits */
	DB_INBOX_DONE, /* id: deletes the row, if it waits */
	DB_INBOX_SIZE, /* time → how many wait that came at that time or later, when the oldest of
	                * them came or NULL */
	DB_ASIDE_PUT,  /* name, time, cut, bytes, why, has the sender a proof: puts it aside */
	DB_ASIDE, /* name, limit → name, time, length of bytes, why, proof; greater names, rising */
	DB_ASIDE_SIZE,   /* → how many were put aside, their bytes */
	DB_ASIDE_GET,    /* name → bytes */
	DB_ASIDE_PROVED, /* name: its sender has a proof */
	DB_ASIDE_RETRY,  /* name: waits again */
	DB_ASIDE_DROP,   /* name: deletes the row */
	/* WORKER is name, time, microseconds to the server, source, program, conf, templates, secret. */
	DB_WORKER_PUT,     /* WORKER */
	DB_WORKERS,        /* time → WORKER; those of that time or later, by name */
	DB_WORKERS_EXPIRE, /* time: deletes older rows */
	DB_WORKER_DROP,    /* name: deletes the row */
	DB_ALONE, /* waits until no other connection writes; until this one ends, none does */
	DB_ROLE, /* name → 1: this connection has the role until it ends; 0: another one has it */

	DB_VALUE_GET,    /* name → number */
	DB_VALUES_GET,   /* 8 names → name, number; a name may be NULL */
	DB_VALUE_SET,    /* name, number */
	DB_VALUE_DROP,   /* name */
	DB_VALUE_ADD,    /* name, number: adds to it, 0 if there is none */
	DB_VALUES,       /* from, to, limit → name, number; names between the two, rising */
	DB_RATES_MOST,   /* from, to, now, limit → key, count; keys between, greatest first */
	DB_GAME_STATES,  /* → game, how many of it are offered, running, finished, closed */
	DB_RUNNING_SIZE, /* most → how many games are running, at most so many */
	DB_PLAYERS_SIZE, /* → how many players have a confirmed address */
	DB_OUTBOX_SIZE,  /* → how many mails wait, when the oldest was written or NULL */
	DB_SEEN,         /* key, another or the same → 1 */
	DB_SEEN_ADD,     /* key, time */
	DB_SEEN_FORGET,  /* start of keys, end of that range of keys (not in it): deletes them */
	DB_SEEN_EXPIRE,  /* time, limit: deletes at most so many older marks */
	DB_SILENT,       /* hash → 1 */
	DB_SILENT_ADD,   /* hash, time */
	DB_SILENT_DROP,  /* hash */
	DB_HELD_PUT,     /* id, userid, address, text, expires */
	DB_HELD_GET,     /* id → id, userid, address, text, expires */
	DB_HELD_OF,      /* userid → id, userid, address, text, expires */
	DB_HELD_DELETE,  /* id */
	DB_HELD_EXPIRE,  /* time: deletes what expires by then */
	DB_RATE_EXPIRE,  /* time: deletes the windows that end by then */
	DB_RATE_COUNT, /* key, end of the window if it is new, now, more keys or NULL → key, count, this
	                  * event included, in any order; a
	                  * window that ends later was begun by a wrong clock, and is replaced */
	DB_RATE_FORGET,    /* start of keys, end of that range of keys (not in it): deletes them */
	DB_RATE_TAKE_BACK, /* key, time: one event less in the window that is running then */
	DB_RATE_ENDS,      /* key, time → when the window ends that is running then */
	DB_RATE_GET,       /* key, time → count of the window that is running then */
	/* work that a change leaves for later */
	DB_WORK_ADD,          /* kind, board, name, events; a row that is there keeps its events and
	                          * gets a new number */
	DB_WORK_ADD_GAMES_OF, /* who: kind `game`, all finished games of a player */
	DB_WORK_ADD_TOURNAMENTS, /* kind `tournament`, all of them */
	DB_WORK,       /* kind, board, name, limit → name, number, board, events; greater
	                          * (board, name), rising */
	DB_WORK_DONE,  /* number: deletes the row, if it still has this number */
	DB_AUDIT_ADD,  /* at, reason, sender, player, what, cause */
	DB_AUDIT_TRIM, /* number of rows: deletes all but so many of the newest */
	DB_AUDIT,      /* id, limit → id and the columns of DB_AUDIT_ADD; greater ids, rising */

	DB_SERVER, /* → clock in seconds, does it take writes, does a commit wait for a second copy, standbys */
	/* For another database, see queues.c.  key, limit → the whole rows, the key first; greater
	 * keys, rising. */
	DB_QUEUE_CLOCKS,
	DB_QUEUE_OUTBOX,
	DB_QUEUE_INBOX,
	DB_QUEUE_SEEN,
	DB_QUEUE_HELD,
	DB_QUEUE_RATE,
	DB_QUEUE_WORK,
	DB_QUEUE_SILENT,
	DB_QUEUE_LAST, /* → the greatest number that table work has given */
	/* whole rows */
	DB_QUEUE_OUTBOX_PUT,
	DB_QUEUE_INBOX_PUT,
	DB_QUEUE_RATE_PUT,
	DB_QUEUE_WORK_PUT,
	DB_QUEUE_AUDIT_PUT,
	DB_QUEUE_GO_ON, /* number: that of table work; the numbers of new rows follow those that were
	                 * put */
	DB_QUERIES
};
