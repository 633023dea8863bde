/* Reading mail.  The way of a message: gate_check() refuses by counting, before
 * any parser sees it; parse_mail() makes a struct mail of it (libetpan inside);
 * robot_classify() tells robots from people; subject_base() and
 * reply_text() find what the person meant.  All text that comes out is
 * valid UTF-8 with LF line ends; all memory comes from the caller's arena. */
#ifndef MAIL_MAIL_H
#define MAIL_MAIL_H

#include <stdbool.h>
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

struct mail_field {
	const char *name, *value;
}; /* unfolded, raw, sane UTF-8 */

struct mail {
	const char *from;               /* the one mailbox, addr-spec, domain lower case */
	const char *from_name;          /* display name, or "" */
	const char *subject;            /* decoded, one line, or "" */
	const char *message_id;         /* without <>, or "" */
	struct mail_strings references; /* In-Reply-To and References, without <>, newest first */
	struct mail_strings
		delivered_to; /* addr-specs of Delivered-To, X-Original-To, Envelope-To; topmost first */
	struct mail_strings to; /* addr-specs of To and Cc */
	int64_t date;           /* Unix seconds, 0 when absent or unreadable */
	const char *
		text; /* the text a person wrote, quote and signature still in; flowed lines joined */
	const char *report; /* what a program reports (mail/robots/dsn.h), or "" */
	const char *
		report_type; /* "delivery-status", "feedback-report", "disposition-notification" or "" */
	const char *returned; /* header of the first mail inside, or "" */
	const char *fault;    /* parse_any(): why nobody can be answered (from is ""), or NULL */
	size_t field_count;
	const struct mail_field *fields; /* every header field, topmost first */
};

#endif
