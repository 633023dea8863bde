#include "pbm/commands/account/account_games.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/array.h"
#include "pbm/people/consent.h"
#include "pbm/record/match.h"
#include "pbm/request/request_games.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"
#include "store/store_ratings.h"
#include "store/store_work.h"

#define GAMES_MAX 1000000

int account_games_add(const struct game_row *row, void *arg)
{
	struct account_games *b = arg;

	*ARRAY_ADD(b->a, b) = row->board;
	return 0;
}

int account_games_between(struct request *q, const char *one, const struct player_doc *other,
                          enum game_filter list, int64_t *board, struct err *e)
{
	struct game_list games;
	int rc = request_games(q, one, NULL, list, GAMES_MAX, &games, e);

	*board = 0;
	for (size_t i = 0; !*board && i < 2 * games.n; i++) {
		const char *player = games.v[i / 2].players[i % 2];

		if (strcasecmp(player, one) != 0 && consent_is_person(q, other, player))
			*board = games.v[i / 2].board;
	}
	return rc;
}

/* The text with each occurrence of the name as a word replaced. */
static const char *rename_in(struct arena *a, const char *text, const char *from, const char *to)
{
	size_t n = strlen(from);

	if (!text || !strcasestr(text, from))
		return text;
	struct str s = str_in(a, 1u << 20);
	for (const char *p = text; *p;) {
		bool begins = p == text || !(isalnum((unsigned char)p[-1]) || strchr("_-", p[-1]));

		if (begins && strncasecmp(p, from, n) == 0 && !isalnum((unsigned char)p[n]) &&
		    p[n] != '_' && p[n] != '-') {
			str_add(&s, to);
			p += n;
		} else {
			str_add_char(&s, *p++);
		}
	}
	return s.data;
}

static void rename_player(struct arena *a, struct game_doc *g, const char *from, const char *to)
{
	for (size_t i = 0; i < 2; i++)
		if (g->players[i] && strcasecmp(g->players[i], from) == 0)
			g->players[i] = to;
	g->reason = rename_in(a, g->reason, from, to);
	for (size_t i = 0; i < g->event_count; i++) {
		struct event *ev = &g->events[i];

		if (ev->by && strcasecmp(ev->by, from) == 0)
			ev->by = to;
		if (ev->kind != EVENT_CHAT)
			ev->text = rename_in(a, ev->text, from, to);
	}
}

/* Games that the mail has loaded already may be saved once more. */
static void rename_loaded(struct request *q, const char *from, const char *to)
{
	for (size_t i = 0; i < q->match_count; i++)
		rename_player(q->arena, &q->matches[i]->doc, from, to);
}

struct gone {
	struct store *s;
	struct err *err;
};

static int add_gone(const char *name, void *arg)
{
	const struct gone *g = arg;

	return store_work_add_name(g->s, WORK_GONE, name, g->err);
}

int account_games_rename(struct request *q, const char *from, const char *to, struct err *e)
{
	struct store *store = q->site->store;
	struct account_games boards = { .a = q->arena };

	rename_loaded(q, from, to);
	int rc = store_games(store, from, NULL, GAMES_ALL, GAMES_MAX, 0, account_games_add, &boards,
	                     e);

	for (size_t i = 0; rc == 0 && i < boards.n; i++) {
		AUTO(arena_release) struct arena a = { 0 };
		struct game_doc g;
		struct err why = { 0 };

		rc = store_game_get(store, &a, boards.v[i], &g, &why);
		if (rc == 0) {
			rename_player(&a, &g, from, to);
			rc = store_game_put(store, &g, e);
		} else {
			rc = err_of_machine(e, &why);
		}
		if (rc == 0 && g.state == GAME_FINISHED)
			rc = store_work_add(store, WORK_GAME, boards.v[i], 0, e);
		/* The page of a game that has ended stays for a time. */
		if (rc == 0 && (g.state == GAME_RUNNING || g.state == GAME_FINISHED) &&
		    *q->site->conf.archive_url)
			rc = store_work_add(store, WORK_LIVE, boards.v[i], 0, e);
	}
	if (rc == 0)
		rc = store_ratings_forget(store, from, e);
	if (rc == 0)
		rc = store_work_add_name(store, WORK_GONE, from, e);
	/* Pages of names that lead to the old name, too. */
	return rc == 0 ? store_renamed_to(store, from, add_gone, &(struct gone){ store, e }, e)
	               : rc;
}
