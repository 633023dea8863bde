#include "store/store_acts.h"

#include <stdio.h>
#include <string.h>

#include "store/inside.h"
#include "store/inside_acts.h"
#include "store/stored.h"

static int take_bytes(const struct db_row *row, void *arg, struct err *e)
{
	struct str *out = arg;
	size_t n;
	const char *bytes = db_row_bytes(row, 0, &n);

	(void)e;
	str_add_n(out, bytes, n);
	return 1;
}

/* The newest bytes of a file: those that wait in the database, or those of the file, which
 * must have the sum that the database has.  A reader that comes between the two reads again. */
static int get_file(struct store *s, const char *path, struct str *out, struct err *e)
{
	struct stored place = { 0 };
	int64_t sum = 0, before = 0;
	int known, rc;

	snprintf(place.path, sizeof place.path, "%s", path);
	do {
		before = sum;
		str_clear(out);
		known = stored_sum(&place, s->db, &sum, e);
		if (known < 0)
			return known;
		rc = db_each(s->db, DB_PENDING_GET, DB_ARGS(db_text(path)), take_bytes, out, e);
		if (rc)
			return rc < 0 ? rc : 0;
		rc = store_acts_file(s->dirfd, path, out, e);
	} while (rc == 0 && stored_sum_of(out->data, out->len) != sum && sum != before);
	if (rc == 0 && known && stored_sum_of(out->data, out->len) != sum)
		rc = stored_complain_changed(&place, e);
	return rc;
}

int store_act_add(struct store *s, const struct act *act, struct err *e)
{
	struct gathered paths = { 0 };
	char path[ACTS_PATH_SIZE], hash[ACTS_HASH_SIZE];
	const char *newest = NULL;
	struct str bytes;
	int rc = store_may_write(s, e);

	str_init(&bytes, ACTS_FILE_MAX);
	acts_path(act->at, path);
	if (rc == 0)
		rc = store_acts_paths(s->db, &paths, e);
	if (rc == 0 && paths.count) {
		newest = gather_at(&paths, paths.count - 1);
		rc = get_file(s, newest, &bytes, e);
	}
	if (rc == 0)
		acts_last_hash(bytes.data, bytes.len, hash);
	if (newest && strcmp(newest, path) >= 0)
		snprintf(path, sizeof path, "%s", newest);
	else
		str_clear(&bytes);
	if (rc == 0)
		rc = acts_write(act, hash, &bytes, e);
	if (rc == 0 && bytes.truncated)
		rc = err_set(e, ERR_LIMIT, "%s: more than %u bytes", path, ACTS_FILE_MAX);
	if (rc == 0)
		rc = store_put_pending(s, path, &bytes, e);
	if (rc == 0)
		rc = db_run(s->db, DB_SUM_PUT,
		            DB_ARGS(db_text(path), db_int(stored_sum_of(bytes.data, bytes.len))),
		            e);
	str_release(&bytes);
	gather_release(&paths);
	return rc;
}

int store_acts(struct store *s, act_fn *take, void *arg, struct err *e)
{
	struct gathered paths = { 0 };
	char hash[ACTS_HASH_SIZE];
	struct str bytes;
	int rc = store_acts_paths(s->db, &paths, e);

	str_init(&bytes, ACTS_FILE_MAX);
	acts_first_hash(hash);
	for (size_t i = 0; rc == 0 && i < paths.count; i++) {
		const char *path = gather_at(&paths, i);
		struct err why = { 0 };

		rc = get_file(s, path, &bytes, e);
		if (rc < 0)
			break;
		rc = acts_read(bytes.data, bytes.len, hash, take, arg, &why);
		if (rc < 0)
			err_set(e, why.code, "%s: %s", path, why.text);
	}
	str_release(&bytes);
	gather_release(&paths);
	return rc;
}
