#include "pbm/commands/cmd_mod_result.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/moderate.h"
#include "pbm/request/rating_rebuild.h"
#include "store/store_documents.h"
#include "store/store_marks.h"

/* ---- ratings ---- */

static void tell_moved(const char *userid, int64_t before, int64_t now, void *arg)
{
	struct request *q = arg;
	struct note *n = request_note(q, arena_strdup(q->arena, userid), 0, 0);

	n->subject = "your rating has changed";
	n->headline = arena_printf(
		q->arena,
		"A moderator changed the result of a game, so the ratings after it were computed again.  Yours was %.0f and is %.0f.",
		(double)before / 100, (double)now / 100);
}

/* The ratings follow from the games alone, whatever a moderator changed. */
static int rate_again(struct request *q, struct match *m, bool was_rated, struct err *e)
{
	struct game_doc now = { 0 };

	if (!was_rated)
		return 0;
	int rc = rating_rebuild_kind(q->site->store, &m->doc, tell_moved, q, e);
	if (rc == 0)
		rc = store_game_get(q->site->store, q->arena, m->doc.board, &now, e);
	if (rc < 0)
		return rc;
	m->doc.ratings = now.ratings; /* the mails show them */
	m->doc.rating_count = now.rating_count;
	return 0;
}

/* ---- adjudicate ---- */

/* NULL: no result. */
static const char *read_result(const char *word)
{
	static const char *const words[][2] = { { "1-0", "1-0" },
		                                { "0-1", "0-1" },
		                                { "draw", "1/2-1/2" },
		                                { "1/2-1/2", "1/2-1/2" },
		                                { "1/2", "1/2-1/2" } };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(word, words[i][0]) == 0)
			return words[i][1];
	return NULL;
}

/* A match goes on from the result of each game. */
static bool refuse_followed(struct request *q, const struct call *c)
{
	if (c->match->doc.next)
		request_refuse(q, c->board,
		               "The match has gone on after board %lld: its result must stand.",
		               (long long)c->board);
	return c->match->doc.next != 0;
}

bool cmd_mod_result_can_adjudicate(struct request *q, struct call *c)
{
	const struct game_doc *d = &c->match->doc;
	const char *result = c->argc ? read_result(c->argv[0]) : NULL;

	if (!moderate_may(q, c))
		return false;
	if (!result)
		request_refuse(q, c->board,
		               "Say the result: mod adjudicate %lld 1-0 why, or 0-1, or draw.",
		               (long long)c->board);
	else if (d->state != GAME_RUNNING && d->state != GAME_FINISHED)
		request_refuse(q, c->board, "Board %lld is no game that has or can have a result.",
		               (long long)c->board);
	else if (strcmp(d->result, result) == 0)
		request_refuse(q, c->board, "Board %lld has this result already.",
		               (long long)c->board);
	else
		return !refuse_followed(q, c) && moderate_reason(q, c, 1);
	return false;
}

int cmd_mod_result_adjudicate(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (!cmd_mod_result_can_adjudicate(q, c))
		return 0;
	const char *result = read_result(c->argv[0]), *by = c->actor->userid;
	const char *why = moderate_reason(q, c, 1), *before = m->doc.result;
	bool running = m->doc.state == GAME_RUNNING, rated = m->doc.rating_count > 0;
	const char *text = arena_printf(q->arena, "%s, a moderator, decided: %s", by, why);
	if (running)
		match_end_by(m, by, result, text, q->now);
	else
		match_change_result(m, by, result, text, q->now);
	int rc = moderate_done(
		q, c, running ? result : arena_printf(q->arena, "%s instead of %s", result, before),
		why, e);
	if (rc == 0)
		rc = rate_again(q, m, rated, e);
	if (rc < 0)
		return rc;
	moderate_tell(
		q, c, NOTE_BOARD | NOTE_MOVES | NOTE_FINAL, "a moderator decided the game",
		running ? arena_printf(q->arena,
	                               "%s, a moderator, has ended this game, %s.  The reason: %s",
	                               by, result, why)
			: arena_printf(
				  q->arena,
				  "%s, a moderator, has given this game the result %s instead of %s.  The reason: %s",
				  by, result, before, why));
	return 0;
}

/* ---- annul ---- */

bool cmd_mod_result_can_annul(struct request *q, struct call *c)
{
	const struct game_doc *d = &c->match->doc;

	if (!moderate_may(q, c))
		return false;
	if (d->state != GAME_RUNNING && d->state != GAME_FINISHED) {
		request_refuse(q, c->board, "Board %lld has no result to annul.",
		               (long long)c->board);
		return false;
	}
	if (refuse_followed(q, c) || !moderate_reason(q, c, 0))
		return false;
	if (!q->confirming)
		q->held_why =
			"The game ends without a result and does not count; that can't be taken back.  The answer is good for an hour.";
	return true;
}

int cmd_mod_result_annul(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (!cmd_mod_result_can_annul(q, c))
		return 0;
	const char *why = moderate_reason(q, c, 0), *by = c->actor->userid;
	if (moderate_ask(q, c,
	                 arena_printf(q->arena, "mod annul %lld %s", (long long)c->board, why),
	                 q->held_why))
		return 0;
	const char *text = arena_printf(q->arena, "%s, a moderator, annulled it: %s", by, why);
	bool ended = m->doc.state == GAME_FINISHED, rated = m->doc.rating_count > 0;
	if (ended)
		match_change_result(m, by, "*", text, q->now);
	else
		match_end_by(m, by, "*", text, q->now);
	moderate_tell(
		q, c, NOTE_BOARD | NOTE_MOVES, "a moderator annulled the game",
		arena_printf(
			q->arena,
			"%s, a moderator, has annulled this game: it has no result and does not count.  The reason: %s",
			by, why));
	int rc = moderate_done(q, c, NULL, why, e);
	if (rc == 0 && ended)
		rc = store_archive_mark(q->site->store, c->board, e);
	return rc == 0 ? rate_again(q, m, rated, e) : rc;
}

/* ---- rollback ---- */

/* "#12" or "12"; -1: refused. */
static long read_ply(struct request *q, const struct call *c)
{
	const char *word = c->argc ? c->argv[0] : "";
	const char *digits = *word == '#' ? word + 1 : word;
	size_t n = strspn(digits, "0123456789");
	long ply = n && n < 6 && !digits[n] ? atol(digits) : -1;

	if (ply >= 0 && (size_t)ply < c->match->ply)
		return ply;
	request_refuse(
		q, c->board,
		"Say how many turns remain, fewer than the %zu that were played: mod rollback %lld #12 why",
		c->match->ply, (long long)c->board);
	return -1;
}

bool cmd_mod_result_can_roll_back(struct request *q, struct call *c)
{
	if (!moderate_may(q, c) || read_ply(q, c) < 0 || !moderate_reason(q, c, 1))
		return false;
	if (!q->confirming)
		q->held_why =
			"The turns behind that position are taken back, with all that was offered and prepared.  The answer is good for an hour.";
	return true;
}

int cmd_mod_result_roll_back(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;

	if (!cmd_mod_result_can_roll_back(q, c))
		return 0;
	long ply = read_ply(q, c);
	const char *why = moderate_reason(q, c, 1), *by = c->actor->userid;
	if (moderate_ask(q, c,
	                 arena_printf(q->arena, "mod rollback %lld #%ld %s", (long long)c->board,
	                              ply, why),
	                 q->held_why))
		return 0;
	match_roll_back(m, by, (size_t)ply, why, q->now);
	moderate_tell(
		q, c, NOTE_BOARD | NOTE_MOVES | NOTE_ASK, "a moderator took turns back",
		arena_printf(
			q->arena,
			"%s, a moderator, has taken this game back to the position after %ld turns.  The clocks are as they were then, and the side to move has a full turn.  The reason: %s",
			by, ply, why));
	return moderate_done(q, c, arena_printf(q->arena, "#%ld", ply), why, e);
}
