/* The two ends of a site: the source its mail comes from and the sink it goes to. */
#ifndef PBM_SITE_MAIL_ENDS_H
#define PBM_SITE_MAIL_ENDS_H

#include "mail/transport/mail_account.h"
#include "mail/transport/transport.h"
#include "pbm/site/site.h"

/* The mail server an end names, its secrets read; what is "source" or "sink". */
int mail_ends_account(const struct site *s, struct arena *a, const char *what,
                      const struct site_end *end, struct mail_account *out, struct err *e);

/* Opens the ends that pbm.conf names.  ERR_BAD when it names none. */
int mail_ends_source(const struct site *s, struct mail_source *out, struct err *e);

int mail_ends_sink(const struct site *s, struct mail_sink *out, struct err *e);

#endif
