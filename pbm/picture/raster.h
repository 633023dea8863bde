/* Positions as pictures of pixels, for the cards that other programs show of a page (PNG), and a
 * whole game that plays itself (GIF).  The colours are those of the boards in mails, the men are
 * templates/men, of which only the brightness counts.  Nothing in a picture can come from a
 * player.  The same positions give the same bytes. */
#pragma once

#include "pbm/base/err.h"
#include "pbm/picture/svg.h"

#define RASTER_SQUARE 40                /* pixels of a side */
#define RASTER_COLORS 128               /* of all pictures; a power of two, as GIF wants it */
#define RASTER_NONE (RASTER_COLORS - 1) /* see-through; no board has it */

struct raster_color {
	uint8_t red, green, blue;
};

/* A picture: a byte a pixel, by rows from the upper left corner, each an index of a colour. */
struct raster {
	unsigned width, height;
	uint8_t *px;
};

/* Makes the empty picture for boards of this game, with room for pockets above and below if
 * it has them. */
void raster_init(struct raster *r, const struct game *g);
void raster_release(struct raster *r);

/* Draws a position over the whole picture; of *look, coordinates and class are not used.  A
 * man whose file in override_dir can't be read is left out. */
void raster_draw(struct raster *r, const char *override_dir, const struct game *g,
                 const struct pos *p, const struct svg_look *look);

/* For raster*.c alone.  A man as codes, a byte a pixel: 0 see-through, up to RASTER_EDGES the
 * edge, then opaque tones from dark to light; NULL: it can't be read. */
#define RASTER_MAN(small) ((small) ? RASTER_SQUARE / 2 : RASTER_SQUARE) /* pixels of a side */
#define RASTER_EDGES 12
#define RASTER_TONES 10
const uint8_t *raster_man(const char *override_dir, enum color c, unsigned type, bool small);

/* The colours of all pictures. */
const struct raster_color *raster_colors(void);

/* Appends the picture as a PNG file.  ERR_LIMIT: out is full. */
int raster_png(const struct raster *r, struct str *out, struct err *e);

/* An animation that repeats for ever, appended to a string.  ERR_LIMIT at its end: the string
 * was full. */
struct raster_gif;
struct raster_gif *raster_gif_begin(const struct raster *size, struct str *out);
/* Shows the picture for so many hundredths of a second. */
void raster_gif_add(struct raster_gif *gif, const struct raster *r, int hundredths);
int raster_gif_end(struct raster_gif *gif, struct err *e);
