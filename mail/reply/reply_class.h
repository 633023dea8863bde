/* Classifies one line of an answer by its looks alone; mail/reply/reply.c judges the
 * classes of all lines together.  Lines are compared in their flat form, see
 * reply_flatten(). */
#pragma once

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
	LINE_HEADING,    /* the like in other words or without dashes; counts if a header follows */
	LINE_HEADER,     /* From: …, in many languages */
	LINE_DEVICE,     /* Sent from my … */
	LINE_DISCLAIMER, /* This e-mail and any attachments … */
	LINE_MARKER,     /* our own "Reply above this line", or a heading of ours without a mark */
	LINE_ARMOR,      /* a PGP signature begins */
	LINE_DROPPED,    /* PGP's frame, or a line of an attribution above its last */
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

/* The class of the line s of n bytes; never LINE_ATTRIBUTION, which
 * reply_mark_attributions() finds. */
enum reply_class reply_classify(const char *s, size_t n);

/* Does the line look like the first one of a mail of ours?  A person may write the same: it counts
 * only above a LINE_MARKER. */
bool reply_begins_copy(const struct reply_line *l);

/* Is it the line of a refusal that repeats what was refused, below the reasons? */
bool reply_is_tried(const struct reply_line *l);

/* May a person have written the line (text, or a line that only resembles a header)? */
bool reply_is_prose(const struct reply_line *l);

/* The first line from i on that is not empty, or l->n. */
size_t reply_skip_empty(const struct reply_lines *l, size_t i);

/* Is the first line below line i that is not empty a quoted one? */
bool reply_quote_follows(const struct reply_lines *l, size_t i);

/* Makes n bytes at s flat: without invisible characters, with single ASCII spaces, and
 * with ASCII digits, colons, hyphens and apostrophes.  Returns the length; 0 when out
 * is too small. */
size_t reply_flatten(const char *s, size_t n, char *out, size_t size);

/* Does the line hold our marker "reply above this line", quoted or not? */
bool reply_has_marker(const char *s, size_t n);

/* A long row of "_", as Outlook draws above a quoted mail and mailing lists above
 * their footer. */
bool reply_is_footer_rule(const char *s, size_t n);
