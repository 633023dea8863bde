/* Any text as a turn, in a position given before it.  Input: a byte that
 * chooses game and options, a FEN, a newline, the text.  An empty FEN is the
 * game's own array. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int ok)
{
	if (!ok)
		abort();
}

/* A turn that was read is legal, and its SAN means the same turn. */
static void check_read(const struct game *g, const struct pos *p, const struct move *m)
{
	char buf[64], words_buf[600];
	struct str san = STR_FIXED(buf), words = STR_FIXED(words_buf);
	struct moves legal;
	struct move again;
	int found = 0;

	game_legal(g, p, &legal);
	for (size_t i = 0; i < legal.n; i++)
		found |= memcmp(&legal.v[i], m, sizeof *m) == 0;
	require(found);
	game_write_san(g, p, m, &san);
	require(game_read_move(g, p, san.data, san.len, &again, NULL, NULL) == 0);
	require(memcmp(&again, m, sizeof again) == 0);
	game_describe(g, p, m, false, &words);
	require(words.len > 0);
}

static void read_text(const struct game *g, const struct pos *p, const char *text, size_t len)
{
	struct pos before = *p;
	struct move m, near[3];
	struct err e = { 0 };
	enum read_refusal why = READ_OK;
	size_t used;

	if (game_read_move(g, p, text, len, &m, &why, &e) == 0)
		check_read(g, p, &m);
	else
		require(why != READ_OK && e.text[0]);
	e = (struct err){ 0 };
	if (game_read_line(g, p, text, len, &m, &used, &why, &e) == 0)
		check_read(g, p, &m);
	else
		require(why != READ_OK && e.text[0]);
	require(used <= len);
	game_looks_like_move(text, len);
	if (game_guess_move(g, p, text, len, &m) && !g->rules->read_turn)
		check_read(g, p, &m);
	require(game_nearest(g, p, text, len, near, 3) <= 3);
	require(memcmp(&before, p, sizeof before) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	char fen[200];
	struct pos p;

	if (!end || end == data || (size_t)(end - data) > sizeof fen)
		return 0;
	struct game g = fuzz_game(data[0]);

	memcpy(fen, data + 1, (size_t)(end - data) - 1);
	fen[end - data - 1] = '\0';
	if (game_setup(&g, fen[0] ? fen : NULL, &p, NULL) == 0)
		read_text(&g, &p, (const char *)end + 1, size - (size_t)(end + 1 - data));
	return 0;
}
