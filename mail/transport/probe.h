/* Tries a mail server: connects, checks its certificate, logs in, and goes away.  No mail is
 * fetched or sent. */
#ifndef MAIL_TRANSPORT_PROBE_H
#define MAIL_TRANSPORT_PROBE_H

#include <stdint.h>

#include "mail/transport/mail_account.h"
#include "pbm/base/err.h"

/* How far it came. */
enum mail_probe_end { PROBE_UNREACHABLE, PROBE_CERTIFICATE, PROBE_LOGIN, PROBE_FINE };

struct mail_probe {
	enum mail_probe_end end; /* what failed */
	int64_t expires;         /* Unix seconds: the first certificate to end; 0: not known */
	struct err why;          /* set unless end is PROBE_FINE */
};

void mail_probe(const struct mail_account *acc, struct mail_probe *out);

#endif
