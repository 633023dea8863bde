/* Words that several pages of the archive use: results and dates.  Only for the files of this
 * folder. */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "pbm/base/str.h"

/* Appends the result of a game that has ended, with the names of its players: "bob won: alice
 * resigned", "a draw: agreed by both".  The arguments are members of struct game_doc or struct
 * game_row; reason may be NULL.  Control characters become blanks. */
void page_result(const char *const players[2], const char *result, const char *reason,
                 struct str *out);

/* A time as people write it, and for the attribute datetime: {"text": "1 December 2026",
 * "iso": "2026-12-01T17:00:00Z", "day": "2026-12-01"}. */
json_t *page_date(int64_t t);

/* Appends what a player wrote; "[address]" stands for each mail address in it. */
void page_comment(const char *text, struct str *out);
