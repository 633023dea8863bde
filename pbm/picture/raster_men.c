/* The men, read from their files by libpng. */
#include <png.h>
#include <stdlib.h>

#include "games/board.h"
#include "pbm/base/mem.h"
#include "pbm/picture/raster.h"
#include "pbm/text/template.h"

#define MAN_MAX 512 /* pixels of a side, in a site's own file */
#define DARKEST 40  /* brightness of the men's own colours */
#define LIGHTEST 248

/* The code of a pixel with this opacity and brightness, both up to 255. */
static uint8_t code_of(unsigned alpha, unsigned bright)
{
	const unsigned steps = RASTER_EDGES / 2 + 1;
	unsigned level = (alpha * steps + 127) / 255;

	if (level == 0)
		return 0;
	if (level < steps)
		return (uint8_t)(1 + 2 * (level - 1) + (bright > (DARKEST + LIGHTEST) / 2));
	bright = bright < DARKEST ? 0 : bright > LIGHTEST ? LIGHTEST - DARKEST : bright - DARKEST;
	return (uint8_t)(1 + RASTER_EDGES +
	                 (bright * (RASTER_TONES - 1) + (LIGHTEST - DARKEST) / 2) /
	                         (LIGHTEST - DARKEST));
}

/* The mean of those pixels of the file that one pixel of the man covers. */
static uint8_t code_at(const png_image *image, const uint8_t *rgba, unsigned x, unsigned y,
                       unsigned size)
{
	unsigned left = x * image->width / size, right = (x + 1) * image->width / size;
	unsigned top = y * image->height / size, bottom = (y + 1) * image->height / size;
	unsigned n = 0, alpha = 0, bright = 0;

	right += right == left;
	bottom += bottom == top;
	for (unsigned row = top; row < bottom; row++)
		for (unsigned i = left; i < right; i++, n++) {
			const uint8_t *p = rgba + 4 * ((size_t)row * image->width + i);

			alpha += p[3];
			bright += p[3] * ((2U * p[0] + 5U * p[1] + p[2]) / 8U);
		}
	return n ? code_of(alpha / n, alpha ? bright / alpha : 0) : 0;
}

static uint8_t *make_man(const char *bytes, size_t len, unsigned size)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	uint8_t *codes = NULL, *rgba = NULL;

	mem_watch();
	if (!png_image_begin_read_from_memory(&image, bytes, len)) {
		mem_watched();
		return NULL;
	}
	image.format = PNG_FORMAT_RGBA;
	if (image.width <= MAN_MAX && image.height <= MAN_MAX)
		rgba = mem_alloc(PNG_IMAGE_SIZE(image));
	if (rgba && png_image_finish_read(&image, NULL, rgba, 0, NULL)) {
		codes = mem_alloc((size_t)size * size);
		for (unsigned i = 0; i < size * size; i++)
			codes[i] = code_at(&image, rgba, i % size, i / size, size);
	}
	free(rgba);
	png_image_free(&image);
	mem_watched();
	return codes;
}

const uint8_t *raster_man(const char *override_dir, enum color c, unsigned type, bool small)
{
	/* Of this process; a site has one set. */
	static struct made {
		bool tried;
		uint8_t *codes;
	} men[2][2][PIECE_TYPES];
	struct made *man = &men[small][c][type];
	char name[] = {
		'm', 'e', 'n', '/', "wb"[c], piece_letters[type], '.', 'p', 'n', 'g', '\0'
	};
	size_t len = 0;

	if (!man->tried) {
		const char *bytes = template_bytes(override_dir, name, &len);

		man->codes = bytes ? make_man(bytes, len, RASTER_MAN(small)) : NULL;
		man->tried = true;
	}
	return man->codes;
}
