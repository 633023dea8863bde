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
#include "pbm/prog.h"

#define VERSION "0.1"

const struct prog progs[] = {
	{ "init", "init DIR [--host mail.example.org]", "makes a site that works at once",
	  prog_init },
	{ "tick", "-C DIR tick",
	  "one run, for cron: takes the mails, answers them, publishes the archive", prog_tick },
	{ "deliver", "-C DIR deliver",
	  "one mail on standard input, for an MTA's pipe; exit 0 taken, 65 refused, 75 try again",
	  prog_deliver },
	{ "talk", "-C DIR talk USERID",
	  "a prompt: every line is a mail from that player, every mail it causes is shown",
	  prog_talk },
	{ "user", "-C DIR user add USERID ADDRESS… [--role moderator] [--password-stdin]",
	  "a confirmed account", prog_user },
	{ "outbox", "-C DIR outbox [--json]  |  outbox retry [ID…]  |  outbox drop ID…",
	  "the mails that wait to be sent; has them tried in the next run; throws them away",
	  prog_outbox },
	{ "key", "-C DIR key [new | drop NUMBER]",
	  "the keys that sign reply addresses, with their ages; new: another one signs from now on",
	  prog_key },
	{ "audit", "-C DIR audit [--json]", "proofs of identity that were refused, oldest first",
	  prog_audit },
	{ "archive", "-C DIR archive", "writes all archive pages again", prog_archive },
	{ "backup", "-C DIR backup FILE.tar.zst",
	  "the whole site as one archive, also while it runs; "
	  "the ending (.tar, .tar.gz, .tar.zst) says how",
	  prog_backup },
	{ "restore", "restore FILE.tar.zst DIR", "a new site from a backup", prog_restore },
	{ "fsck", "-C DIR fsck [--repair | --accept]",
	  "compares files, database and rules; exit 0 clean, 65 findings", prog_fsck },
	{ "reindex", "-C DIR reindex", "makes the database again from the JSON files",
	  prog_reindex },
	{ "perft", "perft GAME [-options] [--fen FEN] [--divide] DEPTH",
	  "counts the turns at a depth; the last line is \"nodes N\"", prog_perft },
	{ "position", "position GAME [-options] [--fen FEN] [MOVE…]  |  position --batch",
	  "a position as one JSON object; --batch reads one JSON object a line", prog_position },
	{ "pgn", "pgn [--json] [FILE]  |  -C DIR pgn [--json] BOARD",
	  "PGN checked and written again, or a site's game; --json: rows for position --batch",
	  prog_pgn },
	{ "solve", "solve GAME [-options] [--fen FEN] [--nodes N] [--table MIB] [MOVE…]",
	  "proves a position of the losing family won or lost, or says that it could not",
	  prog_solve },
	{ "games", "games", "the games that can be played, with aliases and options", prog_games },
	{ .word = NULL }
};

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

int prog_usage(const char *word)
{
	for (const struct prog *p = progs; p->word; p++)
		if (strcmp(p->word, word) == 0)
			fprintf(stderr, "usage: pbm %s\n       %s\n", p->usage, p->help);
	return EX_USAGE;
}

int prog_fail(const struct err *e)
{
	static const struct {
		enum err_code code;
		int exit;
	} exits[] = {
		{ ERR_BAD, EX_DATAERR },        { ERR_NOT_FOUND, EX_NOINPUT },
		{ ERR_BUSY, EX_TEMPFAIL },      { ERR_TEMP, EX_TEMPFAIL },
		{ ERR_SYSTEM, EX_TEMPFAIL },    { ERR_UNCERTAIN, EX_TEMPFAIL },
		{ ERR_CONFLICT, EX_CANTCREAT }, { ERR_LIMIT, EX_DATAERR },
		{ ERR_DAMAGED, EX_DATAERR },    { ERR_PERM, EX_NOPERM },
	};

	fprintf(stderr, "pbm: %s\n", e->text);
	for (size_t i = 0; i < sizeof exits / sizeof exits[0]; i++)
		if (exits[i].code == e->code)
			return exits[i].exit;
	return EX_SOFTWARE;
}

int prog_open(const struct prog_options *o, enum store_mode mode, int seconds, struct site *out)
{
	struct err e = { 0 };

	if (site_open(o->dir, out, &e) < 0)
		return prog_fail(&e);
	if (site_wait_store(out, mode, seconds * 1000, &e) == 0)
		return 0;
	site_close(out);
	return prog_fail(&e);
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
