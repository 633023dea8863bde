#include "mail/transport/imap/imap_private.h"

/* Bytes of an answer beside the requested mail: flags, alerts, news of other clients. */
#define ANSWER_MAX (1024 * 1024)

void imap_begin(struct imap *c, size_t mail)
{
	stream_begin(&c->stream, ANSWER_MAX + mail);
}

int imap_outcome(struct imap *c, int code, const char *what, struct err *e)
{
	const char *said = c->session->imap_response;

	if (code >= MAILIMAP_NO_ERROR && code <= MAILIMAP_NO_ERROR_NON_AUTHENTICATED)
		return 0;
	if (c->stream.why.code)
		return err_set(e, ERR_TEMP, "%s", c->stream.why.text);
	/* After an answer that can't be parsed, the start of the next one is unknown:
	 * the connection is lost. */
	if (code == MAILIMAP_ERROR_PARSE || code == MAILIMAP_ERROR_PROTOCOL ||
	    code == MAILIMAP_ERROR_FATAL || code == MAILIMAP_ERROR_BAD_STATE ||
	    code == MAILIMAP_ERROR_MEMORY || code == MAILIMAP_ERROR_STREAM) {
		stream_fail(&c->stream, "gives no sensible answer to %s", what);
		return err_set(e, ERR_TEMP, "%s", c->stream.why.text);
	}
	return err_set(e, ERR_PERM, "%.150s refuses %s: %.150s", c->stream.name, what,
	               said ? said : "");
}

clistiter *imap_head(clist *list)
{
	return list ? clist_begin(list) : NULL;
}
