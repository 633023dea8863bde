#include "pbm/archive/pages/player_page.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/archive/pages/list_name.h"
#include "pbm/base/str.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"
#include "store/store_tallies.h"

#define KINDS_MAX 100
#define OPPONENTS 10
#define OPENINGS 8
#define GRAPH_POINTS 100
#define GRAPHS 4        /* of the kinds played most */
#define GRAPH_MAX 16384 /* bytes */
#define SETTLED 11000   /* a deviation below this, in hundredths */

const char *player_page_userid(struct site *site, struct arena *a, const char *key)
{
	const char *found = NULL;

	/* store_player_like() also finds a name that only looks like this one. */
	if (store_player_like(site->store, a, key, &found, NULL) == 1 &&
	    strcasecmp(found, key) == 0)
		return found;
	return key;
}

/* Lists under construction. */
struct player_page {
	struct site *site;
	struct arena arena;
	const char *key;
	struct games_tally all;
	json_t *list;
	struct err *e;
	int rc;
};

static json_t *numbers(const struct games_tally *t)
{
	return json_pack("{s:I, s:b, s:I, s:I, s:I}", "n", (json_int_t)t->n, "one", t->n == 1,
	                 "won", (json_int_t)t->won, "lost", (json_int_t)t->lost, "drawn",
	                 (json_int_t)t->drawn);
}

static int add_record(const struct games_tally *t, void *arg)
{
	struct player_page *p = arg;
	struct rating_row r;
	json_t *o = numbers(t);

	p->all.n += t->n;
	p->all.won += t->won;
	p->all.lost += t->lost;
	p->all.drawn += t->drawn;
	json_object_update_new(
		o, json_pack("{s:s, s:s}", "game", t->key, "title", rules_title(t->key)));
	int found = store_rating(p->site->store, p->key, t->key, &r, p->e);
	if (found == 1)
		json_object_update_new(o, json_pack("{s:I, s:b}", "rating",
		                                    (json_int_t)((r.rating + 50) / 100),
		                                    "provisional", r.deviation >= SETTLED));
	json_array_append_new(p->list, o);
	p->rc = found < 0 ? found : 0;
	return found < 0;
}

static int add_opponent(const struct games_tally *t, void *arg)
{
	struct player_page *p = arg;
	json_t *o = numbers(t);

	json_object_update_new(o, json_pack("{s:s, s:s}", "key", t->key, "userid",
	                                    player_page_userid(p->site, &p->arena, t->key)));
	json_array_append_new(p->list, o);
	return 0;
}

/* The key is "suicide e3 b5". */
static int add_opening(const struct games_tally *t, void *arg)
{
	struct player_page *p = arg;
	size_t word = strcspn(t->key, " ");
	const char *game = arena_strndup(&p->arena, t->key, word);
	const char *opening = t->key + word + (t->key[word] == ' ');
	json_t *o = numbers(t);

	json_object_update_new(o, json_pack("{s:s, s:s, s:s}", "title", rules_title(game), "turns",
	                                    list_turns(&p->arena, opening), "folder",
	                                    list_opening_folder(&p->arena, game, opening)));
	json_array_append_new(p->list, o);
	return 0;
}

struct points {
	size_t n;
	int64_t v[GRAPH_POINTS];
};

/* The rows come newest first. */
static int add_point(const struct past_rating *r, void *arg)
{
	struct points *points = arg;

	points->v[GRAPH_POINTS - ++points->n] = (r->rating + 50) / 100;
	return 0;
}

#define WIDTH 600
#define HEIGHT 160
#define LEFT 44 /* room for the numbers */
#define EDGE 8
#define LINES 6 /* at most, at round numbers */

struct scale {
	int64_t low, high, step; /* low and high are multiples of step */
};

static struct scale scale_of(const int64_t *v, size_t n)
{
	static const int64_t steps[] = { 10, 20, 50, 100, 200, 500, 1000 };
	struct scale s = { v[0], v[0], 0 };
	size_t i = 0;

	for (size_t k = 1; k < n; k++) {
		s.low = v[k] < s.low ? v[k] : s.low;
		s.high = v[k] > s.high ? v[k] : s.high;
	}
	while (i + 1 < sizeof steps / sizeof *steps && (s.high - s.low) / steps[i] >= LINES - 1)
		i++;
	s.step = steps[i];
	s.low -= (s.low % s.step + s.step) % s.step;
	s.high += s.step - (s.high % s.step + s.step) % s.step;
	return s;
}

static int64_t height_of(const struct scale *s, int64_t rating)
{
	return HEIGHT - EDGE - (rating - s->low) * (HEIGHT - 2 * EDGE) / (s->high - s->low);
}

/* Appends an inline <svg> of ratings (in points, the oldest first, at least two): a line, and
 * lines at round numbers.  label: the same in words, which need no escape in HTML. */
static void rating_graph(const int64_t *ratings, size_t n, const char *label, struct str *out)
{
	struct scale s = scale_of(ratings, n);
	size_t steps = n > 1 ? n - 1 : 1;

	str_addf(out, "<svg class=\"graph\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
	         WIDTH, HEIGHT, label);
	for (int64_t at = s.low; at <= s.high; at += s.step) {
		int64_t y = height_of(&s, at);

		str_addf(out,
		         "<path class=\"grid\" d=\"M%d %" PRId64
		         "H%d\"/><text x=\"%d\" y=\"%" PRId64 "\">%" PRId64 "</text>",
		         LEFT, y, WIDTH - EDGE, LEFT - EDGE, y + 4, at);
	}
	str_add(out, "<polyline points=\"");
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%zu,%" PRId64, i ? " " : "",
		         LEFT + i * (WIDTH - LEFT - EDGE) / steps, height_of(&s, ratings[i]));
	str_add(out, "\"/></svg>");
}

static json_t *graph_of(struct player_page *p, const char *game, const struct points *points)
{
	const int64_t *v = points->v + GRAPH_POINTS - points->n;
	int64_t low = v[0], high = v[0];
	AUTO(str_release) struct str s = str_heap(GRAPH_MAX);

	for (size_t i = 1; i < points->n; i++) {
		low = v[i] < low ? v[i] : low;
		high = v[i] > high ? v[i] : high;
	}
	rating_graph(v, points->n,
	             arena_printf(&p->arena,
	                          "Rating in %s over the last %zu rated games: from %" PRId64
	                          " to %" PRId64 ", lowest %" PRId64 ", highest %" PRId64 ".",
	                          rules_title(game), points->n, v[0], v[points->n - 1], low, high),
	             &s);
	return json_pack("{s:s, s:I, s:s#}", "title", rules_title(game), "n", (json_int_t)points->n,
	                 "svg", s.data, s.len);
}

static int add_graphs(struct player_page *p, const json_t *record, json_t *graphs)
{
	size_t i;
	json_t *kind;
	int rc = 0;

	json_array_foreach(record, i, kind) {
		if (json_array_size(graphs) >= GRAPHS)
			break;
		const char *game = json_string_value(json_object_get(kind, "game"));
		struct points points = { .n = 0 };

		if (!json_object_get(kind, "rating"))
			continue;
		rc = store_rated(p->site->store, p->key, game, GRAPH_POINTS, add_point, &points,
		                 p->e);
		if (rc < 0)
			break;
		if (points.n > 2)
			json_array_append_new(graphs, graph_of(p, game, &points));
	}
	return rc;
}

int player_page_add(struct site *site, const char *key, json_t *c, struct err *e)
{
	static const struct {
		const char *name, *list;
		size_t limit;
		tally_fn *fn;
	} parts[] = {
		{ "record", "record", KINDS_MAX, add_record },
		{ "opponents", "opponents", OPPONENTS, add_opponent },
		{ "as_white", "white", OPENINGS, add_opening },
		{ "as_black", "black", OPENINGS, add_opening },
	};
	struct player_page p = { .site = site, .key = key, .e = e };
	json_t *graphs = json_array();
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof parts / sizeof *parts; i++) {
		p.list = json_array();
		json_object_set_new(c, parts[i].name, p.list);
		rc = store_tallies(site->store, arena_printf(&p.arena, "%s:%s", parts[i].list, key),
		                   parts[i].limit, parts[i].fn, &p, e);
		rc = rc < 0 ? rc : p.rc;
	}
	if (rc == 0)
		rc = add_graphs(&p, json_object_get(c, "record"), graphs);
	json_object_update_new(
		c, json_pack("{s:o, s:o, s:b, s:b, s:b}", "graphs", graphs, "all", numbers(&p.all),
	                     "several", json_array_size(json_object_get(c, "record")) > 1,
	                     "any_opening",
	                     json_array_size(json_object_get(c, "as_white")) ||
	                             json_array_size(json_object_get(c, "as_black")),
	                     "any_opponent", json_array_size(json_object_get(c, "opponents")) > 0));
	arena_release(&p.arena);
	return rc;
}
