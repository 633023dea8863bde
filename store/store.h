/* The store: games and players as JSON files, made safe by one SQLite file
 * (pbm.db) that is the commit point and the index.  One transaction carries the
 * documents' new bytes, the outgoing mails, the seen marks and the index rows
 * of a batch of mails; after the commit the documents reach their files.
 * Opening for writing finishes what a crash left.  One writer; readers never
 * wait.  The store knows no rules and sends no mail.
 *
 * Whatever changes a row must be inside a transaction (ERR_BAD).  Rows are
 * gathered before a callback sees the first one, at most limit of them: a
 * callback may write and ask again.  A callback's negative result is returned,
 * a positive one only stops. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "store/document.h"

struct store;

enum store_mode {
	STORE_READ,
	STORE_WRITE /* ERR_BUSY when another process writes */
};

/* Makes games/, players/ and pbm.db in dir; existing ones are kept.
 * ERR_DAMAGED: documents, but no pbm.db: store_reindex() is what helps. */
int store_create(const char *dir, struct err *e);
/* ERR_NOT_FOUND, ERR_BUSY, ERR_DAMAGED. */
int store_open(const char *dir, enum store_mode mode, struct store **out, struct err *e);
void store_close(struct store *s); /* NULL is fine */

/* One transaction a batch; inside it one savepoint a mail, so that a mail that
 * fails takes back only itself.  Reads see the transaction's own writes. */
int store_begin(struct store *s, struct err *e);
int store_mark(struct store *s, struct err *e);             /* start of a mail */
int store_rollback_to_mark(struct store *s, struct err *e); /* the mark is gone then */
/* Nothing without a mark.  Fails when anything since the mark failed through the
 * machine's fault (ERR_SYSTEM and the like), whatever its caller made of it: then
 * the mail must be taken back. */
int store_release_mark(struct store *s, struct err *e);
/* When it returns 0 everything is durable.  Documents then go to their files;
 * should that fail, the next begin or open does it: the commit stands.
 * ERR_UNCERTAIN: the disk failed at the very end; close the store, the next
 * open tells.  After any failure the transaction is over. */
int store_commit(struct store *s, struct err *e);
void store_abort(struct store *s);

/* A pause in which others may write, outside a transaction: for what takes long
 * and has nothing to do with the store.  Failing, the store is still ours.
 * Whatever was read before the pause may be wrong behind it, a row gone, its id
 * another row's, pbm.db another file. */
int store_yield(struct store *s, struct err *e);
/* Waits so many milliseconds for whoever writes: then ERR_BUSY, and it may be
 * called again.  As store_open() else.  Until it returns 0, nothing but itself and
 * store_close() may be called. */
int store_resume(struct store *s, int ms, struct err *e);

/* One process at a time sends, beside those that write: 1: this one, until the end,
 * or store_close(), also while the store is given up; 0: it's another one.  Called
 * again, it tells whether that is still so, for the folder may have been replaced.
 * Whoever ends, having looked at the outbox since it resumed, leaves no mail that
 * another process could not send because of it. */
int store_sending_begin(struct store *s, struct err *e);
void store_sending_end(struct store *s);

/* Documents.  get: ERR_NOT_FOUND; ERR_DAMAGED, also for a file that is missing
 * although the index knows it.  put validates (game_doc_check(): ERR_BAD,
 * ERR_LIMIT) and indexes. */
int store_game_get(struct store *s, struct arena *a, int64_t board, struct game_doc *out,
                   struct err *e);
int store_game_put(struct store *s, const struct game_doc *g, struct err *e);
int store_player_get(struct store *s, struct arena *a, const char *userid, struct player_doc *out,
                     struct err *e);
int store_player_put(struct store *s, const struct player_doc *p, struct err *e);
/* The player who has this address (confirmed ones win), case folded. */
int store_player_by_address(struct store *s, struct arena *a, const char *address,
                            struct player_doc *out, struct err *e);
/* A board number never given before.  Part of the transaction. */
int store_next_board(struct store *s, int64_t *out, struct err *e);

/* Named questions.  Newest first: finished games by their end, others by board;
 * at most limit rows after skipping offset.  OPEN is running games; TO_MOVE is
 * those where userid is to move (anybody, for NULL); ALL has closed ones too. */
struct game_row {
	int64_t board;
	const char *game, *options, *players[2], *result, *reason;
	enum game_state state;
	uint8_t to_move;
	unsigned ply;
	int64_t created, ended, deadline, due;
};
enum game_filter { GAMES_OPEN, GAMES_TO_MOVE, GAMES_FINISHED, GAMES_OFFERS, GAMES_ALL };
typedef int game_row_fn(const struct game_row *row, void *arg); /* nonzero stops */
/* userid NULL: everybody's; game NULL: every game. */
int store_games(struct store *s, const char *userid, const char *game, enum game_filter f,
                size_t limit, size_t offset, game_row_fn *fn, void *arg, struct err *e);
/* Finished games, newest first, from below a place in that order on: so a walk
 * over a long list costs no more at its end than at its beginning. */
struct finished_place {
	int64_t ended, board;
}; /* INT64_MAX twice: from the top */
int store_finished(struct store *s, const char *userid, const char *game,
                   struct finished_place below, int64_t since, size_t limit, game_row_fn *fn,
                   void *arg, struct err *e);
/* How many finished games a list of the archive has: "all", "game:suicide",
 * "month:2026-12", "player:alice" (folded).  No such list: 0. */
int store_count(struct store *s, const char *list, int64_t *out, struct err *e);
/* The lists of a kind ("game:") that have games, in order of their names. */
typedef int count_fn(const char *name, int64_t n, void *arg);
int store_counts(struct store *s, const char *kind, count_fn *fn, void *arg, struct err *e);
/* Games for which the server has something to do at or before t, earliest first,
 * behind a place in that order; {0} is in front of all. */
struct due_place {
	int64_t due, board;
};
int store_due(struct store *s, int64_t t, struct due_place after, size_t limit, game_row_fn *fn,
              void *arg, struct err *e);
/* Running games above a board, rising. */
int store_running(struct store *s, int64_t after, size_t limit, game_row_fn *fn, void *arg,
                  struct err *e);
typedef int player_row_fn(const char *userid, void *arg);
int store_players(struct store *s, player_row_fn *fn, void *arg, struct err *e);

/* Ratings, as the last rated game of a player in a kind of game left them;
 * store_game_put() takes them from the document. */
struct rating_row {
	const char *player; /* key: the folded userid */
	const char *game;
	int64_t board, rating, deviation, volatility, games, ended; /* struct game_rating */
};
typedef int rating_row_fn(const struct rating_row *row, void *arg);
/* 1: *out, whose strings are NULL; 0: never rated in this game. */
int store_rating(struct store *s, const char *userid, const char *game, struct rating_row *out,
                 struct err *e);
int store_ratings_of(struct store *s, const char *userid, rating_row_fn *fn, void *arg,
                     struct err *e);
/* Best first, without provisional ratings (110 points of deviation and more). */
int store_ladder(struct store *s, const char *game, size_t limit, size_t offset, rating_row_fn *fn,
                 void *arg, struct err *e);
/* How many players of the ladder stand above this rating, and how many there are. */
int store_ladder_place(struct store *s, const char *game, int64_t rating, int64_t *above,
                       int64_t *all, struct err *e);

/* The outbox: one row a (message, recipient). */
struct outbox_mail {
	int64_t id;
	const char *message_id, *envelope_from, *rcpt;
	const char *bytes;
	size_t len;
	int64_t created, next_try;
	int attempts;
	const char *why; /* of the last failure, or NULL */
};
/* Same message and recipient again, while it waits: nothing happens. */
int store_outbox_add(struct store *s, const struct outbox_mail *m, struct err *e);
typedef int outbox_fn(const struct outbox_mail *m, void *arg);
/* Due at t, the longest due first, at most limit. */
int store_outbox_due(struct store *s, int64_t t, size_t limit, outbox_fn *fn, void *arg,
                     struct err *e);
/* 1: *id is the row that waits with this message and recipient; 0: there is none. */
int store_outbox_find(struct store *s, const char *message_id, const char *rcpt, int64_t *id,
                      struct err *e);
/* done: sent, or given up; the row goes.  retry counts the attempt. */
int store_outbox_done(struct store *s, int64_t id, struct err *e);
int store_outbox_retry(struct store *s, int64_t id, int64_t next_try, const char *why,
                       struct err *e);
/* Sets the number of attempts. */
int store_outbox_attempts(struct store *s, int64_t id, int attempts, struct err *e);
/* Says why it still waits, without an attempt. */
int store_outbox_note(struct store *s, int64_t id, const char *why, struct err *e);
/* The ids behind `after`, rising, at most limit: everything but bytes, NULL. */
int store_outbox_list(struct store *s, int64_t after, size_t limit, outbox_fn *fn, void *arg,
                      struct err *e);
/* Due at t if it would be later; id 0: all. */
int store_outbox_hurry(struct store *s, int64_t id, int64_t t, struct err *e);

/* Numbers the server remembers from run to run, by name; 0 until they are set.
 * A reindex, and a backup, keep those whose names begin with "clock-" alone. */
int store_value(struct store *s, const char *name, int64_t *out, struct err *e);
int store_value_set(struct store *s, const char *name, int64_t value, struct err *e);

/* Seen marks: keys of mails that took effect (Message-ID with its proved
 * sender, SHA-256 of the raw mail).  1 seen, 0 not. */
int store_seen(struct store *s, const char *key, struct err *e);
int store_seen_add(struct store *s, const char *key, int64_t at, struct err *e);
/* Forgets at most limit marks that are older. */
int store_seen_expire(struct store *s, int64_t before, size_t limit, struct err *e);

/* Commands held until their sender confirms. */
struct held_command {
	const char *id;      /* unguessable; the confirm token names it */
	const char *userid;  /* whose authority it needs; "" for a signup */
	const char *address; /* where the question went */
	const char *text;    /* what will be done, as JSON or command lines */
	int64_t expires;
};
int store_held_put(struct store *s, const struct held_command *h, struct err *e);
int store_held_get(struct store *s, struct arena *a, const char *id, struct held_command *out,
                   struct err *e);
int store_held_delete(struct store *s, const char *id, struct err *e);
int store_held_expire(struct store *s, int64_t now, struct err *e);

/* Counts one event under key; *count is the number within the window of so many
 * seconds that is running, this one included.  The first event opens it. */
int store_rate(struct store *s, const char *key, int64_t now, int64_t window, int64_t *count,
               struct err *e);

/* Proofs that were refused: the newest AUDIT_MAX of them are kept. */
#define AUDIT_MAX 20000
struct audit_row {
	int64_t id; /* rising; given by the store */
	int64_t at;
	const char *reason; /* a word */
	const char *sender; /* From, which may be forged */
	const char *player; /* userid it was about, or NULL */
	const char *what;   /* never a secret; or NULL */
	const char *cause;  /* names the mail */
};
/* Texts longer than a few hundred bytes are cut. */
int store_audit_add(struct store *s, const struct audit_row *row, struct err *e);
typedef int audit_fn(const struct audit_row *row, void *arg);
/* Rows after this id (0: all), oldest first. */
int store_audit(struct store *s, int64_t after, size_t limit, audit_fn *fn, void *arg,
                struct err *e);

/* Boards whose archive pages must be written again, above a board, rising. */
int store_archive_mark(struct store *s, int64_t board, struct err *e);
typedef int board_fn(int64_t board, void *arg);
int store_archive_due(struct store *s, int64_t after, size_t limit, board_fn *fn, void *arg,
                      struct err *e);
int store_archive_done(struct store *s, int64_t board, struct err *e);

/* pbm.db from the JSON files alone: documents, index, next board number.  The
 * outbox, seen marks, held commands and rates of a readable old pbm.db are
 * kept; an unreadable one goes to damaged/.  progress may be NULL.  Returns how
 * many damaged documents (and databases) were left out, the first one named in
 * *e, or <0: then the old pbm.db stands.  ERR_BUSY: somebody writes or reads. */
typedef void progress_fn(int64_t done, int64_t total, void *arg);
int store_reindex(const char *dir, progress_fn *progress, void *arg, struct err *e);

/* What no document has (outbox, seen marks, held commands, rates, archive marks)
 * as a database at path: put beside the documents, it is a site's pbm.db after
 * store_reindex().  s must be open for writing, outside a transaction. */
int store_copy_queues(struct store *s, const char *path, struct err *e);

/* Needs the write lock in any case.  Compares files, database and (through verify, may be NULL) the rules.  Each
 * finding goes to report.  Returns the number of findings left, or <0. */
enum fsck_mode {
	FSCK_LOOK,
	FSCK_REPAIR, /* mends what can be proved, sets damaged files aside in damaged/ */
	FSCK_ACCEPT  /* the same, taking files that read well, but that pbm didn't write so */
};
typedef int verify_game_fn(const struct game_doc *g, void *arg, struct err *e);
typedef void report_fn(const char *what, bool repaired, void *arg);
int store_fsck(const char *dir, enum fsck_mode mode, verify_game_fn *verify, report_fn *report,
               void *arg, struct err *e);

#endif
