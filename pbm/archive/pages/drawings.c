#include "pbm/archive/pages/drawings.h"

#include "games/board.h"
#include "pbm/archive/pages/statics.h"
#include "pbm/base/mem.h"

#define DRAWING_MAX 16384 /* bytes */

json_t *drawings_men(const struct site *site, const char *up)
{
	struct svg_men men;
	struct arena a = { 0 };
	struct str s;

	for (int color = 0; color < 2; color++)
		for (int type = 0; type < PIECE_TYPES; type++) {
			const char *url = static_url(
				site,
				arena_printf(&a, "men/%c%c.svg", "wb"[color], piece_letters[type]));

			men.url[color][type] = url ? arena_printf(&a, "%s%s", up, url) : "";
		}
	str_init(&s, DRAWING_MAX);
	svg_men(&men, &s);
	json_t *text = json_stringn(s.data, s.len);
	str_release(&s);
	arena_release(&a);
	return text;
}

json_t *drawings_board(const struct game *g, const struct pos *p, const struct svg_look *look)
{
	struct str s;

	str_init(&s, DRAWING_MAX);
	svg_board(g, p, look, &s);
	json_t *text = json_stringn(s.data, s.len);
	str_release(&s);
	return text;
}
