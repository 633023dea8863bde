/* libcurl logs in and hands over the connection: it checks certificates, insists
 * on STARTTLS and knows the ways of authentication, which the IMAP library does
 * not. */
#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

#include "mail/stream.h"

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

	if (curl_easy_getinfo(self, CURLINFO_ACTIVESOCKET, &fd) == CURLE_OK && fd != CURL_SOCKET_BAD)
		shutdown(fd, SHUT_RDWR);
	curl_easy_cleanup(self);
}

static const struct mail_stream_ops ops = {
	.read = curl_read, .write = curl_write, .close = curl_close,
};

static CURLcode set_login(CURL *h, const struct mail_account *acc)
{
	CURLcode bad = CURLE_OK;

	bad |= curl_easy_setopt(h, CURLOPT_USERNAME, acc->user);
	if (acc->token) {
		/* Else it tries the empty password with a server that knows neither. */
		bad |= curl_easy_setopt(h, CURLOPT_LOGIN_OPTIONS, "AUTH=OAUTHBEARER;AUTH=XOAUTH2");
		bad |= curl_easy_setopt(h, CURLOPT_XOAUTH2_BEARER, acc->token);
	} else if (acc->password) {
		bad |= curl_easy_setopt(h, CURLOPT_PASSWORD, acc->password);
	}
	return bad;
}

/* Everything that keeps a secret secret is said, standard or not. */
static CURLcode set_options(CURL *h, const struct mail_account *acc, const char *url, char *text)
{
	CURLcode bad = set_login(h, acc);

	bad |= curl_easy_setopt(h, CURLOPT_URL, url);
	bad |= curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "imap,imaps,pop3,pop3s");
	bad |= curl_easy_setopt(h, CURLOPT_CONNECT_ONLY, 1L);
	bad |= curl_easy_setopt(h, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
	bad |= curl_easy_setopt(h, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	bad |= curl_easy_setopt(h, CURLOPT_SSL_VERIFYPEER, 1L);
	bad |= curl_easy_setopt(h, CURLOPT_SSL_VERIFYHOST, 2L);
	if (acc->ca)
		bad |= curl_easy_setopt(h, CURLOPT_CAINFO, acc->ca);
	bad |= curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
	bad |= curl_easy_setopt(h, CURLOPT_TCP_KEEPALIVE, 1L);
	bad |= curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT, acc->timeout);
	bad |= curl_easy_setopt(h, CURLOPT_SERVER_RESPONSE_TIMEOUT, acc->timeout);
	bad |= curl_easy_setopt(h, CURLOPT_TIMEOUT, 2 * acc->timeout);
	bad |= curl_easy_setopt(h, CURLOPT_ERRORBUFFER, text);
	return bad;
}

static const char *explain(CURLcode code)
{
	static const struct { CURLcode code; const char *text; } table[] = {
		{ CURLE_COULDNT_RESOLVE_HOST, "there is no such host" },
		{ CURLE_COULDNT_CONNECT, "nobody answers there" },
		{ CURLE_OPERATION_TIMEDOUT, "no answer in time" },
		{ CURLE_PEER_FAILED_VERIFICATION, "its certificate is not to be trusted; nothing secret was sent" },
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
	CURL *h = curl_easy_init();

	if (!h)
		return err_set(e, ERR_TEMP, "libcurl does not start");
	snprintf(url, sizeof url, "%s://%.300s:%d/", acc->scheme, acc->host, acc->port);
	CURLcode code = set_options(h, acc, url, text) ? CURLE_FAILED_INIT : curl_easy_perform(h);
	if (code == CURLE_OK)
		code = curl_easy_getinfo(h, CURLINFO_ACTIVESOCKET, &fd);
	if (code == CURLE_OK && fd == CURL_SOCKET_BAD)
		code = CURLE_COULDNT_CONNECT;
	curl_easy_setopt(h, CURLOPT_ERRORBUFFER, NULL);
	if (code != CURLE_OK) {
		err_set(e, ERR_TEMP, "%s://%.150s:%d: %s (%.150s)", acc->scheme, acc->host, acc->port,
		        explain(code), *text ? text : curl_easy_strerror(code));
		curl_easy_cleanup(h);
		return ERR_TEMP;
	}
	out->ops = &ops;
	out->self = h;
	out->fd = fd;
	return 0;
}
