#include "mail/transport/smtp_wire.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mail/transport/secure.h"
#include "mail/transport/smtp_reply.h"
#include "mail/transport/smtp_talk.h"

#define GREETING_MAX 65536 /* bytes that a server may say until the login is over */

/* The server's words while libcurl talks to it. */
struct greeting {
	size_t bytes;
	unsigned abilities; /* enum smtp_ability */
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

/* libcurl calls this with each line of a reply. */
static size_t on_line(char *line, size_t size, size_t count, void *arg)
{
	struct greeting *g = arg;
	size_t n = size * count, used;
	struct err e = { 0 };

	g->bytes += n;
	if (g->bytes > GREETING_MAX)
		return 0;
	/* After STARTTLS (220) the answer to the first EHLO is void (RFC 3207 §4.2). */
	if (n >= 4 && strncmp(line, "220", 3) == 0)
		g->abilities = 0;
	if (n >= 4 && strncmp(line, "250", 3) == 0)
		note_ability(g, line, n);
	/* The login was accepted (RFC 4954 §6). */
	g->logged_in |= n >= 4 && strncmp(line, "235", 3) == 0;
	if (smtp_reply_read(&g->last, line, n, &used, &e) < 0)
		g->last = (struct smtp_reply){ 0 };
	return n;
}

/* Repeats the server's words only where no secret can have been said before: the refusal of a
 * login may quote the password, and of it only the code is repeated. */
static int explain(const struct secure_failure *failure, const struct smtp_reply *last,
                   struct err *e)
{
	bool denied = failure->code == CURLE_LOGIN_DENIED;
	bool quote = failure->code == CURLE_WEIRD_SERVER_REPLY ||
	             failure->code == CURLE_REMOTE_ACCESS_DENIED;
	struct err why = { 0 };

	const char *words = PRINTED(330, "%d%s%s", last->code, denied ? "" : " ",
	                            denied ? "" : last->text);
	int rc = secure_explain(failure, denied || (quote && last->code) ? words : NULL, &why);
	/* 4xx: the login is refused for now only (RFC 4954 §4). */
	if (denied && last->code / 100 == 4)
		rc = ERR_TEMP;
	return err_set(e, (enum err_code)rc, "%s", why.text);
}

int smtp_wire_open(const struct mail_account *acc, struct smtp_wire *out, struct err *e)
{
	struct greeting g = { 0 };
	const struct secure_way way = {
		.protocols = "smtp,smtps",
		/* Inside TLS the plain mechanisms are the safe choice.  The others are older, and
		 * which of them libcurl knows depends on how it was built. */
		.mechanisms = "AUTH=PLAIN;AUTH=LOGIN",
		.path = acc->hello ? acc->hello : "localhost",
		.first_answer = true,
		.seconds = acc->timeout,
		.on_line = on_line,
		.arg = &g,
	};
	struct secure_failure failure;
	struct smtp_wire w = { 0 };

	w.curl = secure_open(acc, &way, &w.fd, &failure);
	if (!w.curl)
		return explain(&failure, &g.last, e);
	/* libcurl goes on without a login when the server offers none. */
	if (*acc->user && !g.logged_in) {
		secure_close(w.curl);
		return err_set(e, ERR_PERM, "it offers no way to log in");
	}
	w.abilities = g.abilities;
	*out = w;
	return 0;
}

void smtp_wire_close(struct smtp_wire *w)
{
	static const char quit[] = "QUIT\r\n";

	if (w->curl) {
		secure_write(w->curl, quit, sizeof quit - 1);
		secure_close(w->curl);
	}
	*w = (struct smtp_wire){ 0 };
}
