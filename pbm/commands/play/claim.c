#include "pbm/commands/play/claim.h"

#include <string.h>
#include <strings.h>

#include "pbm/answer/view_time.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/play/claim_win.h"
#include "pbm/commands/play/play.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/people/holiday.h"
#include "pbm/record/match.h"
#include "pbm/text/text.h"

/* The needs of a claimed draw: times that the position has occurred, and turns of both sides
 * without a capture or a pawn move. */
#define CLAIM_TIMES 3
#define CLAIM_QUIET 100

/* The other player's userid; in a solo game the same one. */
static const char *opponent_of(const struct call *c)
{
	return c->match->doc.players[!c->seat];
}

static int claim_draw(struct request *q, struct call *c, bool good, const char *why, struct err *e)
{
	if (!good) {
		size_t times = match_repetitions(c->match, c->match->ply);
		unsigned quiet = match_position(c->match)->halfmove;

		return !request_refused(
			q, c->board,
			"You cannot claim a draw on board %lld.  This position has occurred %zu %s; %d are needed.  "
			"Counting both sides, %u %s passed without a capture or a pawn move; %d are needed.",
			(long long)c->board, times, times == 1 ? "time" : "times", CLAIM_TIMES,
			quiet, quiet == 1 ? "turn has" : "turns have", CLAIM_QUIET);
	}
	match_end(c->match, "1/2-1/2", why, c->seat, q->now);
	return board_tell_both(q, c, "Your claim holds: the game is drawn.",
	                       arena_printf(q->arena,
	                                    "%s has claimed a draw, and the claim holds: %s.",
	                                    c->match->doc.players[c->seat], why),
	                       NOTE_BOARD | NOTE_MOVES, e);
}

/* May the opponent still move?  Says until when, and which vacation lasts or comes then. */
static const char *time_left(struct request *q, const struct call *c)
{
	const struct match *m = c->match;
	const char *me = m->doc.players[c->seat], *zone = request_zone(q, me);
	struct str until = STR_LOCAL(100), t = STR_LOCAL(600);

	if (request_came(q) >= match_deadline(m))
		return arena_printf(q->arena, "Your opponent on board %lld has time left.",
		                    (long long)c->board);
	text_date(match_deadline(m), zone, &until);
	str_addf(&t, "Your opponent on board %lld has time left, until %s.", (long long)c->board,
	         until.data);
	view_vacation(m, !c->seat, me, zone, q->now, 0, &t);
	if (holiday_is_ahead(q, m))
		str_addf(&t, "  After that, days of %s's vacation are used automatically.",
		         opponent_of(c));
	return arena_strdup(q->arena, t.data);
}

static bool is_time_up(struct request *q, const struct call *c)
{
	const struct match *m = c->match;

	return request_came(q) >= match_deadline(m) && !play_is_held(m, !c->seat);
}

/* Says what the sender can do about the opponent's time; "" at his own move. */
static const char *time_hint(struct request *q, const struct call *c)
{
	if (match_to_move(c->match) == c->seat || match_is_paused(c->match))
		return "";
	return arena_printf(
		q->arena, "  %s",
		is_time_up(q, c)
			? "The other player's time is over.  To end the game, write: claim time"
			: time_left(q, c));
}

static int claim_time(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (match_to_move(m) == c->seat)
		return !request_refused(q, c->board, "It is your own move on board %lld.",
		                        (long long)c->board);
	if (match_is_paused(m))
		return !request_refused(
			q, c->board, "A moderator has paused board %lld: its clocks stand still.",
			(long long)c->board);
	if (!is_time_up(q, c))
		return !request_refused(q, c->board, "%s", time_left(q, c));
	int rc = holiday_spend(q, m, e);
	if (rc == 1)
		request_refuse(q, c->board, "%s has days of vacation left, which are used now.",
		               opponent_of(c));
	if (rc != 0)
		return rc < 0 ? rc : 0;
	bool loses = match_would_lose(m);
	match_time_out(m, c->seat, q->now);
	return board_tell_both(
		q, c,
		arena_printf(q->arena,
	                     loses ? "%s ran out of time."
	                           : "%s never made a move: the game is closed and does not count.",
	                     opponent_of(c)),
		arena_printf(
			q->arena,
			loses ? "You ran out of time, and %s claimed the game."
			      : "You made no move in time, and %s closed the game.  It does not count.",
			m->doc.players[c->seat]),
		NOTE_BOARD | NOTE_MOVES, e);
}

/* Refuses a claim unless something can be claimed, which may stand in a sentence: "a win on time". */
int claim_read(struct request *q, struct call *c, struct err *)
{
	for (const char *const *word = alone_words_claims; *word; word++)
		for (size_t k = 0; k < c->argc; k++)
			if (strcasecmp(c->argv[k], *word) == 0) {
				c->argc -= k;
				memmove(c->argv, c->argv + k, c->argc * sizeof *c->argv);
				return 0;
			}
	return request_refused(
		q, c->board,
		"You can claim: repetition, fifty, time or win.  For example, when the other player's time is over: claim time.  More about it: help draw, help time");
}

int claim_run(struct request *q, struct call *c, struct err *e)
{
	const char *what = c->argv[0];
	if (strcasecmp(what, "repetition") == 0)
		return claim_draw(q, c, match_repetitions(c->match, c->match->ply) >= CLAIM_TIMES,
		                  "the same position for the third time", e);
	if (strcasecmp(what, "fifty") == 0)
		return claim_draw(q, c, match_position(c->match)->halfmove >= CLAIM_QUIET,
		                  "fifty moves without a capture or a pawn move", e);
	return strcasecmp(what, "time") == 0 ? claim_time(q, c, e)
	                                     : claim_win_run(q, c, time_hint(q, c), e);
}
