/* Finds out which player sent a mail, from its From, its reply tokens and the
 * players' confirmed addresses.  Passwords are checked later (password.h), with the
 * command that contains them. */
#pragma once

#include <stdbool.h>

#include "pbm/request/request.h"

/* Fills q->who.  by_operator: pbm talk made the mail, so From is proved.  <0: the
 * store failed. */
int identify_sender(struct request *q, bool by_operator, struct err *e);
