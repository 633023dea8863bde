#include "pbm/commands/play/resign.h"

#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/record/match.h"

static const char young_question[] =
	"This game is rated and has hardly begun, so nobody loses it: it is aborted, and has no "
	"result.";

int resign_read(struct request *q, struct call *c, struct err *)
{
	if (!c->proved && match_is_young(c->match))
		q->held.why = young_question;
	return 0;
}

static int ask_young(struct request *q, const struct call *c)
{
	hold_ask(q, c, arena_printf(q->arena, "resign %lld", (long long)c->board), young_question);
	return 0;
}

int resign_abort(struct request *q, struct call *c, bool agreed, struct err *e)
{
	const char *me = c->match->doc.players[c->seat];

	match_end(c->match, "*",
	          agreed ? "aborted by agreement" : arena_printf(q->arena, "aborted by %s", me),
	          c->seat, q->now);
	return board_tell_both(q, c, "The game is aborted; it has no result.",
	                       arena_printf(q->arena, "%s aborted the game; it has no result.", me),
	                       NOTE_TOLD, e);
}

int resign_run(struct request *q, struct call *c, struct err *e)
{
	uint8_t loser = c->seat;
	const char *me = c->match->doc.players[loser];

	if (match_is_young(c->match))
		return q->confirming ? resign_abort(q, c, false, e) : ask_young(q, c);
	match_end(c->match, loser == SEAT_WHITE ? "0-1" : "1-0",
	          arena_printf(q->arena, "%s resigned", me), loser, q->now);
	int rc = board_tell_both(q, c, "You resigned.", arena_printf(q->arena, "%s resigned.", me),
	                         NOTE_BOARD | NOTE_MOVES | NOTE_TOLD, e);
	if (rc == 0 && q->unsaid && !match_is_solo(c->match))
		withhold_say(
			q,
			"Not all your words were passed on.  To write to %s, answer with: chat and your text",
			c->match->doc.players[!loser]);
	return rc;
}
