/* Reads the words of "signup anna": a name, and perhaps a password, which people who write their whole
 * name don't mean. */
#pragma once

#include "pbm/commands/words/command.h"

/* Takes a name that stands below the word, alone on its line: the Subject is "signup", the text
 * "anna"; and "signup anna, thank you" without the thanks, which are no password.  false: refused. */
bool signup_words_name(struct request *q, struct call *c);

/* Refuses more words than a userid and a password beside so many addresses, and a second word that
 * can't be a password or is rather a name: "signup Anna Bell".  password: that word, or NULL.
 * false: refused. */
bool signup_words_fit(struct request *q, const struct call *c, size_t addresses,
                      const char *password);
