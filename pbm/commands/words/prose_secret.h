/* Names the words of a text that may be the writer's password: the ones near the userid or near a
 * word like "password", and the ones that look like a password.  Knows no password, decides
 * nothing, and stores nothing: the caller checks each word. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/mem.h"

/* One word that may be the password. */
struct prose_word {
	const char *text;
	size_t line;
	bool prose; /* rather a word of a sentence: not worth much work */
	struct prose_word *next;
};

/* lines: n of them, as plain_line() makes them, with single blanks.  userid: the writer's.  The
 * words in the order of the text, those of prose last, some of them twice, or NULL.  A word of several marks and letters
 * comes in several pieces, "alice:secret" also as "secret".
 * others: the account is not the writer's, so its name is an ordinary word of prose: the words
 * are fewer, those beside it which look like a password, and those after it. */
struct prose_word *prose_secret_find(struct arena *a, const char *userid, bool others,
                                     const char *const *lines, size_t n);
