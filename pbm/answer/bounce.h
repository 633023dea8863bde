/* Mail that comes back.  A report counts when it arrives at the envelope sender
 * that one of our mails had (or names it, as complaints do): only who got that
 * mail, or had to deliver it, knows it.  Nothing that arrives there is ever
 * answered.  An address whose mail comes back for good on three days of thirty
 * (for the time being, on six) rests: nothing more goes there until a proved
 * mail comes from it.  A day counts once, so that one bad hour of a mail server,
 * or a heap of mails, is one failure. */
#ifndef PBM_ANSWER_BOUNCE_H
#define PBM_ANSWER_BOUNCE_H

#include "mail/robots/robot.h"
#include "pbm/request/request.h"

/* 1: the mail came to an envelope sender of ours, or complains about a mail of
 * ours, and was worked on; 0: it is something else; <0: the store failed.  What
 * kind of mail it is the caller has found out. */
int bounce_take(struct request *q, enum mail_class kind, struct err *e);

/* A mail to rcpt was given up; why is what the server said, and says whether that
 * speaks against the address.  Inside the store's transaction. */
int bounce_hard(struct site *site, const char *rcpt, const char *why, struct err *e);

/* A proved mail wakes the address it came from; one that rests because of a
 * complaint is told how it wakes.  After the commands, before the answers. */
int bounce_wake(struct request *q, struct err *e);

#endif
