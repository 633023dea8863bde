/* Acts of moderators on the result and the moves of a game: mod adjudicate, annul, rollback. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/commands/staff/staff_act.h"
#include "pbm/commands/staff/staff_tables.h"
#include "pbm/rating/rating.h"
#include "pbm/rating/rating_again.h"
#include "pbm/rating/rating_news.h"
#include "pbm/record/match_text.h"
#include "pbm/tournament/tournament_state.h"
#include "store/store_documents.h"
#include "store/store_ratings.h"
#include "store/store_work.h"

#define ROLLBACK_DAYS 30 /* after its end a game can go on */
#define BACK_MAX 65536   /* bytes of the turns in a question */

/* The tournament of the board, as it stands now.  false: there is none. */
static bool find_tournament(struct request *q, const struct call *c, struct tournament_doc *out)
{
	const char *name = c->match->doc.tournament;

	return name && store_tournament_get(q->site->store, q->arena, name, out, NULL) == 0 &&
	       tournament_game_of(out, c->board);
}

/* Says what follows for a tournament, after the act. */
static void say_tournament(struct request *q, const struct call *c, bool game_had_ended,
                           bool had_ended)
{
	struct tournament_doc t;

	if (!find_tournament(q, c, &t))
		return;
	if (t.kind == TOURNAMENT_LADDER && game_had_ended)
		request_say(
			q,
			"Board %lld was a challenge on the ladder of %s: its places stay as they are.",
			(long long)c->board, rules_title(t.terms.game));
	else if (had_ended && t.state == TOURNAMENT_RUNNING)
		request_say(
			q,
			"The tournament %s was over.  It goes on now, and ends again when this is decided.",
			t.name);
	else if (had_ended && t.due)
		request_say(q, "The tournament %s is over: its players are told the new table.",
		            t.name);
	else if (!had_ended && tournament_is_followed(&t, tournament_game_of(&t, c->board)))
		request_say(
			q,
			"The tournament %s has gone on after board %lld: its pairings stay, and only its table changes.",
			t.name, (long long)c->board);
}

static bool tournament_had_ended(struct request *q, const struct call *c)
{
	struct tournament_doc t;

	return find_tournament(q, c, &t) && t.state == TOURNAMENT_FINISHED;
}

/* ---- adjudicate ---- */

/* NULL: no result. */
static const char *read_result(const char *word)
{
	static const char *const words[][2] = { { "1-0", "1-0" },      { "0-1", "0-1" },
		                                { "1:0", "1-0" },      { "0:1", "0-1" },
		                                { "draw", "1/2-1/2" }, { "remis", "1/2-1/2" },
		                                { "½-½", "1/2-1/2" },  { "1/2-1/2", "1/2-1/2" },
		                                { "1/2", "1/2-1/2" } };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(word, words[i][0]) == 0)
			return words[i][1];
	return NULL;
}

/* Refuses a game whose match went on from its result. */
static bool refuse_followed(struct request *q, const struct call *c)
{
	if (c->match->doc.next)
		request_refuse(q, c->board,
		               "The match has gone on after board %lld: its result must stand.",
		               (long long)c->board);
	return c->match->doc.next != 0;
}

static bool may_adjudicate(struct request *q, const struct call *c, struct wish *w)
{
	const struct game_doc *d = &c->match->doc;

	w->result = read_result(w->word);
	if (!w->result)
		request_refuse(
			q, c->board,
			"Say the result: mod adjudicate %lld 1-0 why (White has won), or 0-1 (Black has won), or draw.",
			(long long)c->board);
	else if (d->state != GAME_RUNNING && d->state != GAME_FINISHED)
		request_refuse(q, c->board, "Board %lld is no game that has or can have a result.",
		               (long long)c->board);
	else if (strcmp(d->result, w->result) == 0)
		request_refuse(q, c->board, "Board %lld has this result already.",
		               (long long)c->board);
	else
		return !refuse_followed(q, c);
	return false;
}

/* The result as the players knew it until now. */
static const char *before_text(struct request *q, const struct match *m)
{
	struct str ratings = STR_LOCAL(300);

	rating_write_change(m, &ratings);
	return m->doc.rating_count
	               ? arena_printf(q->arena,
	                              "Before, its result was %s, with these ratings: %s.",
	                              m->doc.result, ratings.data)
	               : arena_printf(q->arena, "Before, its result was %s.", m->doc.result);
}

static int run_adjudicate(struct request *q, struct call *c, struct wish *w, struct err *e)
{
	struct match *m = c->match;
	const char *result = w->result, *by = w->by.by, *why = w->by.why;
	const char *before = m->doc.result;
	bool running = m->doc.state == GAME_RUNNING, rated = m->doc.rating_count > 0;
	bool had_ended = tournament_had_ended(q, c);
	bool director = moderate_is_director(q, c);
	const char *text = arena_printf(q->arena,
	                                !*w->told  ? "%s, the director, decided"
	                                : director ? "%s, the director, decided: %s"
	                                           : "%s, a moderator, decided: %s",
	                                by, w->told);
	const char *was = running ? NULL : before_text(q, m);
	if (running)
		match_end_by(m, by, result, text, q->now);
	else
		match_change_result(m, by, result, text, q->now);
	int rc = moderate_done(
		q, c, running ? result : arena_printf(q->arena, "%s instead of %s", result, before),
		why, e);
	if (rc == 0 && rated)
		rc = rating_again_want(q->site->store, &m->doc, e);
	if (rc == 0 && rated)
		rc = rating_again_show(q->site->store, m, e);
	if (rc == 0 && rated)
		rc = rating_news_told(q->site->store, &m->doc, e);
	if (rc == 0)
		rc = request_save(q, m, e);
	if (rc < 0)
		return rc;
	moderate_tell(q, c, NOTE_BOARD | NOTE_MOVES | NOTE_FINAL,
	              director ? "the director decided the game" : "a moderator decided the game",
	              was);
	say_tournament(q, c, !running, had_ended);
	return 0;
}

/* Takes a finished game's result: removes it from the archive, and its ratings no longer count. */
static int leave_archive(struct request *q, struct match *m, struct err *e)
{
	struct store *s = q->site->store;
	int rc = store_work_add(s, WORK_GAME, m->doc.board, 0, e);

	if (rc < 0 || !m->doc.rating_count)
		return rc;
	rc = rating_again_want(s, &m->doc, e);
	return rc == 0 ? store_rated_drop(s, &m->doc, e) : rc;
}

/* ---- annul ---- */

static bool may_annul(struct request *q, const struct call *c, struct wish *)
{
	const struct game_doc *d = &c->match->doc;

	if (d->state == GAME_RUNNING || d->state == GAME_FINISHED)
		return !refuse_followed(q, c);
	return !request_refused(q, c->board, "Board %lld has no result to annul.",
	                        (long long)c->board);
}

static int run_annul(struct request *q, struct call *c, struct wish *w, struct err *e)
{
	struct match *m = c->match;
	const char *why = w->by.why, *by = w->by.by;
	const char *text = arena_printf(q->arena, "%s, a moderator, annulled it: %s", by, why);
	bool ended = m->doc.state == GAME_FINISHED, had_ended = tournament_had_ended(q, c);
	int rc = moderate_record(q, c, NULL, why, e);
	if (rc == 0 && ended)
		rc = leave_archive(q, m, e);
	if (rc < 0)
		return rc;
	if (ended)
		match_change_result(m, by, "*", text, q->now);
	else
		match_end_by(m, by, "*", text, q->now);
	moderate_tell(q, c, NOTE_BOARD | NOTE_MOVES, "a moderator annulled the game",
	              "The game has no result and does not count.");
	rc = request_save(q, m, e);
	if (rc == 0)
		say_tournament(q, c, ended, had_ended);
	return rc;
}

/* ---- rollback ---- */

/* "#12" or "12"; -1: none. */
static long read_number(const char *word)
{
	const char *digits = *word == '#' ? word + 1 : word;
	size_t n = strspn(digits, "0123456789");

	return n && n < 6 && !digits[n] ? atol(digits) : -1;
}

/* The number of turns that remain; -1: refused.  When a game has ended although the rules let it
 * go on, all of them may remain. */
static long read_ply(struct request *q, const struct call *c, const char *word)
{
	const struct match *m = c->match;
	long ply = read_number(word);
	bool all = m->doc.state == GAME_FINISHED && m->outcome.result == RESULT_RUNNING &&
	           match_repetitions(m, m->ply) < 5;

	if (ply >= 0 && (size_t)ply < m->ply + all)
		return ply;
	if (m->ply == 0)
		request_refuse(q, c->board,
		               "No turn of board %lld was played, so none can be taken back.",
		               (long long)c->board);
	else if (all)
		request_refuse(
			q, c->board,
			"Say how many turns remain, at most the %zu that were played: mod rollback %lld #%zu why",
			m->ply, (long long)c->board, m->ply);
	else
		request_refuse(
			q, c->board,
			"Say how many turns remain, fewer than the %zu that were played: mod rollback %lld #%zu why",
			m->ply, (long long)c->board, m->ply - 1);
	return -1;
}

/* Refuses to change a pairing that was sent. */
static bool refuse_paired(struct request *q, const struct call *c)
{
	const char *name = c->match->doc.tournament;
	struct tournament_doc t;

	if (!name || store_tournament_get(q->site->store, q->arena, name, &t, NULL) < 0)
		return false;
	const struct tournament_game *g = tournament_game_of(&t, c->board);
	if (!g || !tournament_is_followed(&t, g))
		return false;
	return request_refused(q, c->board,
	                       "The tournament %s has gone on after board %lld: it can't go back.",
	                       name, (long long)c->board);
}

static bool has_left(struct request *q, const char *userid)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, userid, &p, NULL) < 0 || p.deleted;
}

/* May a game that has ended go on? */
static bool can_go_on(struct request *q, const struct call *c)
{
	const struct game_doc *d = &c->match->doc;

	if (refuse_followed(q, c))
		return false;
	if (q->now - d->ended > ROLLBACK_DAYS * CLOCK_DAY)
		return !request_refused(
			q, c->board,
			"Board %lld ended more than %d days ago.  Only its result can be changed now: mod adjudicate %lld draw why",
			(long long)c->board, ROLLBACK_DAYS, (long long)c->board);
	for (int i = 0; i < 2; i++)
		if (has_left(q, d->players[i]))
			return !request_refused(q, c->board,
			                        "%s has left, so board %lld can't go on.",
			                        d->players[i], (long long)c->board);
	return true;
}

static bool can_be_rolled_back(struct request *q, const struct call *c)
{
	enum game_state state = c->match->doc.state;

	if (state == GAME_FINISHED)
		return can_go_on(q, c);
	if (state != GAME_RUNNING)
		request_refuse(q, c->board, "Board %lld is no game that could go on.",
		               (long long)c->board);
	return state == GAME_RUNNING;
}

/* Shows in the question the position to which the game goes back, and the turns that are taken
 * back. */
static void show_back(struct request *q, const struct call *c, const struct wish *w)
{
	const struct match *m = c->match;
	size_t ply = (size_t)w->ply;

	if (!match_shows_to(m, c->actor->userid))
		return;
	struct note *n = request_note(q, NULL, c->board, NOTE_BOARD);

	struct str s = str_in(q->arena, BACK_MAX);
	match_write_moves(m, ply, m->ply, false, &s);
	n->body = s.data;
	n->headline =
		*n->body
			? "The game goes back to the position below, and these turns are taken back:"
			: "The game goes on from the position below.";
	n->view = m;
	n->view_ply = ply;
}

static bool may_roll_back(struct request *q, const struct call *c, struct wish *w)
{
	if (!can_be_rolled_back(q, c) || refuse_paired(q, c) ||
	    (w->ply = read_ply(q, c, w->word)) < 0)
		return false;
	w->word = arena_printf(q->arena, "#%ld", w->ply);
	w->final =
		c->match->doc.state == GAME_FINISHED
			? "The game goes on without its result, and the turns after that position are taken back.  The answer is good for an hour."
			: "The turns after that position are taken back, with all that was offered and prepared.  The answer is good for an hour.";
	return true;
}

static const char *rollback_text(struct request *q, bool ended, long ply, const char *by,
                                 const char *why)
{
	return arena_printf(
		q->arena,
		ended ? ply == 1
	                        ? "%s, a moderator, has taken this game back to the position after %ld turn, so it goes on and its result does not count.  The clocks are as they were then, and the side to move has a full turn.  The reason: %s"
	                        : "%s, a moderator, has taken this game back to the position after %ld turns, so it goes on and its result does not count.  The clocks are as they were then, and the side to move has a full turn.  The reason: %s"
		: ply == 1
			? "%s, a moderator, has taken this game back to the position after %ld turn.  The clocks are as they were then, and the side to move has a full turn.  The reason: %s"
			: "%s, a moderator, has taken this game back to the position after %ld turns.  The clocks are as they were then, and the side to move has a full turn.  The reason: %s",
		by, ply, why);
}

static int run_roll_back(struct request *q, struct call *c, struct wish *w, struct err *e)
{
	struct match *m = c->match;
	long ply = w->ply;
	const char *why = w->by.why, *by = w->by.by;
	bool ended = m->doc.state == GAME_FINISHED, had_ended = tournament_had_ended(q, c);
	int rc = moderate_record(q, c, w->word, why, e);
	if (rc == 0 && ended)
		rc = leave_archive(q, m, e);
	if (rc < 0)
		return rc;
	match_roll_back(m, by, (size_t)ply, why, q->now);
	moderate_tell(q, c, NOTE_BOARD | NOTE_MOVES | NOTE_ASK, "a moderator took turns back",
	              rollback_text(q, ended, ply, by, why));
	rc = request_save(q, m, e);
	if (rc == 0)
		say_tournament(q, c, ended, had_ended);
	return rc;
}

#define ACT (CMD_PROOF | CMD_BOARD | CMD_PAIR | CMD_STAFF | CMD_TELLS)

const struct command cmd_mod_result_acts[] = {
	COMMAND_ACT("mod adjudicate", "mod adjudicate board 1-0|0-1|draw why", ACT,
	            STAFF_ACT(.words = 1, .may = may_adjudicate, .run = run_adjudicate)),
	COMMAND_ACT(
		"mod annul", "mod annul board why", ACT,
		STAFF_ACT(.may = may_annul, .run = run_annul,
	                  .final =
	                          "The game ends without a result and does not count; that can't be taken back.  The answer is good for an hour.")),
	COMMAND_ACT("mod rollback", "mod rollback board #turn why", ACT,
	            STAFF_ACT(.words = 1, .may = may_roll_back, .show = show_back,
	                      .run = run_roll_back)),
	{ .word = NULL }
};
