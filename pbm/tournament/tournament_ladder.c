#include "pbm/tournament/tournament_ladder.h"

#include <string.h>

#include "games/variants/registry.h"
#include "pbm/base/str.h"

#define GAMES_KEPT 1000
#define DIRECTOR "server" /* nobody can have this name */

const char *tournament_ladder_name(struct arena *a, const char *game)
{
	return arena_printf(a, TOURNAMENT_LADDER_PREFIX "%s", game);
}

const char *tournament_ladder_of(const char *name)
{
	size_t n = name ? str_prefix(name, TOURNAMENT_LADDER_PREFIX) : 0;

	return n ? rules_title(name + n) : NULL;
}

void tournament_ladder_make(struct arena *a, const char *game, int64_t now,
                            struct tournament_doc *out)
{
	*out = (struct tournament_doc){ .name = tournament_ladder_name(a, game),
		                        .kind = TOURNAMENT_LADDER,
		                        .state = TOURNAMENT_RUNNING,
		                        .director = DIRECTOR,
		                        .terms = { .game = game,
		                                   .options = "",
		                                   .rated = true,
		                                   .days = TOURNAMENT_LADDER_DAYS,
		                                   .forfeit = TOURNAMENT_LADDER_DAYS },
		                        .least = 2,
		                        .most = TOURNAMENT_PLAYERS_MAX,
		                        .round_days = 1,
		                        .created = now,
		                        .started = now };
	tournament_add_round(a, out)->at = now;
}

void tournament_ladder_win(struct arena *a, struct tournament_doc *t,
                           const struct tournament_game *g)
{
	struct tournament_entry *moved = arena_alloc(a, (t->entry_count + 1) * sizeof *moved);
	int from = g->black - 1, to = g->white - 1;

	for (size_t i = 0; i < t->entry_count; i++)
		moved[ladder_after_win((int)i, from, to)] = t->entries[i];
	memcpy(t->entries, moved, t->entry_count * sizeof *moved);
	for (size_t i = 0; i < t->game_count; i++) {
		t->games[i].white = ladder_after_win(t->games[i].white - 1, from, to) + 1;
		t->games[i].black = ladder_after_win(t->games[i].black - 1, from, to) + 1;
	}
}

void tournament_ladder_remove(struct tournament_doc *t, int number)
{
	size_t n = 0;

	for (size_t i = 0; i < t->game_count; i++) {
		struct tournament_game g = t->games[i];

		if (g.white == number || g.black == number)
			continue;
		g.white -= g.white > number;
		g.black -= g.black > number;
		t->games[n++] = g;
	}
	t->game_count = n;
	t->entry_count--;
	memmove(&t->entries[number - 1], &t->entries[number],
	        (t->entry_count - (size_t)(number - 1)) * sizeof *t->entries);
}

void tournament_ladder_trim(struct tournament_doc *t)
{
	size_t n = 0, surplus = t->game_count > GAMES_KEPT ? t->game_count - GAMES_KEPT : 0;

	for (size_t i = 0; i < t->game_count; i++) {
		if (surplus && t->games[i].over)
			surplus--;
		else
			t->games[n++] = t->games[i];
	}
	t->game_count = n;
}

const struct tournament_game *tournament_ladder_open(const struct tournament_doc *t, int number,
                                                     bool made)
{
	for (size_t i = 0; i < t->game_count; i++)
		if (!t->games[i].over && (made ? t->games[i].black : t->games[i].white) == number)
			return &t->games[i];
	return NULL;
}
