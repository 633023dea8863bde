/* Boards of letters in the pages of help, read back and drawn with the men's pictures. */
#include <ctype.h>
#include <string.h>

#include "games/board.h"
#include "games/game.h"
#include "games/pocket.h"
#include "pbm/answer/men.h"
#include "pbm/answer/view.h"
#include "pbm/answer/view_style.h"
#include "pbm/picture/cells.h"

#define SIDE_MAX 8
#define DRAWING_MAX 8000 /* bytes */

struct drawn {
	struct pos p;
	struct marks marks;
	bool pockets;
	struct board_size size;
	unsigned ranks[SIDE_MAX]; /* their numbers, from above */
	char cells[SIDE_MAX][3 * SIDE_MAX];
};

/* The squares of "| r |*n*|   | 8", three columns each; returns how many. */
static unsigned read_framed(const char *s, size_t n, char *cells)
{
	unsigned files = 0;

	for (size_t i = 1; i + 4 <= n && s[i + 3] == '|' && files < SIDE_MAX; i += 4)
		memcpy(&cells[3 * files++], s + i, 3);
	return files;
}

/* The squares of " r*n .", two columns each. */
static unsigned read_small(const char *s, size_t n, char *cells)
{
	unsigned files = 0;

	for (size_t i = 0; i + 2 <= n && files < SIDE_MAX; i += 2, files++) {
		cells[3 * files] = s[i];
		cells[3 * files + 1] = s[i + 1];
		if (s[i + 1] == '.')
			cells[3 * files + 1] = ' ';
	}
	return files;
}

/* "  8 | r |*n*|   | 8" or "  8  r*n .": the rank's number, then its squares. */
static bool read_rank(const char *line, size_t n, struct drawn *d)
{
	size_t i = 0;

	while (i < n && line[i] == ' ')
		i++;
	if (i + 3 > n || line[i] < '1' || line[i] > '8' || line[i + 1] != ' ' ||
	    d->size.ranks == SIDE_MAX)
		return false;
	d->ranks[d->size.ranks] = (unsigned)(line[i] - '1');
	bool framed = line[i + 2] == '|';
	unsigned files = (framed ? read_framed : read_small)(line + i + 2, n - i - 2,
	                                                     d->cells[d->size.ranks]);
	if (files == 0 || (d->size.ranks && files != d->size.files))
		return false;
	d->size.files = (uint8_t)files;
	d->size.ranks++;
	return true;
}

/* "    [ q p p ]" */
static bool read_pocket(const char *line, size_t n, struct drawn *d)
{
	size_t i = 0;

	while (i < n && line[i] == ' ')
		i++;
	if (line[i] != '[') /* the line has an end */
		return false;
	for (i++; i < n && line[i] != ']'; i++) {
		unsigned type = piece_by_letter(line[i]);

		if (type < POCKET_TYPES)
			pocket_of(&d->p, islower((unsigned char)line[i]) ? BLACK : WHITE)[type]++;
		else if (line[i] != ' ')
			return false;
	}
	d->pockets = true;
	return i < n;
}

/* Is the line one between two ranks, or that of the files' letters? */
static bool is_edge(const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr("+- abcdefgh", line[i]))
			return false;
	return true;
}

static bool put_men(struct drawn *d, bool turned)
{
	for (unsigned r = 0; r < d->size.ranks; r++)
		for (unsigned f = 0; f < d->size.files; f++) {
			const char *cell = &d->cells[r][3 * f];
			unsigned file = turned ? d->size.files - 1U - f : f;
			unsigned sq = 8 * d->ranks[r] + file, type = piece_by_letter(cell[1]);

			if (d->ranks[r] != (turned ? r : d->size.ranks - 1U - r) ||
			    (type == NO_PIECE && !strchr(" *", cell[1])))
				return false;
			if (type != NO_PIECE)
				board_put(&d->p, sq,
				          islower((unsigned char)cell[1]) ? BLACK : WHITE, type);
			if (cell[0] == '*' || cell[1] == '*')
				d->marks.last |= BIT(sq);
		}
	return d->size.ranks > 1;
}

bool view_draw(const char *lines, size_t n, void *arg, struct str *out)
{
	struct view_drawing *v = arg;
	struct drawn d = { 0 };
	size_t before = out->len;

	for (size_t at = 0; at < n;) {
		const char *end = memchr(lines + at, '\n', n - at);
		size_t length = end ? (size_t)(end - lines) - at : n - at;

		if (!is_edge(lines + at, length) && !read_rank(lines + at, length, &d) &&
		    !read_pocket(lines + at, length, &d))
			return false;
		at += length + 1;
	}
	bool turned = d.size.ranks && d.ranks[0] == 0;
	if (v->style->draw.kind == DRAW_PROSE || v->room < DRAWING_MAX || !put_men(&d, turned))
		return false;
	struct cells_look look = { .side = turned ? BLACK : WHITE,
		                   .pixels = view_pixels(v->style->draw.size),
		                   .pockets = d.pockets,
		                   .men = men_ids(v->q->site->template_dir),
		                   .words = view_men_words(v->style->language) };
	cells_table(&d.p, d.size, &d.marks, &look, out);
	v->room -= out->len - before < v->room ? out->len - before : v->room;
	return true;
}
