#include "store/store_acts.h"

#include <stdio.h>
#include <string.h>

#include "store/acts_inside.h"
#include "store/document/document_file.h"
#include "store/store_inside.h"

/* Puts bytes that wait for a file after those of the file before them. */
static int take_bytes(const struct db_row *row, void *arg, struct err *e)
{
	struct str *out = arg;
	size_t n;
	const char *bytes = db_row_bytes(row, 0, &n);
	int64_t at = db_row_int(row, 1);

	if (at > (int64_t)out->len)
		return err_set(e, ERR_DAMAGED,
		               "the record of acts: its file is shorter than what pbm wrote");
	out->len = at > 0 ? (size_t)at : 0;
	str_add_n(out, bytes, n);
	return 0;
}

static int complain(const char *path, struct err *e)
{
	struct document_file place = { 0 };

	snprintf(place.path, sizeof place.path, "%s", path);
	return document_file_complain_changed(&place, e);
}

static int sum_of(struct store *s, const char *path, int64_t *sum, struct err *e)
{
	struct document_file place = { 0 };

	snprintf(place.path, sizeof place.path, "%s", path);
	return document_file_sum(&place, s->db, sum, e);
}

/* The newest bytes of a file: those of the file, and those that wait in the database.  They must
 * have the sum that the database has.  A reader that comes between them reads again. */
static int get_file(struct store *s, const char *path, struct str *out, struct err *e)
{
	int64_t sum = 0, before = 0;
	int known, rc;

	do {
		struct err why = { 0 };

		before = sum;
		str_clear(out);
		known = sum_of(s, path, &sum, e);
		if (known < 0)
			return known;
		int file = store_acts_file(s->dirfd, path, out, &why);
		rc = db_each(s->db, DB_PENDING_GET, DB_ARGS(db_text(path)), take_bytes, out, e);
		if (rc == 0 && file < 0 && !out->len) /* it may be made of what waits */
			rc = err_set(e, why.code, "%s", why.text);
	} while (rc == 0 && !store_acts_have_sum(out->data, out->len, sum) && sum != before);
	if (rc == 0 && known && !store_acts_have_sum(out->data, out->len, sum))
		rc = complain(path, e);
	return rc;
}

/* The end of the record: the size of its newest file, and its last line. */
struct acts_end {
	int64_t size;
	struct str line; /* and perhaps lines before it */
};

static int take_end(const struct db_row *row, void *arg, struct err *e)
{
	struct acts_end *end = arg;
	size_t n;
	const char *bytes = db_row_bytes(row, 0, &n);
	int64_t at = db_row_int(row, 1);

	(void)e;
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
	rc = store_acts_tail(s->dirfd, path, &end->line, &end->size, e);
	int known = rc == 0 ? sum_of(s, path, &sum, e) : rc;
	if (known <= 0)
		return known;
	const struct str *l = &end->line;
	if (!l->len || l->data[l->len - 1] != '\n')
		return complain(path, e);
	if (store_acts_sum(l->data, l->len) == sum)
		return 0;
	struct str all; /* noted by an earlier version */
	str_init(&all, ACTS_FILE_MAX);
	rc = get_file(s, path, &all, e);
	str_release(&all);
	return rc;
}

/* Adds the line to the newest file, or begins that of another month. */
static int put_line(struct store *s, const char *newest, const struct acts_end *end,
                    const struct act *act, struct err *e)
{
	char path[ACTS_PATH_SIZE], hash[ACTS_HASH_SIZE];
	int64_t at = STORE_WHOLE;
	struct str line;
	int rc = 0;

	str_init(&line, ACTS_FILE_MAX);
	acts_last_hash(end->line.data, end->line.len, hash);
	acts_path(act->at, path);
	if (newest && strcmp(newest, path) >= 0) {
		snprintf(path, sizeof path, "%s", newest);
		at = end->size;
	}
	if (acts_write(act, hash, &line, e) < 0 || at + (int64_t)line.len > ACTS_FILE_MAX)
		rc = err_set(e, ERR_LIMIT, "%s: more than %u bytes", path, ACTS_FILE_MAX);
	if (rc == 0)
		rc = store_put_pending(s, path, &line, at, e);
	if (rc == 0)
		rc = db_run(s->db, DB_SUM_PUT,
		            DB_ARGS(db_text(path), db_int(store_acts_sum(line.data, line.len))), e);
	str_release(&line);
	return rc;
}

int store_act_add(struct store *s, const struct act *act, struct err *e)
{
	struct gathered paths = { 0 };
	struct acts_end end = { 0 };
	struct err why = { 0 };
	int rc = store_may_write(s, &why);

	str_init(&end.line, ACTS_FILE_MAX);
	if (rc == 0)
		rc = store_acts_paths(s->db, &paths, &why);
	const char *newest = paths.count ? gather_at(&paths, paths.count - 1) : NULL;
	if (rc == 0 && newest)
		rc = find_end(s, newest, &end, &why);
	if (rc == 0)
		rc = put_line(s, newest, &end, act, &why);
	str_release(&end.line);
	gather_release(&paths);
	return rc < 0 ? store_refuse(s, &why, e) : 0;
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
