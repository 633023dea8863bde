/* Words for people: dates, durations, filled paragraphs, lists. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/str.h"

#define TEXT_WIDTH 72
/* ... of what a player wrote, with its mark: no mail program that quotes an answer again must break
 * a line of it, as the end of that line would stand there without any mark. */
#define TEXT_QUOTED 60
#define TEXT_COMMAND 4 /* blanks before a command in a mail, which is copied */
#define TEXT_HELP 6    /* ... before the help of a command in the list of commands */
#define TEXT_HANGING 8

/* "Tue 1 Dec 2026, 19:00 (Europe/Berlin)"; zone: an IANA name, NULL is UTC. */
void text_date(int64_t t, const char *zone, struct str *out);
/* The same for an end: midnight is the last minute of the day before. */
void text_date_end(int64_t t, const char *zone, struct str *out);
/* "6 days 22 hours", "3 hours 5 minutes", "less than a minute"; negative seconds
 * count as 0. */
void text_duration(int64_t seconds, struct str *out);
/* Appends text with lines filled to TEXT_WIDTH; line ends in text are kept. */
void text_fill(const char *text, struct str *out);
/* The same, filled to so many columns. */
void text_fill_within(const char *text, size_t columns, struct str *out);
/* Appends text with those lines filled that are indented by TEXT_HANGING blanks or more and begin
 * with a capital, as the terms in a list of games do, or by TEXT_HELP; what is below stands under
 * them.  Commands, which are copied, stay as they are. */
void text_hang(const char *text, struct str *out);
/* The same for a whole mail: fills the sentences that a name or a date has made too long.
 * Quotations, commands and tables stay as they are. */
void text_narrow(const char *text, struct str *out);
/* Appends n bytes of what somebody wrote, without the characters that change the direction of
 * all that follows (Unicode's annex 9). */
void text_straight(const char *text, size_t n, struct str *out);
/* The greatest length up to max at which the text ends with a word; where a word is too long for that, with
 * a character. */
size_t text_cut(const char *text, size_t max);
/* Appends item i of n to a list such as "a, b or c"; last is the word before the
 * last item. */
void text_list(struct str *out, size_t i, size_t n, const char *item, const char *last);
