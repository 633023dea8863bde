/* Quotations and advertisements whose lines can be told only from the lines around
 * them: bars or initials instead of quote marks, and the addresses of web pages above
 * and below "Sent from my iPhone". */
#pragma once

#include "mail/reply/reply_class.h"

/* To be called after reply_mark_attributions().  Makes such lines LINE_QUOTE or
 * LINE_DROPPED. */
void reply_mark_frames(struct reply_lines *l);
