#include "pbm/record/ahead_tree.h"

#include <string.h>

#include "games/notation/notation.h"
#include "pbm/record/ahead_tree_line.h"

static bool same_when(const struct ahead_tree_node *a, const struct ahead_tree_node *b)
{
	if (a->when != b->when)
		return false;
	if (a->when == WHEN_CAPTURE_ON)
		return a->square == b->square;
	return a->when != WHEN_TURN || strcmp(a->theirs, b->theirs) == 0;
}

static bool same_then(const struct ahead_tree_node *a, const struct ahead_tree_node *b)
{
	return a->then == b->then && a->draw == b->draw &&
	       (a->then != THEN_TURN || strcmp(a->mine, b->mine) == 0);
}

/* Puts n after the alternatives that are tried before it. */
static void insert(struct ahead_tree_node **at, struct ahead_tree_node *n)
{
	while (*at && (*at)->when <= n->when)
		at = &(*at)->next;
	n->next = *at;
	*at = n;
}

/* Merges the line into the tree. */
static void merge(struct ahead_tree *t, const struct ahead_tree_line *line, struct str *replaced)
{
	struct ahead_tree_node **at = &t->first;

	for (size_t i = 0; i < line->n; i++) {
		const struct ahead_tree_node *v = &line->v[i];
		struct ahead_tree_node *n = *at;

		while (n && !same_when(n, v))
			n = n->next;
		if (!n) {
			n = arena_alloc(t->arena, sizeof *n);
			*n = *v;
			insert(at, n);
		} else if (!same_then(n, v)) {
			if (replaced) {
				str_clear(replaced);
				ahead_tree_write_answer(n, replaced);
			}
			n->then = v->then;
			n->mine = v->mine;
			n->draw = v->draw;
			n->first = NULL;
		}
		at = &n->first;
	}
}

static size_t count_nodes(const struct ahead_tree_node *n)
{
	size_t count = 0;

	for (; n; n = n->next)
		count += 1 + count_nodes(n->first);
	return count;
}

static struct ahead_tree_node *copy_nodes(struct arena *a, const struct ahead_tree_node *n)
{
	struct ahead_tree_node *first = NULL, **end = &first;

	for (; n; n = n->next) {
		*end = arena_alloc(a, sizeof **end);
		**end = *n;
		(*end)->next = NULL;
		(*end)->first = copy_nodes(a, n->first);
		end = &(*end)->next;
	}
	return first;
}

static int check_size(const struct ahead_tree *t, struct err *e)
{
	AUTO(str_release) struct str s = str_heap(GAME_AHEAD_MAX + 1);

	if (count_nodes(t->first) > AHEAD_TREE_NODES)
		return err_set(e, ERR_LIMIT, "On one board %d moves ahead are possible.",
		               AHEAD_TREE_NODES);
	ahead_tree_write(t, &s);
	bool fits = !s.truncated && s.len <= GAME_AHEAD_MAX;
	return fits ? 0
	            : err_set(e, ERR_LIMIT,
	                      "All lines of moves ahead on one board may have %d letters.",
	                      GAME_AHEAD_MAX);
}

int ahead_tree_add(struct ahead_tree *t, const struct game *g, const struct pos *root,
                   const char *text, struct str *replaced, struct err *e)
{
	struct ahead_tree_line line;
	struct ahead_tree grown = { .arena = t->arena };
	int rc = ahead_tree_line_read(t->arena, text, &line, e);

	if (rc == 0)
		rc = ahead_tree_line_check(t->arena, &line, g, root, e);
	if (rc < 0)
		return rc;
	grown.first = copy_nodes(t->arena, t->first);
	merge(&grown, &line, replaced);
	rc = check_size(&grown, e);
	if (rc == 0)
		*t = grown;
	return rc;
}

/* The effects of a turn that branches ask about. */
struct deed {
	char uci[64];
	bool captures, checks;
	uint8_t squares[2];
};

static void see_deed(const struct game *g, const struct pos *before, const struct move *mv,
                     struct deed *out)
{
	struct str s = STR_FIXED(out->uci);
	struct effects fx = { .captured.type = NO_PIECE };
	struct pos after = *before;

	game_write_uci(g, before, mv, &s);
	game_apply(g, &after, mv, &fx);
	out->captures = fx.captured.type != NO_PIECE;
	out->squares[0] = fx.captured.square;
	out->squares[1] = mv->to;
	out->checks = game_in_check(g, &after);
}

static bool is_turn(const struct game *g, const struct pos *before, const char *text,
                    const char *uci)
{
	struct str s = STR_LOCAL(64);
	struct move mv;

	if (game_read_move(g, before, text, strlen(text), &mv, NULL, NULL) < 0)
		return false;
	game_write_uci(g, before, &mv, &s);
	return strcmp(s.data, uci) == 0;
}

static bool fits(const struct ahead_tree_node *n, const struct game *g, const struct pos *before,
                 const struct deed *d)
{
	switch (n->when) {
	case WHEN_TURN: return is_turn(g, before, n->theirs, d->uci);
	case WHEN_CAPTURE_ON:
		return d->captures && (d->squares[0] == n->square || d->squares[1] == n->square);
	case WHEN_CAPTURE: return d->captures;
	case WHEN_CHECK: return d->checks;
	case WHEN_ANY: return true;
	}
	return false;
}

const struct ahead_tree_node *ahead_tree_find(const struct ahead_tree *t, const struct game *g,
                                              const struct pos *before, const struct move *mv)
{
	struct deed d = { 0 };

	see_deed(g, before, mv, &d);
	for (const struct ahead_tree_node *n = t->first; n; n = n->next)
		if (fits(n, g, before, &d))
			return n;
	return NULL;
}

static bool forget_row(struct ahead_tree_node **at, size_t *n)
{
	for (; *at; at = &(*at)->next) {
		if (--*n == 0) {
			*at = (*at)->next;
			return true;
		}
		if (forget_row(&(*at)->first, n))
			return true;
		if (*n == 0)
			return false;
	}
	return false;
}

bool ahead_tree_forget(struct ahead_tree *t, size_t n)
{
	return n > 0 && forget_row(&t->first, &n);
}

void ahead_tree_write_answer(const struct ahead_tree_node *n, struct str *out)
{
	static const char *const words[] = {
		[THEN_RESIGN] = "resign", [THEN_DRAW] = "draw", [THEN_ACCEPT] = "accept draw"
	};

	if (n->then == THEN_TURN)
		str_addf(out, "%s%s", n->mine, n->draw ? " draw" : "");
	else
		str_add(out, words[n->then]);
}

static void write_branch(const struct ahead_tree_node *n, struct str *out)
{
	static const char *const words[] = {
		[WHEN_CAPTURE] = "any capture", [WHEN_CHECK] = "check", [WHEN_ANY] = "*"
	};

	str_add(out, "if ");
	if (n->when == WHEN_TURN)
		str_add(out, n->theirs);
	else if (n->when == WHEN_CAPTURE_ON)
		str_addf(out, "capture on %c%d", 'a' + n->square % 8, n->square / 8 + 1);
	else
		str_add(out, words[n->when]);
	str_add(out, " then ");
	ahead_tree_write_answer(n, out);
}

static void write_ways(const struct ahead_tree_node *n, const struct ahead_tree_node **path,
                       size_t depth, struct str *out)
{
	for (; n && depth < AHEAD_TREE_DEPTH; n = n->next) {
		path[depth] = n;
		if (n->first) {
			write_ways(n->first, path, depth + 1, out);
			continue;
		}
		for (size_t i = 0; i <= depth; i++) {
			str_add(out, i ? " " : out->len ? "\n" : "");
			write_branch(path[i], out);
		}
	}
}

void ahead_tree_write(const struct ahead_tree *t, struct str *out)
{
	const struct ahead_tree_node *path[AHEAD_TREE_DEPTH];

	write_ways(t->first, path, 0, out);
}

int ahead_tree_read(struct ahead_tree *t, const char *text, struct err *e)
{
	size_t n = 0;

	while (*text && n++ <= AHEAD_TREE_NODES) {
		size_t len = strcspn(text, "\n");
		struct ahead_tree_line line;

		if (ahead_tree_line_read(t->arena, arena_strndup(t->arena, text, len), &line, e) <
		    0)
			return e ? (e->code = ERR_DAMAGED) : ERR_DAMAGED;
		merge(t, &line, NULL);
		text += len + (text[len] == '\n');
	}
	return 0;
}

#define INDENT 2
#define INDENT_MAX 20

static void print_rows(const struct ahead_tree_node *n, int indent, int *row, struct str *out)
{
	for (; n; n = n->next) {
		str_addf(out, "%3d. %*s", ++*row, indent, "");
		write_branch(n, out);
		str_add_char(out, '\n');
		print_rows(n->first, indent + (indent < INDENT_MAX ? INDENT : 0), row, out);
	}
}

void ahead_tree_print(const struct ahead_tree *t, struct str *out)
{
	int row = 0;

	print_rows(t->first, 0, &row, out);
}
