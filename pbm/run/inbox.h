/* Mails in the inbox of the store (store/shared/store_inbox.h): putting them there, and taking them. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/site/site.h"

/* Adds the mail, with the time when its source got it.  In a transaction or outside of one. */
int inbox_add(struct site *site, const struct mail_raw *raw, struct err *e);

/* A source that gives each mail of the inbox, the oldest first, and ends after each 64 of them. */
void inbox_open(struct site *site, struct mail_source *out);

/* false: all mails were given.  Else the source goes on. */
bool inbox_next_round(struct mail_source *inbox);
