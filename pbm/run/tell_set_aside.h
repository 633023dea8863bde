/* Tells the sender of a mail that was set aside unread.  Only a sender with a proof gets an
 * answer; strangers and programs get none. */
#ifndef PBM_RUN_TELL_SET_ASIDE_H
#define PBM_RUN_TELL_SET_ASIDE_H

#include "mail/transport/transport.h"
#include "pbm/site/site.h"

#define SET_ASIDE_A_DAY 5 /* such answers to one player in a day, for each kind of proof */

/* Puts the answer into the outbox, within the store's open transaction.  Reads only the header
 * of the mail.  why: a sentence without its full stop.  1: the sender has a proof and is told,
 * now or by an earlier mail (which says that further mails of the day get no answer); 0: nobody
 * is told; <0: the store failed. */
int tell_set_aside(struct site *site, const struct mail_raw *raw, const char *why, struct err *e);

#endif
