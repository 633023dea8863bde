#include "pbm/commands/tourney_round.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/commands/terms.h"
#include "pbm/commands/tourney_entry.h"
#include "pbm/commands/tourney_games.h"
#include "pbm/commands/tourney_mail.h"
#include "pbm/tourney/tourney_ladder.h"
#include "pbm/tourney/tourney_words.h"
#include "store/store_documents.h"

#define DAY INT64_C(86400)
#define MISSED_MAX 2 /* rounds in succession; then the player is withdrawn */
#define BOARDS_SHOWN 40

/* ---- mails ---- */

static const char *points_of(struct request *q, int halves)
{
	char text[20];
	struct str s = STR_FIXED(text);

	tourney_write_points(halves, &s);
	return arena_strdup(q->arena, text);
}

/* The new games of an entry, from an index of the list on. */
struct new_games {
	size_t n, boards;
	const struct tourney_game *one; /* the only one, or a bye */
	int64_t shown[BOARDS_SHOWN];    /* where it is the player's move, or the only one */
};

static void find_new(const struct tourney_doc *t, size_t from, int number, struct new_games *out)
{
	*out = (struct new_games){ 0 };
	for (size_t i = from; i < t->game_count; i++) {
		const struct tourney_game *g = &t->games[i];

		if ((g->white != number && g->black != number) || (g->over && g->black))
			continue;
		out->n++;
		out->one = g;
		if (g->board && g->white == number && out->boards < BOARDS_SHOWN)
			out->shown[out->boards++] = g->board;
	}
	if (out->n == 1 && out->one->board) {
		out->shown[0] = out->one->board;
		out->boards = 1;
	}
}

static const char *begin_text(struct request *q, const struct tourney_doc *t, size_t from,
                              int round)
{
	if (from == 0)
		return arena_printf(q->arena, "The tournament %s begins with %zu players.", t->name,
		                    tourney_count(t, ENTRY_PLAYS));
	return arena_printf(q->arena, "Round %d of the tournament %s begins.", round, t->name);
}

/* What a player is told of new games. */
static const char *new_text(struct request *q, const struct tourney_doc *t, size_t from,
                            bool begins, const struct new_games *n)
{
	const struct tourney_game *g = n->one;
	const char *begin = begins ? begin_text(q, t, from, g ? g->round : 1)
	                           : arena_printf(q->arena, "Your next game in the tournament %s.",
	                                          t->name);

	if (n->n > 1)
		return arena_printf(
			q->arena,
			n->boards
				? "%s  You have %zu games now.  Where you have White, it is your move."
				: "%s  You have %zu games now.  Your opponents move first.",
			begin, n->n);
	if (!g)
		return arena_printf(
			q->arena,
			"%s  You have no game yet: your first one begins when an opponent is free.",
			begin);
	if (!g->board)
		return arena_printf(
			q->arena, "%s  You have no opponent in this round and get a point for it.",
			begin);
	return arena_printf(q->arena, "%s  Board %lld: %s has White, %s has Black.  %s.", begin,
	                    (long long)g->board, t->entries[g->white - 1].userid,
	                    t->entries[g->black - 1].userid, terms_text(q, &t->terms));
}

static int tell_director(struct request *q, const struct tourney_doc *t, const char *cause,
                         const char *subject, const char *headline, unsigned parts, struct err *e)
{
	const struct tourney_letter l = {
		.cause = cause, .subject = subject, .headline = headline, .parts = parts
	};
	int number = tourney_find(t, t->director);

	/* A director who plays is told as a player. */
	if (t->kind == TOURNEY_LADDER || (number && t->entries[number - 1].standing == ENTRY_PLAYS))
		return 0;
	return tourney_send(q, t, t->director, &l, e);
}

/* Tells each player of his new games: one mail each. */
static int tell_games(struct request *q, const struct tourney_doc *t, size_t from, bool begins,
                      struct err *e)
{
	const char *cause = arena_printf(q->arena, "pair %zu", from);
	const char *subject = begins ? arena_printf(q->arena, "round %zu of %s", t->round_count,
	                                            t->name)
	                             : arena_printf(q->arena, "your next game in %s", t->name);
	int rc = 0;

	if (from == 0)
		subject = arena_printf(q->arena, "the tournament %s begins", t->name);
	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		struct new_games n;

		find_new(t, from, (int)i + 1, &n);
		if (n.n == 0 && !(from == 0 && tourney_is_all_at_once(t)))
			continue;
		const struct tourney_letter l = { .cause = cause,
			                          .subject = subject,
			                          .headline = new_text(q, t, from, begins, &n),
			                          .parts = (begins ? TOURNEY_TABLE : 0) |
			                                   (n.n > 1 ? TOURNEY_OWN : 0),
			                          .board_count = n.boards,
			                          .boards = n.shown };
		rc = tourney_send(q, t, t->entries[i].userid, &l, e);
	}
	if (rc == 0 && begins)
		rc = tell_director(q, t, cause, subject,
		                   begin_text(q, t, from, (int)t->round_count),
		                   TOURNEY_TABLE | TOURNEY_PAIRINGS, e);
	return rc;
}

/* ---- rounds ---- */

/* Can mail of a pairing reach the player?  <0: the store failed. */
static int is_present(struct request *q, const char *userid, struct err *e)
{
	struct player_doc p;
	struct err why = { 0 };
	int rc = store_player_get(q->site->store, q->arena, userid, &p, &why);

	if (rc == ERR_NOT_FOUND || rc == ERR_DAMAGED)
		return 0;
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	return !p.deleted && !p.signed_off && !p.banned && p.suspended <= q->now &&
	       player_is_reachable(&p);
}

/* Notes who can't be paired in this round; *out lists them. */
static int mark_absent(struct request *q, struct tourney_doc *t, const char **out, struct err *e)
{
	char text[8000];
	struct str s = STR_FIXED(text);

	for (size_t i = 0; i < t->entry_count; i++) {
		struct tourney_entry *n = &t->entries[i];

		if (n->standing != ENTRY_PLAYS)
			continue;
		int rc = is_present(q, n->userid, e);
		if (rc < 0)
			return rc;
		n->missed = rc ? 0 : n->missed + 1;
		if (n->missed > MISSED_MAX)
			n->standing = ENTRY_WITHDRAWN;
		if (n->missed)
			str_addf(&s, "%s%zu", s.len ? " " : "", i + 1);
	}
	*out = arena_strdup(q->arena, text);
	return 0;
}

/* Writes down a round and what it is paired from. */
static void add_round(struct request *q, struct tourney_doc *t, const char *out)
{
	const char *from = tourney_results_text(q->arena, t);
	struct tourney_round *r = tourney_add_round(q->arena, t);

	r->at = q->now;
	r->from = from;
	r->out = out;
	t->due = q->now + t->round_days * DAY;
}

static int pair_swiss(struct request *q, struct tourney_doc *t, struct err *e)
{
	int round = (int)t->round_count + 1, n = 0;
	size_t from = t->game_count;
	const char *out = "";
	struct tournament_pair *pairs = NULL;
	struct tournament pure;
	int rc = mark_absent(q, t, &out, e);

	if (rc < 0)
		return rc;
	tourney_pure(q->arena, t, &pure);
	if (tournament_pair(&pure, round, q->arena, &pairs, &n) < 0)
		return tourney_finish(q, t, "no further round can be paired", e);
	add_round(q, t, out);
	for (int i = 0; rc == 0 && i < n; i++)
		rc = tourney_start_game(q, t, round, pairs[i].white + 1, pairs[i].black + 1, e);
	if (rc == 0)
		rc = store_tourney_put(q->site->store, t, e);
	return rc == 0 ? tell_games(q, t, from, true, e) : rc;
}

/* The next round of a knockout, with its first games. */
static int next_knockout(struct request *q, struct tourney_doc *t, struct err *e)
{
	int round = (int)t->round_count + 1, n = 0, rc = 0;
	size_t from = t->game_count;
	struct tournament_pair *pairs = NULL;
	struct tournament pure;

	tourney_pure(q->arena, t, &pure);
	if (tournament_pair(&pure, round, q->arena, &pairs, &n) < 0)
		return tourney_finish(q, t, "no further round can be paired", e);
	add_round(q, t, "");
	for (int i = 0; rc == 0 && i < n; i++)
		if (pairs[i].black == TOURNAMENT_BYE)
			rc = tourney_start_game(q, t, round, pairs[i].white + 1, 0, e);
	if (rc == 0)
		rc = tourney_knockout(q, t, e);
	if (rc == 1) /* nothing but byes and forfeits: look again at once */
		t->due = q->now;
	if (rc >= 0)
		rc = store_tourney_put(q->site->store, t, e);
	return rc == 0 ? tell_games(q, t, from, true, e) : rc;
}

static int next_round(struct request *q, struct tourney_doc *t, struct err *e)
{
	if ((int)t->round_count >= t->rounds)
		return tourney_finish(q, t, NULL, e);
	return t->kind == TOURNEY_KNOCKOUT ? next_knockout(q, t, e) : pair_swiss(q, t, e);
}

static int go_on_robin(struct request *q, struct tourney_doc *t, struct err *e)
{
	size_t from = t->game_count;
	int rc = tourney_robin(q, t, e);

	if (rc == 1)
		return tourney_finish(q, t, NULL, e);
	t->due = 0;
	if (rc == 0)
		rc = store_tourney_put(q->site->store, t, e);
	return rc == 0 && t->game_count > from ? tell_games(q, t, from, from == 0, e) : rc;
}

static int go_on_knockout(struct request *q, struct tourney_doc *t, struct err *e)
{
	size_t from = t->game_count;
	int rc = tourney_knockout(q, t, e);

	if (rc == 1)
		return next_round(q, t, e);
	if (rc == 0 && t->due <= q->now)
		t->due = t->round[t->round_count - 1].at + t->round_days * DAY;
	if (rc == 0 && t->due <= q->now)
		t->due = q->now + t->round_days * DAY;
	if (rc == 0)
		rc = store_tourney_put(q->site->store, t, e);
	return rc == 0 ? tell_games(q, t, from, false, e) : rc;
}

/* A round lasts long: the director decides what is to be done. */
static int ask_director(struct request *q, struct tourney_doc *t, struct err *e)
{
	const char *cause = arena_printf(q->arena, "ask %zu %lld", t->round_count,
	                                 (long long)(q->now / DAY));
	const char *text = arena_printf(
		q->arena,
		"Round %zu of the tournament %s has lasted %lld days and is not over.  Wait, or decide a game (mod tournament %s result board 1-0 why), or pair the next round now (mod tournament %s round): then the open games count as drawn until they end.",
		t->round_count, t->name,
		(long long)((q->now - t->round[t->round_count - 1].at) / DAY), t->name, t->name);

	t->due = q->now + t->round_days * DAY;
	int rc = store_tourney_put(q->site->store, t, e);
	const struct tourney_letter l = { .cause = cause,
		                          .subject = arena_printf(q->arena,
		                                                  "round %zu of %s lasts long",
		                                                  t->round_count, t->name),
		                          .headline = text,
		                          .parts = TOURNEY_PAIRINGS };
	return rc == 0 ? tourney_send(q, t, t->director, &l, e) : rc;
}

int tourney_go_on(struct request *q, struct tourney_doc *t, bool force, struct err *e)
{
	if (tourney_is_all_at_once(t))
		return go_on_robin(q, t, e);
	if (tourney_open_games(t) == 0 || force)
		return t->kind == TOURNEY_KNOCKOUT ? go_on_knockout(q, t, e) : next_round(q, t, e);
	bool late = t->round_count &&
	            q->now >= t->round[t->round_count - 1].at + t->round_days * DAY;
	if (late && t->due && t->due <= q->now && t->kind == TOURNEY_SWISS)
		return ask_director(q, t, e);
	if (t->kind == TOURNEY_KNOCKOUT)
		return go_on_knockout(q, t, e);
	t->due = t->round[t->round_count - 1].at + t->round_days * DAY;
	return store_tourney_put(q->site->store, t, e);
}

/* ---- beginning and end ---- */

static int by_seed(const void *a, const void *b)
{
	const struct tourney_entry *x = a, *y = b;

	if (x->rating != y->rating)
		return x->rating > y->rating ? -1 : 1;
	return x->lot < y->lot ? -1 : x->lot > y->lot;
}

static int tell_left_out(struct request *q, const struct tourney_doc *t, struct err *e)
{
	const struct tourney_letter l = {
		.cause = "left-out",
		.subject = arena_printf(q->arena, "%s begins without you", t->name),
		.headline = arena_printf(
			q->arena, "The tournament %s begins, and there was no place for you in it.",
			t->name)
	};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++)
		if (t->entries[i].standing != ENTRY_PLAYS)
			rc = tourney_send(q, t, t->entries[i].userid, &l, e);
	return rc;
}

/* Ratings, lots and order are those of this moment, for good. */
static int freeze_entries(struct request *q, struct tourney_doc *t, struct err *e)
{
	size_t n = 0;
	int rc = tell_left_out(q, t, e);

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		if (t->entries[i].standing != ENTRY_PLAYS)
			continue;
		t->entries[n] = t->entries[i];
		t->entries[n].first_round = 1;
		rc = tourney_entry_freeze(q, t, &t->entries[n++], e);
	}
	t->entry_count = n;
	if (n)
		qsort(t->entries, n, sizeof *t->entries, by_seed);
	return rc;
}

int tourney_start(struct request *q, struct tourney_doc *t, struct err *e)
{
	int rc = freeze_entries(q, t, e);

	if (rc < 0)
		return rc;
	t->state = TOURNEY_RUNNING;
	t->started = q->now;
	t->lot = tourney_entry_lot(q, t, "");
	t->rounds = tournament_round_count((enum tournament_kind)t->kind, (int)t->entry_count,
	                                   t->rounds);
	if (!tourney_is_all_at_once(t))
		return next_round(q, t, e);
	for (int i = 0; i < t->rounds; i++)
		add_round(q, t, "");
	return go_on_robin(q, t, e);
}

static const char *winner_text(struct request *q, const struct tourney_doc *t,
                               const struct tournament_row *rows)
{
	const char *first = t->entries[rows[0].entry].userid;
	size_t n = 1;

	while (n < t->entry_count && tourney_place(rows, n) == rows[0].place)
		n++;
	if (n > 2)
		return arena_printf(q->arena, "%zu players share the first place.", n);
	if (n == 2)
		return arena_printf(q->arena, "%s and %s share the first place.", first,
		                    t->entries[rows[1].entry].userid);
	return arena_printf(q->arena, "%s has won it.", first);
}

/* again: a result has changed since the end. */
static int tell_end(struct request *q, const struct tourney_doc *t, bool again, struct err *e)
{
	const struct tournament_row *rows = tourney_rows(q->arena, t);
	const char *winner = winner_text(q, t, rows);
	struct tourney_letter l = {
		.cause = arena_printf(q->arena, again ? "again %lld" : "end %lld",
		                      (long long)q->now),
		.subject = arena_printf(q->arena,
		                        again ? "another table of %s" : "the tournament %s is over",
		                        t->name),
		.parts = TOURNEY_TABLE
	};
	int rc = 0;

	if (again)
		winner = arena_printf(
			q->arena, "A game has another result since, and this is the table now.  %s",
			winner);
	else if (t->reason)
		winner = arena_printf(q->arena, "It has ended before its last round: %s.  %s",
		                      t->reason, winner);
	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		const struct tourney_entry *n = &t->entries[rows[i].entry];

		if (n->standing != ENTRY_PLAYS)
			continue;
		l.headline = arena_printf(
			q->arena,
			"The tournament %s is over.  You have place %d of %zu, with %s points.  %s",
			t->name, tourney_place(rows, i), t->entry_count,
			points_of(q, rows[i].points), winner);
		rc = tourney_send(q, t, n->userid, &l, e);
	}
	if (rc == 0)
		rc = tell_director(
			q, t, l.cause, l.subject,
			arena_printf(q->arena, "The tournament %s is over.  %s", t->name, winner),
			TOURNEY_WHOLE, e);
	return rc;
}

static int tell_cancelled(struct request *q, const struct tourney_doc *t, struct err *e)
{
	const struct tourney_letter l = {
		.cause = "cancelled",
		.subject = arena_printf(q->arena, "the tournament %s does not take place", t->name),
		.headline = arena_printf(q->arena, "The tournament %s does not take place: %s.",
		                         t->name, t->reason)
	};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++)
		rc = tourney_send(q, t, t->entries[i].userid, &l, e);
	return rc == 0 ? tell_director(q, t, l.cause, l.subject, l.headline, 0, e) : rc;
}

int tourney_finish(struct request *q, struct tourney_doc *t, const char *why, struct err *e)
{
	bool again = t->state == TOURNEY_FINISHED;
	bool begun = again || (t->state == TOURNEY_RUNNING && t->round_count > 0);

	t->state = begun ? TOURNEY_FINISHED : TOURNEY_CANCELLED;
	t->reason = again ? t->reason : why;
	t->ended = again ? t->ended : q->now;
	t->due = 0;
	int rc = store_tourney_put(q->site->store, t, e);
	return rc < 0 ? rc : begun ? tell_end(q, t, again, e) : tell_cancelled(q, t, e);
}

static int leave_ladder(struct request *q, struct tourney_doc *t, const char *userid, int number,
                        struct err *e)
{
	int rc = tourney_lose_games(q, t, number, e);

	if (rc < 0)
		return rc;
	tourney_ladder_remove(t, tourney_find(t, userid));
	return store_tourney_put(q->site->store, t, e);
}

int tourney_withdraw(struct request *q, struct tourney_doc *t, int number, struct err *e)
{
	struct tourney_entry *n = &t->entries[number - 1];
	int over = 0, all = 0;

	if (t->kind == TOURNEY_LADDER)
		return leave_ladder(q, t, n->userid, number, e);
	n->standing = ENTRY_WITHDRAWN;
	if (t->kind == TOURNEY_SWISS)
		return store_tourney_put(q->site->store, t, e);
	tourney_share(t, number, &over, &all);
	n->void_games = tourney_is_all_at_once(t) && 2 * over < all;
	int rc = tourney_lose_games(q, t, number, e);
	if (rc == 0 && t->state == TOURNEY_RUNNING) {
		t->due = q->now;
		rc = store_tourney_put(q->site->store, t, e);
	}
	return rc;
}
