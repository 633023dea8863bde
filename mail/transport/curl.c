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
