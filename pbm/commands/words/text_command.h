/* Lines of a text that are not for who reads it: commands, private notes, letters to the server. */
#pragma once

#include "pbm/request/request.h"

#define TEXT_COMMAND_MARKS " \t>|*-+([{\"" /* before the words of a line */

/* Is the line of a text a command, and no sentence that begins with the word of one? */
bool text_command_is(struct request *q, const char *line);
/* Is or was there a player of this name? */
bool text_command_is_player(struct request *q, const char *word);

/* The word of the command, "note", whose text goes on in the lines below this line, which is a command.
 * *alone: it has no text on its own line.  NULL: the command takes no text, or one for the reader. */
const char *text_command_taker(struct request *q, const char *line, bool *alone);

/* Is a sentence of the line for the server, or for its moderators: "Please delete my account",
 * "moderator: bob cheats"?  Returns where that begins, and *n bytes that say so; NULL: there is none. */
const char *text_command_to_server(struct request *q, const char *line, size_t *n);
