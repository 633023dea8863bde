/* Finds the lines of a mail that its sender wrote, and leaves out quotations,
 * signatures and mail copied below.  Judges lines by their looks, in many languages;
 * does not know what a command or a move is.  A line in doubt is kept. */
#pragma once

#include <stdbool.h>

#include "pbm/base/mem.h"

struct reply {
	const char *text; /* the sender's own lines, "" when there are none; nothing below our
	                   * "reply above this line" marker */
	/* Paragraphs that are left out where a mail of ours is copied, and that its sender may have
	 * written: those of prose, a line each, with single blanks.  Sentences of our mail are
	 * among them, but nothing of a signature.  "" when no mail of ours is copied below. */
	const char *left_out;
	/* A copy of a mail of ours, without marks and without anything above it, ends the sender's
	 * lines.  Its beginning may be among them. */
	bool above_copy;
};

/* Whether a text, without marks, holds sentences of the program's mails: this room knows few of them. */
struct reply_knower {
	bool (*knows)(void *arg, const char *text);
	void *arg;
};

/* text: struct mail's, UTF-8 with LF line ends.  k may be NULL. */
struct reply reply_read(struct arena *a, const char *text, const struct reply_knower *k);
