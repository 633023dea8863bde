/* The archive in a bucket. */
#include "pbm/archive/place/place.h"
#include "pbm/bucket/bucket.h"
#include "pbm/site/mail_ends.h"

static int open_bucket(const struct site *site, struct err *e)
{
	struct mail_account acc;
	AUTO(arena_release) struct arena a = { 0 };
	int rc = mail_ends_bucket(site, &a, &acc, e);

	if (rc == 0)
		rc = bucket_open(site->bucket, &acc, e);
	return rc < 0 ? rc : 0;
}

static int write_bytes(struct site *site, const char *name, const char *bytes, size_t n,
                       struct err *e)
{
	int rc = open_bucket(site, e);

	return rc == 0 ? bucket_write(site->bucket, name, bytes, n, e) : rc;
}

/* A server that does not answer has nothing; then archive_arrive() fails, too. */
static bool has(const struct site *site, const char *name)
{
	return open_bucket(site, NULL) == 0 && bucket_has(site->bucket, name, NULL) == 1;
}

static int read_bytes(const struct site *site, const char *name, size_t max, char **out,
                      size_t *len, struct err *e)
{
	int rc = open_bucket(site, e);

	return rc == 0 ? bucket_read(site->bucket, name, max, out, len, e) : rc;
}

static int remove_file(const struct site *site, const char *name, struct err *e)
{
	int rc = open_bucket(site, e);

	return rc == 0 ? bucket_remove(site->bucket, name, e) : rc;
}

static int remove_one(const char *name, void *arg)
{
	return bucket_remove(arg, name, NULL);
}

static int remove_folder(const struct site *site, const char *name, struct err *e)
{
	struct err why = { 0 };
	int rc = open_bucket(site, &why);

	if (rc == 0 && bucket_each(site->bucket, name, false, remove_one, site->bucket, &why) < 0 &&
	    why.code == 0)
		bucket_settle(site->bucket, &why);
	return why.code ? err_set(e, why.code, "%s", why.text) : 0;
}

static int each_folder(const struct site *site, const char *name,
                       int (*fn)(const char *folder, void *arg), void *arg, struct err *e)
{
	int rc = open_bucket(site, e);

	return rc == 0 ? bucket_each(site->bucket, name, true, fn, arg, e) : rc;
}

static int arrive(struct site *site, struct err *e)
{
	return bucket_settle(site->bucket, e);
}

const struct archive_place place_bucket = {
	.write_bytes = write_bytes,
	.has = has,
	.read = read_bytes,
	.remove = remove_file,
	.remove_folder = remove_folder,
	.each_folder = each_folder,
	.sync = arrive,
	.arrive = arrive,
};
