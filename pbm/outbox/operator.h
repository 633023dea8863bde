/* Mails to the operator about trouble.  They are limited to a few a day, whatever a
 * flood of mails or a dead server causes; the log names every case. */
#pragma once

#include "pbm/base/err.h"
#include "pbm/site/site.h"

#define OPERATOR_MAILS_A_DAY 50 /* of all keys together */

/* Puts a mail to the operator into the outbox, within the store's open transaction, at the first
 * call with this key in a day, and again, with the number of calls, at the 10th, 100th, 1000th …
 * call.  The day begins with the first call.  key is short and names the trouble ("quarantine",
 * "smtp alice@example.org"); subject is a few words, text one or more sentences; both may hold a
 * mail's words.  Nothing is sent when pbm.conf names no operator.  Trouble with the operator's
 * own address must not be told this way.  0, also when nothing was due; <0: the store failed. */
int operator_tell(struct site *site, const char *key, const char *subject, const char *text,
                  struct err *e);

/* The same, in a transaction of its own. */
int operator_tell_now(struct site *site, const char *key, const char *subject, const char *text,
                      struct err *e);
