/* The server that several machines share, as this machine sees it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

#define STORE_SKEW 2 /* seconds; a machine whose clock differs by more does not work */

struct store_server {
	int64_t skew; /* seconds that this machine's clock is ahead of the server's; 0 while the clock
	                * is set by hand */
	int64_t trip;     /* microseconds for a question and its answer, the least of some */
	bool writable;    /* it is the primary */
	bool copied;      /* a commit waits until a second server has it */
	int64_t standbys; /* the servers that a commit can wait for */
};

/* The server's tables belong to the site whose `pbm init` claimed them first.  owner: a sum of its secret, or
 * NULL.  1: nobody has claimed them, or that site has; 0: another one has. */
int store_is_free(const char *owner, struct err *e);
/* Claims them in dir's store.  ERR_CONFLICT: another site has. */
int store_claim(const char *dir, const char *owner, struct err *e);

/* Outside a transaction. */
int store_server_look(struct store *s, struct store_server *out, struct err *e);
