/* Fills an index with what the documents of a store say. */
#pragma once

#include <stdint.h>

#include "pbm/base/mem.h"
#include "pbm/base/str.h"
#include "store/check/store_reindex.h"
#include "store/db/db.h"
#include "store/document/acts.h"

/* Takes the bytes of a document along. */
typedef int fill_copy_fn(const char *path, const struct str *bytes, void *arg, struct err *e);

struct fill {
	struct store *from;
	struct db *to; /* in a transaction of db_build() */
	/* NULL: damaged documents are left out and counted.  Else each is taken along, none may be
	 * damaged, and its bytes must be those that were stored. */
	fill_copy_fn *copy;
	void *arg;
	progress_fn *progress; /* may be NULL */
	void *progress_arg;
	int64_t done, total;
	int left_out;
	struct err first; /* the first thing that was left out */
	struct str bytes; /* private, as the next two */
	struct arena a;
	char hash[ACTS_HASH_SIZE];
};

/* Opens an empty database in the site's folder, pbm.db.new, as f->to. */
int fill_open_file(struct fill *f, struct err *e);
void fill_remove_file(const struct fill *f);

int fill_index(struct fill *f, struct err *e);

/* db_build_done(). */
int fill_finish(struct fill *f, struct err *e);
/* The new file, which is durable first, becomes pbm.db, and that is made durable. */
int fill_name_file(const struct fill *f, struct err *e);

/* Counts one thing that is left out. */
void fill_leave_out(struct fill *f, const char *what);
