#include "pbm/archive/pages/neighbours.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/archive/pages/pages.h"
#include "pbm/text/template.h"
#include "pbm/tournament/tournament_ladder.h"
#include "store/document/keys.h"
#include "store/store_questions.h"

#define PAGE_MAX (16 * 1024 * 1024)
#define LINKS_MAX (16 * 1024)
#define OPENING "<nav class=\"beside\"" /* of game-beside.html */
#define CLOSING "</nav>\n"

struct taken {
	struct arena *arena;
	struct neighbour *to;
};

static int take_row(const struct game_row *row, void *arg)
{
	struct taken *t = arg;

	*t->to = (struct neighbour){ row->board,
		                     row->ended,
		                     { arena_strdup(t->arena, row->players[0]),
		                       arena_strdup(t->arena, row->players[1]) },
		                     arena_strdup(t->arena, row->tournament) };
	return 0;
}

/* The index's list of the games of a pair, or of a tournament; NULL: the game has none. */
static const char *list_of(struct arena *a, const struct neighbour *game, int way)
{
	char keys[2][KEY_USERID_MAX + 1];

	if (way == WAY_TOURNAMENT)
		return game->tournament && *game->tournament &&
		                       key_fold(game->tournament, keys[0], sizeof keys[0])
		               ? arena_printf(a, "tournament:%s", keys[0])
		               : NULL;
	for (int seat = 0; seat < 2; seat++)
		if (!game->players[seat] ||
		    !key_fold(game->players[seat], keys[seat], sizeof keys[seat]))
			return NULL;
	int order = strcmp(keys[0], keys[1]);
	return order == 0 ? NULL : arena_printf(a, "pair:%s %s", keys[order > 0], keys[order < 0]);
}

int neighbours_find(struct site *site, struct arena *a, const struct neighbour *game,
                    struct neighbours *out, struct err *e)
{
	const struct finished_place place = { game->ended, game->board };
	int rc = 0;

	memset(out, 0, sizeof *out);
	for (int way = 0; rc == 0 && way < WAYS; way++) {
		struct taken before = { a, &out->before[way] }, after = { a, &out->after[way] };
		const char *userid = way < WAY_PAIR ? game->players[way] : NULL,
			   *list = userid ? NULL : list_of(a, game, way);

		if (userid)
			rc = store_finished(site->store, userid, NULL, place, 0, 1, take_row,
			                    &before, e);
		else if (list)
			rc = store_placed(site->store, list, place, 1, take_row, &before, e);
		if (rc == 0 && userid)
			rc = store_finished_after(site->store, userid, place, 1, take_row, &after,
			                          e);
		else if (rc == 0 && list)
			rc = store_placed_after(site->store, list, place, 1, take_row, &after, e);
	}
	return rc;
}

struct neighbour neighbour_of(const struct game_doc *d)
{
	return (struct neighbour){
		d->board, d->ended, { d->players[0], d->players[1] }, d->tournament
	};
}

static json_t *link_json(struct arena *a, const struct neighbour *n)
{
	return n->board ? json_string(archive_game_path(a, n->board, "html")) : json_null();
}

json_t *neighbours_json(struct arena *a, const struct neighbour *game, const struct neighbours *n)
{
	static const char *const sides[] = { "white", "black", "pair", "cup" };
	const char *cup = game->tournament ? game->tournament : "";
	json_t *o = json_pack("{s:s, s:b}", "up", "../../", "solo",
	                      strcasecmp(game->players[0], game->players[1]) == 0);

	for (int way = 0; way < WAYS; way++)
		json_object_set_new(o, sides[way],
		                    json_pack("{s:s*, s:b, s:o, s:o}", "name",
		                              way < WAY_PAIR ? game->players[way] : NULL, "ladder",
		                              str_prefix(cup, TOURNAMENT_LADDER_PREFIX) > 0,
		                              "earlier", link_json(a, &n->before[way]), "later",
		                              link_json(a, &n->after[way])));
	return o;
}

static int write_links(struct site *site, struct arena *a, const struct neighbour *game,
                       struct str *out, struct err *e)
{
	struct neighbours n;
	int rc = neighbours_find(site, a, game, &n, e);

	if (rc < 0)
		return rc;
	json_auto_t *context = neighbours_json(a, game, &n);
	return template_render(site->template_dir, "archive/game-beside.html", context, out, e);
}

/* Replaces the links that the page has. */
static int replace_links(struct site *site, const char *name, const char *page,
                         const struct str *links, struct err *e)
{
	const char *from = strstr(page, OPENING), *to = from ? strstr(from, CLOSING) : NULL;
	AUTO(str_release) struct str s = str_heap(PAGE_MAX);

	if (!to)
		return 0;
	str_add_n(&s, page, (size_t)(from - page));
	str_add_n(&s, links->data, links->len);
	str_add(&s, to + strlen(CLOSING));
	return archive_write_bytes(site, name, s.data, s.len, e);
}

static int write_neighbour(struct site *site, struct arena *a, const struct neighbour *game,
                           struct err *e)
{
	const char *name = archive_game_path(a, game->board, "html");
	AUTO(str_release) struct str links = str_heap(LINKS_MAX);
	AUTO(mem_free) char *page = NULL;
	size_t n;
	int rc = archive_read(site, name, PAGE_MAX, &page, &n, e);

	/* A page that is not there yet gets its links when it is written. */
	if (rc < 0)
		return rc == ERR_NOT_FOUND ? 0 : rc;
	rc = write_links(site, a, game, &links, e);
	if (rc == 0)
		rc = replace_links(site, name, page, &links, e);
	return rc;
}

int neighbours_write(struct site *site, const struct neighbours *n, struct err *e)
{
	const struct neighbour *all[2 * WAYS];
	AUTO(arena_release) struct arena a = { 0 };
	int rc = 0;

	for (size_t way = 0; way < WAYS; way++) {
		all[2 * way] = &n->before[way];
		all[2 * way + 1] = &n->after[way];
	}
	for (size_t i = 0; rc == 0 && i < sizeof all / sizeof all[0]; i++) {
		bool again = all[i]->board == 0;

		for (size_t k = 0; k < i && !again; k++)
			again = all[k]->board == all[i]->board;
		if (!again)
			rc = write_neighbour(site, &a, all[i], e);
	}
	return rc;
}
