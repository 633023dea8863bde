/* The client's side of SMTP on a connection that is open and logged in.  One mail to one
 * recipient is one transaction (RFC 5321 §3.3).  The caller moves the bytes: nothing here
 * touches a socket or a clock.
 *
 * A reply 5xx refuses the mail for good, 4xx for now.  When the server refuses our own sender
 * address, or ends the session, the fault is not the recipient's, and trouble is set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "mail/transport/transport.h"
#include "pbm/base/err.h"
#include "pbm/base/str.h"

/* Reads the replies of a server (RFC 5321 §4.2) from bytes as they come in.  A reply of more than
 * SMTP_REPLY_MAX bytes is an error. */
#define SMTP_REPLY_MAX 16384

struct smtp_reply {
	int code;       /* 200 to 599 */
	char text[300]; /* the words of all lines, joined by spaces; printable ASCII */

	/* State while the reply is not complete. */
	size_t bytes, line_len;
	char line[512]; /* the beginning of the current line */
	size_t text_len;
};

/* Takes bytes from s up to the end of a reply.  1: r has the reply, which ended *used bytes
 * after s; 0: all n bytes were taken and more must come; ERR_BAD: this is no SMTP, close the
 * connection.  The call after a 1 begins the next reply. */
int smtp_reply_read(struct smtp_reply *r, const char *s, size_t n, size_t *used, struct err *e);

enum smtp_ability { SMTP_PIPELINING = 1, SMTP_SIZE = 2 };

/* The command whose answer the connection waits for. */
enum smtp_step { SMTP_IDLE, SMTP_MAIL, SMTP_RCPT, SMTP_DATA, SMTP_END, SMTP_RSET };

struct smtp_talk {
	unsigned abilities; /* enum smtp_ability: what the server offered in its answer to EHLO */
	enum smtp_step step;
	struct mail_sending *mail; /* the mail under way; NULL between mails */
	bool judged;               /* the mail was refused, and its rc is set */
	struct str out;            /* from out_at on for the server; the caller moves out_at */
	size_t out_at;
	struct smtp_reply reply;
	struct err trouble; /* set: send no further mail to this server now */
};

void smtp_talk_init(struct smtp_talk *t, unsigned abilities);
void smtp_talk_release(struct smtp_talk *t); /* a zeroed one is fine */

/* Begins the transaction of v.  t is idle, and the addresses of v have been checked. */
void smtp_talk_begin(struct smtp_talk *t, struct mail_sending *v);

/* Takes n bytes that the server said.  1: the mail has its rc and t is idle again; 0: more must
 * come; <0: the connection is of no more use, call smtp_talk_lose(). */
int smtp_talk_hear(struct smtp_talk *t, const char *bytes, size_t n, struct err *e);

/* The connection is lost.  The mail under way gets ERR_UNCERTAIN when all of it was sent and not
 * answered, else ERR_TEMP, unless it has its rc already. */
void smtp_talk_lose(struct smtp_talk *t, const char *why);

/* True when the server has seen at most the envelope of the mail under way.  Then the mail may
 * be sent over another connection. */
bool smtp_talk_is_untouched(const struct smtp_talk *t);
