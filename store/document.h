/* What is kept of a game and of a player, as structs and as JSON.  The JSON
 * files are the truth: readable by a person, stable key order, "format" first.
 * A game is its start, its options and its events; positions are replayed from
 * them, never trusted.  All strings live in the arena given to the reader. */
#ifndef STORE_DOCUMENT_H
#define STORE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"

#define DOCUMENT_FORMAT 1

/* No document is larger; readers refuse it, store_…_put() too. */
#define GAME_DOC_MAX (4u << 20)
#define GAME_EVENTS_MAX 20000
#define PLAYER_DOC_MAX (1u << 20)
#define PLAYER_ADDRESSES_MAX 100
#define PLAYER_SETTINGS_MAX 1000

/* Who did it: a seat, or the server and its moderators. */
enum { SEAT_WHITE, SEAT_BLACK, SEAT_NONE };

enum event_kind {
	EVENT_OFFER, /* seat offers the game; by */
	EVENT_START, /* the clocks run from here */
	EVENT_MOVE,  /* move (UCI), san */
	EVENT_CHAT,  /* text */
	EVENT_DRAW_OFFER,
	EVENT_DRAW_DECLINE,
	EVENT_UNDO_ASK, /* number: plies */
	EVENT_UNDO_DECLINE,
	EVENT_UNDO, /* number: plies taken back */
	EVENT_ABORT_ASK,
	EVENT_REMIND, /* number: which one of this turn; text: why it was not sent */
	EVENT_WARN,   /* the server will end the game in a day */
	EVENT_EXTEND, /* number: seconds given to the side to move; text: why */
	EVENT_END,    /* result, text: why */
	EVENT_KINDS
};

struct event {
	int64_t at; /* Unix seconds */
	enum event_kind kind;
	uint8_t seat; /* SEAT_… */
	int number;
	const char *by;         /* userid when it is not the seat's player, or NULL */
	const char *move, *san; /* EVENT_MOVE */
	const char *result;     /* EVENT_END: "1-0", "0-1", "1/2-1/2", "*" (aborted) */
	const char *text;
	bool automatic; /* played by the server (forced move, conditional) */
};

enum game_state {
	GAME_OFFERED, /* waits for accept */
	GAME_RUNNING,
	GAME_FINISHED, /* has a result, in the archive */
	GAME_CLOSED    /* declined, withdrawn, lapsed or aborted: no result */
};

/* What a rated game did to one side's rating in this kind of game (Glicko-2).
 * Whole numbers, so that a document says exactly what was reckoned. */
struct game_rating {
	uint8_t seat;
	int64_t before;     /* rating before the game, in hundredths of a point */
	int64_t rating;     /* after it */
	int64_t deviation;  /* in hundredths of a point */
	int64_t volatility; /* in billionths */
	int64_t games;      /* rated games of this kind, this one included */
};

struct game_doc {
	int64_t board;
	const char *game; /* rules name */
	unsigned rules_version;
	const char *options;    /* "-balanced -reversed", "" for none */
	const char *start_fen;  /* NULL: the game's own array */
	const char *players[2]; /* userids: White, Black */
	bool rated, private_game;
	int days, reserve; /* days a move, and days in the bank at the start */
	int nag;           /* days until the first reminder, 0: as usual */
	int forfeit;       /* days from the deadline to the server's end of it, 0: as usual */
	int64_t created;
	enum game_state state;
	size_t rating_count; /* 2 when a rated game has ended, else 0 */
	struct game_rating *ratings;
	size_t event_count, event_cap;
	struct event *events;

	/* Summary, derived from the events by the server: what the index and a
	 * person with jq want to know.  fsck compares it with a replay. */
	uint8_t to_move; /* SEAT_…; SEAT_NONE when nobody is */
	unsigned ply;
	const char *fen;
	const char *result; /* "*" until the end */
	const char *reason; /* NULL until the end */
	int64_t ended;      /* 0 until the end */
	int64_t deadline;   /* of the side to move, 0: none */
	int64_t due;        /* when the server has something to do for the game of its own
	                          * accord; 0: never, or written before there was such a thing */
};

struct player_address {
	const char *address;
	int64_t confirmed; /* Unix seconds; 0: not yet */
	int64_t resting;   /* since then nothing goes there; 0: it does not rest */
	bool complaint;    /* ... because a mail was called spam: answers still go */
};

struct player_setting {
	const char *name, *value;
};

struct player_doc {
	const char *userid;   /* as it was typed; keys are lower case */
	const char *role;     /* "player" or "moderator" */
	const char *password; /* libsodium's argon2id string, or NULL */
	int64_t created;
	bool signed_off;
	size_t address_count;
	struct player_address *addresses;
	size_t setting_count;
	struct player_setting *settings;
};

/* Appends a zeroed event with kind, seat and time set; strings are the
 * caller's, and must live as long as the document. */
struct event *game_doc_event(struct arena *a, struct game_doc *g, enum event_kind kind,
                             uint8_t seat, int64_t at);

/* JSON text, one line a key and one line an event, ending in a newline.  Equal
 * structs give equal bytes. */
void game_doc_write(const struct game_doc *g, struct str *out);
void player_doc_write(const struct player_doc *p, struct str *out);

/* What readers and store_…_put() demand of the struct: values in range, UTF-8,
 * the parts of each kind of event, a result exactly when finished, two players
 * and a side to move when running, no address and no setting twice.  Returns
 * code (ERR_BAD, ERR_DAMAGED), the text naming the key. */
int game_doc_check(const struct game_doc *g, enum err_code code, struct err *e);
int player_doc_check(const struct player_doc *p, enum err_code code, struct err *e);

/* ERR_DAMAGED, the text naming the key, when it isn't a document of a known
 * format.  Older formats are upgraded on the way. */
int game_doc_read(struct arena *a, const char *json, size_t len, struct game_doc *out,
                  struct err *e);
/* The same without its events, in a tenth of the time: what an index needs.  Of
 * the events of a text as game_doc_write() makes it only the lines' ends are
 * looked at; any other text is read whole. */
int game_doc_read_summary(struct arena *a, const char *json, size_t len, struct game_doc *out,
                          struct err *e);
int player_doc_read(struct arena *a, const char *json, size_t len, struct player_doc *out,
                    struct err *e);

#endif
