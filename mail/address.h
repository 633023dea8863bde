/* Reads the mailboxes in From, To and Cc (RFC 5322 §3.4), and checks addresses.
 * Stricter than the RFC: an address that two programs could read in two ways is
 * refused, not guessed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "mail/mail.h"
#include "pbm/base/err.h"

/* The one mailbox of a From value.  *addr has a lower case domain; *name is "" or the display
 * name with its encoded words.  ERR_BAD: no mailbox, more than one, or two addresses of which
 * either could be the sender's. */
int address_read_one(struct arena *a, const char *value, const char **addr, const char **name,
                     struct err *e);

/* Appends the usable addresses of value until out has max. */
void address_read_list(struct arena *a, const char *value, struct mail_strings *out, size_t max);

/* Is addr one printable ASCII address of at most 254 bytes, without any character
 * that could end a header field or an SMTP command? */
bool address_valid(const char *addr);
