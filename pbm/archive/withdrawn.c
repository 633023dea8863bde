#include "pbm/archive/withdrawn.h"

#include <string.h>

#include "pbm/archive/lists.h"
#include "pbm/archive/pages/list_name.h"
#include "pbm/archive/pages/neighbours.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/puzzle_page.h"

/* The links of the games that stood beside it where it was listed. */
static int join_neighbours(struct site *site, const struct game_doc *was, struct err *e)
{
	const struct neighbour game = neighbour_of(was);
	struct neighbours n = { 0 };
	AUTO(arena_release) struct arena a = { 0 };
	int rc = neighbours_find(site, &a, &game, &n, e);

	return rc == 0 ? neighbours_write(site, &n, e) : rc;
}

int withdrawn_remove(struct site *site, const struct game_doc *d, struct err *e)
{
	static const char *const endings[] = { "html", "json", "pgn", "png", "gif" };
	AUTO(arena_release) struct arena a = { 0 };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof endings / sizeof *endings; i++)
		rc = archive_remove(site, archive_game_path(&a, d->board, endings[i]), e);
	if (rc == 0)
		rc = archive_remove(site, archive_embed_path(&a, d->board), e);
	return rc == 0 ? puzzle_page_remove(site, &a, d, e) : rc;
}

/* Pages that lists without games have left, and nothing refers to; archive.c removes what a
 * player has left. */
static const struct {
	const char *kind, *before, *behind; /* of the list's folder */
	bool folder;
} leftovers[] = {
	{ "opening", "", "", true },     { "result", "", "", true },     { "month", "", "", true },
	{ "month", "", ".pgn", false },  { "months", "", ".js", false }, { "game", "", "", true },
	{ "game", "search/", "", true },
};

static int remove_list(struct site *site, struct arena *a, const struct list_name *l, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof leftovers / sizeof *leftovers; i++) {
		const char *name = arena_printf(a, "%s%s%s", leftovers[i].before, l->folder,
		                                leftovers[i].behind);

		if (strcmp(l->kind, leftovers[i].kind) == 0)
			rc = leftovers[i].folder ? archive_remove_folder(site, name, e)
			                         : archive_remove(site, name, e);
	}
	return rc;
}

static int remove_if_empty(struct site *site, struct arena *a, const char *name, struct err *e)
{
	struct list_name l;
	int64_t n = 0;

	list_read(a, name, &l);
	int rc = list_count(site, &l, &n, e);
	return rc < 0 || n > 0 ? rc : remove_list(site, a, &l, e);
}

/* was: the game as it was listed. */
static int write_lists(struct site *site, const struct game_doc *was, bool all, struct err *e)
{
	const char *names[LISTS_OF_GAME];
	AUTO(arena_release) struct arena a = { 0 };
	size_t n = lists_of_game(&a, was, names);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (all || strncmp(names[i], "result:", strlen("result:")) == 0)
			rc = list_pages_write(site, names[i], NULL, 0, e);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = remove_if_empty(site, &a, names[i], e);
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
		/* After a rollback the game may have ended again, at another time. */
		bool listed = d->state == GAME_FINISHED && was.ended == d->ended;
		if (strcmp(ev->result, "*") == 0 || (listed && strcmp(ev->result, d->result) == 0))
			continue;
		was.result = ev->result;
		rc = write_lists(site, &was, !listed, e);
		if (rc == 0 && !listed)
			rc = join_neighbours(site, &was, e);
	}
	return rc;
}
