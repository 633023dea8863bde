/* Reply tokens: what stands between "pbm+" and "@host" in a reply address, and
 * at the head of our Message-IDs.  A token names what it is for and carries a
 * MAC (HMAC-SHA-256 cut to 80 bits, base32) over all of it, the host included,
 * by a numbered key of the site.  Lower case throughout, since mail systems
 * fold case. */
#ifndef PBM_SITE_TOKEN_H
#define PBM_SITE_TOKEN_H

#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"
#include "pbm/site/site.h"
#include "store/document.h"

enum token_kind {
	TOKEN_GAME = 'g',    /* board, seat, ply */
	TOKEN_PLAYER = 'p',  /* name: userid */
	TOKEN_CONFIRM = 'c', /* name: id of a held command */
	TOKEN_BOUNCE = 'b'   /* name: userid, mark: which address; an envelope sender */
};

#define TOKEN_NAME_SIZE 24
#define TOKEN_DAYS 180 /* how long a token is good, from its making */
#define TOKEN_MAX 64
#define TOKEN_BOUNCE_DAYS 30 /* no mail system holds on to a mail for longer */
#define TOKEN_MARK 4         /* letters that tell a player's addresses apart */

struct token {
	enum token_kind kind;
	int64_t board;
	uint8_t seat;               /* SEAT_WHITE or SEAT_BLACK */
	unsigned ply;               /* plies played when the mail was written */
	char name[TOKEN_NAME_SIZE]; /* lower case */
	char mark[TOKEN_MARK + 1];
	int64_t expires; /* day number since 1970-01-01, the last good day */
};

/* "g142.b.14.20599.1.k7q2…"; at most TOKEN_MAX bytes. */
void token_write(const struct site *s, const struct token *t, struct str *out);

/* Reads a token at the start of text, which ends at '\0', '@' or one more dot
 * (a Message-ID's tag).  ERR_BAD: not a token.  ERR_CONFLICT: the shape of one,
 * but we never wrote it, or its key is gone; *out is what it claims.
 * ERR_PERM: ours, but its time is over; *out is filled all the same. */
int token_read(const struct site *s, const char *text, struct token *out, struct err *e);

/* The envelope sender's token of a mail to a player's address: whoever knows it
 * got the mail, or returns it.  It proves nothing else. */
struct token token_bounce(const char *userid, const char *address, int64_t now);

/* The mark of an address, letter case ignored, to out. */
void token_mark(const char *address, char out[TOKEN_MARK + 1]);

/* The last good day of a token made at time t. */
int64_t token_expiry(int64_t t);

/* n base32 letters (a-z, 2-7) of a keyed hash of text: ids nobody can guess. */
void token_digest(const struct site *s, const char *purpose, const char *text, size_t n,
                  struct str *out);

#endif
