#include "store/store_counts.h"

#include <stdio.h>
#include <string.h>

#include "store/db/gather.h"
#include "store/store_inside.h"

#define LISTS_A_PAGE 200
#define LIST_NAME_MAX 200

int store_count(struct store *s, const char *list, int64_t *out, struct err *e)
{
	return db_number_or_0(s->db, DB_COUNT, DB_ARGS(db_text(list)), out, e);
}

struct count_row {
	const char *name;
	int64_t n;
};

static int copy_count(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct count_row *)out = (struct count_row){ arena_strdup(a, db_row_text(row, 0)),
		                                       db_row_int(row, 1) };
	return 0;
}

/* At most `limit` of the lists between from and to; from becomes the last name.  skip is the
 * length of the kind.  Returns how many they were, 0 also when fn stopped. */
static int show_counts(struct store *s, char from[LIST_NAME_MAX], const char *to, size_t limit,
                       size_t skip, count_fn *fn, void *arg, struct err *e)
{
	AUTO(gather_release) struct gathered page = { 0 };
	int rc = gather_rows(&page, s->db, DB_COUNTS,
	                     DB_ARGS(db_text(from), db_text(to), db_count(limit)), copy_count,
	                     sizeof(struct count_row), e);
	int shown = 0;

	for (; rc == 0 && shown < (int)page.count; shown++) {
		const struct count_row *c = gather_at(&page, (size_t)shown);

		snprintf(from, LIST_NAME_MAX, "%s", c->name);
		rc = fn(c->name + skip, c->n, arg);
	}
	return rc < 0 ? rc : rc > 0 ? 0 : shown;
}

int store_counts_after(struct store *s, const char *kind, const char *after, size_t limit,
                       count_fn *fn, void *arg, struct err *e)
{
	char from[LIST_NAME_MAX], to[LIST_NAME_MAX];
	int n;

	/* Names are ASCII: all that begin with kind sort before kind and this character. */
	snprintf(from, sizeof from, "%s%s", kind, after);
	snprintf(to, sizeof to, "%s\x7f", kind);
	do {
		size_t most = limit < LISTS_A_PAGE ? limit : LISTS_A_PAGE;

		n = show_counts(s, from, to, most, strlen(kind), fn, arg, e);
		limit -= most;
	} while (n == LISTS_A_PAGE && limit);
	return n < 0 ? n : 0;
}

int store_counts(struct store *s, const char *kind, count_fn *fn, void *arg, struct err *e)
{
	return store_counts_after(s, kind, "", SIZE_MAX, fn, arg, e);
}
