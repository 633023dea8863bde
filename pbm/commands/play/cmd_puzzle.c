/* Puzzles by mail: the newest one, and the answers to it. */
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/base/str.h"
#include "pbm/commands/play/play_tables.h"
#include "pbm/commands/play/puzzle_mail.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/prose_turn.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match_text.h"
#include "pbm/record/match_think.h"
#include "pbm/request/request_player.h"

#define TRIES 3
#define SPELLED_MAX 96
#define KEPT (30 * CLOCK_DAY) /* that a player's tries are counted */
#define REPLY_NODES 3000      /* for the answer to a wrong turn */
#define GONE "This puzzle is gone.  To get a newer one, write: puzzle"

/* The puzzle that the sender answers. */
struct solving {
	int64_t day;
	size_t ply; /* of its solution, played already */
	struct puzzle p;
	struct move turn;
	const char *count; /* the kind of event that counts tries */
	int64_t tries;
};

static int give_solution(struct request *q, const char *told, int64_t day, const struct puzzle *p)
{
	struct str turns = STR_LOCAL(400);

	puzzle_write_turns(p, 0, p->board.ply, &turns);
	struct note *n = puzzle_show(q, NULL, day, p, p->board.ply);

	n->headline = arena_printf(q->arena, "%s  The solution: %s", told, turns.data);
	n->body = *puzzle_url(q, day) ? puzzle_url(q, day) : NULL;
	return 0;
}

static int64_t day_of(const struct token *t)
{
	return t->at / CLOCK_DAY * CLOCK_DAY;
}

static int show_newest(struct request *q, const char *game, bool solution, struct err *e)
{
	struct puzzle *p = arena_alloc(q->arena, sizeof *p);
	bool answers = solution && q->who.has_token && q->who.token.kind == TOKEN_PUZZLE;
	int64_t day = 0, before = answers ? q->who.token.at + 1 : q->now;

	if (mail_limits_is_full(q))
		return 0;
	int rc = puzzle_find(q, game, NULL, before, &day, p, e);
	if (rc < 0)
		return rc;
	if (answers && (rc == 0 || day != day_of(&q->who.token)))
		request_refuse(q, 0, GONE);
	else if (rc == 0)
		request_refuse(
			q, 0,
			"There is no puzzle yet.  I take them from finished games that both players let the engine judge.");
	else if (solution)
		give_solution(q, "You gave up.", day, p);
	else
		puzzle_show(q, NULL, day, p, 0);
	return 0;
}

/* Finds the puzzle that the mail answers.  1: *s is filled; 0: refused. */
static int find_answered(struct request *q, struct solving *s, struct err *e)
{
	const struct token *t = &q->who.token;
	int64_t day = day_of(t), found = 0;
	bool is_own = q->who.has_token && t->kind == TOKEN_PUZZLE && request_is_proved(q) &&
	              request_is_by(q, t->name);
	int rc = is_own ? puzzle_find(q, NULL, NULL, day + 1, &found, &s->p, e) : 0;

	s->day = day;
	s->ply = (size_t)(t->at - day);
	bool is_it = rc > 0 && found == day;
	if (rc < 0 || (is_it && s->ply < s->p.board.ply))
		return rc;
	if (!is_own)
		request_refuse(
			q, 0,
			"A turn of a puzzle must answer the mail that showed it to you.  To get that mail, write: puzzle");
	else
		request_refuse(q, 0,
		               is_it ? "This puzzle is over.  To get the newest one, write: puzzle"
		                     : GONE);
	return 0;
}

static int go_on(struct request *q, const struct solving *s)
{
	struct str turns = STR_LOCAL(200);

	if (s->ply + 1 == s->p.board.ply)
		return give_solution(q, "That is right, and solves the puzzle.", s->day, &s->p);
	puzzle_write_turns(&s->p, s->ply, s->ply + 2, &turns);
	struct note *n = puzzle_show(q, NULL, s->day, &s->p, s->ply + 2);
	n->headline = arena_printf(
		q->arena,
		"That is right.  After %s again only one turn wins.  Answer this mail with it.",
		turns.data);
	return 0;
}

/* "b5": the engine's answer to the wrong turn; NULL if the game is over then. */
static const char *refutation(struct request *q, const struct solving *s)
{
	const struct engine_limits l = { .nodes = REPLY_NODES };
	struct engine_result *r = arena_alloc(q->arena, sizeof *r);
	struct match m;

	if (puzzle_board(&s->p.board, s->ply, &m, NULL) < 0)
		return NULL;
	match_play(&m, &s->turn, q->now);
	return m.outcome.result == RESULT_RUNNING && match_think(&m, m.ply, &l, r)
	               ? match_turn(q->arena, &m, match_position(&m), &r->line[0].line[0])
	               : NULL;
}

static void refute(struct request *q, const struct solving *s)
{
	const struct match *m = &s->p.board;
	const char *turn = match_turn(q->arena, m, &m->positions[s->ply], &s->turn);
	const char *reply = refutation(q, s);
	struct note *n = puzzle_show(q, NULL, s->day, &s->p, s->ply);
	n->headline = reply ? arena_printf(
				      q->arena,
				      "%s does not win: the answer is %s.  This was try %d of %d.",
				      turn, reply, (int)s->tries, TRIES)
	                    : arena_printf(q->arena, "%s does not win.  This was try %d of %d.",
	                                   turn, (int)s->tries, TRIES);
}

static int judge(struct request *q, struct solving *s, struct err *e)
{
	const char *by = request_userid(q);
	int rc = request_event_count(q, s->count, by, &s->tries, e);

	if (rc < 0)
		return rc;
	if (s->tries >= TRIES)
		return give_solution(q, "You have had all tries.", s->day, &s->p);
	const struct match *m = &s->p.board;
	if (game_is_same_turn(&m->game, &m->positions[s->ply], &s->turn, &m->moves[s->ply].move))
		return go_on(q, s);
	rc = request_count_event(q, s->count, by, KEPT, &s->tries, e);
	if (rc == 0 && s->tries >= TRIES)
		return give_solution(q, "That does not win.", s->day, &s->p);
	if (rc == 0)
		refute(q, s);
	return rc;
}

static int answer(struct request *q, const struct call *c, struct err *e)
{
	struct solving *s = arena_alloc(q->arena, sizeof *s);
	struct err why = { 0 };
	struct str spelled = STR_LOCAL(SPELLED_MAX);
	size_t used = 0;
	int rc = mail_limits_is_full(q) ? 0 : find_answered(q, s, e);

	if (rc <= 0)
		return rc;
	const struct match *m = &s->p.board;
	if (str_prefix(c->rest, "hint")) {
		puzzle_show(q, NULL, s->day, &s->p, s->ply)->headline = "A puzzle has no hints.";
		return 0;
	}
	const struct pos *p = &m->positions[s->ply];
	if (game_read_line(&m->game, p, c->rest, strlen(c->rest), &s->turn, &used, NULL, &why) <
	            0 &&
	    !(first_line_spells(c->rest, &spelled, &used) &&
	      game_read_move(&m->game, p, spelled.data, strlen(spelled.data), &s->turn, NULL,
	                     NULL) == 0)) {
		const char *meant = prose_turn_only(q, m, p, c->rest);

		puzzle_show(q, NULL, s->day, &s->p, s->ply)->headline =
			meant ? arena_printf(
					q->arena,
					"If %s is your answer, write nothing but: %s.  That was no try.",
					meant, meant)
			      : arena_printf(q->arena, "%s  That was no try.", why.text);
		return 0;
	}
	s->count = arena_printf(q->arena, "puzzle-%lld", (long long)s->day);
	return judge(q, s, e);
}

static int run_puzzle(struct request *q, struct call *c, struct err *e)
{
	const struct rules *r = c->argc == 1 ? rules_find(c->argv[0], strlen(c->argv[0]), NULL)
	                                     : NULL;

	if (!q->who.known || !player_has_address(&q->who.player, q->mail.from))
		return !request_refused(
			q, 0,
			"Only a player gets puzzles by mail.  To become one, write: "
			"signup <userid>");
	if (c->argc == 1 && strcasecmp(c->argv[0], "solution") == 0)
		return show_newest(q, NULL, true, e);
	if (c->argc == 0 || r)
		return show_newest(q, r ? r->name : c->rules ? c->rules->name : NULL, false, e);
	return answer(q, c, e);
}

const struct command cmd_puzzle_table[] = {
	COMMAND("puzzle", "puzzle [game]  or  puzzle solution",
	        "a position from a finished game in which only one turn wins", GROUP_READ, 0,
	        .run = run_puzzle),
	{ .word = NULL }
};
