/* The walk through all pages: a bounded number a run because they have an old look, or the whole
 * archive at once. */
#include <stdio.h>
#include <string.h>

#include "pbm/archive/lists.h"
#include "pbm/archive/pages/game_files.h"
#include "pbm/archive/players.h"
#include "pbm/archive/restyle.h"
#include "pbm/archive/sitemap.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_tallies.h"

#define PAGES_A_RUN 100
#define LETTER_PAGES 50 /* the cost of a letter of players, about */
#define MAP_PAGES 20    /* ... a part of the sitemap */

struct again {
	struct site *site;
	struct restyle_state *state;
	struct archive_report *r;
	size_t room; /* pages that this run may still write */
	bool whole;  /* all that the archive has, the search and PGN included */
};

/* Counts a failure.  One of the machine ends the work of this run, because the next run goes on;
 * one of a document or template does not, because the next try would fail, too. */
static int pass_over(struct again *x, const char *page, const struct err *why)
{
	archive_count_failure(x->r, page, why);
	return err_is_of_machine(why) && !x->whole ? why->code : 0;
}

struct places {
	size_t n;
	struct finished_place v[PAGES_A_RUN];
};

static int add_place(const struct game_row *row, void *arg)
{
	struct places *p = arg;

	p->v[p->n++] = (struct finished_place){ row->ended, row->board };
	return 0;
}

static int write_game(struct again *x, int64_t board)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc doc;
	struct err why = { 0 };
	int rc = store_game_get(x->site->store, &a, board, &doc, &why);

	if (rc == 0)
		rc = game_files_write(x->site, &a, &doc, true, &why);
	if (rc < 0)
		rc = pass_over(x, arena_printf(&a, "board %lld", (long long)board), &why);
	else
		x->r->games += x->whole;
	return rc;
}

/* 1: there is more to do in this stage. */
static int do_games(struct again *x)
{
	struct places p = { .n = 0 };
	struct err why = { 0 };
	size_t room = x->room < PAGES_A_RUN ? x->room : PAGES_A_RUN;
	int rc = store_finished(x->site->store, NULL, NULL, x->state->place, 0, room, add_place, &p,
	                        &why);

	if (rc < 0)
		archive_count_failure(x->r, "the games", &why);
	for (size_t i = 0; rc == 0 && i < p.n; i++) {
		rc = write_game(x, p.v[i].board);
		if (rc == 0)
			x->state->place = p.v[i];
		x->room--;
	}
	return rc < 0 ? rc : p.n == room;
}

static int copy_name(const char *name, int64_t, void *arg)
{
	snprintf(arg, RESTYLE_LIST_MAX, "%s", name);
	return 1;
}

/* The list after `after`, or "" */
static int next_counted(struct site *site, const char *after, char *list, struct err *e)
{
	static const char *const kinds[] = { "game:", "month:", "player:" };
	char name[RESTYLE_LIST_MAX] = "";
	int rc = 0;

	for (size_t i = 0; rc == 0 && !*name && i < sizeof kinds / sizeof *kinds; i++) {
		size_t n = strlen(kinds[i]);
		bool begun = strncmp(after, kinds[i], n) == 0;

		if (!begun && strcmp(after, kinds[i]) > 0)
			continue;
		rc = store_counts_after(site->store, kinds[i], begun ? after + n : "", 1, copy_name,
		                        name, e);
		if (*name)
			snprintf(list, RESTYLE_LIST_MAX, "%s%.300s", kinds[i], name);
	}
	if (!*name)
		*list = '\0';
	return rc;
}

/* The lists of pairs and tournaments have no pages. */
static int next_placed(struct site *site, const char *after, char *list, struct err *e)
{
	static const char *const kinds[] = { "opening:", "result:" };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		int rc = store_placed_next(site->store,
		                           strcmp(after, kinds[i]) > 0 ? after : kinds[i], list,
		                           RESTYLE_LIST_MAX, e);

		if (rc < 0 || strncmp(list, kinds[i], strlen(kinds[i])) == 0)
			return rc;
	}
	*list = '\0';
	return 0;
}

typedef int next_fn(struct site *site, const char *after, char *list, struct err *e);

static void write_whole(struct again *x, const char *list)
{
	struct err why = { 0 };

	if (list_pages_write(x->site, list, NULL, 0, &why) < 0)
		archive_count_failure(x->r, list, &why);
}

struct months {
	struct again *x;
	const char *game;
};

static int write_month(const struct games_tally *t, void *arg)
{
	struct months *m = arg;
	AUTO(arena_release) struct arena a = { 0 };

	write_whole(m->x, arena_printf(&a, "months:%s %s", m->game, t->key));
	return 0;
}

/* The months of a kind of game, which have files of the search but no pages. */
static void write_months(struct again *x, const char *game)
{
	struct months m = { x, game };
	AUTO(arena_release) struct arena a = { 0 };
	struct err why = { 0 };

	if (store_tallies(x->site->store, arena_printf(&a, "months:%s", game), SIZE_MAX,
	                  write_month, &m, &why) < 0)
		archive_count_failure(x->r, game, &why);
}

static int do_lists(struct again *x, next_fn *next)
{
	struct restyle_state *s = x->state;
	char list[RESTYLE_LIST_MAX];
	struct err why = { 0 };
	int rc = 0;

	if (s->below == 0) {
		rc = next(x->site, s->list, list, &why);
		if (rc < 0)
			archive_count_failure(x->r, "the lists", &why);
		if (rc < 0 || !*list)
			return rc;
		memcpy(s->list, list, sizeof list);
		s->below = INT64_MAX;
	}
	if (x->whole) {
		write_whole(x, s->list);
		if (strncmp(s->list, "game:", 5) == 0)
			write_months(x, s->list + 5);
		s->below = 0;
	} else if (list_pages_again(x->site, s->list, &s->below, &x->room, &why) < 0) {
		rc = pass_over(x, s->list, &why);
		s->below = rc < 0 ? s->below : 0;
	}
	return rc < 0 ? rc : 1;
}

static int do_counted(struct again *x)
{
	return do_lists(x, next_counted);
}

static int do_placed(struct again *x)
{
	return do_lists(x, next_placed);
}

/* All names with one letter. */
static int do_names(struct again *x)
{
	struct err why = { 0 };
	int rc = archive_players_again(x->site, x->state->list, x->r, &why);

	if (rc < 0)
		archive_count_failure(x->r, "the players", &why);
	x->room -= x->room < LETTER_PAGES ? x->room : LETTER_PAGES;
	return rc < 0 ? rc : *x->state->list != '\0';
}

static int do_map(struct again *x)
{
	struct err why = { 0 };
	int64_t part = x->state->below;
	int rc = sitemap_again(x->site, &part, &why);

	if (rc < 0)
		return pass_over(x, "sitemap", &why);
	x->state->below = part;
	x->room -= x->room < MAP_PAGES ? x->room : MAP_PAGES;
	return part > 0;
}

/* True: the state has changed. */
static bool walk(struct again *x)
{
	static int (*const stages[LOOK_DONE])(struct again * x) = {
		[LOOK_GAMES] = do_games, [LOOK_COUNTED] = do_counted, [LOOK_PLACED] = do_placed,
		[LOOK_NAMES] = do_names, [LOOK_MAP] = do_map,
	};
	struct restyle_state *state = x->state;
	size_t room = x->room;
	bool any = false;

	while (state->stage != LOOK_DONE && x->room) {
		int rc = stages[state->stage](x);

		any |= rc >= 0 || x->room < room;
		if (rc < 0)
			break;
		if (rc == 0)
			*state = (struct restyle_state){ .stage = state->stage + 1 };
	}
	return any;
}

bool restyle_go_on(struct site *site, struct restyle_state *state, struct archive_report *r)
{
	return walk(&(struct again){ site, state, r, PAGES_A_RUN, false });
}

void restyle_whole(struct site *site, struct archive_report *r)
{
	struct restyle_state all = { .place = { INT64_MAX, INT64_MAX } };

	walk(&(struct again){ site, &all, r, SIZE_MAX, true });
}
