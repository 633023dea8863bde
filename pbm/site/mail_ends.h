/* The two ends of a site's mail: the source it comes from and the sink it goes
 * to. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/site/site.h"

/* Open the source and the sink that pbm.conf names; ERR_BAD when the setting is
 * not one of the known kinds. */
int mail_ends_source(const struct site *s, struct mail_source *out, struct err *e);

/* Opens the newest mails that a source has filed under Processed, at most MAIL_ENDS_FILED of
 * them, to look at.  They must not be settled.  ERR_BAD: that kind of source keeps none. */
#define MAIL_ENDS_FILED 20
int mail_ends_filed(const struct site *s, struct mail_source *out, struct err *e);

/* The mail server of the source, or of the sink, whose secret is not read.  1: *out is it; 0: it is no
 * mail server; <0: what is wrong with the settings. */
int mail_ends_account(const struct site *s, struct arena *a, bool sink, struct mail_account *out,
                      struct err *e);

int mail_ends_sink(const struct site *s, struct mail_sink *out, struct err *e);
