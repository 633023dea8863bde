#include "store/stored.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>

#include "pbm/base/io.h"
#include "store/inside.h"

bool stored_game(int64_t board, struct stored *out)
{
	*out = (struct stored){ .board = board };
	if (board > 0)
		key_game_path(board, out->path);
	return board > 0;
}

bool stored_player(const char *userid, struct stored *out)
{
	*out = (struct stored){ .board = 0 };
	if (!key_is_userid(userid))
		return false;
	key_player_path(userid, out->path);
	return key_fold(userid, out->key, sizeof out->key);
}

bool stored_path(const char *path, struct stored *out)
{
	char userid[KEY_USERID_MAX + 1];
	int64_t board;

	if (key_path_is_game(path, &board))
		return stored_game(board, out);
	return key_path_is_player(path, userid) && stored_player(userid, out);
}

static int parse(struct stored *d, struct arena *a, const char *bytes, size_t n, bool whole,
                 struct err *e)
{
	int rc;

	if (d->board) {
		rc = (whole ? game_doc_read : game_doc_read_summary)(a, bytes, n, &d->game, e);
		if (rc == 0 && d->game.board != d->board)
			rc = err_set(e, ERR_DAMAGED, "board: %" PRId64 " is another one",
			             d->game.board);
		return rc;
	}
	rc = player_doc_read(a, bytes, n, &d->player, e);
	if (rc == 0 && strcasecmp(d->player.userid, d->key) != 0)
		rc = err_set(e, ERR_DAMAGED, "userid: %s is another one", d->player.userid);
	return rc;
}

static int parse_at(struct stored *d, struct arena *a, const char *bytes, size_t n, bool whole,
                    struct err *e)
{
	struct err why = { 0 };
	int rc = parse(d, a, bytes, n, whole, &why);

	return rc < 0 ? err_set(e, why.code, "%s: %.400s", d->path, why.text) : 0;
}

int stored_parse(struct stored *d, struct arena *a, const char *bytes, size_t n, struct err *e)
{
	return parse_at(d, a, bytes, n, true, e);
}

int stored_parse_summary(struct stored *d, struct arena *a, const char *bytes, size_t n,
                         struct err *e)
{
	return parse_at(d, a, bytes, n, false, e);
}

static size_t size_limit(const struct stored *d)
{
	return d->board ? GAME_DOC_MAX : PLAYER_DOC_MAX;
}

/* Against accidents, not against people: no secret key, 64 bits. */
static int64_t sum_of(const char *bytes, size_t n)
{
	static const unsigned char key[crypto_shorthash_KEYBYTES];
	unsigned char hash[crypto_shorthash_BYTES];
	int64_t sum;

	_Static_assert(sizeof sum == sizeof hash, "a sum fits a number");
	crypto_shorthash(hash, (const unsigned char *)bytes, n, key);
	memcpy(&sum, hash, sizeof sum);
	return sum;
}

int stored_load(struct stored *d, int dirfd, char **bytes, size_t *n, struct err *e)
{
	struct err why = { 0 };
	int rc = io_read_file(dirfd, d->path, size_limit(d), bytes, n, &why);

	/* The store writes plain files within the limit and nothing else. */
	if (rc == ERR_LIMIT || rc == ERR_BAD)
		rc = ERR_DAMAGED;
	if (rc < 0)
		return err_set(e, (enum err_code)rc, "%s", why.text);
	d->sum = sum_of(*bytes, *n);
	return 0;
}

int stored_write(struct stored *d, struct str *out, struct err *e)
{
	str_init(out, size_limit(d) + 1); /* the NUL */
	if (d->board)
		game_doc_write(&d->game, out);
	else
		player_doc_write(&d->player, out);
	if (!out->truncated) {
		d->sum = sum_of(out->data, out->len);
		return 0;
	}
	str_release(out);
	return err_set(e, ERR_LIMIT, "%s: more than %zu bytes", d->path, size_limit(d));
}

/* A document from before there was a due time is looked at when its time is up,
 * an offer at once; then it has one. */
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

void game_row_args(const struct game_doc *g, struct db_value args[GAME_ROW_COLUMNS])
{
	const struct db_value row[GAME_ROW_COLUMNS] = {
		db_int(g->board),
		db_text(g->game),
		db_text(g->options ? g->options : ""),
		db_text(g->players[0]),
		db_text(g->players[1]),
		db_int(g->state),
		db_int(g->to_move),
		db_int(g->ply),
		db_text(g->result),
		db_text(g->reason),
		db_int(g->created),
		db_int(g->ended),
		db_int(g->deadline),
		db_int(due_of(g)),
	};

	memcpy(args, row, sizeof row);
}

static int player_rows(const struct stored *d, stored_row_fn *run, void *to, struct err *e)
{
	const struct player_doc *p = &d->player;
	char address[KEY_ADDRESS_MAX + 1];
	int rc = run(to, DB_PLAYER_PUT, DB_ARGS(db_text(d->key), db_text(p->userid)), e);

	if (rc == 0)
		rc = run(to, DB_ADDRESS_CLEAR, DB_ARGS(db_text(d->key)), e);
	for (size_t i = 0; rc == 0 && i < p->address_count; i++) {
		key_fold(p->addresses[i].address, address, sizeof address);
		rc = run(to, DB_ADDRESS_PUT,
		         DB_ARGS(db_text(d->key), db_text(address),
		                 db_int(p->addresses[i].confirmed)),
		         e);
	}
	return rc;
}

void rating_args(const struct game_doc *g, size_t i, const char *key,
                 struct db_value args[RATING_ROW_COLUMNS])
{
	const struct game_rating *r = &g->ratings[i];
	const struct db_value row[RATING_ROW_COLUMNS] = {
		db_text(key),         db_text(g->game),      db_int(g->board), db_int(r->rating),
		db_int(r->deviation), db_int(r->volatility), db_int(r->games), db_int(g->ended),
	};

	memcpy(args, row, sizeof row);
}

static int rating_rows(const struct game_doc *g, stored_row_fn *run, void *to, struct err *e)
{
	struct db_value args[RATING_ROW_COLUMNS];
	char key[KEY_USERID_MAX + 1];
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < g->rating_count; i++) {
		key_fold(g->players[g->ratings[i].seat], key, sizeof key);
		rating_args(g, i, key, args);
		rc = run(to, DB_RATING_PUT, RATING_ROW_COLUMNS, args, e);
	}
	return rc;
}

int stored_rows(const struct stored *d, stored_row_fn *run, void *to, struct err *e)
{
	struct db_value args[GAME_ROW_COLUMNS];

	int rc = run(to, DB_SUM_PUT, DB_ARGS(db_text(d->path), db_int(d->sum)), e);

	if (rc < 0 || !d->board)
		return rc < 0 ? rc : player_rows(d, run, to, e);
	game_row_args(&d->game, args);
	rc = run(to, DB_GAME_PUT, GAME_ROW_COLUMNS, args, e);
	return rc == 0 ? rating_rows(&d->game, run, to, e) : rc;
}

static int run_in_db(void *to, enum db_query q, size_t n, const struct db_value *args,
                     struct err *e)
{
	return db_run(to, q, n, args, e);
}

int stored_index(const struct stored *d, struct db *db, struct err *e)
{
	return stored_rows(d, run_in_db, db, e);
}

int stored_sum(const struct stored *d, struct db *db, int64_t *sum, struct err *e)
{
	return db_number(db, DB_SUM, DB_ARGS(db_text(d->path)), sum, e);
}

int stored_complain_changed(const struct stored *d, struct err *e)
{
	return err_set(e, ERR_DAMAGED,
	               "%s: the file is not what pbm wrote: a disk's error, or somebody "
	               "edited it; take it from the backup, or as it is with pbm fsck --accept",
	               d->path);
}

static int one(const struct db_row *row, void *arg, struct err *e)
{
	(void)row;
	(void)arg;
	(void)e;
	return 1;
}

int stored_is_indexed(const struct stored *d, struct db *db, struct err *e)
{
	if (d->board)
		return db_each(db, DB_GAME_GET, DB_ARGS(db_int(d->board)), one, NULL, e);
	return db_each(db, DB_PLAYER_GET, DB_ARGS(db_text(d->key)), one, NULL, e);
}

/* The comparison of one document with its rows. */
struct compared {
	const struct stored *d;
	const char *differs; /* the first column that does */
	size_t same_addresses, addresses;
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

static int compare_game(const struct db_row *row, void *arg, struct err *e)
{
	static const char *const names[GAME_ROW_COLUMNS] = {
		"board", "game",   "options", "white",   "black", "state",    "to_move",
		"ply",   "result", "reason",  "created", "ended", "deadline", "due"
	};
	struct compared *c = arg;
	struct db_value args[GAME_ROW_COLUMNS];

	(void)e;
	c->differs = NULL;
	game_row_args(&c->d->game, args);
	for (int i = 0; i < GAME_ROW_COLUMNS && !c->differs; i++)
		if (!column_equals(row, i, &args[i]))
			c->differs = names[i];
	return 0;
}

static int compare_player(const struct db_row *row, void *arg, struct err *e)
{
	struct compared *c = arg;
	struct db_value userid = db_text(c->d->player.userid);

	(void)e;
	c->differs = column_equals(row, 0, &userid) ? NULL : "userid";
	return 0;
}

static int compare_address(const struct db_row *row, void *arg, struct err *e)
{
	struct compared *c = arg;
	const struct player_doc *p = &c->d->player;

	(void)e;
	c->addresses++;
	for (size_t i = 0; i < p->address_count; i++) {
		char address[KEY_ADDRESS_MAX + 1];

		key_fold(p->addresses[i].address, address, sizeof address);
		if (strcmp(address, db_row_text(row, 0)) == 0)
			c->same_addresses += p->addresses[i].confirmed == db_row_int(row, 1);
	}
	return 0;
}

struct rating_compared {
	const struct db_value *args;
	const char *differs;
};

/* The first column that isn't so, or NULL. */
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

/* A later game may have changed the rating since; an earlier one may not stand. */
static int compare_rating(const struct db_row *row, void *arg, struct err *e)
{
	struct rating_compared *c = arg;
	int64_t board = db_row_int(row, 2), games = db_row_int(row, 6);
	bool later = games == c->args[6].number ? board > c->args[2].number
	                                        : games > c->args[6].number;

	(void)e;
	c->differs = later ? NULL : rating_differs(row, c->args);
	return 0;
}

bool stored_rating_is(const struct game_doc *g, size_t i, const struct db_row *row)
{
	struct db_value args[RATING_ROW_COLUMNS];
	char key[KEY_USERID_MAX + 1];

	key_fold(g->players[g->ratings[i].seat], key, sizeof key);
	rating_args(g, i, key, args);
	return !rating_differs(row, args);
}

static int compare_ratings(const struct game_doc *g, struct db *db, const char **differs,
                           struct err *e)
{
	struct db_value args[RATING_ROW_COLUMNS];
	struct rating_compared c = { .args = args };
	char key[KEY_USERID_MAX + 1];
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < g->rating_count; i++) {
		key_fold(g->players[g->ratings[i].seat], key, sizeof key);
		rating_args(g, i, key, args);
		c.differs = "no rating";
		rc = db_each(db, DB_RATING, DB_ARGS(db_text(key), db_text(g->game)), compare_rating,
		             &c, e);
		if (c.differs)
			*differs = c.differs;
	}
	return rc;
}

int stored_compare(const struct stored *d, struct db *db, const char **differs, struct err *e)
{
	struct compared c = { .d = d, .differs = "no row" };
	int rc;

	if (d->board) {
		rc = db_each(db, DB_GAME_GET, DB_ARGS(db_int(d->board)), compare_game, &c, e);
		if (rc == 0 && !c.differs)
			rc = compare_ratings(&d->game, db, &c.differs, e);
	} else {
		rc = db_each(db, DB_PLAYER_GET, DB_ARGS(db_text(d->key)), compare_player, &c, e);
		if (rc == 0)
			rc = db_each(db, DB_ADDRESSES, DB_ARGS(db_text(d->key)), compare_address,
			             &c, e);
		if (!c.differs &&
		    (c.addresses != d->player.address_count || c.same_addresses != c.addresses))
			c.differs = "addresses";
	}
	*differs = c.differs;
	return rc;
}
