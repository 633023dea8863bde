/* The archive in a bucket. */
#include "pbm/archive/place/place.h"
#include "pbm/bucket/bucket.h"
#include "pbm/site/mail_ends.h"

/* The bucket, open; NULL: *e says why not. */
static struct bucket *open_bucket(const struct site *site, struct err *e)
{
	struct mail_account acc;
	struct arena a = { 0 };
	int rc = mail_ends_bucket(site, &a, &acc, e);

	if (rc == 0)
		rc = bucket_open(site->bucket, &acc, e);
	arena_release(&a);
	return rc < 0 ? NULL : site->bucket;
}

static int write_bytes(struct site *site, const char *name, const char *bytes, size_t n,
                       struct err *e)
{
	struct err why = { 0 };
	struct bucket *b = open_bucket(site, &why);

	if (!b || bucket_write(b, name, bytes, n, &why) < 0)
		return err_set(e, why.code, "%s", why.text);
	return 0;
}

/* A server that does not answer has nothing; then archive_arrive() fails, too. */
static bool has(const struct site *site, const char *name)
{
	struct bucket *b = open_bucket(site, NULL);

	return b && bucket_has(b, name, NULL) == 1;
}

static int read_bytes(const struct site *site, const char *name, size_t max, char **out,
                      size_t *len, struct err *e)
{
	struct err why = { 0 };
	struct bucket *b = open_bucket(site, &why);

	if (!b || bucket_read(b, name, max, out, len, &why) < 0)
		return err_set(e, why.code, "%s", why.text);
	return 0;
}

static int remove_file(const struct site *site, const char *name, struct err *e)
{
	struct err why = { 0 };
	struct bucket *b = open_bucket(site, &why);

	if (!b || bucket_remove(b, name, &why) < 0)
		return err_set(e, why.code, "%s", why.text);
	return 0;
}

static int remove_one(const char *name, void *arg)
{
	return bucket_remove(arg, name, NULL);
}

static int remove_folder(const struct site *site, const char *name, struct err *e)
{
	struct err why = { 0 };
	struct bucket *b = open_bucket(site, &why);

	if (b && bucket_each(b, name, false, remove_one, b, &why) < 0 && why.code == 0)
		bucket_settle(b, &why);
	return why.code ? err_set(e, why.code, "%s", why.text) : 0;
}

static int each_folder(const struct site *site, const char *name,
                       int (*fn)(const char *folder, void *arg), void *arg, struct err *e)
{
	struct bucket *b = open_bucket(site, e);

	return b ? bucket_each(b, name, true, fn, arg, e) : ERR_TEMP;
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
