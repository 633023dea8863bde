/* The program's sub-commands, and what they share: complaints about the command
 * line, exit codes (those of sysexits.h), opening a site. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pbm/base/err.h"
#include "pbm/base/libexec.h"
#include "pbm/run/run.h"
#include "store/store.h"

struct site;

#define PROG_VERSION LIBEXEC_VERSION

/* Options in front of the sub-command. */
struct prog_options {
	const char *dir; /* -C DIR, "." */
};

#define PROG_OR "  |  " /* between the alternatives of a usage */

struct prog {
	const char *word;
	const char *group;   /* the rows of a group stand together */
	const char *program; /* the one of libexec/pbm that runs it; NULL: pbm itself */
	const char *brief;   /* its line in the list; NULL: only the word stands there */
	const char *usage;   /* after "pbm " */
	const char *help;    /* clauses with "; " between them */
};

extern const struct prog progs[]; /* ends with a NULL word */

/* The sub-commands that one program runs; ends with a NULL word. */
struct prog_run {
	const char *word;
	int (*run)(const struct prog_options *o, int argc, char **argv);
};

/* prog_main.c: main() of a program with these sub-commands.  The others are run by another. */
int prog_main(int argc, char **argv, const struct prog_run *runs);

/* Options that may stand in front of the sub-command; ends with a NULL usage. */
extern const struct prog_option {
	const char *usage, *help;
} prog_option_list[];

/* Every exit code that the program uses, with its meaning; ends with a NULL meaning. */
extern const struct prog_exit {
	int code;
	const char *meaning;
} prog_exits[];

/* prog_site.c */
int prog_init(const struct prog_options *o, int argc, char **argv);
int prog_archive(const struct prog_options *o, int argc, char **argv);
int prog_fsck(const struct prog_options *o, int argc, char **argv);
int prog_reindex(const struct prog_options *o, int argc, char **argv);
int prog_ratings(const struct prog_options *o, int argc, char **argv);
int prog_upgrade(const struct prog_options *o, int argc, char **argv);
/* prog_user.c */
int prog_user(const struct prog_options *o, int argc, char **argv);
/* prog_backup.c */
int prog_backup(const struct prog_options *o, int argc, char **argv);
int prog_restore(const struct prog_options *o, int argc, char **argv);
int prog_migrate(const struct prog_options *o, int argc, char **argv);
/* For upgrades: a backup of a folder in which nobody writes. */
int prog_still(const struct prog_options *o, int argc, char **argv);
/* prog_deliver.c */
int prog_deliver(const struct prog_options *o, int argc, char **argv);
/* prog_outbox.c */
int prog_outbox(const struct prog_options *o, int argc, char **argv);
int prog_inbox(const struct prog_options *o, int argc, char **argv);
/* Prints a line of JSON and drops the object; 0. */
struct json_t;
int prog_print_json(struct json_t *o);

/* prog_key.c */
int prog_key(const struct prog_options *o, int argc, char **argv);
/* prog_records.c */
int prog_acts(const struct prog_options *o, int argc, char **argv);
int prog_audit(const struct prog_options *o, int argc, char **argv);
/* prog_tick.c */
int prog_work(const struct prog_options *o, int argc, char **argv);
int prog_tick(const struct prog_options *o, int argc, char **argv);
/* prog_computer.c */
int prog_think(const struct prog_options *o, int argc, char **argv);
int prog_computer(const struct prog_options *o, int argc, char **argv);
/* Makes robot1 to robot6, which play every game, each at the level of its number. */
int prog_computer_make_all(const char *dir, struct err *e);
/* prog_config.c, prog_doctor.c */
int prog_config(const struct prog_options *o, int argc, char **argv);
int prog_doctor(const struct prog_options *o, int argc, char **argv);

/* prog_tournament.c */
int prog_tournament(const struct prog_options *o, int argc, char **argv);
/* prog_machine.c */
int prog_machine(const struct prog_options *o, int argc, char **argv);
/* *out: an array with an object for each machine that shares the store, by name. */
int prog_machines(struct store *s, struct json_t **out, struct err *e);
void prog_print_machine(const struct json_t *machine);
/* prog_stats.c */
int prog_stats(const struct prog_options *o, int argc, char **argv);
/* prog_talk.c */
int prog_talk(const struct prog_options *o, int argc, char **argv);
/* prog_perft.c, prog_position.c */
int prog_perft(const struct prog_options *o, int argc, char **argv);
int prog_position(const struct prog_options *o, int argc, char **argv);
/* prog_help.c: the list of all commands, at most a screen; and help [COMMAND | options]. */
void prog_list(FILE *out);
int prog_help(const char *word);
/* prog_manual.c */
int prog_manual(const struct prog_options *o, int argc, char **argv);
int prog_games(const struct prog_options *o, int argc, char **argv);
/* prog_solve.c */
int prog_solve(const struct prog_options *o, int argc, char **argv);
/* prog_uci.c */
int prog_uci(const struct prog_options *o, int argc, char **argv);
/* prog_pgn.c */
int prog_pgn(const struct prog_options *o, int argc, char **argv);
int prog_import(const struct prog_options *o, int argc, char **argv);
int prog_export(const struct prog_options *o, int argc, char **argv);

/* The sub-command of that name, or NULL. */
const struct prog *prog_find(const char *word);

/* Reads a file, or standard input where file is NULL, into *text, which the caller frees. */
int prog_read_input(const char *file, size_t max, char **text, struct err *e);

/* "pbm: text" to stderr; the exit code that fits the error. */
int prog_fail(const struct err *e);

/* One line to stderr: what is wrong with the words after the sub-command, and its usage.
 * Returns EX_USAGE. */
int prog_usage(const char *word, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "pbm: there is no command "COMMAND typed"", and the nearest word of the rows (see word_nearest(); the
 * last one has none), or what lists them.  Returns EX_USAGE. */
int prog_refuse_unknown(const char *command, const char *typed, const void *rows, size_t size);

/* prog_usage() about a word that the sub-command argv[0] can't use. */
int prog_refuse_word(char **argv, const char *word);

/* A word that may follow a sub-command.  An option has one of flag, text and number, and a text
 * also says what it needs: "a name after it".  A name that is no option names a word that must be there:
 * "the folder".  The row with the name NULL ends the table. */
struct prog_word {
	const char *name;
	bool *flag;
	const char **text, *needs;
	uint64_t *number, least, most;
};

/* Reads the words after argv[0].  0, or EX_USAGE with the reason printed. */
int prog_read(int argc, char **argv, const struct prog_word *table);

/* The row of an option, NULL: there is none; and its value, if it has one, at argv[*i + 1]. */
const struct prog_word *prog_option_find(const struct prog_word *table, const char *word);
int prog_option_read(int argc, char **argv, int *i, const struct prog_word *option);

/* Reads a decimal number from least to most, digits alone.  ERR_BAD names what it is
 * ("--nodes") and the range; text may be NULL: the number is missing. */
int prog_number(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *out,
                struct err *e);

/* Opens the site in o->dir with its store, waiting up to `seconds` for another
 * writer.  For STORE_READ with site_open_to_look().  0, or an exit code with the message printed. */
int prog_open(const struct prog_options *o, enum store_mode mode, int seconds, struct site *out);

/* Closes it; the exit code of what was done there, with the message of an error printed. */
int prog_close(struct site *s, int rc, const struct err *e);

/* For sub-commands whose only word may be --json: opens the site, and prints what is there. */
int prog_print(const struct prog_options *o, int argc, char **argv,
               int (*print)(struct site *s, bool json, struct err *e));

/* A request that stands for a mail of the operator, in the arena. */
struct request *prog_request(struct site *s, struct arena *a);

/* For sub-commands that have strangers' mail read (pbm/base/child_zygote.h), before they open or
 * read anything: hides the memory of this process from those who read it. */
void prog_begin_reading(void);

/* One run, as pbm tick does it.  Returns 0, ERR_BUSY when another run is at work, or <0. */
int prog_run_site(const char *dir, struct run_report *r, struct err *e);

/* run_once() with the site's own sink.  Returns 0 or <0. */
int prog_run_mails(struct site *s, struct mail_source *source, unsigned flags, struct run_report *r,
                   struct err *e);
