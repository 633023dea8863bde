/* The half of fsck that begins at the files. */
#include <stdio.h>
#include <string.h>

#include "store/check/fsck.h"
#include "store/docs.h"
#include "store/document/files.h"

#define REWRITTEN_A_TRANSACTION 500

static int check_index(struct fsck *f, const struct document_file *d, struct err *e)
{
	const char *differs = NULL;
	int rc = f->s->db ? document_file_compare(d, f->s->db, &differs, e) : 0;

	if (rc == 0 && !differs && f->repair && f->s->db) {
		rc = document_file_is_old(d, f->s->db, e);
		return rc > 0 ? document_file_index(d, f->s->db, e) : rc;
	}
	if (rc < 0 || !differs)
		return rc;
	fsck_finding(f, f->repair, "%s: the index differs: %s", d->path, differs);
	return f->repair ? document_file_index(d, f->s->db, e) : 0;
}

/* 1: the file is not the one that pbm wrote, and without FSCK_ACCEPT. */
static int check_sum(struct fsck *f, const struct document_file *d, struct err *e)
{
	struct err why = { 0 };
	int64_t sum = 0;
	int rc = f->s->db ? document_file_sum(d->path, f->s->db, &sum, e) : 0;

	if (rc == 0 && f->repair)
		return document_file_index(d, f->s->db, e); /* notes the first sum */
	if (rc <= 0 || sum == d->sum)
		return rc < 0 ? rc : 0;
	document_file_complain_changed(d->path, &why);
	fsck_finding(f, f->accept, "%s", why.text);
	return f->accept ? document_file_index(d, f->s->db, e) : 1;
}

static int check_bytes(struct fsck *f, struct document_file *d, const char *bytes, size_t n,
                       struct err *e)
{
	AUTO(str_release) struct str canonical = { 0 };
	int rc = document_file_write(d, &canonical, e);

	if (rc < 0)
		return rc;
	if (canonical.len != n || memcmp(canonical.data, bytes, n) != 0) {
		fsck_finding(f, f->repair, "%s: not written the way pbm writes it", d->path);
		if (f->repair)
			rc = db_run(f->s->db, DB_PENDING_PUT,
			            DB_ARGS(db_text(d->path),
			                    db_bytes(canonical.data, canonical.len),
			                    db_int(DOC_WHOLE)),
			            e);
		if (rc == 0 && f->repair)
			rc = document_file_index(d, f->s->db, e);
		f->rewritten += f->repair;
	}
	return rc;
}

static int set_aside(struct fsck *f, const char *path, const char *why, bool mended, struct err *e)
{
	char where[FILES_ASIDE_MAX];

	/* A row has no other place to go to. */
	if (!f->repair || (f->s->db && db_is_shared(f->s->db))) {
		fsck_finding(f, false, "%s", why);
		return 0;
	}
	int rc = files_set_aside(f->s->dirfd, path, where, e);
	if (rc == 0)
		fsck_finding(f, mended, "%s; set aside as %s", why, where);
	return rc;
}

struct tournament_check {
	struct fsck *f;
	const struct document_file *d;
	const struct tournament_game *g;
};

static int check_result(const struct db_row *row, void *arg, struct err *)
{
	static const char *const results[] = { "0-1", "1/2-1/2", "1-0" };
	const struct tournament_check *c = arg;
	const struct tournament_game *g = c->g;
	int64_t state = db_row_int(row, 5);
	bool over = state == GAME_FINISHED || state == GAME_CLOSED;
	const char *result = !g->over || g->annulled ? "*" : results[g->points[0]];

	if (over != g->over || strcmp(result, db_row_text(row, 8)) != 0)
		fsck_finding(c->f, false, "%s: board %lld has another result", c->d->path,
		             (long long)g->board);
	return 1;
}

/* Compares the results in a tournament with those of its games. */
static int check_tournament(struct fsck *f, const struct document_file *d, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && f->s->db && i < d->tournament.game_count; i++) {
		struct tournament_check c = { f, d, &d->tournament.games[i] };

		if (!c.g->board)
			continue;
		rc = db_each(f->s->db, DB_GAME_GET, DB_ARGS(db_int(c.g->board)), check_result, &c,
		             e);
		if (rc == 0)
			fsck_finding(f, false, "%s: there is no board %lld", d->path,
			             (long long)c.g->board);
		rc = rc < 0 ? rc : 0;
	}
	return rc;
}

/* Compares a file with the index, if it is accepted. */
static int check_document(struct fsck *f, struct document_file *d, struct arena *a,
                          const char *bytes, size_t n, struct err *e)
{
	struct err why = { 0 };
	int rc = document_file_parse(d, a, bytes, n, &why);

	if (rc < 0)
		return set_aside(f, d->path, why.text, false, e);
	rc = check_sum(f, d, e);
	if (rc == 0)
		rc = check_bytes(f, d, bytes, n, e);
	if (rc == 0)
		rc = check_index(f, d, e);
	if (rc == 1)
		rc = 0;
	if (rc == 0 && d->kind == DOCUMENT_FILE_TOURNAMENT)
		rc = check_tournament(f, d, e);
	if (rc == 0 && d->board && f->verify && f->verify(&d->game, f->arg, &why) < 0)
		fsck_finding(f, false, "%s: %s", d->path, why.text);
	return rc;
}

/* Files that pbm did not name so; ".tmp" files are left by a write that was cut short. */
static int check_stray(struct fsck *f, const char *path, struct err *e)
{
	size_t len = strlen(path);

	const char *finding = PRINTED(600, "%.500s: not a file of the store", path);
	if (len > 4 && strcmp(path + len - 4, ".tmp") == 0)
		return set_aside(f, path, finding, true, e);
	fsck_finding(f, false, "%s", finding);
	return 0;
}

static int check_contents(struct fsck *f, struct document_file *d, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct err why = { 0 };
	AUTO(str_release) struct str bytes = str_heap(document_file_limit(d) + 1);
	int rc = doc_file(f->s, d->path, &bytes, &why);

	if (rc == 0) {
		d->sum = document_file_sum_of(bytes.data, bytes.len);
		rc = check_document(f, d, &a, bytes.data, bytes.len, e);
	} else if (rc == ERR_DAMAGED) {
		rc = set_aside(f, d->path, why.text, false, e);
	} else {
		/* A bad sector, or a file of another user: the file may be good, so it stays,
		 * and the check goes on. */
		fsck_finding(f, false, "%s", why.text);
		rc = 0;
	}
	return rc;
}

static int check_file(const char *path, void *arg, struct err *e)
{
	struct fsck *f = arg;
	struct document_file d;

	if (!document_file_path(path, &d))
		return check_stray(f, path, e);
	if (d.board > f->greatest_board)
		f->greatest_board = d.board;
	/* fsck without --repair leaves pending rows alone.  If there is one, the file is
	 * old, and that finding has been reported already. */
	int rc = f->s->db ? fsck_is_pending(f, path, e) : 0;
	if (rc)
		return rc < 0 ? rc : 0;
	rc = check_contents(f, &d, e);
	if (rc < 0 || f->rewritten < REWRITTEN_A_TRANSACTION)
		return rc;
	rc = fsck_commit(f, e);
	return rc == 0 ? db_run(f->s->db, DB_BEGIN, DB_NONE, e) : rc;
}

int fsck_documents(struct fsck *f, struct err *e)
{
	return doc_walk_all(f->s, check_file, f, e);
}
