#include "pbm/commands/lobby/seek.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/lobby/offer.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/computer.h"
#include "pbm/people/consent.h"
#include "pbm/people/formula_names.h"
#include "pbm/people/mail_limits.h"
#include "pbm/rating/rating.h"
#include "pbm/record/match.h"
#include "pbm/request/request_games.h"
#include "pbm/text/words.h"
#include "store/store_documents.h"

#define SEEKS_LOOKED_AT 200

static int check_range(struct request *q, const struct game_doc *d, const struct player_doc *player,
                       const char **why, struct err *e)
{
	struct rating r;
	int rc = rating_get(q->site->store, player->userid, d->game, q->now, &r, e);
	long rating = lround(r.now.rating);

	if (rc < 0)
		return rc;
	if (rating >= d->rating_min && (!d->rating_max || rating <= d->rating_max))
		return 1;
	*why = arena_printf(q->arena, "This seek is for ratings from %d to %d, and yours is %ld.",
	                    d->rating_min, d->rating_max, rating);
	return 0;
}

static int check_own_formula(struct request *q, const struct game_doc *d,
                             const struct player_doc *owner, const struct player_doc *player,
                             const char **why, struct err *e)
{
	const char *failed;
	int rc = consent_formula(q, d, owner, player, &failed, e);

	if (rc == 0)
		*why = arena_printf(
			q->arena,
			"Your own formula does not let this seek through.  This part fails: %s",
			failed);
	return rc;
}

int seek_lets_in(struct request *q, const struct game_doc *d, const struct player_doc *owner,
                 const struct player_doc *player, const char **why, struct err *e)
{
	const char *failed;
	int rc = 1;

	*why = consent_blocked(q, player, owner);
	if (*why)
		return 0;
	if (d->rating_min || d->rating_max)
		rc = check_range(q, d, player, why, e);
	if (rc == 1)
		rc = consent_asks(q, d, CONSENT_ANSWER, player, owner, why, &failed, e);
	if (rc == 1)
		rc = check_own_formula(q, d, owner, player, why, e);
	return rc;
}

/* Makes an offer as the answer to a manual seek. */
static int offer_game(struct request *q, const struct call *c, struct match *m,
                      const struct player_doc *owner, struct err *e)
{
	struct offer o = { .u = { c->actor->userid, owner->userid },
		           .other = owner,
		           .answers = m->doc.board,
		           .asked = true };

	terms_take(q, m, &o.terms);
	o.terms.doc.colors = m->doc.colors;
	o.terms.swap = offer_seat(m) == SEAT_WHITE;
	if (terms_finish(q, &o.terms) != 0)
		return 0;
	int rc = offer_make(q, c, &o, e);
	return rc < 0 ? rc : 0;
}

static int start_game(struct request *q, const struct call *c, struct match *m,
                      const struct player_doc *owner, struct err *e)
{
	struct terms t = { .doc = { .colors = m->doc.colors },
		           .swap = offer_seat(m) == SEAT_BLACK };
	const char *const u[2] = { owner->userid, c->actor->userid };
	const char *colors;
	int rc = offer_is_within_limit(q, c, m->game.rules, e);

	if (rc == 1 && (rc = mail_limits_may_offer(q, c->actor, owner->userid, e)) == 0)
		request_refuse(q, 0,
		               "You have begun too many games with %s today.  Try again tomorrow.",
		               owner->userid);
	if (rc == 1)
		rc = offer_colors(q, &t, u, &colors, e) < 0 ? (int)e->code : 1;
	if (rc != 1)
		return rc;
	m->doc.players[0] = t.doc.players[0];
	m->doc.players[1] = t.doc.players[1];
	for (size_t i = 0; i < m->doc.event_count; i++) /* the seek, and the text below it */
		m->doc.events[i].seat = t.swap ? SEAT_BLACK : SEAT_WHITE;
	m->doc.formula = NULL;
	m->doc.rating_min = m->doc.rating_max = 0;
	const char *const how[] = {
		arena_printf(q->arena, "You take %s's seek, and the game begins.", owner->userid),
		arena_printf(q->arena, "%s takes your seek, and the game begins.", c->actor->userid)
	};
	return offer_start(q, c, m, how, colors, NOTE_START, e);
}

int seek_take(struct request *q, const struct call *c, struct match *m, struct err *e)
{
	struct player_doc owner;
	const char *why;

	if (!suspension_actor_may_play(q, c))
		return 0;
	int rc = offer_find_player(q, m->doc.players[offer_seat(m)], &owner, e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (strcasecmp(owner.userid, c->actor->userid) == 0)
		return !request_refused(
			q, 0, "Seek %lld is your own.  To take it back, write: unseek %lld",
			(long long)m->doc.board, (long long)m->doc.board);
	if (m->doc.rated && consent_shares_mailbox(c->actor, &owner))
		return !request_refused(
			q, 0,
			"You and %s get your mail at the same address.  Games between such "
			"accounts are not rated, and this seek is.",
			owner.userid);
	rc = seek_lets_in(q, &m->doc, &owner, c->actor, &why, e);
	if (rc == 0)
		request_refuse(q, 0, "%s", why);
	if (rc != 1)
		return rc;
	return m->doc.manual ? offer_game(q, c, m, &owner, e) : start_game(q, c, m, &owner, e);
}

static void write_row(struct request *q, struct seek_table *t, const struct game_doc *d,
                      const char *owner)
{
	const struct rules *r = rules_find(d->game, strlen(d->game), NULL);
	struct rating rating;
	char number[40] = "", by[80], takes[60] = "";
	struct str s = STR_FIXED(number);

	if (rating_get(q->site->store, owner, d->game, q->now, &rating, NULL) >= 0)
		rating_write(rating.now.rating, rating.now.deviation, &s);
	snprintf(by, sizeof by, "%.20s %s", owner, number);
	if (d->rating_max)
		snprintf(takes, sizeof takes, "  %d-%d", d->rating_min, d->rating_max);
	if (t->n++ == 0)
		str_add(t->out, "  seek  by; game and terms\n");
	str_addf(t->out, "%6lld  %s\n        %s%s%s\n", (long long)d->board, by,
	         r ? terms_text(q, d) : d->game, takes, d->manual ? "  (manual)" : "");
}

/* The table for the seek; SEEK_TABLES: none. */
static int choose(struct request *q, struct arena *a, const struct player_doc *reader,
                  const struct game_doc *d, const char *by, struct err *e)
{
	struct player_doc owner;
	const char *why;

	if (reader && strcasecmp(by, reader->userid) == 0)
		return SEEKS_OWN;
	/* Nobody can take the seek of a player who gets no mail.  Players who don't want to play each
	 * other don't see each other's seeks. */
	if (store_player_get(q->site->store, a, by, &owner, NULL) < 0 || owner.signed_off ||
	    !computer_or_reachable(&owner) || (reader && consent_blocked(q, reader, &owner)))
		return SEEK_TABLES;
	if (!reader)
		return SEEKS_OTHER;
	int rc = seek_lets_in(q, d, &owner, reader, &why, e);
	return rc < 0 ? rc : rc == 1 ? SEEKS_OPEN : SEEKS_OTHER;
}

static bool has_room(const struct seek_table *t, size_t limit)
{
	return t->out && t->n < limit;
}

int seek_write(struct request *q, const struct player_doc *reader, const char *game, size_t limit,
               struct seek_table tables[SEEK_TABLES], struct err *e)
{
	struct game_list seeks;
	int rc = request_games(q, GAME_ANYONE, game, GAMES_OFFERS, SEEKS_LOOKED_AT, &seeks, e);

	for (size_t i = 0; rc == 0 && i < seeks.n; i++) {
		AUTO(arena_release) struct arena a = { 0 };
		struct game_doc d;
		bool room = false;

		for (int k = 0; k < SEEK_TABLES; k++)
			room |= has_room(&tables[k], limit);
		if (room && store_game_get(q->site->store, &a, seeks.v[i].board, &d, NULL) == 0) {
			const char *by = d.players[game_offer_seat(&d)];
			q->work++;
			int which = choose(q, &a, reader, &d, by, e);
			if (which >= 0 && which < SEEK_TABLES && has_room(&tables[which], limit))
				write_row(q, &tables[which], &d, by);
			rc = which < 0 ? which : 0;
		}
	}
	return rc;
}

void seek_add_ways(struct request *q, const struct rules *r, struct str *out)
{
	const char *game = r ? r->name : example_game(q), *computer;

	if (out->len && r)
		str_addf(out, "\nTo seek one yourself, write: seek %s\n", game);
	else if (!out->len && (computer = computer_suggest(q->site->store, q->arena, game)))
		str_addf(out, "To play at once, against a computer, write: match %s %s\n", computer,
		         game);
}

const char *seek_formula(struct request *q, const struct call *c, size_t i)
{
	struct words w;
	char *text, *to;

	words_split(q->arena, c->rest, &w);
	if (i >= w.n)
		return NULL;
	to = text = arena_strdup(q->arena, w.v[i].start);
	for (const char *p = text; *p; p++)
		if (*p != '"')
			*to++ = *p;
	*to = '\0';
	while (to > text && isspace((unsigned char)to[-1]))
		*--to = '\0';
	return *text ? text : NULL;
}

bool seek_is_right(struct request *q, const struct call *c, const struct rules *r,
                   const struct game_doc *d)
{
	const char *shown = NULL;
	struct err why = { 0 };

	if (d->rating_min > d->rating_max || d->rating_max > 9999)
		return !request_refused(q, 0,
		                        "%d-%d is no range of ratings.  For example: 1400-1700",
		                        d->rating_min, d->rating_max);
	if (!d->formula || formula_check(q->arena, d->formula, &shown, &why) == 0)
		return true;
	const char *options = wish_options(q->arena, c->rest);
	request_refuse(q, 0, "%s", why.text)->body =
		*options ? did_you_mean_offer(q->arena,
	                                      arena_printf(q->arena, "seek %s%s", r->name, options))
			 : arena_printf(q->arena,
	                                "%s\nThe form is: seek game -days=3 -white 1400-1700",
	                                shown ? shown : "");
	return false;
}

void seek_say_gone(struct request *q, const struct match *m)
{
	const struct game_doc *d = &m->doc;
	struct player_doc by;
	const char *again = store_player_get(q->site->store, q->arena, d->players[offer_seat(m)],
	                                     &by, NULL) == 0
	                            ? terms_seek(q, &by, d)
	                            : NULL;

	if (again)
		request_say(q, "Seek %lld is taken back: %s.  To put it back, write: %s",
		            (long long)d->board, terms_text(q, d), again);
	else
		request_say(q, "Seek %lld is taken back.", (long long)d->board);
}
