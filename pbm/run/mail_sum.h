/* The SHA-256 of a mail's bytes.  It names the mail in quarantine/ and in notes about crashes,
 * and tells whether the same mail came before. */
#pragma once

#include "mail/transport/transport.h"

#define MAIL_SUM 65      /* bytes of the sum in hexadecimal digits, with a NUL */
#define MAIL_SUM_NAME 33 /* the same of a name: the first 32 digits */

void mail_sum(const struct mail_raw *raw, char sum[MAIL_SUM]);
void mail_sum_name(const struct mail_raw *raw, char name[MAIL_SUM_NAME]);
