/* IMAP and POP3 over a connection that libcurl has opened and logged in. */
#include "mail/transport/secure.h"
#include "mail/transport/stream.h"

static const struct mail_stream_ops ops = {
	.read = secure_read,
	.write = secure_write,
	.close = secure_close,
};

int stream_connect(const struct mail_account *acc, struct mail_stream *out, struct err *e)
{
	const struct secure_way way = {
		.protocols = "imap,imaps,pop3,pop3s",
		.path = "",
		.seconds = 2 * acc->timeout,
	};
	struct secure_failure failure;
	struct err why = { 0 };
	int rc = curl_start(e);

	if (rc < 0)
		return rc;
	CURL *c = secure_open(acc, &way, &out->fd, &failure);
	if (!c) {
		secure_explain(&failure, NULL, &why);
		return err_set(e, ERR_TEMP, "%s://%.150s:%d: %.300s", acc->scheme, acc->host,
		               acc->port, why.text);
	}
	out->ops = &ops;
	out->self = c;
	return 0;
}
