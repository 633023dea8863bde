/* Questions to confirm.  Commands without a proof are held, and a mail asks the player in whose
 * name they came; the answer "ok" within CONFIRM_DAYS runs them, once.  New addresses are
 * confirmed in the same way. */
#pragma once

#include <jansson.h>

#include "pbm/request/request.h"

/* Holds the lines collected in q->held.lines, if any, and sets q->held.id. */
int confirm_ask(struct request *q, struct err *e);

/* The mail answers a question about an address with ok.  *what: the question's JSON. */
int confirm_address_run(struct request *q, const json_t *what, struct err *e);

/* Runs the held lines after the answer ok. */
int confirm_execute(struct request *q, struct err *e);

enum confirm_answer {
	CONFIRM_OK,   /* the question waits for ok */
	CONFIRM_OPEN, /* it also takes commands, for which the answer is the proof */
	CONFIRM_UNDO, /* it waits for undo */
	CONFIRM_GONE  /* there is no such question any more */
};
/* The answer that the question in the mail's token waits for. */
enum confirm_answer confirm_wants(struct request *q);

/* Did the question that the mail answers go to its From?  The address need not be one of a
 * player: it may be new, or no longer one. */
bool confirm_asked_sender(struct request *q);

/* Ends the question after a no: an ok does nothing any more. */
int confirm_drop(struct request *q, struct err *e);

/* Does one of the first sentences say "undo", "please undo it" or "that was not me"? */
bool confirm_says_undo(struct request *q, const char *text);

/* Says how to take a change of the account back, after an answer that did not. */
void confirm_offer_undo(struct request *q);

/* Asks again after an answer that confirmed nothing: says how to answer, some times for a
 * question.  Its mail can be answered as the question. */
int confirm_ask_again(struct request *q, struct err *e);

/* Proves the commands of this answer to a CONFIRM_OPEN question, and ends the question.  1: they
 * may run; 0: refused. */
int confirm_open(struct request *q, struct err *e);
