/* The test mail: out through the sink, to pbm+doctor.…@host, and back through the source. */
#include <string.h>
#include <time.h>

#include "mail/compose/compose.h"
#include "pbm/base/clock.h"
#include "pbm/doctor/check.h"
#include "pbm/run/test_mail.h"
#include "pbm/site/mail_ends.h"

#define PAUSE_NS 300000000
#define MAIL_MAX_BYTES_OUT 16384

static const char text[] =
	"This is a test mail of pbm doctor.  You need not answer it.\n\n"
	"If you read it in a folder for spam, other players may not see the mails of this server\n"
	"at all: look at what pbm doctor says about spf, dkim and dmarc.\n";

static int compose(struct doctor *d, const char *to, int64_t now, struct str *out, struct err *e)
{
	const struct site *s = &d->site;
	const struct compose c = {
		.from_name = s->conf.name,
		.from = s->address,
		.to_name = "",
		.to = to,
		.subject = check_text(d, "[%.60s] a test mail", s->conf.name),
		.message_id = check_text(d, "doctor.%lld.%zu@%.255s", (long long)now, strlen(to),
		                         s->conf.host),
		.auto_submitted = "auto-generated",
		.date = now,
		.text = text,
	};

	return compose_mail(&c, out, e);
}

/* Straight through the sink, so that its answer is heard at once.  true: it took the mail. */
static bool send(struct doctor *d, struct mail_sink *sink, const char *to)
{
	struct mail_sending mail = { .from = d->site.address, .to = to };
	struct err e = { 0 };
	AUTO(str_release) struct str bytes = str_heap(MAIL_MAX_BYTES_OUT);

	int rc = compose(d, to, clock_now(), &bytes, &e);
	mail.key = check_text(d, "doctor %lld %.300s", (long long)clock_now(), to);
	mail.bytes = bytes.data;
	mail.len = bytes.len;
	if (rc == 0)
		rc = sink->ops->send(sink->self, &mail, 1, &e);
	if (rc >= 0 && mail.rc < 0)
		rc = err_set(&e, mail.rc, "%.400s", mail.why.text);
	if (rc < 0 || mail.rc < 0)
		check_bad(d, "Let the mail server accept this address, then try again",
		          "The sink does not take a test mail to %.200s: %.400s", to, e.text);
	return rc >= 0 && mail.rc == 0;
}

/* 1: the test mail is back; 0: it is still out; <0: a run failed. */
static int look_for_it(struct doctor *d, struct err *e)
{
	int64_t came, since;
	int rc = d->task->run(d->task->dir, e);

	return rc < 0 ? rc : test_mail_read(&d->site, &d->arena, &d->returned, &came, &since, e);
}

static void wait_for_it(struct doctor *d, const char *to)
{
	int64_t begin = clock_ms(), ms = d->site.conf.timeout * INT64_C(1000);
	struct err e = { 0 };
	int rc;

	while ((rc = look_for_it(d, &e)) == 0 && clock_ms() - begin < ms)
		nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
	if (rc < 0)
		check_bad(d, NULL, "No run can fetch the test mail: %.400s", e.text);
	else if (rc == 0)
		check_bad(
			d,
			check_text(
				d,
				"Let your mail server deliver %s and %s+anything@%s to the source (docs/mail.md, \"Mail in\")",
				d->site.address, d->site.conf.local_part, d->site.conf.host),
			"A mail to %.200s did not come back within %ld seconds: no answer of a player comes either",
			to, d->site.conf.timeout);
	else
		check_say(d, FINDING_OK, NULL, "The test mail went out and came back");
}

static void look_at_last(struct doctor *d)
{
	int64_t came = 0, since = 0;
	struct err e = { 0 };
	int rc = test_mail_read(&d->site, &d->arena, &d->returned, &came, &since, &e);

	if (rc < 0)
		check_bad(d, NULL, "%s", e.text);
	else if (rc == 1)
		check_say(d, FINDING_OK, NULL, "The last test mail came back %s ago",
		          check_span(d, clock_now() - came));
	else if (since)
		check_bad(d, "Run pbm doctor --test-mail ADDRESS again",
		          "The test mail that was sent %s ago has not come back",
		          check_span(d, clock_now() - since));
	else
		check_say(d, FINDING_SKIP, "Run pbm doctor --test-mail ADDRESS",
		          "No test mail was sent yet");
}

static void look_at_test_mail(struct doctor *d)
{
	const char *address = d->task->address;
	struct mail_sink sink;
	struct err e = { 0 };
	char to[400];

	if (!address || d->task->offline) {
		look_at_last(d);
		return;
	}
	if (mail_ends_sink(&d->site, &sink, &e) < 0 ||
	    test_mail_new(&d->site, to, sizeof to, &e) < 0) {
		check_bad(d, NULL, "%s", e.text);
		return;
	}
	bool there = send(d, &sink, to);
	if (there && !site_owns(&d->site, address))
		send(d, &sink, address);
	sink.ops->close(sink.self);
	if (there)
		wait_for_it(d, to);
}

static void look_at_operator(struct doctor *d)
{
	const char *to = d->site.conf.operator_address;

	if (!*to)
		check_warn(d, "Set in pbm.conf: operator = <your address>",
		           "Nobody gets mails about trouble, because operator is not set");
	else if (site_owns(&d->site, to))
		check_bad(d, "Set in pbm.conf: operator = <your address>",
		          "operator is %.200s, an address of pbm's own: nobody reads it", to);
}

const struct check check_mail[] = {
	{ "operator", CHECK_CONF, look_at_operator, "Somebody gets mails about trouble" },
	{ "test-mail", CHECK_CONF, look_at_test_mail, "The test mail went out and came back" },
	{ .name = NULL }
};
