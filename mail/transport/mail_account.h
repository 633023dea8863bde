/* A mailbox or a submission server on the network, as a URL of pbm.conf names it:
 * imaps://bob%40example.org@mail.example.org:993/INBOX.  The scheme says how TLS
 * begins; there is no connection without TLS. */
#ifndef MAIL_TRANSPORT_MAIL_ACCOUNT_H
#define MAIL_TRANSPORT_MAIL_ACCOUNT_H

#include <stdbool.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

struct mail_account {
	const char *scheme; /* imap, imaps, pop3, pop3s, smtp, smtps, lower case */
	bool starttls;      /* imap, pop3, smtp: TLS begins with STARTTLS, else at once */
	const char *host;
	int port;           /* the scheme's own when the URL has none */
	const char *user;   /* percent-decoded, "" when the URL has none */
	const char *folder; /* the URL's path, percent-decoded; "" for none */

	/* The caller fills in these; NULL: there is none. */
	const char *password;
	const char *token; /* OAuth 2 access token, instead of a password */
	const char *ca;    /* PEM file of the authorities; NULL: the system's */
	const char *hello; /* SMTP: our host name for EHLO; NULL: localhost */
	long timeout;      /* seconds that a server may be silent */
};

/* Reads url into *out.  ERR_BAD says what is wrong with url; ERR_TEMP: libcurl does not
 * start.  Strings live in the arena. */
int mail_account_read(struct arena *a, const char *url, struct mail_account *out, struct err *e);

/* A copy of acc, whose strings live in the arena. */
struct mail_account mail_account_copy(struct arena *a, const struct mail_account *acc);

/* scheme://host:port, for messages: neither user nor secret. */
const char *mail_account_name(struct arena *a, const struct mail_account *acc);

#endif
