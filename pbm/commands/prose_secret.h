/* Finds what may be the sender's password in text that others would read: a word behind his
 * userid, near the word password, or that looks like one.  Knows no password: it names the words
 * to be checked.
 * Stores nothing and asks nobody. */
#ifndef PBM_COMMANDS_PROSE_SECRET_H
#define PBM_COMMANDS_PROSE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/mem.h"

#define PROSE_SPOTS_MAX 16

/* A place that may hold a password. */
struct prose_spot {
	size_t from, to;     /* its first and last line */
	bool sure;           /* its shape is enough: no check is needed */
	bool weak;           /* only its look: without a check it is nothing */
	const char *word[2]; /* the word, and the word without the marks at its end, or NULL */
};

struct prose_spots {
	size_t n;
	struct prose_spot v[PROSE_SPOTS_MAX]; /* the last one goes to the end, if there are more */
};

/* lines: n of them, as plain_line() makes them.  userid: the sender's, or NULL. */
void prose_secret_find(struct arena *a, const char *userid, const char *const *lines, size_t n,
                       struct prose_spots *out);

#endif
