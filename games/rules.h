/* The interface between the server and a game's rules.  A variant is one
 * const struct rules; games/registry.c lists them.  Rules are pure functions
 * on plain memory: no I/O, no clock, no heap, no globals that change.  Callers
 * outside games/ use games/game.h, which validates before it calls a slot. */
#ifndef GAMES_RULES_H
#define GAMES_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

enum color { WHITE, BLACK };
enum piece_type { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPES, NO_PIECE = 7 };

/* Squares are 0..63, a1 = 0, b1 = 1, h8 = 63, on smaller boards as well. */
#define NO_SQUARE 64

/* A position: plain memory of fixed size, memcpy copies it, nothing frees it.
 * Everything that decides what may follow is in here, and nothing else; unused
 * bytes are zero. */
struct pos {
	uint64_t color[2]; /* men of each side */
	uint64_t type[6];  /* men of each enum piece_type */
	uint8_t to_move;   /* enum color */
	uint8_t ep;        /* en passant target square, or NO_SQUARE */
	uint8_t castling;  /* bits of enum castling_right */
	uint8_t waiting;   /* Avalanche: pawn whose owner must name a piece, or NO_SQUARE */
	uint16_t halfmove; /* plies since a pawn move or a man's removal */
	uint16_t fullmove; /* counts up after Black's turn */
};

enum castling_right {
	CASTLE_WHITE_SHORT = 1, /* FEN K */
	CASTLE_WHITE_LONG = 2,  /* FEN Q */
	CASTLE_BLACK_SHORT = 4, /* FEN k */
	CASTLE_BLACK_LONG = 8   /* FEN q */
};

/* One whole turn, also where it has parts. */
struct move {
	uint8_t named;    /* Avalanche: piece the waiting pawn becomes, or NO_PIECE */
	uint8_t from, to; /* NO_SQUARE both: a pass, or a turn that is the naming alone */
	uint8_t promo;    /* enum piece_type or NO_PIECE */
	uint8_t push;     /* Avalanche: square the pushed enemy pawn leaves, or NO_SQUARE */
	uint8_t flags;    /* private to the rules (castling, en passant …) */
};

/* Room for every list of legal turns; Avalanche needs the most. */
#define MOVES_MAX 16384
struct moves {
	size_t n;
	struct move v[MOVES_MAX];
};

/* What a turn did beyond moving a man: for mails, PGN comments, the record. */
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
};

enum rules_flags {
	RULES_CHECK = 1 << 0,        /* a royal king exists: SAN carries + and # */
	RULES_MUST_CAPTURE = 1 << 1, /* refusals name the captures */
	RULES_TWO_PART = 1 << 2,     /* a turn has parts joined by commas */
	RULES_MARK_REMOVALS = 1 << 3 /* SAN ends in X where the turn removes men */
};

struct board_size {
	uint8_t files, ranks;
};

struct rules {
	const char *name;                   /* stored on disk and typed by people: never rename */
	const char *title;                  /* "Suicide" as in subjects and headings */
	const char *list_name;              /* "Suicide games", the List-Id phrase */
	const char *const *aliases;         /* NULL-terminated */
	const struct rules_option *options; /* ends with a NULL word */
	const char *summary;                /* one line for the list of games */
	unsigned version;                   /* bump when an old game would replay differently */
	unsigned flags;                     /* enum rules_flags */
	const void *variant;                /* the family's own row of switches */

	/* MAY.  The size of the board of this game and options, a1 being its corner
	 * and 8 by 8 the largest; NULL: 8 by 8. */
	struct board_size (*board)(const struct game *g);
	/* MUST.  The PGN Variant tag of this game and options; NULL for orthodox. */
	const char *(*pgn_variant)(const struct game *g);
	/* MAY.  The name of a PGN tag for the options ("AvalancheMode"): its value is
	 * their words without '-', joined by commas, or pgn_plain when none is chosen. */
	const char *pgn_options_tag, *pgn_plain;
	/* MUST.  The FEN of the starting position. */
	const char *(*start_fen)(const struct game *g);
	/* MAY.  Refuses a position that FEN can write but this game cannot have
	 * (ERR_BAD, the text says why); may also normalise it. */
	int (*check_position)(const struct game *g, struct pos *p, struct err *e);
	/* MUST.  All legal turns, ignoring draws by clock, repetition and dead
	 * position; none in a finished position. */
	void (*legal)(const struct game *g, const struct pos *p, struct moves *out);
	/* MUST.  Makes a turn that legal() listed.  fx may be NULL. */
	void (*apply)(const struct game *g, struct pos *p, const struct move *m,
	              struct effects *fx);
	/* MUST.  The result of the position as it stands, dead positions included,
	 * without the draws by clock and repetition, which are common to all games. */
	void (*outcome)(const struct game *g, const struct pos *p, struct outcome *out);
	/* MUST.  Is the side to move in check?  Games without a royal king: false. */
	bool (*in_check)(const struct game *g, const struct pos *p);
	/* MAY.  perft(depth), depth >= 1, by counting instead of listing. */
	uint64_t (*perft)(const struct game *g, const struct pos *p, int depth);
	/* MAY.  Why a turn that is pseudo-legal in shape is not legal; fills text
	 * and returns true, or returns false for the common sentences. */
	bool (*explain)(const struct game *g, const struct pos *p, const char *typed,
	                struct str *text);
	/* MAY.  True when playing m loses at once by the mover's own doing
	 * (Avalanche's self-check): the server asks before it plays such a turn. */
	bool (*blunder)(const struct game *g, const struct pos *p, const struct move *m,
	                struct str *why);
};

extern const struct rules *const rules_all[]; /* NULL at the end */

#endif
