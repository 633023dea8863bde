/* Finding the board of a command, and refusing one that has none: which boards it may mean. */
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/commands/dispatch_board.h"
#include "pbm/commands/lobby/waiting.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/turn_talk_words.h"
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

	if (m && turn_is_legal(b->q, m, request_seat(b->q, m), b->turn))
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
static int rest_to_copy(struct parse *p, const char **out, struct err *e)
{
	struct request *q = p->q;
	const char *word = p->call.command->word, *kept;
	const char *rest = p->i < p->words.n ? p->words.v[p->i].start : "";
	const char *first = *rest ? p->words.v[p->i].text : "";
	struct player_doc named;
	struct withheld w;

	*out = alone_words_has(word) ? alone_words_argument(q->arena, word, rest) : "";
	if (alone_words_has(word) || p->call.command->group == GROUP_READ || /* "pgn all" */
	    strlen(rest) > REST_COPIED ||
	    store_player_get(q->site->store, q->arena, first, &named, NULL) == 0)
		return 0;
	int rc = withhold_lines(q, rest, NULL, &kept, &w, e);
	if (rc == 0 && !w.secrets)
		*out = rest;
	return rc;
}

/* Names the player's boards to a command without one.  0: he plays on none, or on too many. */
static int refuse_boardless(struct parse *p, struct err *e)
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
		return 0;
	int rc = rest_to_copy(p, &b.rest, e);
	if (rc == 0)
		rc = store_games(q->site->store, q->who.player.userid, NULL, GAMES_OPEN,
		                 BOARDS_NAMED, 0, add_own, &b, e);
	if (rc < 0)
		return rc;
	bool cut = p->i < p->words.n && !*b.rest && !alone_words_has(c->word) &&
	           c->group != GROUP_READ;
	request_refuse(
		q, 0,
		cut ? "On which board?  Nothing was done.  Answer with one of these, and the rest of your line after the number:"
		    : "On which board?  Nothing was done.  Answer with one of these:")
		->body = b.lines.data;
	return 1;
}

/* Says that the line lacks the number of its board, offer or seek, and names those that it may mean. */
static int refuse_missing(struct parse *p, struct err *e)
{
	enum dispatch_number k = dispatch_number_of(p->call.command);
	const char *word = p->i < p->words.n ? p->words.v[p->i].text : "";
	struct err why = { 0 };

	if (refuse_move(p, *word ? p->words.v[p->i].start : ""))
		return 1;
	if (!p->q->who.known && (p->call.command->flags & CMD_SEAT) &&
	    (p->call.command->flags & CMD_PROOF)) {
		dispatch_refuse_stranger(p->q);
		return 1;
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
		return 1;
	}
	int rc = k == A_BOARD ? refuse_boardless(p, e) : 0;
	if (rc != 0)
		return rc;
	return request_refused(
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
	               ? suspension_may_play(q, &q->who.player)
	                         ? arena_printf(
					   q->arena,
					   "You have no running game.  To offer a game yourself, write: seek %s",
					   example_game(q))
	                         : "You have no running game."
	               : NULL;
}

bool dispatch_has_board(const struct parse *p)
{
	return p->has_ref || request_board(p->q);
}

void dispatch_board_message(struct parse *p)
{
	const char *next = p->i < p->words.n ? p->words.v[p->i].text : "";
	struct board_ref ref;

	if (strcmp(p->call.command->word, "message") == 0 && words_board(next, &ref))
		p->call.command = command_find("chat", 4, NULL);
}

/* In an answer to board 1, does the sender play on the board that this number names, too? */
static bool plays_too(const struct parse *p, const struct board_ref *ref)
{
	struct request *q = p->q;
	const struct match *m = request_match(q, ref->board, NULL);

	return request_seat(q, m) != SEAT_NONE &&
	       (m->doc.state == GAME_RUNNING || m->doc.state == GAME_OFFERED) &&
	       !game_has_anyone(m->doc.players);
}

/* Is the number a turn in the digits of ICCF ("5254"), where a turn may stand, and no board of the
 * sender's? */
static bool is_turn(const struct parse *p, const char *word, const struct board_ref *ref)
{
	const struct command *c = p->call.command;

	return dispatch_has_board(p) && (!c || strcmp(c->word, "move") == 0) && !ref->marked &&
	       game_looks_like_move(word, strlen(word)) && !plays_too(p, ref);
}

bool dispatch_next_board(const struct parse *p, struct board_ref *out)
{
	const struct words *w = &p->words;
	const struct command *c = p->call.command;

	if (p->i == w->n)
		return false;
	const char *word = w->v[p->i].text;
	size_t n = strcspn(word, ".!,");
	if (c && (alone_words_has(c->word) || (c->flags & CMD_LOBBY)) &&
	    !word[n + strspn(word + n, ".!,")]) /* "resign 17.", but not "resign 17,18" */
		word = arena_strndup(p->q->arena, word, n);
	const char *next = p->i + 1 < w->n ? w->v[p->i + 1].text : "";
	return words_board(word, out) && *next != '.' && strcasecmp(next, "then") != 0 &&
	       !is_turn(p, word, out);
}

/* Is the next word the last number of the line, with at most one word after it ("gift 2 days")? */
static bool is_last_number(const struct parse *p)
{
	size_t left = p->words.n - p->i;

	return left == 1 || (left == 2 && !strpbrk(p->words.v[p->i + 1].text, "0123456789"));
}

static bool is_note(const struct parse *p)
{
	return strcmp(p->call.command->word, "note") == 0;
}

/* "decline 1" in an answer to board 2: a number alone is no reason. */
static bool is_decline_of(const struct parse *p)
{
	return (p->call.command->flags & CMD_WAITING) && p->i + 1 == p->words.n;
}

/* In an answer to a board's mail a number may be the command's argument, or begin the
 * prose ("chat 5 minutes late"): there only "#5" or "5:" means a board, or, in front of prose,
 * the number of that board itself. */
static bool is_own_number(const struct parse *p, const struct board_ref *ref)
{
	unsigned flags = p->call.command->flags;

	if (!dispatch_has_board(p) || ref->marked)
		return false;
	if (flags & CMD_STAFF)
		return p->has_ref;
	if (flags & CMD_TEXT)
		return p->has_ref || (ref->board != request_board(p->q) &&
		                      !((is_note(p) || is_decline_of(p)) && plays_too(p, ref)));
	return (flags & CMD_COUNT) && is_last_number(p);
}

/* "chat 2 hello" in an answer to board 1 may be meant for board 2, or be a text that begins with
 * a number.  Asks, because the wrong player must not read it.  A note is private, and needs no
 * question.  true: asked. */
static bool asks_which(const struct parse *p, const struct board_ref *ref)
{
	const char *word = p->call.command->word;
	long long other = ref->board, own = request_board(p->q);

	if (!(p->call.command->flags & CMD_TEXT) || p->has_ref || other == own ||
	    p->i + 1 == p->words.n || !plays_too(p, ref))
		return false;
	return request_refused(
		p->q, own,
		"Is this about board %lld, or about board %lld, whose mail you answered?  Write %s %lld: or %s %lld: in front of the text.",
		other, own, word, other, word, own);
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

/* Do the next words have what this command takes instead of a board? */
static bool next_is_instead(const struct parse *p)
{
	unsigned flags = p->call.command->flags;

	return ((flags & CMD_OR_USER) && p->i < p->words.n) ||
	       ((flags & CMD_OR_GAME) && next_is_game(p)) ||
	       ((flags & CMD_OR_POSITION) && next_is_position(p));
}

/* "accept draw 5" is "accept 5 draw". */
static void turn_round(struct parse *p)
{
	struct words *w = &p->words;
	struct board_ref ref;
	size_t i = p->i;

	if (!(p->call.command->flags & CMD_WAITING) || i + 2 != w->n ||
	    !waiting_is_word(w->v[i].text))
		return;
	const char *number = w->v[i + 1].text;
	number = arena_strndup(p->q->arena, number, strcspn(number, ".!"));
	if (!words_board(number, &ref))
		return;
	words_split(p->q->arena, arena_printf(p->q->arena, "%s %s", number, w->v[i].text), w);
	p->i = 0;
}

/* Finds the board of a line that has none, in an answer to a mail about none.  1: refused. */
static int find_unwritten(struct parse *p, struct err *e)
{
	unsigned flags = p->call.command->flags;

	if (flags & CMD_MAY_BOARD)
		return 0;
	if (p->q->bound.board) {
		p->ref = (struct board_ref){ .board = p->q->bound.board };
		p->has_ref = true;
	}
	bool reads = p->call.command->group == GROUP_READ && p->i == p->words.n &&
	             !(flags & CMD_OR_POSITION);
	if (!p->has_ref && p->q->who.known && (flags & CMD_SEAT || reads)) {
		int rc = dispatch_only_board(p, e);

		if (rc != 0)
			return rc;
	}
	if (p->has_ref)
		return 0;
	return refuse_missing(p, e);
}

/* "show game 1", "resign game 1.": passes over such a word in front of the number, which then means
 * a board and nothing else.  In front of a text it may be its first word. */
static bool skip_board_word(struct parse *p)
{
	struct board_ref ref;
	size_t at = p->i++;

	if (!(p->call.command->flags & (CMD_TEXT | CMD_STAFF)) && p->i < p->words.n &&
	    dispatch_next_board(p, &ref) && str_is_any(p->words.v[at].text, first_words_board))
		return true;
	p->i = at;
	return false;
}

static int refuse_other_board(struct parse *p, int64_t board)
{
	struct note *n = request_refuse(
		p->q, board,
		"Your line names another board.  Nothing was done.  Write a line for each board, with the number of the board in front.");

	n->subject = arena_printf(p->q->arena, "%s was not done", p->call.command->word);
	return 1;
}

/* Does the text name a kind of game, and not the one of the board? */
static bool names_other_game(const struct parse *p, const char *text)
{
	const struct rules *own = p->call.match->game.rules;
	struct words w;

	words_split(p->q->arena, text, &w);
	for (size_t i = 0; i < w.n; i++) {
		const struct rules *r = rules_named(w.v[i].text, strcspn(w.v[i].text, ".,;:!?"));

		if (r && r != own)
			return true;
	}
	return false;
}

/* Does a word of the text begin words for another board, "the other game"? */
static bool names_elsewhere(const char *text)
{
	for (; *text; text += strcspn(text, " "), text += strspn(text, " "))
		if (first_words_phrase(text, turn_talk_words_elsewhere))
			return true;
	return false;
}

bool dispatch_names_other_board(struct parse *p)
{
	const struct call *c = &p->call;

	if (!c->match || c->match->doc.state != GAME_RUNNING ||
	    (!first_line_names_board(c->rest, c->board) && !names_other_game(p, c->rest) &&
	     !names_elsewhere(c->rest)))
		return false;
	return refuse_other_board(p, c->board);
}

/* Takes the board of the next word.  false: another one stands in front of the line, "1: resign, 2: e3". */
static bool take_board(struct parse *p, const struct board_ref *ref)
{
	if (p->has_ref && p->ref.board != ref->board)
		return false;
	p->ref = *ref;
	p->has_ref = true;
	p->i++;
	return true;
}

int dispatch_parse_board(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	struct board_ref ref;
	bool may = p->call.command->flags & CMD_MAY_BOARD;

	turn_round(p);
	bool named = skip_board_word(p);
	bool number = dispatch_next_board(p, &ref);

	if (number && (named || !is_own_number(p, &ref))) {
		if (!take_board(p, &ref))
			return refuse_other_board(p, p->ref.board);
	} else if (number && asks_which(p, &ref)) {
		return 1;
	} else if (next_is_instead(p)) {
		return 0;
	}
	if (!p->has_ref && request_board(q) && !(may && p->i < p->words.n)) {
		p->ref = (struct board_ref){ .board = request_board(q) };
		p->has_ref = true;
	}
	int rc = p->has_ref ? 0 : find_unwritten(p, e);
	if (rc != 0 || !p->has_ref)
		return rc;
	p->call.board = p->ref.board;
	p->call.has_ply = p->ref.has_ply;
	p->call.ply = p->ref.ply;
	return 0;
}

const struct rules *dispatch_game(const struct parse *p, const char *word)
{
	bool alone = dispatch_has_board(p) && p->i + 1 == p->words.n;

	return alone ? rules_named(word, strlen(word)) : rules_find(word, strlen(word), NULL);
}
