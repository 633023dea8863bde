#include "pbm/commands/play/claim.h"

#include <string.h>
#include <strings.h>

#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/play/claim_win.h"
#include "pbm/commands/play/play.h"
#include "pbm/people/holiday.h"
#include "pbm/record/match.h"

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

		request_refuse(
			q, c->board,
			"You cannot claim a draw on board %lld.  This position has occurred %zu %s; %d are needed.  "
			"Counting both sides, %u %s passed without a capture or a pawn move; %d are needed.",
			(long long)c->board, times, times == 1 ? "time" : "times", CLAIM_TIMES,
			quiet, quiet == 1 ? "turn has" : "turns have", CLAIM_QUIET);
		return 0;
	}
	match_end(c->match, "1/2-1/2", why, c->seat, q->now);
	return board_tell_both(q, c, "Your claim holds: the game is drawn.",
	                       arena_printf(q->arena,
	                                    "%s has claimed a draw, and the claim holds: %s.",
	                                    c->match->doc.players[c->seat], why),
	                       NOTE_BOARD | NOTE_MOVES, e);
}

static int claim_time(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (match_to_move(m) == c->seat || request_came(q) < match_deadline(m) ||
	    play_is_held(m, !c->seat)) {
		request_refuse(q, c->board,
		               match_to_move(m) == c->seat
		                       ? "It is your own move on board %lld."
		                       : "Your opponent on board %lld has time left.",
		               (long long)c->board);
		return 0;
	}
	if (match_is_paused(m)) {
		request_refuse(q, c->board,
		               "A moderator has paused board %lld: its clocks stand still.",
		               (long long)c->board);
		return 0;
	}
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
	static const char *const words[] = { "repetition", "fifty", "time", "win" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (size_t k = 0; k < c->argc; k++)
			if (strcasecmp(c->argv[k], words[i]) == 0) {
				c->argc -= k;
				memmove(c->argv, c->argv + k, c->argc * sizeof *c->argv);
				return 0;
			}
	request_refuse(
		q, c->board,
		"You can claim: repetition, fifty, time or win.  For example, when the other player's time is over: claim time.  More about it: help draw, help time");
	return 1;
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
	return strcasecmp(what, "time") == 0 ? claim_time(q, c, e) : claim_win_run(q, c, e);
}
