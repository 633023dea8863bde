/* What programs report about mail that was sent: delivery status notifications
 * (RFC 3464, RFC 6533), feedback reports (RFC 5965), and the bounces of programs
 * that know neither.  Nothing here decides whether a report may be believed. */
#ifndef MAIL_ROBOTS_DSN_H
#define MAIL_ROBOTS_DSN_H

#include <stdbool.h>
#include <stddef.h>

#include "mail/mail.h"

#define DSN_RECIPIENTS_MAX 50
#define DSN_CODE_SIZE 12 /* "5.123.123" */

enum dsn_kind {
	DSN_NONE,      /* nothing that could be understood */
	DSN_STATUS,    /* recipients, at least one */
	DSN_COMPLAINT, /* somebody called a mail spam, or wants no more */
	DSN_OTHER      /* a receipt, or a report about something else */
};

enum dsn_action { DSN_FAILED, DSN_DELAYED, DSN_SUCCESS, DSN_UNSAID };

/* What a failure says about the address. */
enum dsn_weight {
	DSN_NOTHING, /* delivered, or still being tried */
	DSN_SOFT,    /* not this time: full, too large, policy, time-out */
	DSN_HARD     /* there is no such mailbox, or not any more */
};

struct dsn_recipient {
	const char *address; /* Final-Recipient, else Original-Recipient; "" for neither */
	enum dsn_action action;
	char status[DSN_CODE_SIZE]; /* "5.1.1", "" when it has none */
	const char *diagnostic;     /* the receiving server's words, one line, or "" */
	enum dsn_weight weight;
};

struct dsn {
	enum dsn_kind kind;
	size_t count;
	struct dsn_recipient *recipients;
	const char *sender;     /* envelope sender of the mail reported about, or "" */
	const char *message_id; /* of the returned mail, without <>, or "" */
};

/* Reads the report of a mail, or looks for one in its text.  *out always makes
 * sense; strings live in the arena. */
void dsn_read(struct arena *a, const struct mail *m, struct dsn *out);

/* The weight of a failure: status is "5.1.1" or "", text the words beside it.
 * Words of a full mailbox, or of spam and policy, make a 5xx soft: they speak
 * of the mail or of us, not of the address. */
enum dsn_weight dsn_weigh(const char *status, const char *text);

/* A bounce in prose, judged by the lines above the returned mail.  *line is the
 * one that says why, code the status code in it; both "" when none does: then it
 * is soft.  DSN_NOTHING: a warning that the mail is late. */
enum dsn_weight dsn_guess(struct arena *a, const char *text, char code[DSN_CODE_SIZE],
                          const char **line);

#endif
