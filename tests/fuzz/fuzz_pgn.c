/* A file of PGN from anywhere: each game is refused with a reason, or what we write of it is read
 * back to the same moves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "pbm/record/pgn.h"
#include "pbm/record/pgn_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads one game; false: there is none, or it is refused. */
static bool try_game(const char **text)
{
	const char *begin = *text;
	struct arena a = { 0 };
	struct match m, again;
	struct err e = { 0 };
	struct str out;

	str_init(&out, 1 << 20);
	int rc = pgn_read(&a, text, &m, &e);
	if ((rc < 0 && !e.text[0]) || (rc == 1 && *text == begin))
		abort();
	if (rc == 1) {
		pgn_write(&m, "site", &out);
		const char *at = out.data;
		if (pgn_read(&a, &at, &again, NULL) != 1 || again.ply != m.ply ||
		    !game_same_position(match_position(&m), match_position(&again)))
			abort();
	}
	str_release(&out);
	arena_release(&a);
	return rc == 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pgn_stream s;
	FILE *in = size && size <= 4000 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;

	if (!in)
		return 0;
	pgn_stream_init(&s, in);
	while (pgn_stream_next(&s))
		for (const char *text = s.text.data; try_game(&text);)
			continue;
	pgn_stream_release(&s);
	fclose(in);
	return 0;
}
