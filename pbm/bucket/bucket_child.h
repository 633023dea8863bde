/* The child's side of bucket.h, and the frames between the two: a struct bucket_ask, a name with its NUL
 * and bytes ask.  Writing and removing have no answer.  Any other is answered by a struct isolate_reply,
 * whose rc is 1 when bytes follow. */
#pragma once

#include <stdint.h>

#include "pbm/base/child.h"

#define BUCKET_JOB "bucket"
#define BUCKET_SUM 65

enum bucket_verb {
	BUCKET_WRITE,
	BUCKET_REMOVE,
	BUCKET_READ,
	BUCKET_HAS,
	BUCKET_LIST, /* of files.  The bytes: from where to go on, "" for the first page.  Answer: from
	                 * where to go on or "", then names, each with its NUL */
	BUCKET_FOLDERS, /* the same of folders */
	BUCKET_SETTLE
};

struct bucket_ask {
	uint64_t max; /* READ */
	uint32_t verb;
	char sum[BUCKET_SUM]; /* SHA-256 of the file, in hexadecimal; of nothing, where none is written */
};

#define BUCKET_LIST_MAX (4u << 20) /* bytes of a page of names */

/* The child's work, as in child_job.serve. */
void bucket_serve(struct child *parent, void *arg);
