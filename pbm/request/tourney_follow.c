#include "pbm/request/tourney_follow.h"

#include "pbm/tourney/tourney_state.h"
#include "store/store_documents.h"

/* May something follow from the games that are over?  The games of a knockout match come one
 * after another, and those of a round robin perhaps, too. */
static bool is_due(const struct tourney_doc *t)
{
	return t->state == TOURNEY_RUNNING &&
	       (t->kind == TOURNEY_KNOCKOUT || t->at_once || tourney_open_games(t) == 0);
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
	if (!g || !tourney_take_result(g, &m->doc))
		return 0;
	if (is_due(&t))
		t.due = q->now;
	return store_tourney_put(q->site->store, &t, e);
}
