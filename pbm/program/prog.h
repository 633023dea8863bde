/* The program's sub-commands.  Exit codes are those of sysexits.h: 0 done, 64
 * wrong words, 65 bad data, 69 unavailable, 70 a fault of ours, 75 try again, 77 not
 * allowed. */
#ifndef PBM_PROGRAM_PROG_H
#define PBM_PROGRAM_PROG_H

#include <stdbool.h>

#include "pbm/base/err.h"
#include "pbm/run/run.h"
#include "pbm/site/site.h"

/* Options in front of the sub-command. */
struct prog_options {
	const char *dir; /* -C DIR, "." */
};

struct prog {
	const char *word;
	const char *usage; /* behind "pbm " */
	const char *help;  /* a line, or several */
	int (*run)(const struct prog_options *o, int argc, char **argv);
};

extern const struct prog progs[]; /* ends with a NULL word */

/* prog_site.c */
int prog_init(const struct prog_options *o, int argc, char **argv);
int prog_tick(const struct prog_options *o, int argc, char **argv);
int prog_archive(const struct prog_options *o, int argc, char **argv);
int prog_fsck(const struct prog_options *o, int argc, char **argv);
int prog_reindex(const struct prog_options *o, int argc, char **argv);
int prog_user(const struct prog_options *o, int argc, char **argv);
/* prog_backup.c */
int prog_backup(const struct prog_options *o, int argc, char **argv);
int prog_restore(const struct prog_options *o, int argc, char **argv);
/* prog_deliver.c */
int prog_deliver(const struct prog_options *o, int argc, char **argv);
/* prog_outbox.c */
int prog_outbox(const struct prog_options *o, int argc, char **argv);
/* prog_key.c, prog_audit.c */
int prog_key(const struct prog_options *o, int argc, char **argv);
int prog_audit(const struct prog_options *o, int argc, char **argv);
/* talk.c */
int prog_talk(const struct prog_options *o, int argc, char **argv);
/* prog_games.c */
int prog_perft(const struct prog_options *o, int argc, char **argv);
int prog_position(const struct prog_options *o, int argc, char **argv);
int prog_games(const struct prog_options *o, int argc, char **argv);
/* prog_solve.c */
int prog_solve(const struct prog_options *o, int argc, char **argv);
/* prog_pgn.c */
int prog_pgn(const struct prog_options *o, int argc, char **argv);

/* "pbm: text" to stderr; the exit code that fits the error. */
int prog_fail(const struct err *e);
int prog_usage(const char *word);

/* Opens the site in o->dir with its store, waiting up to `seconds` for another
 * writer.  0, or an exit code with the message printed. */
int prog_open(const struct prog_options *o, enum store_mode mode, int seconds, struct site *out);

/* run_once() with the site's own sink. */
int prog_take(struct site *s, struct mail_source *source, unsigned flags, struct run_report *r,
              struct err *e);

#endif
