/* GIF files, written by giflib: after the first picture only the pixels that have changed. */
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/picture/raster.h"

struct raster_gif {
	GifFileType *file; /* NULL: it could not be begun */
	struct str *out;
	unsigned width, height;
	uint8_t *before, *line; /* the last picture, and a row to be written */
	bool any, failed;
};

static int write_bytes(GifFileType *file, const GifByteType *bytes, int n)
{
	struct str *out = file->UserData;

	str_add_n(out, (const char *)bytes, (size_t)n);
	return out->truncated ? 0 : n;
}

/* The size, the colours, and the extension by which all programs repeat the pictures. */
static bool write_head(struct raster_gif *gif)
{
	const struct raster_color *colors = raster_colors();
	ColorMapObject *map = GifMakeMapObject(RASTER_COLORS, NULL);
	GifFileType *f = gif->file;

	for (unsigned i = 0; map && i < RASTER_COLORS; i++)
		map->Colors[i] = (GifColorType){ colors[i].red, colors[i].green, colors[i].blue };
	EGifSetGifVersion(f, true);
	bool fine = map && EGifPutScreenDesc(f, (int)gif->width, (int)gif->height, 8, 0, map) &&
	            EGifPutExtensionLeader(f, APPLICATION_EXT_FUNC_CODE) &&
	            EGifPutExtensionBlock(f, 11, "NETSCAPE2.0") &&
	            EGifPutExtensionBlock(f, 3, "\1\0\0") && EGifPutExtensionTrailer(f);
	GifFreeMapObject(map);
	return fine;
}

struct raster_gif *raster_gif_begin(const struct raster *size, struct str *out)
{
	struct raster_gif *gif = mem_alloc(sizeof *gif);

	mem_watch();
	*gif = (struct raster_gif){ .file = EGifOpen(out, write_bytes, NULL),
		                    .out = out,
		                    .width = size->width,
		                    .height = size->height };
	gif->before = mem_alloc((size_t)gif->width * gif->height);
	gif->line = mem_alloc(gif->width);
	gif->failed = !gif->file || !write_head(gif);
	mem_watched();
	return gif;
}

/* The rows from *top to *bottom have all changes; false: there are none. */
static bool find_rows(const struct raster_gif *gif, const struct raster *r, unsigned *top,
                      unsigned *bottom)
{
	const size_t w = r->width;

	for (*top = 0; gif->any && *top < r->height; ++*top)
		if (memcmp(r->px + *top * w, gif->before + *top * w, w) != 0)
			break;
	for (*bottom = r->height; gif->any && *bottom > *top; --*bottom)
		if (memcmp(r->px + (*bottom - 1) * w, gif->before + (*bottom - 1) * w, w) != 0)
			break;
	return *bottom > *top;
}

static bool write_rows(struct raster_gif *gif, const struct raster *r, unsigned top,
                       unsigned bottom)
{
	bool fine = EGifPutImageDesc(gif->file, 0, (int)top, (int)r->width, (int)(bottom - top),
	                             false, NULL);

	for (unsigned y = top; fine && y < bottom; y++) {
		const uint8_t *row = r->px + (size_t)y * r->width;
		const uint8_t *was = gif->before + (size_t)y * r->width;

		for (unsigned x = 0; x < r->width; x++)
			gif->line[x] = gif->any && row[x] == was[x] ? RASTER_NONE : row[x];
		fine = EGifPutLine(gif->file, gif->line, (int)r->width);
	}
	return fine;
}

void raster_gif_add(struct raster_gif *gif, const struct raster *r, int hundredths)
{
	const GraphicsControlBlock block = { DISPOSE_DO_NOT, false, hundredths, RASTER_NONE };
	GifByteType bytes[4];
	unsigned top, bottom;

	if (gif->failed)
		return;
	if (!find_rows(gif, r, &top, &bottom))
		top = 0, bottom = 1; /* the same position again: it still takes its time */
	size_t n = EGifGCBToExtension(&block, bytes);
	gif->failed = !EGifPutExtension(gif->file, GRAPHICS_EXT_FUNC_CODE, (int)n, bytes) ||
	              !write_rows(gif, r, top, bottom);
	memcpy(gif->before, r->px, (size_t)r->width * r->height);
	gif->any = true;
}

int raster_gif_end(struct raster_gif *gif, struct err *e)
{
	bool fine = !gif->failed;

	if (gif->file && !EGifCloseFile(gif->file, NULL))
		fine = false;
	fine = fine && !gif->out->truncated;
	free(gif->before);
	free(gif->line);
	free(gif);
	return fine ? 0 : err_set(e, ERR_LIMIT, "the moving picture is too long");
}
