/* Looks for a puzzle in a finished game that the engine has judged: a position with one winning
 * turn only.  In the losing family a proof says so for each turn; in other games two searches. */
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/base/child.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/record/analysis.h"
#include "pbm/record/match_think.h"
#include "pbm/record/puzzle.h"
#include "pbm/site/site.h"
#include "pbm/think/think.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define SECONDS 900   /* for a game */
#define CANDIDATES 8  /* positions of a game that are looked at */
#define FIRST_PLY 8   /* the opening before it is the same in many games */
#define TURNS_LEAST 3 /* to choose from */
#define WINNING 300   /* hundredths of a pawn: the only winning turn has more */
#define LEVEL 150     /* ... the second best less */
#define MARGIN 300    /* ... and so much less than the best */
#define NODES 1000000 /* of a search */
#define PROOF_NODES 300000
#define PROOF_MEMORY ((size_t)16 << 20)
#define RECENT 400 /* puzzles that a new one must differ from */

/* The only winning turn of a position, and the defender's best answer. */
struct only_turn {
	struct move turn, answer;
	bool answered;
};

/* Is the position after the turn won for the side that played it?  1, 0; -1: not known. */
static int is_won_after(struct solve *s, const struct game *g, const struct pos *p,
                        const struct move *mv, struct solve_result *r)
{
	const struct solve_limits l = { .nodes = PROOF_NODES };
	struct pos next = *p;
	struct effects fx;
	struct outcome o;

	game_apply(g, &next, mv, &fx);
	game_outcome(g, &next, &o);
	if (o.result != RESULT_RUNNING)
		return o.result == (p->to_move == WHITE ? RESULT_WHITE : RESULT_BLACK);
	solve_run(s, &next, &l, r);
	return r->value == SOLVE_LOSS ? 1 : r->value == SOLVE_WIN || r->settled ? 0 : -1;
}

/* Proves for each turn of the position whether it wins.  true: this one does, and no other. */
static bool prove_only(struct solve *s, const struct match *m, const struct move *best)
{
	AUTO(mem_free) struct moves *legal = mem_alloc(sizeof *legal);
	AUTO(mem_free) struct solve_result *r = mem_alloc(sizeof *r);
	const struct pos *p = match_position(m);
	bool only = true;

	game_legal(&m->game, p, legal);
	for (size_t i = 0; only && i < legal->n; i++)
		only = is_won_after(s, &m->game, p, &legal->v[i], r) ==
		       game_is_same_turn(&m->game, p, best, &legal->v[i]);
	return only;
}

static bool think(const struct match *m, unsigned lines, uint32_t seed, struct engine_result *r)
{
	const struct engine_limits l = { .nodes = NODES, .lines = lines, .seed = seed };

	return match_think(m, m->ply, &l, r) && r->lines == lines;
}

static bool leads_alone(const struct engine_result *r)
{
	int best = r->line[0].score, second = r->line[1].score;

	return best >= WINNING && second < LEVEL && best - second >= MARGIN;
}

/* Does the second search, with another seed, find the same? */
static bool is_found_again(const struct match *m, const struct engine_result *first,
                           struct engine_result *r)
{
	return think(m, 2, 2, r) && leads_alone(r) &&
	       game_is_same_turn(&m->game, match_position(m), &first->line[0].line[0],
	                         &r->line[0].line[0]);
}

/* left: plies in which a proved win must be over. */
static bool find_only(struct solve *s, const struct match *m, size_t left, struct only_turn *out)
{
	AUTO(mem_free) struct engine_result *r = mem_alloc(2 * sizeof *r);
	const struct engine_line *line = &r->line[0];
	bool only = think(m, s ? 1 : 2, 1, r);

	if (only && s)
		only = line->proved == SOLVE_WIN && line->length <= left &&
		       prove_only(s, m, &line->line[0]);
	else if (only)
		only = leads_alone(r) && (line->proved != SOLVE_WIN || line->length <= left) &&
		       is_found_again(m, r, r + 1);
	if (only)
		*out = (struct only_turn){ line->line[0], line->line[line->n > 1], line->n > 1 };
	return only;
}

/* Plays the solution on the board, as long as each turn is the only one.  false: there is no
 * such turn. */
static bool solve_board(struct solve *s, struct match *m)
{
	struct only_turn only;

	while (m->outcome.result == RESULT_RUNNING && m->ply < PUZZLE_PLIES &&
	       find_only(s, m, PUZZLE_PLIES - m->ply, &only)) {
		match_play(m, &only.turn, m->doc.created);
		if (m->outcome.result == RESULT_RUNNING && only.answered)
			match_play(m, &only.answer, m->doc.created);
		else
			break;
	}
	if (m->ply % 2 == 0 && m->ply) /* the defender's answer is left out at the end */
		match_undo(m, 1, SEAT_NONE, m->doc.created);
	return m->ply > 0;
}

static bool is_candidate(const struct match *m, const struct analysis_entry *e, size_t ply)
{
	bool wins = e[ply].proved > 0 && e[ply].proved <= PUZZLE_PLIES;
	bool jumps = !e[ply].proved && e[ply].score >= WINNING &&
	             e[ply].score + e[ply - 1].score >= MARGIN;

	if (!wins && !jumps)
		return false;
	AUTO(mem_free) struct moves *legal = mem_alloc(sizeof *legal);
	game_legal(&m->game, &m->positions[ply], legal);
	return legal->n >= TURNS_LEAST;
}

/* Appends the longest puzzle of the game. */
static void find_puzzle(const struct match *m, struct solve *s, struct str *out)
{
	AUTO(mem_free) struct analysis_entry *entries = mem_alloc((m->ply + 1) * sizeof *entries);
	size_t n = analysis_read(m, entries), looked = 0, longest = 0;
	struct puzzle p;

	for (size_t i = m->doc.start_fen ? 1 : FIRST_PLY; i < n && looked < CANDIDATES; i++) {
		if (!is_candidate(m, entries, i))
			continue;
		looked++;
		p.ply = i;
		if (puzzle_board(m, i, &p.board, NULL) < 0 ||
		    p.board.outcome.result != RESULT_RUNNING || !solve_board(s, &p.board) ||
		    p.board.ply <= longest)
			continue;
		longest = p.board.ply;
		str_clear(out);
		puzzle_write(&p, out);
	}
}

static void serve(struct child *parent, void *arg)
{
	const struct match *m = arg;
	AUTO(mem_free) void *memory = calloc(1, PROOF_MEMORY);
	struct str found = STR_LOCAL(PUZZLE_TEXT_MAX);

	find_puzzle(m, memory ? solve_init(&m->game, memory, PROOF_MEMORY, NULL) : NULL, &found);
	str_add_n(child_frame(parent), found.data, found.len);
	child_send(parent, NULL);
}

static bool is_wanted(struct store *s, struct arena *a, const struct game_doc *d)
{
	return d->analysis && !d->puzzle && think_may_judge(s, a, d);
}

const char *think_puzzle(struct site *s, struct arena *a, int64_t board)
{
	struct game_doc d;
	struct match m;
	struct err e = { 0 };
	const char *text;
	size_t n = 0;

	if (store_game_get(s->store, a, board, &d, NULL) < 0 || !is_wanted(s->store, a, &d) ||
	    match_load(a, &d, &m, NULL) < 0)
		return "";
	text = think_in_child(serve, &m, SECONDS, a, &n, &e);
	if (!text)
		log_error("no puzzle was looked for on board %lld: %s", (long long)board, e.text);
	return text ? text : "";
}

static int last_day(const struct game_row *row, void *arg)
{
	*(int64_t *)arg = row->puzzle;
	return 0;
}

/* Tomorrow is the first such day: a puzzle of today would miss the mails that went out already. */
int think_puzzle_day(struct site *s, int64_t *day, struct err *e)
{
	int64_t today = clock_now() / CLOCK_DAY * CLOCK_DAY, last = 0;
	int rc = store_puzzles(s->store, NULL, INT64_MAX, 1, last_day, &last, e);

	*day = (last > today ? last : today) + CLOCK_DAY;
	if (*day > today + s->conf.puzzle_stock * CLOCK_DAY)
		*day = 0;
	return rc;
}

/* A search for a puzzle that is the same in other words: its game and its solution. */
struct same {
	struct store *store;
	const struct game_doc *d;
	bool found;
};

static int compare(const struct game_row *row, void *arg)
{
	struct same *s = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;

	s->found |= store_game_get_summary(s->store, &a, row->board, &d, NULL) == 0 && d.puzzle &&
	            strcmp(d.puzzle, s->d->puzzle) == 0;
	return 0;
}

static int put(struct site *s, struct game_doc *d, struct err *e)
{
	struct same same = { .store = s->store, .d = d };
	int rc = think_puzzle_day(s, &d->puzzle_day, e);

	if (rc == 0)
		rc = store_puzzles(s->store, d->game, INT64_MAX, RECENT, compare, &same, e);
	return rc == 0 && d->puzzle_day && !same.found ? store_game_put(s->store, d, e) : rc;
}

int think_puzzle_keep(struct site *s, struct arena *a, int64_t board, const char *text,
                      struct err *e)
{
	struct game_doc d;

	if (store_game_get(s->store, a, board, &d, NULL) < 0 || !is_wanted(s->store, a, &d))
		return 0;
	d.puzzle = text;
	return put(s, &d, e);
}
