/* The line above a quote: "On Tuesday bob wrote:". */
#ifndef MAIL_REPLY_REPLY_ATTRIBUTION_H
#define MAIL_REPLY_REPLY_ATTRIBUTION_H

#include "mail/reply/reply_class.h"

/* Finds "On … wrote:" of one to four lines; the last becomes LINE_ATTRIBUTION,
 * those above it LINE_DROPPED. */
void reply_mark_attributions(struct reply_lines *l);

#endif
