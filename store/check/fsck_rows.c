/* The half of fsck that begins at the database. */
#include <stdio.h>
#include <string.h>

#include "store/check/fsck.h"
#include "store/docs.h"
#include "store/store_ratings.h"

#define ROWS_A_PAGE 500

/* A walk over the rows of one table, a page at a time. */
struct row_walk {
	struct fsck *f;
	int64_t board; /* the last one of the previous page */
	char key[KEY_USERID_MAX + 1];
	int rows;
	/* Of players and of tournaments: the place of a row's document, and what a name without
	 * one is. */
	bool (*place)(const char *name, struct document_file *out);
	const char *wrong;
};

static int check_row_file(struct row_walk *w, const struct document_file *d, struct err *e)
{
	struct fsck *f = w->f;

	if (d->board > f->greatest_board)
		f->greatest_board = d->board;
	int rc = doc_has(f->s, d->path, e);
	if (rc == 0)
		rc = fsck_is_pending(f, d->path, e);
	if (rc == 0)
		fsck_finding(f, false, "%s: the file is missing, only its index row is left",
		             d->path);
	return rc < 0 ? rc : 0;
}

static int check_game_row(const struct db_row *row, void *arg, struct err *e)
{
	struct row_walk *w = arg;
	struct document_file d;

	w->rows++;
	w->board = db_row_int(row, 0);
	if (!document_file_game(w->board, &d))
		fsck_finding(w->f, false, "pbm.db: there is no board %lld", (long long)w->board);
	return d.board > 0 ? check_row_file(w, &d, e) : 0;
}

static int check_named_row(const struct db_row *row, void *arg, struct err *e)
{
	struct row_walk *w = arg;
	struct document_file d;

	w->rows++;
	if (!w->place(db_row_text(row, 0), &d))
		return err_set(e, ERR_DAMAGED, "pbm.db: \"%.60s\" is %s", db_row_text(row, 0),
		               w->wrong);
	memcpy(w->key, d.key, sizeof w->key);
	return check_row_file(w, &d, e);
}

static int check_named_rows(struct row_walk *w, enum db_query query, struct err *e)
{
	int rc;

	do {
		w->rows = 0;
		rc = db_each(w->f->s->db, query, DB_ARGS(db_text(w->key), db_int(ROWS_A_PAGE)),
		             check_named_row, w, e);
	} while (rc == 0 && w->rows == ROWS_A_PAGE);
	return rc;
}

static int check_rows(struct fsck *f, struct err *e)
{
	struct row_walk w = { .f = f, .board = INT64_MIN };
	struct row_walk players = { .f = f,
		                    .place = document_file_player,
		                    .wrong = "not a userid" };
	struct row_walk tournaments = { .f = f,
		                        .place = document_file_tournament,
		                        .wrong = "no name of a tournament" };
	int rc;

	do {
		w.rows = 0;
		rc = db_each(f->s->db, DB_GAMES_AFTER,
		             DB_ARGS(db_int(w.board), db_int(ROWS_A_PAGE)), check_game_row, &w, e);
	} while (rc == 0 && w.rows == ROWS_A_PAGE);
	if (rc == 0)
		rc = check_named_rows(&players, DB_PLAYERS_AFTER, e);
	return rc == 0 ? check_named_rows(&tournaments, DB_TOURNAMENTS_AFTER, e) : rc;
}

struct rating_walk {
	struct fsck *f;
	char player[KEY_USERID_MAX + 1], game[100]; /* the last ones of the previous page */
	int rows;
};

static bool is_rated_again(const struct rating_walk *w)
{
	int64_t since = 0;

	const char *name = PRINTED(160, "%s%.*s", STORE_RATING_AGAIN, (int)strcspn(w->game, " "),
	                           w->game);
	return db_number(w->f->s->db, DB_VALUE_GET, DB_ARGS(db_text(name)), &since, NULL) == 1 &&
	       since;
}

/* Checks that each rating is in the document of the game that it names.  Otherwise no row can be
 * made from this document: the right one may be in any other document. */
static int check_rating_row(const struct db_row *row, void *arg, struct err *e)
{
	struct rating_walk *w = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct document_file d;

	w->rows++;
	snprintf(w->player, sizeof w->player, "%s", db_row_text(row, 0));
	snprintf(w->game, sizeof w->game, "%s", db_row_text(row, 1));
	if (!document_file_game(db_row_int(row, 2), &d))
		return err_set(e, ERR_DAMAGED, "pbm.db: a rating of board %lld",
		               (long long)d.board);
	/* fsck without --repair leaves pending rows alone.  If there is one, the file is
	 * old, and that finding has been reported already.  In a repair only the file's
	 * layout is older. */
	int rc = w->f->repair ? 0 : fsck_is_pending(w->f, d.path, e);
	if (rc)
		return rc < 0 ? rc : 0;
	AUTO(str_release) struct str bytes = str_heap(document_file_limit(&d) + 1);
	rc = doc_file(w->f->s, d.path, &bytes, NULL);
	if (rc == 0)
		rc = document_file_parse(&d, &a, bytes.data, bytes.len, NULL);
	bool stands = rc == 0 && document_file_has_rating(&d.game, row);
	/* A file that cannot be read has a finding of its own.  A board without ratings was
	 * annulled, if the ratings are still to be computed again. */
	if (rc == 0 && !stands && !(d.game.rating_count == 0 && is_rated_again(w)))
		fsck_finding(w->f, false,
		             "pbm.db: %s's rating in %s is not what board %lld says; "
		             "pbm reindex makes the ratings again",
		             w->player, w->game, (long long)d.board);
	return 0;
}

static int check_ratings(struct fsck *f, struct err *e)
{
	struct rating_walk w = { .f = f };
	int rc;

	do {
		w.rows = 0;
		rc = db_each(f->s->db, DB_RATINGS_AFTER,
		             DB_ARGS(db_text(w.player), db_text(w.game), db_int(ROWS_A_PAGE)),
		             check_rating_row, &w, e);
	} while (rc == 0 && w.rows == ROWS_A_PAGE);
	return rc;
}

/* Checks the tables that follow from other tables. */
static int check_derived(struct fsck *f, struct err *e)
{
	const char *table = "";
	int64_t wrong = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && table; i++) {
		rc = db_check_derived(f->s->db, i, &table, &wrong, e);
		if (rc < 0 || wrong == 0)
			continue;
		fsck_finding(f, f->repair, "pbm.db: %lld rows of table %s are wrong",
		             (long long)wrong, table);
		if (f->repair)
			rc = db_mend_derived(f->s->db, i, e);
	}
	return rc;
}

static int check_next_board(struct fsck *f, struct err *e)
{
	int64_t next = 0;
	int rc = db_number(f->s->db, DB_BOARD_PEEK, DB_NONE, &next, e);

	if (rc < 0 || next > f->greatest_board)
		return rc < 0 ? rc : 0;
	fsck_finding(f, f->repair, "pbm.db: board %lld would be given again", (long long)next);
	return f->repair ? db_run(f->s->db, DB_BOARD_RESERVE, DB_ARGS(db_int(f->greatest_board)), e)
	                 : 0;
}

int fsck_rows(struct fsck *f, struct err *e)
{
	int rc = check_rows(f, e);

	if (rc == 0)
		rc = check_ratings(f, e);
	if (rc == 0)
		rc = check_derived(f, e);
	return rc == 0 ? check_next_board(f, e) : rc;
}
