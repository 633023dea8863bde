#include "pbm/pairing/matching.h"

#include <string.h>

/* The duals: an edge u-v in no common blossom has the slack dual(u) + dual(v) + 2 cost, in one
 * or more the duals of these besides.  No slack is below 0, and none of a blossom's dual is.
 * Matched edges and those of blossoms have slack 0.  So minus the sum of the vertices' duals
 * (and a part of the blossoms') is at most twice the cost of any perfect matching, and equal to
 * that of the one found.  A search tree has one root only, so all its outer vertices' duals
 * are odd or all are even, and half a slack between them is a whole number. */

struct matching *matching_new(int n, struct arena *a)
{
	struct matching *m = arena_alloc(a, sizeof *m);
	size_t edges = (size_t)n * (size_t)n;

	m->n = n;
	m->cost = arena_alloc(a, edges * sizeof *m->cost);
	m->kept = arena_alloc(a, 2 * (size_t)n * sizeof *m->kept);
	m->row = arena_alloc(a, (size_t)n * sizeof *m->row);
	for (size_t i = 0; i < edges; i++)
		m->cost[i] = MATCHING_NO;
	blossom_init(&m->b, n, a);
	return m;
}

static int *cost_at(const struct matching *m, int u, int v)
{
	return &m->cost[(size_t)u * (size_t)m->n + (size_t)v];
}

void matching_cost(struct matching *m, int u, int v, int cost)
{
	*cost_at(m, u, v) = *cost_at(m, v, u) = cost;
}

int matching_mate(const struct matching *m, int u)
{
	return m->b.mate[u];
}

/* Of an edge that lies in no blossom. */
static int slack(const struct matching *m, int u, int v)
{
	return m->b.node[u].dual + m->b.node[v].dual + 2 * *cost_at(m, u, v);
}

/* Makes the edge from outer u to v, which isn't matched, a matched one, and changes the others
 * up to the root in turn. */
static void augment(struct matching *m, int u, int v)
{
	struct blossoms *b = &m->b;

	for (;;) {
		int x = b->top[u], old = b->mate[b->node[x].base];

		blossom_rebase(b, x, u);
		blossom_rebase(b, b->top[v], v);
		b->mate[u] = v;
		b->mate[v] = u;
		if (old == BLOSSOM_NONE)
			return;
		struct blossom_edge up = b->node[b->top[old]].via;
		u = up.u;
		v = up.v;
	}
}

/* Follows an edge without slack from outer u.  True: the matching grew. */
static bool follow(struct matching *m, int u, int v)
{
	struct blossoms *b = &m->b;
	int x = b->top[v];
	struct blossom_node *node = &b->node[x];

	if (node->label == BLOSSOM_OUTER) {
		blossom_shrink(b, (struct blossom_edge){ u, v });
	} else if (node->label == BLOSSOM_FREE) {
		int mate = b->mate[node->base];

		if (mate == BLOSSOM_NONE) {
			augment(m, u, v);
			return true;
		}
		node->via = (struct blossom_edge){ u, v };
		blossom_label(b, x, BLOSSOM_INNER);
		blossom_label(b, b->top[mate], BLOSSOM_OUTER);
	}
	return false;
}

/* Follows all edges without slack.  True: the matching grew. */
static bool grow(struct matching *m)
{
	struct blossoms *b = &m->b;

	while (b->head < b->tail) {
		int u = b->queue[b->head++];

		for (int v = 0; v < m->n; v++)
			if (b->top[v] != b->top[u] && slack(m, u, v) == 0 && follow(m, u, v))
				return true;
	}
	return false;
}

/* By how much the duals can change before an edge of the tree loses its slack, or an inner
 * blossom its dual; MATCHING_NO when nothing limits it. */
static int step(const struct matching *m)
{
	const struct blossoms *b = &m->b;
	int least = MATCHING_NO;

	for (int u = 0; u < m->n; u++) {
		if (b->node[b->top[u]].label != BLOSSOM_OUTER)
			continue;
		for (int v = 0; v < m->n; v++) {
			enum blossom_label label = b->node[b->top[v]].label;

			if (b->top[u] == b->top[v] || label == BLOSSOM_INNER ||
			    *cost_at(m, u, v) == MATCHING_NO)
				continue;
			int s = label == BLOSSOM_OUTER ? slack(m, u, v) / 2 : slack(m, u, v);
			if (s < least)
				least = s;
		}
	}
	for (int x = m->n; x < b->cap; x++)
		if (b->node[x].n && b->node[x].parent == BLOSSOM_NONE &&
		    b->node[x].label == BLOSSOM_INNER && b->node[x].dual / 2 < least)
			least = b->node[x].dual / 2;
	return least;
}

static void change_duals(struct matching *m, int by)
{
	static const int sign[] = { 0, -1, 1 };
	struct blossoms *b = &m->b;

	for (int v = 0; v < m->n; v++)
		b->node[v].dual += sign[b->node[b->top[v]].label] * by;
	for (int x = m->n; x < b->cap; x++)
		if (b->node[x].n && b->node[x].parent == BLOSSOM_NONE)
			b->node[x].dual -= 2 * sign[b->node[x].label] * by;
}

/* Takes inner blossoms apart that have lost their duals, and queues all outer vertices. */
static void look_again(struct matching *m)
{
	struct blossoms *b = &m->b;

	for (int x = m->n; x < b->cap; x++)
		if (b->node[x].n && b->node[x].parent == BLOSSOM_NONE &&
		    b->node[x].label == BLOSSOM_INNER && b->node[x].dual == 0)
			blossom_expand(b, x);
	b->head = b->tail = 0;
	for (int v = 0; v < m->n; v++)
		if (b->node[b->top[v]].label == BLOSSOM_OUTER)
			b->queue[b->tail++] = v;
}

/* Gives the root a partner.  *bound is twice the least that any matching can cost; it grows.
 * False: that is not possible, or costs more than most. */
static bool match_root(struct matching *m, int root, int most, int *bound)
{
	struct blossoms *b = &m->b;

	for (int x = 0; x < b->cap; x++)
		b->node[x].label = BLOSSOM_FREE;
	b->head = b->tail = 0;
	blossom_label(b, b->top[root], BLOSSOM_OUTER);
	while (!grow(m)) {
		int by = step(m);

		if (by == MATCHING_NO || (*bound += by) > 2 * most)
			return false;
		change_duals(m, by);
		look_again(m);
	}
	return true;
}

/* Leaves those pairs alone whose edges have no slack.  Returns the bound. */
static int unmatch_slack(struct matching *m)
{
	int bound = 0;

	for (int u = 0; u < m->n; u++) {
		int v = m->b.mate[u];

		bound -= m->b.node[u].dual;
		if (v != BLOSSOM_NONE && slack(m, u, v) != 0)
			m->b.mate[u] = m->b.mate[v] = BLOSSOM_NONE;
	}
	return bound;
}

static void keep(struct matching *m)
{
	for (int v = 0; v < m->n; v++) {
		m->kept[2 * v] = m->b.node[v].dual;
		m->kept[2 * v + 1] = m->b.mate[v];
	}
}

static void put_back(struct matching *m)
{
	for (int v = 0; v < m->n; v++) {
		m->b.node[v].dual = m->kept[2 * v];
		m->b.mate[v] = m->kept[2 * v + 1];
	}
}

static int total(const struct matching *m)
{
	int cost = 0;

	for (int u = 0; u < m->n; u++)
		cost += m->b.mate[u] > u ? *cost_at(m, u, m->b.mate[u]) : 0;
	return cost;
}

int matching_find(struct matching *m, int most)
{
	keep(m);
	int bound = unmatch_slack(m);
	bool found = bound <= 2 * most;
	for (int u = 0; found && u < m->n; u++)
		if (m->b.mate[u] == BLOSSOM_NONE)
			found = match_root(m, u, most, &bound);
	blossom_dissolve(&m->b);
	if (!found) {
		put_back(m);
		return MATCHING_NO;
	}
	return total(m);
}

bool matching_narrow(struct matching *m, int u, const bool *allowed, int most)
{
	size_t n = (size_t)m->n;
	bool fits = allowed[m->b.mate[u]];

	memcpy(m->row, cost_at(m, u, 0), n * sizeof *m->row);
	for (int v = 0; v < m->n; v++)
		if (!allowed[v])
			matching_cost(m, u, v, MATCHING_NO);
	/* Costs that were raised leave the duals valid, and so does putting them back. */
	if (fits || matching_find(m, most) != MATCHING_NO)
		return true;
	for (int v = 0; v < m->n; v++)
		matching_cost(m, u, v, m->row[v]);
	return false;
}
