#include "pbm/commands/staff/sanctions.h"

#include <string.h>
#include <strings.h>

#include "pbm/answer/later.h"
#include "pbm/base/clock.h"
#include "pbm/commands/account/account_change.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/people/banned_addresses.h"
#include "pbm/people/consent.h"
#include "pbm/people/player_change.h"
#include "pbm/people/roles.h"
#include "pbm/record/match.h"
#include "pbm/request/request_games.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define OFFERS_ENDED 50   /* of one player; what is left lapses */
#define OFFERS_SEEN 10000 /* among which those of the same mailbox are looked for */
#define NEIGHBOURS_MAX 20 /* accounts of one mailbox */

/* One mail to all addresses of the account, also of a player who has signed off. */
#define ALL_ADDRESSES (NOTE_ACCOUNT | NOTE_PARTING | NOTE_APART)

/* Closes an offer of the player, or also one to him, and tells the other player. */
static int withdraw(struct request *q, const struct player_doc *p, int64_t board, bool all,
                    struct err *e)
{
	struct err why = { 0 };
	struct match *m = request_match(q, board, &why);

	if (!m)
		return err_of_machine(e, &why);
	uint8_t seat = match_seat_of(m, p->userid);
	if (seat == SEAT_NONE || (!all && game_offer_seat(&m->doc) != seat))
		return 0;
	const char *other = m->doc.players[!seat];
	match_end(m, "*", "withdrawn by a moderator", SEAT_NONE, q->now);
	if (other && strcasecmp(other, GAME_ANYONE) != 0 && !match_is_solo(m)) {
		struct note *n = request_note(q, other, board, 0);

		n->seat = !seat;
		n->headline = arena_printf(
			q->arena,
			"Offer %lld no longer stands: %s can't begin new games at present.",
			(long long)board, p->userid);
	}
	return request_save(q, m, e);
}

static int withdraw_offers(struct request *q, const struct player_doc *p, bool all, struct err *e)
{
	struct game_list offers;
	int rc = request_games(q, p->userid, NULL, GAMES_OFFERS, OFFERS_ENDED, &offers, e);

	for (size_t i = 0; rc == 0 && i < offers.n; i++)
		rc = withdraw(q, p, offers.v[i].board, all, e);
	return rc;
}

/* The accounts of one mailbox that have offers. */
struct housemates {
	const struct player_doc *p; /* with all its addresses */
	struct player_doc found[NEIGHBOURS_MAX];
	size_t n;
};

/* Is it the player himself, or an account that was found before? */
static bool is_found(const struct housemates *all, const char *userid)
{
	bool found = strcasecmp(userid, all->p->userid) == 0 ||
	             strcasecmp(userid, GAME_ANYONE) == 0;

	for (size_t i = 0; i < all->n; i++)
		found |= strcasecmp(userid, all->found[i].userid) == 0;
	return found;
}

static void find_neighbours(struct request *q, const struct game_row *row, struct housemates *all)
{
	struct store *store = q->site->store;

	for (int seat = 0; seat < 2 && all->n < NEIGHBOURS_MAX; seat++) {
		const char *name = row->players[seat];
		AUTO(arena_release) struct arena a = { 0 };
		struct player_doc other;

		if (!name || is_found(all, name))
			continue;
		if (store_player_get(store, &a, name, &other, NULL) == 0 &&
		    consent_shares_mailbox(all->p, &other) &&
		    store_player_get(store, q->arena, name, &all->found[all->n], NULL) == 0)
			all->n++;
	}
}

/* Withdraws the offers of the other accounts in the player's mailbox, which can begin no games
 * either. */
static int withdraw_neighbours(struct request *q, const struct player_doc *p, bool all,
                               struct err *e)
{
	struct housemates *others = arena_alloc(q->arena, sizeof *others);

	struct game_list offers;
	int rc = request_games(q, NULL, NULL, GAMES_OFFERS, OFFERS_SEEN, &offers, e);

	*others = (struct housemates){ .p = p };
	for (size_t i = 0; rc == 0 && i < offers.n; i++)
		find_neighbours(q, &offers.v[i], others);
	for (size_t i = 0; rc == 0 && i < others->n; i++)
		rc = withdraw_offers(q, &others->found[i], all, e);
	return rc;
}

/* Says how to answer: text goes to the moderator, with whose name the Subject ends; the operator at
 * the shell has no account. */
static void take_answers(struct request *q, const struct act_by *by, struct note *n)
{
	bool shell = strcmp(by->by, "operator") == 0;

	n->comment_by = shell ? NULL : by->by;
	n->body = shell ? "To answer, write on the first line: message moderators and your text."
	                : arena_printf(q->arena, "Your answer goes to %s, unless it is a command.",
	                               by->by);
}

int sanctions_warn(struct request *q, const struct player_doc *p, const struct act_by *by,
                   struct err *e)
{
	take_answers(q, by,
	             request_tell(q, p->userid, ALL_ADDRESSES,
	                          arena_printf(q->arena, "a warning by moderator %s", by->by),
	                          "A moderator (%s) warns you: %s", by->by, by->why));
	q->done_count++;
	return act_record(q, by, "warn", p->userid, NULL, e);
}

int sanctions_suspend(struct request *q, const struct player_doc *p, const struct act_by *by,
                      int days, struct err *e)
{
	struct player_doc now = *p, past = *p;

	now.suspended = days ? q->now + days * CLOCK_DAY : 0;
	int rc = account_change_past(q, &past, e);
	/* Nobody goes on under another name. */
	now.barred = days ? banned_addresses_hashes(q->site, q->arena, &past) : NULL;
	if (rc == 0)
		rc = player_change_done(q, &now, e);
	if (rc == 0 && days)
		rc = withdraw_offers(q, p, false, e);
	if (rc == 0 && days)
		rc = withdraw_neighbours(q, &past, false, e);
	if (rc == 0 && days)
		rc = later_drop(q, &(struct later_which){ .by = p->userid }, e);
	if (rc == 0)
		rc = act_record(q, by, "suspend", p->userid,
		                arena_printf(q->arena, "%d days", days), e);
	if (days)
		take_answers(
			q, by,
			request_tell(
				q, p->userid, ALL_ADDRESSES,
				arena_printf(q->arena, "you are suspended by moderator %s", by->by),
				"A moderator (%s) has suspended you: until %s you can begin no new games and write to moderators alone, and your open offers are withdrawn.  Your running games go on as ever.  The reason: %s",
				by->by, request_date(q, p->userid, now.suspended), by->why));
	else
		request_tell(
			q, p->userid, ALL_ADDRESSES, "you can begin new games again",
			"A moderator (%s) has ended your suspension: you can begin new games again.  %s",
			by->by, by->why);
	return rc;
}

int sanctions_ban(struct request *q, const struct player_doc *p, const struct act_by *by,
                  enum ban_end end, struct err *e)
{
	struct player_doc now = *p, past = *p;
	bool resign = end == BAN_RESIGN;

	now.banned = q->now;
	now.banned_by = by->by;
	now.banned_why = by->why;
	now.ban_end = end;
	now.suspended = 0;
	int rc = account_change_past(q, &past, e);
	if (rc < 0)
		return rc;
	now.barred = banned_addresses_hashes(q->site, q->arena, &past);
	rc = player_change_done(q, &now, e);
	if (rc == 0)
		rc = withdraw_offers(q, p, true, e);
	if (rc == 0)
		rc = withdraw_neighbours(q, &past, true, e);
	if (rc == 0)
		rc = tournament_entry_forget(q, p->userid, e);
	if (rc == 0)
		rc = later_drop(q, &(struct later_which){ .by = p->userid }, e);
	if (rc == 0)
		rc = store_look_at(q->site->store, p->userid, e);
	if (rc == 0)
		rc = act_record(q, by, "ban", p->userid, resign ? "resign" : "annul", e);
	request_tell(
		q, p->userid, ALL_ADDRESSES, "your account is banned",
		resign ? "A moderator (%s) has banned your account: you can't play here any more.  Your running games are resigned.  The reason: %s"
		       : "A moderator (%s) has banned your account: you can't play here any more.  Your running games are annulled.  The reason: %s",
		by->by, by->why)
		->body = "What you can still write:\n"
			 "    stop      no more mails\n"
			 "    export    what is kept about you, as a file\n"
			 "    delete    ends the account";
	return rc;
}

int sanctions_unban(struct request *q, const struct player_doc *p, const struct act_by *by,
                    struct err *e)
{
	struct player_doc now = *p;

	now.banned = 0;
	now.banned_by = now.banned_why = now.barred = NULL;
	now.ban_end = BAN_ENDED;
	int rc = player_change_done(q, &now, e);
	if (rc == 0)
		rc = act_record(q, by, "unban", p->userid, NULL, e);
	if (!p->deleted)
		request_tell(
			q, p->userid, ALL_ADDRESSES, "your account is no longer banned",
			"A moderator (%s) has lifted the ban: you can play here again.  The games that ended stay as they are.  %s",
			by->by, by->why);
	return rc;
}

int sanctions_set_roles(struct request *q, const struct player_doc *p, const struct act_by *by,
                        unsigned roles, struct err *e)
{
	struct player_doc now = *p;
	/* A computer that the server plays for stays marked. */
	const char *words = roles_write(q->arena, roles | (p->level ? ROLE_COMPUTER : 0u));

	now.role = words;
	int rc = player_change_done(q, &now, e);
	if (rc == 0)
		rc = act_record(q, by, "role", p->userid, words, e);
	request_tell(q, p->userid, ALL_ADDRESSES, "your role has changed",
	             "Your role on this server is now: %s.  It was changed by %s: %s", words,
	             by->by, by->why);
	return rc;
}

/* The seat of a banned player; SEAT_NONE: there is none. */
static int find_banned(struct request *q, const struct match *m, struct player_doc *p, uint8_t *out,
                       struct err *e)
{
	*out = SEAT_NONE;
	for (uint8_t seat = 0; seat < 2 && *out == SEAT_NONE; seat++) {
		struct err why = { 0 };
		int rc = store_player_get(q->site->store, q->arena, m->doc.players[seat], p, &why);

		int broken = rc < 0 ? err_of_machine(e, &why) : 0;
		if (broken)
			return broken;
		if (rc == 0 && p->banned && p->ban_end != BAN_ENDED)
			*out = seat;
	}
	return 0;
}

int sanctions_sweep(struct request *q, struct match *m, struct err *e)
{
	struct player_doc p;
	uint8_t seat;

	if (m->doc.state != GAME_RUNNING)
		return 0;
	int rc = find_banned(q, m, &p, &seat, e);
	if (rc < 0 || seat == SEAT_NONE)
		return rc;
	bool loses = p.ban_end == BAN_RESIGN && !match_is_solo(m) &&
	             (m->doc.tournament || m->ply >= MATCH_YOUNG_PLIES);
	const char *result = !loses ? "*" : seat == SEAT_WHITE ? "0-1" : "1-0";
	match_end_by(m, p.banned_by, result,
	             arena_printf(q->arena, "%s, a moderator, has banned %s: %s", p.banned_by,
	                          p.userid, p.banned_why),
	             q->now);
	if (!match_is_solo(m)) {
		struct note *n = request_note(q, m->doc.players[!seat], m->doc.board,
		                              NOTE_BOARD | NOTE_MOVES | NOTE_FINAL);
		n->seat = !seat;
		n->headline = arena_printf(
			q->arena,
			loses ? "%s, a moderator, has banned %s, so you win this game.  The reason: %s"
			      : "%s, a moderator, has banned %s, so this game is annulled: it has no result.  The reason: %s",
			p.banned_by, p.userid, p.banned_why);
	}
	rc = request_save(q, m, e);
	return rc < 0 ? rc : 1;
}
