/* Playing: turns, offers and answers, messages to the other player. */
#include "pbm/commands/play/play_tables.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/lobby/cmd_blocks.h"
#include "pbm/commands/lobby/cmd_lobby.h"
#include "pbm/commands/lobby/waiting.h"
#include "pbm/commands/play/chat_later.h"
#include "pbm/commands/play/claim.h"
#include "pbm/commands/play/cmd_ahead.h"
#include "pbm/commands/play/hint.h"
#include "pbm/commands/play/play.h"
#include "pbm/commands/play/resign.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/play/turn_talk.h"
#include "pbm/commands/play/watch_talk.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/words/command.h"
#include "pbm/people/computer.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match_asked.h"
#include "pbm/record/match_text.h"
#include "pbm/request/tournament_follow.h"

/* The other player's userid; in a solo game the same one. */
static const char *opponent_of(const struct call *c)
{
	return c->match->doc.players[!c->seat];
}

/* Messages and offers may fill only their share of a game's record.  true: refused. */
static bool refuse_full(struct request *q, struct call *c, size_t bytes)
{
	if (match_has_room(c->match, c->seat, bytes))
		return false;
	return request_refused(
		q, c->board,
		"The record of board %lld has no more room for your messages and offers.  You can still move, resign, accept and decline.",
		(long long)c->board);
}

/* Limits mails to the other player, one for each message and request: few to a player who has
 * only been offered a game.  1: refused. */
static int refuse_often(struct request *q, struct call *c, struct err *e)
{
	const struct match *m = c->match;
	bool offered = m->doc.state == GAME_OFFERED;

	if (m->doc.state == GAME_CLOSED && m->ply == 0) {
		request_refuse(
			q, c->board,
			"Board %lld was closed before the first move.  No message can be sent about it.  To write to %s all the same, begin with this line, and write your text below it:",
			(long long)c->board, opponent_of(c))
			->body = arena_printf(q->arena, "    message %s", opponent_of(c));
		return 1;
	}
	int rc = mail_limits_may_write(q, c->actor, opponent_of(c), !offered, e);
	if (rc == 0)
		request_refuse(
			q, c->board,
			"You have sent %s %d %s within a day.  Nothing was passed on.  Try again tomorrow.",
			opponent_of(c),
			offered ? MAIL_LIMITS_OFFERS_TO_A_DAY : MAIL_LIMITS_WRITES_A_DAY,
			offered ? "offers, or messages about them," : "messages and requests");
	return rc < 0 ? rc : !rc;
}

static void refuse_again(struct request *q, const struct call *c)
{
	request_refuse(q, c->board, "You have asked that already: it waits for %s's answer.",
	               opponent_of(c));
}

static int agree_draw(struct request *q, struct call *c, struct err *e)
{
	match_end(c->match, "1/2-1/2", "agreed by both", c->seat, q->now);
	return board_tell_both(
		q, c, "You agreed to the draw.",
		arena_printf(q->arena, "%s accepts the draw.", c->match->doc.players[c->seat]),
		NOTE_BOARD | NOTE_MOVES | NOTE_TOLD, e);
}

static int run_draw(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (m->draw_offered_by == !c->seat || match_is_solo(m))
		return agree_draw(q, c, e);
	if (refuse_full(q, c, 0))
		return 0;
	if (m->draw_offered_by == c->seat || !match_may_offer_draw(m, c->seat))
		return !request_refused(
			q, c->board,
			"You may offer a draw once in %d turns, counting both sides.  Your last offer %s.",
			MATCH_DRAW_PAUSE,
			m->draw_offered_by == c->seat ? "still stands" : "was not accepted");
	match_offer_draw(m, c->seat, q->now);
	return board_tell_both(
		q, c, arena_printf(q->arena, "You offered %s a draw.", opponent_of(c)),
		arena_printf(
			q->arena,
			"%s offers you a draw.  Answer: accept or reject.  Your next move declines it too.",
			m->doc.players[c->seat]),
		NOTE_BOARD | NOTE_MOVES | NOTE_ASK | NOTE_OFFER, e);
}

static int take_back(struct request *q, struct call *c, size_t n, struct err *e)
{
	const char *me = c->match->doc.players[c->seat];
	struct str turns = str_in(q->arena, MATCH_LAST_SIZE);

	match_write_last(c->match, n, &turns);
	match_undo(c->match, n, c->seat, q->now);
	return board_tell_both(q, c, arena_printf(q->arena, "%s taken back.", turns.data),
	                       arena_printf(q->arena, "%s agreed: %s taken back.", me, turns.data),
	                       NOTE_BOARD | NOTE_MOVES | NOTE_ASK, e);
}

/* Refuses another number of turns than the player's open request to take back, which the
 * opponent may be answering just now.  true: refused. */
static bool refuse_other_undo(struct request *q, struct call *c, size_t n)
{
	const struct match *m = c->match;

	if (m->undo_asked_by != c->seat || (size_t)m->undo_plies == n)
		return false;
	return request_refused(
		q, c->board,
		"You have asked already to take back %d %s, and %s has not answered yet.",
		m->undo_plies, m->undo_plies == 1 ? "turn" : "turns", opponent_of(c));
}

/* Refuses to ask a computer, which reads no questions, for a change of a game that counts. */
static bool refuse_strict(struct request *q, const struct call *c)
{
	const char *other = opponent_of(c);

	if (!computer_is_name(q, other))
		return false;
	return request_refused(q, c->board,
	                       "In a rated game or a tournament %s agrees to nothing but a draw.",
	                       other);
}

static int ask_undo(struct request *q, struct call *c, size_t n, struct err *e)
{
	if (computer_is_practice(q, c->match, opponent_of(c)))
		return take_back(q, c, n, e);
	if (refuse_strict(q, c))
		return 0;
	int rc = refuse_often(q, c, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	struct str turns = str_in(q->arena, MATCH_LAST_SIZE);
	match_write_last(c->match, n, &turns);
	match_ask_undo(c->match, n, c->seat, q->now);
	return board_tell_both(
		q, c,
		arena_printf(q->arena, "You asked %s to take back %s.", opponent_of(c), turns.data),
		arena_printf(
			q->arena,
			c->match->draw_offered_by == c->seat
				? "%s asks to take back %s, and still offers a draw.  Answer: accept undo, accept draw or reject.  Your next move declines both."
				: "%s asks to take back %s.  Answer: accept or reject.  Your next move declines it too.",
			c->match->doc.players[c->seat], turns.data),
		NOTE_BOARD | NOTE_MOVES | NOTE_ASK | NOTE_OFFER, e);
}

/* The number of turns that the words mean: without a number, back to the player's own last turn.
 * 0: it can't be, and is refused. */
static size_t read_turns(struct request *q, const struct call *c)
{
	const struct match *m = c->match;
	bool said, solo = match_is_solo(m);
	size_t n = match_to_move(m) == c->seat && !solo ? 2 : 1;
	size_t asked = request_asked(q, c->board);
	if (asked && asked == match_asked(m, c->seat, &said) &&
	    m->doc.events[asked - 1].kind == EVENT_UNDO_ASK)
		n = (size_t)m->undo_plies; /* it agrees, as "draw" does to a draw */
	if (c->argc && strspn(c->argv[0], "0123456789") == strlen(c->argv[0]))
		n = strtoul(c->argv[0], NULL, 10);
	else if (c->argc)
		n = 0;
	if (n > 0 && n <= m->ply)
		return n;
	return !request_refused(q, c->board,
	                        "undo takes back one turn or more.  Board %lld has %zu so far.",
	                        (long long)c->board, m->ply);
}

static bool may_undo(struct request *q, const struct call *c)
{
	if (tournament_allows_undo(q, c->match))
		return true;
	tournament_refuse_undo(q, c->match);
	return false;
}

static int run_undo(struct request *q, struct call *c, struct err *e)
{
	const struct match *m = c->match;

	if (play_withdraw(q, c->match, c->seat))
		return request_save(q, c->match, e);
	if (!may_undo(q, c))
		return 0;
	size_t n = read_turns(q, c);
	if (n == 0 || refuse_other_undo(q, c, n) || refuse_full(q, c, 0))
		return 0;
	bool same = (size_t)m->undo_plies == n;
	if (match_is_solo(m) || (m->undo_asked_by == !c->seat && same))
		return take_back(q, c, n, e);
	if (m->undo_asked_by == c->seat && same) {
		refuse_again(q, c);
		return 0;
	}
	return ask_undo(q, c, n, e);
}

static int ask_abort(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (m->abort_asked_by == c->seat) {
		refuse_again(q, c);
		return 0;
	}
	int rc = refuse_full(q, c, 0) ? 1 : refuse_often(q, c, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	match_add_text(m, EVENT_ABORT_ASK, c->seat, NULL, q->now);
	return board_tell_both(
		q, c, arena_printf(q->arena, "You asked %s to abort the game.", opponent_of(c)),
		arena_printf(q->arena,
	                     "%s asks to abort the game, without a result.  "
	                     "Answer: accept or reject.",
	                     m->doc.players[c->seat]),
		NOTE_BOARD | NOTE_ASK | NOTE_OFFER, e);
}

/* A player who aborts a game of a tournament forfeits it; later he can only resign. */
static int forfeit(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	const char *me = m->doc.players[c->seat];

	if (m->ply >= 2) {
		tournament_refuse_abort(q, m);
		return 0;
	}
	if (hold_ask(q, c, arena_printf(q->arena, "abort %lld", (long long)c->board),
	             "This game belongs to a tournament or a ladder: you lose it if you abort it."))
		return 0;
	match_end(m, c->seat == SEAT_WHITE ? "0-1" : "1-0",
	          arena_printf(q->arena, "%s forfeited the game", me), c->seat, q->now);
	return board_tell_both(
		q, c, "You have forfeited this game of a tournament.",
		arena_printf(q->arena, "%s has forfeited this game of a tournament.", me),
		NOTE_TOLD, e);
}

static int run_abort(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (m->doc.tournament)
		return forfeit(q, c, e);
	if (m->ply >= 2 && !match_is_solo(m) && m->abort_asked_by != !c->seat &&
	    !computer_is_practice(q, m, opponent_of(c)))
		return refuse_strict(q, c) ? 0 : ask_abort(q, c, e);
	return resign_abort(q, c, m->ply >= 2, e);
}

static int run_accept(struct request *q, struct call *c, struct err *e)
{
	const char *what;

	if (!c->match) /* a kind of game instead of a board */
		return cmd_blocks_accept(q, c, e);
	if (c->match->doc.state == GAME_OFFERED)
		return cmd_lobby_accept(q, c, e);
	int rc = waiting_choose(q, c, "accept", &what, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (strcmp(what, "draw") == 0)
		return agree_draw(q, c, e);
	return strcmp(what, "undo") == 0 ? take_back(q, c, (size_t)c->match->undo_plies, e)
	                                 : run_abort(q, c, e);
}

/* "no way" of "draw, no way". */
static const char *reason_of(const struct call *c, const char *declined)
{
	const char *reason = c->rest + str_prefix(c->rest, declined);

	return *reason && !strchr(" ,.", *reason) ? c->rest : reason + strspn(reason, " ,.");
}

static int run_decline(struct request *q, struct call *c, struct err *e)
{
	static const struct {
		const char *word, *what;
		enum event_kind kind;
	} requests[] = { { "draw", "the draw", EVENT_DRAW_DECLINE },
		         { "undo", "to take back", EVENT_UNDO_DECLINE },
		         { "abort", "to abort", EVENT_UNDO_DECLINE } };
	const char *found;
	size_t i = 0;

	if (!c->match)
		return cmd_blocks_reject(q, c, e);
	if (c->match->doc.state == GAME_OFFERED)
		return cmd_lobby_decline(q, c, e);
	int rc = waiting_choose(q, c, "decline", &found, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	while (strcmp(requests[i].word, found) != 0)
		i++;
	q->comment = board_words(q, reason_of(c, found));
	match_add_text(c->match, requests[i].kind, c->seat,
	               requests[i].kind == EVENT_UNDO_DECLINE ? found : NULL, q->now);
	return board_tell_both(q, c, arena_printf(q->arena, "You declined %s.", requests[i].what),
	                       arena_printf(q->arena, "%s declined %s.",
	                                    c->match->doc.players[c->seat], requests[i].what),
	                       NOTE_BOARD | NOTE_ASK, e);
}

/* The game's record has the text at once, the other player after the hour. */
static int chat_waits(struct request *q, struct call *c, const char *text, int64_t ends,
                      struct err *e)
{
	int rc = chat_later(q, c, opponent_of(c), text, ends, e);

	if (rc <= 0)
		return rc;
	match_add_text(c->match, EVENT_CHAT, c->seat, text, q->now);
	return request_save(q, c->match, e);
}

static int run_chat(struct request *q, struct call *c, struct err *e)
{
	const char *text = board_comment(q, board_words(q, c->rest));

	if (!text || (match_is_solo(c->match) && c->seat != SEAT_NONE))
		return !request_refused(q, c->board,
		                        text ? "You play this game alone."
		                             : "There is no text to pass on.");
	const char *why = watch_why_not(q, c);
	if (why)
		return watch_refuse_talk(q, c, text, why);
	if (c->seat == SEAT_NONE)
		return watch_talk(q, c, text, e);
	int64_t ends = 0;
	int rc = refuse_full(q, c, strlen(text)) ? 1 : refuse_often(q, c, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	rc = mail_limits_is_talk_full(q, c->actor, opponent_of(c), &ends, e);
	if (rc != 0)
		return rc < 0 ? rc : chat_waits(q, c, text, ends, e);
	const char *judge = watch_tell_decider(q, c, text);
	match_add_text(c->match, EVENT_CHAT, c->seat, text, q->now);
	board_note(q, c, c->seat, 0)
		->headline = judge ? arena_printf(q->arena,
	                                          "Passed on to %s, and to %s, who decided%s.",
	                                          opponent_of(c), judge, watch_listeners(q, c))
	                           : arena_printf(q->arena, "Passed on to %s%s.", opponent_of(c),
	                                          watch_listeners(q, c));
	if (c->match->doc.state == GAME_RUNNING)
		turn_talk_tell_wishes(q, text);
	struct note *n = board_note(q, c, !c->seat, NOTE_BOARD | NOTE_ASK | NOTE_TALK);
	n->subject = arena_printf(q->arena, "a message from %s", c->match->doc.players[c->seat]);
	n->comment = text;
	n->comment_by = c->match->doc.players[c->seat];
	return request_save(q, c->match, e);
}

/* Players of pbmserv write "move 17 resign": after move these words are commands. */
static const struct {
	const char *word;
	int (*run)(struct request *, struct call *, struct err *);
} words_of_move[] = {
	{ "resign", resign_run },   { "propose", run_draw },   { "draw", run_draw },
	{ "accept", run_accept },   { "reject", run_decline }, { "decline", run_decline },
	{ "undo", run_undo },       { "abort", run_abort },    { "pass", cmd_ahead_pass },
	{ "swap", cmd_ahead_swap },
};

/* Nothing else may follow such a word. */
static int run_word_of_move(struct request *q, struct call *c,
                            int (*run)(struct request *, struct call *, struct err *),
                            struct err *e)
{
	if (c->argc > 1) {
		request_refuse(
			q, c->board,
			"I do this only when nothing else stands on the line.  Nothing was done.  If you mean it, write just this line: %s %lld",
			c->argv[0], (long long)c->board)
			->subject = arena_printf(q->arena, "%s was not done", c->argv[0]);
		return 0;
	}
	c->argc = 0;
	c->rest = "";
	return run(q, c, e);
}

static int run_move(struct request *q, struct call *c, struct err *e)
{
	for (size_t i = 0; i < sizeof words_of_move / sizeof words_of_move[0] && !q->robot; i++)
		if (strcasecmp(c->argv[0], words_of_move[i].word) == 0)
			return run_word_of_move(q, c, words_of_move[i].run, e);
	return turn_run(q, c, e);
}

#define PLAYING (CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_RUNNING | CMD_PAIR | CMD_COMMENT)
#define ANSWERING (CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_PAIR | CMD_COMMENT)

const struct command cmd_play_table[] = {
	COMMAND("move", "move [board] [userid password] move[#n]",
	        "plays your turn; #n says which turn you mean", GROUP_PLAY, PLAYING | CMD_KEPT,
	        .least = 1, .read = turn_read, .run = run_move),
	COMMAND("accept", "accept [board] [draw|undo|abort]  or  accept [off] game",
	        "accepts a game, a draw, an undo or an abort that was offered", GROUP_PLAY,
	        ANSWERING | CMD_LOBBY | CMD_WAITING | CMD_OR_GAME, .read = waiting_read,
	        .run = run_accept),
	COMMAND("decline", "decline [board] [draw|undo|abort] [why]  or  reject [off] game",
	        "refuses such an offer", GROUP_PLAY,
	        ANSWERING | CMD_TEXT | CMD_LOBBY | CMD_WAITING | CMD_OR_GAME, .read = waiting_read,
	        .run = run_decline),
	COMMAND("resign", "resign [board]", "gives the game up", GROUP_PLAY, PLAYING,
	        .read = resign_read, .run = resign_run),
	COMMAND("draw", "draw [board]",
	        "offers a draw, or accepts the one offered; also after a move", GROUP_PLAY, PLAYING,
	        .run = run_draw),
	COMMAND("undo", "undo [board] [turns]", "asks to take back", GROUP_PLAY,
	        PLAYING | CMD_COUNT, .run = run_undo),
	COMMAND("abort", "abort [board]",
	        "ends a game without a result; when both have moved, both must agree", GROUP_PLAY,
	        PLAYING, .run = run_abort),
	COMMAND("hint", "hint [board]",
	        "against a computer: where to look, and, asked again, what to play", GROUP_PLAY,
	        PLAYING, .read = hint_read, .run = hint_run),
	COMMAND("claim", "claim [board] repetition|fifty|time|win [line]",
	        "claims a draw by the rules, the game on time, or a win that can be proved",
	        GROUP_PLAY, PLAYING, .read = claim_read, .run = claim_run),
	COMMAND("chat", "chat [board] text", "a message to the other player, kept with the game",
	        GROUP_PLAY, ANSWERING | CMD_TEXT | CMD_WATCHER, .run = run_chat),
	{ .word = NULL }
};
