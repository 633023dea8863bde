/* Games and players as structs and as JSON.  The JSON files are the truth; a person can read
 * them, their keys have a fixed order, and "format" is first.  A game is its start, its options
 * and its events: positions are always replayed from them, never read from the file.  All
 * strings of a document are in the arena that its reader got. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"

#define DOCUMENT_FORMAT 1

/* Limits of a document; readers and store_…_put() refuse larger ones. */
#define GAME_DOC_MAX (4u << 20)
#define GAME_EVENTS_MAX 20000
#define GAME_AHEAD_MAX 8192   /* bytes of a player's moves ahead */
#define PLAYER_BOOKS_MAX 8192 /* bytes of prepared openings */
#define GAME_LINES_MAX 8192   /* ... of his lines of analysis */
#define GAME_NOTE_MAX 4096    /* ... of his note, and of a text that waits with a turn */
#define PLAYER_DOC_MAX (1u << 20)
#define PLAYER_ADDRESSES_MAX 100
#define PLAYER_SETTINGS_MAX 1000
#define PLAYER_WATCHES_MAX 100
#define PLAYER_DIGESTS_MAX 20
#define PLAYER_VACATIONS_MAX 100
#define PLAYER_LEVEL_MAX 6

/* SEAT_NONE: the server or a moderator. */
enum { SEAT_WHITE, SEAT_BLACK, SEAT_NONE };

enum event_kind {
	EVENT_OFFER, /* seat offers the game */
	EVENT_START, /* the clocks run from here */
	EVENT_MOVE,  /* move (UCI), san */
	EVENT_CHAT,  /* text */
	EVENT_DRAW_OFFER,
	EVENT_DRAW_DECLINE,
	EVENT_UNDO_ASK,     /* number: plies */
	EVENT_UNDO_DECLINE, /* text: "undo", "abort", or none: of both */
	EVENT_UNDO,         /* number: plies taken back */
	EVENT_ABORT_ASK,
	EVENT_REMIND,   /* number: counts the reminders of this turn; text: why it was not sent */
	EVENT_WARN,     /* the server will end the game in a day */
	EVENT_EXTEND,   /* number: seconds given to the side to move; text: why */
	EVENT_END,      /* result, text: why */
	EVENT_SHORTEN,  /* number: seconds taken back that a wrong clock had given; text: why */
	EVENT_VACATION, /* seat's clock stands still between from and until; replaces the
	                 * vacation with the same from; until = from: there is none */
	EVENT_ZONE,     /* text: the offsets from UTC of seat's timezone (pbm/base/zone.h) */
	EVENT_GIFT,     /* seat gives the other side so many days (number) */
	EVENT_TIME_UP,  /* seat has no time left, and the other side has been told */
	EVENT_PAUSE,    /* both clocks stand still from here; by, text: why */
	EVENT_RESUME,   /* ... to here; by */
	EVENT_INSPECT,  /* a moderator read the board or its talk; by, text: which and why */
	EVENT_HINT,     /* seat had a hint of the engine; number: the ply it was for */
	EVENT_KINDS
};

struct event {
	int64_t at; /* Unix seconds */
	enum event_kind kind;
	uint8_t seat; /* SEAT_… */
	int number;
	const char *by;         /* userid of the person who did it; NULL: the seat's player */
	const char *move, *san; /* EVENT_MOVE */
	const char *result;     /* EVENT_END: "1-0", "0-1", "1/2-1/2", "*" (aborted) */
	const char *text;
	bool automatic;      /* done by the server: a forced move, a vacation that it took itself */
	bool clocks;         /* EVENT_UNDO: the reserves get back the time of the turns */
	int64_t received;    /* EVENT_MOVE: when the clock stopped, 0: at `at` */
	int64_t from, until; /* EVENT_VACATION */
};

enum game_state {
	GAME_OFFERED, /* waits until somebody accepts it */
	GAME_RUNNING,
	GAME_FINISHED, /* has a result and is in the archive */
	GAME_CLOSED    /* declined, withdrawn, lapsed or aborted: no result */
};

/* The player of a seek, which is an offer to anybody, until somebody takes it.  Nobody can
 * have this userid. */
#define GAME_ANYONE "anyone"
#define GAME_BEST_OF_MAX 21
#define GAME_FORMULA_MAX 500

/* The way in which it was decided who plays White, or, in a seek, will be. */
enum game_colors {
	COLORS_GIVEN, /* the offer said so */
	COLORS_FAIR,  /* by what both played before, else by a coin */
	COLORS_RANDOM /* by a coin */
};

/* The change of one side's rating by a rated game (Glicko-2), in this kind of game.  Whole
 * numbers, so that a document has exactly the numbers that were computed. */
struct game_rating {
	uint8_t seat;
	int64_t before;     /* rating before the game, in hundredths of a point */
	int64_t rating;     /* after it */
	int64_t deviation;  /* in hundredths of a point */
	int64_t volatility; /* in billionths */
	int64_t games;      /* rated games of this kind, this one included */
	int64_t run;        /* start of the run that rated the game; 0: not known */
	int64_t before_deviation, before_volatility; /* before the run; 0: not known */
	const char *with; /* boards of the player that the run rated before, "15 17"; or NULL */
	/* Before and after the game as its players read it on that day, if an act of a moderator
	 * has changed the numbers above since; all 0: they are the same. */
	int64_t then_before, then_rating, then_deviation;
};

/* The ratings of a game's day, which pages, PGN and mails show. */
struct rating_then {
	int64_t before, rating, deviation;
};

/* Why a seat's moves ahead are no longer there. */
enum game_lost {
	LOST_NOTHING,
	LOST_UNFIT,      /* the other side played lost_turn, which they have no answer to */
	LOST_ILLEGAL,    /* the answer lost_turn was not legal */
	LOST_NO_OFFER,   /* there was no draw to accept */
	LOST_NO_DRAW,    /* no draw could be offered */
	LOST_TAKEN_BACK, /* a turn was taken back */
	LOST_OVER        /* the game ended */
};

/* Secrets that only the player of a seat may read: never in another person's mail, in a PGN or
 * in the archive. */
struct game_secret {
	uint8_t seat;
	const char *ahead;     /* the tree of moves ahead, see pbm/record/ahead_tree.h; or NULL */
	unsigned ahead_at;     /* the stamp (struct match) of the position where it begins */
	const char *pending;   /* a turn that waits to be played, perhaps with " draw"; or NULL */
	int64_t pending_at;    /* when it will be played; 0: when the player confirms it */
	int64_t pending_since; /* when the player sent it; 0: it comes from the moves ahead */
	const char *comment;   /* the player's text for the other side, with pending */
	const char *note;      /* the player's note to himself */
	const char *lines;     /* his analysis, see pbm/record/notebook.h; or NULL */
	enum game_lost lost;   /* lost moves ahead that the player has not been told of yet */
	const char *lost_turn;
};

struct game_doc {
	int64_t board;
	const char *game; /* rules name */
	unsigned rules_version;
	const char *options;    /* "-balanced -reversed", "" for none */
	int increment;          /* hours that each move adds to the reserve */
	const char *start_fen;  /* NULL: the usual start of this game */
	bool lots;              /* lots chose it when the game began: no term of another game */
	const char *players[2]; /* userids: White, Black */
	bool rated, private_game;
	const char *list;  /* the list in which it was rated, if not that of its kind: "suicide
	                   * computers"; or NULL */
	int days, reserve; /* days a move, and days in the bank at the start */
	int nag;           /* days until the first reminder; 0: the default */
	int forfeit;   /* days from the deadline until the server ends the game; 0: the default */
	int total;     /* days for all moves of a side together; 0: no such limit */
	bool weekdays; /* Saturdays and Sundays don't count */
	enum game_colors colors;
	int64_t answers; /* the seek with manual that this offer answers, or the game
	                  * whose rematch it is; 0: none */
	/* A match of so many games, 0: one game.  points: the half points of White and Black in
	 * the games before this one; next: the match's next game, 0: none. */
	int best_of, points[2];
	int64_t next;
	const char *tournament; /* the name of the tournament in which it is played; NULL: none */
	int round;              /* ... and its round */
	/* A seek: who may take it.  An answer to it is an offer, if manual; else the game
	 * starts.  An upper limit of 0 is none. */
	bool manual;
	int rating_min, rating_max;
	const char *formula; /* of pbm/text/formula.h, or NULL */
	int64_t created;
	enum game_state state;
	size_t rating_count; /* 2 when a rated game has ended, else 0 */
	struct game_rating *ratings;
	struct game_secret secret[2]; /* by seat */
	size_t event_count, event_cap;
	struct event *events;

	const char *
		source; /* of an imported game: pbm/record/pgn_source.h; NULL: it was played here */
	const char *analysis; /* of a finished game: pbm/record/analysis.h; NULL: none */
	int64_t analysed;     /* when that was made; 0: unknown */
	const char *puzzle;   /* a puzzle from the finished game: pbm/record/puzzle.h; NULL: none */
	int64_t puzzle_day;   /* the first second of the day whose puzzle it is; 0: none */

	/* The summary, for the index and for people with jq.  The server derives it from
	 * the events; fsck compares it with a replay. */
	uint8_t to_move; /* SEAT_…; SEAT_NONE: nobody is to move */
	unsigned ply;
	const char *fen;
	const char *result; /* "*" until the end */
	const char *reason; /* NULL until the end */
	int64_t ended;      /* 0 until the end */
	int64_t deadline;   /* of the side to move, 0: none */
	int64_t due;        /* the time of the server's next work on the game without a mail; 0:
	                     * never, or written by a version without this member */
};

struct player_address {
	const char *address;
	int64_t confirmed; /* Unix seconds; 0: not yet */
	int64_t resting;   /* the time since which no mail goes there; 0: it does not rest */
	int64_t woken;     /* when it last stopped resting; 0: never */
	bool complaint;    /* ... because a mail was called spam: it still gets answers */
};

/* A time in which all clocks of the player stand still. */
struct player_vacation {
	int64_t from, until; /* Unix seconds; until is the first instant after it */
	bool automatic;      /* taken by the server when a clock had run out */
};

struct player_setting {
	const char *name, *value;
};

/* Board mails that a player gets although he doesn't play. */
struct player_watch {
	const char *what; /* a board's number, or the name of a game: all of its boards */
	bool final;       /* only the last mail of each game */
};

/* The boards that a digest listed: an answer to it is good for these alone. */
struct player_digest {
	int64_t at;         /* Unix seconds; its number in the reply token */
	const char *boards; /* "17w24 18b3": board, seat, stamp of the position */
};

/* The time until a computer moves. */
enum player_pace {
	PACE_NOW,   /* in the next run of pbm think */
	PACE_HUMAN, /* after 20 minutes to 8 hours */
	PACE_SLOW   /* when no other computer has to move */
};

/* The words of a set of roles, in their order; NULL at the end. */
extern const char *const player_roles[];

/* The end of the running games of a player who is banned. */
enum ban_end { BAN_ENDED, BAN_RESIGN, BAN_ANNUL };

struct player_doc {
	const char *userid;   /* as it was typed; keys are lower case */
	const char *role;     /* "player", or words of player_roles with blanks between them */
	const char *password; /* libsodium's argon2id string, or NULL */
	int64_t created;
	bool signed_off;
	int64_t deleted;     /* when the player left for good; 0: he has not */
	const char *renamed; /* the userid to which this name leads, or NULL.  Such a document
	                      * keeps a name that its player no longer has. */
	int64_t suspended;   /* the end of his time without new games; 0: not suspended */
	int64_t banned;      /* the time of the ban; 0: not banned */
	const char *banned_by, *banned_why; /* the moderator, and the reason */
	enum ban_end ban_end;               /* BAN_ENDED: no running games are left to end */
	int level; /* 1 to PLAYER_LEVEL_MAX: the server itself plays for this account; 0: a person,
	                        * or a program elsewhere */
	const char
		*plays; /* the kinds of games that it plays, with blanks between them; NULL: all */
	enum player_pace pace; /* ... and how soon */
	bool rated;            /* ... and may its games be rated? */
	const char *engine;    /* ... and with which line engine-NAME of pbm.conf; NULL: our own */
	int64_t paused;        /* since when it does not, because its engine made mistakes; 0: it
	                        * does */
	const char *books;     /* prepared openings, see pbm/record/book.h; or NULL */
	const char *barred;    /* hashes of addresses that can't sign up again, with blanks
	                       * between them */
	size_t address_count;
	struct player_address *addresses;
	size_t setting_count;
	struct player_setting *settings;
	int64_t digest_due; /* when the next digest is to be sent; 0: none */
	size_t watch_count;
	struct player_watch *watches;
	size_t digest_count;
	struct player_digest *digests; /* the oldest first */
	size_t vacation_count;
	struct player_vacation *vacations; /* rising; none overlap */
};

/* Is one of the two GAME_ANYONE, so that the offer is a seek? */
bool game_has_anyone(const char *const players[2]);

/* The seat of the player who made the offer from which the game comes; SEAT_WHITE if the
 * document doesn't say. */
uint8_t game_offer_seat(const struct game_doc *g);

/* A document with the terms of g alone: kind of game, time, colours, rated or not. */
struct game_doc game_doc_terms(const struct game_doc *g);

/* Are these terms the same? */
bool game_doc_terms_are_same(const struct game_doc *a, const struct game_doc *b);

/* Has the seat any secrets? */
bool game_secret_is_empty(const struct game_secret *s);

/* The list of ratings in which the game counts: its kind, or "suicide computers". */
#define GAME_COMPUTERS " computers"
const char *game_doc_list(const struct game_doc *g);

/* The ratings of the day of play. */
struct rating_then game_rating_then(const struct game_rating *r);

/* Appends an event with kind, seat and time; its other members are 0.  Strings that
 * the caller puts into it must live as long as the document. */
struct event *game_doc_event(struct arena *a, struct game_doc *g, enum event_kind kind,
                             uint8_t seat, int64_t at);

/* JSON text with a line for each key and each event, and a newline at its end.  Equal
 * structs give equal bytes. */
void game_doc_write(const struct game_doc *g, struct str *out);
void player_doc_write(const struct player_doc *p, struct str *out);

/* The check that readers and store_…_put() make: values are in range, texts are UTF-8, each
 * event has the parts that its kind needs, a game has a result exactly when it is finished, a
 * running game has two players and a side to move, no address and no setting occurs twice.  On
 * failure they return code (ERR_BAD, ERR_DAMAGED); the text names the key. */
int game_doc_check(const struct game_doc *g, enum err_code code, struct err *e);
int player_doc_check(const struct player_doc *p, enum err_code code, struct err *e);

/* ERR_DAMAGED: not a document of a known format; the text names the key.  A document
 * of an older format is upgraded. */
int game_doc_read(struct arena *a, const char *json, size_t len, struct game_doc *out,
                  struct err *e);
/* The same without the events, in a tenth of the time: this is enough for an index.
 * If the text is laid out as game_doc_write() does it, only the beginnings and ends of
 * the events' lines are checked; a text with another layout is read whole. */
int game_doc_read_summary(struct arena *a, const char *json, size_t len, struct game_doc *out,
                          struct err *e);
/* Is the text laid out as game_doc_write() does it, in the present format? */
bool game_doc_is_laid_out(const char *json, size_t len);
/* Writes the document that game_doc_read_summary() read from such a text, with the events copied
 * from that text. */
void game_doc_write_summary(const struct game_doc *g, const char *json, size_t len,
                            struct str *out);
/* A copy with all its texts in the arena. */
void player_doc_copy(struct arena *a, const struct player_doc *p, struct player_doc *out);
int player_doc_read(struct arena *a, const char *json, size_t len, struct player_doc *out,
                    struct err *e);
