/* Prose that belongs to a command: below the command in a mail with several, or below the last
 * mail of a game in its answer.  Passes nothing on. */
#pragma once

#include "pbm/request/request.h"

struct call;
struct command;

/* The prose directly below a command, up to the next line that is a command or nearly one; *text
 * moves past it.  It goes to another player if the command tells one something (CMD_COMMENT),
 * else to nobody.  NULL: there is none. */
const char *comment_lines_take(struct request *q, const char *line, const char **text);

/* Does the line show something and pass nothing on, so that the lines below it are commands of
 * their own? */
bool comment_lines_is_list(struct request *q, const char *line);

/* Is the first line of an answer to the last mail of a game a last word to the other player:
 * prose?  The mail proves its sender.  0: no; 1: yes; 2: yes, but there were too many.  <0: the
 * store failed. */
int comment_lines_last_word(struct request *q, const char *line, struct err *e);

/* Tells the sender which words nobody gets, after the line was run: those that the line itself had to leave
 * out (q->lost), and the text below it (q->comment), if the line was refused or takes none; and wishes in a text that was
 * passed on.  from: the line's first note. */
void comment_lines_tell_lost(struct request *q, const struct call *c, size_t from);

/* Asks back a word that ends or begins a game, "ok" and "draw" to an offer among them, above a line that says
 * something else: "ok", "Nf3".  line: as its writer wrote it.  false: nothing stands against it. */
bool comment_lines_refuse(struct request *q, const struct call *c, const char *line);

/* Passes the thanks on the line of a player who resigns on to the other one, above the text below it.  said:
 * the rest of the line.  <0: as withhold_lines(). */
int comment_lines_thank(struct request *q, const struct call *c, const char *said, struct err *e);
