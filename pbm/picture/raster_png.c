/* PNG files, written by libpng. */
#include <png.h>

#include "pbm/base/mem.h"
#include "pbm/picture/raster.h"

#define FILE_MAX 262144 /* bytes of a picture; none needs a tenth of it */

int raster_png(const struct raster *r, struct str *out, struct err *e)
{
	png_image image = { .version = PNG_IMAGE_VERSION,
		            .width = r->width,
		            .height = r->height,
		            .format = PNG_FORMAT_RGB_COLORMAP,
		            .flags = PNG_IMAGE_FLAG_FAST,
		            .colormap_entries = RASTER_NONE };
	png_alloc_size_t n = FILE_MAX;
	AUTO(mem_free) char *bytes = mem_alloc(FILE_MAX);
	int rc = 0;

	mem_watch();
	if (!png_image_write_to_memory(&image, bytes, &n, 0, r->px, 0, raster_colors()))
		rc = err_set(e, ERR_LIMIT, "the picture: %s", image.message);
	else
		str_add_n(out, bytes, n);
	mem_watched();
	return rc == 0 && out->truncated ? err_set(e, ERR_LIMIT, "the picture is too long") : rc;
}
