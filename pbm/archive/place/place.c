#include "pbm/archive/place/place.h"

#include <stdio.h>

#include "pbm/base/log.h"
#include "pbm/bucket/bucket.h"

#define FAILURES_LOGGED 20 /* in one run; the others are only counted */

static const struct archive_place *place_of(const struct site *site)
{
	return site->bucket ? &place_bucket : &place_files;
}

bool archive_has(const struct site *site, const char *name)
{
	return place_of(site)->has(site, name);
}

int archive_read(const struct site *site, const char *name, size_t max, char **out, size_t *len,
                 struct err *e)
{
	return place_of(site)->read(site, name, max, out, len, e);
}

int archive_write_bytes(struct site *site, const char *name, const char *bytes, size_t n,
                        struct err *e)
{
	return place_of(site)->write_bytes(site, name, bytes, n, e);
}

int archive_remove(const struct site *site, const char *name, struct err *e)
{
	return place_of(site)->remove(site, name, e);
}

int archive_remove_folder(const struct site *site, const char *name, struct err *e)
{
	return place_of(site)->remove_folder(site, name, e);
}

int archive_each_folder(const struct site *site, const char *name,
                        int (*fn)(const char *folder, void *arg), void *arg, struct err *e)
{
	return place_of(site)->each_folder(site, name, fn, arg, e);
}

int archive_sync(struct site *site, struct err *e)
{
	return place_of(site)->sync(site, e);
}

int archive_sync_first(struct site *site, struct err *e)
{
	return place_of(site)->sync_first ? place_of(site)->sync_first(site, e) : 0;
}

int archive_arrive(struct site *site, struct err *e)
{
	return place_of(site)->arrive ? place_of(site)->arrive(site, e) : 0;
}

void archive_leave(struct site *site)
{
	if (site->bucket)
		bucket_close(site->bucket);
}

void archive_count_failure(struct archive_report *r, const char *page, const struct err *why)
{
	if (r->failed == 0)
		snprintf(r->first, sizeof r->first, "%.100s: %.280s", page, why->text);
	if (r->failed < FAILURES_LOGGED)
		log_error("%s can't be written to the archive: %s", page, why->text);
	r->failed++;
}

bool archive_has_arrived(struct site *site, struct archive_report *r)
{
	struct err why = { 0 };
	int rc = archive_arrive(site, &why);

	if (rc < 0)
		archive_count_failure(r, "what was written last", &why);
	return rc == 0;
}
