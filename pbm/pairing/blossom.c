#include "pbm/pairing/blossom.h"

void blossom_init(struct blossoms *b, int n, struct arena *a)
{
	size_t vertices = (size_t)n;

	/* Sets that lie in each other, each with three or more members, are fewer than n / 2. */
	b->n = n;
	b->cap = n + n / 2 + 1;
	b->mate = arena_alloc(a, vertices * sizeof *b->mate);
	b->top = arena_alloc(a, vertices * sizeof *b->top);
	b->queue = arena_alloc(a, vertices * sizeof *b->queue);
	b->node = arena_alloc(a, (size_t)b->cap * sizeof *b->node);
	for (int x = 0; x < b->cap; x++) {
		struct blossom_node *node = &b->node[x];

		node->parent = BLOSSOM_NONE;
		if (x < n) {
			node->base = b->top[x] = x;
			b->mate[x] = BLOSSOM_NONE;
		} else {
			node->child = arena_alloc(a, vertices * sizeof *node->child);
			node->cycle = arena_alloc(a, vertices * sizeof *node->cycle);
		}
	}
}

/* The node directly inside of a blossom that has x in it. */
static int child_with(const struct blossoms *b, int blossom, int x)
{
	while (b->node[x].parent != blossom)
		x = b->node[x].parent;
	return x;
}

static int child_index(const struct blossoms *b, int blossom, int vertex)
{
	const struct blossom_node *node = &b->node[blossom];
	int child = child_with(b, blossom, vertex), i = 0;

	while (node->child[i] != child)
		i++;
	return i;
}

void blossom_label(struct blossoms *b, int node, enum blossom_label label)
{
	b->node[node].label = label;
	for (int v = 0; label == BLOSSOM_OUTER && v < b->n; v++)
		if (b->top[v] == node)
			b->queue[b->tail++] = v;
}

/* The inner node between an outer one and the outer one above it. */
static int inner_above(const struct blossoms *b, int node)
{
	int mate = b->mate[b->node[node].base];

	return mate == BLOSSOM_NONE ? BLOSSOM_NONE : b->top[mate];
}

/* The outer node above this one, which is outer, in the tree; BLOSSOM_NONE: it is the root. */
static int blossom_above(const struct blossoms *b, int node)
{
	int inner = inner_above(b, node);

	return inner == BLOSSOM_NONE ? BLOSSOM_NONE : b->top[b->node[inner].via.u];
}

static int depth(const struct blossoms *b, int node)
{
	int n = 0;

	while ((node = blossom_above(b, node)) != BLOSSOM_NONE)
		n++;
	return n;
}

static int meeting_node(const struct blossoms *b, int x, int y)
{
	int x_depth = depth(b, x), y_depth = depth(b, y);

	for (; x_depth > y_depth; x_depth--)
		x = blossom_above(b, x);
	for (; y_depth > x_depth; y_depth--)
		y = blossom_above(b, y);
	while (x != y) {
		x = blossom_above(b, x);
		y = blossom_above(b, y);
	}
	return x;
}

static struct blossom_edge turned(struct blossom_edge e)
{
	return (struct blossom_edge){ e.v, e.u };
}

/* Adds the nodes from x up to, without, the top one, and the edges that lead up from them. */
static void add_path(const struct blossoms *b, struct blossom_node *to, int x, int top)
{
	while (x != top) {
		int base = b->node[x].base, inner = inner_above(b, x);

		to->child[to->n] = x;
		to->cycle[to->n++] = (struct blossom_edge){ base, b->mate[base] };
		to->child[to->n] = inner;
		to->cycle[to->n++] = turned(b->node[inner].via);
		x = blossom_above(b, x);
	}
}

/* Turns the path that leads up to the top node into one that comes down from it and ends
 * with edge e. */
static void turn_path(struct blossom_node *path, int top, struct blossom_edge e)
{
	int n = path->n++;

	path->child[n] = top;
	for (int i = 0, j = n; i < j; i++, j--) {
		int child = path->child[i];

		path->child[i] = path->child[j];
		path->child[j] = child;
	}
	for (int i = 0, j = n - 1; i <= j; i++, j--) {
		struct blossom_edge edge = turned(path->cycle[i]);

		path->cycle[i] = turned(path->cycle[j]);
		path->cycle[j] = edge;
	}
	path->cycle[n] = e;
}

static int unused_node(const struct blossoms *b)
{
	int x = b->n;

	while (b->node[x].n)
		x++;
	return x;
}

void blossom_shrink(struct blossoms *b, struct blossom_edge e)
{
	int x = unused_node(b), top = meeting_node(b, b->top[e.u], b->top[e.v]);
	struct blossom_node *node = &b->node[x];

	add_path(b, node, b->top[e.u], top);
	turn_path(node, top, e);
	add_path(b, node, b->top[e.v], top);
	node->label = BLOSSOM_OUTER;
	node->parent = BLOSSOM_NONE;
	node->base = b->node[top].base;
	node->dual = 0;
	for (int i = 0; i < node->n; i++)
		b->node[node->child[i]].parent = x;
	for (int v = 0; v < b->n; v++) {
		if (b->node[b->top[v]].parent != x)
			continue;
		if (b->node[b->top[v]].label == BLOSSOM_INNER)
			b->queue[b->tail++] = v;
		b->top[v] = x;
	}
}

/* One step on the even way around the cycle from child i to child 0: the next child, and the
 * edge to it. */
static int step_to_base(const struct blossom_node *node, int i, int forward, struct blossom_edge *e)
{
	int next = forward ? (i + 1) % node->n : i - 1;

	*e = forward ? node->cycle[i] : turned(node->cycle[next]);
	return next;
}

void blossom_expand(struct blossoms *b, int x)
{
	struct blossom_node *node = &b->node[x];
	int i = child_index(b, x, node->via.v), forward = i % 2;
	struct blossom_edge e;

	for (int v = 0; v < b->n; v++)
		if (b->top[v] == x)
			b->top[v] = child_with(b, x, v);
	for (int k = 0; k < node->n; k++) {
		b->node[node->child[k]].parent = BLOSSOM_NONE;
		b->node[node->child[k]].label = BLOSSOM_FREE;
	}
	b->node[node->child[i]].via = node->via;
	blossom_label(b, node->child[i], BLOSSOM_INNER);
	while (i) {
		i = step_to_base(node, i, forward, &e);
		blossom_label(b, node->child[i], BLOSSOM_OUTER);
		i = step_to_base(node, i, forward, &e);
		b->node[node->child[i]].via = e;
		blossom_label(b, node->child[i], BLOSSOM_INNER);
	}
	node->n = 0;
}

static void rotate(struct blossom_node *node, int by)
{
	for (; by; by--) {
		int child = node->child[0];
		struct blossom_edge e = node->cycle[0];

		for (int i = 1; i < node->n; i++) {
			node->child[i - 1] = node->child[i];
			node->cycle[i - 1] = node->cycle[i];
		}
		node->child[node->n - 1] = child;
		node->cycle[node->n - 1] = e;
	}
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as blossoms lie in each other, less than n / 2 */
void blossom_rebase(struct blossoms *b, int x, int vertex)
{
	struct blossom_node *node = &b->node[x];

	if (x < b->n)
		return;
	int first = child_index(b, x, vertex), forward = first % 2;
	blossom_rebase(b, node->child[first], vertex);
	for (int i = first; i;) {
		struct blossom_edge e;
		int from = i = step_to_base(node, i, forward, &e);

		i = step_to_base(node, i, forward, &e);
		blossom_rebase(b, node->child[from], e.u);
		blossom_rebase(b, node->child[i], e.v);
		b->mate[e.u] = e.v;
		b->mate[e.v] = e.u;
	}
	rotate(node, first);
	node->base = vertex;
}

void blossom_dissolve(struct blossoms *b)
{
	for (int v = 0; v < b->n; v++) {
		for (int x = b->node[v].parent; x != BLOSSOM_NONE; x = b->node[x].parent)
			b->node[v].dual += b->node[x].dual / 2;
		b->node[v].parent = BLOSSOM_NONE;
		b->top[v] = v;
	}
	for (int x = b->n; x < b->cap; x++) {
		b->node[x].parent = BLOSSOM_NONE;
		b->node[x].n = 0;
	}
}
