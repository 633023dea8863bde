/* Sub-commands that work on a site. */
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/archive/archive.h"
#include "pbm/archive/live.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/program/prog.h"
#include "pbm/record/match.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/run.h"
#include "pbm/site/mail_ends.h"
#include "store/store_fsck.h"
#include "store/store_reindex.h"

#define STORE_WAIT 4      /* seconds for another run to finish */
#define TICK_WAIT_MS 1000 /* a run that is sending holds the store only briefly */

/* A site without a web page yet is a site all the same. */
static void begin_archive(const char *dir)
{
	struct site s;
	struct err e = { 0 };

	if (site_open(dir, &s, &e) < 0) {
		prog_fail(&e);
		return;
	}
	if (site_open_store(&s, STORE_WRITE, &e) < 0 || archive_begin(&s, &e) < 0)
		prog_fail(&e);
	site_close(&s);
}

int prog_init(const struct prog_options *o, int argc, char **argv)
{
	const char *dir = NULL, *host = "localhost";
	struct err e = { 0 };

	(void)o;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--host") == 0 && i + 1 < argc)
			host = argv[++i];
		else if (argv[i][0] != '-' && !dir)
			dir = argv[i];
		else if (strcmp(argv[i], "--host") == 0)
			return prog_usage("init", "--host needs a name behind it");
		else
			return prog_refuse_word(argv, argv[i]);
	}
	if (!dir)
		return prog_usage("init", "the folder is missing");
	if (site_create(dir, host, &e) < 0)
		return prog_fail(&e);
	begin_archive(dir);
	printf("%s is a site now.  Put mails to pbm@%s into %s/inbox; the answers appear in %s/sent.\n"
	       "Next:  pbm -C %s user add alice alice@example.org\n"
	       "       pbm -C %s talk alice\n",
	       dir, host, dir, dir, dir, dir);
	return 0;
}

int prog_run_mails(struct site *s, struct mail_source *source, unsigned flags, struct run_report *r,
                   struct err *e)
{
	struct mail_sink sink;
	int rc = mail_ends_sink(s, &sink, e);

	if (rc < 0)
		return rc;
	rc = run_once(s, source, &sink, flags, r, e);
	sink.ops->close(sink.self);
	return rc;
}

/* Stands for a mail server that must not be read without the filter of system calls.  Mails are sent all the same. */
static int unread_next(void *self, size_t max, struct mail_raw *out, struct err *e)
{
	(void)max, (void)out;
	return err_set(e, ERR_UNFILTERED, "%s", (const char *)self);
}

static int unread_settle(void *self, const char *id, enum mail_fate fate, struct err *e)
{
	(void)self, (void)id, (void)fate, (void)e;
	return 0;
}

static void unread_close(void *self)
{
	(void)self;
}

static const struct mail_source_ops unread_ops = {
	.name = "unread", .next = unread_next, .settle = unread_settle, .close = unread_close
};

static int run_tick(struct site *s, struct run_report *r, struct err *e)
{
	struct mail_source source;
	struct err why = { 0 };
	int rc = mail_ends_source(s, &source, &why);

	if (rc == ERR_UNFILTERED) {
		source = (struct mail_source){ &unread_ops, why.text };
		rc = 0;
	}
	if (rc < 0)
		err_set(e, rc, "%s", why.text);
	if (rc < 0)
		return rc;
	rc = prog_run_mails(s, &source, 0, r, e);
	source.ops->close(source.self);
	return rc;
}

static void log_report(const struct run_report *r)
{
	char keys[400];

	snprintf(
		keys, sizeof keys,
		"taken=%zu quarantined=%zu later=%zu sent=%zu waiting=%zu failed=%zu published=%zu",
		r->handled, r->quarantined, r->retried, r->sent, r->deferred, r->failed,
		r->published);
	if (r->handled || r->quarantined || r->sent || r->failed || r->retried || r->deferred)
		log_keys(
			LOG_LEVEL_INFO, keys,
			"%zu mails taken, %zu quarantined, %zu left for later; %zu sent, %zu waiting, %zu given up; %zu games published",
			r->handled, r->quarantined, r->retried, r->sent, r->deferred, r->failed,
			r->published);
	if (r->clocks.reminded || r->clocks.ended)
		log_info("%zu players reminded or warned, %zu games and offers ended%s",
		         r->clocks.reminded, r->clocks.ended,
		         r->clocks.later ? "; more in the next run" : "");
}

int prog_tick(const struct prog_options *o, int argc, char **argv)
{
	struct site s;
	struct run_report r = { 0 };
	struct err e = { 0 };

	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	int code = prog_begin_reading();
	if (code)
		return code;
	if (site_open(o->dir, &s, &e) < 0)
		return prog_fail(&e);
	int rc = site_wait_store(&s, STORE_WRITE, TICK_WAIT_MS, &e);
	if (rc == ERR_BUSY) {
		log_info("another run is at work; this one does nothing");
		site_close(&s);
		return 0;
	}
	if (rc == 0)
		rc = run_tick(&s, &r, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	log_report(&r);
	return r.stopped ? EX_TEMPFAIL : 0;
}

int prog_archive(const struct prog_options *o, int argc, char **argv)
{
	struct site s;
	struct err e = { 0 };
	struct archive_report r = { 0 };

	/* There is nothing else that it could do; the option says it. */
	if (argc > 1 && strcmp(argv[1], "--rebuild") == 0) {
		argc--;
		argv++;
	}
	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	int code = prog_open(o, STORE_WRITE, STORE_WAIT, &s);
	if (code)
		return code;
	int rc = archive_rebuild(&s, &r, &e);
	if (rc == 0)
		rc = live_rebuild(&s, &r, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	printf("%zu games in the archive\n", r.games);
	if (r.failed)
		fprintf(stderr, "pbm: %zu pages could not be written; the first: %s\n", r.failed,
		        r.first);
	return r.failed ? EX_IOERR : 0;
}

static void report_finding(const char *what, bool repaired, void *arg)
{
	(void)arg;
	printf("%s%s\n", what, repaired ? "  (repaired)" : "");
}

int prog_fsck(const struct prog_options *o, int argc, char **argv)
{
	struct err e = { 0 };
	static const char *const modes[] = {
		[FSCK_REPAIR] = "--repair", [FSCK_ACCEPT] = "--accept"
	};
	enum fsck_mode mode = FSCK_LOOK;
	struct site s;

	for (int i = FSCK_REPAIR; argc == 2 && i <= FSCK_ACCEPT; i++)
		if (strcmp(argv[1], modes[i]) == 0)
			mode = (enum fsck_mode)i;
	if (argc > 1 && mode == FSCK_LOOK)
		return prog_refuse_word(argv, argv[argc > 2 ? 2 : 1]);
	int open = mode == FSCK_LOOK ? site_open_to_look(o->dir, &s, &e)
	                             : site_open(o->dir, &s, &e);
	if (open < 0)
		return prog_fail(&e);
	site_close(&s);
	int rc = store_fsck(o->dir, mode, match_verify, report_finding, NULL, &e);
	if (rc < 0)
		return prog_fail(&e);
	printf(rc ? "%d findings\n" : "clean\n", rc);
	return rc ? EX_DATAERR : 0;
}

static void show_progress(int64_t done, int64_t total, void *arg)
{
	(void)arg;
	if (done % 1000 == 0 || done == total)
		fprintf(stderr, "\r%lld of %lld documents", (long long)done, (long long)total);
}

int prog_reindex(const struct prog_options *o, int argc, char **argv)
{
	struct err e = { 0 };
	struct site s;

	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	if (site_open(o->dir, &s, &e) < 0)
		return prog_fail(&e);
	site_close(&s);
	bool shown = isatty(STDERR_FILENO);
	int rc = store_reindex(o->dir, shown ? show_progress : NULL, NULL, &e);
	if (shown)
		fputc('\n', stderr);
	if (rc > 0)
		printf("%d documents are left out, the first: %s\n", rc, e.text);
	return rc < 0 ? prog_fail(&e) : rc > 0 ? EX_DATAERR : 0;
}
