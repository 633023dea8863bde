/* The computer's turns: legal in every game, the same again, and good where that is known. */
#include "games/engine/engine.h"
#include "games/engine/engine_search.h"
#include "games/gen.h"
#include "games/solve/solve_table.h"
#include "pbm/base/child_confine.h"
#include "tests/util/rows.h"

#if SANITIZED
#define POSITIONS 40 /* of each game and choice of options */
#else
#define POSITIONS 400
#endif
#define PLIES_MAX 120
#define GUARD 64

/* Each game with each choice of options that nothing forbids. */
static struct game choices[64];
static int choices_n;

static void list_choices(void)
{
	for (const struct rules *const *r = rules_all; *r; r++) {
		unsigned count = 0;

		while ((*r)->options && (*r)->options[count].word)
			count++;
		for (uint32_t chosen = 0; chosen < 1u << count; chosen++) {
			bool possible = true;

			for (unsigned i = 0; i < count; i++)
				possible &= !(chosen >> i & 1 &&
				              chosen & (*r)->options[i].excludes);
			if (possible)
				choices[choices_n++] = (struct game){ *r, chosen };
		}
	}
}

/* The engines that are made meanwhile do without PEXT. */
static bool portable;

bool __real_attacks_have_pext(void);
bool __wrap_attacks_have_pext(void);
bool __wrap_attacks_have_pext(void)
{
	return !portable && __real_attacks_have_pext();
}

/* Memory with a guard at its end. */
static void *lend(void)
{
	char *memory = calloc(1, ENGINE_MEMORY_MIN + GUARD);

	memset(memory + ENGINE_MEMORY_MIN, 0x5a, GUARD);
	return memory;
}

static void check_guard(const char *memory)
{
	for (unsigned i = 0; i < GUARD; i++)
		ck_assert_int_eq(memory[ENGINE_MEMORY_MIN + i], 0x5a);
}

static struct engine *engine(const struct game *g, void *memory)
{
	struct err e = { 0 };
	struct engine *x = engine_init(g, memory, ENGINE_MEMORY_MIN, &e);

	ck_assert_msg(x != NULL, "%s", e.text);
	return x;
}

static unsigned chance(unsigned n)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

static bool is_listed(const struct moves *legal, const struct move *m)
{
	for (size_t i = 0; i < legal->n; i++)
		if (memcmp(&legal->v[i], m, sizeof *m) == 0)
			return true;
	return false;
}

/* The lines are legal to their ends, and begin with different turns. */
static void check_result(const struct game *g, const struct pos *p, const struct engine_result *r,
                         struct moves *legal)
{
	ck_assert(r->lines > 0);
	for (size_t k = 0; k < r->lines; k++) {
		struct pos now = *p;

		ck_assert(r->line[k].n > 0);
		for (size_t i = 0; i < r->line[k].n; i++) {
			game_legal(g, &now, legal);
			ck_assert_msg(is_listed(legal, &r->line[k].line[i]),
			              "%s: line %zu, ply %zu", g->rules->name, k, i);
			game_apply(g, &now, &r->line[k].line[i], NULL);
		}
		for (size_t i = 0; i < k; i++)
			ck_assert(memcmp(&r->line[i].line[0], &r->line[k].line[0],
			                 sizeof(struct move)) != 0);
	}
}

/* The captures alone are those of the whole list, in its order. */
static void check_captures(const struct game *g, const struct pos *p)
{
	const struct rules_fast *f = &g->rules->fast[attacks_have_pext()];
	struct gen_list all, some;
	unsigned n = 0;

	if (!f->captures[p->to_move])
		return;
	f->list[p->to_move](g, p, &all);
	f->captures[p->to_move](g, p, &some);
	for (unsigned i = 0; i < all.n && all.n < GEN_MAX; i++)
		if (all.v[all.first + i].flags & MOVE_CAPTURE)
			ck_assert(n < some.n &&
			          memcmp(&some.v[some.first + n++], &all.v[all.first + i],
			                 sizeof(struct move)) == 0);
	ck_assert(all.n == GEN_MAX || (n == some.n && n == some.captures));
}

struct walk {
	struct pos pos[PLIES_MAX + 1];
	const struct pos *past[PLIES_MAX + 1];
	struct moves legal;
	struct engine_result a, b;
};

/* Turns by chance and by the engine in turn, from the start again when a game ends. */
static void walk(const struct game *g, struct engine *x, struct engine *y)
{
	struct walk *w = malloc(sizeof *w);
	size_t n = 0;

	game_setup(g, NULL, &w->pos[0], NULL);
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct engine_limits l = {
			.nodes = 1 + chance(300), .lines = chance(4), .depth = chance(6), .seed = i
		};

		w->past[n] = &w->pos[n];
		game_legal(g, &w->pos[n], &w->legal);
		engine_think(x, w->past, n + 1, &l, &w->a);
		if (w->legal.n == 0 || n == PLIES_MAX) {
			ck_assert(w->legal.n || w->a.lines == 0);
			n = 0;
			continue;
		}
		check_captures(g, &w->pos[n]);
		engine_think(y, w->past, n + 1, &l, &w->b);
		ck_assert_msg(memcmp(&w->a, &w->b, sizeof w->a) == 0, "%s: not the same again",
		              g->rules->name);
		w->pos[n + 1] = w->pos[n];
		game_apply(g, &w->pos[n + 1],
		           chance(2) ? &w->legal.v[chance((unsigned)w->legal.n)]
		                     : &w->a.line[0].line[0],
		           NULL);
		check_result(g, &w->pos[n], &w->a, &w->legal);
		n++;
	}
	free(w);
}

/* On a machine with PEXT and on one without. */
START_TEST(legal_and_the_same_again)
{
	const struct game *g = &choices[_i];
	void *memory = lend(), *other = lend();

	struct engine *x = engine(g, memory);
	portable = true;
	struct engine *y = engine(g, other);
	portable = false;
	walk(g, x, y);
	check_guard(memory);
	check_guard(other);
	free(memory);
	free(other);
}
END_TEST

/* Positions with a turn that is best beyond doubt. */
static const struct {
	const char *game, *fen, *turn;
	uint64_t nodes;
	enum solve_value proved;
	unsigned length; /* 0: any */
} known[] = {
	/* Mates in one, two and three. */
	{ "chess", "6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1", "Re8", 3000, SOLVE_WIN, 1 },
	{ "chess", "7k/8/8/8/8/8/1R6/R6K w - - 0 1", "", 3000, SOLVE_WIN, 3 },
	{ "chess", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "Ra6", 30000, SOLVE_WIN, 5 },
	{ "chess", "3r2k1/5ppp/8/8/8/8/3Q1PPP/6K1 w - - 0 1", "Qxd8", 3000, SOLVE_WIN, 1 },
	/* A queen for nothing. */
	{ "chess", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "exd5", 3000, SOLVE_UNKNOWN, 0 },
	/* The third check. */
	{ "threecheck", "4k3/8/8/8/8/8/R7/4K3 w - - 0 1 +2+0", "", 300, SOLVE_WIN, 1 },
	/* The explosion beside the king. */
	{ "atomic", "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1", "Qxd7", 300, SOLVE_WIN, 1 },
	/* One man left that must be taken, and one that must take. */
	{ "antichess", "8/8/8/3p4/8/2P5/8/8 w - - 0 1", "c4", 3000, SOLVE_WIN, 0 },
	{ "suicide", "8/8/8/8/8/3r4/8/R7 w - - 0 1", "", 3000, SOLVE_WIN, 0 },
	/* Ten moves without progress: no longer the solver's proof of 18 plies. */
	{ "losers", "b7/P7/5k2/6q1/8/8/7K/8 b - - 40 84", "Q", 3000, SOLVE_WIN, 4 },
	/* b4 Qxb4+ leads to stalemate, which is a draw. */
	{ "losing2", "5k2/B7/8/1p5p/7P/3P4/P1P1PK1P/RN2QB2 b - - 1 23", "K", 3000, SOLVE_UNKNOWN,
	  0 },
};

START_TEST(known_turns)
{
	struct game g = { .rules = rules_find(known[_i].game, strlen(known[_i].game), NULL) };
	struct pos p = row_position(&g, known[_i].fen, known[_i].fen);
	const struct pos *past = &p;
	void *memory = lend();
	struct engine_limits l = { .nodes = known[_i].nodes };
	struct engine_result r;
	char buf[40];
	struct str san = STR_FIXED(buf);

	engine_think(engine(&g, memory), &past, 1, &l, &r);
	ck_assert(r.lines == 1);
	game_write_san(&g, &p, &r.line[0].line[0], &san);
	ck_assert_msg(strncmp(buf, known[_i].turn, strlen(known[_i].turn)) == 0, "%s: %s",
	              known[_i].fen, buf);
	ck_assert_msg(r.line[0].proved == known[_i].proved, "%s: %s, score %d", known[_i].fen, buf,
	              r.line[0].score);
	if (known[_i].length)
		ck_assert_uint_eq(r.line[0].length, known[_i].length);
	free(memory);
}
END_TEST

static bool stop_at_once(void *ctx, const struct engine_result *)
{
	++*(unsigned *)ctx;
	return false;
}

START_TEST(limits_hold)
{
	struct game g = choices[_i];
	struct pos p;
	const struct pos *past = &p;
	void *memory = lend();
	struct engine *x = engine(&g, memory);
	struct engine_result r;
	unsigned asked = 0;

	game_setup(&g, NULL, &p, NULL);
	engine_think(x, &past, 1, &(struct engine_limits){ .nodes = 20000 }, &r);
	ck_assert_uint_le(r.nodes, 20000 + 4096);
	engine_think(x, &past, 1, &(struct engine_limits){ .nodes = 1000000, .depth = 2 }, &r);
	ck_assert_uint_le(r.depth, 2);
	engine_think(x, &past, 1,
	             &(struct engine_limits){
			     .nodes = 100000000, .report = stop_at_once, .ctx = &asked },
	             &r);
	ck_assert_uint_eq(r.lines, 1);
	ck_assert_uint_ge(asked, 1);
	free(memory);
}
END_TEST

START_TEST(little_memory)
{
	struct game g = choices[0];
	void *memory = lend();
	struct err e = { 0 };

	ck_assert(!engine_init(&g, memory, ENGINE_MEMORY_MIN - 1, &e));
	ck_assert_int_eq(e.code, ERR_LIMIT);
	free(memory);
}
END_TEST

/* Of three positions of one place the deepest stays, and the newest. */
START_TEST(the_table_keeps_the_deepest)
{
	struct table_entry v[2];
	struct position_table t = { .v = v, .room = 1 };

	table_reset(&t, sizeof v);
	for (unsigned i = 1; i <= 3; i++)
		table_put(&t, &(struct table_entry){
				      .key = i, .depth = i == 1 ? 5 : 1, .bound = BOUND_EXACT });
	ck_assert_ptr_nonnull(table_get(&t, 1));
	ck_assert_ptr_null(table_get(&t, 2));
	ck_assert_ptr_nonnull(table_get(&t, 3));
	/* A deeper one takes the place, and the other moves on. */
	table_put(&t, &(struct table_entry){ .key = 4, .depth = 6, .bound = BOUND_EXACT });
	ck_assert_ptr_nonnull(table_get(&t, 1));
	ck_assert_ptr_null(table_get(&t, 3));
	ck_assert_ptr_nonnull(table_get(&t, 4));
}
END_TEST

/* Positions that differ in what only their game knows, as the men in hand, are different. */
START_TEST(the_key_knows_all)
{
	struct pos p, other;

	game_setup(&choices[0], NULL, &p, NULL);
	for (unsigned i = 0; i < POS_OWN; i++) {
		other = p;
		other.own[i]++;
		ck_assert(key_of(&other, WHITE).check != key_of(&p, WHITE).check);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("engine");
	TCase *t = tcase_create("engine");

	list_choices();
	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, legal_and_the_same_again, 0, choices_n);
	tcase_add_loop_test(t, known_turns, 0, (int)(sizeof known / sizeof known[0]));
	tcase_add_loop_test(t, limits_hold, 0, choices_n);
	tcase_add_test(t, little_memory);
	tcase_add_test(t, the_table_keeps_the_deepest);
	tcase_add_test(t, the_key_knows_all);
	suite_add_tcase(s, t);

	SRunner *r = srunner_create(s);

	srunner_run_all(r, CK_NORMAL);

	int failed = srunner_ntests_failed(r);

	srunner_free(r);
	return failed != 0;
}
