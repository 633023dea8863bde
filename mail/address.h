/* Mailboxes as they stand in From, To and Cc (RFC 5322 §3.4). */
#ifndef MAIL_ADDRESS_H
#define MAIL_ADDRESS_H

#include "mail/mail.h"

/* The one mailbox of a From value.  ERR_BAD when there are more or none, or
 * when two readers could disagree about which address it is.  *addr has a lower
 * case domain; *name is raw (encoded words still in). */
int address_read_one(struct arena *a, const char *value, const char **addr, const char **name,
                     struct err *e);

/* Appends every usable address of value, at most max in all. */
void address_read_list(struct arena *a, const char *value, struct mail_strings *out, size_t max);

/* Printable, at most 254 bytes, one @, nothing that could end a header or an
 * SMTP command.  ASCII only. */
bool address_valid(const char *addr);

#endif
