/* Limits the mail that a sender without a proof may cause.  Anybody can write any address into
 * From, so the answer to such a mail may hit somebody who asked for nothing.  Counts in the
 * store's rate table: for each mailbox, domain, run and day.  A player's own address in From is
 * counted for that player alone, so that forged mails in other names don't silence it.  A mail
 * with a proof is never limited here, and its counters are others.  Sends nothing: the caller
 * drops what may not be sent. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/request/request.h"

#define MAIL_LIMITS_BYTES 8192      /* of an answer to a mail without a proof, as it is sent */
#define MAIL_LIMITS_PAGES 3         /* help pages, boards and other long texts in such an answer */
#define MAIL_LIMITS_PAGES_A_DAY 500 /* in longer answers that a reply address brings about */

#define MAIL_LIMITS_HOURLY(day) (((day) + 3) / 4) /* so much of a day's limit in an hour */
#define MAIL_LIMITS_ERRORS_AN_HOUR 3              /* refusals to one mailbox of no player */
#define MAIL_LIMITS_ERRORS_A_DAY 5
#define MAIL_LIMITS_PLAYER_AN_HOUR 10 /* answers to a player's addresses, without a proof */
#define MAIL_LIMITS_PLAYER_A_DAY 30

#define MAIL_LIMITS_ADDRESS_SIZE 320

/* Writes the mailbox that gets the mail for addr, as far as one can tell: lower case,
 * without a subaddress ("anna+pbm"; "anna-lena" is another mailbox), and without dots at gmail.com. */
void mail_limits_mailbox(const char *addr, char out[MAIL_LIMITS_ADDRESS_SIZE]);

/* Writes the registered domain: the last two labels of addr's domain, or three under suffixes
 * such as co.uk.  Its owner can make any number of subdomains. */
void mail_limits_domain(const char *addr, char out[MAIL_LIMITS_ADDRESS_SIZE]);

/* Is the answer to this mail limited?  Not if the mail has a proof, or the password of
 * the account that From belongs to. */
bool mail_limits_is_limited(const struct request *q);

/* Is it a long text: a help page, a table, a board? */
bool mail_limits_is_page(const struct note *n);

/* May a proved sender's answer have so many long texts?  1: yes; 0: the day's are used up, so
 * it is made short.  An answer goes to the player, but somebody else may have written the
 * mail with a reply address that was passed on; each of these has a count of its own. */
int mail_limits_may_be_long(struct request *q, size_t pages, struct err *e);

/* So many documents and formulas the lists of one mail read: q->work. */
#define MAIL_LIMITS_WORK 2000

/* Has the answer to a limited mail as many long texts as it may have, or has the mail read as
 * much as one may?  Then adds a note in place of one more text, and the command need not look
 * anything up: 50 lines must not read thousands of games. */
bool mail_limits_is_full(struct request *q);

/* Counts an answer to From of a limited mail; refusal: it only says that nothing was
 * done.  1: send it; MAIL_LIMITS_LAST: send it, and say that it is the last one to this player
 * for a while; 0: drop it.  The first mail over the limit of a run, a domain or the site
 * sets q->flood and q->flood_key. */
#define MAIL_LIMITS_LAST 2
int mail_limits_may_answer(struct request *q, bool refusal, struct err *e);

/* Counts a question to an address that is not confirmed, as it is to be asked whether it
 * belongs to an account.  1: send it; 0: drop it.  A proved sender's questions are
 * counted for the address alone. */
int mail_limits_may_ask(struct request *q, const char *address, struct err *e);

#define MAIL_LIMITS_STARTS_A_DAY 50 /* games that one player begins alone */

/* Counts a game that begins at once because nobody else plays: each is a file for good, and
 * one mail can have fifty.  1: start it; 0: too many today, and refused. */
int mail_limits_may_start(struct request *q, const char *userid, struct err *e);

#define MAIL_LIMITS_OFFERS_A_DAY 50        /* of one player */
#define MAIL_LIMITS_OFFERS_TO_A_DAY 10     /* of one mailbox to one other player */
#define MAIL_LIMITS_NEW_DAYS 30            /* so long an account is new */
#define MAIL_LIMITS_OFFERS_NEW_A_DAY 30    /* of all new accounts to one other player */
#define MAIL_LIMITS_OFFERS_DOMAIN_A_DAY 20 /* ... that have mailboxes of one domain */

/* Counts an offer of a game from one player to another: each makes a mail to somebody who
 * did not ask for it, and so does taking it back.  New accounts, which one person can
 * have many of, share a limit of their own, of which one domain can't take all.  1: make it; 0: too many today. */
int mail_limits_may_offer(struct request *q, const struct player_doc *by, const char *other,
                          struct err *e);

#define MAIL_LIMITS_WRITES_A_DAY 100 /* from one player to one other, on their games */

/* Counts a message or a request (to take back, to abort) from one player to another.
 * agreed: the other one has agreed to play on this board.  If not, it counts with the
 * offers.  1: pass it on; 0: too many today. */
int mail_limits_may_write(struct request *q, const struct player_doc *by, const char *other,
                          bool agreed, struct err *e);

/* The same for what a watcher writes.  It has a count of its own, which leaves him his offers. */
int mail_limits_may_watch_talk(struct request *q, const struct player_doc *by, const char *other,
                               struct err *e);

#define MAIL_LIMITS_WATCHED_A_DAY 100 /* mails about watched games to one mailbox */

/* Counts a mail about games that the player watches, by the mailboxes that get it: somebody who
 * reads a mailing list may make many accounts there.  1: send it; 0: too many today. */
int mail_limits_may_show_watched(struct request *q, const struct player_doc *p, struct err *e);

#define MAIL_LIMITS_TALKS_AN_HOUR 10 /* mails of mere words from one player to one other */

/* Counts such a mail.  0: send it; 1: too many in this hour, which ends at *ends. */
int mail_limits_is_talk_full(struct request *q, const struct player_doc *by, const char *other,
                             int64_t *ends, struct err *e);

/* Can the mail's proof play on a running board?  A reply address of an ended game, or one
 * that plays nowhere, may have been passed on without care. */
bool mail_limits_may_play(struct request *q);

/* The scope of the mail's proof: "all", "question", "board 17" of a running game, "ended" of
 * other games, "digest", "watch", or "lobby".  The mails of a proved sender are counted for each
 * of them apart: a stranger with a reply address that a player passed on must not use up the
 * player's own limit elsewhere. */
const char *mail_limits_scope(struct request *q);

/* Counts a mail of a proved sender.  1: more than sender-per-day with this kind of proof,
 * from all addresses of the player. */
int mail_limits_check_sender(struct request *q, struct err *e);
