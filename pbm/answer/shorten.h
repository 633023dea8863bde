/* Answers to mails without a proof.  From may be forged, so such an answer is short, however
 * much the mail asks for: MAIL_LIMITS_BYTES on the wire and MAIL_LIMITS_PAGES long texts
 * (pbm/people/mail_limits.h).  It says what was left out, and how to get it.  A proved sender who has
 * had very much mail today gets such answers, too. */
#pragma once

#include "pbm/answer/bundle.h"
#include "pbm/answer/notify.h"

/* Fills the letter with the notes of b, as notify_make() does, but makes it short.  The
 * HTML part goes first, then notes from the end, then the end of a text.  A question that
 * is too long to be shown whole becomes a refusal (q->held.id is NULL then).  1: done;
 * 0: even the least is too long, send nothing. */
int shorten_letter(struct request *q, struct bundle *b, struct letter *l, struct err *e);
