/* The line above a quote: "On Tuesday bob wrote:". */
#ifndef MAIL_REPLY_REPLY_ATTRIBUTION_H
#define MAIL_REPLY_REPLY_ATTRIBUTION_H

#include "mail/reply/reply_class.h"

/* A year of our times, a time of day or a date in digits is in the text. */
bool reply_has_date(const char *flat);

/* Finds "On … wrote:" of one to four lines; the last becomes LINE_ATTRIBUTION,
 * those above it LINE_DROPPED. */
void reply_mark_attributions(struct reply_lines *l);

/* Does the first line below i that is not empty quote? */
bool reply_quote_follows(const struct reply_lines *l, size_t i);

#endif
