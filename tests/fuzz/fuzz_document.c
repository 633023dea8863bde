/* A document that a reader accepts is written canonically: reading that again gives the same
 * bytes. */
#include <stdlib.h>
#include <string.h>

#include "pbm/record/analysis.h"
#include "pbm/record/puzzle.h"
#include "store/document/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void same(const struct str *a, const struct str *b)
{
	if (a->len != b->len || memcmp(a->data, b->data, a->len) != 0)
		abort();
}

/* The engine's judgement may be any text. */
static void try_analysis(struct arena *a, const struct game_doc *g)
{
	struct match m;

	if (g->analysis && g->event_count < 100 && match_load(a, g, &m, NULL) == 0)
		analysis_read(&m, arena_alloc(a, (m.ply + 1) * sizeof(struct analysis_entry)));
}

static void try_game(struct arena *a, const char *json, size_t len)
{
	struct game_doc g, again;
	struct str first, second;

	if (game_doc_read(a, json, len, &g, NULL) < 0)
		return;
	str_init(&first, 2 * GAME_DOC_MAX);
	str_init(&second, 2 * GAME_DOC_MAX);
	game_doc_write(&g, &first);
	if (game_doc_read(a, first.data, first.len, &again, NULL) < 0)
		abort();
	game_doc_write(&again, &second);
	same(&first, &second);
	try_analysis(a, &g);
	if (g.puzzle && g.event_count < 100)
		puzzle_read(a, &g, arena_alloc(a, sizeof(struct puzzle)));
	str_release(&first);
	str_release(&second);
}

static void try_player(struct arena *a, const char *json, size_t len)
{
	struct player_doc p, again;
	struct str first, second;

	if (player_doc_read(a, json, len, &p, NULL) < 0)
		return;
	str_init(&first, 2 * PLAYER_DOC_MAX);
	str_init(&second, 2 * PLAYER_DOC_MAX);
	player_doc_write(&p, &first);
	if (player_doc_read(a, first.data, first.len, &again, NULL) < 0)
		abort();
	player_doc_write(&again, &second);
	same(&first, &second);
	str_release(&first);
	str_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };

	try_game(&a, (const char *)data, size);
	try_player(&a, (const char *)data, size);
	arena_release(&a);
	return 0;
}
