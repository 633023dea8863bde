#include "mail/transport/curl.h"

#include <stdbool.h>

int curl_start(struct err *e)
{
	static bool started;

	if (!started && curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(e, ERR_TEMP, "libcurl does not start");
	started = true;
	return 0;
}

unsigned curl_set_tls(CURL *c, const char *ca)
{
	unsigned bad = curl_set(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);

	bad |= curl_set(c, CURLOPT_SSL_VERIFYPEER, 1L);
	bad |= curl_set(c, CURLOPT_SSL_VERIFYHOST, 2L);
	if (ca) {
		bad |= curl_set(c, CURLOPT_CAINFO, ca);
		bad |= curl_set(c, CURLOPT_CAPATH, NULL);
	}
	return bad;
}
