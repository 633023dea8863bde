#include "pbm/archive/pages/drawings.h"

#include "games/board.h"
#include "pbm/archive/pages/statics.h"
#include "pbm/base/mem.h"

#define DRAWING_MAX 16384 /* bytes */

json_t *drawings_men(const struct site *site, const char *up)
{
	struct svg_men men;
	AUTO(arena_release) struct arena a = { 0 };
	AUTO(str_release) struct str s = str_heap(DRAWING_MAX);

	for (int color = 0; color < 2; color++)
		for (int type = 0; type < PIECE_TYPES; type++) {
			const char *url = static_url(
				site,
				arena_printf(&a, "men/%c%c.svg", "wb"[color], piece_letters[type]));

			men.url[color][type] = url ? arena_printf(&a, "%s%s", up, url) : "";
		}
	svg_men(&men, &s);
	return json_stringn(s.data, s.len);
}

json_t *drawings_board(const struct game *g, const struct pos *p, const struct svg_look *look)
{
	AUTO(str_release) struct str s = str_heap(DRAWING_MAX);

	svg_board(g, p, look, &s);
	return json_stringn(s.data, s.len);
}
