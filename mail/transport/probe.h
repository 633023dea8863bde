/* Tries a mail server: connects, checks its certificate, logs in, and goes away.  No mail is
 * fetched or sent.  Or asks a web server for a page. */
#pragma once

#include <stdint.h>

#include "mail/transport/mail_account.h"
#include "pbm/base/err.h"
#include "pbm/base/str.h"

/* The stage at which a probe ended. */
enum mail_probe_end { PROBE_UNREACHABLE, PROBE_CERTIFICATE, PROBE_LOGIN, PROBE_FINE };

struct mail_probe {
	enum mail_probe_end end; /* the step that failed */
	int64_t expires;         /* Unix seconds: the first certificate to end; 0: not known */
	struct err why;          /* set unless end is PROBE_FINE */
};

void mail_probe(const struct mail_account *acc, struct mail_probe *out);

/* Fetches the page at this address of a web server, at most out's limit of it; follows
 * redirections.  Returns its status, as 200 or 404; ERR_TEMP: no answer, or too large a one. */
int mail_probe_page(const char *url, long seconds, struct str *out, struct err *e);
