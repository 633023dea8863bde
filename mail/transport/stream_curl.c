/* libcurl logs in and hands over the connection: it checks certificates, insists
 * on STARTTLS and knows the ways of authentication, which the IMAP library does
 * not. */
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

#include "mail/transport/secure.h"
#include "mail/transport/stream.h"

static ssize_t curl_read(void *self, void *buf, size_t n)
{
	size_t got = 0;
	CURLcode code = curl_easy_recv(self, buf, n, &got);

	errno = code == CURLE_AGAIN ? EAGAIN : EIO;
	return code == CURLE_OK ? (ssize_t)got : -1;
}

static ssize_t curl_write(void *self, const void *buf, size_t n)
{
	size_t done = 0;
	CURLcode code = curl_easy_send(self, buf, n, &done);

	errno = code == CURLE_AGAIN ? EAGAIN : EIO;
	return code == CURLE_OK ? (ssize_t)done : -1;
}

/* libcurl would say LOGOUT or QUIT, and wait for what comes; a POP3 server deletes
 * at QUIT what we may not want deleted.  The sessions say these words themselves. */
static void curl_close(void *self)
{
	curl_socket_t fd;

	if (curl_easy_getinfo(self, CURLINFO_ACTIVESOCKET, &fd) == CURLE_OK &&
	    fd != CURL_SOCKET_BAD)
		shutdown(fd, SHUT_RDWR);
	curl_easy_cleanup(self);
}

static const struct mail_stream_ops ops = {
	.read = curl_read,
	.write = curl_write,
	.close = curl_close,
};

static unsigned set_options(CURL *h, const struct mail_account *acc, const char *url, char *text)
{
	unsigned bad = mail_secure(h, acc, url, "imap,imaps,pop3,pop3s", NULL, text);

	bad |= curl_set(h, CURLOPT_TCP_KEEPALIVE, 1L);
	bad |= curl_set(h, CURLOPT_CONNECTTIMEOUT, acc->timeout);
	bad |= curl_set(h, CURLOPT_SERVER_RESPONSE_TIMEOUT, acc->timeout);
	return bad | curl_set(h, CURLOPT_TIMEOUT, 2 * acc->timeout);
}

static const char *explain(CURLcode code)
{
	static const struct {
		CURLcode code;
		const char *text;
	} table[] = {
		{ CURLE_COULDNT_RESOLVE_HOST, "there is no such host" },
		{ CURLE_COULDNT_CONNECT, "nobody answers there" },
		{ CURLE_OPERATION_TIMEDOUT, "no answer in time" },
		{ CURLE_PEER_FAILED_VERIFICATION,
		  "its certificate is not to be trusted; nothing secret was sent" },
		{ CURLE_SSL_CACERT_BADFILE, "the file of authorities can't be read" },
		{ CURLE_SSL_CONNECT_ERROR, "it does not speak TLS as it should" },
		{ CURLE_USE_SSL_FAILED, "it offers no STARTTLS; nothing secret was sent" },
		{ CURLE_LOGIN_DENIED, "user and password, or token, are refused" },
	};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (table[i].code == code)
			return table[i].text;
	return "no connection";
}

int stream_connect(const struct mail_account *acc, struct mail_stream *out, struct err *e)
{
	char url[400], text[CURL_ERROR_SIZE] = "";
	curl_socket_t fd = CURL_SOCKET_BAD;
	int rc = curl_start(e);

	if (rc < 0)
		return rc;
	CURL *h = curl_easy_init();
	if (!h)
		return err_set(e, ERR_TEMP, "libcurl does not start");
	snprintf(url, sizeof url, "%s://%.300s:%d/", acc->scheme, acc->host, acc->port);
	CURLcode code = set_options(h, acc, url, text) ? CURLE_FAILED_INIT : curl_easy_perform(h);
	if (code == CURLE_OK)
		code = curl_easy_getinfo(h, CURLINFO_ACTIVESOCKET, &fd);
	if (code == CURLE_OK && fd == CURL_SOCKET_BAD)
		code = CURLE_COULDNT_CONNECT;
	curl_set(h, CURLOPT_ERRORBUFFER, NULL);
	if (code != CURLE_OK) {
		err_set(e, ERR_TEMP, "%s://%.150s:%d: %s (%.150s)", acc->scheme, acc->host,
		        acc->port, explain(code), *text ? text : curl_easy_strerror(code));
		curl_easy_cleanup(h);
		return ERR_TEMP;
	}
	out->ops = &ops;
	out->self = h;
	out->fd = fd;
	return 0;
}
