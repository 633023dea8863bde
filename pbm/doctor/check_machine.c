/* The machine: its disk, its clock, its kernel, and cron. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "mail/sandbox/sandbox.h"
#include "pbm/base/clock.h"
#include "pbm/base/libexec.h"
#include "pbm/doctor/check.h"
#include "pbm/people/computer.h"
#include "pbm/run/clock_check.h"
#include "pbm/run/mail_findings.h"
#include "pbm/run/run_numbers.h"
#include "pbm/run/worker.h"
#include "pbm/site/space.h"
#include "store/shared/store_inbox.h"
#include "store/shared/store_server.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_questions.h"

#define RUN_SECONDS (15 * 60)
#define HOUR 3600
#define BOARDS_MAX 200 /* of a computer */
#define MIB (INT64_C(1) << 20)
#define DISK_WARN 10 /* per cent free */
#define DISK_BAD 3
#define DISK_MIB 200
#define FILES_BAD 100
#define TRIP_WARN 2000 /* microseconds */
#define SKEW_WARN 60   /* seconds */
#define SKEW_BAD 300

/* The package has a timer and a line for cron, both for its own site. */
static const char *package_way(const char *dir, const char *program, bool think)
{
	if (strcmp(dir, "/var/lib/pbm") != 0 || strcmp(program, "/usr/bin/pbm") != 0)
		return NULL;
	if (access("/run/systemd/system", F_OK) == 0 &&
	    access("/lib/systemd/system/pbm.timer", F_OK) == 0)
		return think ? "Start the timer: systemctl enable --now pbm-think.timer"
		             : "Start the timer: systemctl enable --now pbm.timer";
	return access("/etc/cron.d/pbm", F_OK) == 0
	               ? "/etc/cron.d/pbm starts it each minute: let cron run"
	               : NULL;
}

/* The line for cron, or the timer, that starts pbm tick or pbm think. */
static const char *way_to_run(struct doctor *d, const char *command)
{
	if (store_is_shared(d->site.store) && strcmp(command, "tick") == 0)
		return "Run pbm work on each machine, as a service: share/systemd/pbm-work.service";
	/* cron begins in another folder, and looks for programs in /usr/bin and /bin alone. */
	char *whole = realpath(d->task->dir, NULL), program[1024];
	const char *dir = whole ? whole : d->task->dir;
	const char *file = libexec_find("pbm", program, sizeof program, NULL) == 0 ? program
	                                                                           : "pbm";
	const char *line = package_way(dir, file, strcmp(command, "think") == 0);

	if (!line)
		line = check_text(
			d,
			"Put into the crontab of the site's owner: * * * * *  %.300s -C %.400s -q %s",
			file, dir, command);
	free(whole);
	return line;
}

static void look_at_runs(struct doctor *d)
{
	bool shared = store_is_shared(d->site.store);
	const char *program = shared ? "pbm work on this machine" : "pbm tick";
	struct stat st;
	int64_t first = 0;

	if (stat(SITE_PATH(&d->site, LAST_RUN_FILE), &st) < 0) {
		check_warn(d, way_to_run(d, "tick"), "%s has not run yet", program);
		return;
	}
	int64_t ago = clock_now() - (int64_t)st.st_mtime;
	if (ago > RUN_SECONDS)
		check_bad(d, way_to_run(d, "tick"), "%s ran last %s ago: %s", program,
		          check_span(d, ago),
		          shared ? "it does none of the work, and its mailbox is not read"
		                 : "no mail is read, and no game ends on time");
	else if (store_value(d->site.store, SIGNS_FILED, &first, NULL) == 0 &&
	         (int64_t)st.st_mtime - first < RUN_SECONDS)
		check_say(
			d, FINDING_SKIP, way_to_run(d, "tick"),
			"%s has run for less than 15 minutes, so nobody knows yet whether it runs each minute",
			shared ? "The site" : program);
}

/* A run can't have been later than now. */
static void look_at_last_run(struct doctor *d)
{
	struct stat st;

	if (stat(SITE_PATH(&d->site, LAST_RUN_FILE), &st) < 0 ||
	    (int64_t)st.st_mtime - clock_now() < SKEW_BAD)
		return;
	check_bad(d, "Let NTP keep the clock right: systemctl enable --now systemd-timesyncd",
	          "The clock has gone back: it says %s, and the last run was at %s",
	          CLOCK_ISO(clock_now()), CLOCK_ISO((int64_t)st.st_mtime));
}

struct behind {
	struct doctor *d;
	struct arena *arena;
	int64_t allowed; /* seconds for a turn */
	size_t computers, late;
};

static int look_at_turn(const struct game_row *row, void *arg)
{
	struct behind *b = arg;
	struct game_doc g;

	if (store_game_get(b->d->site.store, b->arena, row->board, &g, NULL) == 0 &&
	    g.event_count && clock_now() - g.events[g.event_count - 1].at > b->allowed)
		b->late++;
	return 0;
}

static int look_at_computer(const struct player_doc *p, void *arg, struct err *e)
{
	struct behind *b = arg;

	b->computers++;
	b->allowed = p->pace == PACE_HUMAN ? 9 * HOUR : HOUR;
	return store_games(b->d->site.store, p->userid, NULL, GAMES_TO_MOVE, BOARDS_MAX, 0,
	                   look_at_turn, b, e);
}

static void look_at_computers(struct doctor *d)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct behind b = { .d = d, .arena = &a };
	struct err e = { 0 };

	if (computer_each(d->site.store, &a, look_at_computer, &b, &e) < 0)
		check_bad(d, NULL, "%s", e.text);
	else if (!b.computers)
		check_say(d, FINDING_SKIP, NULL, "The site has no computers (pbm computer)");
	else if (b.late)
		check_warn(d, way_to_run(d, "think"),
		           "On %zu boards a computer has been to move for more than an hour",
		           b.late);
}

static void look_at_clock(struct doctor *d)
{
	char own[STORE_OWN_NAME_SIZE];
	int64_t skew = 0, doubt = 0, mails = 0;
	struct err e = { 0 };

	if (store_value(d->site.store, SIGNS_SKEW, &skew, &e) < 0 ||
	    store_value(d->site.store, store_own_name(d->site.store, CLOCK_DOUBT, own), &doubt,
	                &e) < 0 ||
	    run_numbers_taken(d->site.store, &mails, &e) < 0) {
		check_bad(d, NULL, "%s", e.text);
		return;
	}
	look_at_last_run(d);
	if (llabs(skew) >= SKEW_WARN)
		check_say(d, skew >= SKEW_BAD ? FINDING_BAD : FINDING_WARN,
		          "Let NTP keep the clock right: systemctl enable --now systemd-timesyncd",
		          "The clock is %s %s the mail server's, by the newest mail's Received%s",
		          check_span(d, llabs(skew)), skew > 0 ? "behind" : "ahead of",
		          skew < 0 ? "; or that mail had waited so long" : "");
	if (doubt)
		check_warn(
			d,
			"Let NTP keep the clock right; after a day without a jump pbm believes it",
			"The clock jumped, and pbm does not believe it yet");
	else if (!mails && !d->said)
		check_say(d, FINDING_SKIP, NULL,
		          "No mail has come yet to compare the clock with the mail server's");
}

static void look_at_disk(struct doctor *d)
{
	struct statvfs fs;

	if (statvfs(d->task->dir, &fs) < 0) {
		check_bad(d, NULL, "The disk can't be looked at: %s", strerror(errno));
		return;
	}
	int64_t size = (int64_t)fs.f_frsize, mib = (int64_t)fs.f_bavail * size / MIB;
	int64_t all = (int64_t)(fs.f_blocks - fs.f_bfree + fs.f_bavail);
	int64_t percent = all ? (int64_t)fs.f_bavail * 100 / all : 100;
	if (percent < DISK_WARN || mib < DISK_MIB)
		check_say(d, percent < DISK_BAD || mib < DISK_MIB ? FINDING_BAD : FINDING_WARN,
		          "Make room; with less than disk-reserve pbm takes no mail",
		          "The disk has %" PRId64 " MiB left (%" PRId64 "%%)", mib, percent);
	else if (d->has_conf && mib < d->site.conf.disk_reserve)
		check_bad(d, "Make room, or lower disk-reserve in pbm.conf",
		          "The disk has %" PRId64
		          " MiB left, and with less than disk-reserve (%ld) pbm takes no mail",
		          mib, d->site.conf.disk_reserve);
	if (fs.f_files && fs.f_favail < fs.f_files / DISK_WARN / 10)
		check_say(d, fs.f_favail < FILES_BAD ? FINDING_BAD : FINDING_WARN,
		          "Delete files that nobody needs",
		          "The disk has names for %" PRIu64 " files left", (uint64_t)fs.f_favail);
}

static void look_at_quota(struct doctor *d)
{
	int64_t used = d->site.conf.quota ? space_used(d->task->dir) / MIB : 0;

	if (!d->site.conf.quota)
		check_say(d, FINDING_SKIP, NULL, "No quota is set");
	else if (used > d->site.conf.quota)
		check_warn(d, "Delete what nobody needs, or raise quota in pbm.conf",
		           "The site's folder takes %" PRId64 " MiB, and quota allows %ld", used,
		           d->site.conf.quota);
}

static void look_at_kernel(struct doctor *d)
{
	struct mail_sandbox *box = mail_sandbox_new();
	struct err e = { 0 };
	int rc = mail_sandbox_check(box, &e);

	mail_sandbox_stop(box);
	mail_sandbox_free(box);
	if (rc < 0)
		check_say(d, d->site.conf.unfiltered_parser ? FINDING_WARN : FINDING_BAD,
		          "See \"Strangers' mail and your kernel\" in docs/limits.md", "%s",
		          e.text);
}

static void look_at_server(struct doctor *d)
{
	struct store_server server;
	struct err e = { 0 };

	if (!store_is_shared(d->site.store)) {
		check_say(d, FINDING_SKIP, NULL, "The store is in the site's folder");
		return;
	}
	if (store_server_look(d->site.store, &server, &e) < 0) {
		check_bad(d, "Look at the server and at store in pbm.conf",
		          "PostgreSQL doesn't answer: %.400s", e.text);
		return;
	}
	if (!server.writable)
		check_bad(d, "Name all servers in store, with target_session_attrs=read-write",
		          "The PostgreSQL server is a standby: it takes no writes");
	if (llabs(server.skew) > STORE_SKEW)
		check_bad(d, "Set both clocks right: NTP",
		          "This machine's clock is %" PRId64
		          " seconds %s the PostgreSQL server's, so this machine does nothing",
		          (int64_t)llabs(server.skew), server.skew > 0 ? "ahead of" : "behind");
	if (server.trip > TRIP_WARN)
		check_warn(d, "Run pbm near the server",
		           "A question to the PostgreSQL server takes %" PRId64
		           " ms; a mail needs about twenty",
		           server.trip / 1000);
	if (server.copied && server.writable && !server.standbys)
		check_bad(
			d, "Bring the standby back; see \"What to do\" in docs/postgres.md",
			"Commits wait for a standby, and none follows: nothing is answered until one does");
	if (!server.copied)
		check_warn(d, "Set up a standby, and name it in synchronous_standby_names",
		           "What is answered is on one server's disk alone");
	if (!d->said)
		check_say(d, FINDING_OK, NULL,
		          "PostgreSQL is near (%.1f ms), and keeps a second copy",
		          (double)server.trip / 1000);
}

struct workers {
	struct doctor *d;
	struct worker here;
	int64_t now;
	size_t count;
	const char *names;
};

/* Compares another machine with this one. */
static int look_at_worker(const struct worker *w, void *arg)
{
	struct workers *t = arg;
	const struct worker *here = &t->here;
	t->names = t->count++ ? check_text(t->d, "%.500s, %.100s", t->names, w->name)
	                      : check_text(t->d, "%.100s", w->name);
	const char *settings = worker_other_settings(here->conf, w->conf, &t->d->arena);

	if (t->now - w->at > WORKER_SILENT)
		check_warn(
			t->d,
			check_text(
				t->d,
				"Look after it: reminders and deadlines wait three days for a Maildir of its own; "
				"if it is gone for good: pbm machine forget %.100s",
				w->name),
			"The machine %.100s has been silent for %s", w->name,
			check_span(t->d, t->now - w->at));
	/* A change of pbm.conf counts from the next run on. */
	if (strcmp(w->name, store_worker_name(t->d->site.store)) == 0)
		return 0;
	if (strcmp(w->secret, here->secret) != 0)
		check_bad(
			t->d,
			"Copy the file secret from one machine to all others: it signs reply addresses",
			"The machine %.100s has another secret", w->name);
	if (strcmp(w->program, here->program) != 0)
		check_warn(t->d, "Install the same version on all machines",
		           "The machine %.100s works with pbm %.50s, and this one with %s", w->name,
		           w->program, here->program);
	if (settings)
		check_warn(t->d, "Make them the same in pbm.conf on all machines",
		           "The machine %.100s has other settings than this one: %.300s", w->name,
		           settings);
	if (strcmp(w->templates, here->templates) != 0)
		check_warn(t->d, "Copy the folder templates from one machine to all others",
		           "The machine %.100s has other templates than this one", w->name);
	return 0;
}

static void look_at_home(struct doctor *d, const struct site *s)
{
	char own[STORE_OWN_NAME_SIZE];
	int64_t home = 0;
	int rc = store_value(d->site.store, store_own_name(d->site.store, WORKER_HOME, own), &home,
	                     NULL);

	if (rc == 0 && home && home != worker_home(s))
		check_bad(
			d, "Give each folder and host a line worker of its own",
			"The last run under the name %.100s was on another host or in another folder: mails may be sent twice",
			store_worker_name(d->site.store));
}

static void look_at_workers(struct doctor *d)
{
	struct workers t = { .d = d, .now = clock_now() };
	int64_t waiting, oldest, aside, bytes;
	struct err e = { 0 };
	AUTO(arena_release) struct arena a = { 0 };
	struct site s;

	if (!store_is_shared(d->site.store)) {
		check_say(d, FINDING_SKIP, NULL, "The store is in the site's folder");
		return;
	}
	int rc = site_open(d->task->dir, &s, &e); /* with its keys */
	if (rc == 0) {
		worker_sums(&s, &a, &t.here);
		rc = store_workers(d->site.store, t.now - 3 * CLOCK_DAY, look_at_worker, &t, &e);
		look_at_home(d, &s);
		site_close(&s);
	}
	if (rc == 0)
		rc = store_inbox_size(d->site.store, INT64_MIN, &waiting, &oldest, &e);
	if (rc == 0)
		rc = store_aside_size(d->site.store, &aside, &bytes, &e);
	if (rc < 0)
		check_bad(d, NULL, "%.400s", e.text);
	if (rc == 0 && waiting && t.now - oldest > WORKER_SILENT)
		check_bad(d, "Look at the log of pbm work, and whether it runs",
		          "A mail has waited in the inbox for %s", check_span(d, t.now - oldest));
	if (rc == 0 && aside)
		check_warn(d, "pbm inbox lists them with the reasons; retry or drop them",
		           "%" PRId64 " mails that could not be read were put aside", aside);
	if (!d->said && t.count > 1)
		check_say(d, FINDING_OK, NULL, "The machines %s agree, and no mail waits", t.names);
}

const struct check check_machine[] = {
	{ "workers", CHECK_STORE, look_at_workers, "No other machine differs, and no mail waits" },
	{ "server", CHECK_STORE, look_at_server, NULL },
	{ "runs", CHECK_STORE, look_at_runs, "The runs of this machine come regularly" },
	{ "computers", CHECK_STORE, look_at_computers, "The computers have moved" },
	{ "clock", CHECK_STORE, look_at_clock, "The clock agrees with the mail server's" },
	{ "disk", 0, look_at_disk, "There is room on the disk" },
	{ "quota", CHECK_CONF, look_at_quota,
	  "The site's folder takes less room than quota allows" },
	{ "kernel", CHECK_CONF, look_at_kernel, "The kernel protects pbm from what it reads" },
	{ .name = NULL }
};
