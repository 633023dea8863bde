#include "mail/sandbox/sandbox_child.h"

#include <libxml/parser.h>
#include <time.h>

#include "mail/charset.h"
#include "mail/parse.h"
#include "mail/sandbox/sandbox_wire.h"

static const char sample[] =
	"From: a <a@example.org>\nDate: Tue, 1 Dec 2026 10:00:00 +0000\nSubject: =?utf-8?Q?a?=\n"
	"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n"
	"Content-Transfer-Encoding: base64\n\nPHA+Jm5ic3A7PC9wPg==\n--b--\n";

/* The libraries load their time zone, tables and locks once, at their first use.  The
 * sealed child can open no file, so that use comes before, in the zygote. */
static void load(const void *arg)
{
	const struct sandbox_job *job = arg;
	static bool used;

	if (!used) {
		AUTO(arena_release) struct arena a = { 0 };
		struct mail m;

		used = true;
		tzset();
		xmlInitParser();
		parse_any(&a, sample, sizeof sample - 1, &m, NULL);
	}
	charset_load(job->charsets);
}

static void serve(struct child *parent, void *arg)
{
	const struct sandbox_job *job = arg;
	struct arena a = { 0 };
	struct mail m = { 0 };
	struct err e = { 0 };
	const char *mail;
	size_t n;

	if (child_receive(parent, &mail, &n, NULL) < 0)
		return;
	int rc = (job->parse ? job->parse : parse_any)(&a, mail, n, &m, &e);
	sandbox_write(child_frame(parent), rc, &m, &e);
	child_send(parent, NULL);
}

const struct child_job sandbox_parse = { .name = SANDBOX_JOB, .load = load, .serve = serve };
