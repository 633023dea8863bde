#include "pbm/people/consent.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/people/computer.h"
#include "pbm/people/formula_names.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/settings.h"
#include "pbm/request/request_player.h"
#include "pbm/text/word_list.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define LOOKED_AT 500 /* offers and games of one player */

bool consent_has(const struct player_doc *p, const char *list, const char *word)
{
	return word_list_has(player_setting(p, list), word);
}

long consent_limit(const struct player_doc *p, const char *game)
{
	const char *value = word_list_value(player_setting(p, CONSENT_LIMITS), game);

	return value ? strtol(value, NULL, 10) : -1;
}

struct count {
	struct request *q;
	const char *userid, *game;
	struct consent_load *out;
};

/* An offer's row does not say who made it. */
static bool is_own_offer(const struct count *c, int64_t board)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;

	return store_game_get(c->q->site->store, &a, board, &d, NULL) == 0 &&
	       strcasecmp(d.players[game_offer_seat(&d)], c->userid) == 0;
}

static int count_offer(const struct game_row *row, void *arg)
{
	struct count *c = arg;
	bool seek = game_has_anyone(row->players);

	if (!seek && !is_own_offer(c, row->board))
		return 0;
	c->out->seeks += seek;
	c->out->offers += !seek;
	c->out->of_game += c->game && strcmp(row->game, c->game) == 0;
	return 0;
}

int consent_count(struct request *q, const char *userid, const char *game, struct consent_load *out,
                  struct err *e)
{
	struct count c = { q, userid, game, out };

	*out = (struct consent_load){ 0 };
	int rc = store_games(q->site->store, userid, NULL, GAMES_OFFERS, LOOKED_AT, 0, count_offer,
	                     &c, e);
	if (rc == 0 && game)
		rc = store_games(q->site->store, userid, game, GAMES_OPEN, LOOKED_AT, 0,
		                 store_count_row, &out->of_game, e);
	return rc;
}

int consent_is_full(struct request *q, const struct player_doc *p, const char *game, size_t spare,
                    struct err *e)
{
	struct consent_load load = { 0 };
	long limit = consent_limit(p, game);

	if (limit < 0)
		return 0;
	int rc = consent_count(q, p->userid, game, &load, e);
	return rc < 0 ? rc : load.of_game >= (size_t)limit + spare;
}

const char *consent_blocked(struct request *q, const struct player_doc *from,
                            const struct player_doc *to)
{
	if (consent_has_person(q, to, CONSENT_CENSOR, from))
		return arena_printf(q->arena, "%s does not take messages from you.", to->userid);
	if (consent_has_person(q, to, CONSENT_NOPLAY, from))
		return arena_printf(q->arena, "%s does not take offers from you.", to->userid);
	if (consent_has(from, CONSENT_CENSOR, to->userid))
		return arena_printf(
			q->arena,
			"You take no messages from %s.  To play again, write: censor off %s",
			to->userid, to->userid);
	if (consent_has(from, CONSENT_NOPLAY, to->userid))
		return arena_printf(
			q->arena,
			"You and %s make each other no offers.  To play again, write: noplay off %s",
			to->userid, to->userid);
	return NULL;
}

int consent_formula(struct request *q, const struct game_doc *d, const struct player_doc *from,
                    const struct player_doc *to, const char **failed, struct err *e)
{
	const char *formula = settings_get(to, "formula");

	return *formula ? formula_passes(q, formula, d, from, to->userid, failed, e) : 1;
}

/* The formula of a seek, and the player's own. */
static int asks_formulas(struct request *q, const struct game_doc *d, const struct player_doc *from,
                         const struct player_doc *to, const char **failed, struct err *e)
{
	int rc = d->formula ? formula_passes(q, d->formula, d, from, to->userid, failed, e) : 1;

	return rc == 1 ? consent_formula(q, d, from, to, failed, e) : rc;
}

int consent_asks(struct request *q, const struct game_doc *d, enum consent_kind kind,
                 const struct player_doc *from, const struct player_doc *to, const char **why,
                 const char **failed, struct err *e)
{
	const char *title = rules_title(d->game);

	*failed = NULL;
	if (kind == CONSENT_OFFER && settings_is(to, "open", "no")) {
		*why = arena_printf(q->arena, "%s takes no offers at present.", to->userid);
		return 0;
	}
	if (kind == CONSENT_OFFER && consent_has(to, CONSENT_REJECTS, d->game)) {
		*why = arena_printf(q->arena, "%s takes no offers of %s.", to->userid, title);
		return 0;
	}
	if (computer_is(to)) {
		int may = computer_asks(q, d, from, to, why, e);

		if (may != 1)
			return may;
	}
	/* An answer to one of the player's own offers is counted already. */
	int rc = consent_is_full(q, to, d->game, kind == CONSENT_ANSWER, e);
	if (rc != 0) {
		*why = arena_printf(q->arena, "%s has as many games of %s as %s wants at a time.",
		                    to->userid, title, to->userid);
		return rc < 0 ? rc : 0;
	}
	rc = asks_formulas(q, d, from, to, failed, e);
	if (rc == 0)
		*why = arena_printf(
			q->arena,
			"%s's formula does not let this offer through.  This part fails: %s",
			to->userid, *failed);
	return rc;
}

bool consent_is_given(struct request *q, const struct game_doc *d, const struct player_doc *from,
                      const struct player_doc *to)
{
	bool young = from->created + (int64_t)CONSENT_YOUNG_DAYS * CLOCK_DAY > q->now;

	return computer_is(to) ||
	       (consent_has(to, CONSENT_ACCEPTS, d->game) && !(d->rated && young));
}

static bool is_same_mailbox(const char *a, const char *b)
{
	char one[MAIL_LIMITS_ADDRESS_SIZE], other[MAIL_LIMITS_ADDRESS_SIZE];

	mail_limits_mailbox(a, one);
	mail_limits_mailbox(b, other);
	return strcmp(one, other) == 0;
}

bool consent_shares_mailbox(const struct player_doc *a, const struct player_doc *b)
{
	for (size_t i = 0; i < a->address_count; i++)
		for (size_t k = 0; k < b->address_count; k++)
			if (a->addresses[i].confirmed && b->addresses[k].confirmed &&
			    is_same_mailbox(a->addresses[i].address, b->addresses[k].address))
				return true;
	return false;
}

bool consent_is_person(struct request *q, const struct player_doc *p, const char *userid)
{
	struct player_doc other;

	return userid && (strcasecmp(userid, p->userid) == 0 ||
	                  (store_player_get(q->site->store, q->arena, userid, &other, NULL) == 0 &&
	                   consent_shares_mailbox(p, &other)));
}

bool consent_has_person(struct request *q, const struct player_doc *p, const char *list,
                        const struct player_doc *other)
{
	const char *rest = player_setting(p, list), *word;
	bool found = consent_has(p, list, other->userid);
	size_t n;

	while (!found && (word = word_list_next(&rest, &n)))
		found = consent_is_person(q, other, arena_strndup(q->arena, word, n));
	return found;
}
