/* Sending mails beside other processes that write: a mail server takes its time, so
 * the process that sends gives the store up while it waits.  One process of a machine at a
 * time has the right to send. */
#pragma once

#include "store/store.h"

/* Gives the store up, outside a transaction, so that other processes may write.  When
 * it fails, the store is still open. */
int store_yield(struct store *s, struct err *e);

/* Takes the store back, waiting at most ms milliseconds for the process that writes:
 * then ERR_BUSY, and it may be called again.  Other errors are those of store_open().
 * Until it returns 0, only store_resume() and store_close() may be called.
 *
 * Read everything again after the pause: other processes may have changed or deleted
 * any row, given its id to another one, and restored another pbm.db. */
int store_resume(struct store *s, int ms, struct err *e);

/* 1: this process is the one that sends, until store_sending_end() or store_close(),
 * also while the store is given up.  0: another process sends.  Called again, it tells
 * whether that is still so: somebody may have replaced the folder.
 *
 * After each store_resume() look at the outbox before you call store_sending_end().
 * Another process may have left a mail to you meanwhile. */
int store_sending_begin(struct store *s, struct err *e);
void store_sending_end(struct store *s);
