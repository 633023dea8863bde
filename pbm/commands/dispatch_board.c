#include "pbm/commands/dispatch_board.h"

#include <string.h>

#include "pbm/commands/waiting.h"
#include "pbm/people/volume.h"
#include "store/store_questions.h"

struct only_board {
	int64_t board;
	size_t n;
};

static int count_board(const struct game_row *row, void *arg)
{
	struct only_board *o = arg;

	o->board = row->board;
	o->n++;
	return 0;
}

/* The board of the only thing that waits for the sender's answer.  1: several or none, and
 * refused. */
static int find_waiting(struct parse *p, struct err *e)
{
	const char *word = p->i < p->words.n ? p->words.v[p->i].text : "", *lines;
	int64_t board;

	if (volume_is_full(p->q))
		return 1;
	word = arena_strndup(p->q->arena, word, strcspn(word, ".!,"));
	int n = waiting_list(p->q, p->call.command->word, waiting_is_word(word) ? word : NULL,
	                     &board, &lines, e);
	if (n != 1 && n >= 0)
		waiting_refuse(p->q, 0, n, lines);
	p->has_ref = n == 1;
	p->ref = (struct board_ref){ .board = board };
	return n < 0 ? n : n != 1;
}

/* If the sender has only one board, it is meant: the one offer, if the command can
 * answer an offer, else the one running game. */
static int find_only_board(struct parse *p, struct err *e)
{
	struct only_board o = { 0 };
	struct store *store = p->q->site->store;
	const char *userid = p->q->who.player.userid;
	int rc = 0;

	if (p->call.command->flags & CMD_ENDED) {
		rc = store_games(store, userid, NULL, GAMES_FINISHED, 1, 0, count_board, &o, e);
		p->has_ref = rc == 0 && o.n == 1;
		p->ref = (struct board_ref){ .board = o.board };
		return rc;
	}
	if (!(p->call.command->flags & CMD_RUNNING))
		rc = store_games(store, userid, NULL, GAMES_OFFERS, 2, 0, count_board, &o, e);
	if (rc == 0 && o.n == 0)
		rc = store_games(store, userid, NULL, GAMES_OPEN, 2, 0, count_board, &o, e);
	p->has_ref = rc == 0 && o.n == 1;
	p->ref = (struct board_ref){ .board = o.board };
	return rc;
}

int dispatch_only_board(struct parse *p, struct err *e)
{
	return p->call.command->flags & CMD_WAITING ? find_waiting(p, e) : find_only_board(p, e);
}
