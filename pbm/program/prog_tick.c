/* pbm tick: one run, and what it says of it.  pbm work: runs without end, each in a process of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/base/stop.h"
#include "pbm/program/prog.h"
#include "pbm/run/mail_findings.h"
#include "pbm/run/run.h"
#include "pbm/site/mail_ends.h"
#include "pbm/site/site.h"
#include "store/shared/store_inbox.h"
#include "store/shared/store_server.h"

#define TICK_WAIT_MS 1000 /* a run that is sending holds the store only briefly */
#define PROGRESS_MS 500   /* a shorter run shows no progress; so often the line changes */

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

static void unread_close(void *)
{
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

static int64_t shown_at;
static bool shown;

/* For a person at a terminal. */
static void show_progress_of_run(const struct run_report *r)
{
	int64_t now = clock_ms();

	if (now - shown_at < PROGRESS_MS)
		return;
	shown_at = now;
	shown = true;
	fprintf(stderr, "\r%zu mails taken, %zu sent … ", r->handled, r->sent);
}

/* Counts of what a run did, those that are not 0. */
static void print_report(const struct run_report *r)
{
	const struct {
		size_t n;
		const char *one, *many;
	} rows[] = {
		{ r->quarantined, "mail in quarantine", "mails in quarantine" },
		{ r->retried + r->unfetched, "mail left for the next run",
		  "mails left for the next run" },
		{ r->deferred, "mail waits to be sent", "mails wait to be sent" },
		{ r->failed, "mail given up", "mails given up" },
		{ r->clocks.reminded, "player reminded or warned", "players reminded or warned" },
		{ r->clocks.ended, "game or offer ended by its clock",
		  "games and offers ended by their clocks" },
		{ r->published, "game published", "games published" },
	};

	if (shown)
		fputs("\r\033[K", stderr);
	printf("%zu mail%s taken, %zu mail%s sent", r->handled, r->handled == 1 ? "" : "s", r->sent,
	       r->sent == 1 ? "" : "s");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].n)
			printf(", %zu %s", rows[i].n, rows[i].n == 1 ? rows[i].one : rows[i].many);
	puts(".");
}

int prog_run_site(const char *dir, struct run_report *r, struct err *e)
{
	AUTO(site_close) struct site s = { 0 };
	int rc = site_open(dir, &s, e);

	if (rc < 0)
		return rc;
	rc = site_wait_store(&s, STORE_WRITE, TICK_WAIT_MS, e);
	if (rc == 0) {
		mail_findings_run(&s);
		rc = run_tick(&s, r, e);
	}
	return rc;
}

/* The exit code, or the error; it is told to the person or in the log how the run went. */
static int run_and_report(const char *dir, bool person, struct run_report *r, struct err *e)
{
	prog_begin_reading();
	int rc = prog_run_site(dir, r, e);

	if (rc < 0 && rc != ERR_BUSY)
		return rc;
	if (rc == ERR_BUSY && person)
		puts("Another run is at work; this one does nothing.");
	else if (rc == ERR_BUSY)
		log_info("another run is at work; this one does nothing");
	else if (person)
		print_report(r);
	else
		log_report(r);
	return rc == 0 && r->stopped ? EX_TEMPFAIL : 0;
}

int prog_tick(const struct prog_options *o, int argc, char **argv)
{
	bool person = isatty(STDOUT_FILENO);
	struct run_report r = { .progress = person && isatty(STDERR_FILENO) ? show_progress_of_run
		                                                            : NULL };
	struct err e = { 0 };

	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	shown_at = clock_ms();
	int code = run_and_report(o->dir, person, &r, &e);
	return code < 0 ? prog_fail(&e) : code;
}

/* ---- pbm work ---- */

#define PERIOD_MS 60000 /* from one run to the next at most */
#define SLICE_MS 1000   /* how soon a signal is seen that came just before the wait */
#define TROUBLE_MS 2000 /* after a run that failed */

/* Keeps the connection on which the server tells of mails.  The log says each trouble once, and its end. */
struct service {
	const struct prog_options *o;
	char *url; /* of the store when the service began */
	struct site site;
	bool open;
	int64_t silent;   /* since when the server does not answer; 0: it does */
	struct err *said; /* by the run, a process of its own: the memory is shared */
	struct err known; /* the last trouble of runs */
};

static void close_site(struct service *s)
{
	if (s->open)
		site_close(&s->site);
	s->open = false;
}

/* Without the connection, runs come each minute all the same. */
static int open_site(struct service *s, struct err *e)
{
	if (s->open)
		return 0;
	int rc = site_open_to_look(s->o->dir, &s->site, e);
	s->open = rc == 0;
	if (rc == 0)
		rc = site_wait_store(&s->site, STORE_READ, 0, e);
	if (rc < 0)
		close_site(s);
	return rc;
}

static void sleep_ms(int64_t ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

static void note_silent(struct service *s, const char *text)
{
	if (!s->silent)
		log_error("no PostgreSQL server can be used, so no mail is worked on: %.400s",
		          text);
	s->silent = s->silent ? s->silent : clock_ms();
	close_site(s);
}

/* Can the server be asked?  Of other trouble than its silence the run tells. */
static bool reach(struct service *s)
{
	struct err why = { 0 };

	if (!store_is_on_server())
		return true;
	if (open_site(s, &why) == ERR_TEMP) {
		note_silent(s, why.text);
		return false;
	}
	long long seconds = (long long)(clock_ms() - s->silent) / 1000;
	if (s->silent)
		log_warn("the PostgreSQL server can be used again, after %lld second%s", seconds,
		         seconds == 1 ? "" : "s");
	s->silent = 0;
	return true;
}

/* In a process of its own: its exit code. */
static int run_apart(const struct service *s)
{
	struct run_report r = { 0 };
	struct err e = { 0 };
	int code = run_and_report(s->o->dir, false, &r, &e);

	if (code < 0)
		*s->said = e;
	return code < 0 ? EX_SOFTWARE : code;
}

/* The trouble of a run, if it is another one than that of the run before. */
static void note_run(struct service *s, int code)
{
	struct err e = *s->said;

	*s->said = (struct err){ 0 };
	if (e.code == ERR_TEMP)
		close_site(s);
	if (e.code == ERR_TEMP && !reach(s))
		return;
	if (code == 0 && s->known.code)
		log_warn("the runs succeed again");
	else if (e.code && strcmp(e.text, s->known.text) != 0)
		log_error("a run failed: %s", e.text);
	if (code == 0 || e.code)
		s->known = e;
}

/* The exit code of one run. */
static int run(struct service *s)
{
	pid_t pid = stop_fork();

	if (pid == 0)
		exit(run_apart(s));
	if (pid < 0)
		return EX_TEMPFAIL;
	int status = stop_wait(pid), code = WIFEXITED(status) ? WEXITSTATUS(status) : EX_SOFTWARE;
	if (WIFSIGNALED(status))
		log_error("a run was ended by signal %d", WTERMSIG(status));
	note_run(s, code);
	return code;
}

/* Waits for a mail, for the end of a silence, or for the next run's time. */
static void wait_for_work(struct service *s, int64_t until)
{
	struct err why = { 0 };
	int news = 0;

	while (news == 0 && !stop_is_wanted() && clock_ms() < until) {
		int64_t left = until - clock_ms(), ms = left < SLICE_MS ? left : SLICE_MS;
		bool silent = s->silent;

		if (!reach(s) || !s->open)
			sleep_ms(ms);
		else if (silent)
			return;
		else
			news = store_inbox_wait(s->site.store, (int)ms, &why);
		if (news < 0)
			note_silent(s, why.text);
	}
}

/* The line by which a log tells one machine, and one start, from another. */
static void log_start(struct service *s)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct store_server server;
	char host[256] = "";
	const char *trip = "";

	gethostname(host, sizeof host - 1);
	if (store_is_on_server() && site_wait_store(&s->site, STORE_READ, 0, NULL) == 0 &&
	    store_server_look(s->site.store, &server, NULL) == 0)
		trip = arena_printf(&a, ", %.1f ms away", (double)server.trip / 1000);
	log_info("pbm %s begins to work on the machine %.100s; store %s%s", PROG_VERSION,
	         *s->site.conf.worker ? s->site.conf.worker : host, site_hide_password(&a, s->url),
	         trip);
}

/* The programs for two stores differ. */
static bool has_moved(const struct service *s)
{
	AUTO(site_close) struct site now = { 0 };
	struct err why = { 0 };

	if (site_open_to_look(s->o->dir, &now, &why) < 0)
		return false; /* the run says what is wrong */
	return strcmp(now.conf.store_url, s->url) != 0;
}

int prog_work(const struct prog_options *o, int argc, char **argv)
{
	struct service s = { .o = o };
	struct err e = { 0 };
	bool moved = false;

	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	if (site_open_to_look(o->dir, &s.site, &e) < 0)
		return prog_fail(&e);
	s.said = mmap(NULL, sizeof *s.said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
	              0);
	if (s.said == MAP_FAILED) {
		err_sys(&e, "shared memory");
		return prog_fail(&e);
	}
	s.url = mem_strdup(s.site.conf.store_url);
	s.open = true;
	log_start(&s);
	close_site(&s);
	stop_on_signal();
	while (!stop_is_wanted() && !(moved = has_moved(&s))) {
		int64_t began = clock_ms();

		if (reach(&s)) {
			/* Mails that come during the run must not wait for the next minute. */
			if (s.open)
				store_inbox_wait(s.site.store, 0, NULL);
			if (run(&s) != 0 && !stop_is_wanted())
				sleep_ms(TROUBLE_MS);
		}
		wait_for_work(&s, began + PERIOD_MS);
	}
	close_site(&s);
	free(s.url);
	if (moved)
		log_warn("store in pbm.conf has changed: the service ends, to be started anew");
	return moved ? EX_TEMPFAIL : 0;
}
