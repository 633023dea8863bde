/* A mail that has been read.  Every mail goes the same way: gate_check() counts
 * and refuses before any parser runs, parse_any() makes a struct mail,
 * robot_judge() tells programs from people, subject_base() and reply_read()
 * find the player's own words.  All text is valid UTF-8 with LF line ends; all
 * memory comes from the caller's arena.  Nothing here sends, stores or answers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

/* Bytes of the texts of a mail; the rest is dropped. */
#define MAIL_MAX_TEXT (64 * 1024)
#define MAIL_MAX_REPORT (16 * 1024) /* of a report, and of the header of a returned mail */

/* A list of strings; v[n] is NULL. */
struct mail_strings {
	size_t n;
	const char **v;
};

/* Appends s itself, not a copy; the array grows in the arena. */
void mail_strings_add(struct arena *a, struct mail_strings *list, const char *s);

/* One header field.  The value is unfolded valid UTF-8, encoded words still in. */
struct mail_field {
	const char *name, *value;
};

struct mail {
	const char *from;               /* the one mailbox, addr-spec, domain lower case */
	const char *from_name;          /* display name, or "" */
	const char *subject;            /* decoded, one line, or "" */
	const char *message_id;         /* without <>, or "" */
	struct mail_strings references; /* In-Reply-To and References, without <>, newest first */
	/* addr-specs of Delivered-To, X-Original-To and Envelope-To, topmost field first */
	struct mail_strings delivered_to;
	struct mail_strings to; /* addr-specs of To and Cc */
	int64_t date;           /* Unix seconds, 0 when absent or unreadable */
	/* the text for people, flowed lines joined, quotes and signature still in */
	const char *text;
	const char *report; /* the part for programs (mail/robots/dsn.h), or "" */
	/* "delivery-status", "feedback-report", "disposition-notification" or "" */
	const char *report_type;
	const char *returned; /* header of the first mail inside, or "" */
	/* "smime", "pgp" or "tnef" when a part hides a text in that way (mail/sealed.h), or "" */
	const char *sealed;
	const char *fault; /* why From names no sender (then from is ""), or NULL */
	size_t field_count;
	const struct mail_field *fields; /* every header field, topmost first */
};
