/* Notes for pbm doctor the signs in mails of trouble of the site itself. */
#pragma once

#include "mail/mail.h"
#include "pbm/site/site.h"

/* Values in the store.  SKEW: the seconds by which the mail server's clock, in the topmost
 * Received of the newest mail, is certainly ahead of ours, or (negative) late.  FIELD and
 * NO_FIELD: when a mail came last that had results of the server authserv-id names, and one that
 * had none.  FILED: since when each mail that a run files leaves a seen mark. */
#define SIGNS_SKEW "signs-skew"
#define SIGNS_FIELD "signs-field"
#define SIGNS_NO_FIELD "signs-no-field"
#define SIGNS_FILED "signs-filed"

/* Notes values that have changed, within the transaction. */
void mail_findings_note(struct site *site, const struct mail *m);

/* The time of the last run, as the file SITE/last-run has it. */
#define LAST_RUN_FILE "last-run"

/* Notes that a run begins, and sets site->run.before to the beginning of the run before it (0:
 * none).  Trouble with that stops nothing. */
void mail_findings_run(struct site *site);
