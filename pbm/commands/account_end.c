#include "pbm/commands/account_end.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/account_change.h"
#include "pbm/commands/tourney_entry.h"
#include "store/store_documents.h"
#include "store/store_held.h"
#include "store/store_ladder.h"
#include "store/store_marks.h"
#include "store/store_questions.h"

#define GAMES_MAX 1000000

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

/* A right to take back a change, of another address than the sender's. */
static int find_right(const struct held_command *h, void *arg)
{
	const struct request *q = arg;
	json_t *what = json_loads(h->text, 0, NULL);
	bool other = account_change_is_undo(what) && h->expires >= q->now &&
	             strcasecmp(h->address, q->mail.from) != 0;

	json_decref(what);
	return other;
}

bool account_end_may(struct request *q, const struct player_doc *p)
{
	struct err why = { 0 };

	if (!is_oldest(p, q->mail.from)) {
		request_refuse(
			q, 0,
			"Only the oldest address of an account can delete it: write the same from there.  Nothing was done.");
		return false;
	}
	if (store_held_of(q->site->store, p->userid, find_right, q, &why) != 0) {
		request_refuse(
			q, 0,
			"The account was changed less than %d days ago, and another address of it can still take that back.  Until then it can't be deleted.  To get no more mails at once, write: signoff",
			ACCOUNT_UNDO_DAYS);
		return false;
	}
	return true;
}

/* The boards of a list. */
struct ending_boards {
	struct arena *a;
	size_t n, cap;
	int64_t *v;
};

static int add_board(const struct game_row *row, void *arg)
{
	struct ending_boards *b = arg;

	if (b->n == b->cap) {
		int64_t *grown = arena_alloc(b->a, (2 * b->cap + 64) * sizeof *grown);

		if (b->n)
			memcpy(grown, b->v, b->n * sizeof *grown);
		b->v = grown;
		b->cap = 2 * b->cap + 64;
	}
	b->v[b->n++] = row->board;
	return 0;
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
		return err_is_of_machine(&why) ? err_set(e, why.code, "%s", why.text) : 0;
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

/* The text with each occurrence of the name as a word replaced. */
static const char *rename_in(struct arena *a, const char *text, const char *from, const char *to)
{
	size_t n = strlen(from);
	struct str s;

	if (!text || !strcasestr(text, from))
		return text;
	str_init(&s, 1u << 20);
	for (const char *p = text; *p;) {
		bool begins = p == text || !(isalnum((unsigned char)p[-1]) || strchr("_-", p[-1]));

		if (begins && strncasecmp(p, from, n) == 0 && !isalnum((unsigned char)p[n]) &&
		    p[n] != '_' && p[n] != '-') {
			str_add(&s, to);
			p += n;
		} else {
			str_add_char(&s, *p++);
		}
	}
	const char *kept = arena_strdup(a, s.data);
	str_release(&s);
	return kept;
}

static void rename_player(struct arena *a, struct game_doc *g, const char *from, const char *to)
{
	for (size_t i = 0; i < 2; i++)
		if (g->players[i] && strcasecmp(g->players[i], from) == 0)
			g->players[i] = to;
	g->reason = rename_in(a, g->reason, from, to);
	for (size_t i = 0; i < g->event_count; i++) {
		struct event *ev = &g->events[i];

		if (ev->by && strcasecmp(ev->by, from) == 0)
			ev->by = to;
		if (ev->kind != EVENT_CHAT)
			ev->text = rename_in(a, ev->text, from, to);
	}
}

/* Writes the games of the account under another name. */
static int rename_games(struct request *q, const char *from, const char *to, struct err *e)
{
	struct store *store = q->site->store;
	struct ending_boards boards = { .a = q->arena };
	int rc = store_games(store, from, NULL, GAMES_ALL, GAMES_MAX, 0, add_board, &boards, e);

	for (size_t i = 0; rc == 0 && i < boards.n; i++) {
		struct arena a = { 0 };
		struct game_doc g;
		struct err why = { 0 };

		rc = store_game_get(store, &a, boards.v[i], &g, &why);
		if (rc == 0) {
			rename_player(&a, &g, from, to);
			rc = store_game_put(store, &g, e);
		} else {
			rc = err_is_of_machine(&why) ? err_set(e, why.code, "%s", why.text) : 0;
		}
		if (rc == 0 && g.state == GAME_FINISHED)
			rc = store_archive_mark(store, boards.v[i], e);
		arena_release(&a);
	}
	if (rc == 0)
		rc = store_ratings_forget(store, from, e);
	return rc == 0 ? store_archive_gone_add(store, from, e) : rc;
}

static int end_games(struct request *q, const struct player_doc *p,
                     const struct ending_boards *boards, bool anonymous, struct err *e)
{
	const char *to = NULL;
	int64_t number = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < boards->n; i++)
		rc = end_game(q, p, boards->v[i], e);
	if (rc == 0 && anonymous)
		rc = store_next_board(q->site->store, &number, e);
	if (rc == 0 && anonymous)
		to = arena_printf(q->arena, "deleted-%lld", (long long)number);
	if (rc == 0)
		rc = tourney_entry_forget(q, p->userid, e);
	if (rc == 0 && to)
		rc = tourney_entry_rename(q, p->userid, to, e);
	return rc == 0 && to ? rename_games(q, p->userid, to, e) : rc;
}

/* Tells the addresses that the account had.  To a player who had signed off only the answer
 * goes. */
static int tell_addresses(struct request *q, const struct player_doc *p, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < p->address_count; i++) {
		const struct player_address *a = &p->addresses[i];

		if (a->confirmed && (!p->signed_off || strcasecmp(a->address, q->mail.from) == 0))
			rc = account_change_tell(
				q, p, a->address,
				"The account was deleted.  Its addresses and settings are erased.",
				e);
	}
	return rc;
}

int account_end(struct request *q, const struct player_doc *p, bool anonymous, struct err *e)
{
	struct store *store = q->site->store;
	const struct player_doc before = *p;
	struct ending_boards boards = { .a = q->arena };
	int rc = store_games(store, before.userid, NULL, GAMES_OPEN, ACCOUNT_END_GAMES + 1, 0,
	                     add_board, &boards, e);

	if (rc == 0)
		rc = store_games(store, before.userid, NULL, GAMES_OFFERS, ACCOUNT_END_GAMES + 1, 0,
		                 add_board, &boards, e);
	if (rc < 0)
		return rc;
	if (boards.n > ACCOUNT_END_GAMES) {
		request_refuse(
			q, 0,
			"You have more than %d running games and offers.  End some of them first, then write this again.",
			ACCOUNT_END_GAMES);
		return 0;
	}
	const struct player_doc after = { .userid = before.userid,
		                          .role = "player",
		                          .created = before.created,
		                          .signed_off = true,
		                          .deleted = q->now };
	/* First of all: a game that ends here begins no other one of its match. */
	rc = store_player_put(store, &after, e);
	if (rc == 0)
		rc = end_games(q, &before, &boards, anonymous, e);
	if (rc == 0)
		rc = account_change_drop_questions(q, before.userid, e);
	if (rc == 0)
		rc = tell_addresses(q, &before, e);
	q->done_count++;
	q->who.known = false;
	q->who.proof = PROOF_NONE;
	return rc;
}
