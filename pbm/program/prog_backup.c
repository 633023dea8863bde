/* pbm backup, pbm restore, pbm migrate. */
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/program/backup.h"
#include "pbm/program/prog.h"
#include "pbm/site/site.h"
#include "store/check/store_migrate.h"
#include "store/store_upgrade.h"

#define BACKUP_WAIT_MS 300000 /* for another run to finish */

static int lock_site(struct site *s, struct err *e)
{
	return site_wait_store(s, STORE_WRITE, BACKUP_WAIT_MS, e);
}

static int verify(const char *file)
{
	struct err e = { 0 };
	size_t n = 0;

	if (backup_verify(file, &n, &e) < 0)
		return prog_fail(&e);
	printf("%s is whole: %zu files\n", file, n);
	return 0;
}

int prog_backup(const struct prog_options *o, int argc, char **argv)
{
	const char *file = "";
	bool only_verify = false;
	const struct prog_word words[] = { { "the name of the file", .text = &file },
		                           { "--verify", .flag = &only_verify },
		                           { .name = NULL } };
	struct site s;
	struct err e = { 0 };
	size_t n = 0;
	int code = prog_read(argc, argv, words);

	if (code || only_verify)
		return code ? code : verify(file);
	if (site_open(o->dir, &s, &e) < 0)
		return prog_fail(&e);
	int rc = backup_write(&s, lock_site, file, &n, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	printf("%zu files in %s.  It holds the site's secret: keep it as safe as the site\n", n,
	       file);
	return 0;
}

/* still FILE */
int prog_still(const struct prog_options *o, int argc, char **argv)
{
	struct err e = { 0 };
	size_t n = 0;

	if (argc != 2)
		return EX_USAGE;
	return backup_write_still(o->dir, argv[1], &n, &e) < 0 ? prog_fail(&e) : 0;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n >= k && strcmp(s + n - k, end) == 0;
}

static bool begins_with(const char *s, const char *word)
{
	return strncmp(s, word, strlen(word)) == 0;
}

/* The kind of thing outside the site's folder that this setting names; NULL: none. */
static const char *outside(const char *name, const char *value)
{
	const char *path = NULL;

	if (begins_with(value, "sendmail:") || begins_with(value, "command:") ||
	    begins_with(name, "engine-"))
		return "a program that pbm starts";
	if (strstr(value, "://") || strcmp(name, "resolver") == 0)
		return "a server that pbm talks to";
	if (begins_with(value, "maildir:") || begins_with(value, "file:"))
		path = strchr(value, ':') + 1;
	else if (strcmp(name, "archive-dir") == 0 || ends_with(name, "-ca"))
		path = value;
	return path && (*path == '/' || strstr(path, "..")) ? "outside of the site's folder" : NULL;
}

/* A backup may come from anybody, so its words must not speak to the terminal. */
static void print_plain(const char *text)
{
	for (; *text; text++)
		putchar((unsigned char)*text < ' ' || *text == 127 ? '?' : *text);
}

/* The next run starts, asks and writes what the backup's pbm.conf names. */
static void tell_outside(const char *dir)
{
	struct site s;
	struct site_setting set;
	AUTO(arena_release) struct arena a = { 0 };
	bool any = false, mailbox = false;
	struct err e = { 0 };

	if (site_open_to_look(dir, &s, &e) < 0) {
		printf("Nobody knows what its pbm.conf names: read it before the first run.  ");
		print_plain(e.text);
		putchar('\n');
		return;
	}
	for (size_t i = 0; site_setting(i, &set); i++) {
		const char *value = site_setting_value(&s, &a, i), *what = outside(set.name, value);

		if (!what || !*value || strcmp(set.name, "archive-url") == 0)
			continue;
		if (!any)
			printf("Its pbm.conf names these.  Read them before the first run:\n");
		any = true;
		mailbox |= strcmp(set.name, "source") == 0;
		printf("  %s = ", set.name);
		print_plain(value);
		printf("   (%s)\n", what);
	}
	if (mailbox)
		printf("If the old site still runs, both read the mailbox of source, and each loses "
		       "the mails that the other takes: stop the old one first, or change source.\n");
	site_close(&s);
}

int prog_restore(const struct prog_options *, int argc, char **argv)
{
	const char *file = NULL, *dir = NULL;
	bool unlisted = false, was_server = false;
	const struct prog_word words[] = { { "the backup", .text = &file },
		                           { "the folder", .text = &dir },
		                           { "--without-manifest", .flag = &unlisted },
		                           { .name = NULL } };
	int left_out = 0, code = prog_read(argc, argv, words);
	struct err e = { 0 };

	if (code)
		return code;
	store_before_upgrade(NULL); /* the backup that is restored stays where it is */
	if (backup_restore(file, dir, unlisted, &left_out, &was_server, &e) < 0)
		return prog_fail(&e);
	printf("%s is a site again.  Next:  pbm -C %s fsck\n"
	       "       pbm -C %s archive   (writes the web pages)\n"
	       "Not in a backup: the files with passwords and certificates that pbm.conf names.\n",
	       dir, dir, dir);
	if (was_server)
		printf("The backup is of a store on PostgreSQL; the new site has its own in the "
		       "folder.  To move it to a server:  pbm -C %s migrate postgresql://...\n",
		       dir);
	tell_outside(dir);
	if (left_out)
		printf("%d documents are damaged and left out of the index, the first: %s\n",
		       left_out, e.text);
	return left_out ? EX_DATAERR : 0;
}

static void show_progress(int64_t done, int64_t total, void *)
{
	if (isatty(STDERR_FILENO) && (done % 1000 == 0 || done == total))
		fprintf(stderr, "\r%lld of %lld documents%s", (long long)done, (long long)total,
		        done == total ? "\n" : "");
}

static int use_store(void *arg, struct err *e)
{
	const struct migration *m = arg;
	int rc = site_set_store(m->dir, "pbm.conf", m->url, e);

	return rc < 0 ? rc : 0;
}

/* migrate URL */
int prog_migrate(const struct prog_options *o, int argc, char **argv)
{
	struct migration m = {
		.dir = o->dir, .progress = show_progress, .use = use_store, .arg = &m
	};
	const struct prog_word words[] = {
		{ "the store, postgresql://... or sqlite:,", .text = &m.url }, { .name = NULL }
	};
	struct err e = { 0 };
	int64_t count = 0;
	struct site s;
	int code = prog_read(argc, argv, words);

	if (code)
		return code;
	if (site_open(o->dir, &s, &e) < 0)
		return prog_fail(&e);
	site_close(&s);
	int64_t until = clock_ms() + BACKUP_WAIT_MS;
	int rc;
	do {
		err_clear(&e);
		rc = store_migrate(&m, &count, &e);
	} while (site_is_busy(rc, until));
	if (rc < 0)
		return prog_fail(&e);
	printf("%lld documents moved; pbm.conf says store = %s now.  The old store is as it was: "
	       "look at the site with pbm fsck before you delete it.\n"
	       "%s\n",
	       (long long)count, m.url,
	       strcmp(m.url, "sqlite:") == 0
	               ? "Files belong to one machine: no other one may go on."
	               : "If the site has other machines, write the same line store into the pbm.conf "
	                 "of each; each keeps its own line worker.");
	return 0;
}
