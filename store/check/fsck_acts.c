/* The part of fsck about the record of acts.  Its files are never moved away: a broken record is
 * better than none. */

#include "store/check/fsck.h"
#include "store/docs.h"

struct acts_check {
	struct fsck *f;
	char hash[ACTS_HASH_SIZE];
};

/* Are these the stored bytes?  FSCK_ACCEPT accepts all. */
static int check_sum(struct fsck *f, const char *path, const struct str *bytes, struct err *e)
{
	struct err why = { 0 };
	int64_t sum = 0;
	int rc = f->s->db ? document_file_sum(path, f->s->db, &sum, e) : 0;

	if (!f->s->db || rc < 0 || (rc > 0 && doc_has_sum(path, bytes->data, bytes->len, sum)))
		return rc < 0 ? rc : 0;
	document_file_complain_changed(path, &why);
	fsck_finding(f, f->accept, "%s", why.text);
	return f->accept ? db_run(f->s->db, DB_SUM_PUT,
	                          DB_ARGS(db_text(path),
	                                  db_int(doc_sum(path, bytes->data, bytes->len))),
	                          e)
	                 : 0;
}

static int check_acts(const char *path, void *arg, struct err *e)
{
	struct acts_check *c = arg;
	struct err why = { 0 };
	AUTO(str_release) struct str bytes = str_heap(ACTS_FILE_MAX);

	if (!acts_is_path(path)) {
		fsck_finding(c->f, false, "%.300s: not a file of the store", path);
		return 0;
	}
	/* The file is older: the newer bytes wait in pbm.db, which is a finding already. */
	int rc = c->f->s->db && !c->f->repair ? fsck_is_pending(c->f, path, e) : 0;
	if (rc)
		return rc < 0 ? rc : 0;
	if (doc_file(c->f->s, path, &bytes, &why) < 0) {
		fsck_finding(c->f, false, "%s", why.text);
	} else {
		rc = check_sum(c->f, path, &bytes, e);
		if (acts_read(bytes.data, bytes.len, c->hash, NULL, NULL, &why) < 0) {
			fsck_finding(c->f, false, "%s: %s", path, why.text);
			acts_last_hash(bytes.data, bytes.len, c->hash);
		}
	}
	return rc;
}

static int check_missing(struct fsck *f, struct err *e)
{
	AUTO(gather_release) struct gathered paths = { 0 };
	int rc = doc_acts_paths(f->s->db, &paths, e);

	for (size_t i = 0; rc == 0 && i < paths.count; i++) {
		const char *path = gather_at(&paths, i);

		rc = doc_has(f->s, path, e);
		if (rc == 0)
			rc = fsck_is_pending(f, path, e);
		if (rc == 0)
			fsck_finding(f, false, "%s: the file is missing", path);
		rc = rc < 0 ? rc : 0;
	}
	return rc;
}

int fsck_acts(struct fsck *f, struct err *e)
{
	struct acts_check c = { .f = f };

	acts_first_hash(c.hash);
	int rc = doc_walk(f->s, "acts", check_acts, &c, e);
	return rc == 0 && f->s->db ? check_missing(f, e) : rc;
}
