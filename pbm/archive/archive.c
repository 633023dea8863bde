#include "pbm/archive/archive.h"

#include <stdlib.h>
#include <string.h>

#include "pbm/archive/front_page.h"
#include "pbm/archive/help_pages.h"
#include "pbm/archive/lists.h"
#include "pbm/archive/old_pages.h"
#include "pbm/archive/pages/game_files.h"
#include "pbm/archive/pages/puzzle_page.h"
#include "pbm/archive/pages/statics.h"
#include "pbm/archive/pages/tournament_page.h"
#include "pbm/archive/place/in_hand.h"
#include "pbm/archive/players.h"
#include "pbm/archive/restyle.h"
#include "pbm/archive/sitemap.h"
#include "pbm/archive/withdrawn.h"
#include "pbm/base/array.h"
#include "pbm/site/token.h"
#include "store/document/keys.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_questions.h"
#include "store/store_work.h"

#define DUE_CHUNK 256
#define RENEWED_A_RUN 200 /* games of an older layout */
#define GONE_A_RUN 100    /* names whose pages are removed */

/* The boards that this run published, whose marks can be removed, and the lists they are in. */
struct published {
	struct site *site;
	struct archive_report *r;
	int64_t *v; /* board numbers */
	size_t n, cap;
	struct {
		size_t n, cap;
		int64_t *v;
	} work;        /* the number of each one's work */
	size_t failed; /* games that could not be written; their marks stay */
	struct arena a;
	struct list_due *lists;
	size_t list_count, list_cap;
	json_t *places; /* {"game:suicide": its place in lists} */
	json_t *broken; /* lists that could not be written; their games' marks stay */
	json_t *gone;   /* names that have left the archive, with the number of the work or 0 */
	json_t *tournaments; /* tournaments whose pages were written, with the number of the work */
	bool front;          /* the front page shows another number of running games */
};

static struct list_due *list_of(struct published *p, const char *name)
{
	const json_t *place = json_object_get(p->places, name);

	if (place && p->lists)
		return &p->lists[json_integer_value(place)];
	json_object_set_new(p->places, name, json_integer((json_int_t)p->list_count));
	p->lists = array_room(NULL, p->lists, p->list_count, &p->list_cap, sizeof *p->lists);
	struct list_due *due = &p->lists[p->list_count++];
	*due = (struct list_due){ .name = arena_strdup(&p->a, name) };
	return due;
}

static void add_to_lists(struct published *p, const struct game_doc *d)
{
	const char *names[LISTS_OF_GAME];
	AUTO(arena_release) struct arena a = { 0 };
	size_t n = lists_of_game(&a, d, names);

	for (size_t i = 0; i < n; i++) {
		struct list_due *due = list_of(p, names[i]);

		*ARRAY_ADD(NULL, due) = d->board;
		due->past |= d->source != NULL;
	}
}

/* Notes the players of an annulled game who have no other game. */
static int add_gone(struct published *p, const struct game_doc *d, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	int rc = 0;

	for (int seat = 0; rc == 0 && seat < 2; seat++) {
		char key[KEY_USERID_MAX + 1];
		int64_t n = 1;

		if (d->players[seat] && key_fold(d->players[seat], key, sizeof key))
			rc = store_count(p->site->store, arena_printf(&a, "player:%s", key), &n, e);
		if (rc == 0 && n == 0 && !json_object_get(p->gone, key))
			json_object_set_new(p->gone, key, json_integer(0));
	}
	return rc;
}

/* Writes the pages of one game and adds it to its lists. */
static int publish_game(struct published *p, int64_t board)
{
	struct site *site = p->site;
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc doc;
	struct err why = { 0 };
	int rc = store_game_get(site->store, &a, board, &doc, &why);

	if (rc == 0 && doc.state == GAME_FINISHED)
		rc = game_files_write(site, &a, &doc, false, &why);
	else if (rc == 0)
		rc = withdrawn_remove(site, &doc, &why);
	if (rc == 0)
		rc = withdrawn_lists(site, &doc, &why);
	if (rc == 0 && doc.state == GAME_FINISHED)
		add_to_lists(p, &doc);
	else if (rc == 0)
		rc = add_gone(p, &doc, &why);
	if (rc < 0)
		archive_count_failure(p->r, arena_printf(&a, "board %lld", (long long)board), &why);
	else
		p->r->games++;
	return rc;
}

/* Renews the index after an upgrade, whose first run finds all finished games as an older
 * version left them.  Each run indexes some of them again and marks them, so that their pages
 * and lists are written. */
static int renew(struct site *site, bool mark, size_t *renewed, struct err *e)
{
	struct store *s = site->store;
	bool any = false;
	int rc = store_archive_is_old(s, &any, e);

	if (rc < 0 || !any)
		return rc;
	rc = store_begin(s, e);
	if (rc == 0)
		rc = store_archive_renew(s, RENEWED_A_RUN, mark, renewed, e);
	return store_end(s, rc, e);
}

static int publish_due(struct published *p, struct err *e)
{
	struct work due[DUE_CHUNK];
	size_t n = 0;
	int64_t after = 0;
	int rc;

	do {
		rc = store_work(p->site->store, WORK_GAME, after, DUE_CHUNK, due, &n, e);
		if (rc == 0)
			rc = in_hand_note_boards(p->site, WORK_GAME, due, n, e);
		for (size_t i = 0; rc == 0 && i < n; i++) {
			after = due[i].board;
			if (publish_game(p, after) < 0) {
				p->failed++;
				continue;
			}
			*ARRAY_ADD(NULL, p) = after;
			*ARRAY_ADD(NULL, &p->work) = due[i].n;
		}
	} while (rc == 0 && n == DUE_CHUNK);
	return rc;
}

static void note_failure(const char *name, json_t *broken, struct archive_report *r,
                         const struct err *why)
{
	archive_count_failure(r, strcmp(name, "all") == 0 ? "the front page" : name, why);
	if (broken)
		json_object_set_new(broken, name, json_true());
}

static void write_front_page(struct site *site, json_t *broken, struct archive_report *r)
{
	struct err why = { 0 };

	if (front_page_write(site, &why) < 0)
		note_failure("all", broken, r, &why);
}

/* Is this the list of a player who had none before, or who is not in the search yet, because
 * the archive has an older layout? */
static bool is_new_player(const struct published *p, const struct list_due *due)
{
	int64_t n = 0;

	return strncmp(due->name, "player:", 7) == 0 &&
	       (!archive_players_known(p->site, due->name + 7) ||
	        store_count(p->site->store, due->name, &n, NULL) < 0 ||
	        n <= (int64_t)(due->n + p->failed));
}

/* Writes the lists of a kind. */
static void write_kind(struct published *p, const char *kind, json_t *new_players)
{
	size_t n = strlen(kind);

	for (size_t i = 0; i < p->list_count; i++) {
		struct list_due *due = &p->lists[i];
		struct err why = { 0 };

		if (strncmp(due->name, kind, n) != 0 || due->name[n] != ':')
			continue;
		if (list_pages_write(p->site, due->name, due->past ? NULL : due, p->failed, &why) <
		    0)
			note_failure(due->name, p->broken, p->r, &why);
		if (is_new_player(p, due))
			json_object_set_new(new_players, due->name + n + 1, json_true());
	}
}

static void write_lists(struct published *p)
{
	/* Pages come after those to which they refer, as far as it goes: players and their games
	 * refer to each other. */
	static const char *const kinds[] = { "opening", "result", "months",
		                             "player",  "game",   "month" };
	json_t *players = json_object(), *value;
	const char *name;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		write_kind(p, kinds[i], players);
	json_object_foreach(p->gone, name, value)
		json_object_set_new(players, name, json_true());
	archive_players_write(p->site, players, p->broken, p->r);
	json_decref(players);
	write_front_page(p->site, p->broken, p->r);
	struct err why = { 0 };
	if (sitemap_write(p->site, p->v, p->n, &why) < 0)
		note_failure("sitemap", p->broken, p->r, &why);
}

static int collect_gone(const char *player, int64_t n, void *arg)
{
	json_object_set_new(arg, player, json_integer(n));
	return 0;
}

/* Removes the folder of a player's feed and calendar (live/turns.h), which is under this name,
 * unless games of that name are running. */
static int remove_turns(struct site *site, struct arena *a, const char *key, struct err *e)
{
	struct str name = STR_LOCAL(TOKEN_LIVE_CHARS + 1);
	size_t running = 0;
	int rc = store_games(site->store, key, NULL, GAMES_OPEN, 1, 0, store_count_row, &running,
	                     e);

	if (rc < 0 || running)
		return rc;
	token_live_player(site, key, &name);
	return archive_remove_folder(site, arena_printf(a, ARCHIVE_LIVE "/%s", name.data), e);
}

/* Removes the pages of names without games.  No page refers to them now, if all lists could be
 * written. */
static void remove_gone(struct published *p)
{
	const char *name;
	json_t *value;

	json_object_foreach(p->gone, name, value) {
		struct err why = { 0 };
		AUTO(arena_release) struct arena a = { 0 };
		int64_t n = 0;
		int rc = store_count(p->site->store, arena_printf(&a, "player:%s", name), &n, &why);

		if (rc == 0 && n == 0)
			rc = old_pages_remove_player(p->site, name, &why);
		if (rc == 0 && n == 0)
			rc = remove_turns(p->site, &a, name, &why);
		if (rc == 0 && n == 0)
			rc = moved_name_restore(p->site, name, &why);
		if (rc < 0)
			note_failure(arena_printf(&a, "player:%s", name), p->broken, p->r, &why);
	}
}

/* Could all lists of this game be written? */
static bool is_listed(const struct published *p, int64_t board)
{
	const char *names[LISTS_OF_GAME];
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc doc;

	if (json_object_size(p->broken) == 0)
		return true;
	bool listed = store_game_get(p->site->store, &a, board, &doc, NULL) == 0 &&
	              !json_object_get(p->broken, "all") && !json_object_get(p->broken, "sitemap");
	size_t n = listed ? lists_of_game(&a, &doc, names) : 0;
	for (size_t i = 0; i < n; i++)
		listed &= !json_object_get(p->broken, names[i]);
	return listed;
}

static int remove_marks(const struct published *p, struct err *e)
{
	struct store *s = p->site->store;
	int rc = store_begin_light(s, e);
	const char *name;
	json_t *value;

	if (rc == 0)
		rc = archive_sync_first(p->site, e);
	for (size_t i = 0; rc == 0 && i < p->n; i++)
		if (is_listed(p, p->v[i]))
			rc = store_work_done(s, p->work.v[i], e);
	json_object_foreach(p->gone, name, value)
		if (rc == 0 && json_object_size(p->broken) == 0 && p->failed == 0)
			rc = store_work_done(s, json_integer_value(value), e);
	if (rc == 0 && !json_object_get(p->broken, "all"))
		rc = tournament_pages_done(p->site, p->tournaments, e);
	if (rc == 0 && p->front && !json_object_get(p->broken, "all"))
		rc = front_page_done(p->site, e);
	return store_end_light(s, rc, true, e);
}

static void release(struct published *p)
{
	for (size_t i = 0; i < p->list_count; i++)
		free(p->lists[i].v);
	free(p->lists);
	free(p->v);
	free(p->work.v);
	json_decref(p->places);
	json_decref(p->broken);
	json_decref(p->gone);
	json_decref(p->tournaments);
	arena_release(&p->a);
}

int archive_begin(struct site *site, struct err *e)
{
	struct archive_report r = { 0 };
	struct restyle_state look;
	int rc = restyle_begin(site, true, &look, &r);

	if (rc > 0)
		write_front_page(site, NULL, &r);
	if (rc < 0 || r.failed)
		return err_set(e, rc < 0 ? (enum err_code)rc : ERR_BAD, "%s", r.first);
	rc = archive_sync(site, e);
	return rc == 0 ? restyle_save(site, &look, e) : rc;
}

static int any_due(struct site *site, bool *due, struct err *e)
{
	struct work first;
	size_t n = 0;
	int rc = store_work(site->store, WORK_GAME, 0, 1, &first, &n, e);

	*due = *due || n > 0;
	return rc == 0 && !*due ? tournament_pages_are_due(site, due, e) : rc;
}

static bool is_any(const struct published *p)
{
	return p->n || p->front || json_object_size(p->gone) || json_object_size(p->tournaments);
}

/* Writes the files that pages refer to, if they have changed, the pages of due games, and their
 * lists.  *changed: flush them. */
static int publish(struct published *p, struct restyle_state *look, bool *changed, struct err *e)
{
	int rc = front_page_is_due(p->site, &p->front, e);
	bool due = p->front;

	if (rc == 0)
		rc = any_due(p->site, &due, e);
	int begun = rc < 0 ? 0 : restyle_begin(p->site, due, look, p->r);

	if (begun < 0)
		json_object_set_new(p->broken, "all", json_true());
	if (rc == 0 && begun > 0)
		rc = tournament_pages_mark(p->site, e);
	if (rc == 0)
		rc = store_work_names(p->site->store, WORK_GONE, "", GONE_A_RUN, collect_gone,
		                      p->gone, e);
	if (rc == 0)
		rc = publish_due(p, e);
	if (rc == 0)
		tournament_pages_write(p->site, p->tournaments, p->r);
	if (rc == 0 && is_any(p)) {
		write_lists(p);
		remove_gone(p);
	}
	*changed = begun > 0;
	if (rc == 0 && begun >= 0 && restyle_go_on(p->site, look, p->r))
		*changed = true;
	return rc;
}

/* Removes the marks last: after a crash the next run does the work again. */
int archive_publish(struct site *site, struct archive_report *r, struct err *e)
{
	struct published p = { .site = site,
		               .r = r,
		               .places = json_object(),
		               .broken = json_object(),
		               .gone = json_object(),
		               .tournaments = json_object() };
	struct restyle_state look;
	bool changed = false;
	size_t renewed;
	int rc = renew(site, true, &renewed, e);

	if (rc == 0)
		rc = puzzle_pages_mark(site, e);
	if (rc == 0)
		rc = publish(&p, &look, &changed, e);
	bool any = is_any(&p);
	changed = rc == 0 && changed && archive_has_arrived(site, r);
	if (changed)
		rc = archive_sync(site, e);
	if (rc == 0 && changed)
		rc = restyle_save(site, &look, e);
	if (rc == 0 && any && archive_has_arrived(site, r))
		rc = remove_marks(&p, e);
	if (rc == 0)
		in_hand_clear(site);
	release(&p);
	return rc;
}

/* Removes the pages of names that left; the other pages were written without them. */
static int rebuild_gone(struct site *site, struct archive_report *r, struct err *e)
{
	struct published p = {
		.site = site, .r = r, .broken = json_object(), .gone = json_object()
	};
	int rc = store_work_names(site->store, WORK_GONE, "", SIZE_MAX, collect_gone, p.gone, e);

	if (rc == 0 && json_object_size(p.gone)) {
		remove_gone(&p);
		rc = archive_arrive(site, e);
		if (rc == 0)
			rc = remove_marks(&p, e);
	}
	release(&p);
	return rc;
}

int archive_rebuild(struct site *site, struct archive_report *r, struct err *e)
{
	struct err why = { 0 };
	size_t renewed;
	int rc;

	do {
		renewed = 0;
		rc = renew(site, false, &renewed, e);
	} while (rc == 0 && renewed);
	statics_write(site, r);
	help_pages_write(site, r);
	if (rc == 0) {
		restyle_whole(site, r);
		tournament_pages_rebuild(site, r);
		write_front_page(site, NULL, r);
		if (sitemap_write(site, NULL, 0, &why) < 0)
			note_failure("sitemap", NULL, r, &why);
	}
	if (rc == 0)
		rc = rebuild_gone(site, r, e);
	if (rc == 0 && r->failed == 0)
		rc = archive_sync(site, e);
	if (rc == 0 && r->failed == 0)
		rc = restyle_save(site, &(struct restyle_state){ .stage = LOOK_DONE }, e);
	return rc == 0 ? archive_arrive(site, e) : rc;
}
