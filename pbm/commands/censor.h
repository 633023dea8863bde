/* Who takes no messages from whom. */
#ifndef PBM_COMMANDS_CENSOR_H
#define PBM_COMMANDS_CENSOR_H

#include <stdbool.h>

#include "pbm/request/request.h"

/* Does p take no messages from this player?  The setting censor lists userids. */
bool censor_has(const struct player_doc *p, const char *userid);

/* The same for a player by his userid; false when there is no such player. */
bool censor_is_by(struct request *q, const char *reader, const char *userid);

/* The text, if the reader takes messages from this player; else NULL, and the sender is told. */
const char *censor_comment(struct request *q, const char *reader, const char *by, const char *text);

#endif
