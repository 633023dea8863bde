#include "pbm/tournament/tournament_trf.h"

#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_words.h"

/* ---- writing ---- */

/* "2026/12/31"; "" where there is no time. */
static const char *date_of(struct arena *a, int64_t t)
{
	const char *iso = CLOCK_ISO(t);

	if (!t)
		return "";
	return arena_printf(a, "%.4s/%.2s/%.2s", iso, iso + 5, iso + 8);
}

static char result_of(const struct tournament_game *g, int side)
{
	int own = g->points[side];

	if (!g->over)
		return ' ';
	if (g->played)
		return "0=1"[own];
	return own == 1 ? 'D' : "-?+"[own];
}

static void put_game(struct trf *f, const struct tournament_game *g, size_t column)
{
	int sides[2] = { g->white, g->black };

	if (column + 1 > f->round_count)
		f->round_count = column + 1;
	if (!g->black) {
		f->players[g->white - 1].round[column] = (struct trf_result){
			0, '-', g->points[0] == 1 ? 'H' : 'U'
		};
		return;
	}
	for (int side = 0; side < 2; side++)
		f->players[sides[side] - 1]
			.round[column] = g->annulled
		                                 ? (struct trf_result){ 0, '-', 'Z' }
		                                 : (struct trf_result){ sides[!side], "wb"[side],
			                                                result_of(g, side) };
}

/* The first column from `from` on in which neither player has a game. */
static size_t free_column(const struct trf *f, const struct tournament_game *g, size_t from)
{
	while (from + 1 < TRF_ROUNDS_MAX &&
	       (f->players[g->white - 1].round[from].colour ||
	        (g->black && f->players[g->black - 1].round[from].colour)))
		from++;
	return from;
}

/* Rounds without a game: before a late entry, and those in which a player was not paired. */
static void put_byes(const struct tournament_doc *t, struct trf *f, size_t column, int round)
{
	for (size_t i = 0; i < t->entry_count; i++) {
		struct trf_result *r = &f->players[i].round[column];
		bool half = t->entries[i].seed_points == 1 && round == 1;

		if (!r->colour)
			*r = (struct trf_result){ 0, '-', half ? 'H' : 'Z' };
	}
}

/* Games of a round robin stand in the order of their rounds only after sorting. */
static void put_rounds(struct arena *a, const struct tournament_doc *t, struct trf *f)
{
	size_t from = 0;

	f->dates = arena_alloc(a, TRF_ROUNDS_MAX * sizeof *f->dates);
	for (int round = 1; round <= (int)t->round_count && from < TRF_ROUNDS_MAX; round++) {
		for (size_t i = 0; i < t->game_count; i++)
			if (t->games[i].round == round)
				put_game(f, &t->games[i], free_column(f, &t->games[i], from));
		for (; from < f->round_count; from++) {
			f->dates[from] = date_of(a, t->round[round - 1].at) + 2;
			if (tournament_pairing_kind(t) == PAIRING_SWISS)
				put_byes(t, f, from, round);
		}
	}
}

static void put_teams(struct arena *a, const struct tournament_doc *t, struct trf *f)
{
	f->teams = arena_alloc(a, (t->team_count + 1) * sizeof *f->teams);
	f->team_count = t->team_count;
	for (size_t i = 0; i < t->team_count; i++) {
		int *members = arena_alloc(a, (t->entry_count + 1) * sizeof *members);
		size_t n = 0;

		for (size_t k = 0; k < t->entry_count; k++)
			if (t->entries[k].team == (int)i + 1)
				members[n++] = (int)k + 1;
		f->teams[i] = (struct trf_team){ t->teams[i].name, n, members };
	}
}

/* Points of the results in the file, which are those over the board of a team's player. */
static void count_points(struct trf *f)
{
	for (size_t i = 0; i < f->player_count; i++)
		for (size_t k = 0; k < f->round_count; k++) {
			int points = trf_points(f->players[i].round[k].result);

			f->players[i].points += points > 0 ? points : 0;
		}
}

void tournament_trf_make(struct arena *a, const struct tournament_doc *t, struct trf *out)
{
	static const char *const types[] = {
		[TOURNAMENT_SWISS] = "Individual: Swiss-System",
		[TOURNAMENT_ROUND_ROBIN] = "Individual: Round-Robin",
		[TOURNAMENT_DOUBLE] = "Individual: Double-Round-Robin",
		[TOURNAMENT_KNOCKOUT] = "Individual: Knockout",
		[TOURNAMENT_LADDER] = "Individual: Ladder",
		[TOURNAMENT_SIMUL] = "Individual: Simul",
	};
	const struct pairing_row *rows = tournament_rows(a, t);
	const char *type = types[t->kind];
	bool swiss = t->kind == TOURNAMENT_SWISS;

	*out = (struct trf){ .name = t->name,
		             .type = t->by_teams ? arena_printf(a, "Team%s", strchr(type, ':'))
		                                 : type,
		             .arbiter = t->director,
		             .times = arena_printf(a, "%d days a move, %d in reserve",
		                                   t->terms.days, t->terms.reserve),
		             .begin = date_of(a, t->started),
		             .end = date_of(a, t->ended),
		             .rounds = t->rounds,
		             .colour_said = swiss,
		             .black_first = t->lot % 2 != 0,
		             .player_count = t->entry_count };
	out->players = arena_alloc(a, (t->entry_count + 1) * sizeof *out->players);
	for (size_t i = 0; i < t->entry_count; i++)
		out->players[i] = (struct trf_player){
			.number = (int)i + 1,
			.name = t->entries[i].userid,
			.rating = t->entries[i].rating,
			.rank = tournament_line_of(t, rows, tournament_unit_of(t, (int)i + 1)),
			.round = arena_alloc(a, TRF_ROUNDS_MAX * sizeof *out->players[i].round)
		};
	put_rounds(a, t, out);
	put_teams(a, t, out);
	count_points(out);
}

/* ---- reading ---- */

static bool is_same_player(const struct trf_player *p, const struct tournament_entry *n)
{
	return strcmp(p->name, n->userid) == 0;
}

static bool is_same_result(const struct trf_result *a, const struct trf_result *b)
{
	return a->opponent == b->opponent && (!a->opponent || a->colour == b->colour);
}

/* A player who has asked for the round off has no pair in it; only such a player has a bye of half a
 * point. */
static int check_bye(const struct tournament_entry *n, const struct trf_result *r, struct err *e)
{
	bool has = r->colour && r->result != 'Z';

	if (n->asks_bye && has && r->result != 'H')
		return err_set(e, ERR_BAD, "%s has asked for this round off", n->userid);
	if (!n->asks_bye && has && r->result == 'H')
		return err_set(e, ERR_BAD, "%s has not asked for this round off", n->userid);
	return 0;
}

int tournament_trf_pairs(struct arena *a, const struct tournament_doc *t, const struct trf *f,
                         struct tournament_pair *list, size_t *n, struct err *e)
{
	size_t round = t->round_count;
	struct trf own;

	*n = 0;
	tournament_trf_make(a, t, &own);
	if (f->player_count != t->entry_count)
		return err_set(e, ERR_BAD,
		               "the file has %zu players, and the tournament %s has %zu",
		               f->player_count, t->name, t->entry_count);
	if (f->round_count != round + 1)
		return err_set(e, ERR_BAD, "the file has %zu rounds, and round %zu is to be paired",
		               f->round_count, round + 1);
	for (size_t i = 0; i < f->player_count; i++) {
		const struct trf_player *p = &f->players[i];
		const struct trf_result *r = &p->round[round];

		if (!is_same_player(p, &t->entries[i]))
			return err_set(e, ERR_BAD, "player %zu is %s here, not \"%.40s\"", i + 1,
			               t->entries[i].userid, p->name);
		for (size_t k = 0; k < round; k++)
			if (!is_same_result(&p->round[k], &own.players[i].round[k]))
				return err_set(e, ERR_BAD,
				               "player %zu had another game here in round %zu",
				               i + 1, k + 1);
		if (check_bye(&t->entries[i], r, e) < 0)
			return e->code;
		if (r->opponent ? r->colour == 'w' : r->colour && strchr("UF", r->result))
			list[(*n)++] = (struct tournament_pair){ (int)i + 1, r->opponent };
	}
	return *n ? 0 : err_set(e, ERR_BAD, "the file has no pairs in round %zu", round + 1);
}

/* The rounds that were paired: a file may say of later ones who will be absent. */
static size_t paired_rounds(const struct trf *f)
{
	size_t n = f->round_count;

	for (; n; n--)
		for (size_t i = 0; i < f->player_count; i++) {
			const struct trf_result *r = &f->players[i].round[n - 1];

			if (r->opponent || (r->colour && strchr("UF", r->result)))
				return n;
		}
	return n;
}

/* Adds a player's game in which he has White, or his bye. */
static int take_game(struct arena *a, const struct trf *f, const struct trf_player *p, size_t round,
                     struct tournament_doc *t, struct err *e)
{
	const struct trf_result *r = &p->round[round];
	/* A half point in round 1 is that of a late entry. */
	bool bye = !r->opponent && r->colour && strchr(round ? "UFH" : "UF", r->result);

	if (!bye && (!r->opponent || r->colour != 'w'))
		return 0;
	if (r->result == ' ')
		return err_set(e, ERR_BAD, "player %d, round %zu: the game has no result",
		               p->number, round + 1);
	struct tournament_game *g = tournament_add_game(a, t);
	*g = (struct tournament_game){ .round = (int)round + 1,
		                       .white = p->number,
		                       .black = r->opponent,
		                       .over = true,
		                       .played = strchr("10=", r->result) != NULL };
	g->points[0] = trf_points(r->result);
	if (r->opponent) {
		g->points[1] = trf_points(f->players[r->opponent - 1].round[round].result);
		g->annulled = !g->points[0] && !g->points[1];
	}
	return 0;
}

int tournament_trf_take(struct arena *a, const struct trf *f, const char *const *userids,
                        int64_t now, struct tournament_doc *t, struct err *e)
{
	size_t rounds = paired_rounds(f);
	int rc = 0;

	for (size_t i = 0; i < f->player_count; i++) {
		const struct trf_result *first = &f->players[i].round[0];

		*tournament_add_entry(a, t) = (struct tournament_entry){
			.userid = userids[i],
			.standing = ENTRY_PLAYS,
			.at = now,
			.rating = f->players[i].rating,
			.first_round = 1,
			.seed_points = f->round_count && first->colour && first->result == 'H'
		};
	}
	for (size_t round = 0; rc == 0 && round < rounds; round++) {
		struct tournament_round *r = tournament_add_round(a, t);

		r->at = now;
		r->from = tournament_results_text(a, t);
		for (size_t i = 0; rc == 0 && i < f->player_count; i++)
			rc = take_game(a, f, &f->players[i], round, t, e);
	}
	return rc;
}
