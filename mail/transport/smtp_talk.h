/* The client's side of SMTP once a connection is open and logged in: one mail,
 * one recipient, one transaction (RFC 5321 §3.3).  Bytes in, bytes out: nothing
 * here touches a socket or a clock.
 *
 * What a reply means for the mail: 5xx is for ever, 4xx for now.  But when the
 * server does not even take our own sender address, or ends the session, it is
 * at odds with us and not with this recipient; trouble says so. */
#ifndef MAIL_TRANSPORT_SMTP_TALK_H
#define MAIL_TRANSPORT_SMTP_TALK_H

#include <stdbool.h>
#include <stddef.h>

#include "mail/transport/smtp_reply.h"
#include "mail/transport/transport.h"
#include "pbm/base/str.h"

enum smtp_ability { SMTP_PIPELINING = 1, SMTP_SIZE = 2 };

/* What the connection is waiting for an answer to. */
enum smtp_step { SMTP_IDLE, SMTP_MAIL, SMTP_RCPT, SMTP_DATA, SMTP_END, SMTP_RSET };

struct smtp_talk {
	unsigned abilities; /* enum smtp_ability: what EHLO was answered with */
	enum smtp_step step;
	struct mail_sending *mail; /* under way; NULL between mails */
	bool judged;               /* its rc is set, the rest is ceremony */
	struct str out;            /* for the server, from out_at on; the caller moves out_at */
	size_t out_at;
	struct smtp_reply reply;
	struct err trouble; /* set: no further mail on this server now */
};

void smtp_talk_init(struct smtp_talk *t, unsigned abilities);
void smtp_talk_release(struct smtp_talk *t); /* zeroed is fine */

/* Begins v's transaction, when t is idle.  v's addresses have been checked. */
void smtp_talk_begin(struct smtp_talk *t, struct mail_sending *v);

/* What the server said.  1: the mail has its rc and t is idle again; 0: not yet;
 * <0: the session is over, see smtp_talk_lost(). */
int smtp_talk_hear(struct smtp_talk *t, const char *bytes, size_t n, struct err *e);

/* The connection is gone: the mail under way gets the rc that this leaves.
 * ERR_UNCERTAIN when all of it had been sent. */
void smtp_talk_lost(struct smtp_talk *t, const char *why);

/* Has the server nothing of the mail under way yet but its envelope?  Then it may
 * go again over another connection. */
bool smtp_talk_untouched(const struct smtp_talk *t);

#endif
