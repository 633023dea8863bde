/* Which mail is being worked on, noted beside the store, so that a run that ends
 * in the middle of one (a fault of ours, a kill) blames it in the next: what
 * ended two runs is put aside.  The note is for the end of a process, not for a
 * power cut; it costs a write a mail and no flush.  Only who has the store open
 * for writing may use it. */
#ifndef PBM_ATTEMPT_H
#define PBM_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "mail/transport.h"
#include "pbm/base/err.h"
#include "pbm/site.h"

#define ATTEMPT_NAME 33 /* bytes of a mail's name, as in quarantine/ */

struct attempt {
	struct site *site;
	int fd;                    /* of the note; -1 before the first mail */
	char blamed[ATTEMPT_NAME]; /* the mail that ended the last run; "" for none */
	int64_t crashes;           /* runs that it ended */
};

/* Looks for what the last run left, and counts it. */
int attempt_open(struct site *site, struct attempt *out, struct err *e);

/* While it isn't known who was to blame each mail has a transaction of its own,
 * so that nobody is blamed for another. */
bool attempt_is_careful(const struct attempt *t);

/* Notes that work on the mail begins.  1: hands off, it ended two runs. */
int attempt_begin(struct attempt *t, const struct mail_raw *raw, struct err *e);

/* The transaction with all mails begun so far is committed. */
int attempt_end(struct attempt *t, struct err *e);

/* Takes the note away: this run has come to its end. */
void attempt_close(struct attempt *t);

/* One more failure of this mail; *count is the number within a month. */
int attempt_count(struct site *site, const char *name, int64_t *count, struct err *e);
void attempt_name(const struct mail_raw *raw, char name[ATTEMPT_NAME]);

#endif
