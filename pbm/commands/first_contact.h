/* The page for a person who writes to the server without a command: a greeting, a question,
 * nothing at all.  It says what the server is, and shows three commands to copy. */
#pragma once

#include "pbm/request/request.h"

/* Answers with the page, once a day for a mailbox; a player gets it only if the text greets or
 * asks.  text: all text of the mail, for its language.  1: noted, or the mail gets no answer
 * because the page went out today; 0: the caller must answer. */
int first_contact_answer(struct request *q, const char *text, struct err *e);

/* Is the line of an unknown sender prose, although it begins with the word of a command:
 * "tell me how this works", "help me please"? */
bool first_contact_is_prose(const struct request *q, const char *line);

/* Is the line a command with a slip, or a phrase for one?  Without an account, most phrases mean
 * nothing: "I give up". */
bool first_contact_is_near(struct request *q, const char *line);

/* Is it a member's wish in words that no command has? */
bool first_contact_is_wish(struct request *q, const char *line);

/* Does the text hold a line that is a command, or nearly one, or a player's move? */
bool first_contact_holds_command(struct request *q, const char *text);

/* The other player to whom the first line of a member's mail speaks: "Hi alice, nice to meet you", "Alice, are
 * you there?"; "moderators".  NULL: none. */
const char *first_contact_greets(struct request *q);

/* Does the line tell the result of a game, "1-0", or speak of one, and ask nothing? */
bool first_contact_has_result(struct arena *a, const char *line);

/* The form of the act that a moderator's sentence is about: "please suspend bob, he is rude".  NULL:
 * none. */
const char *first_contact_act(struct request *q, const char *line);

/* Answers a mail whose text can't be read: how it hides it ("smime", "pgp", "tnef") and what to do. */
void first_contact_sealed(struct request *q, const char *how);
