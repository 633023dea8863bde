/* PGN from anywhere: it is refused with a reason, or what we write of it is read
 * back to the same moves. */
#include <stdlib.h>
#include <string.h>

#include "pbm/base/utf8.h"
#include "pbm/record/pgn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct match m, again;
	struct err e = { 0 };
	struct str out;

	if (size > 4000 || !utf8_valid((const char *)data, size))
		return 0;
	const char *at = arena_strndup(&a, (const char *)data, size);
	str_init(&out, 1 << 20);
	int rc = pgn_read(&a, &at, &m, &e);
	if (rc < 0 && !e.text[0])
		abort();
	if (rc == 1) {
		pgn_write(&m, "site", &out);
		at = out.data;
		if (pgn_read(&a, &at, &again, NULL) != 1 || again.ply != m.ply ||
		    !game_same_position(match_position(&m), match_position(&again)))
			abort();
	}
	str_release(&out);
	arena_release(&a);
	return 0;
}
