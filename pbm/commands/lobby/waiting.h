/* Finds and lists what waits for a player's answer: offers of games, and draws, undos and aborts
 * asked for on running boards.  Answers nothing. */
#pragma once

#include "pbm/commands/words/command.h"

#define WAITING_ON_BOARD 3

/* Is it "draw", "undo" or "abort"? */
bool waiting_is_word(const char *word);

/* Lists everything that waits for the sender; returns its number.  *board: the board of the
 * first; *lines: a line each, beginning with the command (verb) that answers it.  word: only
 * requests of this kind ("draw"), NULL: all.  At most 50 running boards are looked at.  <0: the
 * store failed. */
int waiting_list(struct request *q, const char *verb, const char *word, int64_t *board,
                 const char **lines, struct err *e);

/* The request on the call's board that is meant: the one that its words name, else the only one.
 * If two are open, a bare "accept" may have been meant for the first one alone, because the
 * player has read only its mail.  0: *out; 1: refused, with a list. */
int waiting_choose(struct request *q, struct call *c, const char *verb, const char **out,
                   struct err *e);

/* Reads accept and decline.  "accept chess" while an offer of chess waits may mean that offer, and
 * not all later ones.  1: the sender is told to answer that first. */
int waiting_read(struct request *q, struct call *c, struct err *e);

/* The hint for a player who says no to a game that has just begun; NULL: it has gone on, or belongs
 * to a tournament, where to abort is to lose. */
const char *waiting_way_out(const struct match *m);

/* Refuses a bare accept or decline because nothing or several things wait, and lists them. */
struct note *waiting_refuse(struct request *q, int64_t board, int n, const char *lines);
