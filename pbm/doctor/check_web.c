/* The archive as the web has it: is it this one, and does the server keep its secrets? */
#include <stdlib.h>
#include <string.h>

#include "mail/transport/probe.h"
#include "pbm/archive/archive.h"
#include "pbm/base/str.h"
#include "pbm/doctor/check.h"

#define PAGE_MAX (8 << 20)
/* It changes with each game, and nothing on the way changes it, as it may a page. */
#define SAMPLE "feed.xml"
#define TRIAL "doctor.txt"

static const char *address_of(struct doctor *d, const char *name)
{
	return check_text(d, "%s/%s", d->site.conf.archive_url, name);
}

struct names {
	const char *list;
	bool found;
};

static int is_named(const char *folder, void *arg)
{
	struct names *x = arg;
	const char *name = strrchr(folder, '/') + 1;

	x->found |= strlen(name) > 16 && strstr(x->list, name);
	return 0;
}

/* Does the list that the server gives of archive/live/ have one of its secret names? */
static bool names_a_page(struct doctor *d, const char *list)
{
	struct names x = { .list = list };

	archive_each_folder(&d->site, ARCHIVE_LIVE, is_named, &x, NULL);
	return x.found;
}

static void look_at_list(struct doctor *d)
{
	const char *url = address_of(d, "live/");
	AUTO(str_release) struct str page = str_heap(PAGE_MAX);

	if (mail_probe_page(url, d->site.conf.timeout, &page, NULL) == 200 && page.data &&
	    names_a_page(d, page.data))
		check_bad(
			d,
			"Let the web server list no folders, as the ready files in share do; then pbm key new, and later pbm key drop, for new addresses",
			"%.400s lists the secret addresses of players' boards: everybody can see them",
			url);
}

static void look_at_sample(struct doctor *d, const char *here, size_t n)
{
	const char *url = address_of(d, SAMPLE);
	struct err e = { 0 };
	AUTO(str_release) struct str page = str_heap(PAGE_MAX);

	int rc = mail_probe_page(url, d->site.conf.timeout, &page, &e);
	if (rc < 0)
		check_warn(d, "Let a web server serve archive-dir there, or correct archive-url",
		           "The archive can't be read at archive-url: %.400s", e.text);
	else if (rc != 200)
		check_warn(d, "Let the web server serve archive-dir at archive-url",
		           "The web server answers %d for %.400s", rc, url);
	else if (page.len != n || memcmp(page.data, here, n) != 0)
		check_warn(d, "Let the web server serve the folder that archive-dir names",
		           "%.400s is not what pbm has written into archive-dir", url);
}

static void look_at_web(struct doctor *d)
{
	char *here = NULL;
	size_t n = 0;

	if (!*d->site.conf.archive_url) {
		check_say(d, FINDING_SKIP, NULL, "archive-url is not set");
		return;
	}
	if (archive_read(&d->site, SAMPLE, PAGE_MAX, &here, &n, NULL) < 0) {
		check_say(d, FINDING_SKIP, "Run pbm archive", "The archive has no pages yet");
		return;
	}
	look_at_sample(d, here, n);
	free(here);
	if (!d->said)
		look_at_list(d);
}

/* A small file comes and goes as pages do. */
static int try_bucket(struct doctor *d, struct err *e)
{
	struct names none = { .list = "" };
	AUTO(mem_free) char *back = NULL;
	size_t n = 0;
	int rc = archive_write_bytes(&d->site, TRIAL, TRIAL, strlen(TRIAL), e);

	if (rc == 0)
		rc = archive_arrive(&d->site, e);
	if (rc == 0)
		rc = archive_read(&d->site, TRIAL, PAGE_MAX, &back, &n, e);
	if (rc == 0 && (n != strlen(TRIAL) || memcmp(back, TRIAL, n) != 0))
		rc = err_set(e, ERR_DAMAGED, "a file that was written comes back with other bytes");
	if (rc == 0)
		rc = archive_each_folder(&d->site, ARCHIVE_LIVE, is_named, &none, e);
	if (rc == 0)
		rc = archive_remove(&d->site, TRIAL, e);
	return rc == 0 ? archive_arrive(&d->site, e) : rc;
}

static void look_at_bucket(struct doctor *d)
{
	struct err e = { 0 };

	if (!d->site.bucket)
		check_say(d, FINDING_SKIP, NULL, "The archive is in a folder");
	else if (try_bucket(d, &e) < 0)
		check_bad(
			d,
			"Correct archive-dir, archive-region and archive-password in pbm.conf, or what the key may do",
			"The archive's bucket can't be used: %.400s", e.text);
	archive_leave(&d->site);
}

const struct check check_web[] = {
	{ "archive-bucket", CHECK_CONF | CHECK_NET, look_at_bucket,
	  "The archive's bucket lets pbm write, read, list and remove files" },
	{ "archive-web", CHECK_CONF | CHECK_NET, look_at_web,
	  "The web has the archive, and no list of secret addresses" },
	{ .name = NULL }
};
