/* Mail that comes back.  A report counts when it arrives at the envelope sender of
 * one of our mails, or names that envelope sender, as complaints do: only the
 * recipient of the mail and the servers on its way know it.  Mail that arrives
 * there is never answered.
 *
 * An address rests when mail to it failed for good on three days of thirty, or for
 * the time being on six.  No mail goes to a resting address until a proved mail
 * comes from it.  Each day counts once, so that one bad hour of a mail server, or
 * many mails at once, are one failure. */
#pragma once

#include "mail/robots/robot.h"
#include "pbm/site/site.h"

struct request;

/* Works on a mail if it is a report about one of our mails: it came to an envelope
 * sender of ours, or complains about a mail of ours.  kind: the class of the mail,
 * which the caller has found out.  1: it was a report; 0: it is another mail; <0:
 * the store failed. */
int bounce_take_report(struct request *q, enum mail_class kind, struct err *e);

/* Counts a mail to rcpt that was given up: our own sink was refused, so there is no report.  why
 * is the mail server's answer; it decides whether the failure counts against the address.  Call
 * it inside the store's transaction. */
int bounce_given_up(struct site *site, const char *rcpt, const char *why, struct err *e);

/* Ends the rest of a proved mail's sender address.  If the address rests because of a complaint,
 * the sender is only told how to end it.  Call it after the commands and before the answers. */
int bounce_wake_address(struct request *q, struct err *e);
