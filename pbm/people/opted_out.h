/* Addresses without an account that asked never to be written to again.  The store keeps a
 * hash of each and not the address itself.  notify_send() drops mail to them. */
#pragma once

#include "pbm/request/request.h"

/* An unproved signup from a silent address is asked about once a day, and so often in so many days. */
#define OPTED_OUT_ASK_DAYS 7
#define OPTED_OUT_ASK_MOST 3

/* 1: nothing is written to this address; 0: it is not on the list.  Letter case is ignored. */
int opted_out_has(struct request *q, const char *address, struct err *e);
int opted_out_add(struct request *q, const char *address, struct err *e);
int opted_out_drop(struct request *q, const char *address, struct err *e);

/* May a signup that came from this address be asked to confirm, although the address is on
 * the list?  Somebody may write it into From: so an unproved one is asked rarely.  1: yes. */
int opted_out_may_ask(struct request *q, const char *address, struct err *e);
