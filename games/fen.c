#include "games/fen.h"

#include <ctype.h>
#include <string.h>

#include "games/board.h"
#include "games/pocket.h"

#define NUMBER_MAX UINT32_C(4000000000)
#define TEXT_MAX_FEN 200

/* The fields, in the order they are read. */
struct fen_reader {
	const struct game *game;
	struct board_size board;
	const char *at; /* the next character */
	struct pos *pos;
	struct err *err;
	bool own_read; /* the variant's own field */
};

static bool has_drops(const struct game *g)
{
	return g->rules->flags & RULES_DROPS;
}

/* Is the rest nothing but blanks? */
static bool at_end(struct fen_reader *r)
{
	while (*r->at == ' ')
		r->at++;
	return !*r->at;
}

static int read_rank(struct fen_reader *r, unsigned rank)
{
	unsigned file = 0;

	for (; *r->at && !strchr("/ [", *r->at); r->at++) {
		unsigned char c = (unsigned char)*r->at;
		unsigned type = piece_by_letter((char)c);

		if (c >= '1' && c <= '8') {
			file += c - '0';
		} else if (type != NO_PIECE) {
			if (file < r->board.files)
				board_put(r->pos, 8 * rank + file, islower(c) ? BLACK : WHITE,
				          type);
			file++;
		} else if (c == '~' && file && has_drops(r->game)) {
			pocket_set_promoted(r->pos,
			                    pocket_promoted(r->pos) | BIT(8 * rank + file - 1));
		} else {
			return err_set(r->err, ERR_BAD,
			               "The FEN has a character in its board that "
			               "means no piece: use PNBRQK, pnbrqk, 1 to 8 and /.");
		}
		if (file > r->board.files)
			break;
	}
	if (file != r->board.files)
		return err_set(r->err, ERR_BAD, "Rank %u of the FEN has not exactly %u squares.",
		               rank + 1, r->board.files);
	return 0;
}

/* "[Qpp]", or "/Qpp" like a ninth rank. */
static int read_pockets(struct fen_reader *r)
{
	char end = *r->at++ == '[' ? ']' : ' ';

	for (; *r->at && *r->at != end; r->at++) {
		unsigned type = piece_by_letter(*r->at);

		if (type >= POCKET_TYPES && *r->at != '-')
			break;
		if (type < POCKET_TYPES)
			pocket_of(r->pos, islower((unsigned char)*r->at) ? BLACK : WHITE)[type]++;
	}
	bool closed = end == ' ' || *r->at == ']';
	r->at += end == ']' && closed;
	if (!closed || (*r->at && *r->at != ' '))
		return err_set(r->err, ERR_BAD,
		               "The pockets of the FEN must be letters of QRBNP and qrbnp in "
		               "brackets after the board, [Qpp].");
	return 0;
}

static int read_board(struct fen_reader *r)
{
	for (unsigned rank = r->board.ranks; rank-- > 0;) {
		int rc = read_rank(r, rank);

		if (rc)
			return rc;
		if (rank && *r->at++ != '/')
			return err_set(r->err, ERR_BAD,
			               "The board of the FEN has too few ranks: "
			               "%u are needed.",
			               r->board.ranks);
	}
	if (has_drops(r->game) && (*r->at == '[' || *r->at == '/'))
		return read_pockets(r);
	if (*r->at && *r->at != ' ')
		return err_set(r->err, ERR_BAD, "The board of the FEN has more than %u ranks.",
		               r->board.ranks);
	return 0;
}

static int read_side(struct fen_reader *r)
{
	if (at_end(r) || (*r->at != 'w' && *r->at != 'b') || (r->at[1] && r->at[1] != ' '))
		return err_set(r->err, ERR_BAD,
		               "The FEN must say who moves, w or b, after the board.");
	r->pos->to_move = *r->at++ == 'w' ? WHITE : BLACK;
	return 0;
}

static int read_castling(struct fen_reader *r)
{
	static const char letters[] = "KQkq";
	int (*own)(struct pos * p, char letter, struct err *e) = r->game->rules->read_castling;

	if (at_end(r))
		return 0;
	if (*r->at == '-') {
		r->at++;
	} else {
		for (; *r->at && *r->at != ' '; r->at++) {
			if (own) {
				int rc = own(r->pos, *r->at, r->err);

				if (rc < 0)
					return rc;
				continue;
			}
			const char *l = strchr(letters, *r->at);

			if (!l || r->pos->castling & 1u << (l - letters))
				return err_set(r->err, ERR_BAD,
				               "The castling field of the FEN must be "
				               "- or letters of KQkq, each once.");
			r->pos->castling |= (uint8_t)(1u << (l - letters));
		}
	}
	return *r->at && *r->at != ' '
	               ? err_set(r->err, ERR_BAD, "The castling field of the FEN is wrong.")
	               : 0;
}

/* A square is kept only when a pawn has just passed it and another stands
 * ready to take it, so that equal positions are equal in memory. */
static bool ep_usable(const struct pos *p, unsigned sq)
{
	enum color c = p->to_move;
	uint64_t occ = p->color[WHITE] | p->color[BLACK];

	return square_rank(sq) == (c == WHITE ? 5 : 2) &&
	       p->type[PAWN] & p->color[!c] & BIT(sq ^ 8) &&
	       !(occ & (BIT(sq) | bits_forward(BIT(sq), c))) &&
	       attacks_pawns(BIT(sq), !c) & p->type[PAWN] & p->color[c];
}

static int read_ep(struct fen_reader *r)
{
	if (at_end(r))
		return 0;
	if (*r->at == '-') {
		r->at++;
	} else if (*r->at >= 'a' && *r->at <= 'h' && (r->at[1] == '3' || r->at[1] == '6')) {
		unsigned sq = (unsigned)(*r->at - 'a') + 8u * (unsigned)(r->at[1] - '1');

		r->at += 2;
		if (ep_usable(r->pos, sq))
			r->pos->ep = (uint8_t)sq;
	} else {
		return err_set(r->err, ERR_BAD,
		               "The en passant field of the FEN must be - or a "
		               "square of rank 3 or 6.");
	}
	return *r->at && *r->at != ' '
	               ? err_set(r->err, ERR_BAD, "The en passant field of the FEN is wrong.")
	               : 0;
}

static int read_number(struct fen_reader *r, const char *name, uint32_t *out)
{
	uint64_t n = 0;

	if (at_end(r))
		return 0;
	if (!isdigit((unsigned char)*r->at))
		return err_set(r->err, ERR_BAD, "The %s of the FEN is not a number.", name);
	for (; isdigit((unsigned char)*r->at) && n <= NUMBER_MAX; r->at++)
		n = 10 * n + (unsigned)(*r->at - '0');
	if (n > NUMBER_MAX || (*r->at && *r->at != ' '))
		return err_set(r->err, ERR_BAD, "The %s of the FEN is not a number up to %u.", name,
		               NUMBER_MAX);
	*out = (uint32_t)n;
	return 0;
}

/* The variant's own field, if one that is no number stands here. */
static int read_own(struct fen_reader *r)
{
	const struct rules *rules = r->game->rules;
	const char *field;
	size_t len;

	if (!rules->fen_read || r->own_read || at_end(r))
		return 0;
	field = r->at;
	len = strcspn(field, " ");
	if (strspn(field, "0123456789") == len)
		return 0;
	r->at += len;
	r->own_read = true;
	return rules->fen_read(r->game, field, len, r->pos, r->err);
}

static int read_fields(struct fen_reader *r)
{
	struct pos *p = r->pos;
	int rc;

	if ((rc = read_board(r)) || (rc = read_side(r)) || (rc = read_castling(r)) ||
	    (rc = read_ep(r)) || (rc = read_own(r)) ||
	    (rc = read_number(r, "half-move clock", &p->halfmove)) ||
	    (rc = read_number(r, "move number", &p->fullmove)) || (rc = read_own(r)))
		return rc;
	if (!at_end(r))
		return err_set(r->err, ERR_BAD, "The FEN has more than its %s fields.",
		               r->game->rules->fen_read ? "seven" : "six");
	return 0;
}

int fen_read(const struct game *g, const char *text, struct pos *out, struct err *e)
{
	struct pos p = { .ep = NO_SQUARE, .fullmove = 1 };
	struct fen_reader r = {
		.game = g,
		.board = game_board(g),
		.at = text,
		.pos = &p,
		.err = e,
	};
	int rc;

	if (strnlen(text, TEXT_MAX_FEN) == TEXT_MAX_FEN)
		return err_set(e, ERR_BAD, "The FEN is too long.");
	if (at_end(&r))
		return err_set(e, ERR_BAD, "The FEN is empty.");
	if ((rc = read_fields(&r)))
		return rc;
	if (!p.fullmove)
		p.fullmove = 1;
	*out = p;
	return 0;
}

static void write_rank(const struct game *g, const struct pos *p, unsigned rank, struct str *out)
{
	unsigned empty = 0, files = game_board(g).files;

	for (unsigned file = 0; file < files; file++) {
		struct man man = board_man(p, 8 * rank + file);

		if (man.type == NO_PIECE) {
			empty++;
			continue;
		}
		if (empty)
			str_add_char(out, (char)('0' + empty));
		empty = 0;
		str_add_char(out, piece_letter(man.color, man.type));
		if (has_drops(g) && pocket_promoted(p) & BIT(man.square))
			str_add_char(out, '~');
	}
	if (empty)
		str_add_char(out, (char)('0' + empty));
}

static void write_pockets(const struct game *g, const struct pos *p, struct str *out)
{
	str_add_char(out, '[');
	for (unsigned c = WHITE; c <= BLACK; c++)
		for (unsigned type = POCKET_TYPES; type-- > 0;)
			for (unsigned n = pocket_count(g, p, c, type); n > 0; n--)
				str_add_char(out, piece_letter(c, type));
	str_add_char(out, ']');
}

void fen_write(const struct game *g, const struct pos *p, struct str *out)
{
	struct board_size board = game_board(g);

	for (unsigned rank = board.ranks; rank-- > 0;) {
		write_rank(g, p, rank, out);
		if (rank)
			str_add_char(out, '/');
	}
	if (has_drops(g))
		write_pockets(g, p, out);
	str_add(out, p->to_move == WHITE ? " w " : " b ");
	if (g->rules->write_castling)
		g->rules->write_castling(p, out);
	for (unsigned i = 0; i < 4 && !g->rules->write_castling; i++)
		if (p->castling & 1u << i)
			str_add_char(out, "KQkq"[i]);
	str_add(out, p->castling ? " " : "- ");
	if (p->ep == NO_SQUARE)
		str_add_char(out, '-');
	else
		square_write(p->ep, out);
	str_addf(out, " %u %u", p->halfmove, p->fullmove);
	if (g->rules->fen_write) {
		str_add_char(out, ' ');
		g->rules->fen_write(g, p, out);
	}
}
