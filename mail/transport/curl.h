/* libcurl, loaded at the first use: a site without a mail server never needs it.
 * All of it that is used here stands in one list; curl_url_set() is called as
 * curl.url_set(), and so on. */
#ifndef MAIL_TRANSPORT_CURL_H
#define MAIL_TRANSPORT_CURL_H

#include <curl/curl.h>

#include "pbm/base/err.h"

#define CURL_FUNCTIONS(X)                                                                          \
	X(global_init)                                                                             \
	X(free)                                                                                    \
	X(easy_init) X(easy_setopt) X(easy_perform) X(easy_getinfo) X(easy_send) X(easy_recv)      \
		X(easy_cleanup) X(easy_strerror) X(url) X(url_set) X(url_get) X(url_cleanup)       \
			X(url_strerror)

#define CURL_POINTER(f) __typeof__(curl_##f) *f;
struct curl_functions {
	CURL_FUNCTIONS(CURL_POINTER)
};
#undef CURL_POINTER

extern struct curl_functions curl;

/* Comes before any other call, and once for the process: children inherit it.
 * ERR_SYSTEM without the library, ERR_TEMP when it does not start. */
int curl_load(struct err *e);

/* curl_easy_setopt(), which believes whatever it is given: with an option that takes
 * a number anything but a long does not compile, nor does a number with another. */
#define curl_set(c, option, value)                                                                 \
	((void)sizeof(struct {                                                                     \
		 _Static_assert(((option) < CURLOPTTYPE_OBJECTPOINT) ==                            \
		                        _Generic((value), long : 1, int : 2, default : 0),         \
		                "number or pointer");                                              \
		 char one;                                                                         \
	 }),                                                                                       \
	 curl.easy_setopt(c, option, value))

#endif
