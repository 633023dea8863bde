/* A document beside the rows that the index has for it: are they those which document_file_rows()
 * puts? */
#include <string.h>

#include "store/document/document_file.h"

#define PLAYER_ROW_ROLE 5
#define ROW_OF(kind, put, get, first, columns, ...)                                                \
	{                                                                                          \
		kind, put, get, first, columns, NULL,                                              \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

/* A table: the query that puts a row of a document, the one that reads its rows, and the values of
 * the first one that are the columns of the second one. */
static const struct table {
	enum document_file_kind kind;
	enum db_query put, get;
	size_t first, columns;
	const char *several; /* a document has any number of rows, of this name; NULL: one */
	const char *names[GAME_ROW_COLUMNS];
} tables[] = {
	ROW_OF(DOCUMENT_FILE_GAME, DB_GAME_PUT, DB_GAME_GET, 0, GAME_ROW_COLUMNS, "board", "game",
	       "options", "white", "black", "state", "to_move", "ply", "result", "reason",
	       "created", "ended", "deadline", "due", "opening", "puzzle", "tournament"),
	ROW_OF(DOCUMENT_FILE_PLAYER, DB_PLAYER_PUT, DB_PLAYER_GET, 1, 6, "userid", "looks",
	       "digest_due", "suspended", "renamed", "role"),
	{ DOCUMENT_FILE_PLAYER, DB_ADDRESS_PUT, DB_ADDRESSES, 1, 2, .several = "addresses" },
	{ DOCUMENT_FILE_PLAYER, DB_WATCH_PUT, DB_WATCHES, 1, 2, .several = "watches" },
	{ DOCUMENT_FILE_PLAYER, DB_BARRED_PUT, DB_BARRED_OF, 1, 1, .several = "barred" },
	ROW_OF(DOCUMENT_FILE_TOURNAMENT, DB_TOURNAMENT_PUT, DB_TOURNAMENT_GET, 1, 11, "name",
	       "game", "director", "kind", "state", "rounds played", "rounds", "players", "created",
	       "ended", "due"),
	{ DOCUMENT_FILE_TOURNAMENT, DB_ENTRY_PUT, DB_ENTRIES, 0, 1, .several = "entries" },
};

/* The comparison of one document with its rows. */
struct compared {
	const struct document_file *d;
	struct db *db;
	const char *differs; /* the first thing, or NULL */
	bool old;            /* the game's row: document_file_is_old() */
	const struct table *t;
	const struct db_row *row; /* NULL: the document's rows are counted */
	size_t puts, rows, same_rows;
	bool same;     /* one of the document's rows is this one */
	size_t column; /* else: the first that differs */
	const struct db_value *rating;
	const char *rating_differs;
	int rc;
};

static bool column_equals(const struct db_row *row, int column, const struct db_value *v)
{
	const char *text = db_row_text(row, column);

	if (v->type == DB_INT)
		return db_row_int(row, column) == v->number;
	if (v->type == DB_NULL || !text)
		return v->type == DB_NULL && !text;
	return strcmp(text, v->bytes) == 0;
}

/* store_look_at() has set the game's due time, and the server has not come to it yet. */
static bool is_looked_at(const struct db_row *row, int column, const struct game_doc *g)
{
	return column == GAME_ROW_DUE && db_row_int(row, column) == DOCUMENT_FILE_DUE_NOW &&
	       g->state == GAME_RUNNING;
}

/* An earlier version made the row, without the opening or tournament, or with four plies of the
 * opening.  They are added when the game is put again, and for finished games by
 * store_archive_renew(). */
static bool is_unknown(const struct db_row *row, int column, const char *opening)
{
	bool later = column == GAME_ROW_OPENING || column == GAME_ROW_TOURNAMENT;
	const char *has = later ? db_row_text(row, column) : "";

	return !has ||
	       (column == GAME_ROW_OPENING && *has && strlen(has) == opening_head(opening, 4) &&
	        strncmp(has, opening, strlen(has)) == 0);
}

static bool is_excused(const struct compared *c, size_t column, const struct db_value *v)
{
	if (c->t->put == DB_PLAYER_PUT) /* a row of an earlier version */
		return column == PLAYER_ROW_ROLE && !db_row_text(c->row, PLAYER_ROW_ROLE);
	return c->t->put == DB_GAME_PUT && (is_looked_at(c->row, (int)column, &c->d->game) ||
	                                    is_unknown(c->row, (int)column, v->bytes));
}

/* Compares a row of the document with that of the index. */
static int compare_put(void *to, enum db_query q, size_t, const struct db_value *args, struct err *)
{
	struct compared *c = to;
	const struct db_value *v = args + c->t->first;
	size_t i = 0;

	if (q != c->t->put)
		return 0;
	c->puts += !c->row;
	while (c->row && i < c->t->columns &&
	       (column_equals(c->row, (int)i, &v[i]) || is_excused(c, i, &v[i])))
		i++;
	c->same |= i == c->t->columns;
	c->column = i;
	return 0;
}

static int compare_row(const struct db_row *row, void *arg, struct err *)
{
	struct compared *c = arg;

	c->row = row;
	c->same = false;
	document_file_rows(c->d, compare_put, c, NULL);
	c->rows++;
	c->same_rows += c->same;
	if (c->t->put == DB_GAME_PUT)
		c->old = c->d->game.state == GAME_FINISHED &&
		         (!db_row_text(row, GAME_ROW_OPENING) ||
		          !db_row_text(row, GAME_ROW_TOURNAMENT));
	return 0;
}

static int compare_table(struct compared *c, const struct table *t, struct err *e)
{
	const struct document_file *d = c->d;
	const struct db_value of = t->kind == DOCUMENT_FILE_GAME ? db_int(d->board)
	                                                         : db_text(d->key);

	c->t = t;
	c->row = NULL;
	c->puts = c->rows = c->same_rows = 0;
	document_file_rows(d, compare_put, c, NULL);
	int rc = db_each(c->db, t->get, 1, &of, compare_row, c, e);
	if (c->rows != c->puts || c->same_rows != c->rows)
		c->differs = t->several ? t->several : c->rows ? t->names[c->column] : "no row";
	return rc;
}

/* The first column that differs, or NULL. */
static const char *rating_differs(const struct db_row *row, const struct db_value *args)
{
	static const char *const names[RATING_ROW_COLUMNS] = { "player", "game",      "board",
		                                               "rating", "deviation", "volatility",
		                                               "games",  "ended" };

	for (int i = 0; i < RATING_ROW_COLUMNS; i++)
		if (!column_equals(row, i, &args[i]))
			return names[i];
	return NULL;
}

/* The row may be of a later game, which changed the rating since; not of an earlier one. */
static int compare_rating(const struct db_row *row, void *arg, struct err *)
{
	struct compared *c = arg;
	int64_t board = db_row_int(row, 2), games = db_row_int(row, 6);
	bool later = games == c->rating[6].number ? board > c->rating[2].number
	                                          : games > c->rating[6].number;

	c->rating_differs = later ? NULL : rating_differs(row, c->rating);
	return 0;
}

/* The row of a rating, and that among the past ones; such rows are there unless the game's is old. */
static int compare_rating_put(void *to, enum db_query q, size_t, const struct db_value *args,
                              struct err *e)
{
	struct compared *c = to;
	int64_t rating = INT64_MIN;

	if (c->rc < 0)
		return c->rc;
	if (q == DB_RATING_PUT) {
		c->rating = args;
		c->rating_differs = "no rating";
		c->rc = db_each(c->db, DB_RATING, 2, args, compare_rating, c, e);
		if (c->rating_differs)
			c->differs = c->rating_differs;
	} else if (!c->old) {
		c->rc = db_number(c->db, DB_RATED_AT, 4, args, &rating, e);
		if (c->rc >= 0 && rating != args[4].number)
			c->differs = "past ratings";
	}
	return c->rc;
}

static int is_rating(void *to, enum db_query q, size_t, const struct db_value *args, struct err *)
{
	struct compared *c = to;

	c->same |= q == DB_RATING_PUT && !rating_differs(c->row, args);
	return 0;
}

bool document_file_has_rating(const struct game_doc *g, const struct db_row *row)
{
	struct compared c = { .row = row };

	document_file_rating_rows(g, is_rating, &c, NULL);
	return c.same;
}

int document_file_compare(const struct document_file *d, struct db *db, const char **differs,
                          struct err *e)
{
	struct compared c = { .d = d, .db = db };
	int rc = 0;

	for (size_t i = 0; rc == 0 && !c.differs && i < sizeof tables / sizeof *tables; i++)
		if (tables[i].kind == d->kind)
			rc = compare_table(&c, &tables[i], e);
	if (rc == 0 && !c.differs && d->kind == DOCUMENT_FILE_GAME) {
		document_file_rating_rows(&d->game, compare_rating_put, &c, e);
		rc = c.rc < 0 ? c.rc : 0;
	}
	*differs = c.differs;
	return rc;
}
