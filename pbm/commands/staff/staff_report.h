/* Writes the week's report for moderators: stalled games, resting addresses, refused proofs,
 * quarantine, top senders, disk, queue.  It names players, never their addresses. */
#pragma once

#include "pbm/commands/words/command.h"

struct staff_report;

/* Collects the report in the request's arena. */
int staff_report_collect(struct request *q, struct staff_report **out, struct err *e);

/* The moderators who want the report each week, as collected with it. */
size_t staff_report_readers(const struct staff_report *r, const char *const **userids);

/* The note for one reader, in the reader's language. */
int staff_report_note(struct request *q, const struct staff_report *r, const char *userid,
                      struct err *e);
