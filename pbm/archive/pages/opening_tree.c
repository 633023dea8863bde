#include "pbm/archive/pages/opening_tree.h"

#include <string.h>

#include "pbm/archive/pages/list_name.h"
#include "pbm/record/opening_name.h"
#include "store/document/opening.h"
#include "store/store_tallies.h"

#define NAMED 3 /* plies of all openings with names; replaying all would cost too much */

/* The turns that a branch shows after so many plies. */
static const size_t widths[OPENING_PLIES] = { 12, 5, 3, 2, 6, 4, 3, 2, 2, 1, 1, 1 };

/* The turns that followed a line of the tree. */
struct branch {
	struct site *site;
	struct arena *a;
	const char *game, *line; /* "e3 b5", or "" */
	int ply;                 /* how many plies the line has */
	int named;               /* plies up to which openings have names here */
	struct opening_line at;
	json_t *children;
	struct err *e;
	int rc;
};

/* Writes down a turn, and makes *next the branch after it. */
static json_t *add_turn(struct branch *b, const struct games_tally *t, struct branch *next)
{
	const char *line = arena_printf(b->a, "%s%s%s", b->line, *b->line ? " " : "", t->key);
	const char *number = b->ply % 2 == 0 ? "" : "…";
	bool listed = b->ply < OPENING_LISTED;
	struct opening_name name = { 0 };

	*next = *b;
	next->line = line;
	next->ply++;
	next->children = json_array();
	if (b->ply < b->named)
		opening_line_play(&next->at, t->key, strlen(t->key), &name);
	json_t *o = json_pack("{s:I, s:I, s:I, s:I, s:s, s:s?, s:s, s:o}", "n", (json_int_t)t->n,
	                      "won", (json_int_t)t->won, "lost", (json_int_t)t->lost, "drawn",
	                      (json_int_t)t->drawn, "name", name.text, "folder",
	                      listed ? list_opening_folder(b->a, b->game, line) : NULL, "turn",
	                      arena_printf(b->a, "%d. %s%s", b->ply / 2 + 1, number, t->key),
	                      "children", next->children);
	json_array_append_new(b->children, o);
	return o;
}

static void end_turn(json_t *turn)
{
	bool any = json_array_size(json_object_get(turn, "children")) > 0;

	json_object_set_new(turn, "any", json_boolean(any));
}

static int grow(struct branch *b);

static int add_tally(const struct games_tally *t, void *arg)
{
	struct branch *b = arg, next;
	json_t *turn = add_turn(b, t, &next);

	/* The end of a single game is on its page. */
	if (t->n > 1)
		b->rc = grow(&next);
	end_turn(turn);
	return b->rc < 0;
}

/* The plies up to OPENING_LISTED, from the tallies. */
static int grow(struct branch *b)
{
	if (b->ply >= OPENING_LISTED)
		return 0;
	int rc = store_tallies(
		b->site->store,
		arena_printf(b->a, "opening:%s%s%s", b->game, *b->line ? " " : "", b->line),
		widths[b->ply], add_tally, b, b->e);
	return rc < 0 ? rc : b->rc;
}

/* The plies after them, from the games. */
static void grow_deep(struct branch *b, struct opening_games *games)
{
	struct opening_branch *turns;
	size_t n = store_opening_branches(b->a, games, &turns);

	for (size_t i = 0; i < n && i < widths[b->ply]; i++) {
		struct branch next;
		json_t *turn = add_turn(b, &turns[i].tally, &next);

		if (turns[i].tally.n > 1 && next.ply < OPENING_PLIES)
			grow_deep(&next, &turns[i].games);
		end_turn(turn);
	}
}

json_t *opening_tree(struct site *site, struct arena *a, const char *game, const char *turns,
                     int *rc, struct err *e)
{
	struct branch b = { .site = site,
		            .a = a,
		            .game = game,
		            .line = turns,
		            .named = *turns ? OPENING_PLIES : NAMED,
		            .at = opening_line_start(game),
		            .children = json_array(),
		            .e = e };
	struct opening_games games;
	size_t counted;

	for (const char *turn = turns; *turn; turn += strspn(turn, " ")) {
		size_t n = strcspn(turn, " ");

		opening_line_play(&b.at, turn, n, &(struct opening_name){ 0 });
		turn += n;
		b.ply++;
	}
	if (b.ply < OPENING_LISTED) {
		*rc = grow(&b);
	} else {
		*rc = store_opening_games(site->store, a, game, turns, &games, &counted, e);
		if (*rc == 0)
			grow_deep(&b, &games);
	}
	return b.children;
}
