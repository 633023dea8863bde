/* Proofs that were refused: each leaves a line in the log and a row in the
 * store's audit, in the transaction of its mail, so that it is there exactly
 * when the mail took effect.  Nothing secret is ever written: no token, no
 * password, no id of a question. */
#ifndef PBM_PEOPLE_AUDIT_H
#define PBM_PEOPLE_AUDIT_H

#include "pbm/request/request.h"

enum audit_reason {
	AUDIT_TOKEN_FORGED, /* the shape of a reply token, not by a key of ours */
	AUDIT_TOKEN_EXPIRED,
	AUDIT_TOKEN_FOREIGN, /* a good token, not from an address of its owner */
	AUDIT_PASSWORD_WRONG,
	AUDIT_PASSWORD_TRIES,  /* not even looked at: too many tries */
	AUDIT_CONFIRM_UNKNOWN, /* an answer to a question that isn't open */
	AUDIT_CONFIRM_FOREIGN, /* an answer from another address than was asked */
	AUDIT_SERVER_FAIL,     /* our mail server says that From did not send it */
	AUDIT_SERVER_FORGED    /* results in our server's name that it did not write */
};

/* player: whose name or right was claimed, or NULL; what: a few words more, or
 * NULL.  <0: the store failed. */
int audit_refusal(struct request *q, enum audit_reason why, const char *player, const char *what,
                  struct err *e);

#endif
