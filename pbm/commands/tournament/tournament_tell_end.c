/* Mails about the end of a tournament. */
#include <strings.h>

#include "pbm/commands/lobby/censor.h"
#include "pbm/commands/tournament/tournament_mail.h"
#include "pbm/commands/tournament/tournament_tell.h"
#include "pbm/people/mail_limits.h"
#include "pbm/tournament/tournament_league.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_teams.h"
#include "pbm/tournament/tournament_words.h"

static const char *points_of(struct request *q, int halves)
{
	struct str s = STR_LOCAL(20);

	tournament_write_points(halves, &s);
	return arena_strdup(q->arena, s.data);
}

/* The winner, for the reader of that line of the table; SIZE_MAX: the director. */
static const char *winner_text(struct request *q, const struct tournament_doc *t,
                               const struct pairing_row *rows, size_t line)
{
	const char *first = tournament_unit_name(t, rows[0].entry + 1);
	size_t n = 1;
	int host = t->kind == TOURNAMENT_SIMUL ? tournament_host(t) : 0;

	if (host)
		return arena_printf(
			q->arena, "%s, who played all others, has %s points in %zu games.",
			tournament_unit_name(t, host),
			points_of(q, rows[tournament_line_of(t, rows, host) - 1].points),
			t->game_count);
	while (n < (size_t)tournament_unit_count(t) && tournament_place(rows, n) == rows[0].place)
		n++;
	if (n > 2 && t->by_teams)
		return arena_printf(q->arena, "%zu teams share the first place.", n);
	if (n > 2)
		return arena_printf(q->arena, "%zu players share the first place.", n);
	if (n == 2)
		return arena_printf(q->arena, "%s and %s share the first place.", first,
		                    tournament_unit_name(t, rows[1].entry + 1));
	bool open = tournament_goes_on(t);
	if (line == 0 && !t->by_teams)
		return open ? "You have the first place." : "You have won it.";
	return arena_printf(q->arena, open ? "%s has the first place." : "%s has won it.", first);
}

/* The reason in the words of a director, who is told of the readers that get no more words of his
 * in this hour. */
struct reason {
	const char *text, *without;
	const struct player_doc *by; /* or NULL */
};

/* NULL: the reader does not get it. */
static const char *reason_for(struct request *q, struct reason *r, const char *reader)
{
	int64_t ends;

	if (!r->text || !r->by || strcasecmp(r->by->userid, reader) == 0 ||
	    (!censor_why_to(q, reader, r->by->userid) &&
	     mail_limits_is_talk_full(q, r->by, reader, &ends, NULL) == 0))
		return r->text;
	r->without = r->without ? arena_printf(q->arena, "%s, %s", r->without, reader) : reader;
	return NULL;
}

static void tell_without(struct request *q, const struct reason *r)
{
	if (r->without)
		request_say(
			q,
			"These read no reason, because they take no messages from you, or have had enough of them for this hour: %s.",
			r->without);
}

/* The sentences about the end. */
static const char *end_text(struct request *q, const struct tournament_doc *t,
                            const struct pairing_row *rows, size_t line, bool again,
                            const char *reason)
{
	const char *winner = winner_text(q, t, rows, line);

	if (tournament_goes_on(t))
		winner = arena_printf(q->arena, "%s  Games that go on can still change the table.",
		                      winner);
	const char *why = again    ? "A game has another result since, and this is the table now."
	                  : reason ? arena_printf(q->arena,
	                                          "It has ended before its last round: \"%s\"",
	                                          reason)
	                           : NULL;
	return why ? arena_printf(q->arena, "%s  %s", why, winner) : winner;
}

/* The same of a player of a league who goes up or down; NULL: he does neither. */
static const char *move_text(struct request *q, const struct tournament_doc *t,
                             const struct pairing_row *rows, size_t line, const char *winner)
{
	int move = t->groups > 1 ? tournament_league_move(t, rows, line) : 0;

	if (move == 0)
		return NULL;
	return arena_printf(
		q->arena,
		move < 0
			? "The tournament %s is over.  You have place %d of %zu, with %s points.  %s  You go up: in the next season you play in group %d."
			: "The tournament %s is over.  You have place %d of %zu, with %s points.  %s  You go down: in the next season you play in group %d.",
		t->name, tournament_place(rows, line), t->entry_count,
		points_of(q, rows[line].points), winner, t->group + move);
}

static const char *place_text(struct request *q, const struct tournament_doc *t,
                              const struct pairing_row *rows, size_t line, const char *winner)
{
	const struct pairing_row *r = &rows[line];
	int place = tournament_place(rows, line);
	const char *moves = move_text(q, t, rows, line, winner);

	if (moves)
		return moves;
	if (t->by_teams)
		return arena_printf(
			q->arena,
			"The tournament %s is over.  Your team %s has place %d of %zu, with %d match points.  %s",
			t->name, t->teams[r->entry].name, place, t->team_count, r->points, winner);
	if (t->kind == TOURNAMENT_KNOCKOUT)
		return arena_printf(q->arena,
		                    "The tournament %s is over.  You have place %d of %zu.  %s",
		                    t->name, place, t->entry_count, winner);
	if (t->kind == TOURNAMENT_SIMUL)
		return arena_printf(q->arena, "The simul %s is over.  You have %s points.  %s",
		                    t->name, points_of(q, r->points), winner);
	return arena_printf(
		q->arena,
		"The tournament %s is over.  You have place %d of %zu, with %s points.  %s",
		t->name, place, t->entry_count, points_of(q, r->points), winner);
}

static const char *director_text(struct request *q, const struct tournament_doc *t,
                                 const char *winner)
{
	const char *over = arena_printf(q->arena, "The tournament %s is over.  %s", t->name,
	                                winner);

	if (!t->group_size)
		return over;
	return arena_printf(
		q->arena, "%s  %s", over,
		arena_printf(
			q->arena,
			"When all groups are over, the next season can be made, under a name of its own: mod tournament new name -after=%s",
			t->name));
}

int tournament_tell_end(struct request *q, const struct tournament_doc *t, bool again,
                        const struct player_doc *by, struct err *e)
{
	struct reason reason = { .text = t->reason, .by = again ? NULL : by };
	const struct pairing_row *rows = tournament_rows(q->arena, t);
	struct tournament_letter l = { .cause = tournament_cause(q, again ? "again" : "end"),
		                       .subject = arena_printf(q->arena,
		                                               again ? "another table of %s"
		                                                     : "the tournament %s is over",
		                                               t->name),
		                       .parts = TOURNAMENT_TABLE };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		const struct tournament_entry *n = &t->entries[i];
		int line = tournament_line_of(t, rows, tournament_unit_of(t, (int)i + 1));

		if (n->standing != ENTRY_PLAYS)
			continue;
		l.headline = place_text(q, t, rows, (size_t)line - 1,
		                        end_text(q, t, rows, (size_t)line - 1, again,
		                                 reason_for(q, &reason, n->userid)));
		rc = tournament_send(q, t, n->userid, &l, e);
	}
	if (rc == 0)
		rc = tournament_tell_director(
			q, t, l.cause, l.subject,
			director_text(q, t, end_text(q, t, rows, SIZE_MAX, again, t->reason)),
			TOURNAMENT_WHOLE, e);
	tell_without(q, &reason);
	return rc;
}

int tournament_tell_cancelled(struct request *q, const struct tournament_doc *t,
                              const struct player_doc *by, struct err *e)
{
	struct reason reason = { .text = t->reason, .by = by };
	struct tournament_letter l = {
		.cause = "cancelled",
		.subject = arena_printf(q->arena, "the tournament %s does not take place", t->name),
	};
	const char *bare = arena_printf(q->arena, "The tournament %s does not take place.",
	                                t->name);
	const char *whole = by ? arena_printf(q->arena, "%s  %s", bare,
	                                      arena_printf(q->arena,
	                                                   "%s has ended it, and writes: \"%s\"",
	                                                   by->userid, t->reason))
	                       : arena_printf(q->arena,
	                                      "The tournament %s does not take place: %s.", t->name,
	                                      t->reason);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		l.headline = reason_for(q, &reason, t->entries[i].userid) ? whole : bare;
		rc = tournament_send(q, t, t->entries[i].userid, &l, e);
	}
	l.headline = whole;
	tell_without(q, &reason);
	return rc == 0 ? tournament_tell_director(q, t, l.cause, l.subject, l.headline, 0, e) : rc;
}
