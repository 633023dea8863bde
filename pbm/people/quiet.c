#include "pbm/people/quiet.h"

#include <stdio.h>
#include <stdlib.h>

#include "pbm/people/player_change.h"
#include "pbm/request/request_player.h"
#include "pbm/text/word_list.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

bool quiet_has(const struct player_doc *p, int64_t board)
{
	return word_list_has(player_setting(p, QUIET_BOARDS),
	                     PRINTED(24, "%lld", (long long)board));
}

bool quiet_would_harm(struct request *q, const struct player_doc *p)
{
	size_t n = 0;

	return store_games(q->site->store, p->userid, NULL, GAMES_OPEN, 1, 0, store_count_row, &n,
	                   NULL) < 0 ||
	       n > 0;
}

static bool is_running(struct request *q, int64_t board)
{
	struct game_doc d;

	return store_game_get_summary(q->site->store, q->arena, board, &d, NULL) == 0 &&
	       d.state == GAME_RUNNING;
}

static int store_list(struct request *q, const struct player_doc *p, const char *list,
                      struct err *e)
{
	struct player_doc now = *p;

	player_change_set(q->arena, &now, QUIET_BOARDS, list);
	return player_change_done(q, &now, e);
}

int quiet_add(struct request *q, const struct player_doc *p, int64_t board, struct err *e)
{
	const char *rest = player_setting(p, QUIET_BOARDS), *word, *list = "";
	size_t n;

	while ((word = word_list_next(&rest, &n)))
		if (is_running(q, strtoll(word, NULL, 10)))
			list = word_list_with(q->arena, list, arena_strndup(q->arena, word, n));
	return store_list(
		q, p,
		word_list_with(q->arena, list, arena_printf(q->arena, "%lld", (long long)board)),
		e);
}

int quiet_remove(struct request *q, const struct player_doc *p, int64_t board, struct err *e)
{
	const char *number = arena_printf(q->arena, "%lld", (long long)board);

	return store_list(
		q, p,
		board ? word_list_without(q->arena, player_setting(p, QUIET_BOARDS), number) : NULL,
		e);
}
