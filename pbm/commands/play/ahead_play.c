#include "pbm/commands/play/ahead_play.h"

#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/people/settings.h"
#include "pbm/record/match_ahead.h"
#include "pbm/record/match_text.h"
#include "store/store_documents.h"

enum by { BY_NOBODY, BY_FORCE, BY_TREE };

/* first: how an answer reads after "had answered already: ". */
static void tell(struct ahead_play_story *s, enum by by, const char *first, const char *text)
{
	static const char *const openings[] = {
		[BY_FORCE] = "  Forced, so the server played it: ",
		[BY_TREE] = "  From the moves sent ahead: ",
	};
	struct str out = { .data = s->more,
		           .len = strlen(s->more),
		           .cap = sizeof s->more,
		           .max = sizeof s->more,
		           .fixed = true };

	if (s->n++ == 0 && by == BY_TREE) {
		struct str f = STR_FIXED(s->first);

		str_add(&f, first);
		return;
	}
	if (s->by != (int)by) {
		str_add(&out, s->by ? "." : "");
		str_add(&out, openings[by]);
	} else {
		str_add(&out, ", ");
	}
	str_add(&out, text);
	s->by = (int)by;
}

static void close_story(struct ahead_play_story *s)
{
	size_t n = strlen(s->more);

	if (s->by && n + 1 < sizeof s->more)
		memcpy(s->more + n, ".", 2);
	s->by = BY_NOBODY;
}

/* The server always plays a pass, and an only move if its player wants that. */
static bool plays_itself(struct request *q, const struct match *m, const struct move *mv)
{
	struct player_doc p;

	if (game_is_pass(mv))
		return true;
	if (store_player_get(q->site->store, q->arena, m->doc.players[match_to_move(m)], &p, NULL) <
	    0)
		return false;
	return settings_is(&p, "automove", "on");
}

static void play(struct request *q, struct match *m, const struct move *mv, enum by by,
                 struct ahead_play_story *s)
{
	struct str out = STR_LOCAL(100);

	match_play_automatic(m, mv, q->now);
	match_write_ply(m, m->ply, &out);
	const char *plain = arena_strdup(q->arena, out.data);
	str_add(&out, by == BY_FORCE ? " (auto)" : "");
	tell(s, by, plain, out.data);
}

/* The last event was no person's mail. */
static void mark_automatic(struct match *m)
{
	m->doc.events[m->doc.event_count - 1].automatic = true;
}

static bool answer_turn(struct request *q, struct match *m, const struct ahead_tree_node *n,
                        struct ahead_play_story *s)
{
	uint8_t seat = match_to_move(m);
	struct move mv;

	if (game_read_move(&m->game, match_position(m), n->mine, strlen(n->mine), &mv, NULL, NULL) <
	    0) {
		match_drop_ahead(m, seat, LOST_ILLEGAL, n->mine);
		return false;
	}
	play(q, m, &mv, BY_TREE, s);
	if (!n->draw || m->doc.state != GAME_RUNNING)
		return true;
	if (match_may_offer_draw(m, seat)) {
		match_offer_draw(m, seat, q->now);
		mark_automatic(m);
	} else {
		m->doc.secret[seat].seat = seat;
		m->doc.secret[seat].lost = LOST_NO_DRAW;
	}
	return true;
}

static bool answer_resign(struct request *q, struct match *m, struct ahead_play_story *s)
{
	uint8_t seat = match_to_move(m);
	const char *who = m->doc.players[seat];

	match_forget_ahead(m, seat);
	if (match_is_young(m)) {
		match_end(m, "*", arena_printf(q->arena, "aborted by %s", who), seat, q->now);
		mark_automatic(m);
		tell(s, BY_TREE, "abort", arena_printf(q->arena, "%s aborted the game", who));
		return true;
	}
	match_end(m, seat == SEAT_WHITE ? "0-1" : "1-0", arena_printf(q->arena, "%s resigned", who),
	          seat, q->now);
	mark_automatic(m);
	tell(s, BY_TREE, "resign", arena_printf(q->arena, "%s resigned", who));
	return true;
}

static bool answer_draw(struct request *q, struct match *m, struct ahead_play_story *s)
{
	uint8_t seat = match_to_move(m);

	if (!match_may_offer_draw(m, seat)) {
		match_drop_ahead(m, seat, LOST_NO_DRAW, NULL);
		return false;
	}
	match_forget_ahead(m, seat);
	match_offer_draw(m, seat, q->now);
	mark_automatic(m);
	tell(s, BY_TREE, "draw", arena_printf(q->arena, "%s offered a draw", m->doc.players[seat]));
	return true;
}

static bool answer_accept(struct request *q, struct match *m, struct ahead_play_story *s)
{
	uint8_t seat = match_to_move(m);

	if (m->draw_offered_by != !seat) {
		match_drop_ahead(m, seat, LOST_NO_OFFER, NULL);
		return false;
	}
	match_forget_ahead(m, seat);
	match_end(m, "1/2-1/2", "agreed by both", seat, q->now);
	mark_automatic(m);
	tell(s, BY_TREE, "accept draw",
	     arena_printf(q->arena, "%s accepted the draw", m->doc.players[seat]));
	return true;
}

static bool answer(struct request *q, struct match *m, const struct ahead_tree_node *n,
                   struct ahead_play_story *s)
{
	switch (n->then) {
	case THEN_TURN: return answer_turn(q, m, n, s);
	case THEN_RESIGN: return answer_resign(q, m, s);
	case THEN_DRAW: return answer_draw(q, m, s);
	case THEN_ACCEPT: return answer_accept(q, m, s);
	}
	return false;
}

/* The next turn of the seat to move that needs no mail. */
struct step {
	bool from_tree, forced;
	struct ahead_tree_node node; /* from_tree */
	struct move mv;              /* forced */
};

/* Finds an answer of the tree to the last turn, or else a forced turn. */
static bool find_step(struct request *q, struct match *m, struct step *out)
{
	uint8_t seat = match_to_move(m);
	struct ahead_tree t;

	*out = (struct step){ .from_tree = false };
	if (seat == SEAT_NONE || m->draw_offered_by == seat)
		return false;
	match_ahead(m, seat, m->stamp - 1, &t);
	const struct match_ply *last = m->ply ? &m->moves[m->ply - 1] : NULL;
	const struct ahead_tree_node *n = last && t.first
	                                          ? ahead_tree_find(&t, &m->game,
	                                                            &m->positions[m->ply - 1],
	                                                            &last->move)
	                                          : NULL;
	if (n) {
		out->from_tree = true;
		out->node = *n;
		return true;
	}
	if (m->doc.secret[seat].ahead) {
		char text[100] = "";
		struct str s = STR_FIXED(text);

		if (m->ply)
			match_write_ply(m, m->ply, &s);
		match_drop_ahead(m, seat, LOST_UNFIT, text);
	}
	out->forced = match_forced(m, &out->mv) && plays_itself(q, m, &out->mv);
	return out->forced;
}

/* Leaves the step to the next run, because this transaction has as many plies as it may.  Due
 * one second later, so that the next run plays it and not this one. */
static void leave(struct request *q, struct match *m, const struct step *step)
{
	uint8_t seat = match_to_move(m);
	struct ahead_tree rest = { .arena = q->arena, .first = step->node.first };
	struct str s = STR_LOCAL(120);

	if (step->from_tree)
		ahead_tree_write_answer(&step->node, &s);
	else
		game_write_san(&m->game, match_position(m), &step->mv, &s);
	match_set_ahead(m, seat, m->stamp + 1, &rest);
	match_wait(m, seat, s.data, q->now + 1, 0, NULL);
}

void ahead_play_go_on(struct request *q, struct match *m, size_t plies, struct ahead_play_story *s)
{
	struct step step;

	while (m->doc.state == GAME_RUNNING && find_step(q, m, &step)) {
		uint8_t seat = match_to_move(m);
		struct ahead_tree rest = { .arena = q->arena, .first = step.node.first };

		if (plies++ >= AHEAD_PLAY_PLIES) {
			leave(q, m, &step);
			break;
		}
		if (step.forced)
			play(q, m, &step.mv, BY_FORCE, s);
		else if (!answer(q, m, &step.node, s))
			continue; /* its tree is dropped: perhaps the turn is forced */
		else if (m->doc.state == GAME_RUNNING && match_to_move(m) != seat)
			match_set_ahead(m, seat, m->stamp, &rest);
	}
	close_story(s);
	match_refresh(m);
}

bool ahead_play_answer(struct request *q, struct match *m, const char *text,
                       struct ahead_play_story *s)
{
	uint8_t seat = match_to_move(m);
	struct game_secret kept = m->doc.secret[seat];
	struct ahead_tree_node n = { .then = THEN_TURN };

	if (ahead_tree_read_answer(q->arena, text, &n, NULL) < 0 || !answer(q, m, &n, s)) {
		match_drop_ahead(m, seat, LOST_ILLEGAL, text);
		return false;
	}
	if (m->doc.state == GAME_RUNNING && kept.ahead && kept.ahead_at == m->stamp) {
		m->doc.secret[seat].ahead = kept.ahead;
		m->doc.secret[seat].ahead_at = kept.ahead_at;
	}
	return true;
}
