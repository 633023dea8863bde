#include "pbm/text/sentences_form.h"

#include <stdlib.h>
#include <string.h>

struct form_reader {
	struct arena *a;
	const char *at;
	bool translated, numbered, counted; /* kinds of holes met so far */
	struct form_piece piece[FORM_PIECES_MAX];
	struct form *out;
	struct err *e;
};

static int add_piece(struct form_reader *r, struct form_piece piece)
{
	if (r->out->pieces == FORM_PIECES_MAX)
		return err_set(r->e, ERR_LIMIT, "more than %d parts", FORM_PIECES_MAX);
	r->piece[r->out->pieces++] = piece;
	return 0;
}

/* A literal up to the next hole; "%%" is a sign of it. */
static int read_literal(struct form_reader *r)
{
	char *text = arena_alloc(r->a, strlen(r->at) + 1);
	size_t n = 0;

	while (*r->at && (*r->at != '%' || r->at[1] == '%')) {
		bool again = *r->at == ' ' && r->at[1] == ' ' && !r->translated;

		if (!again)
			text[n++] = *r->at;
		if (*r->at != ' ')
			r->out->weight++;
		r->at += *r->at == '%' ? 2 : 1;
	}
	return n ? add_piece(r, (struct form_piece){ .text = text, .n = n }) : 0;
}

/* The kind of a conversion's letter, '\0' for one that is not allowed. */
static char kind_of(char letter, bool translated)
{
	static const char letters[] = "diuxXfeEgGscst", kinds[] = "dddddfffffscst";
	const char *at = letter ? strchr(letters, letter) : NULL;

	if (!at || (letter == 't' && !translated))
		return '\0';
	return kinds[at - letters];
}

/* "2$" of a translation: the number of the hole, from 0; the next one without it. */
static int read_number(struct form_reader *r, size_t *hole)
{
	size_t n = strspn(r->at, "0123456789");

	*hole = r->out->holes;
	if (n == 0 || n > 2 || r->at[n] != '$') {
		r->counted = true;
		return 0;
	}
	*hole = strtoul(r->at, NULL, 10) - 1;
	r->at += n + 1;
	r->numbered = true;
	return r->translated && *hole < FORM_HOLES_MAX
	               ? 0
	               : err_set(r->e, ERR_BAD, "a conversion has a wrong number");
}

static int read_hole(struct form_reader *r)
{
	size_t hole;

	r->at++;
	int rc = read_number(r, &hole);
	if (rc < 0)
		return rc;
	r->at += strspn(r->at, "-+ #0123456789.*'");
	r->at += strspn(r->at, "hlzj");
	char kind = kind_of(*r->at, r->translated);
	if (!kind)
		return err_set(r->e, ERR_BAD, "a conversion is not d, f, c, s or t");
	if (r->numbered && r->counted)
		return err_set(r->e, ERR_BAD, "some conversions are numbered, some are not");
	if (hole >= FORM_HOLES_MAX)
		return err_set(r->e, ERR_LIMIT, "more than %d conversions", FORM_HOLES_MAX);
	r->at++;
	r->out->holes = hole + 1 > r->out->holes ? hole + 1 : r->out->holes;
	return add_piece(r, (struct form_piece){ .kind = kind, .hole = hole });
}

int form_parse(struct arena *a, const char *format, bool translated, struct form *out,
               struct err *e)
{
	struct form_reader r = {
		.a = a, .at = format, .translated = translated, .out = out, .e = e
	};
	int rc = 0;

	*out = (struct form){ 0 };
	while (rc == 0 && *r.at) {
		rc = read_literal(&r);
		if (rc == 0 && *r.at)
			rc = read_hole(&r);
	}
	out->piece = arena_alloc(a, (out->pieces + 1) * sizeof *out->piece);
	memcpy(out->piece, r.piece, out->pieces * sizeof *out->piece);
	return rc;
}

int form_agree(const struct form *format, const struct form *said, struct err *e)
{
	char kinds[FORM_HOLES_MAX] = "";
	unsigned used = 0;

	for (size_t i = 0; i < format->pieces; i++)
		if (!format->piece[i].text)
			kinds[format->piece[i].hole] = format->piece[i].kind;
	for (size_t i = 0; i < said->pieces; i++) {
		const struct form_piece *p = &said->piece[i];

		if (p->text)
			continue;
		if (p->hole >= format->holes)
			return err_set(e, ERR_BAD, "the translation has more conversions");
		if (kinds[p->hole] != (p->kind == 't' ? 's' : p->kind))
			return err_set(e, ERR_BAD, "conversion %zu is of another kind",
			               p->hole + 1);
		used |= 1u << p->hole;
	}
	if (used != (1u << format->holes) - 1)
		return err_set(e, ERR_BAD, "the translation has fewer conversions");
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Does the text begin with a word of three letters or more, which is no move? */
static bool is_word(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && is_letter(text[i]))
		i++;
	return i >= 3 && (i == n || strchr(" ,.:;!?'", text[i]));
}

/* Does a word of a sentence end with text[i], before next?  Not the number of a move ("7."),
 * nor a single letter. */
static bool ends_word(const char *text, size_t i, const char *next, size_t n)
{
	size_t digits = 0;

	while (digits <= i && is_digit(text[i - digits]))
		digits++;
	if (digits)
		return (digits <= i && is_letter(text[i - digits])) || is_word(next, n);
	return text[i] == ')' || text[i] == '"' ||
	       (is_letter(text[i]) && (i == 0 || is_letter(text[i - 1]) || is_digit(text[i - 1])));
}

/* Does a sentence end before the blank at text[i], and another begin after it?  A hole's filling
 * is no such text, unless it stands in quotation marks; and no sentence begins with a text put
 * in that has a colon. */
static bool ends_sentence(const char *text, size_t i, size_t n, bool first)
{
	if (text[i] == FORM_GAP)
		return true;
	if (text[i] != ' ' || i < 2 || i + 1 == n)
		return false;
	if (text[i - 1] == ':')
		return first;
	return strchr(".!?", text[i - 1]) && ends_word(text, i - 2, text + i + 1, n - i - 1);
}

/* The bytes of a number at the beginning; 0: there is none. */
static size_t number_length(const char *text, size_t n, bool fraction)
{
	size_t i = n && (*text == '-' || *text == '+'), digits = 0;

	for (; i < n && (is_digit(text[i]) ||
	                 (fraction && text[i] == '.' && i + 1 < n && is_digit(text[i + 1])));
	     i++)
		digits++;
	return digits ? i : 0;
}

static size_t character_length(const char *text, size_t n)
{
	size_t i = n > 0;

	while (i && i < n && ((unsigned char)text[i] & 0xc0) == 0x80)
		i++;
	return i;
}

struct matcher {
	const struct form *f;
	struct form_filling *filling;
	size_t *budget;
};

static bool match_from(const struct matcher *m, size_t at, const char *text, size_t n);

static bool is_literal(const char *text, const char *literal, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] != literal[i] && (text[i] != FORM_GAP || literal[i] != ' '))
			return false;
	return true;
}

/* A text of any length but 0, the shortest first. */
static bool match_text(const struct matcher *m, size_t at, const char *text, size_t n)
{
	const struct form_piece *p = &m->f->piece[at];
	bool quoted = at && p[-1].text && p[-1].text[p[-1].n - 1] == '"';

	for (size_t len = 1; len <= n && text[len - 1] != '\n'; len++) {
		if (!quoted && ends_sentence(text, len - 1, n, at == 0))
			return false;
		m->filling[p->hole] = (struct form_filling){ text, len };
		if (match_from(m, at + 1, text + len, n - len))
			return true;
		if (*m->budget == 0)
			return false;
	}
	return false;
}

static bool match_from(const struct matcher *m, size_t at, const char *text, size_t n)
{
	const struct form_piece *p = &m->f->piece[at];

	if (*m->budget == 0)
		return false;
	--*m->budget;
	if (at == m->f->pieces)
		return n == 0;
	if (p->text)
		return n >= p->n && is_literal(text, p->text, p->n) &&
		       match_from(m, at + 1, text + p->n, n - p->n);
	if (p->kind == 's')
		return match_text(m, at, text, n);
	size_t len = p->kind == 'c' ? character_length(text, n)
	                            : number_length(text, n, p->kind == 'f');
	m->filling[p->hole] = (struct form_filling){ text, len };
	return len && match_from(m, at + 1, text + len, n - len);
}

/* Is the text long enough, and does it end as the form does?  Nearly all forms fail here. */
static bool may_match(const struct form *f, const char *text, size_t n)
{
	const struct form_piece *last = f->pieces ? &f->piece[f->pieces - 1] : NULL;

	return f->weight + f->holes <= n &&
	       (!last || !last->text ||
	        (last->n <= n && is_literal(text + n - last->n, last->text, last->n)));
}

bool form_match(const struct form *f, const char *text, size_t n, struct form_filling *filling,
                size_t *budget)
{
	struct matcher m = { f, filling, budget };

	return may_match(f, text, n) && match_from(&m, 0, text, n);
}
