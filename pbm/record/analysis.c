#include "pbm/record/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "games/notation/notation.h"
#include "pbm/record/match_text.h"

#define MISTAKE 200

void analysis_write(const struct match *m, size_t ply, const struct analysis_entry *a,
                    struct str *out)
{
	str_add(out, out->len ? ";" : "");
	if (a->proved)
		str_addf(out, "%c%d ", a->proved > 0 ? 'w' : 'l', abs(a->proved));
	else
		str_addf(out, "%d ", a->score);
	game_write_uci(&m->game, &m->positions[ply], &a->best, out);
}

static int clamp(long n)
{
	return n > ANALYSIS_SCORE_MAX    ? ANALYSIS_SCORE_MAX
	       : n < -ANALYSIS_SCORE_MAX ? -ANALYSIS_SCORE_MAX
	                                 : (int)n;
}

static bool read_entry(const struct match *m, size_t ply, const char *text, size_t len,
                       struct analysis_entry *out)
{
	bool proved = *text == 'w' || *text == 'l';
	char *end;
	long n = strtol(text + proved, &end, 10);
	size_t used = (size_t)(end - text);

	if (used == (size_t)proved || used >= len || *end != ' ' || (proved && n <= 0))
		return false;
	int sign = *text == 'l' ? -1 : 1;
	out->proved = proved ? sign * clamp(n) : 0;
	out->score = proved ? sign * ANALYSIS_SCORE_MAX : clamp(n);
	return game_read_move(&m->game, &m->positions[ply], end + 1, len - used - 1, &out->best,
	                      NULL, NULL) == 0;
}

size_t analysis_read(const struct match *m, struct analysis_entry *entries)
{
	const char *at = m->doc.analysis;
	size_t n = 0;

	for (; at && *at && n < m->ply && n < ANALYSIS_PLIES_MAX; n++) {
		size_t len = strcspn(at, ";");

		if (!read_entry(m, n, at, len, &entries[n]))
			return 0;
		at += len + (at[len] == ';');
	}
	return n;
}

enum analysis_loss analysis_loss(const struct match *m, const struct analysis_entry *entries,
                                 size_t n, size_t i, int *points)
{
	if (i + 1 >= n)
		return ANALYSIS_FINE;
	*points = entries[i].score + entries[i + 1].score;
	if (game_is_same_turn(&m->game, &m->positions[i], &m->moves[i].move, &entries[i].best))
		return ANALYSIS_FINE;
	if (entries[i].proved > 0 && entries[i + 1].proved >= 0)
		return ANALYSIS_LOST_WIN;
	return *points >= MISTAKE ? ANALYSIS_MISTAKE : ANALYSIS_FINE;
}

const char *analysis_mistake(struct arena *a, const struct match *m,
                             const struct analysis_entry *entry, size_t i, enum analysis_loss loss,
                             int points)
{
	struct str turn = STR_LOCAL(128);
	const char *best = match_turn(a, m, &m->positions[i], &entry->best);

	match_write_ply(m, i + 1, &turn);
	int moves = (entry->proved + 1) / 2;
	if (loss == ANALYSIS_LOST_WIN)
		return arena_printf(a,
		                    moves == 1 ? "%s gave away a proved win: %s wins in %d move."
		                               : "%s gave away a proved win: %s wins in %d moves.",
		                    turn.data, best, moves);
	return arena_printf(a, "%s cost %d.%d pawns: %s was better.", turn.data, points / 100,
	                    points / 10 % 10, best);
}

const char *analysis_news(struct arena *a, const struct match *m, uint8_t seat)
{
	struct analysis_entry *entries = arena_alloc(a, (m->ply + 1) * sizeof *entries);
	size_t n = analysis_read(m, entries);
	const char *worst = "No turn of yours cost two pawns or a proved win.";
	int most = 0;

	for (size_t i = 0; i < n; i++) {
		int points = 0;
		enum analysis_loss loss = analysis_loss(m, entries, n, i, &points);

		if (loss == ANALYSIS_FINE || m->positions[i].to_move != seat)
			continue;
		if (loss == ANALYSIS_LOST_WIN)
			points = 2 * ANALYSIS_SCORE_MAX + 1; /* the first of these says most */
		if (points <= most)
			continue;
		most = points;
		worst = analysis_mistake(a, m, &entries[i], i, loss, points);
	}
	return arena_printf(a, "Board %lld is analysed.  %s", (long long)m->doc.board, worst);
}
