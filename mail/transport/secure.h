/* Connections to mail servers.  libcurl opens them, speaks TLS, checks the server's
 * certificate and name, and logs in.  After that the caller reads and writes the bytes of
 * IMAP, POP3 or SMTP.  There is no way to a connection without TLS. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "mail/transport/curl.h"
#include "mail/transport/mail_account.h"
#include "pbm/base/err.h"

/* In what the protocols differ. */
struct secure_way {
	const char *protocols;  /* as CURLOPT_PROTOCOLS_STR has them */
	const char *mechanisms; /* SASL for a password, as CURLOPT_LOGIN_OPTIONS has it; NULL:
	                         * libcurl chooses */
	const char *path;       /* the URL's path; for SMTP our name in EHLO */
	bool first_answer;      /* sends SASL's first answer with AUTH (RFC 4954 §4), which saves a
	                         * round trip */
	long seconds;           /* the login may take so long */
	curl_write_callback on_line; /* gets each line of the server until the login is over; or
	                              * NULL */
	void *arg;                   /* for on_line */
	bool certificate;            /* keeps the server's certificates for secure_expires() */
};

struct secure_failure {
	CURLcode code; /* CURLE_OK: the connection is open */
	char text[CURL_ERROR_SIZE];
	const char *setting; /* the one that names authorities: source-ca or sink-ca */
};

/* Opens a connection for acc and logs in, if acc has a user.  TLS is 1.2 or later, from the
 * first byte or by STARTTLS, and nothing secret is said before the certificate and the name
 * of the server are checked.  Connecting, and each answer of the server, may take acc->timeout seconds.
 * Returns the handle, and in *fd the socket to poll().  NULL: *failure says why. */
CURL *secure_open(const struct mail_account *acc, const struct secure_way *way, int *fd,
                  struct secure_failure *failure);

/* The earliest end of the server's certificates, in Unix seconds; 0: it is not known. */
int64_t secure_expires(void *curl);

/* Says in a sentence for the operator why secure_open() failed, followed by detail in brackets;
 * NULL: libcurl's own words.  Returns ERR_PERM when somebody must change something, like the
 * password or the certificate, else ERR_TEMP. */
int secure_explain(const struct secure_failure *failure, const char *detail, struct err *e);

/* As read() and write() on a socket that does not block: the number of bytes; 0: the server
 * closed the connection; -1: errno is EAGAIN when poll() must be called, else EIO. */
ssize_t secure_read(void *curl, void *buf, size_t n);
ssize_t secure_write(void *curl, const void *bytes, size_t n);

/* Closes the connection without a word to the server: libcurl would say LOGOUT or QUIT and wait
 * for the answer, and a POP3 server deletes mails at QUIT. */
void secure_close(void *curl);
