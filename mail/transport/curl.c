#include "mail/transport/curl.h"

#include "pbm/base/late.h"

struct curl_functions curl;

#define CURL_FUNCTION(f) { "curl_" #f, &curl.f },
static const struct late_function functions[] = { CURL_FUNCTIONS(CURL_FUNCTION){ NULL, NULL } };

/* One library, built by Debian with one or the other for TLS. */
static struct late_library libcurl = {
	.name = "libcurl",
	.files = { "libcurl-gnutls.so.4", "libcurl.so.4" },
	.functions = functions,
};

int curl_load(struct err *e)
{
	static bool started;
	int rc = late_load(&libcurl, e);

	if (rc == 0 && !started && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(e, ERR_TEMP, "libcurl does not start");
	started |= rc == 0;
	return rc;
}
