/* Reads the URL of a mailbox or a submission server from pbm.conf:
 * imaps://bob%40example.org@mail.example.org:993/INBOX.  The scheme says how TLS begins;
 * every scheme uses TLS, but http to a bucket on this machine.  Connects to nothing. */
#pragma once

#include <stdbool.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

struct mail_account {
	const char *
		scheme; /* imap, imaps, pop3, pop3s, smtp, smtps, lower case; of a bucket https or http */
	bool starttls; /* imap, pop3, smtp: plain until STARTTLS, which must come */
	const char *host;
	int port;           /* the scheme's own when the URL has none */
	const char *user;   /* percent-decoded, "" when the URL has none */
	const char *folder; /* the part after the host, percent-decoded; "" for none */

	/* Filled in by the caller; NULL when there is none. */
	const char *secret; /* the path of a file, or MAIL_ACCOUNT_COMMAND and a command line: its
	                     * first line is the password */
	bool is_token;      /* it is an OAuth 2 access token */
	const char *ca;     /* PEM file of the authorities; NULL: the system's */
	const char *hello;  /* SMTP: our host name for EHLO; NULL: localhost.  A bucket's region */
	long timeout;       /* seconds without progress after which we give up */
	/* In the process that talks to the server alone: what it has read there. */
	const char *password, *token;
	bool unfiltered; /* a process may read the server's answers where the kernel refuses
	                    * the filter of system calls */
};

/* Reads url into *out.  ERR_BAD says what is wrong with url.  Strings live in the arena. */
int mail_account_read(struct arena *a, const char *url, struct mail_account *out, struct err *e);

/* The same for a bucket of web pages: s3://KEY-ID@BUCKET/PREFIX at Amazon, or https://KEY-ID@HOST/BUCKET/PREFIX.
 * The user is the key's ID, the folder is BUCKET/PREFIX, and hello is the region, which must
 * outlive the account. */
int mail_account_read_bucket(struct arena *a, const char *url, const char *region,
                             struct mail_account *out, struct err *e);

/* The command line of a secret; NULL: it is a file. */
const char *mail_account_command(const char *secret);
#define MAIL_ACCOUNT_COMMAND "command:"

/* A copy with all its strings in the arena. */
struct mail_account mail_account_copy(struct arena *a, const struct mail_account *acc);

/* "scheme://host:port", for messages: without user and secrets. */
const char *mail_account_name(struct arena *a, const struct mail_account *acc);
