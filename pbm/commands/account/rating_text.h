/* Texts that commands about ratings share: names of games and players, and tables. */
#pragma once

#include "pbm/request/request.h"

/* A player's name as its owner writes it, followed by " (C)" if it is a computer. *computer may
 * be NULL. */
const char *rating_text_name(struct request *q, const char *userid, bool *computer);

/* A note with a player's ratings and places. */
int rating_text_rank(struct request *q, const char *userid, struct err *e);
