#include "pbm/tournament/tournament_bracket.h"

#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_teams.h"
#include "pbm/tournament/tournament_words.h"

#define INDENT 6 /* columns of a round */

struct field_view {
	struct arena *a;
	const struct tournament_doc *t;
	struct pairing pure;
	int first; /* round */
};

static struct pairing_pair *pairs_of(struct field_view *b, int round, int *n)
{
	struct pairing_pair *pairs = NULL;

	*n = 0;
	return pairing_make(&b->pure, round, b->a, &pairs, n) < 0 ? NULL : pairs;
}

/* Writes the winner's marks in the games of the match, in their order: "1=". */
static void write_marks(const struct field_view *b, int round, const struct pairing_pair *m,
                        int winner, struct str *s)
{
	struct tournament_pairing p;

	for (size_t at = 0; tournament_next_pairing(b->t, 0, &at, &p);) {
		bool own = p.white == m->white + 1 || p.white == m->black + 1;

		if (p.round != round || !own)
			continue;
		str_add(s, b->t->by_teams ? " " : "");
		tournament_write_pairing(b->t, &p, winner, s);
	}
}

/* The winner of a match, or ? while it goes on. */
static void write_winner(struct field_view *b, int round, size_t place, struct bracket_line *out)
{
	struct str s = STR_LOCAL(200);
	int n;
	const struct pairing_pair *pairs = pairs_of(b, round, &n);
	const struct pairing_pair *m = place < (size_t)n ? &pairs[place] : NULL;

	struct pairing_match r = { .state = PAIRING_MATCH_NEXT };

	if (m)
		r = pairing_knockout_next(&b->pure, round, m);
	str_addf(&s, "%*s", INDENT * (round - b->first + 1), "");
	if (r.state != PAIRING_MATCH_DECIDED) {
		str_add(&s, "?");
	} else {
		str_addf(&s, "%s  ", tournament_unit_name(b->t, r.winner + 1));
		write_marks(b, round, m, r.winner + 1, &s);
		out->drawn = r.tiebreak && s.data[s.len - 1] == '=';
	}
	out->text = arena_strdup(b->a, s.data);
}

size_t tournament_bracket(struct arena *a, const struct tournament_doc *t, size_t entrants,
                          const struct bracket_line **out)
{
	struct field_view b = { .a = a, .t = t, .first = 1 };
	int n = 0, rounds = (int)t->round_count;

	if (t->kind != TOURNAMENT_KNOCKOUT || rounds == 0)
		return 0;
	tournament_pure(a, t, 0, &b.pure);
	const struct pairing_pair *pairs = pairs_of(&b, b.first, &n);
	while (2 * (size_t)n > entrants && b.first < rounds)
		pairs = pairs_of(&b, ++b.first, &n);
	if (!pairs)
		return 0;
	size_t count = 4 * (size_t)n - 1; /* entrants, and the matches between them */
	struct bracket_line *v = arena_alloc(a, count * sizeof *v);
	for (size_t i = 0; i < count; i++) {
		int level = 0;

		for (size_t k = i + 1; k % 2 == 0; k /= 2)
			level++;
		v[i].level = level;
		int who = level == 0 && i % 4 == 0 ? pairs[i / 4].white : pairs[i / 4].black;
		if (level > 0)
			write_winner(&b, b.first + level - 1, (i + 1) >> (level + 1), &v[i]);
		else
			v[i].text = who == PAIRING_BYE ? "-" : tournament_unit_name(t, who + 1);
	}
	*out = v;
	return count;
}
