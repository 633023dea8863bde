/* Refusing a command that needs a board and has none: which boards it may mean. */
#include <string.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/commands/dispatch_board.h"
#include "pbm/commands/lobby/waiting.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define REST_COPIED 200 /* bytes of a line that is repeated for each board */
#define BOARDS_NAMED 20 /* of those on which a move may be meant */

/* The sender's boards on which a turn is legal, each as a line to copy. */
struct boards_of_turn {
	struct request *q;
	const char *turn, *rest; /* the turn, or the command and what stands after the number */
	struct str lines;
};

static int add_board(const struct game_row *row, void *arg)
{
	struct boards_of_turn *b = arg;
	const struct match *m = request_match(b->q, row->board, NULL);

	if (m && turn_is_legal(b->q, m, match_seat_of(m, b->q->who.player.userid), b->turn))
		str_addf(&b->lines, "    move %lld %s\n", (long long)row->board, b->turn);
	return 0;
}

/* The turn that the words of a move without a board begin with: "Nf3" of "1. Nf3 good luck",
 * "Nf3, a6" with a push.  NULL: they begin with none. */
static const char *turn_of(struct request *q, const char *rest)
{
	const char *text = command_move_text(rest);
	size_t n = strcspn(text, " ");

	if (n && text[n] && text[n - 1] == ',')
		n += 1 + strcspn(text + n + 1, " ");
	return game_looks_like_move(text, n) ? arena_strndup(q->arena, text, n) : NULL;
}

/* Names the boards that a move without one may be for.  false: the line is no move. */
static bool refuse_move(struct parse *p, const char *rest)
{
	struct request *q = p->q;
	const char *turn = turn_of(q, rest);
	struct boards_of_turn b = { .q = q, .turn = turn, .lines = str_in(q->arena, 1000) };

	if (strcmp(p->call.command->word, "move") != 0 || !turn || !q->who.known ||
	    mail_limits_is_full(q) ||
	    store_games(q->site->store, q->who.player.userid, NULL, GAMES_TO_MOVE, BOARDS_NAMED, 0,
	                add_board, &b, NULL) < 0)
		return false;
	if (b.lines.len)
		request_refuse(q, 0,
		               "On which board?  Nothing was played.  Answer with one of these:")
			->body = b.lines.data;
	else
		request_refuse(
			q, 0,
			"\"%.40s\" is a legal move on none of the boards that wait for your move.  Nothing was played.  To see your boards, write: games",
			turn);
	return true;
}

static int add_own(const struct game_row *row, void *arg)
{
	struct boards_of_turn *b = arg;

	str_addf(&b->lines, "    %s %lld%s%s\n", b->turn, (long long)row->board,
	         *b->rest ? " " : "", b->rest);
	return 0;
}

/* The words after the command that each of the lines may repeat.  They may be a password: then, and
 * where they are no part of the command ("resign all"), "". */
static const char *rest_to_copy(struct parse *p)
{
	struct request *q = p->q;
	const char *word = p->call.command->word, *kept;
	const char *rest = p->i < p->words.n ? p->words.v[p->i].start : "";
	const char *first = *rest ? p->words.v[p->i].text : "";
	struct player_doc named;
	struct withheld w;

	if (alone_words_has(word))
		return alone_words_argument(q->arena, word, rest);
	if (p->call.command->group == GROUP_READ) /* "pgn all" */
		return "";
	bool safe = store_player_get(q->site->store, q->arena, first, &named, NULL) != 0 &&
	            withhold_lines(q, rest, NULL, &kept, &w, NULL) == 0 && !w.secret;
	return safe && strlen(rest) <= REST_COPIED ? rest : "";
}

/* Names the player's boards to a command without one.  false: he plays on none, or on too many. */
static bool refuse_boardless(struct parse *p)
{
	struct request *q = p->q;
	const struct command *c = p->call.command;
	struct boards_of_turn b = { .q = q,
		                    .turn = c->word,
		                    .lines = str_in(q->arena, BOARDS_NAMED * (REST_COPIED + 40)) };
	size_t n = 0;

	if (!q->who.known || !(c->flags & CMD_SEAT || c->group == GROUP_READ) ||
	    store_games(q->site->store, q->who.player.userid, NULL, GAMES_OPEN, BOARDS_NAMED + 1, 0,
	                store_count_row, &n, NULL) < 0 ||
	    n == 0 || n > BOARDS_NAMED)
		return false;
	b.rest = rest_to_copy(p);
	if (store_games(q->site->store, q->who.player.userid, NULL, GAMES_OPEN, BOARDS_NAMED, 0,
	                add_own, &b, NULL) < 0)
		return false;
	bool cut = p->i < p->words.n && !*b.rest && !alone_words_has(c->word) &&
	           c->group != GROUP_READ;
	request_refuse(
		q, 0,
		cut ? "On which board?  Nothing was done.  Answer with one of these, and the rest of your line after the number:"
		    : "On which board?  Nothing was done.  Answer with one of these:")
		->body = b.lines.data;
	return true;
}

void dispatch_refuse_missing(struct parse *p)
{
	enum dispatch_number k = dispatch_number_of(p->call.command);
	const char *word = p->i < p->words.n ? p->words.v[p->i].text : "";
	struct err why = { 0 };

	if (refuse_move(p, *word ? p->words.v[p->i].start : ""))
		return;
	if (!p->q->who.known && (p->call.command->flags & CMD_SEAT) &&
	    (p->call.command->flags & CMD_PROOF)) {
		dispatch_refuse_stranger(p->q);
		return;
	}

	if (strcmp(p->call.command->word, "try") == 0) {
		bool named = *word && !game_looks_like_move(word, strlen(word)) &&
		             !rules_find(word, strlen(word), &why);

		if (named)
			request_refuse(p->q, 0, "%s", why.text);
		else
			request_refuse(
				p->q, 0,
				"On which board?  Name a game, a position or one of your boards in front of the moves, for example: try chess e4, try fen=\"8/P6k/8/8/8/8/8/K7 w - - 0 1\" a8=Q, or try 17 e4");
		return;
	}
	if (k == A_BOARD && refuse_boardless(p))
		return;
	request_refuse(
		p->q, 0,
		k == A_BOARD ? "The number of the board is missing.  The form is: %s"
		: k == AN_OFFER
			? "The number of the offer is missing.  The form is: %s"
			: "The number of the seek is missing.  The form is: %s.  To offer a player a game, write: match <name> %s",
		p->call.command->usage, example_game(p->q));
}

const char *dispatch_none_waits(struct request *q, const char *line)
{
	const struct command *c = command_find(line, strcspn(line, " "), NULL);
	const char *lines;
	int64_t board;
	size_t n = 0;

	if (!q->who.known || !c || request_board(q) || mail_limits_is_full(q))
		return NULL;
	if (c->flags & CMD_WAITING)
		return waiting_list(q, c->word, NULL, &board, &lines, NULL) == 0
		               ? "Nothing waits for your answer.  Your games are in the answer to: games"
		               : NULL;
	return (c->flags & CMD_SEAT) && (c->flags & CMD_RUNNING) && !strchr(line, ' ') &&
	                       store_games(q->site->store, q->who.player.userid, NULL, GAMES_OPEN,
	                                   1, 0, store_count_row, &n, NULL) == 0 &&
	                       n == 0
	               ? arena_printf(
				 q->arena,
				 "You have no running game.  To offer a game yourself, write: seek %s",
				 example_game(q))
	               : NULL;
}
