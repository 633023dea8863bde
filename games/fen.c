#include "games/fen.h"

#include <ctype.h>
#include <string.h>

#include "games/board.h"

#define HALFMOVE_MAX 65000
#define FULLMOVE_MAX 65000
#define TEXT_MAX_FEN 128

/* The fields, in the order they are read: at points past what was taken. */
struct reader {
	struct board_size board;
	const char *at;
	struct pos *pos;
	struct err *err;
};

/* Is the rest nothing but blanks? */
static bool at_end(struct reader *r)
{
	while (*r->at == ' ')
		r->at++;
	return !*r->at;
}

static int read_rank(struct reader *r, unsigned rank)
{
	unsigned file = 0;

	for (; *r->at && *r->at != '/' && *r->at != ' '; r->at++) {
		unsigned char c = (unsigned char)*r->at;
		unsigned type = piece_by_letter((char)c);

		if (c >= '1' && c <= '8') {
			file += c - '0';
		} else if (type != NO_PIECE) {
			if (file < r->board.files)
				board_put(r->pos, 8 * rank + file, islower(c) ? BLACK : WHITE,
				          type);
			file++;
		} else {
			return err_set(r->err, ERR_BAD,
			               "The FEN has a character in its board that "
			               "means no man: use PNBRQK, pnbrqk, 1 to 8 and /.");
		}
		if (file > r->board.files)
			break;
	}
	if (file != r->board.files)
		return err_set(r->err, ERR_BAD, "Rank %u of the FEN has not exactly %u squares.",
		               rank + 1, r->board.files);
	return 0;
}

static int read_board(struct reader *r)
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
	if (*r->at && *r->at != ' ')
		return err_set(r->err, ERR_BAD, "The board of the FEN has more than %u ranks.",
		               r->board.ranks);
	return 0;
}

static int read_side(struct reader *r)
{
	if (at_end(r) || (*r->at != 'w' && *r->at != 'b') || (r->at[1] && r->at[1] != ' '))
		return err_set(r->err, ERR_BAD,
		               "The FEN must say who moves, w or b, after the board.");
	r->pos->to_move = *r->at++ == 'w' ? WHITE : BLACK;
	return 0;
}

static int read_castling(struct reader *r)
{
	static const char letters[] = "KQkq";

	if (at_end(r))
		return 0;
	if (*r->at == '-') {
		r->at++;
	} else {
		for (; *r->at && *r->at != ' '; r->at++) {
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

static int read_ep(struct reader *r)
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

static int read_number(struct reader *r, unsigned max, const char *name, uint16_t *out)
{
	unsigned n = 0;

	if (at_end(r))
		return 0;
	if (!isdigit((unsigned char)*r->at))
		return err_set(r->err, ERR_BAD, "The %s of the FEN is not a number.", name);
	for (; isdigit((unsigned char)*r->at) && n <= max; r->at++)
		n = 10 * n + (unsigned)(*r->at - '0');
	if (n > max || (*r->at && *r->at != ' '))
		return err_set(r->err, ERR_BAD, "The %s of the FEN is not a number up to %u.", name,
		               max);
	*out = (uint16_t)n;
	return 0;
}

int fen_read(const struct game *g, const char *text, struct pos *out, struct err *e)
{
	struct pos p = { .ep = NO_SQUARE, .waiting = NO_SQUARE, .fullmove = 1 };
	struct reader r = { .board = game_board(g), .at = text, .pos = &p, .err = e };
	int rc;

	if (strnlen(text, TEXT_MAX_FEN) == TEXT_MAX_FEN)
		return err_set(e, ERR_BAD, "The FEN is too long.");
	if (at_end(&r))
		return err_set(e, ERR_BAD, "The FEN is empty.");
	if ((rc = read_board(&r)) || (rc = read_side(&r)) || (rc = read_castling(&r)) ||
	    (rc = read_ep(&r)) ||
	    (rc = read_number(&r, HALFMOVE_MAX, "half-move clock", &p.halfmove)) ||
	    (rc = read_number(&r, FULLMOVE_MAX, "move number", &p.fullmove)))
		return rc;
	if (!at_end(&r))
		return err_set(e, ERR_BAD, "The FEN has more than its six fields.");
	if (!p.fullmove)
		p.fullmove = 1;
	*out = p;
	return 0;
}

static void write_rank(struct board_size board, const struct pos *p, unsigned rank, struct str *out)
{
	unsigned empty = 0;

	for (unsigned file = 0; file < board.files; file++) {
		struct man man = board_man(p, 8 * rank + file);

		if (man.type == NO_PIECE) {
			empty++;
			continue;
		}
		if (empty)
			str_add_char(out, (char)('0' + empty));
		empty = 0;
		char letter = piece_letters[man.type];

		str_add_char(out,
		             man.color == BLACK ? (char)tolower((unsigned char)letter) : letter);
	}
	if (empty)
		str_add_char(out, (char)('0' + empty));
}

void fen_write(const struct game *g, const struct pos *p, struct str *out)
{
	struct board_size board = game_board(g);

	for (unsigned rank = board.ranks; rank-- > 0;) {
		write_rank(board, p, rank, out);
		if (rank)
			str_add_char(out, '/');
	}
	str_add(out, p->to_move == WHITE ? " w " : " b ");
	for (unsigned i = 0; i < 4; i++)
		if (p->castling & 1u << i)
			str_add_char(out, "KQkq"[i]);
	str_add(out, p->castling ? " " : "- ");
	if (p->ep == NO_SQUARE)
		str_add_char(out, '-');
	else
		square_write(p->ep, out);
	str_addf(out, " %u %u", p->halfmove, p->fullmove);
}
