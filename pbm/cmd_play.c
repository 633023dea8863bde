/* Playing: a turn, and what players say to each other about the game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/command.h"
#include "pbm/base/utf8.h"
#include "pbm/lobby.h"
#include "pbm/text.h"

#define CHAT_MAX 4000
#define NEAREST 6
#define FORCED_MAX 100               /* forced turns played behind one another */

/* The other player's userid; in a solo game the same one. */
static const char *other(const struct call *c)
{
	return c->match->doc.players[!c->seat];
}

static bool is_solo(const struct match *m)
{
	return strcmp(m->doc.players[0], m->doc.players[1]) == 0;
}

/* A note about the board to a player by seat. */
static struct note *tell(struct request *q, const struct call *c, uint8_t seat, unsigned flags)
{
	struct note *n = request_note(q, c->match->doc.players[seat], c->board, flags);

	n->seat = seat;
	return n;
}

static const char *cut_comment(struct request *q, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	return n > CHAT_MAX ? arena_strndup(q->arena, text, utf8_cut(text, n, CHAT_MAX)) : text;
}

/* The prose beside a command goes to the other side and into the record. */
static void pass_comment(struct request *q, struct call *c, struct note *to, const char *text)
{
	text = cut_comment(q, text);
	if (!text || !*text || is_solo(c->match))
		return;
	if (c->match->doc.state == GAME_RUNNING && match_has_room(c->match, c->seat, strlen(text)))
		match_note(c->match, EVENT_CHAT, c->seat, text, q->now);
	to->comment = text;
	to->comment_by = c->match->doc.players[c->seat];
}

/* Tells both sides that something happened; the texts may name the players. */
static int tell_both(struct request *q, struct call *c, const char *mine, const char *theirs,
                     unsigned flags, struct err *e)
{
	unsigned end = c->match->doc.state == GAME_RUNNING ? 0 : NOTE_FINAL;

	tell(q, c, c->seat, flags | end)->headline = mine;
	if (!is_solo(c->match)) {
		struct note *n = tell(q, c, !c->seat, flags | end);

		n->headline = theirs;
		pass_comment(q, c, n, q->comment);
	}
	return request_save(q, c->match, e);
}

/* "#7" behind a move: the sender means ply 7.  Cuts it off; false: refused. */
static bool check_guard(struct request *q, struct call *c, char *text)
{
	size_t at = command_guard_at(text);
	char *p = text + at, *end;

	if (!*p)
		return true;
	long ply = strtol(p + 1, &end, 10);
	if ((size_t)ply != c->match->ply + 1) {
		request_refuse(q, c->board, "Move %.*s received as move #%ld; board %lld is at move #%zu.  "
		               "Nothing was played.", (int)at, text, ply, (long long)c->board,
		               c->match->ply + 1)->flags |= NOTE_BOARD | NOTE_ASK;
		return false;
	}
	memset(p, ' ', (size_t)(end - p));
	return true;
}

/* A reply to a mail that another turn has overtaken. */
static bool check_stale(struct request *q, struct call *c)
{
	const struct token *t = &q->who.token;
	char last[80] = "", was[40] = "to an older board";
	struct str s = STR_FIXED(last);
	struct match *m = c->match;

	if (!q->who.has_token || t->kind != TOKEN_GAME || t->board != c->board || t->ply == m->stamp)
		return true;
	if (m->ply)
		match_write_ply(m, m->ply, &s);
	if (m->ply == m->stamp)
		snprintf(was, sizeof was, "for move #%u", t->ply + 1);
	request_refuse(q, c->board, "This is move #%zu; your answer was %s.  Nothing was played.  %s%s%s",
	               m->ply + 1, was, m->ply ? "The last move was " : "", last, m->ply ? "." : "")
		->flags |= NOTE_BOARD | NOTE_ASK;
	return false;
}

static bool check_turn(struct request *q, struct call *c)
{
	uint8_t turn = match_to_move(c->match);

	if (turn == c->seat)
		return true;
	request_refuse(q, c->board, "It is %s's move on board %lld.  Nothing was played.",
	               c->match->doc.players[turn], (long long)c->board)->flags |= NOTE_BOARD | NOTE_MOVES;
	return false;
}

static void refuse_move(struct request *q, struct call *c, const char *typed, size_t used,
                        enum read_refusal why, const char *text)
{
	struct move near[NEAREST];
	char list[400];
	struct str s = STR_FIXED(list);
	const struct pos *p = match_position(c->match);
	size_t n = why == READ_AMBIGUOUS || why == READ_NEEDS_PIECE ? 0
	           : game_nearest(&c->match->game, p, typed, used ? used : strlen(typed), near, NEAREST);

	struct note *note = request_refuse(q, c->board, "%s  Board %lld is as it was.", text,
	                                   (long long)c->board);
	note->flags |= NOTE_BOARD | NOTE_ASK;
	note->subject = arena_printf(q->arena, "%.*s was not played", used ? (int)used : 20, typed);
	if (n && why != READ_MUST_CAPTURE) {
		str_add(&s, "The nearest legal turns: ");
		for (size_t i = 0; i < n; i++) {
			if (i)
				str_add(&s, ", ");
			game_write_san(&c->match->game, p, &near[i], &s);
		}
		str_add_char(&s, '\n');
	}
	str_addf(&s, "(You wrote: \"%.150s\")", typed);
	note->body = arena_strdup(q->arena, list);
}

/* Asks before a turn that loses at once by its own doing.  1: asked. */
static int ask_first(struct request *q, struct call *c, const struct move *mv)
{
	char why[200], san[64];
	struct str w = STR_FIXED(why), s = STR_FIXED(san);

	if (q->confirming || !game_blunder(&c->match->game, match_position(c->match), mv, &w) ||
	    q->held_count == REQUEST_LINES_MAX)
		return 0;
	game_write_san(&c->match->game, match_position(c->match), mv, &s);
	command_hold(q, c, arena_printf(q->arena, "move %lld %s#%zu", (long long)c->board, san,
	                                c->match->ply + 1));
	q->held_why = arena_strdup(q->arena, why);
	q->held_for = c->actor;
	return 1;
}

/* A pass is always played by the server; an only move when its player wants it. */
static bool plays_itself(struct request *q, const struct match *m, const struct move *mv)
{
	struct player_doc p;
	const char *value;

	if (mv->from == NO_SQUARE && mv->named == NO_PIECE)
		return true;
	if (store_player_get(q->site->store, q->arena, m->doc.players[match_to_move(m)], &p, NULL) < 0)
		return false;
	value = player_setting(&p, "automove");
	return value && strcmp(value, "on") == 0;
}

/* Plays what is forced, and says so. */
static const char *play_forced(struct request *q, struct match *m)
{
	char text[800];
	struct str s = STR_FIXED(text);
	struct move mv;

	for (int n = 0; n < FORCED_MAX && match_forced(m, &mv) && plays_itself(q, m, &mv); n++) {
		str_add(&s, n ? ", " : "  Forced, and played by the server: ");
		match_play_automatic(m, &mv, q->now);
		match_write_ply(m, m->ply, &s);
		str_add(&s, " (auto)");
	}
	str_add(&s, s.len ? "." : "");
	return arena_strdup(q->arena, text);
}

static int play(struct request *q, struct call *c, const struct move *mv, const char *rest,
                struct err *e)
{
	struct match *m = c->match;
	struct pos before = *match_position(m);
	uint8_t seat = c->seat;
	char text[1600], said[80];
	struct str s = STR_FIXED(text), san = STR_FIXED(said);
	bool draw = strncasecmp(rest, "draw", 4) == 0 && strchr(" ?!.),;:", rest[4]);
	bool offered = false;

	match_play(m, mv, q->now);
	match_write_ply(m, m->ply, &san);
	if (draw && m->doc.state == GAME_RUNNING && match_may_offer_draw(m, seat)) {
		match_offer_draw(m, seat, q->now);
		offered = true;
	}
	const char *forced = play_forced(q, m);
	unsigned end = m->doc.state == GAME_RUNNING ? 0 : NOTE_FINAL;
	struct note *mine = tell(q, c, seat, NOTE_BOARD | NOTE_MOVES | NOTE_ASK | end);
	mine->headline = arena_printf(q->arena, "You played %s.%s%s", said, forced, draw && !offered
		? "  The draw was not offered: one offer in 10 plies." : "");
	if (!is_solo(m)) {
		struct note *theirs = tell(q, c, !seat, NOTE_BOARD | NOTE_MOVES | NOTE_ASK | end);

		str_addf(&s, "%s played %s: ", m->doc.players[seat], said);
		game_describe(&m->game, &before, mv, false, &s);
		str_addf(&s, ".%s", forced);
		theirs->headline = arena_strdup(q->arena, text);
		const char *words = draw ? q->comment : *rest && q->comment
			? arena_printf(q->arena, "%s\n%s", rest, q->comment) : *rest ? rest : q->comment;
		pass_comment(q, c, theirs, words);
	}
	return request_save(q, m, e);
}

static int run_line(struct request *q, struct call *c, struct err *e)
{
	char *typed = arena_strdup(q->arena, command_move_text(c->rest));
	struct move mv;
	size_t used = 0;
	enum read_refusal why = READ_OK;
	struct err refusal = {0};

	if (!check_stale(q, c) || !check_guard(q, c, typed) || !check_turn(q, c))
		return 0;
	int rc = game_read_line(&c->match->game, match_position(c->match), typed, strlen(typed), &mv,
	                        &used, &why, &refusal);
	if (rc < 0) {
		refuse_move(q, c, typed, used, why, refusal.text);
		return 0;
	}
	const char *rest = typed + used;
	rest += strspn(rest, " ,;.-\t(");
	if (*rest && game_looks_like_move(rest, strlen(rest))) {
		refuse_move(q, c, typed, strlen(typed), READ_UNREADABLE,
		            "Behind the turn stands something that looks like another one; write one turn "
		            "on the first line.");
		return 0;
	}
	if (ask_first(q, c, &mv))
		return 0;
	return play(q, c, &mv, rest, e);
}

/* Talk has its share of a game's record, and no more.  true: refused. */
static bool refuse_full(struct request *q, struct call *c, size_t bytes)
{
	if (match_has_room(c->match, c->seat, bytes))
		return false;
	request_refuse(q, c->board, "The record of board %lld has no room for more from you but moves, "
	               "resign, accept and decline.", (long long)c->board);
	return true;
}

static int run_resign(struct request *q, struct call *c, struct err *e)
{
	uint8_t loser = c->seat;
	const char *me = c->match->doc.players[loser];

	match_end(c->match, loser == SEAT_WHITE ? "0-1" : "1-0",
	          arena_printf(q->arena, "%s resigned", me), loser, q->now);
	return tell_both(q, c, "You resigned.", arena_printf(q->arena, "%s resigned.", me),
	                 NOTE_BOARD | NOTE_MOVES, e);
}

static int agree_draw(struct request *q, struct call *c, struct err *e)
{
	match_end(c->match, "1/2-1/2", "agreed by both", c->seat, q->now);
	return tell_both(q, c, "You agreed to the draw.",
	                 arena_printf(q->arena, "%s accepts the draw.", c->match->doc.players[c->seat]),
	                 NOTE_BOARD | NOTE_MOVES, e);
}

static int run_draw(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (m->draw_offered_by == !c->seat)
		return agree_draw(q, c, e);
	if (refuse_full(q, c, 0))
		return 0;
	if (m->draw_offered_by == c->seat || !match_may_offer_draw(m, c->seat)) {
		request_refuse(q, c->board, "One offer in %d plies: yours %s.", MATCH_DRAW_PAUSE,
		               m->draw_offered_by == c->seat ? "still stands" : "was not taken up");
		return 0;
	}
	match_offer_draw(m, c->seat, q->now);
	return tell_both(q, c, arena_printf(q->arena, "You offered %s a draw.", other(c)),
	                 arena_printf(q->arena, "%s offers you a draw.  Answer: accept or reject; a move "
	                              "of yours declines it too.", m->doc.players[c->seat]),
	                 NOTE_BOARD | NOTE_MOVES | NOTE_ASK | NOTE_OFFER, e);
}

static int take_back(struct request *q, struct call *c, size_t n, struct err *e)
{
	const char *me = c->match->doc.players[c->seat];

	match_undo(c->match, n, c->seat, q->now);
	return tell_both(q, c, arena_printf(q->arena, "%zu %s taken back.", n, n == 1 ? "ply" : "plies"),
	                 arena_printf(q->arena, "%s agreed: %zu %s taken back.", me, n,
	                              n == 1 ? "ply" : "plies"),
	                 NOTE_BOARD | NOTE_MOVES | NOTE_ASK, e);
}

static int run_undo(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	size_t n = match_to_move(m) == c->seat ? 2 : 1;

	if (c->argc && strspn(c->argv[0], "0123456789") == strlen(c->argv[0]))
		n = strtoul(c->argv[0], NULL, 10);
	else if (c->argc)
		n = 0;
	if (n == 0 || n > m->ply) {
		request_refuse(q, c->board, "Board %lld has %zu plies so far; undo takes a number from 1 to "
		               "that.", (long long)c->board, m->ply);
		return 0;
	}
	if (refuse_full(q, c, 0))
		return 0;
	if (is_solo(m) || (m->undo_asked_by == !c->seat && (size_t)m->undo_plies == n))
		return take_back(q, c, n, e);
	match_ask_undo(m, n, c->seat, q->now);
	return tell_both(q, c, arena_printf(q->arena, "You asked %s to take back %zu %s.", other(c), n,
	                                    n == 1 ? "ply" : "plies"),
	                 arena_printf(q->arena, "%s asks to take back %zu %s.  Answer: accept or reject; a "
	                              "move of yours declines it too.", m->doc.players[c->seat], n,
	                              n == 1 ? "ply" : "plies"),
	                 NOTE_BOARD | NOTE_MOVES | NOTE_ASK | NOTE_OFFER, e);
}

static int run_abort(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	const char *me = m->doc.players[c->seat];

	if (m->ply >= 2 && !is_solo(m) && m->abort_asked_by != !c->seat) {
		if (refuse_full(q, c, 0))
			return 0;
		match_note(m, EVENT_ABORT_ASK, c->seat, NULL, q->now);
		return tell_both(q, c, arena_printf(q->arena, "You asked %s to abort the game.", other(c)),
		                 arena_printf(q->arena, "%s asks to abort the game, without a result.  "
		                              "Answer: accept or reject.", me),
		                 NOTE_BOARD | NOTE_ASK | NOTE_OFFER, e);
	}
	match_end(m, "*", m->ply >= 2 ? "aborted by agreement" : arena_printf(q->arena, "aborted by %s", me),
	          c->seat, q->now);
	return tell_both(q, c, "The game is aborted; it has no result.",
	                 arena_printf(q->arena, "%s aborted the game; it has no result.", me), 0, e);
}

static int run_accept(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (m->doc.state == GAME_OFFERED)
		return lobby_accept(q, c, e);
	if (m->doc.state == GAME_RUNNING && m->draw_offered_by == !c->seat)
		return agree_draw(q, c, e);
	if (m->doc.state == GAME_RUNNING && m->undo_asked_by == !c->seat)
		return take_back(q, c, (size_t)m->undo_plies, e);
	if (m->doc.state == GAME_RUNNING && m->abort_asked_by == !c->seat)
		return run_abort(q, c, e);
	request_refuse(q, c->board, "Nothing on board %lld waits for your answer.", (long long)c->board);
	return 0;
}

static int run_decline(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	bool draw = m->draw_offered_by == !c->seat, undo = m->undo_asked_by == !c->seat;
	const char *what = draw ? "the draw" : undo ? "to take back" : "to abort";

	if (m->doc.state == GAME_OFFERED)
		return lobby_decline(q, c, e);
	if (m->doc.state != GAME_RUNNING || (!draw && !undo && m->abort_asked_by != !c->seat)) {
		request_refuse(q, c->board, "Nothing on board %lld waits for your answer.",
		               (long long)c->board);
		return 0;
	}
	match_note(m, draw ? EVENT_DRAW_DECLINE : EVENT_UNDO_DECLINE, c->seat, NULL, q->now);
	return tell_both(q, c, arena_printf(q->arena, "You declined %s.", what),
	                 arena_printf(q->arena, "%s declined %s.", m->doc.players[c->seat], what),
	                 NOTE_BOARD | NOTE_ASK, e);
}

static int run_chat(struct request *q, struct call *c, struct err *e)
{
	const char *text = *c->rest && q->comment ? arena_printf(q->arena, "%s\n%s", c->rest, q->comment)
	                   : *c->rest ? c->rest : q->comment;

	text = cut_comment(q, text);
	if (!text || is_solo(c->match)) {
		request_refuse(q, c->board, text ? "You play this game alone." : "There is no text to pass on.");
		return 0;
	}
	if (refuse_full(q, c, strlen(text)))
		return 0;
	match_note(c->match, EVENT_CHAT, c->seat, text, q->now);
	tell(q, c, c->seat, 0)->headline = arena_printf(q->arena, "Passed on to %s.", other(c));
	struct note *n = tell(q, c, !c->seat, NOTE_BOARD | NOTE_ASK);
	n->subject = arena_printf(q->arena, "a message from %s", c->match->doc.players[c->seat]);
	n->comment = text;
	n->comment_by = c->match->doc.players[c->seat];
	return request_save(q, c->match, e);
}

static int claim_draw(struct request *q, struct call *c, bool good, const char *why, struct err *e)
{
	if (!good) {
		request_refuse(q, c->board, "That claim does not hold on board %lld: this position has come "
		               "%zu time(s), and %u plies have passed without a capture or a pawn move.",
		               (long long)c->board, match_repetitions(c->match, c->match->ply),
		               match_position(c->match)->halfmove);
		return 0;
	}
	match_end(c->match, "1/2-1/2", why, c->seat, q->now);
	return tell_both(q, c, "Your claim holds: the game is drawn.",
	                 arena_printf(q->arena, "%s claims a draw, and rightly: %s.",
	                              c->match->doc.players[c->seat], why), NOTE_BOARD | NOTE_MOVES, e);
}

static int claim_time(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (match_to_move(m) == c->seat || match_time_left(m, q->now) >= 0) {
		request_refuse(q, c->board, match_to_move(m) == c->seat
		               ? "It is your own move on board %lld." : "Your opponent on board %lld has time left.",
		               (long long)c->board);
		return 0;
	}
	match_end(m, c->seat == SEAT_WHITE ? "1-0" : "0-1",
	          arena_printf(q->arena, "%s ran out of time", other(c)), c->seat, q->now);
	return tell_both(q, c, arena_printf(q->arena, "%s ran out of time.", other(c)),
	                 arena_printf(q->arena, "You ran out of time, and %s claimed the game.",
	                              m->doc.players[c->seat]), NOTE_BOARD | NOTE_MOVES, e);
}

static int run_claim(struct request *q, struct call *c, struct err *e)
{
	const char *what = c->argv[0];

	if (strcasecmp(what, "repetition") == 0)
		return claim_draw(q, c, match_repetitions(c->match, c->match->ply) >= 3,
		                  "the same position for the third time", e);
	if (strcasecmp(what, "fifty") == 0)
		return claim_draw(q, c, match_position(c->match)->halfmove >= 100,
		                  "fifty moves without a capture or a pawn move", e);
	if (strcasecmp(what, "time") == 0)
		return claim_time(q, c, e);
	request_refuse(q, c->board, "What can be claimed: repetition, fifty, time.");
	return 0;
}

/* pbmserv writes "move 17 resign": these words behind move are commands. */
static const struct { const char *word; int (*run)(struct request *, struct call *, struct err *); }
words_of_move[] = {
	{ "resign", run_resign }, { "propose", run_draw }, { "draw", run_draw },
	{ "accept", run_accept }, { "reject", run_decline }, { "decline", run_decline },
	{ "undo", run_undo }, { "abort", run_abort },
};

static int run_move(struct request *q, struct call *c, struct err *e)
{
	for (size_t i = 0; i < sizeof words_of_move / sizeof words_of_move[0]; i++)
		if (strcasecmp(c->argv[0], words_of_move[i].word) == 0) {
			c->argv[0] = "";
			c->argc = 0;
			c->rest = "";
			return words_of_move[i].run(q, c, e);
		}
	return run_line(q, c, e);
}

#define PLAYING (CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_RUNNING | CMD_PAIR)
#define ANSWERING (CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_PAIR)

const struct command commands_play[] = {
	{ "move", "move [board] [userid password] move[#n]", GROUP_PLAY, PLAYING, 1, run_move,
	  "plays your turn; #n says which ply you mean" },
	{ "accept", "accept [board]", GROUP_PLAY, ANSWERING, 0, run_accept,
	  "takes a game, a draw, an undo or an abort that was offered" },
	{ "decline", "decline [board] [why]", GROUP_PLAY, ANSWERING | CMD_TEXT, 0, run_decline,
	  "refuses it" },
	{ "resign", "resign [board]", GROUP_PLAY, PLAYING, 0, run_resign, "gives the game up" },
	{ "draw", "draw [board]", GROUP_PLAY, PLAYING, 0, run_draw,
	  "offers a draw, or takes the one that is offered; also behind a move" },
	{ "undo", "undo [board] [plies]", GROUP_PLAY, PLAYING | CMD_COUNT, 0, run_undo, "asks to take back" },
	{ "abort", "abort [board]", GROUP_PLAY, PLAYING, 0, run_abort,
	  "ends a game without a result: alone before both have moved, later when both agree" },
	{ "claim", "claim [board] repetition|fifty|time", GROUP_PLAY, PLAYING, 1, run_claim,
	  "claims a draw by the rules, or the game when the other's time is over" },
	{ "chat", "chat [board] text", GROUP_PLAY, ANSWERING | CMD_TEXT, 0, run_chat,
	  "a message to the other player, kept with the game" },
	{ .word = NULL }
};
