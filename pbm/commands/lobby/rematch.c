#include "pbm/commands/lobby/rematch.h"

#include <strings.h>

#include "pbm/commands/lobby/offer.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/record/match.h"
#include "store/store_questions.h"

#define OFFERS_LOOKED_AT 500

bool rematch_is_offer(struct request *q, const struct match *m)
{
	const struct match *old = m->doc.state == GAME_OFFERED && m->doc.answers
	                                  ? request_match(q, m->doc.answers, NULL)
	                                  : NULL;

	/* Otherwise it answers a seek, which only its owner has offered. */
	return old && match_seat_of(old, m->doc.players[WHITE]) != SEAT_NONE &&
	       match_seat_of(old, m->doc.players[BLACK]) != SEAT_NONE;
}

struct rematch_search {
	struct request *q;
	int64_t of; /* the game that has ended */
	const char *other;
	struct match *found;
};

static int compare_offer(const struct game_row *row, void *arg)
{
	struct rematch_search *s = arg;

	if (strcasecmp(row->players[0], s->other) != 0 &&
	    strcasecmp(row->players[1], s->other) != 0)
		return 0;
	struct match *m = request_match(s->q, row->board, NULL);
	if (m && m->doc.state == GAME_OFFERED && m->doc.answers == s->of)
		s->found = m;
	return s->found != NULL;
}

int rematch_find(struct request *q, const struct call *c, struct match **out, struct err *e)
{
	struct rematch_search s = { .q = q,
		                    .of = c->board,
		                    .other = c->match->doc.players[!c->seat] };
	int rc = store_games(q->site->store, c->actor->userid, NULL, GAMES_OFFERS, OFFERS_LOOKED_AT,
	                     0, compare_offer, &s, e);

	*out = s.found;
	return rc < 0 ? rc : s.found != NULL;
}

void rematch_refuse(struct request *q, const struct call *c, const struct match *m)
{
	uint8_t by = offer_seat(m);
	long long n = m->doc.board;

	if (strcasecmp(m->doc.players[by], c->actor->userid) == 0)
		request_refuse(
			q, 0,
			"You have offered %s a rematch already: offer %lld waits for an answer.  To take it back, write: withdraw %lld",
			m->doc.players[!by], n, n);
	else
		request_refuse(
			q, 0,
			"%s has offered you a rematch already: %s.  To take it, write: accept %lld",
			m->doc.players[by], terms_text(q, &m->doc), n);
}
