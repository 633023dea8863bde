/* The tournament that a line names. */
#pragma once

#include "pbm/commands/words/command.h"
#include "store/document/tournament.h"

/* Word i of the call, "" if there is none, without the sentence's punctuation after it: "join
 * spring-26."  In the request's arena. */
const char *tournament_find_word(struct request *q, const struct call *c, size_t i);

/* The tournament that the call's first word names.  0; 1: there is none, and the sender is told. */
int tournament_find_named(struct request *q, const struct call *c, struct tournament_doc *out,
                          struct err *e);

/* The lines that the call's command may mean without a name, offered as a guess.  NULL: none. */
const char *tournament_find_lines(struct request *q, const struct call *c);

/* The command about the tournament that a sentence names, offered as a guess: "join cup" for "I would
 * like to enter the cup", "tournaments cup" for "when does cup begin?".  NULL: it names none. */
const char *tournament_find_wish(struct request *q, const char *line);

/* Does the line have a word for a tournament, perhaps as a part: "Herbstturnier"? */
bool tournament_find_speaks(const char *line);

/* The same for an answer to a mail whose Subject names a tournament: "when does it begin?", "I have to
 * cancel".  NULL: it names none, or the line wishes and asks nothing. */
const char *tournament_find_asked(struct request *q, const char *line);

/* Refuses an act that does not fit the tournament's state, and names the state.  false. */
bool tournament_find_refuse_state(struct request *q, const struct tournament_doc *t);

/* Why no new tournament can have the name, a sentence; NULL: it can. */
const char *tournament_name_refused(struct request *q, const char *name);
