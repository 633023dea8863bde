#include "store/check/readers.h"

#include <stdlib.h>
#include <unistd.h>

#include "store/document/document_file.h"
#include "store/document/files.h"
#include "store/store_inside.h"

/* More than the processors, for some always wait for the disk. */
#define READERS_A_PROCESSOR 4

struct document_reader {
	const struct store *s;
	size_t number, of;
	struct child *parent;
	int failed; /* the first error */
};

static int send_item(struct document_reader *r, enum relay_kind kind, enum db_query q, size_t n,
                     const struct db_value *args, struct err *e)
{
	if (r->failed == 0)
		r->failed = relay_put(r->parent, kind, q, n, args, e);
	return r->failed;
}

static int send_query(void *to, enum db_query q, size_t n, const struct db_value *args,
                      struct err *e)
{
	return send_item(to, RELAY_QUERY, q, n, args, e);
}

/* Damaged documents are left out, but their numbers aren't given again. */
static int leave_out(struct document_reader *r, const struct document_file *d, const char *why,
                     struct err *e)
{
	int rc = send_item(r, RELAY_LEFT_OUT, 0, DB_ARGS(db_text(why)), e);

	return d->board ? send_query(r, DB_BOARD_RESERVE, DB_ARGS(db_int(d->board)), e) : rc;
}

static int read_document(struct document_reader *r, struct document_file *d, struct err *e)
{
	struct arena a = { 0 };
	struct err why = { 0 };
	char *bytes = NULL;
	size_t n = 0;
	int rc = document_file_load(d, r->s->dirfd, &bytes, &n, &why);

	if (rc == 0)
		rc = document_file_parse_summary(d, &a, bytes, n, &why);
	if (rc == 0)
		rc = document_file_rows(d, send_query, r, e);
	else if (rc == ERR_DAMAGED)
		rc = leave_out(r, d, why.text, e);
	else
		err_set(e, why.code, "%s", why.text);
	free(bytes);
	arena_release(&a);
	return rc;
}

/* The reader of a folder of games or of a player follows from its path alone, for a folder may
 * change while each reader walks it. */
static bool is_mine(const struct document_reader *r, const char *path)
{
	uint32_t hash = 2166136261; /* FNV-1a */

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 16777619;
	return hash % r->of == r->number;
}

static int read_file(const char *path, void *arg, struct err *e)
{
	struct document_reader *r = arg;
	struct document_file d;
	int rc = 0;

	if (document_file_path(path, &d))
		rc = read_document(r, &d, e);
	return rc == 0 ? send_item(r, RELAY_DONE, 0, DB_NONE, e) : rc;
}

static int read_mine(const char *path, void *arg, struct err *e)
{
	struct document_reader *r = arg;

	return is_mine(r, path)
	               ? files_walk(r->s->dirfd, path, FILES_DOCUMENTS - 1, read_file, r, e)
	               : 0;
}

static void serve(struct child *parent, void *arg)
{
	struct document_reader *r = arg;
	struct err e = { 0 };

	r->parent = parent;
	int rc = files_walk(r->s->dirfd, "games", 1, read_mine, r, &e);
	if (rc == 0)
		rc = files_walk(r->s->dirfd, "players", 1, read_mine, r, &e);
	if (rc == 0 && files_has(r->s->dirfd, "tournaments"))
		rc = files_walk(r->s->dirfd, "tournaments", 1, read_mine, r, &e);
	rc = rc < 0 ? relay_put(parent, RELAY_FAILED, 0, DB_ARGS(db_int(rc), db_text(e.text)), NULL)
	            : relay_put(parent, RELAY_END, 0, DB_NONE, NULL);
	if (rc == 0)
		child_send(parent, NULL);
}

static size_t how_many(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN) * READERS_A_PROCESSOR;

	return n < 1 ? 1 : n > READERS_MAX ? READERS_MAX : (size_t)n;
}

int readers_start(struct readers *r, const struct store *s, struct err *e)
{
	struct document_reader reader = { .s = s, .of = how_many() };
	int rc = 0;

	*r = (struct readers){ .plan = { .name = "a process that reads documents",
		                         .trust = CHILD_TRUSTED,
		                         .answer_max = RELAY_BYTES,
		                         .keep = s->dirfd,
		                         .job = { .serve = serve } } };
	for (; rc == 0 && reader.number < reader.of; reader.number++)
		rc = child_start(&r->children[r->count++], &r->plan, &reader, e);
	if (rc < 0)
		readers_stop(r);
	return rc;
}

/* Waits for the next frame of any reader.  1: r->relay is it; 0: all have ended. */
static int next_frame(struct readers *r, struct err *e)
{
	struct err why = { 0 };
	const char *bytes;
	size_t n, i = child_await(r->children, r->count);

	if (i == r->count)
		return 0;
	r->speaker = &r->children[i];
	if (child_receive(r->speaker, &bytes, &n, &why) < 0)
		return err_set(e, ERR_SYSTEM, "%s", why.text);
	r->relay = (struct relay){ bytes, bytes + n };
	return 1;
}

int readers_next(struct readers *r, struct relay_item *out, struct err *e)
{
	for (;;) {
		int rc = relay_take(&r->relay, out, e);

		if (rc == 0 && (rc = next_frame(r, e)) == 1)
			continue;
		if (rc == 1 && out->kind == RELAY_FAILED)
			return err_set(e, (enum err_code)out->v[0].number, "%s",
			               (const char *)out->v[1].bytes);
		if (rc <= 0 || out->kind != RELAY_END)
			return rc;
		/* Its last item: the frame is freed with it. */
		child_stop(r->speaker);
		r->relay = (struct relay){ 0 };
	}
}

void readers_stop(struct readers *r)
{
	for (size_t i = 0; i < r->count; i++)
		child_stop(&r->children[i]);
	r->count = 0;
}
