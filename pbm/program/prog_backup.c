/* pbm backup, pbm restore. */
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "pbm/program/backup.h"
#include "pbm/program/prog.h"
#include "store/store_upgrade.h"

#define BACKUP_WAIT_MS 300000 /* for another run to finish */

static int lock_site(struct site *s, struct err *e)
{
	return site_wait_store(s, STORE_WRITE, BACKUP_WAIT_MS, e);
}

/* backup --verify FILE */
static int verify(int argc, char **argv)
{
	struct err e = { 0 };
	size_t n = 0;

	if (argc < 3)
		return prog_usage("backup", "the name of the file is missing");
	if (argc > 3)
		return prog_refuse_word(argv, argv[3]);
	if (backup_verify(argv[2], &n, &e) < 0)
		return prog_fail(&e);
	printf("%s is whole: %zu files\n", argv[2], n);
	return 0;
}

int prog_backup(const struct prog_options *o, int argc, char **argv)
{
	struct site s;
	struct err e = { 0 };
	size_t n = 0;

	if (argc > 1 && strcmp(argv[1], "--verify") == 0)
		return verify(argc, argv);
	if (argc > 1 && argv[1][0] == '-')
		return prog_refuse_word(argv, argv[1]);
	if (argc < 2)
		return prog_usage("backup", "the name of the file is missing");
	if (argc > 2)
		return prog_refuse_word(argv, argv[2]);
	if (site_open(o->dir, &s, &e) < 0)
		return prog_fail(&e);
	int rc = backup_write(&s, lock_site, argv[1], &n, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	printf("%zu files in %s.  It holds the site's secret: keep it as safe as the site\n", n,
	       argv[1]);
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

/* The file or folder outside the site's folder that this setting names; NULL: none. */
static const char *outside(const char *name, const char *value)
{
	const char *path = NULL;

	if (begins_with(value, "sendmail:") || begins_with(value, "command:"))
		return "a program that pbm starts";
	if (strcmp(name, "archive-url") == 0 || !*value)
		return NULL;
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
	struct arena a = { 0 };
	bool any = false, mailbox = false;

	if (site_open_to_look(dir, &s, NULL) < 0)
		return;
	for (size_t i = 0; site_setting(i, &set); i++) {
		const char *value = site_setting_value(&s, &a, i), *what = outside(set.name, value);

		if (!what)
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
	arena_release(&a);
	site_close(&s);
}

int prog_restore(const struct prog_options *, int argc, char **argv)
{
	bool unlisted = argc > 1 && strcmp(argv[1], "--without-manifest") == 0;
	int at = unlisted ? 2 : 1, left_out = 0;
	struct err e = { 0 };

	if (argc > at && argv[at][0] == '-')
		return prog_refuse_word(argv, argv[at]);
	if (argc < at + 2)
		return prog_usage("restore", "the %s is missing",
		                  argc < at + 1 ? "backup" : "folder");
	if (argc > at + 2)
		return prog_refuse_word(argv, argv[at + 2]);
	const char *file = argv[at], *dir = argv[at + 1];
	store_before_upgrade(NULL); /* the backup that is restored stays where it is */
	if (backup_restore(file, dir, unlisted, &left_out, &e) < 0)
		return prog_fail(&e);
	printf("%s is a site again.  Next:  pbm -C %s fsck\n"
	       "       pbm -C %s archive   (writes the web pages)\n"
	       "Not in a backup: the files with passwords and certificates that pbm.conf names.\n",
	       dir, dir, dir);
	tell_outside(dir);
	if (left_out)
		printf("%d documents are damaged and left out of the index, the first: %s\n",
		       left_out, e.text);
	return left_out ? EX_DATAERR : 0;
}
