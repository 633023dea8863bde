/* Words that names may not have, or that say nothing of who it is, in several languages, from
 * reserved.words; pbm/people/naming.c says where each list counts.  NULL ends a list. */
#pragma once

extern const char *const reserved_anywhere[];
extern const char *const reserved_part[];
extern const char *const reserved_alone[];
extern const char *const reserved_nobody[];
extern const char *const reserved_common[];
extern const char *const reserved_lead[];
extern const char *const reserved_before[];
extern const char *const reserved_verb[];
extern const char *const reserved_link[];
extern const char *const reserved_own[]; /* in other letters than Latin ones */
