/* Games that moderators start for others.  Their players are told after all mails of a
 * transaction, so that each gets one mail for all of them. */
#pragma once

#include "pbm/request/request.h"

#define STARTS_OF_MAIL 50 /* games in one mail to a player */
#define STARTS_MAX                                                                                 \
	10 /* games that moderators start for the same two players, or for one, in an hour */

/* Counts a game that a moderator starts for these two.  1: it may be started; 0: refused. */
int starts_may(struct request *q, const struct player_doc players[2], struct err *e);

/* Is one of the two another account of the moderator's own, or does one want no games with the
 * other (noplay, censor)?  If so, says so. */
bool starts_is_refused(struct request *q, const struct player_doc *moderator,
                       const struct player_doc players[2]);

/* The notes that wait, of all mails of a transaction: in site.run.starts. */
struct starts *starts_open(void);
void starts_close(struct starts *s);

/* Takes the notes with NOTE_STARTED out of the request and keeps them.  ERR_AGAIN: another note
 * is about a game of which the players must be told first, so the mail begins the next
 * transaction. */
int starts_take(struct request *q, struct err *e);

/* Counts the notes that wait; forgets those from that number on: the mail that made them was
 * undone. */
size_t starts_count(const struct starts *s);
void starts_forget(struct starts *s, size_t from);

/* A reader for whom notes wait, or NULL. */
const char *starts_reader(const struct starts *s);
/* Sends the reader one mail with the first of his notes.  If they are several, its reply address
 * is good for the boards it names.  due is not used. */
int starts_tell_reader(struct request *q, const char *userid, int64_t due, struct err *e);
/* Drops the notes of this player. */
void starts_told(struct starts *s, const char *userid);
