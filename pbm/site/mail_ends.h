/* The servers that a site talks to: the source its mail comes from, the sink it goes to, and the
 * bucket of its web pages. */
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

/* Does archive-dir name a bucket, and no folder? */
bool mail_ends_has_bucket(const struct site *s);

/* Reads that bucket's account; its secret is not read.  Errors as mail_ends_account(). */
int mail_ends_bucket(const struct site *s, struct arena *a, struct mail_account *out,
                     struct err *e);
