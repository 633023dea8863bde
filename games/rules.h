/* The interface between the server and the rules of a game.  A variant is one
 * const struct rules in a file of games/variants/, and a line in
 * games/variants/variants.list.  Rules are pure functions on plain memory: no
 * I/O, no clock, no heap, no globals that change.  Callers outside games/ use
 * games/game.h and games/notation/notation.h, which check their input before
 * they call a slot. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

enum color { WHITE, BLACK };
enum piece_type { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPES, NO_PIECE = 7 };

/* Squares are 0..63, a1 = 0, b1 = 1, h8 = 63, on smaller boards as well. */
#define NO_SQUARE 64

#define POS_OWN 21
#define MOVE_OWN 2

/* A position: plain memory of fixed size.  memcpy copies it, nothing frees it.
 * It holds everything that decides what may follow, and nothing else. */
struct pos {
	uint64_t color[2];    /* men of each side */
	uint64_t type[6];     /* men of each enum piece_type */
	uint8_t to_move;      /* enum color */
	uint8_t ep;           /* en passant target square, or NO_SQUARE */
	uint8_t castling;     /* bits of enum castling_right */
	uint8_t own[POS_OWN]; /* the variant's own state; zero where it has none */
	uint32_t halfmove;    /* plies since a pawn move or a man's removal */
	uint32_t fullmove;    /* counts up after Black's turn */
};

enum castling_right {
	CASTLE_WHITE_SHORT = 1, /* FEN K */
	CASTLE_WHITE_LONG = 2,  /* FEN Q */
	CASTLE_BLACK_SHORT = 4, /* FEN k */
	CASTLE_BLACK_LONG = 8   /* FEN q */
};

/* One whole turn, also where it has parts. */
struct move {
	uint8_t from, to;      /* NO_SQUARE both: no man moves */
	uint8_t promo;         /* enum piece_type or NO_PIECE */
	uint8_t flags;         /* private to the rules (castling, en passant …) */
	uint8_t own[MOVE_OWN]; /* the variant's own parts of a turn; zero where it has none */
};

/* Room for the legal turns of any position of any game. */
#define MOVES_MAX 16384
struct moves {
	size_t n;
	struct move v[MOVES_MAX];
};

/* The men that a turn took off the board: for mails, PGN comments, the record. */
struct man {
	uint8_t square, color, type;
};
struct effects {
	size_t removed_count; /* taken off by a rule, not by displacement */
	struct man removed[64];
	struct man captured; /* by displacement or en passant; type NO_PIECE: none */
};

enum result { RESULT_RUNNING, RESULT_WHITE, RESULT_BLACK, RESULT_DRAW };
struct outcome {
	enum result result;
	const char *why; /* static text for a person: "checkmate"; NULL while running */
	bool mate;       /* SAN marks the turn that led here with #, mate or another win */
};

/* Why a text could not be played, for callers that react differently. */
enum read_refusal {
	READ_OK,
	READ_UNREADABLE, /* not a move in any notation */
	READ_ILLEGAL,    /* a move, not legal here */
	READ_MUST_CAPTURE,
	READ_AMBIGUOUS,
	READ_NEEDS_PIECE, /* a promotion without its piece */
	READ_OVER         /* the position is finished */
};

struct rules;
/* A game ready to play: rules and the options chosen, as a bit set over
 * rules->options (bit i = row i). */
struct game {
	const struct rules *rules;
	uint32_t options;
};

struct rules_option {
	const char *word;  /* "-reversed" */
	uint32_t excludes; /* bits of options it contradicts */
	const char *help;
	const char *start; /* MAY.  Its starting position, in place of the game's */
	const char *pgn;   /* MAY.  What it adds to the Variant tag */
};

enum rules_flags {
	/* A king may not be left attacked: refusals say so, and SAN carries + (where
	 * in_check() says so) and # (where outcome() sets mate). */
	RULES_CHECK = 1 << 0,
	RULES_MUST_CAPTURE = 1 << 1,  /* refusals name the captures */
	RULES_MARK_REMOVALS = 1 << 2, /* SAN ends in X where the turn removes men */
	RULES_LOTS = 1 << 3,          /* lots choose one of the numbered starts */
	RULES_DROPS = 1 << 4          /* men in hand may be put on the board (games/pocket.h) */
};

struct board_size {
	uint8_t files, ranks;
};

struct gen_list;   /* games/gen.h */
struct castle;     /* games/gen.h */
struct typed_turn; /* games/notation/notation_parse.h */

/* Faster ways to the answers that the slots of struct rules give: functions
 * compiled for one side to move, which is their index.  See games/fast/. */
struct rules_fast {
	/* MUST.  The number of turns at this depth, depth >= 1. */
	uint64_t (*perft[2])(const struct game *g, const struct pos *p, int depth);
	/* MUST.  The turns of a position that leaf() calls running, at most GEN_MAX
	 * of them, captures first: all legal ones, and maybe some that apply() refuses. */
	void (*list[2])(const struct game *g, const struct pos *p, struct gen_list *out);
	/* MAY.  The captures alone of that list, where they cost much less; NULL: list has them. */
	void (*captures[2])(const struct game *g, const struct pos *p, struct gen_list *out);
	/* MUST.  Makes a listed turn.  False: it is not legal, and *p is spoilt. */
	bool (*apply[2])(const struct game *g, struct pos *p, const struct move *m);
	/* MUST.  The result of a position, as far as it can be known without a list:
	 * RESULT_RUNNING may still turn out to be a mate or a stalemate. */
	enum result (*leaf[2])(const struct game *g, const struct pos *p);
	/* MUST.  As the slot of struct rules. */
	bool (*in_check[2])(const struct game *g, const struct pos *p);
	/* MAY.  The number of legal turns, 0 in every finished position, dead ones
	 * included.  `pbm solve` searches the games that have it; their list has legal
	 * turns alone, and their struct pos .own is zero. */
	unsigned (*count[2])(const struct game *g, const struct pos *p);
};

/* Slots that are left NULL have the default named in their comment. */
struct rules {
	const char *name;                   /* stored on disk and typed by people: never rename */
	const char *title;                  /* "Suicide" as in subjects and headings */
	const char *list_name;              /* "Suicide games", the List-Id phrase */
	const char *const *aliases;         /* MAY.  NULL-terminated */
	const struct rules_option *options; /* MAY.  Ends with a NULL word */
	const char *summary;                /* one line for the list of games */
	unsigned version;                   /* bump when an old game would replay differently */
	unsigned flags;                     /* enum rules_flags */
	const char *start;                  /* the FEN of the starting position */
	const char *
		numbered; /* MAY.  What follows the men in its numbered starts (games/numbered.h) */
	const char *pgn;  /* the PGN Variant tag; NULL for orthodox chess */
	const void *variant; /* the family's own row of switches */
	/* MUST.  Two rows, by enum attacks_path. */
	const struct rules_fast *fast;

	/* ---- the game ---- */

	/* MAY.  The size of the board of this game and options, a1 being its corner
	 * and 8 by 8 the largest; NULL: 8 by 8. */
	struct board_size (*board)(const struct game *g);
	/* MAY.  Refuses a position that FEN can write but this game cannot have
	 * (ERR_BAD, the text says why); may also normalise it. */
	int (*check_position)(const struct game *g, struct pos *p, struct err *e);
	/* MAY.  All legal turns, ignoring draws by clock, repetition and dead
	 * position; none in a finished position.  NULL: those of fast->list that
	 * fast->apply makes, none where fast->leaf knows a result. */
	void (*legal)(const struct game *g, const struct pos *p, struct moves *out);
	/* MUST.  Makes a turn that legal() listed.  fx may be NULL. */
	void (*apply)(const struct game *g, struct pos *p, const struct move *m,
	              struct effects *fx);
	/* MAY.  The result of the position as it stands, dead positions included, without
	 * the draws by clock and repetition, which are common to all games.  NULL: that of
	 * ended(); else the game goes on while legal(), which is NULL then, has a turn, and
	 * ends in checkmate or stalemate. */
	void (*outcome)(const struct game *g, const struct pos *p, struct outcome *out);
	/* MAY.  Has the game ended in another way?  *out counts if it has. */
	bool (*ended)(const struct game *g, const struct pos *p, struct outcome *out);
	const char *stalemate; /* MAY.  Why it is drawn then; NULL: "stalemate" */
	/* MAY.  Is the side to move in check?  NULL: with RULES_CHECK, when its king is
	 * attacked as in orthodox chess; else never. */
	bool (*in_check)(const struct game *g, const struct pos *p);
	/* MAY.  True when playing m loses at once by the mover's own doing; why
	 * gets one sentence to the mover, of less than 200 bytes; avalanche.c is the
	 * model.  The server asks before it plays such a turn. */
	bool (*blunder)(const struct game *g, const struct pos *p, const struct move *m,
	                struct str *why);

	/* ---- its positions and turns in writing ---- */

	/* MAY.  The name of a PGN tag for the options ("AvalancheMode"): its value is
	 * their words without '-', joined by commas, or pgn_plain when none is chosen. */
	const char *pgn_options_tag, *pgn_plain;
	/* MAY, both or neither.  A FEN field for the variant's own state. fen_write writes it
	 * after the six usual fields. fen_read is offered a field that stands there, or before
	 * the clock, and sets p->own; ERR_BAD with a sentence when the field is wrong. */
	int (*fen_read)(const struct game *g, const char *field, size_t len, struct pos *p,
	                struct err *e);
	void (*fen_write)(const struct game *g, const struct pos *p, struct str *out);
	/* MAY, all or none, for a game whose king and rooks castle from other squares.  Read a
	 * letter of the FEN's castling field (not "-") when the men stand, ERR_BAD with a
	 * sentence; write the field; say why the side to move can't castle, and between which
	 * squares king and rook go. */
	int (*read_castling)(struct pos *p, char letter, struct err *e);
	void (*write_castling)(const struct pos *p, struct str *out);
	const char *(*refuse_castling)(const struct pos *p, bool wing_long);
	struct castle (*castle)(const struct pos *p, const struct move *m);
	/* MAY.  Reads a turn of parts that was typed with commas; any value but
	 * READ_OK comes with a sentence in refusal.  NULL: a turn is one move. */
	enum read_refusal (*read_turn)(const struct game *g, const struct pos *p,
	                               const struct moves *legal, const struct typed_turn *t,
	                               struct move *out, struct str *refusal);
	/* MAY, with read_turn.  Write such a turn, without check signs. */
	void (*write_san)(const struct game *g, const struct pos *p, const struct moves *legal,
	                  const struct move *m, struct str *out);
	void (*write_uci)(const struct game *g, const struct pos *p, const struct move *m,
	                  struct str *out);

	/* ---- what players are told ---- */

	/* MAY.  Why m, a move of orthodox shape that was typed, is not legal.
	 * False, and nothing written, for the common sentences. */
	bool (*explain)(const struct game *g, const struct pos *p, const struct move *m,
	                const char *typed, struct str *out);
	/* MAY.  The turn m in words; reader_is_mover says whose "your" is.  NULL:
	 * game_describe_move() and game_describe_removed(). */
	void (*describe)(const struct game *g, const struct pos *before, const struct move *m,
	                 bool reader_is_mover, struct str *out);
	/* MAY.  The squares that drawings of p mark after the turn m, which led to
	 * p.  NULL: the squares m leaves and reaches. */
	uint64_t (*marks)(const struct game *g, const struct pos *p, const struct move *m);
	/* MAY.  A sentence for the side to move about what the drawing does not
	 * show; writes nothing where there is nothing to say. */
	void (*remark)(const struct game *g, const struct pos *p, struct str *out);
	/* MAY.  A sentence that says how to write one of these turns; returns NULL where
	 * a move is all that there is to write. */
	const char *(*how_to_answer)(const struct moves *legal);
};

/* The first version of a game whose list is "TITLE games". */
#define RULES_NAMED(name_, title_, summary_)                                                       \
	.name = (name_), .title = (title_), .list_name = title_ " games", .summary = (summary_),   \
	.version = 1

/* The size of the board; squares beyond it are never used. */
static inline struct board_size game_board(const struct game *g)
{
	return g->rules->board ? g->rules->board(g) : (struct board_size){ 8, 8 };
}

static inline unsigned rules_option_count(const struct rules *r)
{
	unsigned n = 0;

	while (r->options && r->options[n].word)
		n++;
	return n;
}
