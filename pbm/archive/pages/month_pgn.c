#include "pbm/archive/pages/month_pgn.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/archive/pages/game_files.h"
#include "pbm/archive/pages/pages.h"

#define PART 250
#define GAME_MAX (16 * 1024 * 1024)
#define PART_MAX ((size_t)1 << 30)

static const char *file_of(struct arena *a, const struct list_name *l, int64_t part)
{
	return part > 1 ? arena_printf(a, "%s.%" PRId64 ".pgn", l->folder, part)
	                : arena_printf(a, "%s.pgn", l->folder);
}

/* Appends the file of a game.  A bucket would be asked for each game of the month, one after the other, so
 * its text is made again. */
static int add_game(struct site *site, int64_t board, struct str *out, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	char *bytes;
	size_t n;
	int rc;

	if (site->bucket) {
		rc = game_files_pgn(site, &a, board, out, e);
	} else {
		rc = archive_read(site, archive_game_path(&a, board, "pgn"), GAME_MAX, &bytes, &n,
		                  e);
		if (rc == 0) {
			str_add_n(out, bytes, n);
			free(bytes);
		}
	}
	return rc;
}

/* The games' own files, one after the other, the oldest first.  A game that has no file yet is
 * published in a later run. */
static int write_part(struct site *site, const struct list_name *l, const struct list_part *p,
                      struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	AUTO(str_release) struct str all = str_heap(PART_MAX);
	AUTO(str_release) struct str game = str_heap(GAME_MAX);
	json_t *row;
	size_t i;
	int rc = 0;

	json_array_foreach(p->rows, i, row) {
		struct err why = { 0 };

		str_clear(&game);
		rc = add_game(site, json_integer_value(json_array_get(row, 0)), &game, &why);
		if (rc < 0 && rc != ERR_NOT_FOUND) {
			err_set(e, why.code, "%s", why.text);
			break;
		}
		if (rc == 0 && all.len)
			str_add_char(&all, '\n');
		str_add_n(&all, game.len ? game.data : "", game.len);
		rc = 0;
	}
	if (rc == 0)
		rc = archive_write_text(site, file_of(&a, l, p->number), &all, e);
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
		AUTO(arena_release) struct arena a = { 0 };

		json_array_append_new(
			files, json_pack("{s:s, s:I, s:b}", "url",
		                         arena_printf(&a, "../../%s", file_of(&a, l, part)),
		                         "number", (json_int_t)part, "several", games > PART));
	}
	return files;
}
