/* A file beside the store that names the mail being worked on.  If a run ends in the
 * middle of a mail (a crash, a kill), the next run finds its name there; a mail that
 * ended two runs goes into quarantine.  The note survives the end of the process, not
 * a power cut: it costs one write for each mail and no flush.  The store must be open
 * for writing. */
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

/* Reads the note that the last run may have left, and counts that crash. */
int crash_note_open(struct site *site, struct crash_note *out, struct err *e);

/* After a crash, until the blamed mail has come again: each mail needs a transaction of
 * its own, so that only the mail at fault is blamed. */
bool crash_note_is_careful(const struct crash_note *t);

/* Notes that work on the mail begins.  1: don't work on it, it ended two runs. */
int crash_note_begin(struct crash_note *t, const struct mail_raw *raw, struct err *e);

/* Empties the note: the transaction of all mails begun so far is committed. */
int crash_note_end(struct crash_note *t, struct err *e);

/* Removes the note: this run is over. */
void crash_note_close(struct crash_note *t);

/* One more failure of this mail; *count is the number within a month. */
int crash_note_count(struct site *site, const char *name, int64_t *count, struct err *e);
void crash_note_name(const struct mail_raw *raw, char name[CRASH_NOTE_NAME]);

#endif
