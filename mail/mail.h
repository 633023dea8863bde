/* Reading mail.  The way of a message: mail_gate() refuses by counting, before
 * any parser sees it; mail_parse() makes a struct mail of it (libetpan inside);
 * mail_automatic() tells robots from people; mail_subject_base() and
 * mail_reply_text() find what the person meant.  All text that comes out is
 * valid UTF-8 with LF line ends; all memory comes from the caller's arena. */
#ifndef MAIL_MAIL_H
#define MAIL_MAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

/* A list of strings; v[n] is NULL. */
struct mail_strings {
	size_t n;
	const char **v;
};

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
	const char *report; /* what a program reports (mail/dsn.h), or "" */
	const char *
		report_type; /* "delivery-status", "feedback-report", "disposition-notification" or "" */
	const char *returned; /* header of the first mail inside, or "" */
	const char *fault;    /* mail_read(): why nobody can be answered (from is ""), or NULL */
	size_t field_count;
	const struct mail_field *fields; /* every header field, topmost first */
};

/* Cheap limits by counting, on the raw bytes: size, header block, fields, line
 * and nesting limits, boundary parameters, NULs.  ERR_LIMIT or ERR_BAD with the
 * reason; such a mail is quarantined.  Never recursive, linear time. */
int mail_gate(const char *bytes, size_t len, struct err *e);

/* Only for mails that passed the gate.  ERR_BAD: it can't be read at all (no
 * From, two Froms, an address of insane characters …), quarantine it. */
int mail_parse(struct arena *a, const char *bytes, size_t len, struct mail *out, struct err *e);

/* As mail_parse(), but whoever sent it: programs write From fields that name
 * nobody ("MAILER-DAEMON").  Then from is "" and fault says why.  ERR_BAD and
 * ERR_LIMIT for a body that can't be taken apart. */
int mail_read(struct arena *a, const char *bytes, size_t len, struct mail *out, struct err *e);

/* The header alone, of any bytes, refused ones too: most of what robots are
 * judged by.  Subject and texts are "". */
void mail_read_header(struct arena *a, const char *bytes, size_t len, struct mail *out);

/* First field of that name (case folded), or NULL. */
const char *mail_header(const struct mail *m, const char *name);

enum mail_class {
	MAIL_PERSON, /* the only one that may be answered */
	MAIL_BOUNCE, /* about a mail that was not delivered, or late */
	MAIL_REPLY,  /* an answer nobody wrote: vacation, receipt, challenge */
	MAIL_LIST,   /* through a mailing list, or in bulk */
	MAIL_MACHINE /* some other program's; also our own, and loops */
};

/* What kind of mail it is, by its header and subject: RFC 3834, RFC 3464, and
 * what real programs write.  envelope_from may be NULL: then Return-Path counts.
 * ours says whether an address belongs to the server.  *why is a static
 * sentence, NULL for a person. */
enum mail_class mail_classify(const struct mail *m, const char *envelope_from,
                              bool (*ours)(void *arg, const char *addr), void *arg,
                              const char **why);

/* It passed more hosts than any mail on its way does. */
bool mail_has_looped(const struct mail *m);

/* Why no answer may ever go to this mail, or NULL for a person's mail. */
const char *mail_automatic(const struct mail *m, const char *envelope_from,
                           bool (*ours)(void *arg, const char *addr), void *arg);

/* The subject without Re:, Fwd:, their localised kin, counters, [list tags]
 * and our own trailing " **". */
const char *mail_subject_base(struct arena *a, const char *subject);

/* The lines the sender wrote now: no quote, no signature, nothing below our
 * "reply above this line" marker. */
const char *mail_reply_text(struct arena *a, const char *text);

/* Typographic kindness for a command line: NBSP and zero-width characters,
 * smart quotes, long dashes, full-width forms and BOM become plain ASCII;
 * quotes or stars around the whole line go. */
const char *mail_plain_line(struct arena *a, const char *line);

/* HTML as readable text: blocks become lines, quotes get "> ". */
const char *mail_html_text(struct arena *a, const char *html, size_t len);

/* Printable, at most 254 bytes, one @, nothing that could end a header or an
 * SMTP command.  ASCII only. */
bool mail_address_valid(const char *addr);

#endif
