/* libcurl, started once for the whole process, and a way to set its options that
 * the compiler checks. */
#pragma once

#include <curl/curl.h>

#include "pbm/base/err.h"

/* Call it before any other function of libcurl.  Calling it again does nothing, in a
 * child process too.  ERR_TEMP when libcurl does not start. */
int curl_start(struct err *e);

/* curl_easy_setopt() reads its third argument as the option demands, whatever the caller
 * passed.  curl_set() does not compile when an option for a number gets anything but a
 * long, or an option for a pointer gets a number. */
#define curl_set(c, option, value)                                                                 \
	((void)sizeof(struct {                                                                     \
		 _Static_assert(((option) < CURLOPTTYPE_OBJECTPOINT) ==                            \
		                        _Generic((value), long : 1, int : 2, default : 0),         \
		                "number or pointer");                                              \
		 char one;                                                                         \
	 }),                                                                                       \
	 curl_easy_setopt(c, option, value))

/* Demands TLS 1.2 and the server's own certificate, also where that is libcurl's default.  ca: only the
 * authorities of this file count; NULL: the system's.  0: all options are set. */
unsigned curl_set_tls(CURL *c, const char *ca);
