/* The rows that no document has. */
#pragma once

#include "store/db/db.h"

/* Copies them into a transaction of `to`: next board number, "clock-"
 * values, outbox, seen marks, held commands, rates, work, silent addresses, audit.  *unread: the
 * error is one of reading `from`. */
int db_copy_queues(struct db *from, struct db *to, bool *unread, struct err *e);

/* For a server: deletes them, and all documents. */
int db_empty(struct db *d, struct err *e);
