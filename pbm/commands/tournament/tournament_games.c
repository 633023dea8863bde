#include "pbm/commands/tournament/tournament_games.h"

#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/record/match.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_teams.h"
#include "store/store_documents.h"

/* A request of its own for each game, whose memory is freed with it. */
static struct request *begin_request(struct arena *a, const struct request *q)
{
	struct request *own = arena_alloc(a, sizeof *own);

	*own = (struct request){ .site = q->site, .arena = a, .now = q->now };
	return own;
}

static int make_game(struct request *q, const struct tournament_doc *t, int round, int white,
                     int black, int64_t *board, struct err *e)
{
	struct match *m = arena_alloc(q->arena, sizeof *m);
	struct game_doc d = game_doc_terms(&t->terms);

	d.players[0] = t->entries[white - 1].userid;
	d.players[1] = t->entries[black - 1].userid;
	d.tournament = t->name;
	d.round = round;
	d.created = q->now;
	if (store_next_board(q->site->store, &d.board, e) < 0 ||
	    match_create(q->arena, &d, m, e) < 0 || request_start(q, m, e) < 0)
		return e->code;
	*board = d.board;
	return request_save(q, m, e);
}

/* Adds a game without a result. */
static struct tournament_game *add_game(struct request *q, struct tournament_doc *t, int round,
                                        int white, int black, int64_t board)
{
	struct tournament_game *g = tournament_add_game(q->arena, t);

	*g = (struct tournament_game){
		.round = round, .white = white, .black = black, .board = board
	};
	return g;
}

/* Gives a point without play to the unit that is present; nobody gets one when both are gone. */
static void give_point(struct request *q, struct tournament_doc *t, int round, int white, int black)
{
	struct tournament_game *g = add_game(q, t, round, white, black, 0);
	bool w = tournament_can_play(t, white), b = tournament_can_play(t, black);

	g->over = true;
	g->points[0] = w ? 2 : 0;
	g->points[1] = b && !w ? 2 : 0;
	g->annulled = !w && !b;
}

static int start_board(struct request *q, struct tournament_doc *t, int round, int white, int black,
                       struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	int64_t board = 0;

	if (!tournament_can_play(t, white) || !tournament_can_play(t, black)) {
		give_point(q, t, round, white, black);
		return 0;
	}
	int rc = make_game(begin_request(&a, q), t, round, white, black, &board, e);
	if (rc == 0)
		add_game(q, t, round, white, black, board);
	return rc;
}

int tournament_start_pairing(struct request *q, struct tournament_doc *t, int round, int white,
                             int black, struct err *e)
{
	int line[2][TOURNAMENT_BOARDS_MAX] = { { 0 } }, rc = 0;

	tournament_lineup(t, white, line[0]);
	if (!black) {
		struct tournament_game *g = add_game(q, t, round, line[0][0], 0, 0);

		g->over = true;
		g->points[0] = 2;
		return 0;
	}
	tournament_lineup(t, black, line[1]);
	for (int i = 0; rc == 0 && i < tournament_boards(t); i++)
		rc = start_board(q, t, round, line[i % 2][i], line[1 - i % 2][i], e);
	return rc;
}

/* ---- round robin ---- */

static bool has_game(const struct tournament_doc *t, int round, int white, int black)
{
	for (size_t i = 0; i < t->game_count; i++) {
		const struct tournament_game *g = &t->games[i];

		if (g->round == round && tournament_unit_of(t, g->white) == white &&
		    tournament_unit_of(t, g->black) == black)
			return true;
	}
	return false;
}

static int open_games_of(const struct tournament_doc *t, int number)
{
	int n = 0;

	for (size_t i = 0; i < t->game_count; i++)
		n += !t->games[i].over &&
		     (t->games[i].white == number || t->games[i].black == number);
	return n;
}

/* May the unit begin one more pairing?  A member of a team has one game in each. */
static bool is_free(const struct tournament_doc *t, int unit)
{
	int open = t->by_teams ? tournament_open_pairings(t, unit) : open_games_of(t, unit);
	int more = t->by_teams ? 1 : tournament_boards(t);

	return !t->at_once || !open || open + more <= t->at_once;
}

static bool has_left(const struct tournament_doc *t, int unit)
{
	return t->by_teams ? t->teams[unit - 1].standing != ENTRY_PLAYS
	                   : !tournament_can_play(t, unit);
}

/* 1: the games wait; 0: they started, or need no play. */
static int robin_pair(struct request *q, struct tournament_doc *t, int round, int white, int black,
                      struct err *e)
{
	if (has_game(t, round, white, black))
		return 0;
	if (!has_left(t, white) && !has_left(t, black) &&
	    (!is_free(t, white) || !is_free(t, black)))
		return 1;
	return tournament_start_pairing(q, t, round, white, black, e);
}

int tournament_robin(struct request *q, struct tournament_doc *t, struct err *e)
{
	struct pairing pure;
	size_t waiting = 0;
	int rc = 0;

	tournament_pure(q->arena, t, 0, &pure);
	for (int round = 1; rc >= 0 && round <= t->rounds; round++) {
		struct pairing_pair *pairs = NULL;
		int n = 0;

		if (pairing_make(&pure, round, q->arena, &pairs, &n) < 0)
			continue;
		for (int i = 0; rc >= 0 && i < n; i++) {
			rc = pairs[i].black == PAIRING_BYE
			             ? 0
			             : robin_pair(q, t, round, pairs[i].white + 1,
			                          pairs[i].black + 1, e);
			waiting += rc == 1;
		}
	}
	return rc < 0 ? rc : waiting == 0 && tournament_open_games(t) == 0;
}

/* ---- knockout ---- */

/* Decides the games from this one on without play: the better seed wins them, and goes on. */
static void decide_without_play(struct tournament_doc *t, size_t from, int better)
{
	for (size_t i = from; i < t->game_count; i++)
		if (!t->games[i].annulled)
			return;
	for (size_t i = from; i < t->game_count; i++) {
		struct tournament_game *g = &t->games[i];

		g->annulled = false;
		g->points[tournament_unit_of(t, g->white) != better] = 2;
	}
}

/* 1: the match is decided; 0: a game goes on. */
static int play_match(struct request *q, struct tournament_doc *t, const struct pairing_pair *pair,
                      struct err *e)
{
	int round = (int)t->round_count, rc = 0;

	for (int guard = 0; rc == 0 && guard < 2 * GAME_BEST_OF_MAX; guard++) {
		struct pairing pure;
		size_t from = t->game_count;

		tournament_pure(q->arena, t, 0, &pure);
		struct pairing_match m = pairing_knockout_next(&pure, round, pair);
		if (m.state != PAIRING_MATCH_NEXT)
			return m.state == PAIRING_MATCH_DECIDED;
		rc = tournament_start_pairing(q, t, round, m.white + 1, m.black + 1, e);
		decide_without_play(t, from, pair->white + 1);
	}
	return rc;
}

int tournament_knockout(struct request *q, struct tournament_doc *t, struct err *e)
{
	struct pairing pure;
	struct pairing_pair *pairs = NULL;
	int n = 0, decided = 0, rc = 0;

	tournament_pure(q->arena, t, 0, &pure);
	if (pairing_make(&pure, (int)t->round_count, q->arena, &pairs, &n) < 0)
		return 1;
	for (int i = 0; rc >= 0 && i < n; i++) {
		rc = pairs[i].black == PAIRING_BYE ? 1 : play_match(q, t, &pairs[i], e);
		decided += rc == 1;
	}
	return rc < 0 ? rc : decided == n;
}

/* ---- who leaves ---- */

/* The words about the game that ends so, for the player who left and for the opponent. */
static const char *headline_of(struct request *q, const struct tournament_doc *t, bool own,
                               const char *who)
{
	if (t->kind == TOURNAMENT_LADDER)
		return own ? "You have left the ladder, so you lose this game."
		           : arena_printf(q->arena,
		                          "%s has left the ladder, so %s loses this game.", who,
		                          who);
	return own ? arena_printf(q->arena,
	                          "You play in the tournament %s no longer, so you lose this game.",
	                          t->name)
	           : arena_printf(q->arena,
	                          "%s plays in the tournament %s no longer, so %s loses this game.",
	                          who, t->name, who);
}

static int lose_game(struct request *q, const struct tournament_doc *t, int64_t board,
                     const char *who, struct err *e)
{
	struct match *m = request_match(q, board, e);

	if (!m)
		return e->code;
	uint8_t seat = match_seat_of(m, who);
	if (m->doc.state != GAME_RUNNING || seat == SEAT_NONE)
		return 0;
	snprintf(q->cause, sizeof q->cause, "left %lld", (long long)board);
	match_end(m, seat == SEAT_WHITE ? "0-1" : "1-0",
	          arena_printf(q->arena,
	                       t->kind == TOURNAMENT_LADDER
	                               ? "%s left the ladder"
	                               : "%s no longer played in the tournament",
	                       who),
	          seat, q->now);
	for (uint8_t i = 0; i < 2; i++) {
		struct note *n = request_note(q, m->doc.players[i], board,
		                              NOTE_BOARD | NOTE_MOVES | NOTE_FINAL);
		n->seat = i;
		n->headline = headline_of(q, t, i == seat, who);
	}
	int rc = request_save(q, m, e);
	return rc == 0 ? notify_all(q, e) : rc;
}

int tournament_lose_games(struct request *q, struct tournament_doc *t, int number, struct err *e)
{
	const char *who = t->entries[number - 1].userid;
	int rc = store_tournament_put(q->site->store, t, e);

	for (size_t i = 0; rc == 0 && i < t->game_count; i++) {
		const struct tournament_game *g = &t->games[i];
		AUTO(arena_release) struct arena a = { 0 };

		if (g->over || (g->white != number && g->black != number))
			continue;
		rc = lose_game(begin_request(&a, q), t, g->board, who, e);
	}
	return rc == 0 ? store_tournament_get(q->site->store, q->arena, t->name, t, e) : rc;
}

int tournament_lose_team(struct request *q, struct tournament_doc *t, int team, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++)
		if (t->entries[i].team == team)
			rc = tournament_lose_games(q, t, (int)i + 1, e);
	return rc;
}
