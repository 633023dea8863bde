#include "pbm/commands/play/play.h"

#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/play/ahead_mail.h"
#include "pbm/commands/play/ahead_play.h"
#include "pbm/people/settings.h"
#include "pbm/record/match_ahead.h"
#include "pbm/record/match_text.h"
#include "store/store_documents.h"

#define TURN_FLAGS (NOTE_BOARD | NOTE_MOVES | NOTE_ASK)

/* A turn that was played, and what came of it. */
struct played_turn {
	const struct play *play;
	uint8_t seat;
	struct pos before;
	char said[100]; /* "12. exd4" */
	bool offered;
	bool lapsed;     /* the mover's own request to take back or to abort */
	const char *ifs; /* the result of the lines of moves ahead, or "" */
	struct ahead_play_story story;
};

static unsigned end_flag(const struct match *m)
{
	return m->doc.state == GAME_RUNNING ? 0 : NOTE_FINAL;
}

/* The draw was offered with the turn, and a turn that the other side had sent ahead declined it. */
static const char *lost_draw(struct request *q, const struct match *m, const struct played_turn *d)
{
	if (!d->offered || m->doc.state != GAME_RUNNING || m->draw_offered_by == d->seat)
		return "";
	return arena_printf(q->arena, "  That declines the draw which %s offered with it.",
	                    m->doc.players[d->seat]);
}

static const char *no_draw(struct request *q, const struct match *m, const struct played_turn *d)
{
	if (!d->play->draw)
		return "";
	if (d->offered)
		return lost_draw(q, m, d);
	if (m->draw_offered_by == d->seat)
		return "  Your offer of a draw is still open.";
	return arena_printf(
		q->arena,
		"  The draw was not offered: you may offer one once in %d turns, counting both sides.",
		MATCH_DRAW_PAUSE);
}

static const char *goes_on(const struct match *m)
{
	uint8_t seat = match_to_move(m);

	if (seat == SEAT_NONE || !m->doc.secret[seat].pending_at)
		return "";
	return "  More turns sent ahead follow in the next mail.";
}

/* The form of the mover's mail: a line if the other side is to move now, unless `noise` is
 * "every", and what it can't leave out; else the board. */
static unsigned mover_flags(struct request *q, const struct match *m, const struct played_turn *d)
{
	struct player_doc p;

	if (match_to_move(m) != !d->seat || match_is_solo(m) ||
	    (store_player_get(q->site->store, q->arena, m->doc.players[d->seat], &p, NULL) == 0 &&
	     settings_is(&p, "noise", "every")))
		return TURN_FLAGS | end_flag(m);
	return NOTE_PLAYED | (d->play->ifs ? NOTE_IFS : 0u) | (d->story.n ? NOTE_MOVES : 0u) |
	       (*no_draw(q, m, d) ? NOTE_OFFER : 0u);
}

static void tell_mover(struct request *q, struct match *m, const struct call *c,
                       const struct played_turn *d)
{
	struct note *n = board_note(q, c, d->seat, mover_flags(q, m, d));
	struct str s = STR_LOCAL(400);

	game_describe(&m->game, &d->before, &d->play->mv, true, &s);
	if ((n->flags & NOTE_PLAYED) && !*d->story.first)
		n->headline = arena_printf(q->arena, "Played: %s.  %s is to move.%s%s%s%s", d->said,
		                           m->doc.players[!d->seat], d->story.more, goes_on(m),
		                           no_draw(q, m, d), d->ifs);
	else if (*d->story.first)
		n->headline = arena_printf(q->arena,
		                           "You played %s; %s had answered already: %s.%s%s%s%s",
		                           d->said, m->doc.players[!d->seat], d->story.first,
		                           d->story.more, goes_on(m), no_draw(q, m, d), d->ifs);
	else
		n->headline = arena_printf(q->arena, "You played %s: %s.%s%s%s%s", d->said, s.data,
		                           d->story.more, goes_on(m), no_draw(q, m, d), d->ifs);
}

static void tell_other(struct request *q, struct match *m, struct call *c,
                       const struct played_turn *d)
{
	struct note *n = board_note(q, c, !d->seat, TURN_FLAGS | end_flag(m));
	const char *who = m->doc.players[d->seat];
	struct str s = STR_LOCAL(400);

	game_describe(&m->game, &d->before, &d->play->mv, false, &s);
	if (*d->story.first)
		n->headline = arena_printf(
			q->arena, "%s played %s; %s had answered already: %s.%s%s", who, d->said,
			m->doc.players[!d->seat], d->story.first, d->story.more,
			arena_printf(q->arena, "%s%s", goes_on(m), lost_draw(q, m, d)));
	else
		n->headline = arena_printf(q->arena, "%s played %s: %s.%s%s", who, d->said, s.data,
		                           d->story.more, goes_on(m));
	if (d->lapsed)
		n->headline = arena_printf(q->arena, "%s  That ends what %s had asked.",
		                           n->headline, who);
	board_pass_comment(q, c, n, d->play->words);
}

static int play_now(struct request *q, struct match *m, const struct play *p, struct err *e)
{
	struct played_turn *d = arena_alloc(q->arena, sizeof *d);
	struct str said = STR_FIXED(d->said);

	d->play = p;
	d->seat = match_to_move(m);
	d->before = *match_position(m);
	d->ifs = "";
	if (p->since) /* there the clock stopped; the other side's begins now */
		m->received = p->since;
	d->lapsed = m->undo_asked_by == d->seat || m->abort_asked_by == d->seat;
	match_play(m, &p->mv, q->now);
	match_write_ply(m, m->ply, &said);
	if (p->draw && m->doc.state == GAME_RUNNING && match_may_offer_draw(m, d->seat)) {
		match_offer_draw(m, d->seat, q->now);
		d->offered = true;
	}
	if (p->ifs)
		d->ifs = ahead_mail_enter(q, m, d->seat, p->ifs, NULL);
	ahead_play_go_on(q, m, 1, &d->story);
	struct call c = { .match = m, .board = m->doc.board, .seat = d->seat };
	tell_mover(q, m, &c, d);
	if (!match_is_solo(m))
		tell_other(q, m, &c, d);
	return request_save(q, m, e);
}

/* The position after the turn, on a board of its own. */
static const struct match *look_ahead(struct request *q, const struct match *m,
                                      const struct move *mv)
{
	struct match *copy = arena_alloc(q->arena, sizeof *copy);
	struct game_doc doc = m->doc;

	doc.event_cap = doc.event_count; /* the turn must not follow in the game itself */
	if (match_load(q->arena, &doc, copy, NULL) < 0)
		return m;
	match_play(copy, mv, q->now);
	return copy;
}

/* Keeps the turn with its text and the moves ahead that begin after it. */
static struct note *keep_turn(struct request *q, struct match *m, const struct play *p, int64_t at,
                              const char **ifs)
{
	uint8_t seat = match_to_move(m);
	const char *text = arena_printf(q->arena, "%s%s",
	                                match_turn(q->arena, m, match_position(m), &p->mv),
	                                p->draw ? " draw" : "");

	match_forget_ahead(m, seat);
	match_wait(m, seat, text, at, request_came(q), board_comment(q, p->words));
	*ifs = p->ifs ? ahead_mail_enter(q, m, seat, p->ifs, NULL) : "";
	struct call c = { .match = m, .board = m->doc.board, .seat = seat };
	struct note *n = board_note(q, &c, seat, NOTE_BOARD);
	n->view = look_ahead(q, m, &p->mv);
	n->view_ply = n->view->ply;
	return n;
}

static const char *ply_text(struct request *q, const struct match *m)
{
	char text[100] = "";
	struct str s = STR_FIXED(text);

	if (m->ply)
		match_write_ply(m, m->ply, &s);
	return arena_strdup(q->arena, text);
}

static int hold_turn(struct request *q, struct match *m, const struct play *p, long window,
                     struct err *e)
{
	const char *ifs, *other = m->doc.players[!match_to_move(m)];

	struct note *n = keep_turn(q, m, p, q->now + window, &ifs);
	n->subject = "your move is sent later";
	n->headline = arena_printf(
		q->arena,
		"You played %s.  %s gets it on %s.  Until then the word undo takes it back, and nobody sees it.%s",
		ply_text(q, n->view), other,
		request_date(q, m->doc.players[match_to_move(m)], q->now + window), ifs);
	return request_save(q, m, e);
}

int play_submit(struct request *q, struct match *m, const struct play *p, struct err *e)
{
	const char *ifs;
	struct note *n = keep_turn(q, m, p, 0, &ifs);

	n->subject = "your move waits for confirm";
	n->headline = arena_printf(
		q->arena,
		"%s is not played yet.  To play it, write: confirm %lld.  Any other move takes its place, and undo drops it.%s",
		ply_text(q, n->view), (long long)m->doc.board, ifs);
	return request_save(q, m, e);
}

/* Seconds for which the player to move keeps his own turns back, at most to the end of his time,
 * when he can't take them back any more; 0: not at all.  A player without time left can't: he
 * could put off the end of the game turn by turn. */
static long window_of(struct request *q, const struct match *m)
{
	struct player_doc p;
	int64_t deadline = match_deadline(m);

	if (match_is_solo(m) || deadline <= request_came(q) || deadline <= q->now ||
	    store_player_get(q->site->store, q->arena, m->doc.players[match_to_move(m)], &p, NULL) <
	            0)
		return 0;
	long window = settings_number(&p, "retract");
	return window < deadline - q->now ? window : (long)(deadline - q->now);
}

bool play_is_held(const struct match *m, uint8_t seat)
{
	const struct game_secret *s = &m->doc.secret[seat];

	return match_to_move(m) == seat && s->pending && s->pending_at && s->pending_since;
}

/* A held turn is changed only while its player has time: he would have a day more for each turn.
 * true: it is too late, and he is told. */
static bool is_too_late(struct request *q, const struct match *m, uint8_t seat)
{
	if (!play_is_held(m, seat) || request_came(q) < match_deadline(m))
		return false;
	return request_refused(q, m->doc.board, "Your time for this turn is over, so %s stands.",
	                       m->doc.secret[seat].pending);
}

int play_turn(struct request *q, struct match *m, const struct play *p, struct err *e)
{
	if (is_too_late(q, m, match_to_move(m)))
		return 0;
	long window = window_of(q, m);

	return window ? hold_turn(q, m, p, window, e) : play_now(q, m, p, e);
}

/* Plays more of both sides' moves ahead, with a mail of its own.  Their turns take no time. */
static int play_rest(struct request *q, struct match *m, struct err *e)
{
	uint8_t seat = match_to_move(m);
	const char *text = m->doc.secret[seat].pending;
	struct ahead_play_story story = { 0 };

	m->received = m->turn_started;
	m->doc.secret[seat].pending_at = 0;
	if (ahead_play_answer(q, m, text, &story))
		ahead_play_go_on(q, m, 1, &story);
	const char *told = arena_printf(q->arena, "The moves sent ahead went on: %s.%s%s",
	                                *story.first ? story.first : "nothing more could be played",
	                                story.more, goes_on(m));
	const uint8_t sides = match_is_solo(m) ? 1 : 2;
	for (uint8_t side = 0; side < sides; side++) {
		struct call c = { .match = m, .board = m->doc.board, .seat = side };

		board_note(q, &c, side, TURN_FLAGS | end_flag(m))->headline = told;
	}
	return request_save(q, m, e);
}

int play_waiting(struct request *q, struct match *m, struct err *e)
{
	uint8_t seat = match_to_move(m);
	struct game_secret s = m->doc.secret[seat];
	struct ahead_tree_node n = { .then = THEN_TURN };
	struct play p = { .words = s.comment, .since = s.pending_since };
	struct ahead_tree rest;

	if (!s.pending_since)
		return play_rest(q, m, e);
	if (ahead_tree_read_answer(q->arena, s.pending, &n, NULL) < 0 ||
	    game_read_move(&m->game, match_position(m), n.mine, strlen(n.mine), &p.mv, NULL, NULL) <
	            0) {
		match_drop_ahead(m, seat, LOST_ILLEGAL, s.pending);
		match_refresh(m);
		return request_save(q, m, e);
	}
	p.draw = n.draw;
	match_ahead(m, seat, m->stamp + 1, &rest);
	if (rest.first) {
		struct str text = str_in(q->arena, GAME_AHEAD_MAX + 1);

		ahead_tree_write(&rest, &text);
		p.ifs = text.data;
	}
	return play_now(q, m, &p, e);
}

bool play_withdraw(struct request *q, struct match *m, uint8_t seat)
{
	if (match_to_move(m) != seat || !m->doc.secret[seat].pending_since)
		return false;
	if (is_too_late(q, m, seat))
		return true;
	struct call c = { .match = m, .board = m->doc.board, .seat = seat };
	struct note *n = board_note(q, &c, seat, TURN_FLAGS);
	n->headline = arena_printf(q->arena, "Your move %s is taken back.  %s has not seen it.",
	                           m->doc.secret[seat].pending, m->doc.players[!seat]);
	match_forget_ahead(m, seat);
	match_refresh(m);
	return true;
}
