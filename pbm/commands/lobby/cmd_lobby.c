/* Challenge, match, counter, rematch, withdraw; accept and decline of an offer. */
#include "pbm/commands/lobby/cmd_lobby.h"

#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/commands/lobby/lobby_tables.h"
#include "pbm/commands/lobby/minutes.h"
#include "pbm/commands/lobby/offer.h"
#include "pbm/commands/lobby/rematch.h"
#include "pbm/commands/lobby/seek.h"
#include "pbm/commands/lobby/starts.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/computer.h"
#include "pbm/people/consent.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/roles.h"
#include "pbm/record/match.h"
#include "pbm/request/request_games.h"

#define LAST_LOOKED_AT 200 /* games of a player */

/* The meaning of a challenge's or match's words. */
struct challenge {
	struct offer offer;
	struct player_doc players[2];
	size_t words; /* in front of the options */
	bool solo, plays;
	bool moderator; /* a moderator starts it for others: at once */
};

/* A game that a moderator starts for others, or one of a player against himself, starts at once. */
static int start_at_once(struct request *q, struct call *c, struct challenge *w, struct err *e)
{
	struct terms *t = &w->offer.terms;
	const char *colors;

	t->doc.rated &= !w->solo && !consent_shares_mailbox(&w->players[0], &w->players[1]);
	int rc = offer_colors(q, t, w->offer.u, &colors, e);
	struct match *m = rc == 0 ? offer_match(q, t, e) : NULL;
	if (!m)
		return e->code;
	if (!w->plays)
		request_say(q, "Board %lld: %s (White) and %s (Black) play %s.",
		            (long long)m->doc.board, m->doc.players[0], m->doc.players[1],
		            terms_text(q, &m->doc));
	const char *how = w->plays ? "The game begins."
	                           : arena_printf(q->arena, "%s, a moderator, starts this game.",
	                                          c->actor->userid);
	return offer_start(q, c, m, (const char *const[]){ how, how }, colors,
	                   w->plays ? NOTE_START : NOTE_START | NOTE_STARTED, e);
}

/* Would the sender play alone, without naming himself twice? */
static bool is_doubtful(const struct request *q, const struct challenge *w)
{
	return w->solo && w->words == 1 && !q->confirming;
}

static const char solo_question[] =
	"You named no other player, so you would play both sides of this game yourself.  To "
	"play with somebody else, name that player.";

/* Does each computer among the players take the game that a moderator starts?  1: yes. */
static int take_computers(struct request *q, const struct challenge *w, struct err *e)
{
	const char *why = NULL;
	int rc = 1;

	for (size_t i = 0; i < 2 && rc == 1; i++)
		if (computer_is(&w->players[i]))
			rc = computer_asks(q, &w->offer.terms.doc, &w->players[!i], &w->players[i],
			                   &why, e);
	if (rc == 0)
		request_refuse(q, 0, "%s", why);
	return rc;
}

static int begin_wish(struct request *q, struct call *c, struct challenge *w, struct err *e)
{
	struct offer *o = &w->offer;
	int rc = 0;

	if (!suspension_actor_may_play(q, c))
		return 0;
	if (is_doubtful(q, w)) {
		hold_ask(q, c, arena_printf(q->arena, "%s challenge %s", c->rules->name, c->rest),
		         solo_question);
		return 0;
	}
	if (w->solo && !w->moderator && (rc = mail_limits_may_start(q, c->actor->userid, e)) <= 0)
		return rc;
	if (computer_is(&w->players[0]) || computer_is(&w->players[1]))
		o->terms.doc.rated &= o->terms.chosen[1] && !w->moderator;
	if (w->moderator &&
	    ((rc = take_computers(q, w, e)) <= 0 || (rc = starts_may(q, w->players, e)) <= 0))
		return rc;
	if (w->solo || w->moderator)
		return start_at_once(q, c, w, e);
	o->other = &w->players[strcasecmp(o->u[0], c->actor->userid) == 0];
	rc = offer_make(q, c, o, e);
	return rc < 0 ? rc : 0;
}

/* The two userids in front of the options; one alone means the sender and that player. */
static int read_players(struct request *q, const struct call *c, struct challenge *w, struct err *e)
{
	w->words = c->argc > 1 && !terms_follow(q, c->rules, c->argv[1]) ? 2 : 1;
	w->players[0] = *c->actor;
	for (size_t i = 0; i < w->words; i++) {
		int rc = offer_find_player(q, c->argv[i], &w->players[2 - w->words + i], e);

		if (rc != 0)
			return rc;
	}
	for (size_t i = 0; i < 2; i++) {
		w->offer.u[i] = w->players[i].userid;
		w->plays |= request_is_by(q, w->offer.u[i]) ||
		            strcasecmp(c->actor->userid, w->offer.u[i]) == 0;
	}
	w->solo = strcmp(w->offer.u[0], w->offer.u[1]) == 0;
	w->moderator = roles_is_staff(c->actor) && !w->plays;
	return 0;
}

/* Refuses a game with a player whom the lists of either side keep away. */
static bool refuse_blocked(struct request *q, const struct call *c, const struct player_doc *other)
{
	const char *blocked = consent_blocked(q, c->actor, other);

	return blocked && request_refused(q, c->board, "%s", blocked);
}

/* Is the pair one that the sender can't bring together?  Refuses it. */
static bool refuse_pair(struct request *q, const struct call *c, const struct challenge *w)
{
	if (w->plays)
		return !w->solo &&
		       refuse_blocked(
			       q, c, &w->players[strcasecmp(w->offer.u[0], c->actor->userid) == 0]);
	if (w->solo)
		request_refuse(q, 0, "You named %s twice.  Name two different players.",
		               w->offer.u[0]);
	else if (!w->moderator)
		request_refuse(q, 0, "Only %s, %s or a moderator can start a game between them.",
		               w->offer.u[0], w->offer.u[1]);
	else
		return starts_is_refused(q, c->actor, w->players);
	return true;
}

/* Makes the wish of a line that names a player first; NULL: refused. */
static struct challenge *new_wish(struct request *q, struct call *c)
{
	terms_drop_commas(q, c);
	if (!suspension_actor_may_play(q, c))
		return NULL;
	if (terms_is_option(c->argv[0])) {
		request_refuse(q, 0, "Name a player in front of the options.  The form is: %s",
		               c->command->usage);
		return NULL;
	}
	struct challenge *w = c->read = arena_alloc(q->arena, sizeof *w);
	*w = (struct challenge){ .words = 1 };
	return w;
}

/* 1: refused.  A doubtful line that is not proved asks both questions at once. */
static int read_challenge(struct request *q, struct call *c, struct err *e)
{
	struct challenge *w = new_wish(q, c);
	int rc = w ? read_players(q, c, w, e) : 1;

	if (rc != 0)
		return rc;
	terms_begin(q, c->actor, c->rules, &w->offer.terms);
	if (terms_read(q, c, w->words, &w->offer.terms) != 0 || refuse_pair(q, c, w))
		return 1;
	if (!c->proved && is_doubtful(q, w))
		q->held.why = solo_question;
	return 0;
}

static int run_challenge(struct request *q, struct call *c, struct err *e)
{
	return begin_wish(q, c, c->read, e);
}

/* The kind of game that the two played last, running games included; *r NULL: they played none. */
static int last_game(struct request *q, const struct call *c, const char *other,
                     const struct rules **r, struct err *e)
{
	struct game_list games;
	int rc = request_games(q, c->actor->userid, NULL, GAMES_ALL, LAST_LOOKED_AT, &games, e);

	for (size_t i = 0; rc == 0 && !*r && i < games.n; i++)
		if (game_row_has(&games.v[i], other))
			*r = rules_find(games.v[i].game, strlen(games.v[i].game), NULL);
	return rc;
}

/* match u [game] [-options].  0: *r is set and *words counts the words in front of the
 * options; 1: refused. */
static int read_game(struct request *q, const struct call *c, const char *other,
                     const struct rules **r, size_t *words, struct err *e)
{
	struct err why = { 0 };

	*words = 1;
	*r = c->rules;
	if (c->argc > 1 && !terms_is_option(c->argv[1]) && !terms_dashed(q, c->rules, c->argv[1]) &&
	    !terms_days(q, c, &(size_t){ 1 })) {
		*r = rules_find(c->argv[1], strlen(c->argv[1]), &why);
		*words = 2;
		if (*r)
			return 0;
		if (!minutes_refused(q, c, 1))
			request_refuse(q, 0, "%s", why.text);
		return 1;
	}
	if (*r)
		return 0;
	int rc = last_game(q, c, other, r, e);
	if (rc == 0 && !*r)
		return request_refused(q, 0, "Which game?  For example: match %s %s", other,
		                       example_game(q));
	return rc;
}

/* 1: refused. */
static int read_match(struct request *q, struct call *c, struct err *e)
{
	struct challenge *w = new_wish(q, c);
	const struct rules *r;
	size_t words;
	int rc = w ? offer_find_player(q, c->argv[0], &w->players[1], e) : 1;

	if (rc == 0 && refuse_blocked(q, c, &w->players[1]))
		return 1;
	if (rc == 0)
		rc = read_game(q, c, w->players[1].userid, &r, &words, e);
	if (rc != 0)
		return rc;
	w->players[0] = *c->actor;
	w->offer.u[0] = c->actor->userid;
	w->offer.u[1] = w->players[1].userid;
	w->plays = true;
	if (strcasecmp(w->offer.u[0], w->offer.u[1]) == 0)
		return request_refused(
			q, 0,
			"You can't match yourself.  To play both sides, write: %s challenge %s %s",
			r->name, c->actor->userid, c->actor->userid);
	terms_begin(q, c->actor, r, &w->offer.terms);
	w->offer.terms.doc.colors = COLORS_FAIR;
	return terms_read(q, c, words, &w->offer.terms);
}

/* Closes an offer without telling anybody. */
static int close_offer(struct request *q, struct match *m, const char *why, uint8_t by,
                       struct err *e)
{
	match_end(m, "*", why, by, q->now);
	return request_save(q, m, e);
}

static int read_counter(struct request *q, struct call *c, struct err *)
{
	if (c->match->doc.state == GAME_OFFERED && offer_seat(c->match) != c->seat)
		return 0;
	return request_refused(q, c->board, "Board %lld is no offer that waits for your answer.",
	                       (long long)c->board);
}

/* counter [offer] -options: the other one's offer with these changes. */
static int run_counter(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	struct offer o = { .instead = c->board };
	struct player_doc other;

	int rc = offer_find_player(q, m->doc.players[!c->seat], &other, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	o.answers_game = rematch_is_offer(q, m) ? m->doc.answers : 0;
	terms_take(q, m, &o.terms);
	o.terms.swap = c->seat == SEAT_BLACK;
	if (terms_read(q, c, 0, &o.terms) != 0)
		return 0;
	o.u[0] = c->actor->userid;
	o.u[1] = other.userid;
	o.other = &other;
	if (game_doc_terms_are_same(&m->doc, &o.terms.doc) &&
	    o.terms.swap == (c->seat == SEAT_BLACK))
		return request_refused(
			q, c->board,
			"That changes nothing in offer %lld.  To take it, write: accept %lld",
			(long long)c->board, (long long)c->board);
	rc = offer_make(q, c, &o, e);
	if (rc == 1)
		rc = close_offer(q, m,
		                 arena_printf(q->arena, "%s made another offer", c->actor->userid),
		                 c->seat, e);
	return rc < 0 ? rc : 0;
}

/* Closes the seek when somebody answers it. */
static int close_seek(struct request *q, const struct match *m, struct err *e)
{
	struct match *seek = request_match(q, m->doc.answers, NULL);

	if (!seek || !offer_is_seek(seek))
		return 0;
	return close_offer(q, seek,
	                   arena_printf(q->arena, "taken: board %lld", (long long)m->doc.board),
	                   SEAT_NONE, e);
}

int cmd_lobby_accept(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	struct player_doc other;

	if (!suspension_actor_may_play(q, c))
		return 0;
	if (offer_seat(m) == c->seat)
		return !request_refused(q, 0, "Offer %lld is your own: it waits for %s.",
		                        (long long)c->board, m->doc.players[!c->seat]);
	int rc = offer_find_player(q, m->doc.players[!c->seat], &other, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (refuse_blocked(q, c, &other))
		return 0;
	if (m->doc.rated && consent_shares_mailbox(c->actor, &other))
		return !request_refused(
			q, c->board,
			"You and %s get your mail at the same address.  Games between such accounts are not rated.  For one without rating, answer: counter -unrated",
			other.userid);
	rc = offer_is_within_limit(q, c, m->game.rules, e);
	if (rc != 1 || (rc = close_seek(q, m, e)) < 0)
		return rc;
	const char *const how[] = { "You have accepted, and the game begins.",
		                    arena_printf(q->arena, "%s has accepted, and the game begins.",
		                                 c->actor->userid) };
	return offer_start(q, c, m, how, m->doc.events[0].text, 0, e);
}

int cmd_lobby_unseek(struct request *q, struct match *m, struct err *e)
{
	uint8_t by = offer_seat(m);
	int rc = close_offer(q, m, arena_printf(q->arena, "withdrawn by %s", m->doc.players[by]),
	                     by, e);

	if (rc == 0)
		seek_say_gone(q, m);
	return rc;
}

int cmd_lobby_decline(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	bool own = offer_seat(m) == c->seat;
	const char *me = m->doc.players[c->seat], *other = m->doc.players[!c->seat];
	const char *now = own ? "withdrawn" : "declined";

	if (offer_is_seek(m))
		return cmd_lobby_unseek(q, m, e);
	int rc = close_offer(q, m, arena_printf(q->arena, "%s by %s", now, me), c->seat, e);
	if (rc < 0)
		return rc;
	struct note *n = request_note(q, other, c->board, 0);
	n->seat = !c->seat;
	n->subject = own ? "the offer was withdrawn" : "your offer was declined";
	n->headline = arena_printf(q->arena, "%s %s offer %lld.", me, own ? "withdrew" : "declined",
	                           (long long)c->board);
	n->comment = censor_words(q, other, me, board_words(q, c->rest));
	n->comment_by = me;
	request_say(q, "Offer %lld is %s, and %s is told.", (long long)c->board, now, other);
	return 0;
}

static int read_withdraw(struct request *q, struct call *c, struct err *)
{
	if (c->match->doc.state == GAME_OFFERED && offer_seat(c->match) == c->seat)
		return 0;
	if (c->seat != SEAT_NONE && c->match->draw_offered_by == c->seat)
		return request_refused(
			q, c->board,
			"A draw offer cannot be taken back.  It stands until the other player's next move.");
	return request_refused(q, 0, "Board %lld is no open offer of yours.", (long long)c->board);
}

/* rematch in an answer to the offer of one: the other player accepts it, or changes it. */
static int answer_rematch(struct request *q, struct call *c, struct err *e)
{
	if (offer_seat(c->match) != c->seat)
		return c->argc ? run_counter(q, c, e) : cmd_lobby_accept(q, c, e);
	rematch_refuse(q, c, c->match);
	return 0;
}

/* Makes the offer of the same game with changed colours, unless one is open.  If both players do
 * so, their offers cross. */
static int offer_rematch(struct request *q, struct call *c, struct challenge *w, struct err *e)
{
	struct offer *o = &w->offer;
	struct match *open;

	terms_take(q, c->match, &o->terms);
	o->terms.swap = c->seat == SEAT_WHITE;
	if (terms_read(q, c, 0, &o->terms) != 0)
		return 0;
	o->answers_game = c->board;
	w->players[0] = *c->actor;
	o->u[0] = c->actor->userid;
	o->u[1] = w->players[1].userid;
	int rc = w->solo ? 0 : rematch_find(q, c, &open, e);
	if (rc == 1 && (offer_seat(open) == match_seat_of(open, c->actor->userid) ||
	                !game_doc_terms_are_same(&open->doc, &o->terms.doc))) {
		rematch_refuse(q, c, open);
		return 0;
	}
	return rc < 0 ? rc : begin_wish(q, c, w, e);
}

/* rematch [board] [-options]: the same game with changed colours. */
static int run_rematch(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	struct challenge w = { .words = 2, .plays = true, .solo = match_is_solo(m) };

	if (rematch_is_offer(q, m))
		return answer_rematch(q, c, e);
	if (m->doc.state == GAME_RUNNING || m->doc.state == GAME_OFFERED)
		return request_refused(q, c->board,
		                       "Board %lld has not ended.  A rematch comes after a game.",
		                       (long long)c->board);
	int rc = offer_find_player(q, m->doc.players[!c->seat], &w.players[1], e);
	if (rc == 0)
		rc = offer_rematch(q, c, &w, e);
	return rc < 0 ? rc : 0;
}

#define OFFERING (CMD_PROOF | CMD_LOBBY | CMD_COMMENT)
#define ANSWERING (OFFERING | CMD_BOARD | CMD_SEAT | CMD_PAIR)

const struct command cmd_lobby_table[] = {
	COMMAND("challenge", "<game> challenge userid1 userid2 [-options]",
	        "offers a game; userid1 moves first; a moderator starts those of others",
	        GROUP_GAMES, OFFERING | CMD_PAIR | CMD_NAMES | CMD_GAME | CMD_GAME_AFTER,
	        .least = 1, .read = read_challenge, .run = run_challenge),
	COMMAND("match", "match userid [game] [-options]",
	        "offers a game; who plays White depends on your games before", GROUP_GAMES,
	        OFFERING | CMD_PAIR | CMD_NAMES | CMD_GAME_AFTER, .least = 1, .read = read_match,
	        .run = run_challenge),
	COMMAND("counter", "counter [offer] -options", "answers an offer with another one",
	        GROUP_GAMES, ANSWERING | CMD_COUNT, .least = 1, .read = read_counter,
	        .run = run_counter),
	COMMAND("rematch", "rematch [board] [-options]",
	        "offers the same game again, with changed colours", GROUP_GAMES,
	        ANSWERING | CMD_ENDED, .run = run_rematch),
	COMMAND("withdraw", "withdraw [offer]", "takes back an offer or a seek of yours",
	        GROUP_GAMES, ANSWERING, .read = read_withdraw, .run = cmd_lobby_decline),
	{ .word = NULL }
};
