/* Any text as a FEN for every game: it is refused with a sentence, or the position is written,
 * read back the same, and playable.  The first byte chooses game and options. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int ok)
{
	if (!ok)
		abort();
}

static void check_playable(const struct game *g, const struct pos *p)
{
	char buf[200], again_buf[200];
	struct str fen = STR_FIXED(buf), again_fen = STR_FIXED(again_buf);
	struct pos again;
	struct moves legal;
	struct outcome o;

	game_write_fen(g, p, &fen);
	require(game_setup(g, fen.data, &again, NULL) == 0);
	require(memcmp(&again, p, sizeof again) == 0);
	game_write_fen(g, &again, &again_fen);
	require(strcmp(fen.data, again_fen.data) == 0);
	game_outcome(g, p, &o);
	game_legal(g, p, &legal);
	require(legal.n < MOVES_MAX && (legal.n == 0) == (o.result != RESULT_RUNNING));
	game_turns(g, p, &legal);
	require(game_perft(g, p, 1) == legal.n);
	for (size_t i = 0; i < legal.n; i += 1 + legal.n / 16) {
		struct pos next = *p;
		struct effects fx;

		game_apply(g, &next, &legal.v[i], &fx);
		game_outcome(g, &next, &o);
		require((o.why == NULL) == (o.result == RESULT_RUNNING));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[200];
	struct pos p;
	struct err e = { 0 };

	if (size < 2 || size - 1 >= sizeof text)
		return 0;
	struct game g = fuzz_game(data[0]);

	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	if (game_setup(&g, text, &p, &e) == 0)
		check_playable(&g, &p);
	else
		require(e.code == ERR_BAD && e.text[0]);
	return 0;
}
