/* Runs "move 17 pass" and "move 17 swap" as the commands pass and swap. */
#pragma once

#include "pbm/commands/words/command.h"

int cmd_ahead_pass(struct request *q, struct call *c, struct err *e);
int cmd_ahead_swap(struct request *q, struct call *c, struct err *e);
