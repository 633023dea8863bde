/* What one line of an answer is, by its looks alone; mail/reply/reply.c judges them
 * together.  Reads all lines flat: see reply_flatten(). */
#ifndef MAIL_REPLY_REPLY_CLASS_H
#define MAIL_REPLY_REPLY_CLASS_H

#include <stdbool.h>
#include <stddef.h>

enum reply_class {
	LINE_TEXT,
	LINE_EMPTY,
	LINE_QUOTE,      /* > … */
	LINE_RULE,       /* only dashes, stars and the like */
	LINE_DELIMITER,  /* "-- ": the signature follows */
	LINE_ORIGINAL,   /* -----Original Message----- */
	LINE_FORWARDED,  /* ---------- Forwarded message --------- */
	LINE_HEADING,    /* the same in words unknown, or without dashes: if a header follows */
	LINE_HEADER,     /* From: …, in many languages */
	LINE_DEVICE,     /* Sent from my … */
	LINE_DISCLAIMER, /* This e-mail and any attachments … */
	LINE_MARKER,     /* our own "Reply above this line" */
	LINE_ARMOR,      /* where a PGP signature begins */
	LINE_DROPPED,    /* says nothing; also the lines of an attribution */
	LINE_ATTRIBUTION /* the last line of "On … wrote:" */
};

struct reply_line {
	const char *s;
	size_t n;
	enum reply_class class;
};
struct reply_lines {
	struct reply_line *v;
	size_t n;
};

enum reply_class reply_classify(const char *s, size_t n);

/* What a person may have written: not a quote, no frame. */
bool reply_is_prose(const struct reply_line *l);

/* The first index at or behind i whose line is not empty, or l->n. */
size_t reply_skip_empty(const struct reply_lines *l, size_t i);

/* Is the first line below line i that is not empty a quoted one? */
bool reply_quote_follows(const struct reply_lines *l, size_t i);

/* n bytes at s as one readable line of at most size - 1 bytes: no invisible
 * characters, each kind of space one space, digits, colons and apostrophes of
 * ASCII.  Returns its length; 0 when it is too long. */
size_t reply_flatten(const char *s, size_t n, char *out, size_t size);

/* Is our marker in the line, quoted or not? */
bool reply_has_marker(const char *s, size_t n);

/* The long underline that Outlook draws above a quoted mail and mailing lists
 * above their footer. */
bool reply_is_footer_rule(const char *s, size_t n);

#endif
