#include "pbm/commands/dispatch_board.h"

#include <string.h>
#include <strings.h>

#include "pbm/commands/acting.h"
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

/* The board that the sender must mean.  1: refused, with a list of what waits for an answer. */
static int find_meant(struct parse *p, struct err *e)
{
	return p->call.command->flags & CMD_WAITING ? find_waiting(p, e) : find_only_board(p, e);
}

bool dispatch_has_board(const struct parse *p)
{
	return p->has_ref || request_board(p->q);
}

bool dispatch_next_board(const struct parse *p, struct board_ref *out)
{
	const struct words *w = &p->words;
	const struct command *c = p->call.command;

	if (p->i == w->n)
		return false;
	const char *word = w->v[p->i].text;
	if (c && acting_is_word(c->word)) /* "resign 17." */
		word = arena_strndup(p->q->arena, word, strcspn(word, ".!,"));
	return words_board(word, out) && !(p->i + 1 < w->n && w->v[p->i + 1].text[0] == '.');
}

/* In an answer to a board's mail a number may be the command's argument, or begin the
 * prose ("chat 5 minutes late"): there only "#5" or "5:" means a board. */
static bool is_own_number(const struct parse *p, const struct board_ref *ref)
{
	unsigned flags = p->call.command->flags;

	return dispatch_has_board(p) && !ref->marked &&
	       ((flags & CMD_TEXT) || ((flags & CMD_COUNT) && p->i + 1 == p->words.n));
}

/* Are the next words a game and nothing else, perhaps with "off"? */
static bool next_is_game(const struct parse *p)
{
	size_t n = p->words.n - p->i;
	const char *first = n ? p->words.v[p->i].text : "";
	const char *game = n == 2 && strcasecmp(first, "off") == 0 ? p->words.v[p->i + 1].text
	                                                           : first;

	if (n == 0 || n > 2 ||
	    (n == 2 && game == first && strcasecmp(p->words.v[p->i + 1].text, "off") != 0))
		return false;
	return rules_find(game, strlen(game), NULL) != NULL;
}

/* Does a game stand where the board could: its name in front or here, or a FEN? */
static bool next_is_position(const struct parse *p)
{
	const char *word = p->i < p->words.n ? p->words.v[p->i].text : "";

	return p->call.rules || str_prefix(word, "fen=") || str_prefix(word, "-fen=") ||
	       rules_find(word, strlen(word), NULL);
}

/* Does something stand where the board could that this command takes instead? */
static bool next_is_instead(const struct parse *p)
{
	unsigned flags = p->call.command->flags;

	return ((flags & CMD_OR_USER) && p->i < p->words.n) ||
	       ((flags & CMD_OR_GAME) && next_is_game(p)) ||
	       ((flags & CMD_OR_POSITION) && next_is_position(p));
}

int dispatch_parse_board(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	struct board_ref ref;
	bool may = p->call.command->flags & CMD_MAY_BOARD;

	if (dispatch_next_board(p, &ref) && !is_own_number(p, &ref)) {
		p->ref = ref;
		p->has_ref = true;
		p->i++;
	} else if (next_is_instead(p)) {
		return 0;
	}
	if (!p->has_ref && request_board(q) && !(may && p->i < p->words.n)) {
		p->ref = (struct board_ref){ .board = request_board(q) };
		p->has_ref = true;
	}
	if (!p->has_ref && may)
		return 0;
	if (!p->has_ref && q->who.known && (p->call.command->flags & CMD_SEAT)) {
		int rc = find_meant(p, e);

		if (rc != 0)
			return rc;
	}
	if (!p->has_ref) {
		request_refuse(q, 0, "The number of the board is missing.  The form is: %s",
		               p->call.command->usage);
		return 1;
	}
	p->call.board = p->ref.board;
	p->call.has_ply = p->ref.has_ply;
	p->call.ply = p->ref.ply;
	return 0;
}
