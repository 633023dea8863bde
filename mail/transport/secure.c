#include "mail/transport/secure.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "pbm/base/str.h"

static unsigned set_login(CURL *c, const struct mail_account *acc, const char *mechanisms)
{
	unsigned bad = 0;

	if (!*acc->user)
		return 0;
	bad |= curl_set(c, CURLOPT_USERNAME, acc->user);
	if (acc->token) {
		/* Without this option libcurl tries an empty password when the server knows
		 * neither of the two mechanisms for tokens. */
		bad |= curl_set(c, CURLOPT_LOGIN_OPTIONS, "AUTH=OAUTHBEARER;AUTH=XOAUTH2");
		bad |= curl_set(c, CURLOPT_XOAUTH2_BEARER, acc->token);
		return bad;
	}
	if (mechanisms)
		bad |= curl_set(c, CURLOPT_LOGIN_OPTIONS, mechanisms);
	return bad | curl_set(c, CURLOPT_PASSWORD, acc->password ? acc->password : "");
}

static unsigned set_options(CURL *c, const struct mail_account *acc, const struct secure_way *way,
                            char *text)
{
	const char *url = PRINTED(900, "%s://%.300s:%d/%.300s", acc->scheme, acc->host, acc->port,
	                          way->path);
	unsigned bad = set_login(c, acc, way->mechanisms) | curl_set_tls(c, acc->ca);
	bad |= curl_set(c, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
	bad |= curl_set(c, CURLOPT_URL, url);
	bad |= curl_set(c, CURLOPT_PROTOCOLS_STR, way->protocols);
	bad |= curl_set(c, CURLOPT_CERTINFO, way->certificate ? 1L : 0L);
	bad |= curl_set(c, CURLOPT_CONNECT_ONLY, 1L);
	bad |= curl_set(c, CURLOPT_SASL_IR, way->first_answer ? 1L : 0L);
	/* The proxy that the environment names is for browsers. */
	bad |= curl_set(c, CURLOPT_PROXY, "");
	bad |= curl_set(c, CURLOPT_TCP_KEEPALIVE, 1L);
	bad |= curl_set(c, CURLOPT_NOSIGNAL, 1L);
	bad |= curl_set(c, CURLOPT_CONNECTTIMEOUT, acc->timeout);
	bad |= curl_set(c, CURLOPT_SERVER_RESPONSE_TIMEOUT, acc->timeout);
	bad |= curl_set(c, CURLOPT_TIMEOUT, way->seconds);
	bad |= curl_set(c, CURLOPT_HEADERFUNCTION, way->on_line);
	bad |= curl_set(c, CURLOPT_HEADERDATA, way->arg);
	return bad | curl_set(c, CURLOPT_ERRORBUFFER, text);
}

CURL *secure_open(const struct mail_account *acc, const struct secure_way *way, int *fd,
                  struct secure_failure *failure)
{
	curl_socket_t s = CURL_SOCKET_BAD;
	CURL *c = curl_easy_init();

	*failure = (struct secure_failure){
		.code = CURLE_FAILED_INIT,
		.setting = acc->scheme[0] == 's' ? "sink-ca" : "source-ca",
	};
	if (!c)
		return NULL;
	if (set_options(c, acc, way, failure->text) == 0)
		failure->code = curl_easy_perform(c);
	if (failure->code == CURLE_OK)
		failure->code = curl_easy_getinfo(c, CURLINFO_ACTIVESOCKET, &s);
	if (failure->code == CURLE_OK && s == CURL_SOCKET_BAD)
		failure->code = CURLE_COULDNT_CONNECT;
	/* The caller's memory, which the handle may outlive. */
	curl_set(c, CURLOPT_ERRORBUFFER, NULL);
	curl_set(c, CURLOPT_HEADERFUNCTION, NULL);
	curl_set(c, CURLOPT_HEADERDATA, NULL);
	*fd = s;
	if (failure->code == CURLE_OK)
		return c;
	curl_easy_cleanup(c);
	return NULL;
}

/* "Expire date:Dec 22 11:00:41 2026 GMT" of OpenSSL, "Expire Date:2026-12-22 11:00:41 GMT" of
 * GnuTLS, which curl_getdate() understands without the hyphens.  0: another line. */
static int64_t read_expiry(const char *line)
{
	size_t n = str_prefix(line, "Expire date:");
	struct str date = STR_LOCAL(80);

	for (const char *p = line + n; n && *p; p++)
		if (*p != '-')
			str_add_char(&date, *p);
	time_t t = n ? curl_getdate(date.data, NULL) : 0;
	return t > 0 ? (int64_t)t : 0;
}

int64_t secure_expires(void *curl)
{
	struct curl_certinfo *chain = NULL;
	int64_t first = 0;

	if (curl_easy_getinfo(curl, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain)
		return 0;
	for (int i = 0; i < chain->num_of_certs; i++)
		for (const struct curl_slist *l = chain->certinfo[i]; l; l = l->next) {
			int64_t t = read_expiry(l->data);

			if (t && (!first || t < first))
				first = t;
		}
	return first;
}

static const struct explanation {
	CURLcode code;
	enum err_code rc;
	const char *text;
} explanations[] = {
	{ CURLE_COULDNT_RESOLVE_HOST, ERR_TEMP, "the host is not found" },
	{ CURLE_COULDNT_CONNECT, ERR_TEMP, "nobody answers there" },
	{ CURLE_OPERATION_TIMEDOUT, ERR_TEMP, "no answer in time" },
	{ CURLE_PEER_FAILED_VERIFICATION, ERR_PERM,
	  "its certificate can't be trusted, and nothing was sent" },
	{ CURLE_SSL_CACERT_BADFILE, ERR_PERM, "the file of authorities can't be read" },
	{ CURLE_SSL_CONNECT_ERROR, ERR_TEMP, "it does not speak TLS as it should" },
	{ CURLE_USE_SSL_FAILED, ERR_PERM, "it offers no STARTTLS, and nothing was sent" },
	{ CURLE_WEIRD_SERVER_REPLY, ERR_TEMP, "it does not let us in" },
	{ CURLE_REMOTE_ACCESS_DENIED, ERR_TEMP, "it does not let us in" },
	{ CURLE_LOGIN_DENIED, ERR_PERM, "it refuses the user, the password or the token" },
	{ CURLE_WRITE_ERROR, ERR_TEMP, "it talks without end" },
	{ CURLE_OK, ERR_TEMP, "no connection" },
};

int secure_explain(const struct secure_failure *failure, const char *detail, struct err *e)
{
	const struct explanation *x = explanations;
	char words[330];

	while (x->code != failure->code && x->code != CURLE_OK)
		x++;
	if (!detail)
		detail = *failure->text ? failure->text : curl_easy_strerror(failure->code);
	snprintf(words, sizeof words, "%s", detail);
	/* libcurl quotes the server's certificate, which may hold any byte. */
	for (char *p = words; *p; p++)
		if (*p < ' ' || *p >= 0x7f)
			*p = '?';
	/* libcurl names a file that pbm does not use. */
	char *file = strstr(words, ". CAfile: ");
	if (file)
		*file = '\0';
	if (failure->code != CURLE_PEER_FAILED_VERIFICATION)
		return err_set(e, x->rc, "%s (%s)", x->text, words);
	return err_set(
		e, x->rc,
		"%s (%s); if its authority is your own, name the file with that authority's certificate in %s",
		x->text, words, failure->setting);
}

ssize_t secure_read(void *curl, void *buf, size_t n)
{
	size_t got = 0;
	CURLcode code = curl_easy_recv(curl, buf, n, &got);

	errno = code == CURLE_AGAIN ? EAGAIN : EIO;
	return code == CURLE_OK ? (ssize_t)got : -1;
}

ssize_t secure_write(void *curl, const void *bytes, size_t n)
{
	size_t done = 0;
	CURLcode code = curl_easy_send(curl, bytes, n, &done);

	errno = code == CURLE_AGAIN ? EAGAIN : EIO;
	return code == CURLE_OK ? (ssize_t)done : -1;
}

void secure_close(void *curl)
{
	curl_socket_t fd;

	if (curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, &fd) == CURLE_OK &&
	    fd != CURL_SOCKET_BAD)
		shutdown(fd, SHUT_RDWR);
	curl_easy_cleanup(curl);
}
