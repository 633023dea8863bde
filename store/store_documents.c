/* A document is written as a pending row, and read from there or from its file. */
#include "store/store_documents.h"

#include "store/docs.h"
#include "store/document/document_file.h"
#include "store/store_inside.h"
#include "store/store_work.h"

#define NAME_STEPS 4

/* A document that cannot be parsed is damaged in the way that the parser says. */
static int get_once(struct store *s, struct arena *a, struct document_file *d, struct err *e)
{
	struct err why = { 0 };
	AUTO(str_release) struct str bytes = str_heap(document_file_limit(d) + 1);

	int rc = doc_get(s, d->path, &bytes, &why);
	int parsed = rc == 0 || (rc == ERR_DAMAGED && bytes.len)
	                     ? document_file_parse(d, a, bytes.data, bytes.len, e)
	                     : 0;
	if (parsed < 0)
		return parsed;
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
}

static int get(struct store *s, struct arena *a, struct document_file *d, struct err *e)
{
	struct err why = { 0 };
	int rc = get_once(s, a, d, &why);

	/* Rows of a server were all read at the same moment. */
	if (rc == ERR_NOT_FOUND && !db_is_shared(s->db)) {
		int known = document_file_is_indexed(d, s->db, e);

		if (known < 0)
			return known;
		/* This reader may have looked for the document just before the writer's
		 * commit.  It sees the commit now, so it sees the pending row or the file. */
		if (known) {
			err_clear(&why);
			rc = get_once(s, a, d, &why);
		}
		if (known && rc == ERR_NOT_FOUND)
			return err_set(e, ERR_DAMAGED, "%s: the file is missing", d->path);
	}
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
}

int store_game_get(struct store *s, struct arena *a, int64_t board, struct game_doc *out,
                   struct err *e)
{
	struct document_file d;

	if (!document_file_game(board, &d))
		return err_set(e, ERR_NOT_FOUND, "there is no board %lld", (long long)board);
	int rc = get(s, a, &d, e);
	if (rc == 0)
		*out = d.game;
	return rc;
}

int store_game_get_summary(struct store *s, struct arena *a, int64_t board, struct game_doc *out,
                           struct err *e)
{
	struct document_file d;

	if (!document_file_game(board, &d))
		return err_set(e, ERR_NOT_FOUND, "there is no board %lld", (long long)board);
	d.summary = true;
	int rc = get(s, a, &d, e);
	if (rc == 0)
		*out = d.game;
	return rc;
}

static int get_player(struct store *s, struct arena *a, struct document_file *d, struct err *e)
{
	const struct player_doc *known = player_cache_player(&s->known, d->key);

	if (known) {
		player_doc_copy(a, known, &d->player);
		return 0;
	}
	int rc = get(s, a, d, e);
	if (rc == 0 && s->in_txn)
		player_cache_keep(&s->known, d->key, &d->player);
	return rc;
}

int store_player_at(struct store *s, struct arena *a, const char *userid, struct player_doc *out,
                    struct err *e)
{
	struct document_file d;

	if (!document_file_player(userid, &d))
		return err_set(e, ERR_NOT_FOUND, "there is no player \"%.40s\"", userid);
	int rc = get_player(s, a, &d, e);
	if (rc == 0)
		*out = d.player;
	return rc;
}

/* Each name leads straight to the present one; a second step heals what people edited. */
int store_player_get(struct store *s, struct arena *a, const char *userid, struct player_doc *out,
                     struct err *e)
{
	struct player_doc p = { 0 };
	int rc = store_player_at(s, a, userid, &p, e);

	for (int i = 0; rc == 0 && p.renamed && i < NAME_STEPS; i++)
		rc = store_player_at(s, a, p.renamed, &p, e);
	if (rc == 0)
		*out = p;
	return rc;
}

/* Writes the document unless *why says that it was refused. */
static int put_pending(struct store *s, struct document_file *d, struct err *why, struct err *e)
{
	AUTO(str_release) struct str json = { 0 };
	int rc = store_may_write(s, e);

	if (rc < 0)
		return rc;
	if (why->code || document_file_write(d, &json, why) < 0)
		return store_refuse(s, why, e);
	return doc_put(s, d->path, &json, DOC_WHOLE, e);
}

static int put(struct store *s, struct document_file *d, struct err *why, struct err *e)
{
	int rc = put_pending(s, d, why, e);

	return rc == 0 ? document_file_index(d, s->db, e) : rc;
}

int store_game_put(struct store *s, const struct game_doc *g, struct err *e)
{
	struct document_file d;
	struct err why = { 0 };

	game_doc_check(g, ERR_BAD, &why);
	document_file_game(g->board, &d);
	d.game = *g;
	return put(s, &d, &why, e);
}

int store_game_rate(struct store *s, int64_t board, game_rate_fn *change, void *arg, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct document_file d;
	struct err why = { 0 };
	int rc = store_may_write(s, e);

	if (rc == 0 && !document_file_game(board, &d))
		rc = err_set(e, ERR_NOT_FOUND, "there is no board %lld", (long long)board);
	if (rc == 0) {
		d.summary = true;
		rc = get(s, &a, &d, e);
	}
	if (rc == 0) {
		change(&d.game, arg);
		game_doc_check(&d.game, ERR_BAD, &why);
		rc = put_pending(s, &d, &why, e);
	}
	return rc == 0 ? document_file_index_ratings(&d, s->db, e) : rc;
}

int store_player_put(struct store *s, const struct player_doc *p, struct err *e)
{
	struct document_file d;
	struct err why = { 0 };

	player_doc_check(p, ERR_BAD, &why);
	document_file_player(p->userid, &d);
	d.player = *p;
	player_cache_forget(&s->known);
	return put(s, &d, &why, e);
}

int store_tournament_get(struct store *s, struct arena *a, const char *name,
                         struct tournament_doc *out, struct err *e)
{
	struct document_file d;

	if (!document_file_tournament(name, &d))
		return err_set(e, ERR_NOT_FOUND, "there is no tournament \"%.40s\"", name);
	int rc = get(s, a, &d, e);
	if (rc == 0)
		*out = d.tournament;
	return rc;
}

int store_tournament_put(struct store *s, const struct tournament_doc *t, struct err *e)
{
	struct document_file d;
	struct err why = { 0 };

	tournament_doc_check(t, ERR_BAD, &why);
	document_file_tournament(t->name, &d);
	d.tournament = *t;
	put(s, &d, &why, e);
	return store_work_add_name(s, WORK_TOURNAMENT, t->name, e);
}

static int take_place(const struct db_row *row, void *arg, struct err *e)
{
	const char *key = db_row_text(row, 0);

	if (!document_file_player(key, arg))
		return err_set(e, ERR_DAMAGED, "pbm.db: \"%.60s\" is not a userid", key);
	return 1;
}

int store_player_by_address(struct store *s, struct arena *a, const char *address,
                            struct player_doc *out, struct err *e)
{
	char folded[KEY_ADDRESS_MAX + 1];
	struct document_file d;
	int rc = 0;

	if (key_fold(address, folded, sizeof folded))
		rc = db_each(s->db, DB_ADDRESS_OWNER, DB_ARGS(db_text(folded)), take_place, &d, e);
	if (rc == 0)
		return err_set(e, ERR_NOT_FOUND, "nobody has the address %.100s", address);
	if (rc > 0)
		rc = get_player(s, a, &d, e);
	if (rc == 0)
		*out = d.player;
	return rc;
}

int store_next_board(struct store *s, int64_t *out, struct err *e)
{
	int rc = store_may_write(s, e);

	if (rc < 0)
		return rc;
	rc = db_number(s->db, DB_NEXT_BOARD, DB_NONE, out, e);
	if (rc == 0)
		return err_set(e, ERR_DAMAGED, "pbm.db: the next board number is missing");
	return rc < 0 ? rc : 0;
}
