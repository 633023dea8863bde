/* pbm-net: talks to mail servers and to the server of the web pages' bucket, a child for each. */
#include "mail/transport/imap/source_imap.h"
#include "mail/transport/isolate_child.h"
#include "mail/transport/source_pop3.h"
#include "pbm/base/child_zygote.h"
#include "pbm/bucket/bucket_child.h"
#include "pbm/site/mail_ends.h"

static int open_filed(const struct mail_account *acc, struct mail_source *out, struct err *e)
{
	return source_imap_filed(acc, MAIL_ENDS_FILED, out, e);
}

static void serve_imap(struct child *parent, void *)
{
	isolate_serve(parent, source_imap_open);
}

static void serve_pop3(struct child *parent, void *)
{
	isolate_serve(parent, source_pop3_open);
}

static void serve_filed(struct child *parent, void *)
{
	isolate_serve(parent, open_filed);
}

int main(void)
{
	static const struct child_job jobs[] = {
		{ .name = ISOLATE_IMAP, .serve = serve_imap },
		{ .name = ISOLATE_POP3, .serve = serve_pop3 },
		{ .name = ISOLATE_FILED, .serve = serve_filed },
		{ .name = ISOLATE_SMTP, .serve = isolate_serve_smtp },
		{ .name = BUCKET_JOB, .serve = bucket_serve },
		{ .name = ISOLATE_PROBE, .serve = isolate_serve_probe },
		{ .name = NULL },
	};

	child_zygote_be(jobs);
}
