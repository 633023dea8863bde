#include "pbm/request/tourney_follow.h"

#include "games/variants/registry.h"
#include "pbm/tourney/tourney_ladder.h"
#include "pbm/tourney/tourney_state.h"
#include "store/store_documents.h"

#define DAY INT64_C(86400)

/* May something follow from the games that are over?  The games of a knockout match come one
 * after another, and those of a round robin perhaps, too. */
static bool is_due(const struct tourney_doc *t)
{
	return t->state == TOURNEY_RUNNING && t->kind != TOURNEY_LADDER &&
	       (t->kind == TOURNEY_KNOCKOUT || t->at_once || tourney_open_games(t) == 0);
}

/* A result on a ladder: who has won his challenge takes the place above him. */
static void climb(struct request *q, const struct match *m, struct tourney_doc *t,
                  const struct tourney_game *g)
{
	const char *winner = m->doc.players[BLACK], *loser = m->doc.players[WHITE];
	const char *game = rules_title(t->terms.game);

	if (!g->over || g->points[1] != 2 || g->black < g->white)
		return;
	tourney_ladder_win(q->arena, t, g);
	struct note *n = request_note(q, winner, 0, 0);
	n->subject = arena_printf(q->arena, "the ladder of %s", game);
	n->headline = arena_printf(
		q->arena, "You have won your challenge and are number %d on the ladder of %s now.",
		tourney_find(t, winner), game);
	n = request_note(q, loser, 0, 0);
	n->subject = arena_printf(q->arena, "the ladder of %s", game);
	n->headline = arena_printf(
		q->arena,
		"%s has won this challenge and takes your place: you are number %d on the ladder of %s now.",
		winner, tourney_find(t, loser), game);
}

static bool has_open_games(const struct tourney_doc *t)
{
	for (size_t i = 0; i < t->game_count; i++)
		if (!t->games[i].over)
			return true;
	return false;
}

/* A tournament that was played to its end goes on when a moderator opens a game of its last
 * round again, or leaves a match of it level; it ends anew behind that game.  Else all are told
 * of the other table, once no game is open that its director left open. */
static void follow_end(struct request *q, struct tourney_doc *t, const struct tourney_game *g,
                       bool was_over)
{
	bool opened = was_over && !g->over;

	if (was_over && !t->reason &&
	    (opened || (t->kind == TOURNEY_KNOCKOUT && tourney_is_undecided(q->arena, t)))) {
		t->state = TOURNEY_RUNNING;
		t->ended = 0;
		t->due = q->now + (g->over ? 0 : t->round_days * DAY);
	} else if (!has_open_games(t)) {
		t->due = q->now;
	}
}

int tourney_follow(struct request *q, const struct match *m, struct err *e)
{
	struct tourney_doc t;
	struct err why = { 0 };

	if (!m->doc.tournament)
		return 0;
	int rc = store_tourney_get(q->site->store, q->arena, m->doc.tournament, &t, &why);
	/* Without its document the tournament has ended; its games go on. */
	if (rc == ERR_NOT_FOUND || rc == ERR_DAMAGED)
		return 0;
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	struct tourney_game *g = tourney_game_of(&t, m->doc.board);
	bool was_over = g && g->over;
	if (!g || !tourney_take_result(g, &m->doc))
		return 0;
	if (t.kind == TOURNEY_LADDER && !was_over)
		climb(q, m, &t, g);
	if (t.state == TOURNEY_FINISHED)
		follow_end(q, &t, g, was_over);
	else if (is_due(&t))
		t.due = q->now;
	return store_tourney_put(q->site->store, &t, e);
}
