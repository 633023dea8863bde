/* Turns the notes of a request into mails in the outbox.  The sender of the request
 * gets one mail.  Every other player gets one mail for each board. */
#pragma once

#include "mail/compose/compose.h"
#include "pbm/answer/bundle.h"
#include "pbm/request/request.h"

/* One mail to be sent.  Its strings must live until notify_send() returns. */
struct letter {
	const char *to;      /* addr-spec */
	const char *to_name; /* userid of the player with this confirmed address, or "" */
	bool has_token;
	struct token token; /* of the reply address and the Message-ID */
	const char *tag;    /* distinguishes the mails that one request sends to one reader */
	const char *subject, *text, *html;
	const char *in_reply_to;
	const char *const *references;
	const char *list_id;
	const char *bulk;    /* "news": one of many mails, which "unsubscribe news" ends; or NULL */
	bool prompted;       /* it answers the mail being worked on (auto-replied) */
	bool parting;        /* it goes to a player who has signed off, too */
	bool breaks_silence; /* ... or to an address on the list of silent ones */
	int64_t later; /* as in struct note: not before then; the tag distinguishes such mails */
	bool bare_tag; /* the Message-ID ends with the tag itself: the first mail of a thread, or later */
	const struct compose_attachment *attachments;
	size_t attachment_count;
};

/* Composes the mail and puts it into the outbox.  A question to an address that is not
 * confirmed may be dropped: see mail_limits_may_ask(). */
int notify_send(struct request *q, const struct letter *l, struct err *e);

/* Mails that wait for a time (pbm/answer/later.h) go to the addresses that the account has after a
 * change. */
int notify_move(struct request *q, const struct player_doc *before, const struct player_doc *after,
                struct err *e);

/* The address to which an answer with this token goes. */
const char *notify_address(struct request *q, const struct token *t);

/* The bytes of the composed mail; SIZE_MAX: it can't be composed. */
size_t notify_size(struct request *q, const struct letter *l);

/* Fills in subject, token, threading and texts of a letter from a bundle.  ERR_LIMIT: too
 * long. */
int notify_make(struct request *q, const struct bundle *b, struct letter *l, struct err *e);

/* Sends a bundle to its reader, who is not the sender of a mail: to all addresses that take
 * mail.  A reader who has no document gets nothing. */
int notify_reader(struct request *q, struct bundle *b, struct err *e);

/* In notify_token.c: gives the mail the token of its reply address (a digest's, a board's, a
 * watcher's or the player's), and a board's mail its thread and List-Id. */
void notify_give_token(struct request *q, const struct bundle *b, const char *reader,
                       struct letter *l);

/* Sends the notes for other players now, before mails that must come after them. */
int notify_others(struct request *q, struct err *e);

/* Sends all notes of a request, at its end, and the question for a confirmation. */
int notify_all(struct request *q, struct err *e);
