/* Lines of a text that are not for who reads it: commands, private notes, letters to the server. */
#pragma once

#include "pbm/request/request.h"

#define TEXT_COMMAND_MARKS " \t>|*-+([{\"" /* before the words of a line */

/* Is the line of a text a command, and no sentence that begins with the word of one? */
bool text_command_is(struct request *q, const char *line);
/* Is or was there a player of this name? */
bool text_command_is_player(struct request *q, const char *word);
/* Is there a moderator or an operator of this name? */
bool text_command_is_staff(struct request *q, const char *word);

/* The word of the command, "note", whose text goes on in the lines below this line, which is a command.
 * *alone: it has no text on its own line.  NULL: the command takes no text, or one for the reader. */
const char *text_command_taker(struct request *q, const char *line, bool *alone);

/* The reader whom a line of a text is for. */
enum text_reader {
	TEXT_FOR_OTHER, /* the other player, as far as its words say */
	TEXT_FOR_SERVER, /* the server or its moderators: "Please delete my account", "I want to report bob" */
	TEXT_FOR_WRITER, /* nobody else: "private: Bb5 comes next", "Don't tell bob" */
};

/* Finds the first sentence of the line that is not for the other player.  *at: the words that say so, *n
 * bytes. */
enum text_reader text_command_reader(struct request *q, const char *line, const char **at,
                                     size_t *n);
