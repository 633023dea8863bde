#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/board.h"
#include "games/game.h"
#include "games/gen.h"
#include "games/notation/notation.h"
#include "games/notation/notation_parse.h"
#include "games/pocket.h"
#include "pbm/base/utf8.h"

#define TEXT_MAX_TURN 96

/* Characters that mail programs, screens and other keyboards put in the place of
 * plain ones. */
static const struct {
	uint32_t from, to;
	char ascii;
} spellings[] = {
	{ 0x00a0, 0x00a0, ' ' }, { 0x00d7, 0x00d7, 'x' }, { 0x2010, 0x2015, '-' },
	{ 0x2212, 0x2212, '-' }, { 0x2654, 0x2654, 'K' }, { 0x2655, 0x2655, 'Q' },
	{ 0x2656, 0x2656, 'R' }, { 0x2657, 0x2657, 'B' }, { 0x2658, 0x2658, 'N' },
	{ 0x265a, 0x265a, 'K' }, { 0x265b, 0x265b, 'Q' }, { 0x265c, 0x265c, 'R' },
	{ 0x265d, 0x265d, 'B' }, { 0x265e, 0x265e, 'N' }, { 0x2659, 0x2659, 'P' },
	{ 0x265f, 0x265f, 'P' }, { 0x041e, 0x041e, 'O' }, { 0x043e, 0x043e, 'o' },
};

/* Says whether the figurine before it is text or a picture; no character. */
static bool is_variation_selector(uint32_t c)
{
	return c == 0xfe0e || c == 0xfe0f;
}

static char to_ascii(uint32_t c)
{
	if (c == '\t')
		return ' ';
	if (c < 0x80)
		return c < ' ' ? '\0' : (char)c;
	for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
		if (c >= spellings[i].from && c <= spellings[i].to)
			return spellings[i].ascii;
	return '\0';
}

/* Signs of annotators, which stand after a move: "!!" and "=" as one character and the like. */
static bool is_sign(uint32_t c)
{
	static const uint32_t signs[] = { 0x00b1, 0x203c, 0x2047, 0x2048, 0x2049, 0x2191, 0x2192,
		                          0x21c6, 0x2213, 0x221e, 0x25a1, 0x2a71, 0x2a72 };

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (signs[i] == c)
			return true;
	return false;
}

/* Does a picture stand there, or "=" without the letter of a promotion?  The move ends before it. */
static bool ends_move(const char *text, size_t len)
{
	uint32_t c;
	size_t used = utf8_decode(text, len, &c);

	if (*text == '=')
		return used == len || !isalpha((unsigned char)text[1]);
	return c >= 0x1f000 || (c >= 0x2600 && c < 0x2c00 && !to_ascii(c) && !is_sign(c));
}

/* False for a text that is too long or has characters no move has. */
static bool normalise(const char *text, size_t len, char *out, size_t size)
{
	bool sign = false;
	size_t n = 0;

	while (len) {
		uint32_t c;
		size_t used = utf8_decode(text, len, &c);
		char ascii = to_ascii(c);

		text += used;
		len -= used;
		sign |= n && is_sign(c);
		if (is_variation_selector(c) || (n && is_sign(c)))
			continue;
		if (!ascii || n + 1 >= size || (sign && !strchr("+#!?., ", ascii)))
			return false;
		out[n++] = ascii;
	}
	out[n] = '\0';
	return true;
}

static bool is_file(char c)
{
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'h';
}

static bool is_rank(char c)
{
	return c >= '1' && c <= '8';
}

/* Cuts a suffix off, in any case; true when it was there. */
static bool cut(char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	if (n <= m || strncasecmp(s + n - m, suffix, m) != 0)
		return false;
	s[n - m] = '\0';
	return true;
}

/* Cuts off signs that may follow a move: check, annotation, e.p., full stop. */
static void cut_decoration(char *s)
{
	bool again = true;

	while (again) {
		size_t n = strlen(s);

		again = false;
		if (n > 1 && strchr("+#!? ", s[n - 1])) {
			s[n - 1] = '\0';
			again = true;
		} else if (cut(s, "e.p.") || cut(s, "e.p") || cut(s, " ep") || cut(s, ".")) {
			again = true;
		} else if (n > 4 && is_rank(s[n - 3]) && cut(s, "ep")) {
			again = true;
		}
	}
}

/* Skips "12.", "12..." or "12 ." before a move. */
static const char *skip_number(const char *s)
{
	const char *p;
	size_t digits;

	s += strspn(s, " ");
	digits = strspn(s, "0123456789");
	p = s + digits + strspn(s + digits, " ");
	if (!digits || *p != '.' || !p[strspn(p, ". ")]) /* "5254." */
		return s;
	return p + strspn(p, ". ");
}

static bool read_castling(const char *s, struct typed *out)
{
	static const struct {
		const char *text;
		uint8_t kind;
	} words[] = {
		{ "O-O", READING_SHORT }, { "O-O-O", READING_LONG }, { "OO", READING_SHORT },
		{ "OOO", READING_LONG },  { "--", READING_PASS },    { "OOOO", READING_PASS },
	};
	char letters[8];
	size_t n = strlen(s);

	if (n >= sizeof letters)
		return false;
	for (size_t i = 0; i <= n; i++)
		letters[i] = s[i] == '0' || s[i] == 'o' ? 'O' : s[i];
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcmp(words[i].text, letters) != 0)
			continue;
		out->n = 1;
		out->r[0] = (struct reading){ .kind = words[i].kind,
			                      .types = 1u << KING,
			                      .file = ANY_LINE,
			                      .rank = ANY_LINE,
			                      .to = NO_SQUARE,
			                      .promo = NO_PIECE,
			                      .exact = true };
		return true;
	}
	return false;
}

/* =Q, Q, /Q or (Q), or nothing. */
static bool read_promotion(const char *s, uint8_t *promo)
{
	size_t n = strlen(s);

	*promo = NO_PIECE;
	if (!n)
		return true;
	if (n == 3 && s[0] == '(' && s[2] == ')')
		s++;
	else if (n == 2 && (s[0] == '=' || s[0] == '/'))
		s++;
	else if (n != 1)
		return false;
	*promo = (uint8_t)piece_by_letter(*s);
	return *promo != NO_PIECE && *promo != PAWN;
}

/* [file][rank][-x:]square[promotion], with the file or the rank or both taken
 * as where the man comes from. */
static bool read_squares(const char *s, bool file, bool rank, struct reading *r)
{
	r->file = r->rank = ANY_LINE;
	if (file) {
		if (!is_file(*s))
			return false;
		r->exact &= islower((unsigned char)*s) != 0;
		r->file = (uint8_t)(tolower((unsigned char)*s++) - 'a');
	}
	if (rank) {
		if (!is_rank(*s))
			return false;
		r->rank = (uint8_t)(*s++ - '1');
	}
	r->takes = *s == 'x' || *s == 'X' || *s == ':';
	if (r->takes || *s == '-')
		s++;
	if (!is_file(s[0]) || !is_rank(s[1]))
		return false;
	r->exact &= islower((unsigned char)*s) != 0;
	r->to = (uint8_t)(tolower((unsigned char)s[0]) - 'a' + 8 * (s[1] - '1'));
	return read_promotion(s + 2, &r->promo);
}

static bool read_body(const char *s, struct reading *r)
{
	bool exact = r->exact;

	for (unsigned form = 0; form < 4; form++) {
		r->exact = exact;
		if (read_squares(s, form & 2, form & 1, r))
			return true;
	}
	return false;
}

/* Without a letter: a pawn; with the square it leaves in full, any man. */
static bool read_letterless(const char *s, struct reading *r)
{
	*r = (struct reading){ .exact = true };
	if (!read_body(s, r))
		return false;
	if (r->file != ANY_LINE && r->rank != ANY_LINE) {
		r->types = ANY_TYPE;
		return true;
	}
	r->types = 1u << PAWN;
	return r->rank == ANY_LINE && r->file != square_file(r->to);
}

static bool read_lettered(const char *s, struct reading *r)
{
	unsigned type = piece_by_letter(*s);

	*r = (struct reading){ .exact = isupper((unsigned char)*s) != 0 };
	if (type == NO_PIECE || !read_body(s + 1, r))
		return false;
	r->types = (uint8_t)(1u << type);
	return true;
}

/* "5254", "52-54", "57581": the notation of ICCF writes files and ranks as digits, and a promotion
 * as a digit after them. */
static bool read_numeric(const char *s, struct reading *r)
{
	static const uint8_t men[] = { QUEEN, ROOK, BISHOP, KNIGHT };
	const char *to = s + 2 + (strlen(s) > 2 && s[2] == '-');
	size_t n = strlen(s) < 4 ? 0 : strlen(to);

	if (n < 2 || n > 3 || !is_rank(s[0]) || !is_rank(s[1]) || !is_rank(to[0]) ||
	    !is_rank(to[1]) || (n == 3 && (to[2] < '1' || to[2] > '4')))
		return false;
	*r = (struct reading){ .exact = true, .types = ANY_TYPE, .promo = NO_PIECE };
	r->file = (uint8_t)(s[0] - '1');
	r->rank = (uint8_t)(s[1] - '1');
	r->to = (uint8_t)(to[0] - '1' + 8 * (to[1] - '1'));
	if (n == 3)
		r->promo = men[to[2] - '1'];
	return true;
}

/* "N@f3": a man from the pocket; "@e4" is a pawn. */
static bool read_drop(const char *s, struct typed *out)
{
	unsigned type = *s == '@' ? PAWN : piece_by_letter(*s);
	struct reading r = { .kind = READING_DROP, .exact = !islower((unsigned char)*s) };

	s += *s != '@';
	if (type == NO_PIECE || *s != '@' || !read_squares(s + 1, false, false, &r) || r.takes ||
	    r.promo != NO_PIECE)
		return false;
	r.types = (uint8_t)(1u << type);
	*out = (struct typed){ .n = 1, .r = { r } };
	return true;
}

/* A b can be the bishop or the b-file.  "bxc4" is correct for the pawn alone,
 * "Bc4" and "B2c3" for the bishop alone; "bc4" is neither, so both readings
 * count.  Two full squares, "b2c3", mean the man on the first square. */
static void weigh_b(const char *s, struct typed *t)
{
	struct reading *pawn = &t->r[0], *bishop = &t->r[1];

	if (pawn->types == 1u << PAWN && *s == 'b' && !pawn->takes)
		bishop->exact = pawn->exact;
	if (*s == 'B' && bishop->exact)
		t->r[0] = t->r[--t->n];
	else if (pawn->types == ANY_TYPE)
		t->n = 1;
}

static bool parse_part(const char *text, struct typed *out)
{
	char s[PART_SIZE];
	size_t n;
	bool removal = false;

	*out = (struct typed){ 0 };
	text = skip_number(text);
	memcpy(s, text, strlen(text) + 1);
	cut_decoration(s);
	n = strlen(s);
	if (n > 2 && (s[n - 1] == 'X' || s[n - 1] == 'x')) {
		removal = true;
		s[n - 1] = '\0';
		cut_decoration(s);
	}
	if (read_numeric(s, &out->r[0])) {
		out->n = 1;
	} else if (!read_castling(s, out) && !read_drop(s, out)) {
		out->n += read_letterless(s, &out->r[out->n]);
		out->n += read_lettered(s, &out->r[out->n]);
		if (out->n == 2)
			weigh_b(s, out);
	}
	for (unsigned i = 0; i < out->n; i++)
		out->r[i].removal = removal;
	return out->n > 0;
}

/* Copies one part without the blanks around it; false when it is too long. */
static bool copy_part(const char *from, size_t len, char *to)
{
	while (len && *from == ' ') {
		from++;
		len--;
	}
	len = str_trim(from, len, " ");
	if (!len || len >= PART_SIZE)
		return false;
	memcpy(to, from, len);
	to[len] = '\0';
	return true;
}

bool notation_parse(const char *text, size_t len, struct typed_turn *out)
{
	char buf[TEXT_MAX_TURN];
	const char *at = buf;

	out->n = 0;
	if (!normalise(text, len, buf, sizeof buf))
		return false;
	for (;;) {
		size_t n = strcspn(at, ",");

		if (out->n == PARTS_MAX || !copy_part(at, n, out->part[out->n].text) ||
		    !parse_part(out->part[out->n].text, &out->part[out->n].typed))
			return false;
		out->n++;
		if (!at[n])
			return true;
		at += n + 1;
	}
}

bool game_looks_like_move(const char *text, size_t len)
{
	struct typed_turn t;
	size_t n;

	while (len && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	for (n = 0; n < len && !isspace((unsigned char)text[n]); n++)
		if (n > 0 && (strchr(",;", text[n]) || ends_move(text + n, len - n)))
			break;
	/* A line of two dashes is where a signature begins. */
	return notation_parse(text, n, &t) && t.part[0].typed.r[0].kind != READING_PASS;
}

static bool castle_matches(const struct reading *r, const struct move *m)
{
	return m->flags & MOVE_CASTLE &&
	       r->kind == (m->flags & MOVE_LONG ? READING_LONG : READING_SHORT);
}

/* A pawn named by its square alone moves straight ahead; with its file it
 * takes.  Castling is never written as a king's move without its origin. */
static bool origin_matches(const struct reading *r, const struct move *m)
{
	bool straight = square_file(m->from) == square_file(m->to);
	bool full = r->file != ANY_LINE && r->rank != ANY_LINE;

	if (r->file != ANY_LINE && r->file != square_file(m->from))
		return false;
	if (r->rank != ANY_LINE && r->rank != square_rank(m->from))
		return false;
	if (full)
		return true;
	if ((m->flags & MOVE_TYPE) == PAWN)
		return straight == (r->file == ANY_LINE);
	return !(m->flags & MOVE_CASTLE);
}

static bool drop_matches(const struct reading *r, const struct move *m)
{
	return move_is_drop(m) && r->kind == READING_DROP && m->to == r->to &&
	       r->types >> (m->flags & MOVE_TYPE) & 1;
}

bool notation_matches(const struct reading *r, const struct move *m, bool *needs_piece)
{
	if (r->kind == READING_PASS)
		return game_is_pass(m);
	if (m->from == NO_SQUARE)
		return false;
	if (move_is_drop(m) || r->kind == READING_DROP)
		return drop_matches(r, m);
	if (r->kind != READING_MOVE)
		return castle_matches(r, m);
	if (m->to != r->to || !(r->types >> (m->flags & MOVE_TYPE) & 1) || !origin_matches(r, m))
		return false;
	if (r->takes && !(m->flags & MOVE_CAPTURE))
		return false;
	*needs_piece = m->promo != NO_PIECE && r->promo == NO_PIECE;
	return *needs_piece || m->promo == r->promo;
}

static void add_hit(struct resolved *a, const struct move *m, bool needs_piece)
{
	if (needs_piece && a->n && !a->needs_piece)
		return;
	if (!needs_piece && a->needs_piece)
		a->n = 0;
	a->needs_piece = needs_piece;
	for (unsigned i = 0; i < a->n; i++)
		if (a->hit[i].from == m->from && a->hit[i].to == m->to &&
		    a->hit[i].promo == m->promo)
			return;
	if (a->n < HITS_MAX)
		a->hit[a->n++] = *m;
}

void notation_resolve(const struct question *q, const struct typed *t, struct resolved *out)
{
	*out = (struct resolved){ 0 };
	for (int exact = 1; exact >= 0 && !out->n; exact--) {
		for (size_t i = 0; i < q->legal->n; i++) {
			const struct move *m = &q->legal->v[i];

			for (unsigned k = 0; k < t->n; k++) {
				bool needs_piece = false;

				if (t->r[k].exact == exact &&
				    notation_matches(&t->r[k], m, &needs_piece))
					add_hit(out, m, needs_piece);
			}
		}
	}
}
