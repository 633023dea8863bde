/* What one line of an answer is, by its looks alone; mail/reply.c judges them
 * together. */
#ifndef MAIL_REPLY_CLASS_H
#define MAIL_REPLY_CLASS_H

#include <stdbool.h>
#include <stddef.h>

enum reply_class {
	LINE_TEXT,
	LINE_EMPTY,
	LINE_QUOTE,        /* > … */
	LINE_RULE,         /* only dashes, stars and the like */
	LINE_DELIMITER,    /* "-- ": the signature follows */
	LINE_ORIGINAL,     /* -----Original Message----- */
	LINE_FORWARDED,    /* ---------- Forwarded message --------- */
	LINE_HEADER,       /* From: …, in many languages */
	LINE_DEVICE,       /* Sent from my … */
	LINE_MARKER,       /* our own "Reply above this line" */
	LINE_ARMOR,        /* where a PGP signature begins */
	LINE_DROPPED,      /* says nothing; also the lines of an attribution */
	LINE_ATTRIBUTION   /* the last line of "On … wrote:" */
};

enum reply_class reply_classify(const char *s, size_t n);

/* Is our marker in the line, quoted or not? */
bool reply_has_marker(const char *s, size_t n);

/* The long underline that Outlook draws above a quoted mail and mailing lists
 * above their footer. */
bool reply_is_footer_rule(const char *s, size_t n);

/* How sure it is that text, one to four lines made one, says who wrote what
 * follows: 0 no; 1 only if a quote follows; 2 yes; 3 yes, and it begins as
 * such lines begin. */
int reply_attribution(const char *text);

/* The line begins as an attribution does: "On Nov 21, 2014,". */
bool reply_attribution_begins(const char *line);

#endif
