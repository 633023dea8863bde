/* The numbers of list items as their author typed them.  Markdown takes every
 * line that begins with "1. d4" for a list, and md4c reports only the first
 * number of a list; so the numbers are read from the source. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define MARKER_SIZE 16 /* nine digits, the most that Markdown allows, ". " and NUL */

/* Copies the marker ("1. ", "12) ") of an ordered list's item to out.  at is
 * the item's first text, inside source.  Of several markers on the line, as in
 * "1. 2. text", back = 0 is the last, back = 1 the last but one.  False when
 * there is no such marker. */
bool marker_typed(const char *source, const char *at, size_t back, char out[MARKER_SIZE]);

/* Does the line above the line of at have text? */
bool marker_follows_text(const char *source, const char *at);
