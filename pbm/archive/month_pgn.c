#include "pbm/archive/month_pgn.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/archive/pages.h"
#include "pbm/base/io.h"

#define PART 250
#define GAME_MAX (16 * 1024 * 1024)

struct part {
	const struct list_due *due;
	struct finished_place last;
	size_t n, met;
	int64_t boards[PART]; /* newest first */
};

static const char *file_of(struct arena *a, const struct list_name *l, int64_t part)
{
	return part > 1 ? arena_printf(a, "%s.%" PRId64 ".pgn", l->folder, part)
	                : arena_printf(a, "%s.pgn", l->folder);
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int take_row(const struct game_row *row, void *arg)
{
	struct part *p = arg;

	p->boards[p->n++] = row->board;
	p->last = (struct finished_place){ row->ended, row->board };
	p->met += p->due &&
	          bsearch(&row->board, p->due->v, p->due->n, sizeof row->board, by_number);
	return 0;
}

/* The games' own files, one behind the other, the oldest first.  A game that has no file yet
 * is published in a later run. */
static int write_part(struct site *site, const struct part *p, const char *name, struct err *e)
{
	char *all = NULL, path[1200];
	size_t len = 0;
	int rc = 0;

	for (size_t i = p->n; rc == 0 && i-- > 0;) {
		struct arena a = { 0 };
		struct err why = { 0 };
		char *bytes;
		size_t n;
		const char *file = arena_printf(&a, "archive/%s",
		                                archive_game_path(&a, p->boards[i], "pgn"));
		int got = io_read_file(AT_FDCWD, site_path(site, file, path, sizeof path), GAME_MAX,
		                       &bytes, &n, &why);

		if (got == 0) {
			all = mem_resize(all, len + n + 2);
			if (len)
				all[len++] = '\n';
			memcpy(all + len, bytes, n);
			len += n;
			free(bytes);
		} else if (why.code != ERR_NOT_FOUND) {
			rc = err_set(e, why.code, "%s", why.text);
		}
		arena_release(&a);
	}
	if (rc == 0)
		rc = archive_write_bytes(site, name, all ? all : "", len, e);
	free(all);
	return rc;
}

int month_pgn_write(struct site *site, const struct list_name *l, const struct list_due *due,
                    struct err *e)
{
	struct arena a = { 0 };
	int64_t games = 0;
	size_t met = 0;
	int rc = list_count(site, l, &games, e);
	struct part *p = mem_alloc(sizeof *p);

	p->last = (struct finished_place){ INT64_MAX, INT64_MAX };
	for (int64_t part = (games + PART - 1) / PART; rc == 0 && part > 0; part--) {
		p->due = due;
		p->n = p->met = 0;
		rc = list_games(site, l, p->last, (size_t)(games - (part - 1) * PART), take_row, p,
		                e);
		games = (part - 1) * PART;
		if (rc == 0 && (!due || p->met))
			rc = write_part(site, p, file_of(&a, l, part), e);
		met += p->met;
		if (due && met >= due->n)
			break;
	}
	free(p);
	arena_release(&a);
	return rc;
}

json_t *month_pgn_files(const struct list_name *l, int64_t games)
{
	json_t *files = json_array();

	for (int64_t part = 1; part == 1 || part <= (games + PART - 1) / PART; part++) {
		struct arena a = { 0 };

		json_array_append_new(files,
		                      json_pack("{s:s, s:I}", "url",
		                                arena_printf(&a, "../../%s", file_of(&a, l, part)),
		                                "number", (json_int_t)part));
		arena_release(&a);
	}
	return files;
}
