#include "store/document/document_file.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>

#include "pbm/base/io.h"
#include "store/document/acts.h"

bool document_file_game(int64_t board, struct document_file *out)
{
	*out = (struct document_file){ .kind = DOCUMENT_FILE_GAME, .board = board };
	if (board > 0)
		key_game_path(board, out->path);
	return board > 0;
}

static bool set_place(enum document_file_kind kind, void (*path)(const char *, char *),
                      const char *name, struct document_file *out)
{
	*out = (struct document_file){ .kind = kind };
	if (!key_is_userid(name))
		return false;
	path(name, out->path);
	return key_fold(name, out->key, sizeof out->key);
}

bool document_file_player(const char *userid, struct document_file *out)
{
	return set_place(DOCUMENT_FILE_PLAYER, key_player_path, userid, out);
}

bool document_file_tournament(const char *name, struct document_file *out)
{
	return set_place(DOCUMENT_FILE_TOURNAMENT, key_tournament_path, name, out);
}

bool document_file_path(const char *path, struct document_file *out)
{
	char name[KEY_USERID_MAX + 1];
	int64_t board;

	if (key_path_is_game(path, &board))
		return document_file_game(board, out);
	if (key_path_is_tournament(path, name))
		return document_file_tournament(name, out);
	return key_path_is_player(path, name) && document_file_player(name, out);
}

static int parse_game(struct document_file *d, struct arena *a, const char *bytes, size_t n,
                      bool whole, struct err *e)
{
	int rc = (whole ? game_doc_read : game_doc_read_summary)(a, bytes, n, &d->game, e);

	if (rc == 0 && !whole)
		opening_of_text(&d->game, bytes, n, d->opening);
	if (rc == 0 && d->game.board != d->board)
		rc = err_set(e, ERR_DAMAGED, "board: %" PRId64 " does not fit the name of the file",
		             d->game.board);
	return rc;
}

static int check_key(const struct document_file *d, const char *what, const char *name,
                     struct err *e)
{
	return strcasecmp(name, d->key) == 0
	               ? 0
	               : err_set(e, ERR_DAMAGED, "%s: %s does not fit the name of the file", what,
	                         name);
}

static int parse(struct document_file *d, struct arena *a, const char *bytes, size_t n, bool whole,
                 struct err *e)
{
	int rc;

	if (d->kind == DOCUMENT_FILE_GAME)
		return parse_game(d, a, bytes, n, whole, e);
	if (d->kind == DOCUMENT_FILE_TOURNAMENT) {
		rc = tournament_doc_read(a, bytes, n, &d->tournament, e);
		return rc == 0 ? check_key(d, "name", d->tournament.name, e) : rc;
	}
	rc = player_doc_read(a, bytes, n, &d->player, e);
	return rc == 0 ? check_key(d, "userid", d->player.userid, e) : rc;
}

static int parse_at(struct document_file *d, struct arena *a, const char *bytes, size_t n,
                    bool whole, struct err *e)
{
	struct err why = { 0 };
	int rc = parse(d, a, bytes, n, whole, &why);

	return rc < 0 ? err_set(e, why.code, "%s: %.400s", d->path, why.text) : 0;
}

int document_file_parse(struct document_file *d, struct arena *a, const char *bytes, size_t n,
                        struct err *e)
{
	bool summary = d->summary && game_doc_is_laid_out(bytes, n);

	d->text = summary ? arena_strndup(a, bytes, n) : NULL;
	d->text_len = n;
	return parse_at(d, a, bytes, n, !summary, e);
}

int document_file_parse_summary(struct document_file *d, struct arena *a, const char *bytes,
                                size_t n, struct err *e)
{
	return parse_at(d, a, bytes, n, false, e);
}

size_t document_file_limit(const struct document_file *d)
{
	static const size_t limits[] = { [DOCUMENT_FILE_GAME] = GAME_DOC_MAX,
		                         [DOCUMENT_FILE_PLAYER] = PLAYER_DOC_MAX,
		                         [DOCUMENT_FILE_TOURNAMENT] = TOURNAMENT_DOC_MAX };

	return acts_is_path(d->path) ? ACTS_FILE_MAX : limits[d->kind];
}

/* Notices accidents.  It has no secret key: anybody who edits a file can compute it. */
int64_t document_file_sum_of(const char *bytes, size_t n)
{
	static const unsigned char key[crypto_shorthash_KEYBYTES];
	unsigned char hash[crypto_shorthash_BYTES];
	int64_t sum;

	_Static_assert(sizeof sum == sizeof hash, "a sum fits a number");
	crypto_shorthash(hash, (const unsigned char *)bytes, n, key);
	memcpy(&sum, hash, sizeof sum);
	return sum;
}

int document_file_load(struct document_file *d, int dirfd, char **bytes, size_t *n, struct err *e)
{
	struct err why = { 0 };
	int rc = io_read_file(dirfd, d->path, document_file_limit(d), bytes, n, &why);

	/* The store writes only plain files within the limit: others are damage. */
	if (rc == ERR_LIMIT || rc == ERR_BAD)
		rc = ERR_DAMAGED;
	if (rc < 0)
		return err_set(e, (enum err_code)rc, "%s", why.text);
	d->sum = document_file_sum_of(*bytes, *n);
	return 0;
}

int document_file_write(struct document_file *d, struct str *out, struct err *e)
{
	str_init(out, document_file_limit(d) + 1); /* the NUL */
	if (d->kind == DOCUMENT_FILE_GAME && d->text)
		game_doc_write_summary(&d->game, d->text, d->text_len, out);
	else if (d->kind == DOCUMENT_FILE_GAME)
		game_doc_write(&d->game, out);
	else if (d->kind == DOCUMENT_FILE_TOURNAMENT)
		tournament_doc_write(&d->tournament, out);
	else
		player_doc_write(&d->player, out);
	if (!out->truncated) {
		d->sum = document_file_sum_of(out->data, out->len);
		return 0;
	}
	str_release(out);
	return err_set(e, ERR_LIMIT, "%s: more than %zu bytes", d->path, document_file_limit(d));
}

int document_file_sum(const char *path, struct db *db, int64_t *sum, struct err *e)
{
	return db_number(db, DB_SUM, DB_ARGS(db_text(path)), sum, e);
}

int document_file_complain_changed(const char *path, struct err *e)
{
	return err_set(e, ERR_DAMAGED,
	               "%s: the file is not what pbm wrote: the disk failed, or somebody edited "
	               "it; restore it from the backup, or accept it with pbm fsck --accept",
	               path);
}

int document_file_is_old(const struct document_file *d, struct db *db, struct err *e)
{
	if (d->kind == DOCUMENT_FILE_GAME)
		return db_number(db, DB_GAME_IS_OLD, DB_ARGS(db_int(d->board)), NULL, e);
	if (d->kind == DOCUMENT_FILE_TOURNAMENT)
		return 0;
	return db_number(db, DB_PLAYER_IS_OLD, DB_ARGS(db_text(d->key)), NULL, e);
}

int document_file_is_indexed(const struct document_file *d, struct db *db, struct err *e)
{
	if (d->kind == DOCUMENT_FILE_GAME)
		return db_number(db, DB_GAME_GET, DB_ARGS(db_int(d->board)), NULL, e);
	return db_number(db,
	                 d->kind == DOCUMENT_FILE_TOURNAMENT ? DB_TOURNAMENT_GET : DB_PLAYER_GET,
	                 DB_ARGS(db_text(d->key)), NULL, e);
}
