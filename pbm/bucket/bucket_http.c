#include "pbm/bucket/bucket_http.h"

#include <stdio.h>
#include <string.h>

#include "pbm/base/mem.h"

#define URL_MAX 16384
#define CONNECT_SECONDS 10L

/* Appends the text with all its bytes but those of letters, digits, these and `also` as %41: as the
 * signature wants it. */
static void add_encoded(struct str *url, const char *text, char also)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

	for (; *text; text++)
		if (strchr(plain, *text) || *text == also)
			str_add_char(url, *text);
		else
			str_addf(url, "%%%02X", (unsigned)(unsigned char)*text);
}

/* Begins the names of this bucket's files: "" or "PREFIX/". */
static void add_prefix(struct str *out, const struct mail_account *acc)
{
	const char *slash = strchr(acc->folder, '/');

	if (slash)
		str_addf(out, "%s/", slash + 1);
}

static const char *url_of(struct arena *a, const struct mail_account *acc,
                          const struct bucket_request *r)
{
	struct str url = str_in(a, URL_MAX), prefix = str_in(a, URL_MAX);
	bool list = r->verb == BUCKET_LIST || r->verb == BUCKET_FOLDERS;

	str_addf(&url, "%s://%s:%d/", acc->scheme, acc->host, acc->port);
	if (!list) {
		add_encoded(&url, acc->folder, '/');
		str_add_char(&url, '/');
		add_encoded(&url, r->name, '/');
		return url.truncated ? NULL : url.data;
	}
	str_add_n(&url, acc->folder, strcspn(acc->folder, "/"));
	/* In the order of the alphabet, as the signature wants them. */
	str_add_char(&url, '?');
	if (r->n) {
		str_add(&url, "continuation-token=");
		add_encoded(&url, r->bytes, '\0');
		str_add_char(&url, '&');
	}
	str_addf(&url, "%slist-type=2&prefix=", r->verb == BUCKET_FOLDERS ? "delimiter=%2F&" : "");
	add_prefix(&prefix, acc);
	str_addf(&prefix, "%s/", r->name);
	add_encoded(&url, prefix.data, '\0');
	return url.truncated || prefix.truncated ? NULL : url.data;
}

static const char *type_of(const char *name)
{
	static const char *const types[][2] = {
		{ "html", "text/html; charset=utf-8" },
		{ "css", "text/css; charset=utf-8" },
		{ "js", "text/javascript; charset=utf-8" },
		{ "json", "application/json" },
		{ "xml", "application/xml" },
		{ "pgn", "application/x-chess-pgn; charset=utf-8" },
		{ "svg", "image/svg+xml" },
		{ "png", "image/png" },
		{ "gif", "image/gif" },
		{ "ics", "text/calendar; charset=utf-8" },
		{ "txt", "text/plain; charset=utf-8" },
		{ "woff2", "font/woff2" },
	};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
		if (strcmp(dot + 1, types[i][0]) == 0)
			return types[i][1];
	return "application/octet-stream";
}

/* As share/nginx/pbm: names in static/ change with their bytes, and those in live/ are secret. */
static const char *cache_of(const char *name)
{
	if (strncmp(name, "live/", 5) == 0 || strstr(name, "/."))
		return "no-store";
	return strncmp(name, "static/", 7) == 0 ? "public, max-age=31536000, immutable"
	                                        : "no-cache";
}

static void add_line(struct curl_slist **header, struct arena *a, const char *name,
                     const char *value)
{
	*header = curl_slist_append(*header, arena_printf(a, "%s: %s", name, value));
}

static void make_header(struct arena *a, const struct mail_account *acc, struct bucket_request *r)
{
	bool standard = acc->port == (strcmp(acc->scheme, "https") == 0 ? 443 : 80);

	/* libcurl 7.88 signs a host without its port. */
	add_line(&r->header, a, "Host",
	         standard ? acc->host : arena_printf(a, "%s:%d", acc->host, acc->port));
	add_line(&r->header, a, "x-amz-content-sha256", r->sum);
	if (r->verb != BUCKET_WRITE)
		return;
	add_line(&r->header, a, "Cache-Control", cache_of(r->name));
	add_line(&r->header, a, "Content-Type", type_of(r->name));
}

static size_t take(char *bytes, size_t size, size_t n, void *arg)
{
	struct str *out = arg;

	str_add_n(out, bytes, size * n);
	return out->truncated ? 0 : size * n;
}

static unsigned set_connection(CURL *c, const struct mail_account *acc)
{
	unsigned bad = curl_set_tls(c, acc->ca);

	bad |= curl_set(c, CURLOPT_PROTOCOLS_STR, acc->scheme);
	bad |= curl_set(c, CURLOPT_FOLLOWLOCATION, 0L);
	bad |= curl_set(c, CURLOPT_PROXY, "");
	bad |= curl_set(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	bad |= curl_set(c, CURLOPT_NOSIGNAL, 1L);
	bad |= curl_set(c, CURLOPT_CONNECTTIMEOUT,
	                acc->timeout < CONNECT_SECONDS ? acc->timeout : CONNECT_SECONDS);
	bad |= curl_set(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
	bad |= curl_set(c, CURLOPT_LOW_SPEED_TIME, acc->timeout);
	return bad | curl_set(c, CURLOPT_TIMEOUT, 2 * acc->timeout);
}

static unsigned set_request(CURL *c, const struct mail_account *acc, struct arena *a,
                            struct bucket_request *r)
{
	static const char *const methods[] = { [BUCKET_WRITE] = "PUT", [BUCKET_REMOVE] = "DELETE" };
	unsigned bad = curl_set(c, CURLOPT_AWS_SIGV4, arena_printf(a, "aws:amz:%s:s3", acc->hello));

	bad |= curl_set(c, CURLOPT_USERNAME, acc->user);
	bad |= curl_set(c, CURLOPT_PASSWORD, acc->password ? acc->password : "");
	bad |= curl_set(c, CURLOPT_PATH_AS_IS, 1L);
	if (r->verb == BUCKET_WRITE) {
		bad |= curl_set(c, CURLOPT_POSTFIELDSIZE, (long)r->n);
		bad |= curl_set(c, CURLOPT_POSTFIELDS, r->bytes);
	}
	if (r->verb <= BUCKET_REMOVE)
		bad |= curl_set(c, CURLOPT_CUSTOMREQUEST, methods[r->verb]);
	if (r->verb == BUCKET_HAS)
		bad |= curl_set(c, CURLOPT_NOBODY, 1L);
	bad |= curl_set(c, CURLOPT_HTTPHEADER, r->header);
	bad |= curl_set(c, CURLOPT_WRITEFUNCTION, (curl_write_callback)take);
	bad |= curl_set(c, CURLOPT_WRITEDATA, (void *)&r->answer);
	return bad | curl_set(c, CURLOPT_ERRORBUFFER, r->text);
}

/* The name for an error, which is logged: that of a live page is secret. */
static const char *shown(const struct bucket_request *r)
{
	return strncmp(r->name, "live/", 5) == 0 ? "a live page" : r->name;
}

int bucket_http_make(CURL *c, const struct mail_account *acc, struct bucket_request *r,
                     struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *url = url_of(&a, acc, r);

	curl_easy_reset(c);
	curl_slist_free_all(r->header);
	r->header = NULL;
	r->text[0] = '\0';
	str_clear(&r->answer);
	make_header(&a, acc, r);
	bool bad = !url || curl_set(c, CURLOPT_URL, url) || set_connection(c, acc) ||
	           set_request(c, acc, &a, r);
	return bad ? err_set(e, ERR_TEMP, "libcurl can't ask for %.200s", shown(r)) : 0;
}

/* ---- answers: XML of which a few elements are wanted ---- */

/* The bytes of the next element of this name from *at on, which goes on after it; NULL: there is none. */
static const char *next_element(const char **at, const char *name, size_t *n)
{
	char tag[64];

	snprintf(tag, sizeof tag, "<%s>", name);
	const char *from = strstr(*at, tag);
	if (!from)
		return NULL;
	from += strlen(tag);
	snprintf(tag, sizeof tag, "</%s>", name);
	const char *to = strstr(from, tag);
	if (!to)
		return NULL;
	*at = to + strlen(tag);
	*n = (size_t)(to - from);
	return from;
}

/* The bytes as text; false: it has a character that no name of a page has. */
static bool add_text(struct str *out, const char *p, size_t n)
{
	static const char *const entities[][2] = {
		{ "&amp;", "&" },  { "&lt;", "<" },  { "&gt;", ">" },   { "&quot;", "\"" },
		{ "&apos;", "'" }, { "&#39;", "'" }, { "&#34;", "\"" },
	};
	const char *end = p + n;

	while (p < end) {
		size_t i = 0, most = sizeof entities / sizeof *entities;

		while (i < most && strncmp(p, entities[i][0], strlen(entities[i][0])) != 0)
			i++;
		if ((*p == '&' && i == most) || *p == '<' || (unsigned char)*p < ' ')
			return false;
		str_add_n(out, i < most ? entities[i][1] : p, 1);
		p += i < most ? strlen(entities[i][0]) : 1;
	}
	return true;
}

/* The first of these elements as text; "": there is none. */
static const char *text_of(struct arena *a, const char *xml, const char *name)
{
	struct str s = str_in(a, BUCKET_LIST_MAX);
	size_t n;
	const char *from = next_element(&xml, name, &n);

	return from && add_text(&s, from, n) && s.len ? s.data : "";
}

static const char *prefix_of(struct arena *a, const struct mail_account *acc)
{
	struct str s = str_in(a, URL_MAX);

	add_prefix(&s, acc);
	return s.len ? s.data : "";
}

/* The name of the next file or folder; its length, or 0: there is none. */
static const char *next_name(const char **at, bool folders, size_t *n)
{
	if (folders && !(*at = strstr(*at, "<CommonPrefixes>")))
		return NULL;
	return next_element(at, folders ? "Prefix" : "Key", n);
}

int bucket_http_names(const struct mail_account *acc, const struct bucket_request *r,
                      struct str *out, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *at = r->answer.data ? r->answer.data : "", *from, *prefix = prefix_of(&a, acc);
	bool folders = r->verb == BUCKET_FOLDERS, good = true;
	size_t n, skip = strlen(prefix);

	if (strcmp(text_of(&a, at, "IsTruncated"), "true") == 0)
		str_add(out, text_of(&a, at, "NextContinuationToken"));
	str_add_char(out, '\0');
	while (good && at && (from = next_name(&at, folders, &n))) {
		struct str name = str_in(&a, URL_MAX);

		good = add_text(&name, from, n) && !name.truncated && name.len > skip + folders &&
		       strncmp(name.data, prefix, skip) == 0;
		if (good)
			str_add_n(out, name.data + skip, name.len - skip - folders);
		str_add_char(out, '\0');
	}
	return good ? 0
	            : err_set(e, ERR_PERM, "the server's list has names that pbm has not written");
}

/* The words of servers for refusals: their meaning, and what to do. */
static const struct {
	const char *word, *means;
} refusals[] = {
	{ "RequestTimeTooSkewed",
	  "the clock of this machine is wrong, or the server's: set it right (NTP)" },
	{ "SignatureDoesNotMatch",
	  "the secret key of archive-password does not belong to the key in archive-dir" },
	{ "InvalidAccessKeyId", "it does not know the key that archive-dir names" },
	{ "AccessDenied",
	  "the key may not do this: allow it to write, read, delete and list (s3:PutObject, "
	  "s3:GetObject, s3:DeleteObject, s3:ListBucket)" },
	{ "NoSuchBucket", "there is no bucket of that name: correct archive-dir" },
	{ "PermanentRedirect", "the bucket is elsewhere: correct archive-region or archive-dir" },
	{ "AuthorizationHeaderMalformed",
	  "the bucket is in another region: correct archive-region" },
	{ "QuotaExceeded", "the bucket is full" },
};

static const char *means(const char *word, long status)
{
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		if (strcmp(word, refusals[i].word) == 0)
			return refusals[i].means;
	if (status / 100 == 3)
		return "it sends pbm to another address: correct archive-region or archive-dir";
	return status == 403 ? "the key of archive-dir and archive-password may not do this"
	                     : "it did not say why";
}

/* A word of letters and digits from the answer, for a sentence; "": it has none. */
static const char *refusal_of(struct arena *a, const struct bucket_request *r)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	const char *word = text_of(a, r->answer.data ? r->answer.data : "", "Code");

	return word[strspn(word, plain)] || strlen(word) > 60 ? "" : word;
}

static int judge_status(long status, const struct bucket_request *r, bool *again, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *word = refusal_of(&a, r);
	bool missing = status == 404 && r->verb >= BUCKET_REMOVE && r->verb <= BUCKET_HAS &&
	               strcmp(word, "NoSuchBucket") != 0;

	*again = status == 429 || status >= 500 || strcmp(word, "RequestTimeout") == 0;
	enum err_code code = missing                                    ? ERR_NOT_FOUND
	                     : *again                                   ? ERR_TEMP
	                     : status == 400 && r->verb == BUCKET_WRITE ? ERR_BAD
	                                                                : ERR_PERM;
	err_set(e, code, "the bucket's server answers %ld%s%s to %.100s: %s", status,
	        *word ? " " : "", word, shown(r),
	        *again ? "it is in trouble, or has too much to do" : means(word, status));
	return code;
}

int bucket_http_judge(CURL *c, CURLcode code, const struct bucket_request *r, bool *again,
                      struct err *e)
{
	long status = 0;

	*again = false;
	curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
	if (r->answer.truncated)
		return err_set(e, ERR_LIMIT,
		               "the answer of the bucket's server to %.200s is too long", shown(r));
	if (code == CURLE_OK)
		return status / 100 == 2 ? 0 : judge_status(status, r, again, e);
	/* A server that says nothing would say nothing once more, and the run waits. */
	*again = code != CURLE_OPERATION_TIMEDOUT && code != CURLE_PEER_FAILED_VERIFICATION;
	return err_set(e, ERR_TEMP, "%s", *r->text ? r->text : curl_easy_strerror(code));
}
