#include "mail/transport/curl.h"
#include "mail/transport/probe.h"

static size_t take(char *bytes, size_t size, size_t n, void *arg)
{
	struct str *out = arg;

	str_add_n(out, bytes, size * n);
	return out->truncated ? 0 : size * n;
}

static unsigned set_options(CURL *c, const char *url, long seconds, struct str *out, char *text)
{
	unsigned bad = curl_set(c, CURLOPT_URL, url);

	bad |= curl_set(c, CURLOPT_PROTOCOLS_STR, "http,https");
	bad |= curl_set(c, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
	bad |= curl_set(c, CURLOPT_FOLLOWLOCATION, 1L);
	bad |= curl_set(c, CURLOPT_MAXREDIRS, 5L);
	bad |= curl_set(c, CURLOPT_TIMEOUT, seconds);
	bad |= curl_set(c, CURLOPT_NOSIGNAL, 1L);
	bad |= curl_set(c, CURLOPT_WRITEFUNCTION, (curl_write_callback)take);
	bad |= curl_set(c, CURLOPT_WRITEDATA, (void *)out);
	return bad | curl_set(c, CURLOPT_ERRORBUFFER, text);
}

int mail_probe_page(const char *url, long seconds, struct str *out, struct err *e)
{
	char text[CURL_ERROR_SIZE] = "";
	long status = 0;

	if (curl_start(e) < 0)
		return ERR_TEMP;
	CURL *c = curl_easy_init();
	if (!c || set_options(c, url, seconds, out, text)) {
		curl_easy_cleanup(c);
		return err_set(e, ERR_TEMP, "libcurl does not start");
	}
	CURLcode code = curl_easy_perform(c);
	curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_cleanup(c);
	return code == CURLE_OK
	               ? (int)status
	               : err_set(e, ERR_TEMP, "%s", *text ? text : curl_easy_strerror(code));
}
