/* The way of one mail: gate, parser, robots, mails seen before, its sender, commands, the
 * question if a proof is missing, the answers, the seen mark. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/base/err.h"
#include "pbm/site/site.h"

enum mail_in_flags {
	MAIL_IN_OPERATOR = 1 << 0, /* the mail was made by pbm talk */
	MAIL_IN_PIPE = 1 << 1,     /* an MTA waits: a mail that is too large is refused, not kept */
	MAIL_IN_FETCH = 1 << 2     /* mails are put into the store's inbox, and not worked on */
};

/* Handles one mail inside the store's open transaction and mark.  Returns the
 * fate of the mail and, for MAIL_QUARANTINED, the reason in *e.  <0: the store
 * failed, roll back to the mark. */
int mail_in_work(struct site *site, const struct mail_raw *raw, unsigned flags,
                 enum mail_fate *fate, struct err *e);
