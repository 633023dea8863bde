/* The command that plays a turn. */
#pragma once

#include "pbm/commands/words/command.h"

/* Is the line a turn that seat may play on m now?  Tells nobody. */
bool turn_is_legal(struct request *q, const struct match *m, uint8_t seat, const char *line);

/* 1: the turn in c->rest, which needs a proof, could not be played now. */
int turn_read(struct request *q, struct call *c, struct err *);

struct play;
typedef int turn_do_fn(struct request *q, struct match *m, const struct play *p, struct err *e);

/* Refuses an answer to a mail about an older position; false: refused. */
bool turn_check_stale(struct request *q, const struct call *c);

/* Reads the turn in c->rest and calls act with it, or refuses it with the reason. */
int turn_run_as(struct request *q, struct call *c, turn_do_fn *act, struct err *e);

/* Plays the turn in c->rest, or refuses it with the reason. */
int turn_run(struct request *q, struct call *c, struct err *e);
