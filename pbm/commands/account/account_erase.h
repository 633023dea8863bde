/* Erases what other places of the site keep about an account that is deleted: mails that wait to
 * be sent to its confirmed addresses, and the marks of mails that came from them.  An address
 * that is not confirmed may be somebody else's. */
#ifndef PBM_COMMANDS_ACCOUNT_ACCOUNT_ERASE_H
#define PBM_COMMANDS_ACCOUNT_ACCOUNT_ERASE_H

#include "pbm/request/request.h"

int account_erase(struct request *q, const struct player_doc *p, struct err *e);

#endif
