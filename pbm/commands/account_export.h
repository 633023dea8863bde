/* All that is kept about a player, as one JSON text: the account, his games with the talk in
 * them, what moderators did about him, and what waits for his ok.  It has no password, no
 * token, no hash, and no secrets or addresses of other players. */
#ifndef PBM_COMMANDS_ACCOUNT_EXPORT_H
#define PBM_COMMANDS_ACCOUNT_EXPORT_H

#include "pbm/request/request.h"

/* Appends the text.  ERR_LIMIT: it does not fit. */
int account_export_write(struct request *q, const struct player_doc *p, struct str *out,
                         struct err *e);

#endif
