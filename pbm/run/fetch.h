/* The mails of a source on their way into the store, where several machines share it: one machine at
 * a time reads a source and brings its mails into the inbox.  And the times that follow from it: no
 * player's time may end before every mail is read that had come by then. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/outbox/run_report.h"
#include "pbm/site/site.h"

/* Brings the source's mails into the inbox, and notes when; nothing if another machine is doing so.
 * *halt: the source fails. */
int fetch_run(struct site *site, struct mail_source *source, struct run_report *report,
              struct err *halt, struct err *e);

/* Up to what time, at most start, each mail has had its effect: the sources were read after it, and no
 * older mail waits.  A mail that cannot be worked on, or a machine that is gone with a source of its
 * own, holds the time up for three days; then the operator is told. */
int fetch_known_until(struct site *site, int64_t start, int64_t *out, struct err *e);

/* The name of the site's source among all: that of this machine if the source is its own (a folder), or
 * the URL.  A value has the time at which it was last read completely: FETCH_READ "-NAME". */
#define FETCH_READ "clock-read"
/* The time of the first of the runs in a row that left mails of the source unread; kept by reindex and
 * backup. */
#define FETCH_UNREAD "clock-unread-since"
#define FETCH_NAME_SIZE 500
const char *fetch_source(const struct site *site, char name[FETCH_NAME_SIZE]);

/* Mails that a run had to leave at the source: the machine failed on them, or the mail server
 * doesn't give them out.  Such a mail may hold a player's move, so the clocks wait for it, but
 * not without end: anybody can send such mails.
 *
 * Notes that the run which began at now left so many mails unread; 0 ends the waiting.  1: the
 * clocks wait; 0: they go on, and if they waited too long the operator is told.  Writes only
 * changes.  which: the source, or "". */
int fetch_unread(struct site *site, const char *which, int64_t now, size_t left, struct err *e);
