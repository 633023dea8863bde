#include "mail/transport/smtp_wire.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mail/transport/secure.h"
#include "mail/transport/smtp_talk.h"

#define WORDS_MAX 65536 /* of a server until it lets us in */

/* What the server says while libcurl talks to it. */
struct greeting {
	size_t bytes;
	unsigned abilities;
	bool logged_in;
	struct smtp_reply last;
};

static void note_ability(struct greeting *g, const char *line, size_t n)
{
	static const struct {
		const char *word;
		enum smtp_ability ability;
	} words[] = {
		{ "PIPELINING", SMTP_PIPELINING },
		{ "SIZE", SMTP_SIZE },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		size_t len = strlen(words[i].word);

		if (n >= 4 + len && strncasecmp(line + 4, words[i].word, len) == 0 &&
		    (n == 4 + len || strchr(" \r\n", line[4 + len])))
			g->abilities |= words[i].ability;
	}
}

/* libcurl hands over each line of a reply.  235 says that a login was accepted
 * (RFC 4954 §6); a new EHLO after STARTTLS makes the first one's words void. */
static size_t on_line(char *line, size_t size, size_t count, void *arg)
{
	struct greeting *g = arg;
	size_t n = size * count, used;
	struct err e = { 0 };

	g->bytes += n;
	if (g->bytes > WORDS_MAX)
		return 0;
	if (n >= 4 && strncmp(line, "220", 3) == 0)
		g->abilities = 0;
	if (n >= 4 && strncmp(line, "250", 3) == 0)
		note_ability(g, line, n);
	g->logged_in |= n >= 4 && strncmp(line, "235", 3) == 0;
	if (smtp_reply_read(&g->last, line, n, &used, &e) < 0)
		g->last = (struct smtp_reply){ 0 };
	return n;
}

static unsigned set_options(CURL *c, const struct mail_account *acc, struct greeting *g, char *text)
{
	char url[900];

	snprintf(url, sizeof url, "%s://%.300s:%d/%.300s", acc->scheme, acc->host, acc->port,
	         acc->hello ? acc->hello : "localhost");
	/* Behind a checked certificate the plain mechanisms are the safe choice: the
	 * others are older, and what libcurl finds in a list depends on how it was
	 * built. */
	unsigned bad = mail_secure(c, acc, url, "smtp,smtps", "AUTH=PLAIN;AUTH=LOGIN", text);
	bad |= curl_set(c, CURLOPT_SASL_IR, 1L);
	bad |= curl_set(c, CURLOPT_TIMEOUT, acc->timeout);
	bad |= curl_set(c, CURLOPT_HEADERFUNCTION, on_line);
	return bad | curl_set(c, CURLOPT_HEADERDATA, g);
}

/* The server's words are repeated where no secret can have been said before;
 * what follows a login may quote it. */
static const struct failure {
	CURLcode code;
	enum err_code rc;
	bool quote;
	const char *text;
} failures[] = {
	{ CURLE_COULDNT_RESOLVE_HOST, ERR_TEMP, false, "the host is not found" },
	{ CURLE_COULDNT_CONNECT, ERR_TEMP, false, "nobody answers there" },
	{ CURLE_OPERATION_TIMEDOUT, ERR_TEMP, false, "no answer in time" },
	{ CURLE_PEER_FAILED_VERIFICATION, ERR_PERM, false,
	  "its certificate can't be trusted, and nothing was sent" },
	{ CURLE_SSL_CACERT_BADFILE, ERR_PERM, false, "the file of authorities can't be read" },
	{ CURLE_USE_SSL_FAILED, ERR_PERM, false, "it offers no STARTTLS, and nothing was sent" },
	{ CURLE_WEIRD_SERVER_REPLY, ERR_TEMP, true, "it does not let us in" },
	{ CURLE_REMOTE_ACCESS_DENIED, ERR_TEMP, true, "it does not let us in" },
	{ CURLE_LOGIN_DENIED, ERR_PERM, false, "it refuses the user, the password or the token" },
	{ CURLE_WRITE_ERROR, ERR_TEMP, false, "it talks without end" },
	{ CURLE_OK, ERR_TEMP, false, "no connection" },
};

static int explain(CURLcode code, const struct greeting *g, const char *text, struct err *e)
{
	const struct failure *f = failures;
	struct err words = { 0 };

	while (f->code != code && f->code != CURLE_OK)
		f++;
	/* A login that is refused for now only, RFC 4954 §4. */
	enum err_code rc = code == CURLE_LOGIN_DENIED && g->last.code / 100 == 4 ? ERR_TEMP : f->rc;
	if (f->quote && g->last.code)
		err_set(&words, rc, "%d %s", g->last.code, g->last.text);
	else if (code == CURLE_LOGIN_DENIED)
		err_set(&words, rc, "%d", g->last.code);
	else
		err_set(&words, rc, "%.200s", *text ? text : curl_easy_strerror(code));
	/* libcurl's sentences quote certificates. */
	for (char *p = words.text; *p; p++)
		if (*p < ' ' || *p >= 0x7f)
			*p = '?';
	return err_set(e, rc, "%s (%.330s)", f->text, words.text);
}

int smtp_wire_open(const struct mail_account *acc, struct smtp_wire *out, struct err *e)
{
	struct greeting g = { 0 };
	char text[CURL_ERROR_SIZE] = "";
	curl_socket_t fd = CURL_SOCKET_BAD;
	CURL *c = curl_easy_init();

	if (!c)
		return err_set(e, ERR_TEMP, "libcurl does not start");
	CURLcode code = set_options(c, acc, &g, text) ? CURLE_FAILED_INIT : curl_easy_perform(c);
	if (code == CURLE_OK)
		code = curl_easy_getinfo(c, CURLINFO_ACTIVESOCKET, &fd);
	if (code == CURLE_OK && fd == CURL_SOCKET_BAD)
		code = CURLE_COULDNT_CONNECT;
	/* They end with this function. */
	curl_set(c, CURLOPT_ERRORBUFFER, NULL);
	curl_set(c, CURLOPT_HEADERFUNCTION, NULL);
	curl_set(c, CURLOPT_HEADERDATA, NULL);
	int rc = code == CURLE_OK ? 0 : explain(code, &g, text, e);
	/* libcurl shrugs when a server offers no login at all. */
	if (rc == 0 && *acc->user && !g.logged_in)
		rc = err_set(e, ERR_PERM, "it offers no way to log in");
	if (rc < 0) {
		curl_easy_cleanup(c);
		return rc;
	}
	*out = (struct smtp_wire){ .curl = c, .fd = fd, .abilities = g.abilities };
	return 0;
}

long smtp_wire_send(struct smtp_wire *w, const char *bytes, size_t n)
{
	size_t done = 0;
	CURLcode code = curl_easy_send(w->curl, bytes, n, &done);

	return code == CURLE_OK ? (long)done : code == CURLE_AGAIN ? 0 : -1;
}

long smtp_wire_receive(struct smtp_wire *w, char *buf, size_t size)
{
	size_t got = 0;
	CURLcode code = curl_easy_recv(w->curl, buf, size, &got);

	if (code == CURLE_AGAIN)
		return 0;
	return code == CURLE_OK && got ? (long)got : -1;
}

void smtp_wire_close(struct smtp_wire *w)
{
	static const char quit[] = "QUIT\r\n";

	if (w->curl) {
		smtp_wire_send(w, quit, sizeof quit - 1);
		curl_easy_cleanup(w->curl);
	}
	*w = (struct smtp_wire){ 0 };
}
