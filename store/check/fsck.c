#include "store/check/fsck.h"

#include <stdarg.h>
#include <stdio.h>

#include "store/docs.h"

void fsck_finding(struct fsck *f, bool repaired, const char *fmt, ...)
{
	char what[800];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	f->left += !repaired;
	if (f->report)
		f->report(what, repaired, f->arg);
}

int fsck_is_pending(const struct fsck *f, const char *path, struct err *e)
{
	int64_t at;

	return db_is_shared(f->s->db)
	               ? 0
	               : db_number(f->s->db, DB_PENDING_GET, DB_ARGS(db_text(path)), &at, e);
}

int fsck_commit(struct fsck *f, struct err *e)
{
	int rc = db_run(f->s->db, DB_COMMIT, DB_NONE, e);

	if (rc == 0)
		rc = doc_settle(f->s, e);
	if (rc == 0)
		rc = doc_forget(f->s, e);
	f->rewritten = 0;
	return rc;
}
