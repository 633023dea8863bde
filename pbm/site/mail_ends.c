#include "pbm/site/mail_ends.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/transport/isolate.h"
#include "mail/transport/mail_account.h"
#include "mail/transport/sink_maildir.h"
#include "mail/transport/sink_sendmail.h"
#include "mail/transport/source_maildir.h"
#include "pbm/site/guard.h"

static const char *after(const char *value, const char *kind)
{
	size_t n = strlen(kind);

	return strncmp(value, kind, n) == 0 ? value + n : NULL;
}

/* Finds the secret that spec names and checks it as far as that needs no reading.  Refuses a file
 * that other users of the machine can read or change, as ssh does. */
static int find_secret(const struct site *s, struct arena *a, const char *spec, const char **out,
                       struct err *e)
{
	const char *file = after(spec, "file:");
	char path[1024];
	struct stat st;

	if (!file && !mail_account_command(spec))
		return err_set(e, ERR_BAD, "must be file:PATH or " MAIL_ACCOUNT_COMMAND "LINE");
	*out = file ? arena_strdup(a, site_path(s, file, path, sizeof path)) : spec;
	if (!file)
		return 0;
	if (stat(path, &st) < 0)
		return err_sys(e, "%.200s", path);
	if (st.st_mode & (S_IRWXO | S_IWGRP))
		return err_set(e, ERR_PERM,
		               "other users can read or change %.200s (mode %03o): chmod 600 it",
		               path, (unsigned)st.st_mode & 0777);
	if (st.st_size == 0 && S_ISREG(st.st_mode))
		return err_set(e, ERR_BAD, "the first line is empty");
	return guard_file(s->dir, path, e);
}

/* Adds to an account what stands beside its URL; what is "source", "sink" or "archive". */
static int complete_account(const struct site *s, struct arena *a, const char *what,
                            const struct site_end *end, struct mail_account *out, struct err *e)
{
	bool is_token = end->token && *end->token;
	const char *spec = is_token ? end->token : end->password;
	struct err why = { 0 };

	out->is_token = is_token;
	if (*spec && find_secret(s, a, spec, &out->secret, &why) < 0)
		return err_set(e, why.code, "pbm.conf: %s-%s: %.300s", what,
		               out->is_token ? "token" : "password", why.text);
	if (*end->ca)
		out->ca = arena_strdup(a, SITE_PATH(s, end->ca));
	out->timeout = s->conf.timeout;
	return 0;
}

/* The mail server that an end names; what is "source" or "sink". */
static int read_account(const struct site *s, struct arena *a, const char *what,
                        const struct site_end *end, struct mail_account *out, struct err *e)
{
	struct err why = { 0 };
	int rc = mail_account_read(a, end->where, out, &why);

	return rc < 0 ? err_set(e, rc, "pbm.conf: %s: %.300s", what, why.text)
	              : complete_account(s, a, what, end, out, e);
}

bool mail_ends_has_bucket(const struct site *s)
{
	return strstr(s->conf.archive.where, "://") != NULL;
}

int mail_ends_bucket(const struct site *s, struct arena *a, struct mail_account *out, struct err *e)
{
	struct err why = { 0 };
	int rc = mail_account_read_bucket(a, s->conf.archive.where, s->conf.archive_region, out,
	                                  &why);

	if (rc < 0)
		return err_set(e, rc, "pbm.conf: archive-dir: %.300s", why.text);
	rc = complete_account(s, a, "archive", &s->conf.archive, out, e);
	return rc == 0 && !out->secret
	               ? err_set(e, ERR_BAD,
	                         "pbm.conf: archive-dir names a bucket, and so needs an "
	                         "archive-password: file:PATH with the secret key")
	               : rc;
}

/* Each kind of source that pbm.conf can name has functions that open it. */

/* A Maildir in the site's own folder is made when it is missing.  One elsewhere is an MTA's: a
 * name that was typed wrong must not become an empty mailbox that nothing ever comes to. */
static int open_source_maildir(const struct site *s, struct mail_source *out, struct err *e)
{
	const char *where = after(s->conf.source.where, "maildir:");
	const char *path = SITE_PATH(s, where), *inside = PRINTED(1300, "%s/new", path);

	if (*where == '/' && access(path, F_OK) < 0)
		return err_set(
			e, errno == ENOENT ? ERR_NOT_FOUND : ERR_PERM,
			"pbm.conf: source: the Maildir %.300s can't be opened (%s): make it, "
			"or correct the line",
			path, strerror(errno));
	if (*where == '/' && access(inside, F_OK) < 0)
		return err_set(e, ERR_BAD,
		               "pbm.conf: source: %.300s is no Maildir, because it has no folder "
		               "new: make that folder, or correct the line",
		               path);
	return source_maildir_open(path, out, e);
}

/* A server's answers are hostile input, so a child process reads them. */
static int open_server(const struct site *s, const char *job, struct mail_source *out,
                       struct err *e)
{
	struct mail_account acc;
	AUTO(arena_release) struct arena a = { 0 };
	int rc = read_account(s, &a, "source", &s->conf.source, &acc, e);

	if (rc == 0 && !acc.secret)
		rc = err_set(e, ERR_BAD,
		             "pbm.conf: source needs a source-password or a source-token");
	acc.unfiltered = s->conf.unfiltered_parser;
	return rc == 0 ? source_isolated(job, &acc, out, e) : rc;
}

static int open_imap(const struct site *s, struct mail_source *out, struct err *e)
{
	return open_server(s, ISOLATE_IMAP, out, e);
}

static int open_pop3(const struct site *s, struct mail_source *out, struct err *e)
{
	return open_server(s, ISOLATE_POP3, out, e);
}

static int open_filed_maildir(const struct site *s, struct mail_source *out, struct err *e)
{
	return source_maildir_filed(SITE_PATH(s, after(s->conf.source.where, "maildir:")),
	                            MAIL_ENDS_FILED, out, e);
}

static int open_filed_imap(const struct site *s, struct mail_source *out, struct err *e)
{
	return open_server(s, ISOLATE_FILED, out, e);
}

typedef int end_opener(const struct site *s, struct mail_source *out, struct err *e);
static const struct {
	const char *kind;
	end_opener *open, *filed;
} sources[] = {
	{ "maildir:", open_source_maildir, open_filed_maildir },
	{ "imaps://", open_imap, open_filed_imap },
	{ "imap://", open_imap, open_filed_imap },
	{ "pop3s://", open_pop3, NULL },
	{ "pop3://", open_pop3, NULL },
};

int mail_ends_filed(const struct site *s, struct mail_source *out, struct err *e)
{
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		if (after(s->conf.source.where, sources[i].kind) && sources[i].filed)
			return sources[i].filed(s, out, e);
	return err_set(e, ERR_BAD, "this kind of source keeps no mails");
}

int mail_ends_account(const struct site *s, struct arena *a, bool sink, struct mail_account *out,
                      struct err *e)
{
	const struct site_end *end = sink ? &s->conf.sink : &s->conf.source;

	if (!strstr(end->where, "://"))
		return 0;
	int rc = read_account(s, a, sink ? "sink" : "source", end, out, e);
	out->hello = s->conf.host;
	return rc < 0 ? rc : 1;
}

int mail_ends_source(const struct site *s, struct mail_source *out, struct err *e)
{
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		if (after(s->conf.source.where, sources[i].kind))
			return sources[i].open(s, out, e);
	return err_set(
		e, ERR_BAD,
		"pbm.conf: source must be maildir:PATH, imaps://USER@HOST or pop3s://USER@HOST, "
		"not \"%.80s\"",
		s->conf.source.where);
}

/* Each kind of sink that pbm.conf can name has a function that opens it. */
static int open_sink_maildir(const struct site *s, const char *where, struct mail_sink *out,
                             struct err *e)
{
	return sink_maildir_open(SITE_PATH(s, where), out, e);
}

static int open_sendmail(const struct site *s, const char *where, struct mail_sink *out,
                         struct err *e)
{
	const char *path = SITE_PATH(s, where);
	struct err why = { 0 };
	int rc = guard_file(s->dir, path, &why);

	if (rc == 0)
		rc = sink_sendmail_open(path, s->conf.timeout, out, &why);
	return rc < 0 ? err_set(e, rc, "pbm.conf: sink: %.400s", why.text) : 0;
}

static int open_smtp(const struct site *s, const char *, struct mail_sink *out, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct mail_account acc;
	struct err why = { 0 };
	int rc = read_account(s, &a, "sink", &s->conf.sink, &acc, e);

	acc.hello = s->conf.host;
	if (rc == 0 && sink_isolated(&acc, out, &why) < 0)
		rc = err_set(e, why.code, "pbm.conf: sink: %.400s", why.text);
	return rc;
}

static const struct {
	const char *kind;
	int (*open)(const struct site *s, const char *where, struct mail_sink *out, struct err *e);
} sinks[] = {
	{ "maildir:", open_sink_maildir },
	{ "sendmail:", open_sendmail },
	{ "smtps://", open_smtp },
	{ "smtp://", open_smtp },
};

int mail_ends_sink(const struct site *s, struct mail_sink *out, struct err *e)
{
	for (size_t i = 0; i < sizeof sinks / sizeof sinks[0]; i++) {
		const char *where = after(s->conf.sink.where, sinks[i].kind);

		if (where)
			return sinks[i].open(s, where, out, e);
	}
	return err_set(e, ERR_BAD,
	               "pbm.conf: sink must be maildir:PATH, sendmail:PROGRAM, smtps://USER@HOST "
	               "or smtp://USER@HOST, not \"%.80s\"",
	               s->conf.sink.where);
}
