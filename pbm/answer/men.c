#include "pbm/answer/men.h"

#include <stdio.h>
#include <string.h>

#include "games/board.h"
#include "mail/compose/encode.h"
#include "pbm/base/mem.h"
#include "pbm/text/template.h"

#define FOLDER "men/"
#define PICTURE_MAX (64 * 1024) /* bytes of base64 */
#define ID_MAX 32

/* The men of this process, encoded; a site has one set. */
static struct set {
	bool made;
	const char *id[2][PIECE_TYPES];
	struct compose_picture picture[2][PIECE_TYPES];
} men;

/* A picture that can't be read is empty: its words are shown. */
static void make_picture(const char *dir, unsigned color, unsigned type)
{
	struct compose_picture *p = &men.picture[color][type];
	struct arena a = { 0 };
	char sign[] = { color == WHITE ? 'w' : 'b', piece_letters[type], '\0' };
	char *id = mem_alloc(ID_MAX);
	size_t n = 0;
	struct str s;

	const char *bytes = template_bytes(dir, arena_printf(&a, FOLDER "%s.png", sign), &n);
	arena_release(&a);
	str_init(&s, PICTURE_MAX);
	if (bytes)
		encode_base64(&s, bytes, n);
	/* Programs keep pictures by their id: another picture has another one. */
	snprintf(id, ID_MAX, "%s.%06x@pbm", sign, (unsigned)(str_hash(s.data) & 0xffffff));
	*p = (struct compose_picture){ .id = id, .type = "image/png", .len = s.len };
	p->name = mem_strdup(arena_printf(&a, "%s.png", sign));
	arena_release(&a);
	p->base64 = str_detach(&s);
	men.id[color][type] = id;
}

const char *const (*men_ids(const char *override_dir))[PIECE_TYPES]
{
	for (unsigned color = 0; !men.made && color < 2; color++)
		for (unsigned type = 0; type < PIECE_TYPES; type++)
			make_picture(override_dir, color, type);
	men.made = true;
	return (const char *const(*)[PIECE_TYPES])men.id;
}

/* The man whose picture the text after "cid:" names. */
static const struct compose_picture *find(const char *text, bool taken[2][PIECE_TYPES])
{
	unsigned color = text[0] == 'b', type = text[0] ? piece_by_letter(text[1]) : NO_PIECE;

	if (type == NO_PIECE || taken[color][type] ||
	    strncmp(text, men.id[color][type], strlen(men.id[color][type])) != 0)
		return NULL;
	taken[color][type] = true;
	return &men.picture[color][type];
}

size_t men_of(const char *override_dir, const char *html, struct compose_picture out[MEN_MAX])
{
	static const char mark[] = "src=\"cid:";
	bool taken[2][PIECE_TYPES] = { 0 };
	size_t n = 0;

	men_ids(override_dir);
	for (const char *at = html; n < MEN_MAX && (at = strstr(at, mark));) {
		at += sizeof mark - 1;
		const struct compose_picture *p = find(at, taken);
		if (p)
			out[n++] = *p;
	}
	return n;
}
