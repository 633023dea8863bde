/* Telling people: the notes of a request become mails in the outbox.  The
 * sender gets one mail whatever he wrote; everybody else one mail a board. */
#ifndef PBM_ANSWER_NOTIFY_H
#define PBM_ANSWER_NOTIFY_H

#include "mail/compose/compose.h"
#include "pbm/request/request.h"

/* One mail out.  Strings live until notify_send() returns. */
struct letter {
	const char *to;      /* addr-spec */
	const char *to_name; /* userid whose confirmed address it is, or "" */
	bool has_token;
	struct token token; /* of the reply address and the Message-ID */
	const char *tag;    /* tells apart what one cause sends to one reader */
	const char *subject, *text, *html;
	const char *in_reply_to;
	const char *const *references;
	const char *list_id;
	bool prompted; /* answers the mail at hand (auto-replied) */
	bool bare_tag; /* the Message-ID's end is tag itself: a thread's first mail */
	const struct compose_attachment *attachments;
	size_t attachment_count;
};

/* Composes a letter and puts it into the outbox. */
int notify_send(struct request *q, const struct letter *l, struct err *e);

/* All notes of the request, at its end; the confirm question too. */
int notify_all(struct request *q, struct err *e);

#endif
