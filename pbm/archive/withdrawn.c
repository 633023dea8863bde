#include "pbm/archive/withdrawn.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "pbm/archive/list_name.h"
#include "pbm/archive/lists.h"
#include "pbm/archive/neighbours.h"
#include "pbm/archive/pages.h"

/* The links of the games that stood beside it. */
static int join_neighbours(struct site *site, struct arena *a, const struct game_doc *d,
                           struct err *e)
{
	const struct neighbour game = { .board = d->board,
		                        .ended = d->ended,
		                        .players = { d->players[0], d->players[1] } };
	struct neighbours n = { 0 };
	int rc = neighbours_find(site, a, &game, &n, e);

	return rc == 0 ? neighbours_write(site, &n, e) : rc;
}

int withdrawn_remove(struct site *site, const struct game_doc *d, struct err *e)
{
	static const char *const endings[] = { "html", "json", "pgn" };
	struct arena a = { 0 };
	char path[1200];
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof endings / sizeof *endings; i++) {
		const char *name = archive_game_path(&a, d->board, endings[i]);

		site_archive_path(site, name, path, sizeof path);
		if (unlink(path) < 0 && errno != ENOENT)
			rc = err_sys(e, "unlink %s", path);
	}
	if (rc == 0)
		rc = join_neighbours(site, &a, d, e);
	arena_release(&a);
	return rc;
}

/* Writes a list again.  One without games has no page any more; nothing refers to it. */
static int write_list(struct site *site, struct arena *a, const char *name, struct err *e)
{
	struct list_name l;
	char path[1200];
	int64_t n = 0;

	list_read(a, name, &l);
	int rc = list_pages_rebuild(site, name, e);
	if (rc == 0)
		rc = list_count(site, &l, &n, e);
	if (rc < 0 || n > 0 || strcmp(l.kind, "opening") != 0)
		return rc;
	site_archive_path(site, arena_printf(a, "%s/index.html", l.folder), path, sizeof path);
	if (unlink(path) < 0 && errno != ENOENT)
		return err_sys(e, "unlink %s", path);
	*strrchr(path, '/') = '\0';
	return rmdir(path) == 0 || errno == ENOENT || errno == ENOTEMPTY
	               ? 0
	               : err_sys(e, "rmdir %s", path);
}

/* was: the game as it was listed. */
static int write_lists(struct site *site, const struct game_doc *was, bool all, struct err *e)
{
	const char *names[LISTS_OF_GAME];
	struct arena a = { 0 };
	size_t n = lists_of_game(&a, was, names);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (all || strncmp(names[i], "result:", strlen("result:")) == 0)
			rc = write_list(site, &a, names[i], e);
	arena_release(&a);
	return rc;
}

int withdrawn_lists(struct site *site, const struct game_doc *d, struct err *e)
{
	struct game_doc was = *d;
	was.state = GAME_FINISHED;
	bool over = false; /* between the first of several ends and a rollback */
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < d->event_count; i++) {
		const struct event *ev = &d->events[i];

		if (ev->kind == EVENT_MOVE || ev->kind == EVENT_UNDO)
			over = false;
		if (ev->kind != EVENT_END)
			continue;
		was.ended = over ? was.ended : ev->at;
		over = true;
		if (strcmp(ev->result, "*") == 0 ||
		    (d->state == GAME_FINISHED && strcmp(ev->result, d->result) == 0))
			continue;
		was.result = ev->result;
		rc = write_lists(site, &was, d->state != GAME_FINISHED, e);
	}
	return rc;
}
