/* Decides who gets no words from whom: censor, and suspended players. */
#pragma once

#include <stdbool.h>

#include "pbm/request/request.h"

/* Does p take no messages from this player, nor from other accounts of his mailbox?  The setting
 * censor lists userids. */
bool censor_has(struct request *q, const struct player_doc *p, const char *userid);

/* The sentence for a suspended player, who may write only to moderators, with the end of the
 * suspension; NULL: by is not suspended. */
const char *censor_suspended(struct request *q, const struct player_doc *by);

/* Why the reader gets no words from by, as a sentence for by; NULL: the reader gets them. */
const char *censor_why(struct request *q, const struct player_doc *reader,
                       const struct player_doc *by);
/* The same for their userids. */
const char *censor_why_to(struct request *q, const char *reader, const char *by);

/* The text, if the reader gets it from this player; else NULL, and the sender is told. */
const char *censor_comment(struct request *q, const char *reader, const char *by, const char *text);

/* The same for words that come with no turn: they count with the mails of mere words, of which a
 * player takes MAIL_LIMITS_TALKS_AN_HOUR from one mailbox. */
const char *censor_words(struct request *q, const char *reader, const char *by, const char *text);
