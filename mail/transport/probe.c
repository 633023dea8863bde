#include "mail/transport/probe.h"

#include "mail/transport/secure.h"

static enum mail_probe_end end_of(CURLcode code)
{
	static const CURLcode of_certificate[] = { CURLE_PEER_FAILED_VERIFICATION,
		                                   CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
		                                   CURLE_SSL_CONNECT_ERROR, CURLE_USE_SSL_FAILED };

	for (size_t i = 0; i < sizeof of_certificate / sizeof *of_certificate; i++)
		if (code == of_certificate[i])
			return PROBE_CERTIFICATE;
	return code == CURLE_LOGIN_DENIED ? PROBE_LOGIN : PROBE_UNREACHABLE;
}

/* 0: the connection is closed again; else what went wrong. */
static CURLcode try(const struct mail_account *acc, struct mail_probe *out)
{
	bool smtp = acc->scheme[0] == 's';
	const struct secure_way way = {
		.protocols = smtp ? "smtp,smtps" : "imap,imaps,pop3,pop3s",
		.mechanisms = smtp ? "AUTH=PLAIN;AUTH=LOGIN" : NULL,
		.path = !smtp        ? ""
		        : acc->hello ? acc->hello
		                     : "localhost",
		.first_answer = smtp,
		.seconds = 2 * acc->timeout,
		.certificate = true,
	};
	struct secure_failure failure;
	int fd;
	CURL *c = secure_open(acc, &way, &fd, &failure);

	if (c) {
		out->expires = secure_expires(c);
		secure_close(c);
		return CURLE_OK;
	}
	out->why = (struct err){ 0 };
	secure_explain(&failure, NULL, &out->why);
	return failure.code;
}

void mail_probe(const struct mail_account *acc, struct mail_probe *out)
{
	struct mail_account nobody = *acc;

	*out = (struct mail_probe){ .end = PROBE_UNREACHABLE };
	if (curl_start(&out->why) < 0)
		return;
	/* First without the login: some servers say of a refused login only that they close. */
	nobody.user = "";
	nobody.password = nobody.token = NULL;
	CURLcode code = try(&nobody, out);
	if (code != CURLE_OK) {
		out->end = end_of(code);
		return;
	}
	out->end = *acc->user && try(acc, out) != CURLE_OK ? PROBE_LOGIN : PROBE_FINE;
}
