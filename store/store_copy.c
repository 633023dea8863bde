#include "store/store_copy.h"

#include <fcntl.h>
#include <unistd.h>

#include "store/db/queues.h"
#include "store/docs.h"
#include "store/document/files.h"
#include "store/store_backend.h"
#include "store/store_inside.h"

#define DOCUMENT_MAX ((size_t)1 << 30)

int store_copy_queues(struct store *s, const char *path, struct err *e)
{
	struct db *copy = NULL;
	bool unread;

	unlink(path);
	int rc = files_touch(AT_FDCWD, path, e);
	if (rc == 0)
		rc = db_open(store_file_backend(), path, DB_BUILD, &copy, e);
	if (rc == 0)
		rc = db_build(copy, e);
	if (rc == 0)
		rc = db_copy_queues(s->db, copy, &unread, e);
	if (rc < 0) {
		db_close(copy);
		return rc;
	}
	rc = db_build_done(copy, e);
	return rc == 0 ? db_fold(store_file_backend(), path, e) : rc;
}

struct copying_all {
	struct store *s;
	store_copy_fn *fn;
	void *arg;
	struct str bytes;
};

static int copy_document(const char *path, void *arg, struct err *e)
{
	struct copying_all *c = arg;

	str_clear(&c->bytes);
	int rc = doc_get(c->s, path, &c->bytes, e);
	return rc == 0 ? c->fn(path, c->bytes.data, c->bytes.len, c->arg) : rc;
}

int store_copy_all(struct store *s, const char *path, store_copy_fn *fn, void *arg, struct err *e)
{
	struct copying_all c = { .s = s, .fn = fn, .arg = arg };
	int rc = db_run(s->db, DB_SNAPSHOT, DB_NONE, e);

	str_init(&c.bytes, DOCUMENT_MAX);
	if (rc == 0)
		rc = db_be_patient(s->db, e);
	if (rc == 0)
		rc = doc_walk_all(s, copy_document, &c, e);
	if (rc == 0)
		rc = doc_walk(s, "acts", copy_document, &c, e);
	if (rc == 0)
		rc = store_copy_queues(s, path, e);
	if (db_in_transaction(s->db))
		db_run(s->db, DB_ROLLBACK, DB_NONE, NULL);
	str_release(&c.bytes);
	return rc;
}
