/* A copied mail header above a quote (From:, Sent:, Subject:). */
#ifndef MAIL_REPLY_REPLY_HEADER_H
#define MAIL_REPLY_REPLY_HEADER_H

#include "mail/reply/reply_class.h"

/* The lines behind the header block ("From: … Sent: …") that begins at line i,
 * or i if none does.  after_rule: a line above says that one comes. */
size_t reply_header_end(const struct reply_lines *l, size_t i, bool after_rule);

#endif
