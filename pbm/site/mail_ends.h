/* The two ends of a site's mail: the source it comes from and the sink it goes
 * to. */
#ifndef PBM_SITE_MAIL_ENDS_H
#define PBM_SITE_MAIL_ENDS_H

#include "mail/transport/transport.h"
#include "pbm/site/site.h"

/* Open the source and the sink that pbm.conf names; ERR_BAD when the setting is
 * not one of the known kinds. */
int mail_ends_source(const struct site *s, struct mail_source *out, struct err *e);

int mail_ends_sink(const struct site *s, struct mail_sink *out, struct err *e);

#endif
