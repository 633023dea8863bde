/* Finds the board of a line for dispatch.c: the board that is meant when none is named, its
 * match, and whether the sender's seat and the state of the game allow the command. */
#pragma once

#include "pbm/commands/dispatch_pair.h"

/* In dispatch_board_find.c.  Is the next word a board, "17" or "17:"?  "12 . Nf3" begins with
 * the number of a move. */
bool dispatch_next_board(const struct parse *p, struct board_ref *out);
/* Does the line have a board: written in it, or that of the mail being answered? */
bool dispatch_has_board(const struct parse *p);
/* "message 17 hello", as players of pbmserv write to their opponent, is chat: no player has a number as
 * a name. */
void dispatch_board_message(struct parse *p);
/* Finds the board: as written, or that of the mail being answered, or the only one that the
 * command can mean.  1: refused. */
int dispatch_parse_board(struct parse *p, struct err *e);

/* Sets p->ref and p->has_ref if the sender has only one board that the command can mean.  1:
 * refused, with a list of boards and offers that wait for the sender's answer. */
int dispatch_only_board(struct parse *p, struct err *e);
/* Refuses a command that needs an account: the sender's address is not known, or not yet. */
void dispatch_refuse_stranger(struct request *q);
/* The meaning of the number in a command. */
enum dispatch_number { A_BOARD, AN_OFFER, A_SEEK };
enum dispatch_number dispatch_number_of(const struct command *c);
/* The reason why the command that the line begins with can't be meant: nothing asks the sender, or no
 * game of the sender's runs.  NULL: it can. */
const char *dispatch_none_waits(struct request *q, const char *line);

/* The game that the next word names.  Alone in an answer to a board it must be the whole name: "tak",
 * a yes, begins one.  NULL: none. */
const struct rules *dispatch_game(const struct parse *p, const char *word);

/* Refuses a word that acts if its line names another board than the one it is about: "resign, 2: e3",
 * "resign antichess", "draw on the other board".  false: it names none. */
bool dispatch_names_other_board(struct parse *p);

/* The command's word for its sender: "signoff" as players know it, if they did not write that. */
const char *dispatch_shown_word(const struct parse *p);

/* The correct line for a word that acts, with its board if the answered mail is about another one. */
const char *dispatch_line_alone(const struct parse *p);
/* Refuses "resign?" and "undo...".  Returns 1. */
int dispatch_refuse_mark(struct parse *p);

/* Sets call.match and call.seat.  1: refused. */
int dispatch_load_board(struct parse *p, struct err *e);

/* Checks the game named in front, the seat, the state, and what a digest showed.  1: refused. */
int dispatch_check_board(struct parse *p);

/* The line with which the player of the seat offers his opponent one more game of the kind. */
const char *dispatch_second(struct request *q, const struct match *m, uint8_t seat);

/* Is the board the sender's own open offer to another player? */
bool dispatch_is_own_offer(const struct request *q, const struct match *m);
/* Says that the board is an offer, and what its reader can do about it. */
void dispatch_refuse_offered(struct request *q, const struct match *m);
