#include "pbm/commands/play/claim_win.h"

#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/solve/solve.h"
#include "pbm/base/clock.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match.h"
#include "pbm/record/match_text.h"

#define CLAIMS_A_DAY 5      /* of one player on one board */
#define CLAIMS_ALL_A_DAY 20 /* of one player */
#define SOLVER_BYTES (16u << 20)
#define SOLVER_NODES 200000
#define CLAIM_WORK (MAIL_LIMITS_WORK / 3) /* so a mail has three of them */
#define SEARCH_TURNS 300000               /* turns looked at in a search without the solver */
#define SEARCH_DEPTH 7                    /* plies */
#define LINE_MAX_PLIES 200
#define LINE_SHOWN 12
#define DRAW_TIMES 3
#define QUIET_PLIES 100 /* after so many the other side may claim a draw */

/* The positions that have been on the board, and those of a line claimed. */
struct past {
	size_t n;
	struct pos *v;
	size_t twice_count;
	const struct pos **twice; /* those that came for the second time: a third one draws */
};

/* A search for a win of one side. */
struct win_search {
	const struct match *match;
	uint8_t seat;
	struct past past;
	long left; /* turns that may still be looked at */
	struct moves *legal[SEARCH_DEPTH + 1];
};

static void past_add(struct past *past, const struct pos *p)
{
	size_t times = 0;

	for (size_t i = 0; i < past->n; i++)
		times += game_same_position(&past->v[i], p);
	past->v[past->n] = *p;
	if (times == 1)
		past->twice[past->twice_count++] = &past->v[past->n];
	past->n++;
}

static void past_begin(struct request *q, const struct match *m, struct past *past)
{
	size_t room = m->ply + 1 + LINE_MAX_PLIES;

	*past = (struct past){ .v = arena_alloc(q->arena, room * sizeof *past->v),
		               .twice = arena_alloc(q->arena, room * sizeof(void *)) };
	for (size_t i = 0; i <= m->ply; i++)
		past_add(past, &m->positions[i]);
}

/* Could the other side claim a draw in this position?  Then it is no win by force, whoever is to
 * move. */
static bool is_drawable(const struct past *past, const struct pos *p)
{
	if (p->halfmove >= QUIET_PLIES)
		return true;
	for (size_t i = 0; i < past->twice_count; i++)
		if (game_same_position(past->twice[i], p))
			return true;
	return false;
}

/* ... and now, in the present position, at the other side's turn? */
static bool is_drawable_now(const struct match *m, uint8_t seat)
{
	return match_to_move(m) != seat && (match_position(m)->halfmove >= QUIET_PLIES ||
	                                    match_repetitions(m, m->ply) >= DRAW_TIMES);
}

static bool is_won(const struct outcome *o, uint8_t seat)
{
	return o->result == (seat == SEAT_WHITE ? RESULT_WHITE : RESULT_BLACK);
}

/* Has a turn led to a position in which the other side could claim a draw? */
static bool leads_to_draw(const struct win_search *s, const struct pos *p)
{
	struct outcome o;

	game_outcome(&s->match->game, p, &o);
	return o.result == RESULT_RUNNING && is_drawable(&s->past, p);
}

/* Does the seat win from p within so many plies, whatever the other side plays? */
static bool wins_within(struct win_search *s, const struct pos *p, int depth)
{
	const struct game *g = &s->match->game;
	struct outcome o;

	game_outcome(g, p, &o);
	if (o.result != RESULT_RUNNING)
		return is_won(&o, s->seat);
	if (depth == 0)
		return false;
	struct moves *legal = s->legal[depth];
	bool own = p->to_move == s->seat;
	game_legal(g, p, legal);
	for (size_t i = 0; i < legal->n; i++) {
		struct pos next = *p;

		if (s->left-- <= 0)
			return false;
		game_apply(g, &next, &legal->v[i], NULL);
		bool won = !leads_to_draw(s, &next) && wins_within(s, &next, depth - 1);
		if (won == own)
			return own;
	}
	return !own && legal->n > 0;
}

/* Searches deeper and deeper, so that a short win is found first. */
static bool search(struct win_search *s, const struct pos *p)
{
	bool won = false;

	for (int i = 0; i <= SEARCH_DEPTH; i++)
		s->legal[i] = mem_alloc(sizeof *s->legal[i]);
	for (int depth = 0; !won && depth <= SEARCH_DEPTH && s->left > 0; depth++)
		won = wins_within(s, p, depth);
	for (int i = 0; i <= SEARCH_DEPTH; i++)
		free(s->legal[i]);
	return won;
}

static void write_line(const struct game *g, struct pos p, const struct move *line, size_t n,
                       struct str *out)
{
	for (size_t i = 0; i < n && i < LINE_SHOWN; i++) {
		str_add_char(out, ' ');
		game_write_san(g, &p, &line[i], out);
		game_apply(g, &p, &line[i], NULL);
	}
	str_add(out, n > LINE_SHOWN ? " …" : "");
}

/* Asks the solver of the losing family.  false: it does not know the game, or proves
 * nothing. */
static bool solve(const struct win_search *search, const struct pos *p, struct str *line)
{
	const struct match *m = search->match;
	uint8_t seat = search->seat;
	AUTO(mem_free) void *memory = mem_alloc(SOLVER_BYTES);
	struct solve *s = solve_init(&m->game, memory, SOLVER_BYTES, NULL);
	struct solve_limits limits = { .nodes = SOLVER_NODES };
	bool won = false;

	struct solve_avoid avoid;
	if (s && solve_avoid(s, search->past.twice, search->past.twice_count, &avoid)) {
		AUTO(mem_free) struct solve_result *got = mem_alloc(sizeof *got);

		solve_run(s, p, &limits, got);
		won = got->value == (p->to_move == seat ? SOLVE_WIN : SOLVE_LOSS) &&
		      p->halfmove + got->n < QUIET_PLIES &&
		      solve_verify(s, p, got->value, &limits, NULL);
		if (won)
			write_line(&m->game, *p, got->line, got->n, line);
	}
	return won;
}

static bool prove(struct win_search *s, const struct pos *p, struct str *line)
{
	return search(s, p) || solve(s, p, line);
}

/* The state of checking a line. */
struct claim_walk {
	struct request *q;
	struct win_search search;
	struct pos pos;
	const char *text; /* the rest of the line */
	struct str said;
	const char *why; /* why it is no proof */
};

static void say(struct claim_walk *w, const struct move *mv)
{
	str_add_char(&w->said, ' ');
	game_write_san(&w->search.match->game, &w->pos, mv, &w->said);
}

/* The next turn of the line, if it is legal for the side to move. */
static bool read_next(struct claim_walk *w, struct move *out, struct err *why)
{
	size_t used = 0;

	w->text += strspn(w->text, " ,;.\t");
	w->text = command_move_text(w->text);
	if (!*w->text || game_read_line(&w->search.match->game, &w->pos, w->text, strlen(w->text),
	                                out, &used, NULL, why) < 0)
		return false;
	w->text += used;
	return true;
}

static bool own_ply(struct claim_walk *w)
{
	struct err why = { 0 };
	struct move mv;

	if (!read_next(w, &mv, &why)) {
		w->why = arena_printf(w->q->arena, "After%s: %s",
		                      w->said.len ? w->said.data : " the present position",
		                      why.text);
		return false;
	}
	say(w, &mv);
	game_apply(&w->search.match->game, &w->pos, &mv, NULL);
	return true;
}

/* The other side's turn: the only one, or the one of the line if all others lose, too. */
static bool forced_ply(struct claim_walk *w)
{
	const struct game *g = &w->search.match->game;
	AUTO(mem_free) struct moves *legal = mem_alloc(sizeof *legal);
	struct move mv = { 0 };
	bool written, good = true;

	game_legal(g, &w->pos, legal);
	written = read_next(w, &mv, NULL);
	if (!written && legal->n)
		mv = legal->v[0];
	for (size_t i = 0; good && i < legal->n; i++) {
		struct pos next = w->pos;

		if (game_is_same_turn(g, &w->pos, &legal->v[i], &mv))
			continue;
		game_apply(g, &next, &legal->v[i], NULL);
		good = !leads_to_draw(&w->search, &next) && search(&w->search, &next);
		if (!good)
			w->why = arena_printf(
				w->q->arena,
				"After%s, %s is possible, and I don't see that it loses.",
				w->said.len ? w->said.data : " the present position",
				match_turn(w->q->arena, w->search.match, &w->pos, &legal->v[i]));
	}
	if (good && legal->n) {
		say(w, &mv);
		game_apply(g, &w->pos, &mv, NULL);
	}
	return good;
}

static bool walk(struct claim_walk *w)
{
	const struct match *m = w->search.match;
	struct outcome o;

	for (int n = 0; n < LINE_MAX_PLIES; n++) {
		game_outcome(&m->game, &w->pos, &o);
		if (o.result != RESULT_RUNNING)
			break;
		bool own = w->pos.to_move == w->search.seat;
		if (n == 0 ? is_drawable_now(m, w->search.seat)
		           : is_drawable(&w->search.past, &w->pos)) {
			w->why = "The other side could claim a draw on the way.";
			return false;
		}
		if (n)
			past_add(&w->search.past, &w->pos);
		w->text += strspn(w->text, " ,;.\t");
		if (own && !*w->text)
			break;
		if (!(own ? own_ply(w) : forced_ply(w)))
			return false;
	}
	game_outcome(&m->game, &w->pos, &o);
	if (is_won(&o, w->search.seat) ||
	    (o.result == RESULT_RUNNING && prove(&w->search, &w->pos, &w->said)))
		return true;
	w->why = o.result == RESULT_RUNNING ? "At the end of your line I don't see a win."
	                                    : "Your line ends the game, but you don't win it.";
	return false;
}

/* Counts the claim, which may cost some seconds.  1: go on; 0: too many. */
static int may_claim(struct request *q, const struct call *c, struct err *e)
{
	int64_t here = 0, all = 0;
	int rc = request_count_event(
		q, "claim-win",
		arena_printf(q->arena, "%s %lld", c->actor->userid, (long long)c->board), CLOCK_DAY,
		&here, e);

	if (rc == 0)
		rc = request_count_event(q, "claim-wins", c->actor->userid, CLOCK_DAY, &all, e);
	return rc < 0 ? rc : here <= CLAIMS_A_DAY && all <= CLAIMS_ALL_A_DAY;
}

/* 1: the claim of c->seat is proved, and *how is the line in SAN, perhaps ""; 0: it is not, and
 * *how is a sentence with the reason. */
static int check(struct request *q, const struct call *c, const char *line, const char **how,
                 struct err *e)
{
	char text[1000];
	struct claim_walk w = {
		.q = q,
		.search = { .match = c->match, .seat = c->seat, .left = SEARCH_TURNS },
		.pos = *match_position(c->match),
		.text = line,
		.said = STR_FIXED(text)
	};
	*how = "I check three of them in a mail.  Send the others in another mail.";
	if (q->work + CLAIM_WORK > MAIL_LIMITS_WORK)
		return 0;
	q->work += CLAIM_WORK;
	int rc = may_claim(q, c, e);
	if (rc < 0)
		return rc;
	*how = "You claimed a win too often today.  Try again tomorrow.";
	if (rc == 0)
		return 0;
	past_begin(q, c->match, &w.search.past);
	bool proved = *line ? walk(&w) : prove(&w.search, &w.pos, &w.said);
	*how = proved  ? arena_strdup(q->arena, w.said.len ? w.said.data + 1 : "")
	       : w.why ? w.why
	               : "I don't see a win by force in this position.  You can write the line that wins: claim win, and its moves.";
	return proved;
}

int claim_win_run(struct request *q, struct call *c, const char *more, struct err *e)
{
	const char *how = "", *line = strcasestr(c->rest, "win") + strlen("win");
	const char *me = c->match->doc.players[c->seat];
	int rc = check(q, c, line + strspn(line, " :"), &how, e);

	if (rc < 0)
		return rc;
	if (rc == 0) {
		request_refuse(q, c->board, "Your win on board %lld is not proved.  %s",
		               (long long)c->board,
		               line[strspn(line, " :")] ? how
		                                        : arena_printf(q->arena, "%s%s", how, more))
			->flags |= NOTE_BOARD | NOTE_ASK;
		return 0;
	}
	match_end(c->match, c->seat == SEAT_WHITE ? "1-0" : "0-1",
	          arena_printf(q->arena, "%s has proved a win", me), c->seat, q->now);
	return board_tell_both(
		q, c, arena_printf(q->arena, "Your win is proved%s%s.", *how ? ": " : "", how),
		arena_printf(q->arena, "%s has claimed a win, and the claim holds%s%s.", me,
	                     *how ? ": " : "", how),
		NOTE_BOARD | NOTE_MOVES, e);
}
