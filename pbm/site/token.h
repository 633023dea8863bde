/* Reply tokens: the text between "pbm+" and "@host" in a reply address, and at the
 * beginning of our Message-IDs.  A token says what it is good for and ends with a
 * MAC over all its fields and the host, made with a numbered key of the site
 * (HMAC-SHA-256, cut to 80 bits, in base32).  Tokens are in lower case, since mail
 * systems may change the case. */
#pragma once

#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"
#include "pbm/site/site.h"
#include "store/document/document.h"

enum token_kind {
	TOKEN_GAME = 'g',  /* board, seat, ply, asked */
	TOKEN_LOBBY = 'p', /* name: userid; arranges games, plays none.  mark: the userid that wrote
	                      * the message which prose answers, after TOKEN_WRITER, or, where the
	                      * address would be too long, its mark, or "" */
	TOKEN_CONFIRM = 'c', /* name: id of a held command */
	TOKEN_WATCH = 'w',   /* name: userid, board; of a mail to a watcher, who plays nothing */
	TOKEN_DIGEST = 'd',  /* name: userid, at: of the digest in the player's document, which
	                      * says what boards it is good for */
	TOKEN_PUZZLE = 'z',  /* name: userid, at: the first second of the puzzle's day, and as many
	                      * more as turns of its solution were played; plays in no game */
	TOKEN_BOUNCE = 'b'   /* in an envelope sender; name: userid, mark: the address */
};

#define TOKEN_NAME_SIZE 24
#define TOKEN_MARK_SIZE 34
#define TOKEN_DAYS 180      /* a board's token is good for so many days */
#define TOKEN_LOBBY_DAYS 30 /* a lobby token, and an answer to a question */
#define TOKEN_MAX 64
#define TOKEN_MAC_CHARS 16
#define TOKEN_BOUNCE_DAYS 30 /* no mail system keeps trying for longer */
#define TOKEN_MARK 4         /* letters of a mark, which distinguishes addresses, or writers */
#define TOKEN_WRITER '_'     /* no userid begins with it, and no mark */

struct token {
	enum token_kind kind;
	int64_t board;
	uint8_t seat;               /* SEAT_WHITE or SEAT_BLACK */
	unsigned ply;               /* plies played when the mail was written */
	unsigned asked;             /* match_asked(): what the mail asked its reader; 0: nothing */
	bool refused;               /* it refused words of its reader's, which "ok" may answer */
	char name[TOKEN_NAME_SIZE]; /* lower case */
	char mark[TOKEN_MARK_SIZE];
	int64_t at;      /* Unix seconds */
	int64_t expires; /* the last good day, in days since 1970-01-01 */
};

/* "g142.b.14.20599.1.k7q2…"; at most TOKEN_MAX bytes. */
void token_write(const struct site *s, const struct token *t, struct str *out);

/* Reads the token at the start of text.  It ends at '\0', at '@', or at the dot
 * before a Message-ID's tag.  ERR_BAD: not a token.  ERR_CONFLICT: it looks like a
 * token, but its MAC is wrong or its key was dropped; *out has the claimed fields.
 * ERR_PERM: a good token that has expired; *out is filled. */
int token_read(const struct site *s, const char *text, struct token *out, struct err *e);

/* Puts stars in the place of the MAC of each token in the text, and of the secret part of each
 * address of a live page: what a player writes may quote one (a bounce, "On … wrote:"), and must
 * not hand it to others.  Finds them in any case, in the codes of URLs, mails, HTML and the gateways
 * that rewrite links ("%2e", "=2e", "&#46;", "live_"), in full-width letters, broken into lines, and
 * with marks or with characters in them that nobody sees.  Checks no MAC: a token of another site
 * looks the same. */
void token_cover(char *text);

/* Puts blanks in the place of each token that token_cover() has covered: the userids in it name nobody. */
void token_blank(char *text);

/* The token for the envelope sender of a mail to a player's address.  Only a
 * program that got the mail knows it; so a mail sent to it is about that mail.  It
 * proves nothing else. */
struct token token_bounce(const char *userid, const char *address, int64_t now);

/* The token of a player's mail that is not about one board. */
struct token token_lobby(const char *userid, int64_t now);

/* The same of a mail with a message: prose in the answer goes back to its writer. */
struct token token_message(const char *userid, const char *writer, int64_t now);

/* Did the player write the message that a mail with this token brought?  The mark of a long userid may
 * be another's, too. */
bool token_is_from(const struct token *t, const char *userid);

/* The token of a mail to a watcher of a board. */
struct token token_watch(const char *userid, int64_t board, int64_t now);

/* The token of the digest that a player gets now. */
struct token token_digest_of(const char *userid, int64_t now);

/* The token of a mail that asks for a turn of a puzzle. */
struct token token_puzzle(const char *userid, int64_t at, int64_t now);

/* The token of a question: id names the held command that the answer runs. */
struct token token_confirm(const char *id, int64_t now);

/* Writes the mark of an address or userid to out; letter case is ignored. */
void token_mark(const char *address, char out[TOKEN_MARK + 1]);

/* The last good day of a token of that kind made at time t. */
int64_t token_expiry(enum token_kind kind, int64_t t);

/* Appends the name of the folder of a seat's live page: 160 bits in base32, so nobody can
 * guess it.  It is made with the oldest key of the site, so that a new key changes no address,
 * and dropping that key changes them all. */
void token_live(const struct site *s, int64_t board, uint8_t seat, struct str *out);
#define TOKEN_LIVE_CHARS 32
/* The same for the folder of a player; key is the folded userid. */
void token_live_player(const struct site *s, const char *key, struct str *out);
/* A number, not 0, that is another one when the addresses of all live pages or text have
 * changed. */
int64_t token_live_state(const struct site *s, const char *text);

/* Appends n base32 letters (a-z, 2-7) of a keyed hash of text, for ids that nobody
 * can guess. */
void token_digest(const struct site *s, const char *purpose, const char *text, size_t n,
                  struct str *out);

/* A lot that nobody can reckon before: 32 bits that depend on a key, a purpose and text. */
uint32_t token_lot(const struct site *s, const char *purpose, const char *text);

/* The same as token_digest() with the site's key of that index, for hashes that must be found later. */
void token_digest_by(const struct site *s, size_t key, const char *purpose, const char *text,
                     size_t n, struct str *out);
