#include "pbm/run/due/due.h"

#include <stdio.h>

#include "pbm/request/request.h"
#include "store/document/keys.h"

#define CHUNK 20 /* in one transaction */

struct due_key {
	char key[KEY_USERID_MAX + 1];
	int64_t due;
};

struct due_keys {
	size_t n;
	struct due_key v[CHUNK];
};

static int add_key(const char *key, int64_t due, void *arg)
{
	struct due_keys *d = arg;

	snprintf(d->v[d->n].key, sizeof d->v[d->n].key, "%s", key);
	d->v[d->n++].due = due;
	return d->n == CHUNK;
}

int due_try(struct site *site, int64_t now, due_work_fn *work, const char *key, int64_t due,
            struct err *why, struct err *e)
{
	AUTO(arena_release) struct arena arena = { 0 };
	int rc = store_mark(site->store, e);

	if (rc < 0)
		return rc;
	rc = work(request_new(site, &arena, now), key, due, why);
	rc = store_end_mark(site->store, rc, why, e);
	return rc == 1 && err_of_machine(e, why) < 0 ? why->code : rc;
}

static int run_kind(struct site *site, int64_t now, const struct due_kind *kind, struct err *e)
{
	struct due_keys due = { .n = CHUNK };
	struct due_key last = { 0 };
	int rc = 0;

	while (rc == 0 && due.n == CHUNK) {
		due.n = 0;
		rc = kind->find(site->store, now, last.due, last.key, CHUNK, add_key, &due, e);
		if (rc < 0 || due.n == 0)
			break;
		last = due.v[due.n - 1];
		rc = store_begin(site->store, e);
		for (size_t i = 0; rc == 0 && i < due.n; i++) {
			struct err why = { 0 };

			rc = due_try(site, now, kind->work, due.v[i].key, due.v[i].due, &why, e);
			if (rc == 1)
				kind->failed(due.v[i].key, why.text);
			rc = rc < 0 ? rc : 0;
		}
		rc = store_end(site->store, rc, e);
	}
	return rc;
}

int due_run(struct site *site, int64_t now, struct err *e)
{
	int rc = run_kind(site, now, &due_suspensions, e);

	if (rc == 0)
		rc = run_kind(site, now, &due_tournaments, e);
	return rc == 0 ? run_kind(site, now, &due_digests, e) : rc;
}
