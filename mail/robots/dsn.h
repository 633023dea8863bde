/* Reads what programs report about a mail that was sent: delivery status notifications
 * (RFC 3464, RFC 6533), feedback reports (RFC 5965), and bounces in prose.  Never
 * decides whether a report may be believed: anybody can forge one. */
#pragma once

#include <stddef.h>

#include "mail/mail.h"

#define DSN_RECIPIENTS_MAX 50
#define DSN_CODE_SIZE 12 /* "5.123.123" */

enum dsn_kind {
	DSN_NONE,      /* no report was found */
	DSN_STATUS,    /* the fate of at least one recipient */
	DSN_COMPLAINT, /* a receiver called a mail spam, or wants no more of it */
	DSN_OTHER      /* a receipt, or a report of another kind */
};

enum dsn_action { DSN_FAILED, DSN_DELAYED, DSN_SUCCESS, DSN_UNSAID };

/* A report's statement about the address. */
enum dsn_weight {
	DSN_NOTHING, /* no failure: delivered, or still being tried */
	/* A failure for which the address may not be to blame: mailbox full, mail too
	 * large, policy, time-out, or no reason is given. */
	DSN_SOFT,
	DSN_HARD /* the mailbox does not exist, or no longer */
};

struct dsn_recipient {
	const char *address; /* Final-Recipient, else Original-Recipient, else "" */
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

/* Reads the report part of a mail, or a report in its text.  Always fills *out; its
 * strings live in the arena. */
void dsn_read(struct arena *a, const struct mail *m, struct dsn *out);

/* The weight of a failure.  status: "5.1.1" or ""; text: the server's words.  A 5xx is soft if
 * its words are about a full mailbox, spam or policy: then the mail or our server is to blame,
 * and not the address. */
enum dsn_weight dsn_weigh(const char *status, const char *text);

/* The weight of a bounce in prose, from the lines above the returned mail.  *line: the
 * line that gives the reason, code: the status code in it; both "" when no line does,
 * which counts as soft.  DSN_NOTHING: only a warning that the mail is late. */
enum dsn_weight dsn_guess(struct arena *a, const char *text, char code[DSN_CODE_SIZE],
                          const char **line);
