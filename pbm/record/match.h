/* A game between two players, made from its document by replaying the events
 * through the rules.  Every change appends an event to the document.  The summary
 * in the document is always computed from the replayed state.  No I/O here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/rules.h"
#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "store/document/document.h"

struct calendar;
struct span;
struct turn_clock;
struct zone;

#define MATCH_DAYS 7        /* days for a turn, without -days */
#define MATCH_RESERVE 30    /* days in reserve, without -reserve */
#define MATCH_DRAW_PAUSE 10 /* plies between two draw offers of one side */
#define MATCH_AWAY "the server was away"
#define MATCH_YOUNG_PLIES 4 /* two a side: before them nobody loses by leaving */

struct match_ply {
	struct move move;
	int64_t at;
	const struct event *event;
	int64_t used;        /* seconds of the turn that counted */
	int64_t bank, total; /* the time that the turn took from its side's reserve and total */
};

struct match {
	struct arena *arena;
	struct game_doc doc;
	struct game game;
	size_t ply;              /* plies played */
	unsigned stamp;          /* counts turns and takebacks; a reply token carries it */
	struct pos *positions;   /* [0] is the start, [ply] the present one */
	struct match_ply *moves; /* [0 .. ply-1] */
	struct outcome outcome;  /* of the present position */
	uint8_t draw_offered_by; /* SEAT_NONE: no offer is open */
	uint8_t undo_asked_by;
	int undo_plies;
	uint8_t abort_asked_by;
	int64_t turn_started; /* when the running turn began */
	int64_t given;        /* seconds added to it: an outage, a wrong clock */
	int64_t bank[2];      /* seconds left in each side's reserve */
	int64_t total[2];     /* ... and for all its moves, if the game has such a limit */
	struct zone *zone[2]; /* of each player, for weekdays; NULL: not recorded */
	size_t rest_count[2]; /* vacations of each player */
	struct span *rests[2];
	size_t stop_count; /* when a moderator stopped both clocks */
	struct span *stops;
	int64_t touched;         /* when a player last did something */
	int64_t up;              /* when the opponent was told that no time is left; 0: not yet */
	int64_t received;        /* when the mail came that is being worked on, 0: now */
	long last_draw_offer[2]; /* ply of each side's last offer, -1: none */
	int reminders;           /* sent in this turn, to the side to move */
	int64_t reminded;        /* time of the last reminder */
	int64_t warned;          /* time of the warning before the end; 0: none */
	bool secret_told[2];     /* a mail tells the seat what doc.secret[].lost says */
	size_t loaded_events;    /* how many events the document had; 0: a new game */
	unsigned loaded_stamp;   /* the stamp then */
};

/* Copies doc into m and replays its events.  ERR_DAMAGED when an event is not
 * possible. */
int match_load(struct arena *a, const struct game_doc *doc, struct match *m, struct err *e);

/* Makes a new game, in the state GAME_OFFERED.  The caller has set the players,
 * options and times in doc.  match_start() starts the game. */
int match_create(struct arena *a, const struct game_doc *doc, struct match *m, struct err *e);
void match_start(struct match *m, int64_t now);

/* The player's seat; SEAT_NONE for anybody else.  In a solo game, where one player
 * has both sides: the side to move, or White when the game is over. */
uint8_t match_seat_of(const struct match *m, const char *userid);
/* May the reader see the game?  Others see a private game when it has been played to its
 * end.  NULL: a reader without an account. */
bool match_shows_to(const struct match *m, const char *userid);
/* The side to move; SEAT_NONE when the game is not running. */
uint8_t match_to_move(const struct match *m);
/* Does one player have both sides? */
bool match_is_solo(const struct match *m);
/* Is the game rated?  When it has ended: did it change ratings? */
bool match_is_rated(const struct match *m);
/* The moderator who acted on the board last, if nothing that counts came after that; NULL: none. */
const char *match_decider(const struct match *m);
/* Is the game rated and younger than MATCH_YOUNG_PLIES?  Then to resign aborts it.  In a
 * tournament it is lost. */
bool match_is_young(const struct match *m);
const struct pos *match_position(const struct match *m);

/* Plays mv, which must be legal.  The clock of the side to move stops at m->received, if
 * that is earlier than now, but never before the turn began; the other one begins now.  It declines an open draw offer of the other side
 * and ends an open request to take back.  Ends the game when the rules do, or
 * when the position occurs for the fifth time. */
void match_play(struct match *m, const struct move *mv, int64_t now);
/* True when the side to move has exactly one legal turn, which goes to *out. */
bool match_forced(const struct match *m, struct move *out);
/* As match_play(), but marks the move as played by the server for the player. */
void match_play_automatic(struct match *m, const struct move *mv, int64_t now);

/* Ends the game.  The result is "1-0", "0-1", "1/2-1/2", or "*" for a game closed
 * without a result. */
void match_end(struct match *m, const char *result, const char *why, uint8_t by, int64_t now);
void match_add_text(struct match *m, enum event_kind kind, uint8_t seat, const char *text,
                    int64_t now);
/* Takes back the last n plies; n <= ply. */
void match_undo(struct match *m, size_t n, uint8_t by, int64_t now);
void match_ask_undo(struct match *m, size_t n, uint8_t by, int64_t now);
void match_offer_draw(struct match *m, uint8_t by, int64_t now);
/* May this side still add a text of so many bytes, or a question?  The limits of
 * both sides together are below the limit of the record, so that there is always
 * room for moves. */
bool match_has_room(const struct match *m, uint8_t seat, size_t bytes);
bool match_may_offer_draw(const struct match *m, uint8_t by);

/* Computes the summary after a change of doc.secret; every other change does that itself. */
void match_refresh(struct match *m);

/* The number of times that the position at ply has occurred up to that ply, itself included. */
size_t match_repetitions(const struct match *m, size_t ply);

/* Ends the game because the side to move has no time left.  The other side wins;
 * but if the side to move has never made a move of its own, and it is no game of a tournament,
 * or one player has both sides, the game is closed without a result.  by: SEAT_NONE for the server. */
void match_time_out(struct match *m, uint8_t by, int64_t now);
/* Would match_time_out() make the side to move lose? */
bool match_would_lose(const struct match *m);

/* The clock of the running turn. */
void match_clock(const struct match *m, struct turn_clock *out);
/* The vacation of seat that lasts at t, to its end, or else the next one; {0}: none. */
struct span match_vacation(const struct match *m, uint8_t seat, int64_t t);
/* When the time of a side stands still. */
struct calendar match_calendar(const struct match *m, uint8_t seat);
/* Appends an event about the clock, or of a moderator, and takes it into the state. */
void match_note(struct match *m, enum event_kind kind, uint8_t seat, int number, const char *text,
                int64_t now);
/* Records a reminder to the side to move.  why is NULL when the reminder was sent.
 * Otherwise why says why it could not be sent; then this turn gets no more. */
void match_remind(struct match *m, const char *why, int64_t now);
void match_warn(struct match *m, int64_t now);
/* The clock of seat stands still between two times; this replaces the vacation that begins
 * at the same time.  until == from: there is none. */
void match_rest(struct match *m, uint8_t seat, const struct span *rest, bool automatic,
                int64_t now);
/* Records the timezone of seat's player, whose weekends don't count. */
void match_set_zone(struct match *m, uint8_t seat, const struct zone *zone, int64_t now);
/* Gives the other side so many days, which go into its reserve. */
void match_gift(struct match *m, uint8_t by, int days, int64_t now);
/* The player of seat has had a hint for the turn that is to be played. */
void match_hint(struct match *m, uint8_t seat, int64_t now);
/* A moderator (by, a userid) stops both clocks, or lets them go on.  While they stand
 * still the game has no deadline. */
void match_pause(struct match *m, const char *by, const char *why, int64_t now);
void match_resume(struct match *m, const char *by, int64_t now);
bool match_is_paused(const struct match *m);
/* A moderator gives the running turn more seconds. */
void match_extend_by(struct match *m, const char *by, int seconds, const char *why, int64_t now);
/* A moderator ends the game. */
void match_end_by(struct match *m, const char *by, const char *result, const char *why,
                  int64_t now);
/* A moderator gives a game that has ended another result, or with "*" none: then its ratings
 * go, too.  It counts as ended when it was. */
void match_change_result(struct match *m, const char *by, const char *result, const char *why,
                         int64_t now);
/* A moderator takes the game back to the position after so many plies, fewer than were
 * played. */
void match_roll_back(struct match *m, const char *by, size_t ply, const char *why, int64_t now);
/* A moderator has read the board or its talk. */
void match_inspect(struct match *m, const char *by, const char *what, int64_t now);
/* Records that the side to move has no time left and that the other one is told. */
void match_time_up(struct match *m, int64_t now);
/* Gives the running turn more seconds, and cancels a warning.  why is MATCH_AWAY after
 * an outage. */
void match_extend(struct match *m, int seconds, const char *why, int64_t now);
/* Takes seconds back that a wrong clock gave to the running turn, and cancels a
 * warning. */
void match_shorten(struct match *m, int seconds, const char *why, int64_t now);

/* When the side to move has used all its time, its reserve included; 0: nobody is to move. */
int64_t match_deadline(const struct match *m);
/* Seconds that count until then; negative when the deadline is over. */
int64_t match_time_left(const struct match *m, int64_t now);

/* For fsck: checks that the summary is what the events give. */
int match_verify(const struct game_doc *doc, void *unused, struct err *e);
