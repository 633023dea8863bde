/* The words with which mail programs introduce a quotation or sign a mail, in many
 * languages: word tables and the questions asked of them.  All text is flat
 * (mail/reply/reply_class.h); ASCII letters match in any case. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The length of a header field's name at s ("Von", "Betreff"), else 0.  A colon must
 * follow, perhaps after spaces and stars. */
size_t reply_header_name(const char *s);

/* The length of "Original Message" at the beginning of s, else 0. */
size_t reply_says_original(const char *s);

/* Does s begin with "Forwarded message"?  dashes: dashes stood before it; without
 * them only Apple's words count. */
bool reply_says_forwarded(const char *s, bool dashes);

/* Does s begin like the legal notice below company mails? */
bool reply_says_disclaimer(const char *s);

/* The last "wrote" in s that is a word of its own, or NULL; *behind: the text after
 * it. */
const char *reply_verb(const char *s, const char **behind);

/* Does s begin like "Quoting alice"? */
bool reply_says_quoting(const char *s);

/* Does s begin like the date of an attribution: "On ", "Am ", "Le "? */
bool reply_says_intro(const char *s);

/* Does s hold a year from 1900 to 2099, or a whole date ("1/12/26", "2026-12-01")?  with_time: a
 * time of day ("17:00", "17.00") counts, too.  It looks at the digits alone. */
bool reply_has_date(const char *s, bool with_time);
