/* Takes out the lines of a sender's text that reach nobody and are not stored: those that may
 * hold his password, commands, moves ahead.  The one place for all text that is passed on or
 * kept. */
#pragma once

#include "pbm/commands/words/command.h"

/* Lines that were taken out of a text. */
struct withheld {
	bool message; /* the text is one to a player, and about no board */
	bool note;    /* the text is the writer's own note */
	bool staffs;  /* the text is a moderator's, or for one: a reason */
	bool ahead;
	const char *secrets;  /* the beginnings of lines that may hold a password, or NULL */
	const char *turns;    /* what is said of "1... e5 2. Nf3", which tells a plan; or NULL */
	const char *others;   /* lines that are turns on other boards, "2 e3, 3 e3", or NULL */
	const char *commands; /* the first words of lines that are commands, "note …, show …", or
	                       * NULL */
	size_t command_count;
	const char *server; /* the words of a line that is for the server, "delete my account", or
	                     * NULL */
	const char *own;    /* those of a line that is not for the other player: "don't tell him" */
	bool quoted;        /* they look quoted amid sentences */
	bool below;         /* text stood below a line for a board, and is taken out with it */
	const char *taker;  /* the word of a command whose text went on below it, and is taken out
	                    * with it, or NULL */
};

/* command: the line to which the text belongs.  Then lines that are commands or turns are taken
 * out, too.  Some players write the line in Subject and text: its repetition is taken out silently.  *kept:
 * the text without such lines and without blanks around it, or NULL.  A few words that may be
 * the sender's password are checked (ERR_AGAIN, password.h); if there are more, all of their
 * lines are withheld.  <0: also the store failed. */
int withhold_lines(struct request *q, const char *text, const char *command, const char **kept,
                   struct withheld *w, struct err *e);

/* Adds the line to those of the commands. */
void withhold_name(struct request *q, const char *line, struct withheld *w);

/* Tells the sender, in the answer that is there already, or in a new one. */
void withhold_say(struct request *q, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Tells the sender in the answer about the board, which stays about one board. */
void withhold_tell(struct request *q, const struct withheld *w);

/* Does the text hold the password of p, or perhaps?  1: refuses the line; the answer repeats
 * only its first word. */
int withhold_refuse(struct request *q, const struct player_doc *p, int64_t board, const char *word,
                    const char *text, struct err *e);

/* Does the text of a command that is kept or passed on hold the sender's password?  1: refuses
 * the line. */
int withhold_check(struct request *q, const struct call *c, struct err *e);

/* Says that the text below the line does not go together with it, so that nothing was done. */
struct note *withhold_ask_below(struct request *q, int64_t board, const char *line,
                                const char *below);
