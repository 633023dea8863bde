/* A document beside the rows that the index has for it. */
#include <string.h>

#include "pbm/base/str.h"
#include "store/document/document_file.h"

/* The comparison of one document with its rows. */
struct compared {
	const struct document_file *d;
	const char *differs; /* the first column that differs, or NULL */
	bool old;            /* document_file_is_old() */
	size_t same_addresses, addresses;
	size_t same_watches, watches;
	size_t same_barred, barred;
	size_t same_entries, entries;
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

static int compare_game(const struct db_row *row, void *arg, struct err *)
{
	static const char *const names[GAME_ROW_COLUMNS] = {
		"board",    "game", "options", "white",  "black",     "state",
		"to_move",  "ply",  "result",  "reason", "created",   "ended",
		"deadline", "due",  "opening", "puzzle", "tournament"
	};
	struct compared *c = arg;
	struct db_value args[GAME_ROW_COLUMNS];
	char opening[OPENING_MAX];

	c->differs = NULL;
	c->old = c->d->game.state == GAME_FINISHED &&
	         (!db_row_text(row, GAME_ROW_OPENING) || !db_row_text(row, GAME_ROW_TOURNAMENT));
	document_file_game_row(c->d, opening, args);
	for (int i = 0; i < GAME_ROW_COLUMNS && !c->differs; i++)
		if (!column_equals(row, i, &args[i]) && !is_looked_at(row, i, &c->d->game) &&
		    !is_unknown(row, i, opening))
			c->differs = names[i];
	return 0;
}

static int compare_player(const struct db_row *row, void *arg, struct err *)
{
	struct compared *c = arg;
	struct db_value userid = db_text(c->d->player.userid);
	const char *to = c->d->player.renamed;
	char looks[KEY_USERID_MAX + 1], renamed[KEY_USERID_MAX + 1] = "";

	key_fold(to ? to : "", renamed, sizeof renamed);
	struct db_value leads = db_text(renamed);
	key_looks(c->d->player.userid, looks, sizeof looks);
	struct db_value like = db_text(looks), role = db_text(c->d->player.role);
	c->differs = !column_equals(row, 0, &userid)                        ? "userid"
	             : !column_equals(row, 1, &like)                        ? "looks"
	             : db_row_int(row, 2) != c->d->player.digest_due        ? "digest_due"
	             : db_row_int(row, 3) != c->d->player.suspended         ? "suspended"
	             : !column_equals(row, 4, &leads)                       ? "renamed"
	             : db_row_text(row, 5) && !column_equals(row, 5, &role) ? "role"
	                                                                    : NULL;
	return 0;
}

static int compare_watch(const struct db_row *row, void *arg, struct err *)
{
	struct compared *c = arg;
	const struct player_doc *p = &c->d->player;

	c->watches++;
	for (size_t i = 0; i < p->watch_count; i++)
		if (strcmp(p->watches[i].what, db_row_text(row, 0)) == 0)
			c->same_watches += p->watches[i].final == (db_row_int(row, 1) != 0);
	return 0;
}

static int compare_barred(const struct db_row *row, void *arg, struct err *)
{
	struct compared *c = arg;
	const char *hash = db_row_text(row, 0), *list = c->d->player.barred;
	const char *at = list ? strstr(list, hash) : NULL;

	c->barred++;
	c->same_barred += at && strcspn(at, " ") == strlen(hash);
	return 0;
}

static int compare_address(const struct db_row *row, void *arg, struct err *)
{
	struct compared *c = arg;
	const struct player_doc *p = &c->d->player;

	c->addresses++;
	for (size_t i = 0; i < p->address_count; i++) {
		char address[KEY_ADDRESS_MAX + 1];

		key_fold(p->addresses[i].address, address, sizeof address);
		if (strcmp(address, db_row_text(row, 0)) == 0)
			c->same_addresses += p->addresses[i].confirmed == db_row_int(row, 1);
	}
	return 0;
}

static int compare_tournament(const struct db_row *row, void *arg, struct err *)
{
	static const char *const names[TOURNAMENT_ROW_COLUMNS] = {
		"name",   "game",    "director", "kind",  "state", "rounds played",
		"rounds", "players", "created",  "ended", "due"
	};
	struct compared *c = arg;
	struct db_value args[TOURNAMENT_ROW_COLUMNS];

	c->differs = NULL;
	document_file_tournament_row(c->d, args);
	for (int i = 0; i < TOURNAMENT_ROW_COLUMNS && !c->differs; i++)
		if (!column_equals(row, i, &args[i]))
			c->differs = names[i];
	return 0;
}

static int compare_entry(const struct db_row *row, void *arg, struct err *)
{
	struct compared *c = arg;

	c->entries++;
	c->same_entries += tournament_find(&c->d->tournament, db_row_text(row, 0)) > 0;
	return 0;
}

static int compare_entries(struct compared *c, struct db *db, struct err *e)
{
	int rc = db_each(db, DB_ENTRIES, DB_ARGS(db_text(c->d->key)), compare_entry, c, e);

	if (!c->differs &&
	    (c->entries != c->d->tournament.entry_count || c->same_entries != c->entries))
		c->differs = "entries";
	return rc;
}

struct rating_compared {
	const struct db_value *args;
	const char *differs;
};

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
	struct rating_compared *c = arg;
	int64_t board = db_row_int(row, 2), games = db_row_int(row, 6);
	bool later = games == c->args[6].number ? board > c->args[2].number
	                                        : games > c->args[6].number;

	c->differs = later ? NULL : rating_differs(row, c->args);
	return 0;
}

bool document_file_rating_is(const struct game_doc *g, size_t i, const struct db_row *row)
{
	struct db_value args[RATING_ROW_COLUMNS];
	char key[KEY_USERID_MAX + 1];

	key_fold(g->players[g->ratings[i].seat], key, sizeof key);
	document_file_rating_row(g, i, key, args);
	return !rating_differs(row, args);
}

/* The row of a rating among the past ones; such rows are there unless the game's is old. */
static int compare_rated(const struct game_doc *g, size_t i, const char *key, struct db *db,
                         const char **differs, struct err *e)
{
	int64_t rating = INT64_MIN;
	int rc = db_number(db, DB_RATED_AT,
	                   DB_ARGS(db_text(key), db_text(game_doc_list(g)), db_int(g->ended),
	                           db_int(g->board)),
	                   &rating, e);

	if (rc >= 0 && rating != game_rating_then(&g->ratings[i]).rating)
		*differs = "past ratings";
	return rc < 0 ? rc : 0;
}

static int compare_ratings(const struct game_doc *g, bool old, struct db *db, const char **differs,
                           struct err *e)
{
	struct db_value args[RATING_ROW_COLUMNS];
	struct rating_compared c = { .args = args };
	char key[KEY_USERID_MAX + 1];
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < g->rating_count; i++) {
		key_fold(g->players[g->ratings[i].seat], key, sizeof key);
		document_file_rating_row(g, i, key, args);
		c.differs = "no rating";
		rc = db_each(db, DB_RATING, DB_ARGS(db_text(key), db_text(game_doc_list(g))),
		             compare_rating, &c, e);
		if (c.differs)
			*differs = c.differs;
		if (rc == 0 && !old)
			rc = compare_rated(g, i, key, db, differs, e);
	}
	return rc;
}

static int compare_lists(struct compared *c, struct db *db, struct err *e)
{
	const struct player_doc *p = &c->d->player;
	int rc = db_each(db, DB_ADDRESSES, DB_ARGS(db_text(c->d->key)), compare_address, c, e);

	if (rc == 0)
		rc = db_each(db, DB_WATCHES, DB_ARGS(db_text(c->d->key)), compare_watch, c, e);
	if (rc == 0)
		rc = db_each(db, DB_BARRED_OF, DB_ARGS(db_text(c->d->key)), compare_barred, c, e);
	if (!c->differs && (c->addresses != p->address_count || c->same_addresses != c->addresses))
		c->differs = "addresses";
	if (!c->differs && (c->watches != p->watch_count || c->same_watches != c->watches))
		c->differs = "watches";
	if (!c->differs && (c->barred != str_count_words(p->barred ? p->barred : "") ||
	                    c->same_barred != c->barred))
		c->differs = "barred";
	return rc;
}

int document_file_compare(const struct document_file *d, struct db *db, const char **differs,
                          struct err *e)
{
	struct compared c = { .d = d, .differs = "no row" };
	int rc;

	if (d->kind == DOCUMENT_FILE_GAME) {
		rc = db_each(db, DB_GAME_GET, DB_ARGS(db_int(d->board)), compare_game, &c, e);
		if (rc == 0 && !c.differs)
			rc = compare_ratings(&d->game, c.old, db, &c.differs, e);
	} else if (d->kind == DOCUMENT_FILE_TOURNAMENT) {
		rc = db_each(db, DB_TOURNAMENT_GET, DB_ARGS(db_text(d->key)), compare_tournament,
		             &c, e);
		if (rc == 0)
			rc = compare_entries(&c, db, e);
	} else {
		rc = db_each(db, DB_PLAYER_GET, DB_ARGS(db_text(d->key)), compare_player, &c, e);
		if (rc == 0)
			rc = compare_lists(&c, db, e);
	}
	*differs = c.differs;
	return rc;
}
