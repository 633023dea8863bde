/* A document as rows of the index. */
#include <stdio.h>
#include <string.h>

#include "store/document/document_file.h"

/* A document that was written before games had a due time is due at its deadline, an
 * offer at once; when the server looks at it, it gets one. */
static int64_t due_of(const struct game_doc *g)
{
	if (g->due)
		return g->due;
	return g->state == GAME_RUNNING ? g->deadline : g->state == GAME_OFFERED ? g->created : 0;
}

_Static_assert(GAME_OFFERED == 0 && GAME_RUNNING == 1 && GAME_FINISHED == 2 && GAME_CLOSED == 3,
               "the states of store/db/db_query.h");
_Static_assert(SEAT_WHITE == 0 && SEAT_BLACK == 1 && SEAT_NONE == 2,
               "the sides to move of store/db/db_query.h");

/* A row for each hash of an address that can't sign up again. */
static int barred_rows(const struct document_file *d, document_file_row_fn *run, void *to,
                       struct err *e)
{
	int rc = run(to, DB_BARRED_CLEAR, DB_ARGS(db_text(d->key)), e);

	for (const char *p = d->player.barred; p && *p;) {
		size_t n = strcspn(p, " ");
		char hash[DOCUMENT_FILE_HASH_SIZE];

		snprintf(hash, sizeof hash, "%.*s", (int)n, p);
		rc = run(to, DB_BARRED_PUT, DB_ARGS(db_text(d->key), db_text(hash)), e);
		p += n + strspn(p + n, " ");
	}
	return rc;
}

static int player_rows(const struct document_file *d, document_file_row_fn *run, void *to,
                       struct err *e)
{
	const struct player_doc *p = &d->player;
	char address[KEY_ADDRESS_MAX + 1], looks[KEY_USERID_MAX + 1];
	char renamed[KEY_USERID_MAX + 1] = "";

	key_fold(p->renamed ? p->renamed : "", renamed, sizeof renamed);
	key_looks(p->userid, looks, sizeof looks);
	run(to, DB_PLAYER_PUT,
	    DB_ARGS(db_text(d->key), db_text(p->userid), db_text(looks), db_int(p->digest_due),
	            db_int(p->suspended), db_text(renamed), db_text(p->role)),
	    e);
	run(to, DB_ADDRESS_CLEAR, DB_ARGS(db_text(d->key)), e);
	for (size_t i = 0; i < p->address_count; i++) {
		key_fold(p->addresses[i].address, address, sizeof address);
		run(to, DB_ADDRESS_PUT,
		    DB_ARGS(db_text(d->key), db_text(address), db_int(p->addresses[i].confirmed)),
		    e);
	}
	run(to, DB_WATCH_CLEAR, DB_ARGS(db_text(d->key)), e);
	for (size_t i = 0; i < p->watch_count; i++)
		run(to, DB_WATCH_PUT,
		    DB_ARGS(db_text(d->key), db_text(p->watches[i].what),
		            db_int(p->watches[i].final)),
		    e);
	return barred_rows(d, run, to, e);
}

int document_file_rating_rows(const struct game_doc *g, document_file_row_fn *run, void *to,
                              struct err *e)
{
	char key[KEY_USERID_MAX + 1];
	int rc = 0;

	for (size_t i = 0; i < g->rating_count; i++) {
		const struct game_rating *r = &g->ratings[i];

		key_fold(g->players[r->seat], key, sizeof key);
		run(to, DB_RATING_PUT,
		    DB_ARGS(db_text(key), db_text(game_doc_list(g)), db_int(g->board),
		            db_int(r->rating), db_int(r->deviation), db_int(r->volatility),
		            db_int(r->games), db_int(g->ended)),
		    e);
		rc = run(to, DB_RATED_PUT,
		         DB_ARGS(db_text(key), db_text(game_doc_list(g)), db_int(g->ended),
		                 db_int(g->board), db_int(game_rating_then(r).rating)),
		         e);
	}
	return rc;
}

static int game_rows(const struct document_file *d, document_file_row_fn *run, void *to,
                     struct err *e)
{
	const struct game_doc *g = &d->game;
	char opening[OPENING_MAX];

	if (g->event_count)
		opening_of(g, opening);
	else
		snprintf(opening, OPENING_MAX, "%s", d->opening);
	document_file_rating_rows(g, run, to, e);
	return run(to, DB_GAME_PUT,
	           DB_ARGS(db_int(g->board), db_text(g->game),
	                   db_text(g->options ? g->options : ""), db_text(g->players[0]),
	                   db_text(g->players[1]), db_int(g->state), db_int(g->to_move),
	                   db_int(g->ply), db_text(g->result), db_text(g->reason),
	                   db_int(g->created), db_int(g->ended), db_int(g->deadline),
	                   db_int(due_of(g)), db_text(opening),
	                   db_int(g->state == GAME_FINISHED ? g->puzzle_day : 0),
	                   db_text(g->tournament ? g->tournament : "")),
	           e);
}

static int tournament_rows(const struct document_file *d, document_file_row_fn *run, void *to,
                           struct err *e)
{
	const struct tournament_doc *t = &d->tournament;
	char player[KEY_USERID_MAX + 1];

	run(to, DB_TOURNAMENT_PUT,
	    DB_ARGS(db_text(d->key), db_text(t->name), db_text(t->terms.game), db_text(t->director),
	            db_int(t->kind), db_int(t->state), db_int((int64_t)t->round_count),
	            db_int(t->rounds), db_int((int64_t)tournament_count(t, ENTRY_PLAYS)),
	            db_int(t->created), db_int(t->ended), db_int(t->due)),
	    e);
	int rc = run(to, DB_ENTRIES_CLEAR, DB_ARGS(db_text(d->key)), e);
	for (size_t i = 0; i < t->entry_count; i++) {
		key_fold(t->entries[i].userid, player, sizeof player);
		rc = run(to, DB_ENTRY_PUT, DB_ARGS(db_text(player), db_text(d->key)), e);
	}
	return rc;
}

int document_file_rows(const struct document_file *d, document_file_row_fn *run, void *to,
                       struct err *e)
{
	run(to, DB_SUM_PUT, DB_ARGS(db_text(d->path), db_int(d->sum)), e);
	return d->kind == DOCUMENT_FILE_GAME         ? game_rows(d, run, to, e)
	       : d->kind == DOCUMENT_FILE_TOURNAMENT ? tournament_rows(d, run, to, e)
	                                             : player_rows(d, run, to, e);
}

int document_file_run(void *to, enum db_query q, size_t n, const struct db_value *args,
                      struct err *e)
{
	return db_run(to, q, n, args, e);
}

int document_file_index(const struct document_file *d, struct db *db, struct err *e)
{
	return document_file_rows(d, document_file_run, db, e);
}

int document_file_index_ratings(const struct document_file *d, struct db *db, struct err *e)
{
	document_file_rating_rows(&d->game, document_file_run, db, e);
	return db_run(db, DB_SUM_PUT, DB_ARGS(db_text(d->path), db_int(d->sum)), e);
}

int document_file_index_game(const struct document_file *d, struct db *db, struct err *e)
{
	return game_rows(d, document_file_run, db, e);
}
