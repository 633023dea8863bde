/* Reads the options, finds the sub-command and runs it, here or as another program. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/err.h"
#include "pbm/base/io.h"
#include "pbm/base/libexec.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/commands/command_list.h"
#include "pbm/program/prog.h"
#include "pbm/site/site.h"
#include "store/store_upgrade.h"

/* One option that takes a value: -1 when it has none. */
static int read_value(int argc, char **argv, int *i, const char *example, const char **out)
{
	if (*i + 1 < argc && *argv[*i + 1]) {
		*out = argv[++*i];
		return 0;
	}
	fprintf(stderr, "pbm: %s needs a value: %s\n", argv[*i], example);
	return -1;
}

/* Options in front of the command; returns the command's index, or -1 when the
 * command line was refused. */
static int read_options(int argc, char **argv, struct prog_options *o)
{
	struct err e = { 0 };
	int i = 1;

	for (; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--help") != 0; i++) {
		const char *time;
		int64_t t;

		if (strcmp(argv[i], "-C") == 0) {
			if (read_value(argc, argv, &i, "pbm -C DIR COMMAND", &o->dir) < 0)
				return -1;
		} else if (strcmp(argv[i], "--now") == 0) {
			if (read_value(argc, argv, &i, "pbm --now 2026-12-01T17:00:00Z COMMAND",
			               &time) < 0)
				return -1;
			if (clock_read_iso(time, &t, &e) < 0) {
				prog_fail(&e);
				return -1;
			}
			clock_set(t);
		} else if (strcmp(argv[i], "-q") == 0) {
			log_threshold(LOG_LEVEL_ERROR);
		} else {
			fprintf(stderr, "pbm: there is no option %s; pbm --help lists them\n",
			        argv[i]);
			return -1;
		}
	}
	if (i < argc)
		return i;
	fprintf(stderr, "pbm: no command is given; pbm --help lists them\n");
	return -1;
}

/* All words of the command line are for the other program, too. */
static int run_elsewhere(const struct prog *p, char **argv)
{
	struct err e = { 0 };

	libexec_become(p->program, argv, &e);
	return prog_fail(&e);
}

/* words: the sub-command and what follows it in argv. */
static int run_command(const struct prog_run *runs, const struct prog_options *o, int n,
                       char **words, char **argv)
{
	const struct prog *p = prog_find(words[0]);

	if (strcmp(words[0], "help") == 0 || strcmp(words[0], "--help") == 0)
		return prog_help(n > 1 ? words[1] : NULL);
	if (p && n > 1 && strcmp(words[1], "--help") == 0)
		return prog_help(words[0]);
	for (; runs->word; runs++)
		if (strcmp(runs->word, words[0]) == 0)
			return runs->run(o, n, words);
	return p && p->program ? run_elsewhere(p, argv) : prog_help(words[0]);
}

/* Opens the null device for each standard file that was closed.  Otherwise the next
 * file opened, perhaps the database, would become standard error.  It is opened for
 * writing only, so reading a closed standard input still fails. */
static void fill_standard_files(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_WRONLY) != fd)
			abort();
}

static bool is_wanted(const char *dir)
{
	AUTO(site_close) struct site s = { 0 };

	/* A pbm.conf that can't be read does not say no. */
	if (site_open_to_look(dir, &s, NULL) < 0)
		return true;
	return s.conf.upgrade_backup;
}

/* "/srv/pbm-version-8-20261201T100000Z.tar.zst", or the same in /srv/pbm. */
static int name_backup(const char *dir, int64_t found, char *path, size_t size, struct err *e)
{
	char *whole = realpath(dir, NULL), when[CLOCK_ISO_SIZE], digits[CLOCK_ISO_SIZE] = "";

	if (!whole)
		return err_sys(e, "%s", dir);
	clock_write_iso(clock_now(), when);
	for (const char *p = when; *p; p++)
		if (*p != '-' && *p != ':')
			digits[strlen(digits)] = *p;
	char *slash = strrchr(whole, '/');
	*slash = '\0';
	bool beside = slash[1] && access(*whole ? whole : "/", W_OK) == 0;
	snprintf(path, size, "%.400s/%.200s%sversion-%lld-%s.tar.zst", whole, slash + 1,
	         beside ? "-" : "/", (long long)found, digits);
	free(whole);
	return 0;
}

/* Deletes what a killed upgrade from this version has left of its backup: it has the site's
 * secret, and nobody would look for it. */
static void remove_torn(const char *path)
{
	const char *slash = strrchr(path, '/'), *dash = strrchr(path, '-');
	size_t n = (size_t)(dash - slash); /* "pbm-version-8-" */
	const struct dirent *entry;

	AUTO(io_close_dir) DIR *dir = opendir(PRINTED(800, "%.*s", (int)(slash - path) + 1, path));
	while (dir && (entry = readdir(dir))) {
		const char *ending = strrchr(entry->d_name, '.');

		if (strncmp(entry->d_name, slash + 1, n) == 0 && ending &&
		    strcmp(ending, ".tmp") == 0 && strstr(entry->d_name, ".tar.zst."))
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
}

/* For store_before_upgrade(): writes the backup beside the site's folder or, where pbm may not
 * write there, into it; nothing if upgrade-backup is no.  The log says where it is. */
static int upgrade_save(const char *dir, int64_t found, int64_t known, struct err *e)
{
	char path[800];
	struct err why = { 0 };
	char *const still[] = { (char[]){ "pbm" },
		                (char[]){ "-C" },
		                (char *)(uintptr_t)dir,
		                (char[]){ "still" },
		                path,
		                NULL };

	if (!is_wanted(dir))
		return 0;
	int rc = name_backup(dir, found, path, sizeof path, &why);
	if (rc == 0)
		rc = libexec_run("pbm-backup", still, &why);
	if (rc == 0)
		remove_torn(path);
	if (rc < 0)
		return err_set(
			e, ERR_TEMP,
			"pbm.db is of version %lld; nothing is done before a backup is written, and "
			"that fails: %.200s.  Mend that, or run pbm upgrade --no-backup",
			(long long)found, why.text);
	log_warn(
		"the site's layout is brought from version %lld to %lld; the backup before that is %s",
		(long long)found, (long long)known, path);
	return 0;
}

int prog_main(int argc, char **argv, const struct prog_run *runs)
{
	struct prog_options o = { .dir = "." };

	fill_standard_files();
	libexec_remember(argv);
	/* Out of memory, the process ends: no half-made document or page is written. */
	json_set_alloc_funcs(mem_alloc, free);
	command_use(command_list);
	store_before_upgrade(upgrade_save);
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		puts("pbm " PROG_VERSION);
		return 0;
	}
	if (argc < 2) {
		prog_list(stderr);
		return EX_USAGE;
	}
	int at = read_options(argc, argv, &o);
	if (at < 0)
		return EX_USAGE;
	int rc = run_command(runs, &o, argc - at, argv + at, argv);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "pbm: standard output: %s\n", strerror(errno));
		return EX_IOERR;
	}
	return rc;
}
