/* The engine's judgement on the page of a game: the graph, the mistakes. */
#include "pbm/archive/pages/game_page.h"

#include "pbm/record/analysis.h"

#define HEIGHT 100 /* of the graph, in its own units; a turn is STEP wide */
#define STEP 4

/* White's score of an entry, as a height: 0 is White's win. */
static int height(const struct match *m, size_t ply, const struct analysis_entry *entry)
{
	int white = m->positions[ply].to_move == WHITE ? entry->score : -entry->score;

	return HEIGHT / 2 - white * (HEIGHT / 2) / ANALYSIS_SCORE_MAX;
}

/* "M0,50L4,48": the line of all scores. */
static json_t *path_json(const struct match *m, const struct analysis_entry *entries, size_t n)
{
	AUTO(str_release) struct str s = str_heap(64 * ANALYSIS_PLIES_MAX);

	for (size_t i = 0; i < n; i++)
		str_addf(&s, "%c%zu,%d", i ? 'L' : 'M', i * STEP, height(m, i, &entries[i]));
	return json_stringn(s.data, s.len);
}

static json_t *mistakes_json(struct arena *a, const struct match *m,
                             const struct analysis_entry *entries, size_t n, bool *mistakes)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		int points = 0;
		enum analysis_loss loss = analysis_loss(m, entries, n, i, &points);

		mistakes[i] = loss != ANALYSIS_FINE;
		if (mistakes[i])
			json_array_append_new(
				list,
				json_pack("{s:I, s:s}", "ply", (json_int_t)i + 1, "text",
			                  analysis_mistake(a, m, &entries[i], i, loss, points)));
	}
	return list;
}

json_t *game_page_analysis(const struct game_page *p)
{
	const struct match *m = p->m;
	struct analysis_entry *entries = arena_alloc(p->arena, (m->ply + 1) * sizeof *entries);
	size_t n = analysis_read(m, entries);

	if (n < 2)
		return json_null();
	json_t *list = mistakes_json(p->arena, m, entries, n, p->mistakes);
	return json_pack("{s:o, s:I, s:b, s:o}", "path", path_json(m, entries, n), "width",
	                 (json_int_t)(n - 1) * STEP, "fine", json_array_size(list) == 0, "mistakes",
	                 list);
}
