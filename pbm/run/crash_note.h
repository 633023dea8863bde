/* A file beside the store that names the mail in work, or the game whose clock is looked after, so
 * that the next run learns how this one ended.  The note is written when the work on a mail begins and emptied when it ends, before
 * the batch is committed.
 *
 * A run that finds a name there counts one of two ends for that mail:
 * - a fault of ours: the process got a signal that only a fault in the program or the
 *   limits below make (SIGSEGV, SIGABRT, …).  The handler marks the note.
 * - an end from outside: SIGKILL, SIGTERM, a power cut, the machine out of memory.
 *   Such a mail is never at fault by itself.
 *
 * Only faults of ours put a mail aside.  A mail may make the machine kill the program each time,
 * for example because it needs too much memory.  After three ends from outside it is worked on
 * with little memory and processor time, so that it fails by our limits, which is a fault of
 * ours.
 *
 * The note survives the end of the process, not always a power cut: it costs two writes
 * for each mail and no flush.  The store must be open for writing.  One process has one
 * open note. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "mail/transport/transport.h"
#include "pbm/base/err.h"
#include "pbm/site/site.h"

struct crash_note {
	struct site *site;
	int fd;       /* of the note; -1 before the first mail */
	bool looked;  /* counted is known */
	bool counted; /* the store has counts of runs that ended in a mail */
};

/* The advice of runs that ended in the middle of a mail, from mild to strict. */
enum crash_advice {
	CRASH_NONE,  /* none ended */
	CRASH_APART, /* work on it in a transaction of its own */
	CRASH_TIGHT, /* the same, and with little memory and time */
	CRASH_TELL,  /* don't work on it: put it aside and tell its sender */
	CRASH_ASIDE  /* telling the sender failed too: put it aside */
};

/* Reads the note that the last run may have left, and counts the kind of its end. */
int crash_note_open(struct site *site, struct crash_note *out, struct err *e);

/* Decides about this mail.  A mail that has more memory than the machine: *killed is the number
 * of runs that ended over it from outside. */
int crash_note_advise(struct crash_note *t, const struct mail_raw *raw, enum crash_advice *out,
                      int64_t *killed, struct err *e);

/* Notes that work on the mail begins.  From now on a fault marks the note, and more than
 * some seconds of processor time are a fault.  CRASH_TIGHT: also more memory than
 * killed allows.  pipe: an MTA waits, so there is less time. */
int crash_note_begin(struct crash_note *t, const struct mail_raw *raw, enum crash_advice advice,
                     int64_t killed, bool pipe, struct err *e);

/* Lifts the limits and empties the note: the work on the mail is over, with or without success. */
int crash_note_end(struct crash_note *t, struct err *e);

/* Notes within a transaction that the mail was put aside.  If it comes again, its count begins
 * anew. */
int crash_note_forget(struct crash_note *t, const struct mail_raw *raw, struct err *e);

/* Removes the note at the end of the run. */
void crash_note_close(struct crash_note *t);

/* Counts a failure of this mail that ended no run; *count is the number in a month. */
int crash_note_count(struct site *site, const char *name, int64_t *count, struct err *e);
