#include "mail/transport/mail_account.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mail/quoted.h"
#include "pbm/base/str.h"

#define PORT_MAX 65535

static const struct {
	const char *scheme;
	bool starttls;
	int port;
	bool bucket;
} schemes[] = {
	{ "imaps", false, 993, false }, { "imap", true, 143, false },
	{ "pop3s", false, 995, false }, { "pop3", true, 110, false },
	{ "smtps", false, 465, false }, { "smtp", true, 587, false },
	{ "s3", false, 443, true },     { "https", false, 443, true },
	{ "http", false, 80, true },
};

/* The n bytes, percent-decoded.  NULL: they decode to control characters; a line end in a name
 * could inject a command of the mail protocol. */
static const char *decode(struct arena *a, const char *s, size_t n)
{
	char *out = arena_strndup(a, s, n), *to = out;

	for (const char *p = out; *p; p++) {
		int high = *p == '%' ? quoted_hex(p[1]) : -1,
		    low = high < 0 ? -1 : quoted_hex(p[2]);

		*to = low < 0 ? *p : (char)(high * 16 + low);
		p += low < 0 ? 0 : 2;
		if ((unsigned char)*to < ' ' || *to == 127)
			return NULL;
		to++;
	}
	*to = '\0';
	return out;
}

static int read_scheme(struct mail_account *out, bool bucket, const char *s, size_t n,
                       struct err *e)
{
	for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
		if (schemes[i].bucket == bucket && strlen(schemes[i].scheme) == n &&
		    strncasecmp(s, schemes[i].scheme, n) == 0) {
			out->scheme = schemes[i].scheme;
			out->starttls = schemes[i].starttls;
			out->port = schemes[i].port;
			return 0;
		}
	return err_set(e, ERR_BAD, "\"%.*s\" is none of %s", n < 20 ? (int)n : 20, s,
	               bucket ? "s3, https, http" : "imaps, imap, pop3s, pop3, smtps, smtp");
}

/* The bytes of a name, or of an address in brackets, that s begins with. */
static size_t host_length(const char *s)
{
	size_t n = 0;

	if (*s == '[') {
		n = 1 + strspn(s + 1, "0123456789abcdefABCDEF:.");
		return s[n] == ']' ? n + 1 : 0;
	}
	while (isalnum((unsigned char)s[n]) || s[n] & 0x80 || (s[n] && strchr(".-_", s[n])))
		n++;
	return n;
}

/* "HOST:PORT", "[ADDRESS]:PORT", or without the port. */
static int read_host(struct arena *a, struct mail_account *out, const char *s, size_t n,
                     struct err *e)
{
	char *host = arena_strndup(a, s, n);
	size_t len = host_length(host);

	if (len == 0 || (host[len] && host[len] != ':'))
		return err_set(e, ERR_BAD,
		               *host ? "the URL's host is no name" : "the URL names no host");
	const char *port = host + len + (host[len] == ':');
	if (*port)
		out->port = strlen(port) > 5 || port[strspn(port, "0123456789")] ? 0 : atoi(port);
	host[len] = '\0';
	out->host = host;
	return out->port < 1 || out->port > PORT_MAX
	               ? err_set(e, ERR_BAD, "the URL's port is not a number from 1 to %d",
	                         PORT_MAX)
	               : 0;
}

static int read_url(struct arena *a, const char *url, bool bucket, struct mail_account *out,
                    struct err *e)
{
	const char *colon = strstr(url, "://"), *from = colon ? colon + 3 : url;
	size_t n = strcspn(from, "/"), user = n;

	*out = (struct mail_account){ .timeout = 30 };
	if (!colon)
		return err_set(e, ERR_BAD, "not a URL");
	int rc = read_scheme(out, bucket, url, (size_t)(colon - url), e);
	while (user && from[user - 1] != '@')
		user--;
	if (rc == 0)
		rc = read_host(a, out, from + user, n - user, e);
	if (rc < 0)
		return rc;
	/* It would show in the list of processes and in error messages. */
	if (user && memchr(from, ':', user))
		return err_set(e, ERR_BAD, "the URL must not contain a password");
	out->user = decode(a, from, user ? user - 1 : 0);
	out->folder = decode(a, from + n + (from[n] == '/'), strlen(from + n + (from[n] == '/')));
	return out->user && out->folder
	               ? 0
	               : err_set(e, ERR_BAD, "the URL contains a control character");
}

int mail_account_read(struct arena *a, const char *url, struct mail_account *out, struct err *e)
{
	return read_url(a, url, false, out, e);
}

/* Plain HTTP to another machine would show the pages' secret addresses to those on the way. */
static bool is_this_machine(const char *host)
{
	static const char *const names[] = { "localhost", "127.0.0.1", "[::1]", NULL };

	return str_is_any(host, names);
}

static int check_bucket(const struct mail_account *acc, struct err *e)
{
	const char *folder = acc->folder, *region = acc->hello;

	if (!*region || region[strspn(region, "abcdefghijklmnopqrstuvwxyz0123456789-")])
		return err_set(e, ERR_BAD, "archive-region must be a name like eu-central-1");
	if (!*folder || *folder == '/' || strstr(folder, "//") || strstr(folder, ".."))
		return err_set(e, ERR_BAD,
		               "the URL must name a bucket, as https://KEY-ID@HOST/BUCKET");
	if (!*acc->user)
		return err_set(e, ERR_BAD,
		               "the URL must name the key before the @, as s3://KEY-ID@BUCKET");
	if (strcmp(acc->scheme, "http") == 0 && !is_this_machine(acc->host))
		return err_set(e, ERR_BAD, "a server on another machine must be an https:// one");
	return 0;
}

int mail_account_read_bucket(struct arena *a, const char *url, const char *region,
                             struct mail_account *out, struct err *e)
{
	int rc = read_url(a, url, true, out, e);

	if (rc < 0)
		return rc;
	out->hello = region;
	if (strcmp(out->scheme, "s3") == 0) {
		out->scheme = "https";
		out->folder = arena_printf(a, "%s/%s", out->host, out->folder);
		out->host = arena_printf(a, "s3.%s.amazonaws.com", region);
	}
	size_t n = strlen(out->folder);
	while (n && out->folder[n - 1] == '/')
		n--;
	out->folder = arena_strndup(a, out->folder, n);
	return check_bucket(out, e);
}

struct mail_account mail_account_copy(struct arena *a, const struct mail_account *acc)
{
	struct mail_account copy = *acc;
	const char **strings[] = {
		&copy.scheme, &copy.host,     &copy.user,  &copy.folder, &copy.secret,
		&copy.ca,     &copy.password, &copy.token, &copy.hello,
	};

	for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
		*strings[i] = arena_strdup(a, *strings[i]);
	return copy;
}

const char *mail_account_command(const char *secret)
{
	size_t n = strlen(MAIL_ACCOUNT_COMMAND);

	return strncmp(secret, MAIL_ACCOUNT_COMMAND, n) == 0 ? secret + n : NULL;
}

const char *mail_account_name(struct arena *a, const struct mail_account *acc)
{
	return arena_printf(a, "%s://%s:%d", acc->scheme, acc->host, acc->port);
}
