#include "pbm/archive/pages/game_files.h"

#include <string.h>

#include "pbm/answer/game_picture.h"
#include "pbm/archive/pages/game_page.h"
#include "pbm/archive/pages/neighbours.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/puzzle_page.h"
#include "pbm/record/match.h"
#include "pbm/record/pgn.h"
#include "store/store_documents.h"

/* Hides what moderators read, and why they stopped the clocks, gave time or took turns back.
 * false: the event is left out. */
static bool make_public(struct event *ev)
{
	if (ev->kind == EVENT_CHAT || ev->kind == EVENT_INSPECT)
		return false;
	if (ev->by && ev->kind == EVENT_PAUSE)
		ev->text = "the players know why";
	else if (ev->by && (ev->kind == EVENT_EXTEND || ev->kind == EVENT_UNDO))
		ev->text = NULL;
	return true;
}

/* The public copy of a game's document leaves out the chat of the players, and what only
 * one of them may read. */
static int write_game_json(struct site *site, struct arena *a, const struct game_doc *doc,
                           struct err *e)
{
	struct game_doc copy = *doc;
	size_t n = 0;

	copy.events = arena_alloc(a, (doc->event_count + 1) * sizeof *copy.events);
	for (size_t i = 0; i < doc->event_count; i++) {
		copy.events[n] = doc->events[i];
		n += make_public(&copy.events[n]);
	}
	copy.event_count = n;
	memset(copy.secret, 0, sizeof copy.secret);
	copy.puzzle = NULL; /* its day may come later */
	copy.puzzle_day = 0;
	struct str s = str_in(a, ARCHIVE_PAGE_MAX);
	game_doc_write(&copy, &s);
	return archive_write_text(site, archive_game_path(a, doc->board, "json"), &s, e);
}

static int write_game_pgn(struct site *site, struct arena *a, const struct match *m, struct err *e)
{
	struct str s = str_in(a, ARCHIVE_PAGE_MAX);

	pgn_write(m, site->conf.host, &s);
	return archive_write_text(site, archive_game_path(a, m->doc.board, "pgn"), &s, e);
}

/* The card that other programs show of the page, and the moving picture if the site has those. */
static int write_pictures(struct site *site, struct arena *a, const struct match *m, struct err *e)
{
	const char *moving = archive_game_path(a, m->doc.board, "gif");
	AUTO(str_release) struct str s = str_heap(ARCHIVE_PAGE_MAX);

	int rc = game_picture_png(site->template_dir, m, &s, e);
	if (rc == 0)
		rc = archive_write_text(site, archive_game_path(a, m->doc.board, "png"), &s, e);
	str_clear(&s);
	if (rc == 0 && !site->conf.archive_gif)
		rc = archive_remove(site, moving, e);
	else if (rc == 0 && (rc = game_picture_gif(site->template_dir, m, WHITE, &s, e)) == 0)
		rc = archive_write_text(site, moving, &s, e);
	return rc;
}

/* alone: not in the pages of its neighbours. */
static int write_game_html(struct site *site, struct arena *a, const struct match *m, bool alone,
                           struct err *e)
{
	const struct neighbour game = neighbour_of(&m->doc);
	struct neighbours beside;
	int rc = neighbours_find(site, a, &game, &beside, e);

	if (rc == 0)
		rc = game_page_write(site, a, m, &beside, e);
	return rc == 0 && !alone ? neighbours_write(site, &beside, e) : rc;
}

int game_files_write(struct site *site, struct arena *a, const struct game_doc *doc, bool alone,
                     struct err *e)
{
	struct match m;
	int rc = match_load(a, doc, &m, e);

	if (rc == 0)
		rc = write_game_json(site, a, doc, e);
	if (rc == 0)
		rc = write_game_pgn(site, a, &m, e);
	if (rc == 0)
		rc = write_pictures(site, a, &m, e);
	if (rc == 0)
		rc = puzzle_page_write(site, a, doc, e);
	return rc == 0 ? write_game_html(site, a, &m, alone, e) : rc;
}

int game_files_pgn(struct site *site, struct arena *a, int64_t board, struct str *out,
                   struct err *e)
{
	struct game_doc doc;
	struct match m;
	int rc = store_game_get(site->store, a, board, &doc, e);

	if (rc == 0)
		rc = match_load(a, &doc, &m, e);
	if (rc == 0)
		pgn_write(&m, site->conf.host, out);
	return rc;
}
