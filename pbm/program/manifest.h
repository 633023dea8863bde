/* The manifest of a backup: the last member of its archive.  It has a line for each member
 * before it, in the same order: the BLAKE2b sum of its bytes, its mode, its size and its
 * name.  A reader makes the manifest again from the members that it finds and compares the
 * two, so a changed bit, and a member that is missing, moved, doubled or added, is
 * noticed.  It finds accidents; it does not stop a person who writes a manifest too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

#define MANIFEST_NAME "manifest"

struct manifest {
	struct str text;
	size_t count;    /* members */
	unsigned needed; /* which of the files are in it that every site has */
};

/* The only files and folders of a site that a backup has, NULL-terminated; a folder comes
 * with all below it.  pbm.db is not among them: a backup has a copy of its queues.  The documents
 * are rows where the store is a server. */
extern const char *const manifest_parts[], *const manifest_documents[];

/* Is this the name of one of those files, of a file in one of those folders, or pbm.db? */
bool manifest_allows(const char *name);

void manifest_init(struct manifest *m);
void manifest_release(struct manifest *m);

/* Adds the line of a member. */
void manifest_add(struct manifest *m, const char *name, mode_t mode, const char *bytes, size_t n);

/* Adds the last line, which has the number of members.  ERR_LIMIT: there are too many. */
int manifest_finish(struct manifest *m, struct err *e);

/* Compares the manifest that an archive has, n bytes of text, with m, which was made from
 * the archive's members and is finished.  ERR_DAMAGED names the first member that differs,
 * or a file that every site has and this backup has not. */
int manifest_compare(const struct manifest *m, const char *text, size_t n, struct err *e);

/* Does the text of m begin with the text of the unfinished manifest part?  `from` bytes have
 * been compared already. */
bool manifest_begins_with(const struct manifest *m, const struct manifest *part, size_t from);
