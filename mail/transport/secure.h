/* What every connection to a mail server has in common, set in one place: TLS
 * that is checked, no way around it, and the login. */
#ifndef MAIL_TRANSPORT_SECURE_H
#define MAIL_TRANSPORT_SECURE_H

#include "mail/transport/curl.h"
#include "mail/transport/mail_account.h"

/* Sets up a handle that only connects (CURLOPT_CONNECT_ONLY): the certificate and
 * the host's name must be right, STARTTLS must come, before anything secret is
 * said.  mechanisms: of SASL for a password, as CURLOPT_LOGIN_OPTIONS has them, or
 * NULL for libcurl's choice.  why: CURL_ERROR_SIZE bytes that live as long as the
 * handle.  Not 0: an option was refused, don't connect. */
unsigned mail_secure(CURL *c, const struct mail_account *acc, const char *url,
                     const char *protocols, const char *mechanisms, char *why);

#endif
