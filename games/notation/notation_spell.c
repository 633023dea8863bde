/* Moves spelled in words or in pieces: "knight to f3", "e2 to e4", "N g1 f3", "e7 e8
 * queen", "castle kingside"; also in words of German, French, Spanish and
 * Italian: "Springer auf f3". */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"

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

/* clang-format off */
static const struct { const char *word; enum spelled kind; char piece; } words[] = {
	{ "king", PIECE, 'K' }, { "queen", PIECE, 'Q' }, { "rook", PIECE, 'R' },
	{ "bishop", PIECE, 'B' }, { "knight", PIECE, 'N' }, { "horse", PIECE, 'N' },
	{ "night", PIECE, 'N' }, { "rock", PIECE, 'R' }, /* telephones write so */
	{ "castle", PIECE, 'R' }, { "pawn", PIECE, 'P' },
	{ "könig", PIECE, 'K' }, { "dame", PIECE, 'Q' }, { "turm", PIECE, 'R' },
	{ "läufer", PIECE, 'B' }, { "springer", PIECE, 'N' }, { "pferd", PIECE, 'N' },
	{ "bauer", PIECE, 'P' }, { "nach", TO, 0 }, { "auf", TO, 0 }, { "schlägt", TAKES, 0 },
	{ "nimmt", TAKES, 0 }, { "zieht", FILLER, 0 }, { "geht", FILLER, 0 }, { "von", FILLER, 0 },
	{ "mein", FILLER, 0 }, { "meine", FILLER, 0 }, { "der", FILLER, 0 }, { "die", FILLER, 0 },
	{ "roi", PIECE, 'K' }, { "tour", PIECE, 'R' }, { "fou", PIECE, 'B' },
	{ "cavalier", PIECE, 'N' }, { "pion", PIECE, 'P' }, { "prend", TAKES, 0 },
	{ "rey", PIECE, 'K' }, { "dama", PIECE, 'Q' }, { "torre", PIECE, 'R' },
	{ "alfil", PIECE, 'B' }, { "caballo", PIECE, 'N' }, { "peón", PIECE, 'P' },
	{ "regina", PIECE, 'Q' }, { "donna", PIECE, 'Q' }, { "alfiere", PIECE, 'B' },
	{ "cavallo", PIECE, 'N' }, { "pedone", PIECE, 'P' }, { "peon", PIECE, 'P' },
	{ "cavalo", PIECE, 'N' }, { "bispo", PIECE, 'B' }, { "peão", PIECE, 'P' },
	{ "en", TO, 0 }, { "in", TO, 0 }, { "em", TO, 0 }, { "para", TO, 0 }, { "vers", TO, 0 },
	{ "toma", TAKES, 0 }, { "come", TAKES, 0 }, { "mangia", TAKES, 0 }, { "prende", TAKES, 0 },
	{ "el", FILLER, 0 }, { "la", FILLER, 0 }, { "le", FILLER, 0 }, { "il", FILLER, 0 },
	{ "to", TO, 0 }, { "-", TO, 0 }, { "->", TO, 0 }, { "-->", TO, 0 }, { "=>", TO, 0 },
	{ "goes", FILLER, 0 }, { "moves", FILLER, 0 }, { "from", FILLER, 0 }, { "on", FILLER, 0 },
	{ "the", FILLER, 0 }, { "my", FILLER, 0 }, { "at", FILLER, 0 }, { "move", FILLER, 0 },
	{ "takes", TAKES, 0 }, { "take", TAKES, 0 }, { "x", TAKES, 0 }, { "captures", TAKES, 0 },
	{ "capture", TAKES, 0 }, { ":", TAKES, 0 },
	{ "=", PROMOTES, 0 }, { "promotes", PROMOTES, 0 }, { "promoting", PROMOTES, 0 },
	{ "promote", PROMOTES, 0 }, { "becomes", PROMOTES, 0 },
};
static const struct { const char *text, *move; } castlings[] = {
	{ "castle kingside", "O-O" }, { "castles kingside", "O-O" }, { "castle king side", "O-O" },
	{ "castles king side", "O-O" }, { "castle king's side", "O-O" }, { "castle king-side", "O-O" },
	{ "castles king-side", "O-O" }, { "kingside castle", "O-O" }, { "king side castle", "O-O" },
	{ "kingside castling", "O-O" }, { "castling kingside", "O-O" }, { "castle short", "O-O" },
	{ "castles short", "O-O" }, { "short castle", "O-O" }, { "short castling", "O-O" },
	{ "castling short", "O-O" }, { "o - o", "O-O" }, { "0 - 0", "O-O" }, { "o o", "O-O" },
	{ "castle queenside", "O-O-O" }, { "castles queenside", "O-O-O" },
	{ "castle queen side", "O-O-O" }, { "castles queen side", "O-O-O" },
	{ "castle queen's side", "O-O-O" }, { "castle queen-side", "O-O-O" },
	{ "castles queen-side", "O-O-O" }, { "queenside castle", "O-O-O" },
	{ "queen side castle", "O-O-O" }, { "queenside castling", "O-O-O" },
	{ "castling queenside", "O-O-O" }, { "castle long", "O-O-O" }, { "castles long", "O-O-O" },
	{ "long castle", "O-O-O" }, { "long castling", "O-O-O" }, { "castling long", "O-O-O" },
	{ "o - o - o", "O-O-O" }, { "0 - 0 - 0", "O-O-O" }, { "o o o", "O-O-O" },
	{ "rochade kurz", "O-O" }, { "kurze rochade", "O-O" }, { "lange rochade", "O-O-O" },
	{ "rochade lang", "O-O-O" }, { "petit roque", "O-O" }, { "grand roque", "O-O-O" },
	{ "enroque corto", "O-O" }, { "enroque largo", "O-O-O" }, { "arrocco corto", "O-O" },
	{ "arrocco lungo", "O-O-O" }, { "roque pequeno", "O-O" }, { "roque grande", "O-O-O" },
	{ "korte rochade", "O-O" }, { "kort rokad", "O-O" }, { "lång rokad", "O-O-O" },
};
/* clang-format on */

static bool is_square(const char *s)
{
	char file = (char)tolower((unsigned char)s[0]);

	return file >= 'a' && file <= 'h' && s[1] >= '1' && s[1] <= '8' && !s[2];
}

static struct word classify(const char *s)
{
	struct word w = { .kind = OTHER };

	for (size_t i = 0; i < COUNT(words); i++) {
		if (strcasecmp(s, words[i].word) == 0)
			return (struct word){ .kind = words[i].kind, .piece = words[i].piece };
	}
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

/* "caballo a f3": of a piece in these languages, "a" is no file. */
static bool is_romance(const char *word)
{
	static const char *const pieces[] = { "rey",     "dama",   "torre",   "alfil", "caballo",
		                              "peón",    "peon",   "cavallo", "donna", "regina",
		                              "alfiere", "pedone", "cavalo",  "bispo", "peão" };

	for (size_t i = 0; i < COUNT(pieces); i++)
		if (strcasecmp(word, pieces[i]) == 0)
			return true;
	return false;
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
		if (strcasecmp(word, "a") == 0 && !*at && is_romance(before))
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
	for (size_t i = 0; i < COUNT(castlings); i++) {
		if (strcasecmp(p.text, castlings[i].text) == 0) {
			str_add(out, castlings[i].move);
			return true;
		}
	}
	if (!strchr(p.text, ' '))
		return false;
	return cut(&p) && read_words(&p, out);
}

bool game_spell_drop(const char *text, size_t len, struct str *out)
{
	static const char *const verbs[] = { "drop",      "drops",    "put",   "place",
		                             "einsetzen", "einsetze", "setze", "setzt",
		                             "setz",      "pongo",    "coloco" };
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

		for (size_t i = 0; i < COUNT(verbs); i++)
			drops = drops || strcasecmp(word, verbs[i]) == 0;
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
