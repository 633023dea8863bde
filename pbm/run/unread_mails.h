/* Mails that a run had to leave at the source: the machine failed on them, or the mail server
 * doesn't give them out.  Such a mail may hold a player's move, so the clocks wait for it, but
 * not without end: anybody can send such mails. */
#ifndef PBM_RUN_UNREAD_MAILS_H
#define PBM_RUN_UNREAD_MAILS_H

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

#define UNREAD_SECONDS (3 * INT64_C(86400)) /* the longest time that the clocks wait */

/* The time of the first of the runs in a row that left mails unread; kept by reindex and backup. */
#define UNREAD_SINCE "clock-unread-since"

/* Notes that the run which began at now left so many mails unread; 0 ends the waiting.  1: the
 * clocks wait; 0: they go on, and if they waited too long the operator is told.  Writes only
 * changes. */
int unread_mails_check(struct site *site, int64_t now, size_t left, struct err *e);

#endif
