#include "pbm/commands/lobby/offer.h"
#include "pbm/commands/lobby/wish.h"

#include <string.h>
#include <strings.h>

#include "pbm/answer/formula_news.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/commands/lobby/colors.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/computer.h"
#include "pbm/people/consent.h"
#include "pbm/people/mail_limits.h"
#include "pbm/rating/rating.h"
#include "pbm/rating/rating_preview.h"
#include "pbm/record/match.h"
#include "pbm/request/request_games.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"

#define OFFERS_LOOKED_AT 500

bool offer_is_seek(const struct match *m)
{
	return m->doc.state == GAME_OFFERED && game_has_anyone(m->doc.players);
}

uint8_t offer_seat(const struct match *m)
{
	return game_offer_seat(&m->doc);
}

/* Says that there is no such player, and what was probably meant. */
static void refuse_nobody(struct request *q, const char *word)
{
	static const char *const anybody[] = { "anybody",   "anyone", "somebody",  "someone",
		                               "everybody", "jemand", "irgendwer", NULL };
	const char *game = example_game(q);
	bool computer = strncasecmp(word, "robot", 5) == 0 || computer_is_word(word, strlen(word));
	const char *robot = computer ? computer_suggest(q->site->store, q->arena, game) : NULL;

	if (str_is_any(word, anybody))
		request_refuse(
			q, 0,
			"To offer a game to anybody, write seek and the game.  For example: seek %s",
			game);
	else if (robot)
		request_refuse(
			q, 0,
			"There is no player %.40s.  To play against the computer, write: match %s %s",
			word, robot, game);
	else if (computer)
		request_refuse(q, 0, "No computer plays here.");
	else if (strchr(word, '@'))
		request_refuse(
			q, 0,
			"Write the other player's name, not the address.  Who has no account yet sends a mail with the Subject: signup, and a name.");
	else if (!wish_refuse_near(q, word))
		request_refuse(
			q, 0,
			"There is no player %.40s.  Every player needs an account first: signup <userid>",
			word);
}

int offer_find_player(struct request *q, const char *word, struct player_doc *out, struct err *e)
{
	const char *computer = computer_is_word(word, strlen(word))
	                               ? computer_suggest(q->site->store, q->arena, NULL)
	                               : NULL;
	int rc = err_found(
		store_player_get(q->site->store, q->arena, computer ? computer : word, out, e),
		ERR_BAD, e);

	if (rc < 0)
		return rc;
	if (rc == 0 || (!player_mail_address(out) && !computer_is(out)))
		refuse_nobody(q, word);
	else if (out->signed_off || !computer_or_reachable(out))
		request_refuse(q, 0,
		               "You can't offer %s a game now: %s gets no mails from this server.",
		               out->userid, out->userid);
	else if (!suspension_may_play(q, out))
		request_refuse(q, 0, "%s can't begin new games at present.", out->userid);
	else
		return 0;
	return 1;
}

struct match *offer_match(struct request *q, struct terms *t, struct err *e)
{
	struct match *m = arena_alloc(q->arena, sizeof *m);

	if (store_next_board(q->site->store, &t->doc.board, e) < 0 ||
	    match_create(q->arena, &t->doc, m, e) < 0)
		return NULL;
	return m;
}

int offer_colors(struct request *q, struct terms *t, const char *const u[2], const char **why,
                 struct err *e)
{
	int rc = colors_decide(q, t->doc.colors, u, &t->swap, why, e);

	t->doc.players[t->swap] = u[0];
	t->doc.players[!t->swap] = u[1];
	return rc;
}

/* Adds the sender's comment for the reader of the note, unless the sender reads it himself. */
static void tell_comment(struct request *q, struct note *n, const char *by)
{
	if (strcasecmp(n->userid, by) == 0)
		return;
	n->comment = censor_words(q, n->userid, by, board_comment(q, q->comment));
	n->comment_by = by;
}

/* Adds the text that its player wrote below a seek, for the one who answers the seek. */
static void tell_seek_text(struct note *n, const struct match *seek)
{
	for (size_t i = 0; i < seek->doc.event_count; i++) {
		const struct event *ev = &seek->doc.events[i];

		if (ev->kind != EVENT_CHAT ||
		    strcasecmp(seek->doc.players[ev->seat], n->userid) == 0)
			continue;
		n->comment = ev->text;
		n->comment_by = seek->doc.players[ev->seat];
	}
}

static void tell_start(struct request *q, const struct call *c, struct match *m,
                       const char *const how[2], const char *colors, unsigned first)
{
	for (uint8_t seat = 0; seat < 2; seat++) {
		if (seat == 1 && match_is_solo(m))
			return;
		struct note *n = request_note(q, m->doc.players[seat], m->doc.board,
		                              NOTE_BOARD | NOTE_ASK | first);

		n->seat = seat;
		n->headline = arena_printf(
			q->arena, "%s  Board %lld: %s has White, %s has Black.  %s.%s%s",
			how[strcasecmp(n->userid, c->actor->userid) != 0], (long long)m->doc.board,
			m->doc.players[0], m->doc.players[1], terms_text(q, &m->doc),
			colors ? "  " : "", colors ? colors : "");
		if (m->doc.start_fen)
			n->body = arena_printf(q->arena, "Start: %s", m->doc.start_fen);
		tell_comment(q, n, c->actor->userid);
		tell_seek_text(n, m);
	}
}

int offer_start(struct request *q, const struct call *c, struct match *m, const char *const how[2],
                const char *colors, unsigned first, struct err *e)
{
	size_t at = m->doc.event_count;

	int rc = request_start(q, m, e);
	if (rc < 0)
		return rc;
	m->doc.events[at].text = colors;
	rc = request_save(q, m, e);
	if (rc == 0)
		tell_start(q, c, m, how, colors, first);
	return rc;
}

static bool is_pair(const char *const a[2], const char *const b[2])
{
	return (strcasecmp(a[0], b[0]) == 0 && strcasecmp(a[1], b[1]) == 0) ||
	       (strcasecmp(a[0], b[1]) == 0 && strcasecmp(a[1], b[0]) == 0);
}

/* Is it an offer between the same two players for the same game? */
static bool is_alike(const struct game_row *row, const struct offer *o)
{
	return strcmp(row->game, o->terms.doc.game) == 0 &&
	       strcmp(row->options, o->terms.doc.options) == 0 && is_pair(row->players, o->u);
}

/* Is it the same offer?  Given colours must agree; others are decided by the first one. */
static bool is_same_offer(const struct match *m, const struct offer *o)
{
	const char *first = m->doc.players[o->terms.swap];

	return game_doc_terms_are_same(&m->doc, &o->terms.doc) &&
	       (m->doc.colors != COLORS_GIVEN || strcasecmp(first, o->u[0]) == 0);
}

/* Begins the game if the other player has made the same offer, and refuses the sender's own
 * offer a second time.  1: the game begins; 0: refused; 2: make the offer. */
static int meet_offer(struct request *q, const struct call *c, const struct offer *o, struct err *e)
{
	struct game_list open;
	int rc = request_games(q, c->actor->userid, NULL, GAMES_OFFERS, OFFERS_LOOKED_AT, &open, e);

	for (size_t i = 0; rc == 0 && i < open.n; i++) {
		int64_t board = open.v[i].board;
		struct match *m = is_alike(&open.v[i], o) ? request_match(q, board, NULL) : NULL;

		if (!m || m->doc.state != GAME_OFFERED || board == o->instead ||
		    !is_same_offer(m, o))
			continue;
		if (strcasecmp(m->doc.players[offer_seat(m)], c->actor->userid) != 0) {
			static const char how[] = "Your offers crossed, and the game begins.";
			rc = offer_start(q, c, m, (const char *const[]){ how, how },
			                 m->doc.events[0].text, 0, e);
			return rc < 0 ? rc : 1;
		}
		return !request_refused(
			q, 0,
			"You have offered exactly that already: offer %lld waits for an answer.",
			(long long)board);
	}
	return rc < 0 ? rc : 2;
}

int offer_is_within_limit(struct request *q, const struct call *c, const struct rules *r,
                          struct err *e)
{
	int rc = consent_is_full(q, c->actor, r->name, 0, e);

	if (rc == 1 && consent_limit(c->actor, r->name) == 1)
		request_refuse(
			q, 0,
			"Your limit is one game of %s at a time, open offers included.  To change it, write: limit %s off",
			r->title, r->name);
	else if (rc == 1)
		request_refuse(
			q, 0,
			"Your limit is %ld games of %s at a time, open offers included.  To change it, write: limit %s off",
			consent_limit(c->actor, r->name), r->title, r->name);
	return rc < 0 ? rc : !rc;
}

/* Counts the sender's offers.  1: one more may be made; 0: refused. */
static int count_offer(struct request *q, const struct call *c, const struct offer *o,
                       struct err *e)
{
	struct consent_load load = { 0 };
	int rc = consent_count(q, c->actor->userid, NULL, &load, e);

	if (rc < 0)
		return rc;
	if (load.offers >= OFFERS_MAX)
		return !request_refused(
			q, 0,
			"You have %zu open offers, and more are too many.  Take one back first: withdraw",
			load.offers);
	rc = mail_limits_may_offer(q, c->actor, o->other->userid, e);
	if (rc == 0)
		request_refuse(q, 0,
		               "You have made too many offers today: %d to %s, or %d in all.  "
		               "New players share a limit, too.",
		               MAIL_LIMITS_OFFERS_TO_A_DAY, o->other->userid,
		               MAIL_LIMITS_OFFERS_A_DAY);
	return rc;
}

/* Checks the other player's formula and limits.  1: they allow the offer; 0: refused. */
static int ask_other(struct request *q, const struct call *c, const struct offer *o, struct err *e)
{
	const char *why, *failed;
	int rc = o->asked ? 1
	                  : consent_asks(q, &o->terms.doc,
	                                 o->instead ? CONSENT_ANSWER : CONSENT_OFFER, c->actor,
	                                 o->other, &why, &failed, e);

	if (rc != 0)
		return rc;
	request_refuse(q, 0, "%s", why);
	if (failed)
		rc = formula_news_put(q, o->other, c->actor->userid, o->terms.game.rules->title,
		                      failed, e);
	return rc;
}

/* Refuses a rated game with a computer whose operator allows none, and one of two accounts with the same mailbox: one person
 * could play for rating points against himself. */
static bool refuse_rated(struct request *q, const struct call *c, struct offer *o)
{
	bool computer = computer_is(o->other);

	if (computer && o->terms.chosen[1] && o->other->rated)
		return false;
	if (!o->terms.doc.rated || !(computer || consent_shares_mailbox(c->actor, o->other)))
		return false;
	o->terms.doc.rated = false;
	if (!o->terms.chosen[1])
		return false;
	return request_refused(
		q, 0,
		computer
			? "Games with %s are not rated, because it is a computer: leave out -rated."
			: "You and %s get your mail at the same address.  Games between such accounts are not rated: leave out -rated.",
		o->other->userid);
}

static const char *stakes_of(struct request *q, const struct match *m, struct err *e)
{
	struct str s = STR_LOCAL(1000);

	const char *list;

	if (rating_list(q->site->store, q->arena, &m->doc, &list, e) < 0 ||
	    rating_preview_write(q->site->store, q->now, list, m->doc.players, m->doc.rated, &s,
	                         e) < 0)
		return NULL;
	return arena_strdup(q->arena, s.data);
}

static const char *seat_name(uint8_t seat)
{
	return seat == SEAT_WHITE ? "White" : "Black";
}

static void tell_other(struct request *q, const struct match *m, const struct offer *o,
                       const char *colors, const char *stakes)
{
	uint8_t mine = offer_seat(m);
	const char *me = m->doc.players[mine], *terms = terms_text(q, &m->doc);
	struct note *n = request_note(q, o->other->userid, m->doc.board, NOTE_START | NOTE_BOARD);

	n->seat = !mine;
	n->subject = arena_printf(q->arena, "%s offers you a game", me);
	if (o->answers)
		n->headline = arena_printf(q->arena,
		                           "%s answers your seek %lld: %s; you play %s.%s%s", me,
		                           (long long)o->answers, terms, seat_name(!mine),
		                           colors ? "  " : "", colors ? colors : "");
	else if (o->instead)
		n->headline = arena_printf(
			q->arena,
			"%s would rather play another game than offer %lld: %s; you play %s.%s%s",
			me, (long long)o->instead, terms, seat_name(!mine), colors ? "  " : "",
			colors ? colors : "");
	else
		n->headline = arena_printf(
			q->arena, "%s would like to play with you: %s; you play %s.%s%s", me, terms,
			seat_name(!mine), colors ? "  " : "", colors ? colors : "");
	n->body = arena_printf(q->arena,
	                       "%s\n"
	                       "Answer:  accept   or   decline   or   counter -days=3\n"
	                       "The rules in a page:  help %s",
	                       stakes, m->game.rules->name);
	tell_comment(q, n, me);
}

static int put_offer(struct request *q, const struct call *c, struct match *m,
                     const struct offer *o, const char *colors, struct err *e)
{
	const char *me = c->actor->userid;
	uint8_t mine = match_seat_of(m, me);

	match_add_text(m, EVENT_OFFER, mine, colors, q->now);
	int rc = request_save(q, m, e);
	const char *stakes = rc == 0 ? stakes_of(q, m, e) : NULL;
	if (!stakes)
		return e->code;
	struct note *n = request_note(q, me, m->doc.board, NOTE_START);
	n->seat = mine;
	n->headline = arena_printf(
		q->arena,
		"Your offer to %s has the number %lld: %s; you play %s.%s%s  It waits for an answer.  To take it back, write: withdraw %lld",
		o->other->userid, (long long)m->doc.board, terms_text(q, &m->doc), seat_name(mine),
		colors ? "  " : "", colors ? colors : "", (long long)m->doc.board);
	n->body = stakes;
	const struct match *seek = request_match(q, o->answers, NULL);
	if (seek)
		tell_seek_text(n, seek);
	tell_other(q, m, o, colors, stakes);
	return 1;
}

/* Starts the game, because the other player accepts every such offer. */
static int start_accepted(struct request *q, const struct call *c, struct match *m,
                          const struct offer *o, const char *colors, struct err *e)
{
	const char *title = m->game.rules->title;
	const char *const how[] = {
		computer_is(o->other)
			? arena_printf(
				  q->arena,
				  m->doc.rated
					  ? "%s is a computer and plays at once.  The game counts for a list of its own: standings %s -computers"
					  : "%s is a computer and plays at once.",
				  o->other->userid, m->doc.game)
			: arena_printf(q->arena,
		                       "%s accepts every offer of %s, and the game begins.",
		                       o->other->userid, title),
		arena_printf(
			q->arena,
			"%s has offered it, you accept every offer of %s, and the game begins.",
			c->actor->userid, title)
	};

	match_add_text(m, EVENT_OFFER, match_seat_of(m, c->actor->userid), colors, q->now);
	int rc = offer_start(q, c, m, how, colors, NOTE_START, e);
	return rc < 0 ? rc : 1;
}

static const char at_once_question[] =
	"The other player accepts every offer of this game, so it begins at once.";

/* 1: the offer can be made; 2: the game has begun, because the offers crossed; 0: refused. */
static int may_offer(struct request *q, const struct call *c, struct offer *o, struct err *e)
{
	const char *blocked = consent_blocked(q, c->actor, o->other);

	if (!suspension_actor_may_play(q, c))
		return 0;
	if (blocked)
		return !request_refused(q, 0, "%s", blocked);
	if (refuse_rated(q, c, o))
		return 0;
	int rc = meet_offer(q, c, o, e);
	if (rc != 2)
		return rc == 1 ? 2 : rc;
	rc = offer_is_within_limit(q, c, o->terms.game.rules, e);
	if (rc == 1)
		rc = count_offer(q, c, o, e);
	return rc == 1 ? ask_other(q, c, o, e) : rc;
}

int offer_make(struct request *q, const struct call *c, struct offer *o, struct err *e)
{
	const char *colors;
	int rc = may_offer(q, c, o, e);

	if (rc != 1)
		return rc == 2 ? 1 : rc;
	/* If the sender's token leaked, neither of the two players has agreed.  A game with a
	 * computer takes nothing from anybody. */
	bool at_once = !o->answers && consent_is_given(q, &o->terms.doc, c->actor, o->other);
	if (at_once && !computer_is(o->other) && q->who.proof == PROOF_TOKEN &&
	    hold_ask(q, c, q->current, at_once_question))
		return 0;
	rc = offer_colors(q, &o->terms, o->u, &colors, e);
	o->terms.doc.answers = o->answers ? o->answers : o->answers_game;
	struct match *m = rc == 0 ? offer_match(q, &o->terms, e) : NULL;
	if (!m)
		return e->code;
	if (at_once)
		return start_accepted(q, c, m, o, colors, e);
	return put_offer(q, c, m, o, colors, e);
}
