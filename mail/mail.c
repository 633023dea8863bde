#include "mail/mail.h"

#include <string.h>

void mail_strings_add(struct arena *a, struct mail_strings *list, const char *s)
{
	/* The array has 2^k places, one of them for the closing NULL. */
	if ((list->n & (list->n + 1)) == 0) {
		const char **v = arena_alloc(a, (list->n + 1) * 2 * sizeof *v);

		if (list->n)
			memcpy(v, list->v, list->n * sizeof *v);
		list->v = v;
	}
	list->v[list->n++] = s;
	list->v[list->n] = NULL;
}
