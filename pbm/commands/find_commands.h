/* Finds the commands of a mail, and the prose beside them.  Commands stand in the first line of
 * a reply, in the Subject, or one on each line of the body. */
#pragma once

#include <stdbool.h>

#include "pbm/request/request.h"

/* Has the mail a valid token, and is its first line a legal turn, a short command, or the yes to
 * a question?  Or is it a player's wish under a Subject such as "On vacation"?  A mail with weak signs
 * of a program is answered only then.  To be called after identify_sender(). */
bool find_is_playable(struct request *q);

/* Finds the commands and runs them all.  <0: the store failed. */
int find_commands(struct request *q, struct err *e);
