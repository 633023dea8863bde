#include "store/store_acts.h"

#include <stdio.h>
#include <string.h>

#include "store/docs.h"
#include "store/document/document_file.h"
#include "store/store_inside.h"

/* A file of acts that the database knows cannot be missing. */
static int get_acts(struct store *s, const char *path, struct str *out, struct err *e)
{
	struct err why = { 0 };
	int rc = doc_get(s, path, out, &why);

	return rc < 0 ? err_set(e, rc == ERR_NOT_FOUND ? ERR_DAMAGED : why.code, "%s", why.text)
	              : 0;
}

/* The end of the record: the size of its newest file, and its last line. */
struct acts_end {
	int64_t size;
	struct str line; /* and perhaps lines before it */
};

static int take_end(const struct db_row *row, void *arg, struct err *)
{
	struct acts_end *end = arg;
	size_t n;
	const char *bytes = db_row_bytes(row, 0, &n);
	int64_t at = db_row_int(row, 1);

	end->size = (at > 0 ? at : 0) + (int64_t)n;
	str_add_n(&end->line, bytes, n);
	return 1;
}

/* Checks the last line alone, so that an act costs the same in a long month; who reads the record
 * checks all lines. */
static int find_end(struct store *s, const char *path, struct acts_end *end, struct err *e)
{
	int64_t sum = 0;
	int rc = db_each(s->db, DB_PENDING_LAST, DB_ARGS(db_text(path)), take_end, end, e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	rc = doc_tail(s->dirfd, path, &end->line, &end->size, e);
	int known = rc == 0 ? document_file_sum(path, s->db, &sum, e) : rc;
	if (known <= 0)
		return known;
	const struct str *l = &end->line;
	if (!l->len || l->data[l->len - 1] != '\n')
		return document_file_complain_changed(path, e);
	if (doc_sum(path, l->data, l->len) == sum)
		return 0;
	AUTO(str_release)
	struct str all = str_heap(ACTS_FILE_MAX); /* noted by an earlier version */
	return get_acts(s, path, &all, e);
}

/* Adds the line to the newest file, or begins that of another month. */
static int put_line(struct store *s, const char *newest, const struct acts_end *end,
                    const struct act *act, struct err *e)
{
	char path[ACTS_PATH_SIZE], hash[ACTS_HASH_SIZE];
	int64_t at = DOC_WHOLE;
	AUTO(str_release) struct str line = str_heap(ACTS_FILE_MAX);
	int rc = 0;

	acts_last_hash(end->line.data, end->line.len, hash);
	acts_path(act->at, path);
	if (newest && strcmp(newest, path) >= 0) {
		snprintf(path, sizeof path, "%s", newest);
		at = end->size;
	}
	if (acts_write(act, hash, &line, e) < 0 || at + (int64_t)line.len > ACTS_FILE_MAX)
		rc = err_set(e, ERR_LIMIT, "%s: more than %u bytes", path, ACTS_FILE_MAX);
	if (rc == 0)
		rc = doc_put(s, path, &line, at, e);
	if (rc == 0)
		rc = db_run(s->db, DB_SUM_PUT,
		            DB_ARGS(db_text(path), db_int(doc_sum(path, line.data, line.len))), e);
	return rc;
}

int store_act_add(struct store *s, const struct act *act, struct err *e)
{
	AUTO(gather_release) struct gathered paths = { 0 };
	struct acts_end end = { 0 };
	struct err why = { 0 };
	int rc = store_may_write(s, &why);

	str_init(&end.line, ACTS_FILE_MAX);
	if (rc == 0)
		rc = doc_acts_paths(s->db, &paths, &why);
	const char *newest = paths.count ? gather_at(&paths, paths.count - 1) : NULL;
	if (rc == 0 && newest)
		rc = find_end(s, newest, &end, &why);
	if (rc == 0)
		rc = put_line(s, newest, &end, act, &why);
	str_release(&end.line);
	return rc < 0 ? store_refuse(s, &why, e) : 0;
}

int store_acts(struct store *s, act_fn *take, void *arg, struct err *e)
{
	AUTO(gather_release) struct gathered paths = { 0 };
	char hash[ACTS_HASH_SIZE];
	AUTO(str_release) struct str bytes = str_heap(ACTS_FILE_MAX);
	int rc = doc_acts_paths(s->db, &paths, e);

	acts_first_hash(hash);
	for (size_t i = 0; rc == 0 && i < paths.count; i++) {
		const char *path = gather_at(&paths, i);
		struct err why = { 0 };

		rc = get_acts(s, path, &bytes, e);
		if (rc < 0)
			break;
		rc = acts_read(bytes.data, bytes.len, hash, take, arg, &why);
		if (rc < 0)
			err_set(e, why.code, "%s: %s", path, why.text);
	}
	return rc;
}
