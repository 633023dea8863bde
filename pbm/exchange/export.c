#include "pbm/exchange/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "games/rules.h"
#include "pbm/base/io.h"
#include "pbm/base/mem.h"
#include "pbm/record/pgn.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define CHUNK 256
#define TEXT_MAX (4 * 1024 * 1024)
#define FOLDER_MODE 0755

/* The file of a kind of game while it is written. */
struct kind_file {
	const struct rules *rules;
	const char *path, *part; /* part: it is renamed to path at the end */
	FILE *out;
	struct kind_file *next;
};

struct export
{
	struct site *site;
	const char *folder;
	bool all;
	export_broken_fn *broken;
	struct export_report *r;
	struct arena a;
	struct kind_file *files;
	int64_t last;
	struct err *e;
};

static int fail(struct export *x, const char *path)
{
	return err_set(x->e, ERR_SYSTEM, "%s: %s", path, strerror(errno));
}

static int file_of(struct export *x, const struct rules *rules, struct kind_file **found)
{
	struct kind_file *f = x->files;

	while (f && f->rules != rules)
		f = f->next;
	*found = f;
	if (f)
		return 0;
	*found = f = arena_alloc(&x->a, sizeof *f);
	f->rules = rules;
	f->path = arena_printf(&x->a, "%s/%s.pgn", x->folder, rules->name);
	f->part = arena_printf(&x->a, "%s.tmp", f->path);
	f->out = fopen(f->part, "we");
	if (!f->out)
		return fail(x, f->part);
	f->next = x->files;
	x->files = f;
	x->r->files++;
	return 0;
}

static int write_match(struct export *x, const struct match *m)
{
	struct kind_file *f;
	AUTO(str_release) struct str s = str_heap(TEXT_MAX);
	int rc = file_of(x, m->game.rules, &f);

	if (rc < 0)
		return rc;
	if (ftello(f->out) > 0)
		str_add_char(&s, '\n');
	pgn_write(m, x->site->conf.host, &s);
	if (fwrite(s.data, 1, s.len, f->out) != s.len)
		rc = fail(x, f->part);
	x->r->games++;
	return rc;
}

static int add_game(const struct game_row *row, void *arg)
{
	struct export *x = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct err why = { 0 };
	struct game_doc doc;
	struct match m;

	x->last = row->board;
	if (row->state != GAME_FINISHED && !(x->all && row->state == GAME_RUNNING))
		return 0;
	int rc = store_game_get(x->site->store, &a, row->board, &doc, &why);
	if (rc == 0)
		rc = match_load(&a, &doc, &m, &why);
	if (rc == 0) {
		rc = write_match(x, &m);
	} else {
		x->broken((long long)row->board, why.text);
		x->r->broken++;
		rc = 0;
	}
	return rc;
}

static int write_all(struct export *x)
{
	int64_t before;
	int rc;

	do {
		before = x->last;
		rc = store_boards(x->site->store, before, CHUNK, add_game, x, x->e);
	} while (rc == 0 && x->last > before);
	return rc;
}

/* Renames the files when each of them is whole. */
static int finish(struct export *x, int rc)
{
	for (struct kind_file *f = x->files; f; f = f->next) {
		bool bad = fflush(f->out) != 0 || fsync(fileno(f->out)) != 0;

		if ((fclose(f->out) != 0 || bad) && rc == 0)
			rc = fail(x, f->part);
	}
	for (struct kind_file *f = x->files; f; f = f->next)
		if (rc == 0 && rename(f->part, f->path) != 0)
			rc = fail(x, f->path);
		else if (rc < 0)
			unlink(f->part);
	return rc == 0 ? io_sync_dir(AT_FDCWD, x->folder, x->e) : rc;
}

int export_games(struct site *site, const char *folder, bool all, export_broken_fn *broken,
                 struct export_report *r, struct err *e)
{
	struct export x = {
		.site = site, .folder = folder, .all = all, .broken = broken, .r = r, .e = e
	};

	*r = (struct export_report){ 0 };
	int rc = io_make_dirs(AT_FDCWD, arena_printf(&x.a, "%s/", folder), FOLDER_MODE, e);
	if (rc == 0)
		rc = finish(&x, write_all(&x));
	arena_release(&x.a);
	return rc;
}
