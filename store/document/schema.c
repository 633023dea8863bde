#include "store/document/schema.h"

#include <limits.h>

#include "store/document/document.h"
#include "store/document/keys.h"
#include "store/document/tournament.h"

#define NAME_MAX_BYTES 64
#define OPTIONS_MAX 1000
#define FEN_MAX 500
#define MOVE_MAX 200
#define TEXT_MAX 65536
#define DIGEST_MAX 8192

static const char *const seats[] = { "white", "black", NULL };
static const char *const states[] = { "offered", "running", "finished", "closed", NULL };
static const char *const ban_ends[] = { "ended", "resign", "annul", NULL };
const char *const player_paces[] = {
	[PACE_NOW] = "now", [PACE_HUMAN] = "human", [PACE_SLOW] = "slow", NULL
};
static const char *const colors[] = { "given", "fair", "random", NULL };
static const char *const kinds[EVENT_KINDS + 1] = {
	[EVENT_OFFER] = "offer",
	[EVENT_START] = "start",
	[EVENT_MOVE] = "move",
	[EVENT_CHAT] = "chat",
	[EVENT_DRAW_OFFER] = "draw-offer",
	[EVENT_DRAW_DECLINE] = "draw-decline",
	[EVENT_UNDO_ASK] = "undo-ask",
	[EVENT_UNDO_DECLINE] = "undo-decline",
	[EVENT_UNDO] = "undo",
	[EVENT_ABORT_ASK] = "abort-ask",
	[EVENT_REMIND] = "remind",
	[EVENT_WARN] = "warn",
	[EVENT_EXTEND] = "extend",
	[EVENT_SHORTEN] = "shorten",
	[EVENT_VACATION] = "vacation",
	[EVENT_ZONE] = "zone",
	[EVENT_GIFT] = "gift",
	[EVENT_TIME_UP] = "time-up",
	[EVENT_END] = "end",
	[EVENT_PAUSE] = "pause",
	[EVENT_RESUME] = "resume",
	[EVENT_INSPECT] = "inspect",
	[EVENT_HINT] = "hint",
};

#define ANALYSIS_MAX 32768
#define PUZZLE_MAX 500
#define SOURCE_MAX 4000
#define G(member) FIELD_AT(struct game_doc, member)
#define TERM(member) G(member), .term = true
const struct field game_fields[] = {
	{ "board", FIELD_NUMBER, G(board), .always = true, .min = 1, .max = INT64_C(1) << 53 },
	{ "game", FIELD_TEXT, TERM(game), .always = true, .min = 1, .max = NAME_MAX_BYTES },
	{ "rules_version", FIELD_NUMBER, G(rules_version), .always = true, .max = INT_MAX },
	{ "options", FIELD_TEXT, TERM(options), .max = OPTIONS_MAX, .absent_text = "" },
	{ "start_fen", FIELD_TEXT, TERM(start_fen), .max = FEN_MAX },
	{ "lots", FIELD_FLAG, G(lots) },
	{ "white", FIELD_TEXT, G(players[0]), .min = 1, .max = KEY_USERID_MAX },
	{ "black", FIELD_TEXT, G(players[1]), .min = 1, .max = KEY_USERID_MAX },
	{ "rated", FIELD_FLAG, TERM(rated), .always = true },
	{ "list", FIELD_TEXT, G(list), .min = 1, .max = NAME_MAX_BYTES },
	{ "private", FIELD_FLAG, TERM(private_game) },
	{ "days", FIELD_NUMBER, TERM(days), .always = true, .max = 36500 },
	{ "reserve", FIELD_NUMBER, TERM(reserve), .always = true, .max = 36500 },
	{ "nag", FIELD_NUMBER, TERM(nag), .max = 36500 },
	{ "forfeit", FIELD_NUMBER, TERM(forfeit), .max = 36500 },
	{ "total", FIELD_NUMBER, TERM(total), .max = 36500 },
	{ "increment", FIELD_NUMBER, TERM(increment), .max = 8760 },
	{ "weekdays", FIELD_FLAG, TERM(weekdays) },
	{ "colors", FIELD_WORD, TERM(colors), .absent = COLORS_GIVEN, .words = colors },
	{ "answers", FIELD_NUMBER, G(answers), .max = INT64_C(1) << 53 },
	{ "best_of", FIELD_NUMBER, TERM(best_of), .max = GAME_BEST_OF_MAX },
	{ "points_white", FIELD_NUMBER, G(points[0]), .max = 2 * GAME_BEST_OF_MAX },
	{ "points_black", FIELD_NUMBER, G(points[1]), .max = 2 * GAME_BEST_OF_MAX },
	{ "next", FIELD_NUMBER, G(next), .max = INT64_C(1) << 53 },
	{ "tournament", FIELD_TEXT, G(tournament), .min = 1, .max = KEY_USERID_MAX },
	{ "round", FIELD_NUMBER, G(round), .max = TOURNAMENT_ROUNDS_MAX },
	{ "manual", FIELD_FLAG, G(manual) },
	{ "rating_min", FIELD_NUMBER, G(rating_min), .max = 10000 },
	{ "rating_max", FIELD_NUMBER, G(rating_max), .max = 10000 },
	{ "formula", FIELD_TEXT, G(formula), .min = 1, .max = GAME_FORMULA_MAX },
	{ "source", FIELD_TEXT, G(source), .min = 1, .max = SOURCE_MAX },
	{ "created", FIELD_TIME, G(created), .always = true },
	{ "state", FIELD_WORD, G(state), .always = true, .words = states },
	{ "to_move", FIELD_WORD, G(to_move), .absent = SEAT_NONE, .words = seats },
	{ "ply", FIELD_NUMBER, G(ply), .always = true, .max = GAME_EVENTS_MAX },
	{ "fen", FIELD_TEXT, G(fen), .max = FEN_MAX },
	{ "result", FIELD_TEXT, G(result), .always = true, .min = 1, .max = 7 },
	{ "reason", FIELD_TEXT, G(reason), .max = OPTIONS_MAX },
	{ "ended", FIELD_TIME, G(ended) },
	{ "deadline", FIELD_TIME, G(deadline) },
	{ "due", FIELD_TIME, G(due) },
	{ "analysis", FIELD_TEXT, G(analysis), .min = 1, .max = ANALYSIS_MAX },
	{ "analysed", FIELD_TIME, G(analysed) },
	{ "puzzle", FIELD_TEXT, G(puzzle), .min = 1, .max = PUZZLE_MAX },
	{ "puzzle_day", FIELD_TIME, G(puzzle_day) },
	{ 0 }
};

#define R(member) FIELD_AT(struct game_rating, member)
#define RATING_MAX 1000000 /* 10,000 points */
const struct field rating_fields[] = {
	{ "seat", FIELD_WORD, R(seat), .always = true, .words = seats },
	{ "before", FIELD_NUMBER, R(before), .always = true, .max = RATING_MAX },
	{ "rating", FIELD_NUMBER, R(rating), .always = true, .max = RATING_MAX },
	{ "deviation", FIELD_NUMBER, R(deviation), .always = true, .max = RATING_MAX },
	{ "volatility", FIELD_NUMBER, R(volatility), .always = true, .max = 1000000000 },
	{ "games", FIELD_NUMBER, R(games), .always = true, .min = 1, .max = INT_MAX },
	{ "run", FIELD_TIME, R(run) },
	{ "before_deviation", FIELD_NUMBER, R(before_deviation), .max = RATING_MAX },
	{ "before_volatility", FIELD_NUMBER, R(before_volatility), .max = 1000000000 },
	{ "with", FIELD_TEXT, R(with), .min = 1, .max = OPTIONS_MAX },
	{ "then_before", FIELD_NUMBER, R(then_before), .max = RATING_MAX },
	{ "then_rating", FIELD_NUMBER, R(then_rating), .max = RATING_MAX },
	{ "then_deviation", FIELD_NUMBER, R(then_deviation), .max = RATING_MAX },
	{ 0 }
};

static const char *const lost_words[] = {
	[LOST_NOTHING] = "nothing",   [LOST_UNFIT] = "unfit",     [LOST_ILLEGAL] = "illegal",
	[LOST_NO_OFFER] = "no-offer", [LOST_NO_DRAW] = "no-draw", [LOST_TAKEN_BACK] = "taken-back",
	[LOST_OVER] = "over",         [LOST_OVER + 1] = NULL,
};
#define S(member) FIELD_AT(struct game_secret, member)
const struct field secret_fields[] = {
	{ "seat", FIELD_WORD, S(seat), .always = true, .words = seats },
	{ "ahead", FIELD_TEXT, S(ahead), .min = 1, .max = GAME_AHEAD_MAX },
	{ "ahead_at", FIELD_NUMBER, S(ahead_at), .max = INT_MAX },
	{ "pending", FIELD_TEXT, S(pending), .min = 1, .max = MOVE_MAX },
	{ "pending_at", FIELD_TIME, S(pending_at) },
	{ "pending_since", FIELD_TIME, S(pending_since) },
	{ "comment", FIELD_TEXT, S(comment), .min = 1, .max = GAME_NOTE_MAX },
	{ "note", FIELD_TEXT, S(note), .min = 1, .max = GAME_NOTE_MAX },
	{ "lines", FIELD_TEXT, S(lines), .min = 1, .max = GAME_LINES_MAX },
	{ "lost", FIELD_WORD, S(lost), .absent = LOST_NOTHING, .words = lost_words },
	{ "lost_turn", FIELD_TEXT, S(lost_turn), .max = MOVE_MAX },
	{ 0 }
};

#define E(member) FIELD_AT(struct event, member)
const struct field event_fields[] = {
	{ "at", FIELD_TIME, E(at), .always = true },
	{ "kind", FIELD_WORD, E(kind), .always = true, .words = kinds },
	{ "seat", FIELD_WORD, E(seat), .absent = SEAT_NONE, .words = seats },
	{ "by", FIELD_TEXT, E(by), .min = 1, .max = KEY_USERID_MAX },
	{ "number", FIELD_NUMBER, E(number), .max = INT_MAX },
	{ "move", FIELD_TEXT, E(move), .min = 1, .max = MOVE_MAX },
	{ "san", FIELD_TEXT, E(san), .min = 1, .max = MOVE_MAX },
	{ "automatic", FIELD_FLAG, E(automatic) },
	{ "result", FIELD_TEXT, E(result), .min = 1, .max = 7 },
	{ "text", FIELD_TEXT, E(text), .max = TEXT_MAX },
	{ "clocks", FIELD_FLAG, E(clocks) },
	{ "received", FIELD_TIME, E(received) },
	{ "from", FIELD_TIME, E(from) },
	{ "until", FIELD_TIME, E(until) },
	{ 0 }
};

#define P(member) FIELD_AT(struct player_doc, member)
const struct field player_fields[] = {
	{ "userid", FIELD_TEXT, P(userid), .always = true, .min = 1, .max = KEY_USERID_MAX },
	{ "role", FIELD_TEXT, P(role), .always = true, .min = 1, .max = NAME_MAX_BYTES },
	{ "password", FIELD_TEXT, P(password), .min = 1, .max = 200 },
	{ "created", FIELD_TIME, P(created), .always = true },
	{ "signed_off", FIELD_FLAG, P(signed_off) },
	{ "deleted", FIELD_TIME, P(deleted) },
	{ "renamed", FIELD_TEXT, P(renamed), .min = 1, .max = KEY_USERID_MAX },
	{ "suspended", FIELD_TIME, P(suspended) },
	{ "banned", FIELD_TIME, P(banned) },
	{ "banned_by", FIELD_TEXT, P(banned_by), .min = 1, .max = KEY_USERID_MAX },
	{ "banned_why", FIELD_TEXT, P(banned_why), .min = 1, .max = TEXT_MAX },
	{ "ban_end", FIELD_WORD, P(ban_end), .absent = BAN_ENDED, .words = ban_ends },
	{ "level", FIELD_NUMBER, P(level), .max = PLAYER_LEVEL_MAX },
	{ "plays", FIELD_TEXT, P(plays), .min = 1, .max = TEXT_MAX },
	{ "pace", FIELD_WORD, P(pace), .absent = PACE_NOW, .words = player_paces },
	{ "rated", FIELD_FLAG, P(rated) },
	{ "engine", FIELD_TEXT, P(engine), .min = 1, .max = 32 },
	{ "paused", FIELD_TIME, P(paused) },
	{ "barred", FIELD_TEXT, P(barred), .min = 1, .max = TEXT_MAX },
	{ "books", FIELD_TEXT, P(books), .min = 1, .max = PLAYER_BOOKS_MAX },
	{ "digest_due", FIELD_TIME, P(digest_due) },
	{ 0 }
};

const struct field address_fields[] = {
	{ "address", FIELD_TEXT, FIELD_AT(struct player_address, address), .always = true, .min = 3,
	  .max = KEY_ADDRESS_MAX },
	{ "confirmed", FIELD_TIME, FIELD_AT(struct player_address, confirmed) },
	{ "resting", FIELD_TIME, FIELD_AT(struct player_address, resting) },
	{ "woken", FIELD_TIME, FIELD_AT(struct player_address, woken) },
	{ "complaint", FIELD_FLAG, FIELD_AT(struct player_address, complaint) },
	{ 0 }
};

const struct field watch_fields[] = { { "what", FIELD_TEXT, FIELD_AT(struct player_watch, what),
	                                .always = true, .min = 1, .max = NAME_MAX_BYTES },
	                              { "final", FIELD_FLAG, FIELD_AT(struct player_watch, final) },
	                              { 0 } };

const struct field digest_fields[] = {
	{ "at", FIELD_TIME, FIELD_AT(struct player_digest, at), .always = true },
	{ "boards", FIELD_TEXT, FIELD_AT(struct player_digest, boards), .always = true, .min = 1,
	  .max = DIGEST_MAX },
	{ 0 }
};
#define V(member) FIELD_AT(struct player_vacation, member)
const struct field vacation_fields[] = { { "from", FIELD_TIME, V(from), .always = true },
	                                 { "until", FIELD_TIME, V(until), .always = true },
	                                 { "automatic", FIELD_FLAG, V(automatic) },
	                                 { 0 } };

const struct field setting_fields[] = { { "name", FIELD_TEXT, FIELD_AT(struct player_setting, name),
	                                  .always = true, .min = 1, .max = NAME_MAX_BYTES },
	                                { "value", FIELD_TEXT,
	                                  FIELD_AT(struct player_setting, value), .always = true,
	                                  .max = TEXT_MAX },
	                                { 0 } };
