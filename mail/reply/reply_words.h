/* The words by which mail programs frame what they quote, in the languages that
 * people run them in.  All text is flat (mail/reply/reply_class.h); letters of ASCII
 * count in any case. */
#ifndef MAIL_REPLY_REPLY_WORDS_H
#define MAIL_REPLY_REPLY_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes at s name a header field ("Von", "Betreff"), else 0.  The
 * colon must follow, perhaps behind spaces and stars. */
size_t reply_header_name(const char *s);

/* "Original Message…" begins s; returns its length. */
size_t reply_says_original(const char *s);

/* "Forwarded message…" begins s, behind dashes or as Apple writes it without. */
bool reply_says_forwarded(const char *s, bool dashes);

/* "Sent from my iPhone". */
bool reply_says_device(const char *s);

/* What lawyers have put below mails. */
bool reply_says_disclaimer(const char *s);

/* Where the last "wrote" stands in s, a word of its own; *behind is the rest of
 * s.  NULL: nowhere. */
const char *reply_verb(const char *s, const char **behind);

/* "Quoting alice": such words begin an attribution. */
bool reply_says_quoting(const char *s);

/* "On ", "Am ", "Le ": how the date of an attribution begins. */
bool reply_says_intro(const char *s);

#endif
