/* pbm: options, sub-commands, and nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/program/prog.h"

#define VERSION "0.1"

static void print_usage(FILE *out)
{
	fprintf(out,
	        "pbm, games played by mail.  Usage: pbm [-C DIR] [--now TIME] [-q] COMMAND\n\n");
	for (const struct prog *p = progs; p->word; p++)
		fprintf(out, "  pbm %s\n      %s\n", p->usage, p->help);
	fprintf(out,
	        "\nOptions\n"
	        "  -C DIR      the site's folder (else the current one)\n"
	        "  --now TIME  run as if it were TIME, like 2026-12-01T17:00:00Z; for rehearsals\n"
	        "  -q          no log lines but errors\n"
	        "  --version   the version\n"
	        "\nExit codes: 0 done, 64 wrong words, 65 bad data, 70 a fault, 75 try again later,\n            77 not allowed.\n");
}

/* Options in front of the command; returns the command's index or -1. */
static int read_options(int argc, char **argv, struct prog_options *o)
{
	struct err e = { 0 };
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		int64_t t;

		if (strcmp(argv[i], "-C") == 0 && i + 1 < argc) {
			o->dir = argv[++i];
		} else if (strcmp(argv[i], "--now") == 0 && i + 1 < argc) {
			if (clock_read_iso(argv[++i], &t, &e) < 0) {
				prog_fail(&e);
				return -1;
			}
			clock_set(t);
		} else if (strcmp(argv[i], "-q") == 0) {
			log_threshold(LOG_LEVEL_ERROR);
		} else {
			return -1;
		}
	}
	return i < argc ? i : -1;
}

/* Else the next file opened, perhaps the database, would be standard error.  What
 * is read from a standard input that was closed fails as before. */
static void fill_standard_files(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_WRONLY) != fd)
			abort();
}

int main(int argc, char **argv)
{
	struct prog_options o = { .dir = "." };

	fill_standard_files();
	/* No page and no document is ever made of the part that memory sufficed for. */
	json_set_alloc_funcs(mem_alloc, free);
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		puts("pbm " VERSION);
		return 0;
	}
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)) {
		print_usage(stdout);
		return 0;
	}
	int at = read_options(argc, argv, &o);
	if (at < 0) {
		print_usage(stderr);
		return EX_USAGE;
	}
	for (const struct prog *p = progs; p->word; p++) {
		if (strcmp(p->word, argv[at]) != 0)
			continue;
		if (at + 1 < argc && strcmp(argv[at + 1], "--help") == 0) {
			printf("pbm %s\n    %s\n", p->usage, p->help);
			return 0;
		}
		int rc = p->run(&o, argc - at, argv + at);

		if (fflush(stdout) != 0) {
			fprintf(stderr, "pbm: standard output: %s\n", strerror(errno));
			return EX_IOERR;
		}
		return rc;
	}
	fprintf(stderr, "pbm: there is no command \"%s\"; pbm --help lists them\n", argv[at]);
	return EX_USAGE;
}
