/* The source and the sink: are they there, may their certificates be trusted, do they let pbm
 * in? */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/transport/isolate.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/doctor/check.h"
#include "pbm/site/mail_ends.h"

#define TAKEN_SECONDS (15 * INT64_C(60))
#define SENT_SECONDS INT64_C(3600)
#define EXPIRES (14 * INT64_C(86400))

/* The files of a folder, and the time of the oldest of them. */
static size_t count_mails(const char *folder, int64_t *oldest)
{
	AUTO(io_close_dir) DIR *dir = opendir(folder);
	const struct dirent *entry;
	struct stat st;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' &&
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
			*oldest = n++ && *oldest < (int64_t)st.st_mtime ? *oldest
			                                                : (int64_t)st.st_mtime;
		}
	return n;
}

/* Mails don't stay in the folder new: runs take them from the source's, and another program
 * those that pbm writes into the sink's. */
static void look_at_maildir(struct doctor *d, bool sink)
{
	const char *where = sink ? d->site.conf.sink.where : d->site.conf.source.where;
	int64_t oldest = 0;

	if (strncmp(where, "maildir:", 8) != 0)
		return;
	if (sink && strcmp(where, d->site.conf.source.where) == 0) {
		check_bad(d, "Correct source or sink in pbm.conf",
		          "Source and sink are the same Maildir, so pbm reads its own answers");
		return;
	}
	const char *folder = check_text(d, "%.800s/new", SITE_PATH(&d->site, where + 8));
	size_t n = count_mails(folder, &oldest);
	int64_t age = clock_now() - oldest;
	if (n && sink && age > SENT_SECONDS)
		check_warn(
			d,
			"Name a mail server as the sink in pbm.conf (docs/mail.md, \"Mail out\"), or let a program pass these mails on",
			"%zu answers lie in %.400s, the oldest for %s: nobody passes them on to the players",
			n, folder, check_span(d, age));
	else if (n && !sink && age > TAKEN_SECONDS)
		check_warn(
			d,
			"Run pbm tick, and read what it says of them; the site's owner must be able to read the files",
			"%zu mails wait in %.400s, the oldest for %s", n, folder,
			check_span(d, age));
}

/* A source or a sink that is no mail server is opened as a run opens it. */
static void look_at_local(struct doctor *d, bool sink)
{
	struct mail_source source;
	struct mail_sink out;
	struct err e = { 0 };
	int rc = sink ? mail_ends_sink(&d->site, &out, &e)
	              : mail_ends_source(&d->site, &source, &e);

	if (rc < 0)
		check_bad(d, "Correct pbm.conf", "%s", e.text);
	else if (sink)
		out.ops->close(out.self);
	else
		source.ops->close(source.self);
	if (rc == 0)
		look_at_maildir(d, sink);
}

/* The servers' answers, asked once for the three findings about each. */
struct end_asked {
	int rc; /* of mail_ends_account(); <0: not asked, why says what is wrong */
	struct mail_probe probe;
	struct err why;
};

static bool is_of_sink(const struct doctor *d)
{
	return d->check->needs & CHECK_SINK;
}

static const struct end_asked *ask(struct doctor *d)
{
	bool sink = is_of_sink(d);
	struct end_asked *a = d->asked[sink];
	struct mail_account acc;

	if (a)
		return a;
	a = d->asked[sink] = arena_alloc(&d->arena, sizeof *a);
	a->rc = mail_ends_account(&d->site, &d->arena, sink, &acc, &a->why);
	if (a->rc == 1 && !d->task->offline && probe_isolated(&acc, &a->probe, &a->why) < 0)
		a->rc = -1;
	return a;
}

static void look_at_end(struct doctor *d)
{
	const struct end_asked *a = ask(d);

	if (a->rc < 0)
		check_bad(d, "Correct pbm.conf", "%s", a->why.text);
	else if (a->rc == 0)
		look_at_local(d, is_of_sink(d));
	else if (d->task->offline)
		check_say(d, FINDING_SKIP, NULL, "Not asked (--offline)");
	else if (a->probe.end == PROBE_UNREACHABLE)
		check_bad(
			d,
			"Look whether the server runs, and whether host and port in pbm.conf are right",
			"%.200s can't be reached: %.300s",
			is_of_sink(d) ? d->site.conf.sink.where : d->site.conf.source.where,
			a->probe.why.text);
}

/* true: said, because there is nothing to look at. */
static bool is_skipped(struct doctor *d, const struct end_asked *a, enum mail_probe_end wanted)
{
	const char *why = a->rc != 1              ? "No mail server is named"
	                  : d->task->offline      ? "Not asked (--offline)"
	                  : a->probe.end < wanted ? "Not looked at, because the connection failed"
	                                          : NULL;

	if (why)
		check_say(d, FINDING_SKIP, NULL, "%s", why);
	return why != NULL;
}

static void look_at_certificate(struct doctor *d)
{
	const struct end_asked *a = ask(d);
	int64_t left = a->probe.expires - clock_now();

	if (is_skipped(d, a, PROBE_CERTIFICATE))
		return;
	if (a->probe.end == PROBE_CERTIFICATE)
		check_bad(d, "Else let the server's owner mend its certificate", "%.400s",
		          a->probe.why.text);
	else if (a->probe.expires && left < EXPIRES)
		check_warn(d, "Renew the certificate, or tell the server's owner", "%s",
		           left > 0 ? check_text(d, "The server's certificate ends in %s",
		                                 check_span(d, left))
		                    : "The server's certificate has ended");
}

static void look_at_login(struct doctor *d)
{
	const struct end_asked *a = ask(d);

	if (!is_skipped(d, a, PROBE_LOGIN) && a->probe.end == PROBE_LOGIN)
		check_bad(d, "Correct the user in pbm.conf, or the password in its file",
		          "The server refuses the login: %.400s", a->probe.why.text);
}

const struct check check_ends[] = {
	{ "source", CHECK_CONF, look_at_end, "The source can be reached" },
	{ "source-certificate", CHECK_CONF, look_at_certificate,
	  "The certificate of the source is good for 14 days and more" },
	{ "source-login", CHECK_CONF, look_at_login, "The source lets pbm in" },
	{ "sink", CHECK_CONF | CHECK_SINK, look_at_end, "The sink can be reached" },
	{ "sink-certificate", CHECK_CONF | CHECK_SINK, look_at_certificate,
	  "The certificate of the sink is good for 14 days and more" },
	{ "sink-login", CHECK_CONF | CHECK_SINK, look_at_login, "The sink lets pbm in" },
	{ .name = NULL }
};
