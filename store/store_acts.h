/* The record of what moderators did: acts/YYYY-MM.jsonl (acts.h), documents like games and
 * players, durable with the transaction that changed the game. */
#pragma once

#include "store/document/acts.h"
#include "store/store.h"

/* Appends an act, in a transaction.  A clock that went back writes on in the newest month.
 * ERR_DAMAGED: the newest file is not what pbm wrote. */
int store_act_add(struct store *s, const struct act *act, struct err *e);

/* Calls take with each act, the oldest first.  ERR_DAMAGED: a file is missing or is not what pbm
 * wrote, or the chain is broken. */
int store_acts(struct store *s, act_fn *take, void *arg, struct err *e);
