/* The place of the archive, which is a folder or in a bucket (pbm/bucket): its files by their names.  A bucket's
 * errors show when archive_arrive() or archive_sync() fails, or before.  Only for pbm/archive and pbm/doctor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/site/site.h"

/* The folder of the live pages; other users can't list it. */
#define ARCHIVE_LIVE "live"

struct archive_report {
	size_t games;    /* whose pages were written */
	size_t failed;   /* games and lists with a page that could not be written */
	char first[400]; /* the first of these, and why */
};

/* Logs and counts a page that could not be written.  For the files of this folder. */
void archive_count_failure(struct archive_report *r, const char *page, const struct err *why);

/* Writes the file archive/name, unless it has these bytes already, and its parent folders.  Does
 * not sync either.  ERR_PERM: a parent folder belongs to another user. */
int archive_write_bytes(struct site *site, const char *name, const char *bytes, size_t n,
                        struct err *e);

/* Is there a file archive/name? */
bool archive_has(const struct site *site, const char *name);

/* Reads archive/name, as io_read_file() does. */
int archive_read(const struct site *site, const char *name, size_t max, char **out, size_t *len,
                 struct err *e);

/* Removes the file archive/name; it need not be there. */
int archive_remove(const struct site *site, const char *name, struct err *e);

/* Removes the folder archive/name and all that is in it; it need not be there. */
int archive_remove_folder(const struct site *site, const char *name, struct err *e);

/* Calls fn with "name/one" for each entry of the folder archive/name; the folder need not be there. */
int archive_each_folder(const struct site *site, const char *name,
                        int (*fn)(const char *folder, void *arg), void *arg, struct err *e);

/* Syncs everything below archive/, before anything says that it is written. */
int archive_sync(struct site *site, struct err *e);

/* Waits until a bucket has everything that was written, before a transaction says so: nobody waits for a
 * server within one.  Nothing to do for a folder. */
int archive_arrive(struct site *site, struct err *e);

/* The same; a failure is counted: then the marks stay, and the next run writes the pages again. */
bool archive_has_arrived(struct site *site, struct archive_report *r);

/* Lets the open light transaction sync before its commit.  Everything must have arrived. */
int archive_sync_first(struct site *site, struct err *e);

/* The end of a run's work on the archive: the next one tries a server again that failed. */
void archive_leave(struct site *site);

/* For place*.c alone: a kind of place.  The functions of these names; all are MUST, but those that say MAY. */
struct archive_place {
	int (*write_bytes)(struct site *site, const char *name, const char *bytes, size_t n,
	                   struct err *e);
	bool (*has)(const struct site *site, const char *name);
	int (*read)(const struct site *site, const char *name, size_t max, char **out, size_t *len,
	            struct err *e);
	int (*remove)(const struct site *site, const char *name, struct err *e);
	int (*remove_folder)(const struct site *site, const char *name, struct err *e);
	int (*each_folder)(const struct site *site, const char *name,
	                   int (*fn)(const char *folder, void *arg), void *arg, struct err *e);
	int (*sync)(struct site *site, struct err *e);
	int (*sync_first)(struct site *site, struct err *e); /* MAY */
	int (*arrive)(struct site *site, struct err *e);     /* MAY */
};

extern const struct archive_place place_files, place_bucket;
