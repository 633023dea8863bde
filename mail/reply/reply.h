/* Finds the lines of a mail that its sender wrote, and leaves out quotations,
 * signatures and mail copied below.  Judges lines by their looks, in many languages;
 * does not know what a command or a move is.  A line in doubt is kept. */
#pragma once

#include <stdbool.h>

#include "pbm/base/mem.h"

/* text: struct mail's, UTF-8 with LF line ends.  Returns the sender's own lines, ""
 * when there are none; nothing below our "reply above this line" marker. */
const char *reply_text(struct arena *a, const char *text);

/* Paragraphs that reply_text() leaves out where a mail of ours is copied, and that its sender may
 * have written: those of prose, a line each, with single blanks.  Sentences of our mail are among
 * them, but nothing of a signature.  "" when no mail of ours is copied below the sender's lines. */
const char *reply_left_out(struct arena *a, const char *text);

/* Does a copy of a mail of ours, without marks and without anything above it, end the sender's lines?
 * Its beginning may be among them. */
bool reply_is_above_copy(struct arena *a, const char *text);
