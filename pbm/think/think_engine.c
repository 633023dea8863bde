/* Lets a child process think, which has no file and no network, and whose time and memory are
 * limited: a mistake of the engine costs one turn's quality, never the run. */
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/base/child.h"
#include "pbm/base/log.h"
#include "pbm/record/match_think.h"
#include "pbm/think/think.h"

#define MEMORY ((size_t)256 << 20)
#define ANSWER_MAX 32768 /* bytes: a finding, or an analysis */
#define SECONDS 120      /* for one turn */
#define LEVEL_RESIGNS 3  /* from this level on a computer gives up */
#define RESIGN_PLIES 6   /* ... when so many plies at most are left of a proved loss */
#define DRAW_SCORE 20    /* hundredths of a pawn: a draw is fair up to that */
#define DRAW_PLIES 60    /* ... and in games that count after so many: an opening is always level */
#define SHORT_NODES 1000 /* when the engine has failed */

static const struct {
	uint64_t nodes;
	unsigned lines; /* one of so many best turns is played */
} levels[PLAYER_LEVEL_MAX + 1] = {
	[1] = { 30, 3 },    [2] = { 300, 1 },    [3] = { 3000, 1 },
	[4] = { 30000, 1 }, [5] = { 300000, 1 }, [6] = { 3000000, 1 },
};

struct think_question {
	const struct match *match;
	uint64_t nodes;
	unsigned lines;
	uint32_t seed;
};

static void find(const struct think_question *q, struct think_finding *out)
{
	AUTO(mem_free) struct engine_result *r = mem_alloc(sizeof *r);
	const struct engine_limits l = { .nodes = q->nodes, .lines = q->lines, .seed = q->seed };

	if (match_think(q->match, q->match->ply, &l, r)) {
		const struct engine_line *line = &r->line[q->seed % r->lines];

		*out = (struct think_finding){ line->line[0], line->score, line->proved,
			                       line->length,  r->nodes,    true };
	}
}

static void serve(struct child *parent, void *arg)
{
	struct think_finding f = { 0 };

	find(arg, &f);
	str_add_n(child_frame(parent), (const char *)&f, sizeof f);
	child_send(parent, NULL);
}

const char *think_in_child(think_serve *job, void *arg, int seconds, struct arena *a, size_t *n,
                           struct err *e)
{
	const struct child_plan plan = { .name = "the engine",
		                         .trust = CHILD_SEALED,
		                         .memory = MEMORY,
		                         .question_max = 1,
		                         .answer_max = ANSWER_MAX,
		                         .filter_optional = true,
		                         .job = { .serve = job } };
	struct child c = { 0 };
	const char *bytes = NULL;

	if (child_start(&c, &plan, arg, e) == 0) {
		child_grant(&c, seconds, seconds);
		if (child_receive(&c, &bytes, n, e) < 0)
			bytes = NULL;
	}
	/* A copy is followed by a NUL. */
	const char *copy = bytes ? memcpy(arena_alloc(a, *n + 1), bytes, *n + 1) : NULL;
	child_stop(&c);
	return copy;
}

/* Is it a turn of the position? */
static bool is_legal(const struct match *m, const struct move *mv, struct moves *legal)
{
	for (size_t i = 0; i < legal->n; i++)
		if (game_is_same_turn(&m->game, match_position(m), mv, &legal->v[i]))
			return true;
	return false;
}

/* Our own engine.  ERR_*: it failed. */
static int ask(struct think_question *q, struct moves *legal, struct think_finding *out,
               struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	size_t n = 0;
	/* The child is a fork of this program. */
	const char *bytes = think_in_child(serve, q, SECONDS, &a, &n, e);

	if (bytes && n == sizeof *out)
		memcpy(out, bytes, sizeof *out);
	if (!bytes)
		return e->code;
	return out->found && is_legal(q->match, &out->move, legal)
	               ? 0
	               : err_set(e, ERR_BAD, "its turn is not legal");
}

/* Is the draw that the opponent offers fair? */
static bool is_drawn(const struct match *m, const struct think_finding *f)
{
	bool counts = m->doc.rated || m->doc.tournament;

	return f->proved != SOLVE_WIN && abs(f->score) <= DRAW_SCORE &&
	       (!counts || m->ply >= DRAW_PLIES);
}

/* Gives up, agrees to a draw, or plays. */
static void write_line(const struct match *m, const struct player_doc *p,
                       const struct think_finding *f, struct think_task *t)
{
	uint8_t seat = match_to_move(m);
	struct str s = STR_FIXED(t->line);
	long long board = (long long)m->doc.board;

	if (f->proved == SOLVE_LOSS && f->length <= RESIGN_PLIES && p->level >= LEVEL_RESIGNS)
		str_addf(&s, "resign %lld", board);
	else if (m->draw_offered_by == !seat && is_drawn(m, f))
		str_addf(&s, "accept %lld draw", board);
	else {
		str_addf(&s, "move %lld ", board);
		game_write_uci(&m->game, match_position(m), &f->move, &s);
		str_addf(&s, "#%zu", m->ply + 1);
	}
}

/* The answer of the computer's engine; after its mistake, which the log names, that of a short
 * search, or the first legal turn. */
static bool find_turn(struct site *s, struct think_question *q, const struct player_doc *computer,
                      struct moves *legal, struct think_finding *out)
{
	struct err e = { 0 };
	int rc = think_other(s, q->match, computer, legal, out, &e);

	if (rc == 0)
		rc = ask(q, legal, out, &e);
	if (rc >= 0)
		return true;
	log_error("the engine of %s found no turn on board %lld, ply %zu: %s; FEN %s",
	          computer->userid, (long long)q->match->doc.board, q->match->ply, e.text,
	          q->match->doc.fen);
	q->nodes = SHORT_NODES;
	*out = (struct think_finding){ 0 };
	if (ask(q, legal, out, &(struct err){ 0 }) < 0)
		*out = (struct think_finding){ .move = legal->v[0], .score = ENGINE_WIN };
	return false;
}

void think_about(struct site *s, const struct match *m, const struct player_doc *computer,
                 struct think_task *t, uint64_t *nodes)
{
	struct think_question q = { .match = m,
		                    .nodes = levels[computer->level].nodes,
		                    .lines = levels[computer->level].lines,
		                    .seed = (uint32_t)(((uint64_t)m->doc.board * 2654435761u) ^
		                                       (m->ply * 40503u)) };
	AUTO(mem_free) struct moves *legal = mem_alloc(sizeof *legal);
	struct think_finding f = { 0 };

	game_legal(&m->game, match_position(m), legal);
	t->mistake = !find_turn(s, &q, computer, legal, &f);
	write_line(m, computer, &f, t);
	t->stamp = m->stamp;
	t->events = m->doc.event_count;
	*nodes += f.nodes;
}
