/* The reader of a mail: which language it is written in. */
#pragma once

#include <jansson.h>

#include "pbm/request/request.h"
#include "pbm/text/language.h"

/* The language that a player has set (`set language de`); without one, and for userid NULL
 * (a stranger), the language in which the sender of this mail greets the server, else the
 * site's.  NULL: English. */
const struct language *reader_language(struct request *q, const char *userid);

/* Tells a template of q->greeting: a member "es" that is true. */
void reader_add_language(const struct request *q, json_t *context);
