/* Passwords of accounts.  Argon2id takes some 20 ms and 19 MiB, too much for the time in which a
 * run holds the store's lock.  So a mail that needs a hash is put back (ERR_AGAIN), a desk makes
 * the hashes outside the transaction, and the mail begins again.  The desk keeps results for the
 * run, but no passwords. */
#pragma once

#include "pbm/request/request.h"

#define PASSWORD_MIN 6
#define PASSWORD_MAX 128

enum password_answer { PASSWORD_WRONG, PASSWORD_RIGHT, PASSWORD_UNCHECKED };

/* Is this the password of p?  PASSWORD_UNCHECKED: the mail has more than REQUEST_PASSWORDS_MAX
 * different ones, or there were too many tries in an hour.  Tries are counted for each sender
 * and account, and apart for mails that the account's owner has proved, so that strangers'
 * guesses don't stop the owner.  ERR_AGAIN; other errors when the store failed. */
int password_check(struct request *q, const struct player_doc *p, const char *password,
                   enum password_answer *out, struct err *e);

/* The same for a word in a text that others would read: a wrong one is noted apart, and only if the
 * account is another one's, as who is told of the right one may guess so.  PASSWORD_UNCHECKED: a mail may have REQUEST_TEXT_WORDS_MAX words checked, half a
 * second of work, if its sender is proved; else REQUEST_PASSWORDS_MAX.  Words count as guesses unless
 * the sender is the owner. */
int password_in_text(struct request *q, const struct player_doc *p, const char *word,
                     enum password_answer *out, struct err *e);

/* The same for a word that is rather one of a sentence: it leaves half of a mail's checks to others, and
 * counts as wrong where it can't be checked. */
int password_in_prose(struct request *q, const struct player_doc *p, const char *word,
                      enum password_answer *out, struct err *e);

#define PASSWORD_NEW_AN_HOUR 100 /* new passwords of all senders without a proof */

/* owner: the mail also holds the right old password.  0: *out is the argon2id hash of a new password as libsodium writes it, in the arena.
 * 1: refused: senders without a proof sent too many in this hour (counted apart: those for
 * whom our mail server vouches).  ERR_AGAIN; ERR_SYSTEM when
 * memory is short; other errors when the store failed. */
int password_new(struct request *q, const char *password, bool owner, const char **out,
                 struct err *e);

/* The same at once, without a desk. */
const char *password_hash(struct arena *a, const char *password);

struct password_desk *password_desk_open(void);
void password_desk_close(struct password_desk *d);
/* Makes the hashes that a mail waits for, and returns their number.  Call it outside a
 * transaction. */
size_t password_desk_work(struct password_desk *d);
