#include "pbm/commands/words/example_game.h"

#include "store/store_questions.h"

struct newest {
	struct request *q;
	const char *game;
};

static int take_game(const struct game_row *row, void *arg)
{
	struct newest *n = arg;

	n->game = arena_strdup(n->q->arena, row->game);
	return 0;
}

const char *example_game(struct request *q)
{
	struct newest n = { .q = q, .game = "chess" };

	if (q->who.known)
		store_games(q->site->store, q->who.player.userid, NULL, GAMES_ALL, 1, 0, take_game,
		            &n, NULL);
	return n.game;
}
