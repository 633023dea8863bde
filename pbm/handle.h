/* The way of one mail: gate, parser, robot?, seen?, who speaks, commands, the
 * question if one is owed, the answers, the seen mark. */
#ifndef PBM_HANDLE_H
#define PBM_HANDLE_H

#include "mail/transport.h"
#include "pbm/base/err.h"
#include "pbm/site.h"

enum handle_flags {
	HANDLE_OPERATOR = 1 << 0, /* the mail was made by pbm talk */
	HANDLE_PIPE = 1 << 1      /* an MTA waits: a mail too large is refused, not kept */
};

/* Handles one mail inside the store's open transaction and mark.  Returns the
 * fate of the mail and, for MAIL_QUARANTINED, the reason in *e.  MAIL_RETRY:
 * too many senders without a proof in this run; roll back to the mark, another
 * run will do it.  <0: the store failed, roll back to the mark. */
int handle_mail(struct site *site, const struct mail_raw *raw, unsigned flags, enum mail_fate *fate,
                struct err *e);

#endif
