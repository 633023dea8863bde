/* Records each refused proof in the log and in the store's audit.  The audit row is
 * part of the mail's transaction, so it exists exactly when the mail took effect.
 * Nothing secret is written: no token, no password, no id of a question. */
#pragma once

#include "pbm/request/request.h"

enum audit_reason {
	AUDIT_TOKEN_FORGED, /* looks like a reply token, but no key of ours made it */
	AUDIT_TOKEN_EXPIRED,
	AUDIT_TOKEN_FOREIGN, /* a good token, but not from an address of its owner */
	AUDIT_TOKEN_SCOPE,   /* a good token for a command that it does not cover */
	AUDIT_PASSWORD_WRONG,
	AUDIT_PASSWORD_TEXT,   /* beside another one's userid in a text, perhaps a guess */
	AUDIT_PASSWORD_TRIES,  /* too many tries: the password was not checked */
	AUDIT_CONFIRM_UNKNOWN, /* an answer to a question that is not open */
	AUDIT_CONFIRM_FOREIGN, /* an answer from another address than the one asked */
	AUDIT_SERVER_FAIL,     /* our mail server says that From did not send the mail */
	AUDIT_SERVER_FORGED    /* results in our mail server's name that it did not write */
};

/* player: the player in whose name the mail came, or NULL; what: more words about
 * it, or NULL.  <0: the store failed. */
int audit_refusal(struct request *q, enum audit_reason why, const char *player, const char *what,
                  struct err *e);
