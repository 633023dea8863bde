#include "mail/transport/mail_account.h"

#include <stdlib.h>
#include <string.h>

#include "mail/transport/curl.h"

static const struct {
	const char *scheme;
	bool starttls;
	int port;
} schemes[] = {
	{ "imaps", false, 993 }, { "imap", true, 143 },   { "pop3s", false, 995 },
	{ "pop3", true, 110 },   { "smtps", false, 465 }, { "smtp", true, 587 },
};

/* One part of the URL; "" when it is missing.  NULL when it decodes to control
 * characters: a line end in a name could inject a command of the mail protocol. */
static const char *part(struct arena *a, CURLU *u, CURLUPart what, unsigned flags)
{
	char *text = NULL;
	CURLUcode code = curl_url_get(u, what, &text, flags);
	const char *copy = code == CURLUE_URLDECODE ? NULL : arena_strdup(a, text ? text : "");

	curl_free(text);
	return copy;
}

static int read_parts(struct arena *a, CURLU *u, struct mail_account *out, struct err *e)
{
	const char *port = part(a, u, CURLUPART_PORT, 0);
	const char *folder = part(a, u, CURLUPART_PATH, CURLU_URLDECODE);

	*out = (struct mail_account){ .scheme = part(a, u, CURLUPART_SCHEME, 0), .timeout = 30 };
	for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
		if (strcmp(out->scheme, schemes[i].scheme) == 0) {
			out->starttls = schemes[i].starttls;
			out->port = *port ? atoi(port) : schemes[i].port;
		}
	if (!out->port)
		return err_set(e, ERR_BAD,
		               "\"%.20s\" is none of imaps, imap, pop3s, pop3, smtps, smtp",
		               out->scheme);
	out->host = part(a, u, CURLUPART_HOST, 0);
	out->user = part(a, u, CURLUPART_USER, CURLU_URLDECODE);
	if (!out->user || !folder)
		return err_set(e, ERR_BAD, "the URL contains a control character");
	out->folder = folder + (*folder == '/');
	if (!*out->host)
		return err_set(e, ERR_BAD, "the URL names no host");
	/* It would show in the list of processes and in error messages. */
	if (*part(a, u, CURLUPART_PASSWORD, 0))
		return err_set(e, ERR_BAD, "the URL must not contain a password");
	return 0;
}

int mail_account_read(struct arena *a, const char *url, struct mail_account *out, struct err *e)
{
	int rc = curl_start(e);

	if (rc < 0)
		return rc;
	CURLU *u = curl_url();
	if (!u)
		return err_set(e, ERR_TEMP, "no memory for a URL");
	CURLUcode code = curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME);
	rc = code ? err_set(e, ERR_BAD, "not a URL: %s", curl_url_strerror(code))
	          : read_parts(a, u, out, e);
	curl_url_cleanup(u);
	return rc;
}

struct mail_account mail_account_copy(struct arena *a, const struct mail_account *acc)
{
	struct mail_account copy = *acc;
	const char **strings[] = {
		&copy.scheme,   &copy.host,  &copy.user, &copy.folder,
		&copy.password, &copy.token, &copy.ca,   &copy.hello,
	};

	for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
		*strings[i] = arena_strdup(a, *strings[i]);
	return copy;
}

const char *mail_account_name(struct arena *a, const struct mail_account *acc)
{
	return arena_printf(a, "%s://%s:%d", acc->scheme, acc->host, acc->port);
}
