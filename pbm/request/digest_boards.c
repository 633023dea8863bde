#include "pbm/request/digest_boards.h"

#include <stdlib.h>

#include "store/document/document.h"

/* Reads "17w24"; returns what follows it, or NULL. */
static const char *read_board(const char *text, struct digest_board *out)
{
	char *end;

	if (*text < '1' || *text > '9')
		return NULL;
	out->board = strtoll(text, &end, 10);
	if (*end != 'w' && *end != 'b')
		return NULL;
	out->seat = *end == 'w' ? SEAT_WHITE : SEAT_BLACK;
	text = end + 1;
	if (*text < '0' || *text > '9')
		return NULL;
	out->stamp = (unsigned)strtoul(text, &end, 10);
	return *end == ' ' ? end + 1 : *end ? NULL : end;
}

struct digest_boards digest_boards_read(struct arena *a, const char *text)
{
	struct digest_board *v = arena_alloc(a, DIGEST_BOARDS_MAX * sizeof *v);
	struct digest_boards l = { .v = v };

	while (text && *text && l.n < DIGEST_BOARDS_MAX) {
		text = read_board(text, &v[l.n]);
		l.n += text != NULL;
	}
	return l;
}

void digest_boards_write(const struct digest_board *b, struct str *out)
{
	str_addf(out, "%s%lld%c%u", out->len ? " " : "", (long long)b->board,
	         b->seat == SEAT_WHITE ? 'w' : 'b', b->stamp);
}

const struct digest_board *digest_boards_find(const struct digest_boards *l, int64_t board)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].board == board)
			return &l->v[i];
	return NULL;
}
