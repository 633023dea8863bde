/* Sub-commands of several acts, as "pbm user role bob …".  The acts of a sub-command are rows of one
 * table; this module finds the row, counts its words, opens the site, and ends the transaction. */
#pragma once

#include "pbm/program/prog.h"
#include "pbm/request/act_record.h"
#include "store/document/document.h"

#define PROG_MANY SIZE_MAX /* words */

struct prog_call {
	const char *command; /* "user" */
	struct request *q;   /* stands for a mail of the operator */
	struct store *store;
	size_t argc; /* the words after the act */
	char **argv;
	/* As far as the row asks for them. */
	struct player_doc p;
	struct act_by by;
};

struct prog_act {
	const char *word, *form; /* "role", "USERID ROLE[,ROLE] WHY…" */
	size_t least, most;
	enum { PROG_NOBODY, PROG_PRESENT, PROG_ANYBODY } whom; /* the account of the first word */
	bool reason; /* is the rest of the line, and must be there */
	bool writes;
	/* MAY be NULL.  Looks at the words before the site is opened: 0, or an exit code with the
	 * reason printed. */
	int (*check)(const struct prog_call *c);
	int (*run)(struct prog_call *c, struct err *e);
};

/* The acts end with a NULL word.  Waits so many seconds for another run to finish. */
int prog_act(const struct prog_options *o, int argc, char **argv, const struct prog_act *acts,
             int seconds);

/* The account of that name, or of the name that it leads on to, if somebody has it. */
int prog_act_find_present(struct prog_call *c, const char *userid, struct player_doc *out,
                          struct err *e);

/* Takes the words from the n-th on as the operator's reason. */
int prog_act_need_reason(struct prog_call *c, size_t n, struct err *e);
