#include "pbm/commands/lobby/rematch.h"

#include <strings.h>

#include "pbm/commands/lobby/offer.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/record/match.h"
#include "pbm/request/request_games.h"

#define OFFERS_LOOKED_AT 500

bool rematch_is_offer(struct request *q, const struct match *m)
{
	const struct match *old = m->doc.state == GAME_OFFERED
	                                  ? request_match(q, m->doc.answers, NULL)
	                                  : NULL;

	/* Otherwise it answers a seek, which only its owner has offered. */
	return old && match_seat_of(old, m->doc.players[WHITE]) != SEAT_NONE &&
	       match_seat_of(old, m->doc.players[BLACK]) != SEAT_NONE;
}

int rematch_find(struct request *q, const struct call *c, struct match **out, struct err *e)
{
	const char *other = c->match->doc.players[!c->seat];
	struct game_list offers;
	int rc = request_games(q, c->actor->userid, NULL, GAMES_OFFERS, OFFERS_LOOKED_AT, &offers,
	                       e);

	*out = NULL;
	for (size_t i = 0; rc == 0 && i < offers.n; i++) {
		if (!game_row_has(&offers.v[i], other))
			continue;
		struct match *m = request_match(q, offers.v[i].board, NULL);
		if (m && m->doc.state == GAME_OFFERED && m->doc.answers == c->board) {
			*out = m;
			return 1;
		}
	}
	return rc;
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
