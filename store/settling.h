/* The way of pending rows to their files, in a thread beside the work of this process.  The
 * thread knows neither the database nor the store: it gets a copy of the rows. */
#ifndef STORE_SETTLING_H
#define STORE_SETTLING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "store/db/db.h"

struct settling_file {
	struct settling_file *next;
	const char *path, *bytes;
	size_t len;
};

/* Zero-initialised nothing is on its way. */
struct settling {
	bool running;
	int64_t last; /* the number of the last row that is on its way */
	pthread_t thread;
	int dirfd;
	struct arena arena;
	struct settling_file *files;
	int rc;
	struct err why;
};

/* 1: a thread writes all pending rows to their files and syncs them.  0: it does not, because
 * they are few, or very large, or there is no thread to have. */
int settling_begin(struct settling *t, struct db *db, int dirfd, struct err *e);

/* Waits for it.  0: the files are durable; <0: some may not be written.  Rows that were put
 * since it began are not among them. */
int settling_wait(struct settling *t, struct err *e);

#endif
