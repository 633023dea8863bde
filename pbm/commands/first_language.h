/* The language in which a person without an account writes.  It is remembered from mail to mail:
 * a person who greets in German also signs up in German. */
#pragma once

#include <jansson.h>

#include "pbm/request/request.h"

/* Sets q->greeting for a sender without an account: the language of the mail's prose, else the
 * one in which the same mailbox wrote in the last days. */
int first_language_find(struct request *q, const char *subject, const char *text, struct err *e);

/* Does a line of the mail ask for an account? */
bool first_language_signs_up(struct request *q);

/* Sets the language of a new account to it, if mails are translated into it. */
void first_language_set(struct request *q, struct player_doc *p);
