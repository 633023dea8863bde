#include "pbm/answer/game_picture.h"

#include "pbm/picture/raster.h"

/* Hundredths of a second. */
#define FIRST 150
#define EACH 100
#define LAST 500

/* Draws the position after so many turns. */
static void draw(struct raster *r, const char *override_dir, const struct match *m, size_t ply,
                 enum color side)
{
	struct effects fx;
	struct svg_look look = { .side = side };

	if (ply) {
		struct pos before = m->positions[ply - 1];

		look.last = &m->moves[ply - 1].move;
		look.fx = &fx;
		game_apply(&m->game, &before, look.last, &fx);
	}
	raster_draw(r, override_dir, &m->game, &m->positions[ply], &look);
}

int game_picture_png(const char *override_dir, const struct match *m, struct str *out,
                     struct err *e)
{
	struct raster r;

	raster_init(&r, &m->game);
	draw(&r, override_dir, m, m->ply, WHITE);
	int rc = raster_png(&r, out, e);
	raster_release(&r);
	return rc;
}

int game_picture_gif(const char *override_dir, const struct match *m, enum color side,
                     struct str *out, struct err *e)
{
	struct raster r;

	raster_init(&r, &m->game);
	struct raster_gif *gif = raster_gif_begin(&r, out);
	for (size_t ply = 0; ply <= m->ply; ply++) {
		draw(&r, override_dir, m, ply, side);
		raster_gif_add(gif, &r, ply == m->ply ? LAST : ply ? EACH : FIRST);
	}
	int rc = raster_gif_end(gif, e);
	raster_release(&r);
	return rc;
}
