/* Questions to confirm.  Commands without a proof are held, and one mail asks the player
 * in whose name they came; the answer "ok" within CONFIRM_DAYS runs them, once.  New
 * addresses are confirmed in the same way. */
#ifndef PBM_COMMANDS_CONFIRM_H
#define PBM_COMMANDS_CONFIRM_H

#include <jansson.h>

#include "pbm/request/request.h"

#define ADDRESSES_A_DAY 10   /* questions about addresses that one sender causes */
#define ADDRESSES_OF_ALL 500 /* ... and that all senders cause in an hour */

/* Holds the lines collected in q->held_lines, if any, and sets q->question. */
int confirm_ask(struct request *q, struct err *e);

/* Asks addrs[i] whether it belongs to userid.  With signup the answer makes the account,
 * with all n addresses and the password hash (or NULL); else the account exists and
 * lists the address.  replaces: the address of the account that the answer removes, or NULL.
 * 1: asked; 0: too many questions already. */
int confirm_address(struct request *q, const char *userid, const char *const *addrs, size_t n,
                    size_t i, bool signup, const char *hash, const char *replaces, struct err *e);

/* A line that changes only the mails of an account that this mail asks to make: it waits for the
 * address to be confirmed, too.  1: it waits; 0: the mail has asked for no account. */
int confirm_address_wish(struct request *q, const char *line, struct err *e);

/* The mail answers a question about an address with ok.  *what: the question's JSON. */
int confirm_address_run(struct request *q, const json_t *what, struct err *e);

/* The mail answers a question with ok: does what was held. */
int confirm_execute(struct request *q, struct err *e);

enum confirm_answer {
	CONFIRM_OK,   /* the question waits for ok */
	CONFIRM_OPEN, /* it also takes commands, for which the answer is the proof */
	CONFIRM_UNDO, /* it waits for undo */
	CONFIRM_GONE  /* there is no such question any more */
};
/* The answer that the question in the mail's token waits for. */
enum confirm_answer confirm_wants(struct request *q);

/* The language of the one whom the question of a signup asks; NULL: not known. */
const char *confirm_language(struct request *q);

/* Did the question that the mail answers go to its From?  The address need not be one of a
 * player: it may be new, or no longer one. */
bool confirm_asked_sender(struct request *q);

/* The answer to a question confirmed nothing: says how, some times for one question, in a mail
 * that can be answered as the question. */
int confirm_ask_again(struct request *q, struct err *e);

/* The commands of this answer to a CONFIRM_OPEN question are proved; the question is
 * used up.  1: they may run; 0: refused. */
int confirm_open(struct request *q, struct err *e);

#endif
