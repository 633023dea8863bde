/* Mails that hold nothing but courtesy: thanks, or an "ok" where nothing was asked.  Reads no
 * command and no move, and answers no question.  Knows the answer to another player's message,
 * where such words are for that player. */
#pragma once

#include "pbm/request/request.h"

/* Deals with such a mail: thanks get no answer, which would only bring the next thanks; an "ok" is
 * told that nothing was asked.  false: the mail is another. */
bool courtesy_take(struct request *q, const char *subject, const char *text);

/* Refuses prose in an answer to a player's message: it may be for that player, but the server
 * does not guess.  false: the mail answers no message. */
bool courtesy_refuse_answer(struct request *q, const char *line);

/* The same, and for prose that greets another player, in any mail about no board. */
bool courtesy_refuse_letter(struct request *q, const char *line);
/* Is the line of an answer to a player's message a command or a move?  "Games are going badly" and
 * "Who are you?" only begin like one. */
bool courtesy_is_command(struct request *q, const char *line);

/* Tells the sender of a refused line in such an answer that the writer of the message got nothing.
 * from: the first note about the line. */
void courtesy_tell_writer(struct request *q, const char *writer, size_t from);

/* Does the first line of the text go on with the sentence that the Subject begins, "stop" and "the
 * clock please"?  line MAY be NULL. */
bool courtesy_goes_on(struct request *q, const char *subject, const char *line);

/* Is the Subject, without "Re:" and the like, a word that acts, such as "resign", in an answer or a
 * forwarded mail with a text of its own, or above a text that says no or goes on with it?  Asks back. */
bool courtesy_refuse_subject(struct request *q, const char *subject, const char *text);

/* Is the Subject a title, or only the beginning of a word that shows something ("game" of games),
 * followed by a sentence below? */
bool courtesy_is_title(struct request *q, const char *subject, const char *text);
