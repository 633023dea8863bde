/* A game between two players: its document replayed through the rules.  Every
 * change is an event appended to the document; the summary in the document is
 * refreshed from the replayed state, never edited by hand.  No I/O here. */
#ifndef PBM_RECORD_MATCH_H
#define PBM_RECORD_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/game.h"
#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/record/timetable.h"
#include "store/document.h"

#define MATCH_DAYS 7        /* days a move unless -days says otherwise */
#define MATCH_RESERVE 30    /* days in the bank unless -reserve says otherwise */
#define MATCH_DRAW_PAUSE 10 /* plies between two draw offers of one side */

struct match_ply {
	struct move move;
	int64_t at;
	const struct event *event;
};

struct match {
	struct arena *arena;
	struct game_doc doc;
	struct game game;
	size_t ply;              /* plies played */
	unsigned stamp;          /* turns played and takebacks, ever: a reply answers one */
	struct pos *positions;   /* [0] is the start, [ply] stands now */
	struct match_ply *moves; /* [0 .. ply-1] */
	struct outcome outcome;  /* of the position as it stands */
	uint8_t draw_offered_by; /* SEAT_NONE: no offer stands */
	uint8_t undo_asked_by;
	int undo_plies;
	uint8_t abort_asked_by;
	int64_t turn_started;     /* when the side to move got the move */
	int64_t bank[2];          /* seconds left in each side's reserve */
	long last_draw_offer[2];  /* ply of each side's last offer, -1: none */
	int reminders;            /* to the side to move, in this turn */
	int64_t reminded, warned; /* the last one; the forfeit's warning, 0: none */
};

/* Replays doc (copied) into m.  ERR_DAMAGED when an event doesn't fit. */
int match_load(struct arena *a, const struct game_doc *doc, struct match *m, struct err *e);

/* A new game in state offered; doc's players, options, times are set by the
 * caller.  match_start() makes it run. */
int match_create(struct arena *a, const struct game_doc *doc, struct match *m, struct err *e);
void match_start(struct match *m, int64_t now);

/* SEAT_WHITE, SEAT_BLACK or SEAT_NONE; both for a solo game: then the side to
 * move, or White. */
uint8_t match_seat_of(const struct match *m, const char *userid);
uint8_t match_to_move(const struct match *m);
/* Does one player have both sides? */
bool match_is_solo(const struct match *m);
const struct pos *match_position(const struct match *m);

/* Plays m's legal move; a standing offer of the other side is declined by it,
 * a standing undo question lapses.  Ends the game when the position or the
 * fivefold repetition does. */
void match_play(struct match *m, const struct move *mv, int64_t now);
/* The one legal turn of the side to move: true and *out; false when it has a
 * choice, or the game is over. */
bool match_forced(const struct match *m, struct move *out);
/* As match_play(), by the server for a player: the event is marked. */
void match_play_automatic(struct match *m, const struct move *mv, int64_t now);

/* Ends the game: result "1-0", "0-1", "1/2-1/2", or "*" (aborted: closed). */
void match_end(struct match *m, const char *result, const char *why, uint8_t by, int64_t now);
void match_note(struct match *m, enum event_kind kind, uint8_t seat, const char *text, int64_t now);
/* Takes back n plies (n <= ply). */
void match_undo(struct match *m, size_t n, uint8_t by, int64_t now);
void match_ask_undo(struct match *m, size_t n, uint8_t by, int64_t now);
void match_offer_draw(struct match *m, uint8_t by, int64_t now);
/* May this side still add prose of so many bytes, or a question?  Both sides
 * together can't fill the record, so that a move always has room. */
bool match_has_room(const struct match *m, uint8_t seat, size_t bytes);
bool match_may_offer_draw(const struct match *m, uint8_t by);

/* How often the position at ply occurred up to then, itself included. */
size_t match_repetitions(const struct match *m, size_t ply);

/* Ends the game because the side to move has no time left: the other wins; nobody
 * does, and the game is closed, when that side never made a move of its own, or when
 * one player has both.  by: SEAT_NONE for the server. */
void match_time_out(struct match *m, uint8_t by, int64_t now);
/* Would that end be a loss? */
bool match_would_lose(const struct match *m);

/* The clock of the running turn. */
void match_clock(const struct match *m, struct turn_clock *out);
/* What the server has to do next of its own accord, and when. */
enum duty match_duty(const struct match *m, int64_t *at);
/* A reminder of the side to move; why: it could not be sent, and no further one
 * will be in this turn; NULL: it was. */
void match_remind(struct match *m, const char *why, int64_t now);
void match_warn(struct match *m, int64_t now);
/* Seconds more for the running turn; a warning is forgotten. */
void match_extend(struct match *m, int seconds, const char *why, int64_t now);

/* Seconds until side's deadline when it is to move, its bank included;
 * negative when over. */
int64_t match_time_left(const struct match *m, int64_t now);

/* For fsck: does the summary say what the events say? */
int match_verify(const struct game_doc *doc, void *unused, struct err *e);

#endif
