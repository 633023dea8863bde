/* Moves spelled in words or in pieces: "knight to f3", "e2 to e4", "N g1 f3", "e7 e8
 * queen", "castle kingside"; also in words of German, French, Spanish and
 * Italian: "Springer auf f3". */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/board.h"
#include "games/game.h"
#include "games/gen.h"
#include "games/notation/notation.h"
#include "games/notation/notation_spell.h"

#define MAX_TEXT 96
#define MAX_WORDS 10
#define COUNT(table) (sizeof(table) / sizeof *(table))

enum spelled { OTHER, PIECE, SQUARE, PIECE_SQUARE, FILE_ONLY, TO, TAKES, PROMOTES, FILLER };

struct word {
	enum spelled kind;
	char piece; /* 'N' */
	char at[3]; /* "g1", or "g" */
};

struct spelling {
	char text[MAX_TEXT];
	struct word v[MAX_WORDS];
	size_t n, i; /* i: the next word to be read */
};

static const struct {
	const char *const *words;
	enum spelled kind;
} others[] = {
	{ notation_spell_to, TO },
	{ notation_spell_takes, TAKES },
	{ notation_spell_promotes, PROMOTES },
	{ notation_spell_fillers, FILLER },
};

/* The second text of the row of a table that begins with this one; NULL: there is none. */
static const char *answer_in(const char *const (*table)[2], const char *text)
{
	while ((*table)[0] && strcasecmp((*table)[0], text) != 0)
		table++;
	return (*table)[1];
}

static bool is_square(const char *s)
{
	char file = (char)tolower((unsigned char)s[0]);

	return file >= 'a' && file <= 'h' && s[1] >= '1' && s[1] <= '8' && !s[2];
}

static struct word classify(const char *s)
{
	struct word w = { .kind = OTHER };
	const char *piece = answer_in(notation_spell_pieces, s);

	if (piece)
		return (struct word){ .kind = PIECE, .piece = *piece };
	for (size_t i = 0; i < COUNT(others); i++)
		if (str_is_any(s, others[i].words))
			return (struct word){ .kind = others[i].kind };
	if (is_square(s)) {
		w.kind = SQUARE;
		w.at[0] = (char)tolower((unsigned char)s[0]);
		w.at[1] = s[1];
	} else if (strchr("KQRBN", s[0]) && !s[1]) {
		w = (struct word){ .kind = PIECE, .piece = s[0] };
	} else if (strchr("KQRBN", s[0]) && is_square(s + 1)) {
		w = (struct word){ .kind = PIECE_SQUARE, .piece = s[0], .at = { s[1], s[2] } };
	} else if (s[0] >= 'a' && s[0] <= 'h' && !s[1]) {
		w = (struct word){ .kind = FILE_ONLY, .at = { s[0] } };
	}
	return w;
}

/* Joins "E 5", as telephones write it, to the square of that word. */
static void join_square(char *word, char **rest, char at[3])
{
	snprintf(at, 3, "%c%c", word[0], word[1] || !*rest ? '\0' : **rest);
	if (*rest && word[0] && !word[1] && is_square(at) && ((*rest)[1] == ' ' || !(*rest)[1]))
		*rest += 1;
	else
		at[0] = '\0';
}

/* Cuts the text into words, and drops those without a meaning.  false: it holds a word
 * that no spelled move has. */
static bool cut(struct spelling *p)
{
	char *rest = p->text, *word;
	const char *before = "";

	while ((word = strsep(&rest, " "))) {
		if (!*word)
			continue;
		char at[3];

		join_square(word, &rest, at);
		struct word w = classify(*at ? at : word);
		if (strcasecmp(word, "a") == 0 && !*at &&
		    str_is_any(before, notation_spell_romance))
			w.kind = TO;
		before = word;

		if (w.kind == OTHER || p->n == MAX_WORDS)
			return false;
		if (w.kind != FILLER)
			p->v[p->n++] = w;
	}
	return true;
}

static const struct word *take(struct spelling *p, enum spelled kind)
{
	return p->i < p->n && p->v[p->i].kind == kind ? &p->v[p->i++] : NULL;
}

/* "= Q", "promotes to queen", "queen", or nothing. */
static void read_promotion(struct spelling *p, struct str *out)
{
	size_t start = p->i;

	take(p, PROMOTES);
	take(p, TO);
	const struct word *to = take(p, PIECE);

	if (to && to->piece != 'P')
		str_addf(out, "=%c", to->piece);
	else
		p->i = start;
}

/* The parts of a spelled move; NULL: not named. */
struct named {
	const struct word *piece, *from, *to;
	bool takes;
};

/* [piece] [where from] [to or takes] square */
static void read_names(struct spelling *p, struct named *m)
{
	m->piece = take(p, PIECE);
	m->from = take(p, PIECE_SQUARE);
	if (!m->from)
		m->from = take(p, SQUARE);
	if (!m->from)
		m->from = take(p, FILE_ONLY);
	m->takes = take(p, TAKES) != NULL;
	if (!m->takes)
		take(p, TO);
	m->to = take(p, SQUARE);
	if (!m->to && m->from && m->from->kind != FILE_ONLY) {
		m->to = m->from; /* "knight f3" */
		m->from = NULL;
	}
}

/* The letter of the man, or '\0' for a pawn or any man. */
static char piece_of(const struct named *m)
{
	const struct word *at = m->from ? m->from : m->to;

	if (m->piece)
		return m->piece->piece == 'P' ? '\0' : m->piece->piece;
	return at->kind == PIECE_SQUARE ? at->piece : '\0';
}

/* Does it name one move?  "pawn takes d5" does not say which pawn, and must not become
 * the push d5. */
static bool is_whole(const struct named *m)
{
	if (!m->to || (m->piece && m->from && m->from->kind == PIECE_SQUARE))
		return false;
	if (piece_of(m))
		return true;
	if (m->from && m->from->kind == FILE_ONLY) /* "e takes d5" */
		return m->takes && m->from->at[0] != m->to->at[0];
	return m->from || !m->takes;
}

static bool read_words(struct spelling *p, struct str *out)
{
	struct named m;

	read_names(p, &m);
	if (!is_whole(&m))
		return false;
	if (piece_of(&m))
		str_add_char(out, piece_of(&m));
	str_addf(out, "%s%s%s", m.from ? m.from->at : "", m.takes ? "x" : "", m.to->at);
	read_promotion(p, out);
	return p->i == p->n;
}

bool game_spell_move(const char *text, size_t len, struct str *out)
{
	struct spelling p = { .n = 0 };

	while (len && strchr(" +#!.", text[len - 1]))
		len--;
	while (len && *text == ' ') {
		text++;
		len--;
	}
	if (len == 0 || len >= sizeof p.text || memchr(text, '\0', len))
		return false;
	memcpy(p.text, text, len);
	str_clear(out);
	const char *castling = answer_in(notation_spell_castlings, p.text);
	if (castling)
		str_add(out, castling);
	if (castling || !strchr(p.text, ' '))
		return castling;
	return cut(&p) && read_words(&p, out);
}

bool game_spell_drop(const char *text, size_t len, struct str *out)
{
	char copy[MAX_TEXT], *rest = copy, *word, piece = 0;
	const char *square = NULL;
	size_t pieces = 0, squares = 0;

	if (len >= sizeof copy || memchr(text, '\0', len))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	bool drops = strpbrk(copy, "@*") != NULL;
	while ((word = strsep(&rest, " @*.,;:!?()"))) {
		struct word w = classify(*word == 'P' && !word[1] ? "pawn" : word);

		drops |= str_is_any(word, notation_spell_drops);
		pieces += w.kind == PIECE;
		piece = w.kind == PIECE ? w.piece : piece;
		squares += w.kind == SQUARE;
		square = w.kind == SQUARE ? word : square;
	}
	if (!drops || pieces != 1 || squares != 1 || piece == 'K')
		return false;
	str_clear(out);
	str_addf(out, "%c@%c%c", piece, tolower((unsigned char)square[0]), square[1]);
	return true;
}

/* ---- guesses ---- */

/* Everything that the words say of a turn; '\0' and "": not said. */
struct hint {
	char man, taken; /* 'N' */
	char from_file;
	char to[3]; /* "d5", or "d" */
	char steps; /* '2', from rank to rank */
	bool takes, goes;
};

/* "exd", "dxc": two files. */
static bool read_files(const char *word, struct hint *h)
{
	static const char files[] = "abcdefgh";

	if (strlen(word) != 3 || word[1] != 'x' || !strchr(files, word[0]) ||
	    !strchr(files, word[2]))
		return false;
	*h = (struct hint){ .man = 'P', .from_file = word[0], .to = { word[2] }, .takes = true };
	return true;
}

/* Adds a word to the hint; false: it belongs to no move, or says something twice. */
static bool add_word(const char *text, struct hint *h)
{
	const char *file = answer_in(notation_spell_files, text);
	const char *steps = answer_in(notation_spell_steps, text);
	char *man = h->takes && !h->taken ? &h->taken : &h->man;
	struct word w = classify(text);

	if (file)
		h->from_file = *file;
	if (steps)
		h->steps = *steps;
	if (file || steps || str_is_any(text, notation_spell_around))
		return true;
	switch (w.kind) {
	case PIECE:
		if (*man)
			return false;
		*man = w.piece;
		return true;
	case FILE_ONLY:
		if (!h->takes)
			h->from_file = w.at[0];
		else if (!h->to[0])
			h->to[0] = w.at[0];
		return true;
	case SQUARE: memcpy(h->to, w.at, sizeof h->to); return true;
	case TAKES: h->takes = true; return true;
	case TO: h->goes = true; return true;
	case FILLER: return true;
	default: return false;
	}
}

/* Does it say what is taken, or who goes where? */
static bool is_enough(const struct hint *h)
{
	return h->takes ? h->man || h->from_file || h->taken || h->to[0]
	                : h->man && (h->steps || (h->goes && h->to[1]));
}

static bool read_hint(const char *text, size_t len, struct hint *h)
{
	char copy[MAX_TEXT], *rest = copy, *word;
	bool ends = false;

	*h = (struct hint){ 0 };
	if (len == 0 || len >= sizeof copy || memchr(text, '\0', len))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	while (!ends && (word = strsep(&rest, " "))) {
		size_t n = strcspn(word, ".,;:!?+#");

		ends = word[n];
		word[n] = '\0';
		ends |= *word && !read_files(word, h) && !add_word(word, h);
	}
	return is_enough(h);
}

static char letter_of(unsigned type)
{
	return type == NO_PIECE ? '\0' : (char)toupper((unsigned char)piece_letters[type]);
}

/* Does the letter of a file or a rank, if there is one, mean that number? */
static bool is_at(char letter, char first, unsigned number)
{
	return !letter || letter - first == (int)number;
}

static bool fits(const struct game *g, const struct pos *p, const struct move *m,
                 const struct hint *h)
{
	struct pos next = *p;
	struct effects fx;

	if (m->from == NO_SQUARE || m->to == NO_SQUARE ||
	    (h->man && letter_of(m->flags & MOVE_TYPE) != h->man) ||
	    !is_at(h->from_file, 'a', square_file(m->from)) ||
	    !is_at(h->to[0], 'a', square_file(m->to)) || !is_at(h->to[1], '1', square_rank(m->to)))
		return false;
	int ranks = abs((int)square_rank(m->to) - (int)square_rank(m->from));
	if (!h->takes && !is_at(h->steps, '0', (unsigned)ranks))
		return false;
	game_apply(g, &next, m, &fx);
	char taken = letter_of(fx.captured.type);
	return (!h->takes || taken) && (!h->taken || taken == h->taken);
}

bool game_guess_move(const struct game *g, const struct pos *p, const char *text, size_t len,
                     struct move *out)
{
	struct moves legal;
	struct hint h;
	size_t n = 0;

	if (!read_hint(text, len, &h))
		return false;
	game_legal(g, p, &legal);
	for (size_t i = 0; i < legal.n; i++)
		if (fits(g, p, &legal.v[i], &h)) {
			*out = legal.v[i];
			n++;
		}
	return n == 1;
}
