#include "pbm/commands/tournament/ladder_challenge.h"

#include <strings.h>

#include "pbm/pairing/ladder.h"
#include "pbm/request/request_games.h"
#include "store/store_documents.h"

#define LATELY_MAX 1000 /* games of a player in the last days */

/* Lists the challenges for the rules.  Whether two have played lately is asked of the store,
 * which also knows the games of players who have left the ladder since. */
static struct ladder_challenge *list_challenges(struct request *q, const struct tournament_doc *t)
{
	struct ladder_challenge *v = arena_alloc(q->arena, (t->game_count + 1) * sizeof *v);

	for (size_t i = 0; i < t->game_count; i++) {
		const struct tournament_game *g = &t->games[i];

		v[i] = (struct ladder_challenge){ g->black - 1, g->white - 1, g->over };
	}
	return v;
}

/* Players who left the ladder and came back have still played their games of these days.  The
 * board, or 0. */
static int64_t played_lately(struct request *q, const struct tournament_doc *t, int from, int to)
{
	int64_t since = q->now - LADDER_PAUSE_DAYS * INT64_C(86400);
	struct game_list games;
	struct game_doc d;

	request_games(q, t->entries[from - 1].userid, t->terms.game, GAMES_FINISHED, LATELY_MAX,
	              &games, NULL);
	for (size_t i = 0; i < games.n && games.v[i].ended >= since; i++)
		if (game_row_has(&games.v[i], t->entries[to - 1].userid) &&
		    store_game_get_summary(q->site->store, q->arena, games.v[i].board, &d, NULL) ==
		            0 &&
		    d.tournament && strcasecmp(d.tournament, t->name) == 0)
			return games.v[i].board;
	return 0;
}

static void refuse_challenge(struct request *q, const struct tournament_doc *t,
                             enum ladder_answer answer, int to, const struct tournament_game *g)
{
	const char *other = t->entries[to - 1].userid;

	if (answer == LADDER_SELF)
		request_refuse(q, 0, "You can't challenge yourself.");
	else if (answer == LADDER_BELOW)
		request_refuse(
			q, 0,
			"%s stands below you.  You can challenge players up to %d places above you.",
			other, LADDER_REACH);
	else if (answer == LADDER_FAR)
		request_refuse(
			q, 0,
			"%s is number %d, too far above you.  You can challenge players up to %d places above you.",
			other, to, LADDER_REACH);
	else if (answer == LADDER_OWN_RUNS)
		request_refuse(
			q, 0,
			"You have challenged %s already, on board %lld.  You can have one challenge at a time.",
			t->entries[g->white - 1].userid, (long long)g->board);
	else if (answer == LADDER_HAS_ONE)
		request_refuse(
			q, 0,
			"%s has already been challenged, on board %lld.  A player has to answer one challenge at a time.",
			other, (long long)g->board);
	else
		request_refuse(
			q, 0,
			"You and %s have played on board %lld.  The same two can play on the ladder again %d days after the end of their game.",
			other, (long long)g->board, LADDER_PAUSE_DAYS);
}

bool ladder_challenge_may(struct request *q, const struct tournament_doc *t, int from, int to)
{
	int which = 0;
	enum ladder_answer answer = ladder_may(list_challenges(q, t), (int)t->game_count, from - 1,
	                                       to - 1, q->now, &which);
	const struct tournament_game *g = answer == LADDER_YES ? NULL : &t->games[which];
	const struct tournament_game lately = { .board = answer == LADDER_YES
		                                                 ? played_lately(q, t, from, to)
		                                                 : 0 };

	if (lately.board) {
		answer = LADDER_SOON;
		g = &lately;
	}
	if (answer != LADDER_YES)
		refuse_challenge(q, t, answer, to, g);
	return answer == LADDER_YES;
}
