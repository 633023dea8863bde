/* The brake on loops of senders whom we know.  A program that answers every mail of ours without
 * saying so in its header sends the same text again and again, or always new texts that are no
 * command.  So after some answers with nothing but refusals or pages, such mails get none.  A
 * mail that does something is always answered, and ends the silence; a person can play on at any
 * time.  A mail that changes the sender's settings and notes alone is counted with those that read.  Mails without a proof, and those whose reply address plays on no running board, have
 * counts of their own: such an address may have been passed on. */
#pragma once

#include <stddef.h>

#include "pbm/request/request.h"

#define REPLY_LIMITS_SAME_A_DAY                                                                    \
	2                       /* answers to the same refused text in the same state of a board */
#define REPLY_LIMITS_AN_HOUR 10 /* refusals about one board, or without a board */
#define REPLY_LIMITS_A_DAY 20
#define REPLY_LIMITS_ALL_AN_HOUR 20 /* refusals to one player about all boards */

#define REPLY_LIMITS_READING_SAME_AN_HOUR 10 /* the same reading commands: show, help … */
#define REPLY_LIMITS_READING_AN_HOUR 40
#define REPLY_LIMITS_READING_A_DAY 150

#define REPLY_LIMITS_LAST_SAME 2
#define REPLY_LIMITS_LAST_REFUSAL 3
#define REPLY_LIMITS_LAST_READING 4
#define REPLY_LIMITS_LAST_OF_DAY 5

/* Counts the answer that these notes to the sender make.  1: send it; REPLY_LIMITS_LAST_SAME: send it,
 * and say that it is the last one to this text today; REPLY_LIMITS_LAST_REFUSAL: ... the last refusal
 * for a while; REPLY_LIMITS_LAST_OF_DAY: ... of the day; REPLY_LIMITS_LAST_READING: ... the last
 * answer of an hour to what only reads or notes; 0: send none. */
int reply_limits_check(struct request *q, const struct note *const *notes, size_t n, struct err *e);
