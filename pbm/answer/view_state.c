#include "pbm/answer/view_state.h"

#include <string.h>
#include <strings.h>

#include "games/game.h"
#include "pbm/record/match_text.h"

static const char *side_name(uint8_t seat)
{
	return seat == SEAT_WHITE ? "White" : "Black";
}

static void winner_line(const struct match *m, struct str *out)
{
	const char *r = m->doc.result;

	if (strcmp(r, "1-0") == 0 || strcmp(r, "0-1") == 0)
		str_addf(out, "%s wins (%s)", m->doc.players[r[0] == '1' ? WHITE : BLACK], r);
	else if (strcmp(r, "*") == 0)
		str_add(out, "no result");
	else
		str_add(out, "a draw (1/2-1/2)");
}

static bool has_ended(const struct match *m)
{
	return m->doc.state == GAME_FINISHED || m->doc.state == GAME_CLOSED;
}

/* An offer that ends without a game is no game that is over. */
static bool has_begun(const struct match *m)
{
	for (size_t i = 0; i < m->doc.event_count; i++)
		if (m->doc.events[i].kind == EVENT_START)
			return true;
	return false;
}

/* "alice resigned", which alice reads as "you resigned". */
static void reason_for(const struct match *m, const char *reader, struct str *out)
{
	const char *why = m->doc.reason;
	size_t n = strlen(reader);

	str_add(out, ": ");
	if (n && strncasecmp(why, reader, n) == 0 && why[n] == ' ') {
		bool has = str_prefix(why + n, " has ");

		str_addf(out, "you%s%s", has ? " have" : "", why + n + (has ? strlen(" has") : 0));
	} else if (n && str_prefix(why, "aborted by ") &&
	           strcasecmp(why + strlen("aborted by "), reader) == 0)
		str_add(out, "you aborted it");
	else
		str_add(out, why);
}

static void ending(const struct match *m, const char *reader, struct str *out)
{
	str_addf(out, "Board %lld is over: ", (long long)m->doc.board);
	winner_line(m, out);
	if (m->doc.reason)
		reason_for(m, reader, out);
	str_add(out, str_ends_sentence(out->data) ? "" : ".");
	if (m->doc.state == GAME_FINISHED && !match_is_solo(m))
		str_addf(out, "  %s had White, %s had Black.", m->doc.players[WHITE],
		         m->doc.players[BLACK]);
}

void view_status(const struct match *m, uint8_t seat, const char *reader, struct str *out)
{
	uint8_t turn = match_to_move(m);

	if (has_ended(m)) {
		if (has_begun(m))
			ending(m, reader, out);
		return;
	}
	if (turn == SEAT_NONE)
		return;
	if (seat == turn)
		str_addf(out, "It is your move, %s.  You play %s%s.", reader, side_name(turn),
		         match_is_solo(m) ? " (and the other side)" : "");
	else
		str_addf(out, "It is %s's move (%s).", m->doc.players[turn], side_name(turn));
	if (!(m->game.rules->flags & RULES_CHECK) || !game_in_check(&m->game, match_position(m)))
		return;
	if (seat == turn)
		str_add(out, "  Your king is in check.");
	else
		str_addf(out, "  %s's king is in check.", m->doc.players[turn]);
}

/* Does the reader have to answer what the player of seat by asks for? */
static bool must_answer(uint8_t seat, uint8_t by)
{
	return seat < 2 && by == !seat;
}

void view_offers(const struct match *m, uint8_t seat, struct str *out)
{
	struct str turns = STR_LOCAL(MATCH_LAST_SIZE);

	if (m->doc.state != GAME_RUNNING)
		return;
	if (m->draw_offered_by != SEAT_NONE && m->draw_offered_by == seat)
		str_add(out, "Your draw offer is open.  ");
	else if (m->draw_offered_by != SEAT_NONE)
		str_addf(
			out,
			must_answer(seat, m->draw_offered_by)
				? "%s offers a draw.  Answer: accept or reject.  Your next move declines it too.  "
				: "%s offers a draw.  ",
			m->doc.players[m->draw_offered_by]);
	if (must_answer(seat, m->undo_asked_by)) {
		match_write_last(m, (size_t)m->undo_plies, &turns);
		str_addf(out, "%s asks to take back %s: accept or reject.  ",
		         m->doc.players[m->undo_asked_by], turns.data);
	}
	if (must_answer(seat, m->abort_asked_by))
		str_addf(out, "%s asks to abort the game: accept or reject.  ",
		         m->doc.players[m->abort_asked_by]);
	if (must_answer(seat, m->draw_offered_by) + must_answer(seat, m->undo_asked_by) +
	            must_answer(seat, m->abort_asked_by) >
	    1)
		str_add(out, "Say which one you mean: accept draw, accept undo or accept abort.  ");
	while (out->len && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
}

/* An offer that waits for the reader's answer goes before whose move it is: "bob offers a draw". */
static void running_state(const struct match *m, uint8_t seat, struct str *out)
{
	uint8_t turn = match_to_move(m);
	const char *other = seat < 2 ? m->doc.players[!seat] : "";

	if (match_is_solo(m) && seat == turn)
		str_add(out, "your move");
	else if (must_answer(seat, m->draw_offered_by))
		str_addf(out, seat == turn ? "your move, %s offers a draw" : "%s offers a draw",
		         other);
	else if (must_answer(seat, m->undo_asked_by))
		str_addf(out,
		         seat == turn ? "your move, %s asks to take back" : "%s asks to take back",
		         other);
	else if (must_answer(seat, m->abort_asked_by))
		str_addf(out, seat == turn ? "your move, %s asks to abort" : "%s asks to abort",
		         other);
	else if (turn == seat)
		str_add(out, "your move");
	else
		str_addf(out, "%s to move", m->doc.players[turn]);
}

void view_state(const struct match *m, uint8_t seat, struct str *out)
{
	if (has_ended(m)) {
		winner_line(m, out);
		return;
	}
	if (match_to_move(m) == SEAT_NONE)
		str_add(out, "offered");
	else
		running_state(m, seat, out);
	if (m->ply) {
		str_add(out, " (");
		match_write_ply(m, m->ply, out);
		str_add_char(out, ')');
	}
}
