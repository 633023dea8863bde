#include "mail/transport/secure.h"

static unsigned set_login(CURL *c, const struct mail_account *acc, const char *mechanisms)
{
	unsigned bad = 0;

	if (!*acc->user)
		return 0;
	bad |= curl_set(c, CURLOPT_USERNAME, acc->user);
	if (acc->token) {
		/* Else it tries the empty password with a server that knows neither. */
		bad |= curl_set(c, CURLOPT_LOGIN_OPTIONS, "AUTH=OAUTHBEARER;AUTH=XOAUTH2");
		bad |= curl_set(c, CURLOPT_XOAUTH2_BEARER, acc->token);
		return bad;
	}
	if (mechanisms)
		bad |= curl_set(c, CURLOPT_LOGIN_OPTIONS, mechanisms);
	return bad | curl_set(c, CURLOPT_PASSWORD, acc->password ? acc->password : "");
}

/* Everything that keeps a secret secret is said, standard or not; the proxy of
 * the environment is for browsers. */
unsigned mail_secure(CURL *c, const struct mail_account *acc, const char *url,
                     const char *protocols, const char *mechanisms, char *why)
{
	unsigned bad = set_login(c, acc, mechanisms);

	bad |= curl_set(c, CURLOPT_URL, url);
	bad |= curl_set(c, CURLOPT_PROTOCOLS_STR, protocols);
	bad |= curl_set(c, CURLOPT_PROXY, "");
	bad |= curl_set(c, CURLOPT_CONNECT_ONLY, 1L);
	bad |= curl_set(c, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
	bad |= curl_set(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	bad |= curl_set(c, CURLOPT_SSL_VERIFYPEER, 1L);
	bad |= curl_set(c, CURLOPT_SSL_VERIFYHOST, 2L);
	if (acc->ca) {
		/* These alone, not the system's too. */
		bad |= curl_set(c, CURLOPT_CAINFO, acc->ca);
		bad |= curl_set(c, CURLOPT_CAPATH, NULL);
	}
	bad |= curl_set(c, CURLOPT_NOSIGNAL, 1L);
	return bad | curl_set(c, CURLOPT_ERRORBUFFER, why);
}
