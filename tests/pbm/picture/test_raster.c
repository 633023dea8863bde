/* Pictures of pixels: their files are read again by the libraries, and each pixel compared with
 * what was drawn. */
#include <check.h>
#include <gif_lib.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/picture/raster.h"
#include "tests/util/util.h"

#define FILE_MAX (1024 * 1024)
#define FRAMES 4

static void set_up(const char *name, const char *fen, struct game *g, struct pos *p)
{
	struct err e = { 0 };

	*g = (struct game){ .rules = rules_find(name, strlen(name), NULL) };
	ck_assert_msg(game_setup(g, fen, p, &e) == 0, "%s", e.text);
}

static struct raster_color color_at(const struct raster *r, unsigned x, unsigned y)
{
	return raster_colors()[r->px[(size_t)y * r->width + x]];
}

static bool is_color(struct raster_color c, int red, int green, int blue)
{
	return c.red == red && c.green == green && c.blue == blue;
}

START_TEST(squares)
{
	struct game g;
	struct pos p;
	struct move m;
	struct raster r;
	struct svg_look look = { .side = WHITE, .last = &m };

	set_up("chess", NULL, &g, &p);
	ck_assert_int_eq(game_read_move(&g, &p, "e4", 2, &m, NULL, NULL), 0);
	game_apply(&g, &p, &m, NULL);
	raster_init(&r, &g);
	ck_assert_uint_eq(r.width, 320);
	ck_assert_uint_eq(r.height, 320);
	raster_draw(&r, NULL, &g, &p, &look);
	/* a1 is dark, h1 light, e2 and e4 marked; e4 has a white pawn, d5 nothing. */
	ck_assert(is_color(color_at(&r, 1, 318), 0xb5, 0x88, 0x63));
	ck_assert(is_color(color_at(&r, 318, 318), 0xf0, 0xd9, 0xb5));
	ck_assert(is_color(color_at(&r, 4 * 40 + 20, 6 * 40 + 20), 0xd8, 0xd9, 0x6b));
	ck_assert(is_color(color_at(&r, 4 * 40 + 1, 4 * 40 + 1), 0xd8, 0xd9, 0x6b));
	ck_assert_uint_gt(color_at(&r, 4 * 40 + 20, 4 * 40 + 25).red, 0xf0);
	ck_assert(is_color(color_at(&r, 3 * 40 + 20, 3 * 40 + 20), 0xf0, 0xd9, 0xb5));
	ck_assert_uint_lt(color_at(&r, 20, 40 + 25).red, 0x40); /* the black pawn of a7 */
	look.side = BLACK;
	raster_draw(&r, NULL, &g, &p, &look);
	ck_assert_uint_gt(color_at(&r, 3 * 40 + 20, 3 * 40 + 25).red, 0xf0);
	raster_release(&r);
}
END_TEST

START_TEST(pockets)
{
	struct game g;
	struct pos p;
	struct raster r;
	const struct svg_look look = { .side = WHITE };

	set_up("crazyhouse", "4k3/8/8/8/8/8/8/4K3[Qp] w - - 0 1", &g, &p);
	raster_init(&r, &g);
	ck_assert_uint_eq(r.height, 8 * 40 + 2 * 20);
	raster_draw(&r, NULL, &g, &p, &look);
	ck_assert_uint_lt(color_at(&r, 10, 12).red, 0x60);  /* Black's pawn, above */
	ck_assert_uint_gt(color_at(&r, 10, 353).red, 0xa0); /* White's queen, below */
	ck_assert(is_color(color_at(&r, 310, 10), 0xf4, 0xf1, 0xea));
	raster_release(&r);
}
END_TEST

START_TEST(png)
{
	struct game g;
	struct pos p;
	struct raster r;
	struct str s;
	struct err e = { 0 };
	const struct svg_look look = { .side = WHITE };
	png_image image = { .version = PNG_IMAGE_VERSION };

	set_up("connectedchess", NULL, &g, &p);
	raster_init(&r, &g);
	raster_draw(&r, NULL, &g, &p, &look);
	str_init(&s, FILE_MAX);
	ck_assert_int_eq(raster_png(&r, &s, &e), 0);
	ck_assert_uint_lt(s.len, 40000);
	ck_assert(png_image_begin_read_from_memory(&image, s.data, s.len));
	ck_assert_uint_eq(image.width, r.width);
	ck_assert_uint_eq(image.height, r.height);
	image.format = PNG_FORMAT_RGB;
	struct raster_color *read = malloc(PNG_IMAGE_SIZE(image));
	ck_assert(png_image_finish_read(&image, NULL, read, 0, NULL));
	for (size_t i = 0; i < (size_t)r.width * r.height; i++)
		ck_assert_mem_eq(&read[i], &raster_colors()[r.px[i]], sizeof *read);
	free(read);
	str_release(&s);
	str_init(&s, 100);
	ck_assert_int_eq(raster_png(&r, &s, &e), ERR_LIMIT);
	str_release(&s);
	raster_release(&r);
}
END_TEST

static struct str gif_bytes;
static size_t gif_at;

static int read_bytes(GifFileType *, GifByteType *to, int n)
{
	size_t left = gif_bytes.len - gif_at;
	size_t take = (size_t)n < left ? (size_t)n : left;

	memcpy(to, gif_bytes.data + gif_at, take);
	gif_at += take;
	return (int)take;
}

/* Shows frame i over the picture so far. */
static void show(const GifFileType *f, int i, uint8_t *px)
{
	const SavedImage *image = &f->SavedImages[i];
	const GifImageDesc *d = &image->ImageDesc;

	for (int k = 0; k < d->Width * d->Height; k++)
		if (image->RasterBits[k] != RASTER_NONE)
			px[(d->Top + k / d->Width) * f->SWidth + d->Left + k % d->Width] =
				image->RasterBits[k];
}

START_TEST(gif)
{
	static const char *const moves[FRAMES - 1] = { "e4", "d5", "exd5" };
	struct game g;
	struct pos p;
	struct raster r[FRAMES];
	struct err e = { 0 };
	struct svg_look look = { .side = WHITE };
	struct move m;
	int why = 0;

	set_up("chess", NULL, &g, &p);
	raster_init(&r[0], &g);
	str_init(&gif_bytes, FILE_MAX);
	struct raster_gif *file = raster_gif_begin(&r[0], &gif_bytes);
	for (int i = 0; i < FRAMES; i++) {
		if (i) {
			raster_init(&r[i], &g);
			ck_assert_int_eq(game_read_move(&g, &p, moves[i - 1], strlen(moves[i - 1]),
			                                &m, NULL, NULL),
			                 0);
			game_apply(&g, &p, &m, NULL);
			look.last = &m;
		}
		raster_draw(&r[i], NULL, &g, &p, &look);
		raster_gif_add(file, &r[i], 100 + i);
	}
	raster_gif_add(file, &r[FRAMES - 1], 500); /* the same again */
	ck_assert_int_eq(raster_gif_end(file, &e), 0);
	gif_at = 0;
	GifFileType *f = DGifOpen(NULL, read_bytes, &why);
	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(DGifSlurp(f), GIF_OK);
	ck_assert_int_eq(f->ImageCount, FRAMES + 1);
	uint8_t *px = calloc(r[0].width, r[0].height);
	for (int i = 0; i <= FRAMES; i++) {
		const struct raster *want = &r[i < FRAMES ? i : FRAMES - 1];
		GraphicsControlBlock block;

		ck_assert_int_eq(DGifSavedExtensionToGCB(f, i, &block), GIF_OK);
		ck_assert_int_eq(block.DelayTime, i < FRAMES ? 100 + i : 500);
		show(f, i, px);
		ck_assert_mem_eq(px, want->px, (size_t)want->width * want->height);
	}
	ck_assert_mem_eq(f->SColorMap->Colors, raster_colors(),
	                 RASTER_COLORS * sizeof(struct raster_color));
	DGifCloseFile(f, NULL);
	free(px);
	for (int i = 0; i < FRAMES; i++)
		raster_release(&r[i]);
	str_release(&gif_bytes);
}
END_TEST

/* A file that finds no room is an error, whenever that turns out. */
START_TEST(gif_too_long)
{
	struct game g;
	struct pos p;
	struct raster r;
	const struct svg_look look = { .side = WHITE };

	set_up("chess", NULL, &g, &p);
	raster_init(&r, &g);
	raster_draw(&r, NULL, &g, &p, &look);
	for (size_t room = 1; room < 6000; room += 499) {
		struct err e = { 0 };
		struct str s;

		str_init(&s, room);
		struct raster_gif *file = raster_gif_begin(&r, &s);
		raster_gif_add(file, &r, 100);
		ck_assert_int_eq(raster_gif_end(file, &e), ERR_LIMIT);
		str_release(&s);
	}
	raster_release(&r);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("raster");

	tcase_add_test(t, squares);
	tcase_add_test(t, pockets);
	tcase_add_test(t, png);
	tcase_add_test(t, gif);
	tcase_add_test(t, gif_too_long);
	return util_main(t);
}
