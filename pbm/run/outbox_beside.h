/* Sending while the next mails are read.  A folder on this machine can take mails in a thread of
 * its own; in a run over many mails that saves an eighth of the time, and the first players need
 * not wait for the answers to the last ones. */
#ifndef PBM_RUN_OUTBOX_BESIDE_H
#define PBM_RUN_OUTBOX_BESIDE_H

#include "pbm/run/outbox_window.h"

struct outbox_beside {
	struct site *site;
	struct mail_sink *sink;
	struct run_report *report;
	struct outbox_window window;
	bool possible; /* the sink can do it, and has done it so far */
	bool ready;    /* the window is to be sent */
	bool begun;    /* it is on its way */
};

/* Sends nothing yet. */
void outbox_beside_open(struct outbox_beside *b, struct site *site, struct mail_sink *sink,
                        struct run_report *report);

/* At the end of a transaction, still within it: notes that the window is sent, and takes the mails
 * that are due now as the next one, if there are many. */
int outbox_beside_turn(struct outbox_beside *b, struct err *e);

/* After its commit: begins to send them.  What a sink does not take waits for outbox_flush(). */
int outbox_beside_send(struct outbox_beside *b, struct err *e);

/* Waits for the window and notes it.  Then b is closed. */
int outbox_beside_close(struct outbox_beside *b, struct err *e);

#endif
