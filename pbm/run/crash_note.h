/* Which mail is being worked on, noted beside the store, so that a run that ends
 * in the middle of one (a fault of ours, a kill) blames it in the next: what
 * ended two runs is put aside.  The note is for the end of a process, not for a
 * power cut; it costs a write a mail and no flush.  Only who has the store open
 * for writing may use it. */
#ifndef PBM_RUN_CRASH_NOTE_H
#define PBM_RUN_CRASH_NOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "mail/transport/transport.h"
#include "pbm/base/err.h"
#include "pbm/site/site.h"

#define CRASH_NOTE_NAME 33 /* bytes of a mail's name, as in quarantine/ */

struct crash_note {
	struct site *site;
	int fd;                       /* of the note; -1 before the first mail */
	char blamed[CRASH_NOTE_NAME]; /* the mail that ended the last run; "" for none */
	int64_t crashes;              /* runs that it ended */
};

/* Looks for what the last run left, and counts it. */
int crash_note_open(struct site *site, struct crash_note *out, struct err *e);

/* While it isn't known who was to blame each mail has a transaction of its own,
 * so that nobody is blamed for another. */
bool crash_note_is_careful(const struct crash_note *t);

/* Notes that work on the mail begins.  1: hands off, it ended two runs. */
int crash_note_begin(struct crash_note *t, const struct mail_raw *raw, struct err *e);

/* The transaction with all mails begun so far is committed. */
int crash_note_end(struct crash_note *t, struct err *e);

/* Takes the note away: this run has come to its end. */
void crash_note_close(struct crash_note *t);

/* One more failure of this mail; *count is the number within a month. */
int crash_note_count(struct site *site, const char *name, int64_t *count, struct err *e);
void crash_note_name(const struct mail_raw *raw, char name[CRASH_NOTE_NAME]);

#endif
