/* Quotations and advertisements whose lines can be told only from the lines around
 * them: bars or initials instead of quote marks, and the addresses of web pages above
 * and below "Sent from my iPhone". */
#pragma once

#include "mail/reply/reply.h"
#include "mail/reply/reply_class.h"

/* Finds copies of mails whose lines begin with another mark than ">": "| ", ": ", "pbm> ".  Two lines
 * or more with one mark are a copy if a header of a mail or words of ours are among them, as k (or
 * NULL) knows; all lines with that mark become LINE_QUOTE.  Other lines stay: people write tables,
 * lists and dialogues. */
void reply_mark_copies(struct arena *a, struct reply_lines *l, const struct reply_knower *k);

/* To be called after reply_mark_attributions().  Makes such lines LINE_QUOTE or
 * LINE_DROPPED, and the ends of quoted lines that a mail program has broken LINE_QUOTE. */
void reply_mark_frames(struct reply_lines *l);
