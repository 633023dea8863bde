#include "pbm/commands/account/account_end.h"

#include <strings.h>

#include "pbm/answer/later.h"
#include "pbm/commands/account/account_change.h"
#include "pbm/commands/account/account_games.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/record/match.h"
#include "store/store_documents.h"
#include "store/store_held.h"
#include "store/store_marks.h"

static bool is_oldest(const struct player_doc *p, const char *address)
{
	const struct player_address *oldest = NULL;

	for (size_t i = 0; i < p->address_count; i++) {
		const struct player_address *a = &p->addresses[i];

		if (a->confirmed && (!oldest || a->confirmed < oldest->confirmed))
			oldest = a;
	}
	return oldest && strcasecmp(oldest->address, address) == 0;
}

struct right {
	int64_t now;
	const char *from;
	bool found;
};

/* A right to take back a change, of another address than the sender's. */
static int find_right(const struct held_command *h, void *arg)
{
	struct right *r = arg;
	json_auto_t *what = json_loads(h->text, 0, NULL);

	r->found |= account_change_is_undo(what) && h->expires >= r->now &&
	            strcasecmp(h->address, r->from) != 0;
	return 0;
}

int account_end_is_open(struct request *q, const char *userid, const char *from, struct err *e)
{
	struct right r = { q->now, from, false };
	int rc = store_held_of(q->site->store, userid, find_right, &r, e);

	return rc < 0 ? rc : r.found;
}

bool account_end_may(struct request *q, const struct player_doc *p)
{
	struct err why = { 0 };

	if (!is_oldest(p, q->mail.from))
		return !request_refused(
			q, 0,
			"Only the oldest address of an account can delete it: write the same from there.  Nothing was done.");
	if (account_end_is_open(q, p->userid, q->mail.from, &why) != 0)
		return !request_refused(
			q, 0,
			"The account was changed less than %d days ago, and another address of it can still take that back.  Until then it can't be deleted.  To get no more mails at once, write: signoff",
			ACCOUNT_UNDO_DAYS);
	return true;
}

/* Tells the other player, if there is one. */
static void tell_opponent(struct request *q, const struct match *m, uint8_t seat,
                          const char *headline)
{
	const char *other = m->doc.players[!seat];

	if (!other || match_is_solo(m))
		return;
	bool played = m->doc.state == GAME_FINISHED;
	struct note *n = request_note(q, other, m->doc.board,
	                              played ? NOTE_BOARD | NOTE_MOVES | NOTE_FINAL : 0);

	n->seat = !seat;
	n->headline = headline;
}

static int end_game(struct request *q, const struct player_doc *p, int64_t board, struct err *e)
{
	struct err why = { 0 };
	struct match *m = request_match(q, board, &why);

	if (!m)
		return err_of_machine(e, &why);
	uint8_t seat = match_seat_of(m, p->userid);
	bool running = m->doc.state == GAME_RUNNING;
	if (seat == SEAT_NONE)
		return 0;
	if (running && !match_is_solo(m) && (m->doc.tournament || m->ply >= MATCH_YOUNG_PLIES)) {
		match_end(m, seat == SEAT_WHITE ? "0-1" : "1-0",
		          arena_printf(q->arena, "%s resigned", p->userid), seat, q->now);
		tell_opponent(q, m, seat,
		              arena_printf(q->arena, "%s has left this server, and resigned.",
		                           p->userid));
	} else {
		match_end(m, "*",
		          arena_printf(q->arena, running ? "aborted by %s" : "withdrawn by %s",
		                       p->userid),
		          seat, q->now);
		tell_opponent(q, m, seat,
		              arena_printf(q->arena,
		                           running ? "%s has left this server, and the game is "
		                                     "aborted; it has no result."
		                                   : "%s has left this server, and the offer "
		                                     "no longer stands.",
		                           p->userid));
	}
	return request_save(q, m, e);
}

static int end_games(struct request *q, const struct player_doc *p,
                     const struct account_games *boards, bool anonymous, struct err *e)
{
	const char *to = NULL;
	int64_t number = 0;
	int rc = tournament_entry_quit_ladders(q, p->userid, e);

	for (size_t i = 0; rc == 0 && i < boards->n; i++)
		rc = end_game(q, p, boards->v[i], e);
	if (rc == 0 && anonymous)
		rc = store_next_board(q->site->store, &number, e);
	if (rc == 0 && anonymous)
		to = arena_printf(q->arena, "deleted-%lld", (long long)number);
	if (rc == 0)
		rc = tournament_entry_forget(q, p->userid, e);
	if (rc == 0 && to)
		rc = tournament_entry_rename(q, p->userid, to, e);
	return rc == 0 && to ? account_games_rename(q, p->userid, to, e) : rc;
}

/* Tells the addresses that the account had.  A player who had signed off gets only the answer. */
static int tell_addresses(struct request *q, const struct player_doc *p, struct err *e)
{
	long days = q->site->conf.retention;
	const char *text =
		days ? arena_printf(
			       q->arena,
			       "The account was deleted.  Its addresses and settings are erased.  The mails that you sent stay in the server's mailbox for %ld days, and older backups keep all of it until they are replaced.",
			       days)
		     : "The account was deleted.  Its addresses and settings are erased.  The mails that you sent stay in the server's mailbox, and older backups keep all of it, until the operator deletes them.";
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < p->address_count; i++) {
		const struct player_address *a = &p->addresses[i];

		if (a->confirmed && (!p->signed_off || strcasecmp(a->address, q->mail.from) == 0))
			rc = account_change_tell(q, p, a->address, text, e);
	}
	return rc;
}

/* Erases what other places of the site keep about an account that is deleted: mails that wait to
 * be sent to its confirmed addresses, those with its words, and the marks of mails that came from them.  An address
 * that is not confirmed may be somebody else's. */
static int account_erase(struct request *q, const struct player_doc *p, struct err *e)
{
	int rc = later_drop(q, &(struct later_which){ .to = p, .all = true }, e);

	if (rc == 0)
		rc = later_drop(q, &(struct later_which){ .by = p->userid }, e);
	for (size_t i = 0; rc == 0 && i < p->address_count; i++)
		if (p->addresses[i].confirmed)
			rc = store_seen_forget(
				q->site->store,
				arena_printf(q->arena, "id:%s:", p->addresses[i].address), e);
	return rc;
}

int account_end(struct request *q, const struct player_doc *p, bool anonymous, struct err *e)
{
	struct store *store = q->site->store;
	const struct player_doc before = *p;
	struct account_games boards = { .a = q->arena };
	int rc = store_games(store, before.userid, NULL, GAMES_OPEN, ACCOUNT_END_GAMES + 1, 0,
	                     account_games_add, &boards, e);

	if (rc == 0)
		rc = store_games(store, before.userid, NULL, GAMES_OFFERS, ACCOUNT_END_GAMES + 1, 0,
		                 account_games_add, &boards, e);
	if (rc < 0)
		return rc;
	if (boards.n > ACCOUNT_END_GAMES)
		return !request_refused(
			q, 0,
			"You have more than %d running games and offers.  End some of them first, then write this again.",
			ACCOUNT_END_GAMES);
	const struct player_doc after = { .userid = before.userid,
		                          .role = "player",
		                          .created = before.created,
		                          .signed_off = true,
		                          .deleted = q->now,
		                          .banned = before.banned,
		                          .banned_by = before.banned_by,
		                          .banned_why = before.banned_why,
		                          .ban_end = before.ban_end,
		                          .suspended = before.suspended,
		                          .barred = before.barred };
	/* First of all, so that a game that ends here begins no other game of its match. */
	store_player_put(store, &after, e);
	rc = end_games(q, &before, &boards, anonymous, e);
	if (rc == 0)
		rc = account_change_drop_questions(q, before.userid, e);
	if (rc == 0)
		rc = account_erase(q, &before, e);
	if (rc == 0)
		rc = tell_addresses(q, &before, e);
	struct player_doc *erased = arena_alloc(q->arena, sizeof *erased);
	*erased = before;
	q->erased = erased;
	q->done_count++;
	q->who.known = false;
	q->who.proof = PROOF_NONE;
	return rc;
}
