#include "pbm/archive/pages/month_pgn.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/archive/pages/pages.h"

#define PART 250
#define GAME_MAX (16 * 1024 * 1024)

static const char *file_of(struct arena *a, const struct list_name *l, int64_t part)
{
	return part > 1 ? arena_printf(a, "%s.%" PRId64 ".pgn", l->folder, part)
	                : arena_printf(a, "%s.pgn", l->folder);
}

/* The games' own files, one after the other, the oldest first.  A game that has no file yet is
 * published in a later run. */
static int write_part(struct site *site, const struct list_name *l, const struct list_part *p,
                      struct err *e)
{
	char *all = NULL;
	size_t len = 0, i;
	struct arena a = { 0 };
	json_t *row;
	int rc = 0;

	json_array_foreach(p->rows, i, row) {
		int64_t board = json_integer_value(json_array_get(row, 0));
		struct err why = { 0 };
		char *bytes;
		size_t n;

		if (archive_read(site, archive_game_path(&a, board, "pgn"), GAME_MAX, &bytes, &n,
		                 &why) == 0) {
			all = mem_resize(all, len + n + 2);
			if (len)
				all[len++] = '\n';
			memcpy(all + len, bytes, n);
			len += n;
			free(bytes);
		} else if (why.code != ERR_NOT_FOUND) {
			rc = err_set(e, why.code, "%s", why.text);
			break;
		}
	}
	if (rc == 0)
		rc = archive_write_bytes(site, file_of(&a, l, p->number), all ? all : "", len, e);
	free(all);
	arena_release(&a);
	return rc;
}

int month_pgn_write(struct site *site, const struct list_name *l, const struct list_due *due,
                    size_t failed, struct err *e)
{
	return list_parts_write(site, l, PART, due, failed, write_part, e);
}

json_t *month_pgn_files(const struct list_name *l, int64_t games)
{
	json_t *files = json_array();

	for (int64_t part = 1; part == 1 || part <= (games + PART - 1) / PART; part++) {
		struct arena a = { 0 };

		json_array_append_new(
			files, json_pack("{s:s, s:I, s:b}", "url",
		                         arena_printf(&a, "../../%s", file_of(&a, l, part)),
		                         "number", (json_int_t)part, "several", games > PART));
		arena_release(&a);
	}
	return files;
}
