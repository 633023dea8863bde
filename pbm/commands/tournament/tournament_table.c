#include "pbm/commands/tournament/tournament_table.h"

#include "pbm/tournament/tournament_bracket.h"
#include "pbm/tournament/tournament_words.h"

#define TABLE_ALL 40 /* lines up to which a table is always whole */
#define TABLE_TOP 20
#define TABLE_AROUND 3    /* lines above and below the reader */
#define CELLS_MAX 9       /* the newest rounds */
#define CROSS_MAX 24      /* players of a crosstable */
#define CROSS_WIDE 12     /* ... with wide columns */
#define LINE_WIDTH_MAX 72 /* of the columns of a crosstable */
#define NAME_WIDTH 16

/* ---- the table ---- */

struct tournament_table {
	const struct tournament_doc *t;
	const struct pairing_row *rows;
	struct arena *a;
	bool cross; /* a column for each opponent */
	int from;   /* the first round shown */
};

static size_t count(const struct tournament_table *b)
{
	return (size_t)tournament_unit_count(b->t);
}

static void pad(struct str *s, size_t from, size_t width)
{
	while (s->len < from + width)
		str_add_char(s, ' ');
}

static const char *trimmed(struct arena *a, struct str *s)
{
	while (s->len && s->data[s->len - 1] == ' ')
		s->data[--s->len] = '\0';
	return arena_strdup(a, s->data);
}

/* The width of a unit's marks in its pairings with another one: "2.5/1" or "1=0=". */
static int marks_width(const struct tournament_doc *t)
{
	int pairings = t->kind == TOURNAMENT_DOUBLE ? 2 : 1;

	return t->by_teams ? 5 * pairings - 1 : pairings * tournament_boards(t);
}

/* Two blanks if there is room: then the columns are those of a table in HTML, too. */
static int cross_width(const struct tournament_table *b)
{
	return marks_width(b->t) + (count(b) <= CROSS_WIDE ? 2 : 1);
}

static int cell_width(const struct tournament_table *b)
{
	int marks = b->t->by_teams ? 4 : tournament_boards(b->t);

	return marks + (count(b) < 100 ? 5 : 6); /* "12w1", "112w1", "12w2.5." */
}

static void write_cross(const struct tournament_table *b, int unit, struct str *s)
{
	for (size_t line = 0; line < count(b); line++) {
		int other = b->rows[line].entry + 1;
		size_t from = s->len;
		struct tournament_pairing p;

		if (other == unit)
			str_add_char(s, 'x');
		for (size_t at = 0; tournament_next_pairing(b->t, 0, &at, &p);) {
			if (!(p.white == unit && p.black == other) &&
			    !(p.white == other && p.black == unit))
				continue;
			if (b->t->by_teams && s->len > from)
				str_add_char(s, '/');
			tournament_write_pairing(b->t, &p, unit, s);
		}
		pad(s, from, (size_t)cross_width(b));
	}
}

static void write_rounds(const struct tournament_table *b, int unit, struct str *s)
{
	for (int round = b->from; round <= (int)b->t->round_count; round++) {
		size_t from = s->len;

		tournament_write_cell(b->t, b->rows, unit, round, s);
		pad(s, from, (size_t)cell_width(b));
	}
}

/* Writes points, and the numbers that rank those with equal points. */
static void write_scores(const struct tournament_table *b, const struct pairing_row *r,
                         struct str *s)
{
	size_t from = s->len;

	tournament_write_score(b->t, r->points, s);
	pad(s, from, 6);
	from = s->len;
	if (b->t->by_teams) {
		tournament_write_points(r->board_points, s);
		pad(s, from, 6);
		from = s->len;
	}
	if (b->t->kind == TOURNAMENT_SWISS) {
		tournament_write_score(b->t, r->buchholz_cut, s);
		pad(s, from, 6);
		from = s->len;
		tournament_write_score(b->t, r->buchholz, s);
		pad(s, from, 6);
		from = s->len;
	}
	if (b->t->kind == TOURNAMENT_KNOCKOUT)
		return;
	if (b->t->by_teams)
		str_addf(s, "%d", r->sonneborn_berger);
	else
		tournament_write_quarters(r->sonneborn_berger, s);
	pad(s, from, 7);
}

static const char *table_line(const struct tournament_table *b, size_t line)
{
	const struct pairing_row *r = &b->rows[line];
	int unit = r->entry + 1;
	struct str s = STR_LOCAL(1000);

	str_addf(&s, "%3zu  %-*.*s  %4d  ", line + 1, NAME_WIDTH, NAME_WIDTH,
	         tournament_unit_name(b->t, unit), tournament_unit_rating(b->t, unit));
	write_scores(b, r, &s);
	if (b->cross)
		write_cross(b, unit, &s);
	else if (!tournament_is_all_at_once(b->t))
		write_rounds(b, unit, &s);
	return trimmed(b->a, &s);
}

static const char *table_head(const struct tournament_table *b)
{
	struct str s = STR_LOCAL(1000);

	str_addf(&s, "  #  %-*s  Rat.  %s%s%s", NAME_WIDTH, b->t->by_teams ? "Team" : "Player",
	         b->t->by_teams ? "MP    BP    " : "Pts   ",
	         b->t->kind == TOURNAMENT_SWISS ? "BHc   BH    " : "",
	         b->t->kind != TOURNAMENT_KNOCKOUT ? "SB     " : "");
	for (size_t i = 0; b->cross && i < count(b); i++)
		str_addf(&s, "%-*zu", cross_width(b), (i + 1) % 10);
	for (int round = b->from; !b->cross && round <= (int)b->t->round_count; round++)
		str_addf(&s, "%-*d", cell_width(b), round);
	return trimmed(b->a, &s);
}

static bool has_left(const struct tournament_doc *t, int unit)
{
	return (t->by_teams ? t->teams[unit].standing : t->entries[unit].standing) ==
	       ENTRY_WITHDRAWN;
}

/* Does a reader whose own line is own (from 0) see the line? */
static bool is_shown(size_t line, size_t own, size_t n, bool whole)
{
	return whole || n <= TABLE_ALL || line < TABLE_TOP ||
	       (line + TABLE_AROUND >= own && line <= own + TABLE_AROUND);
}

/* Is there a crosstable?  One with a mark a game is always shown; one with more marks must fit. */
static bool has_cross(const struct tournament_doc *t)
{
	int n = tournament_unit_count(t);

	return tournament_is_all_at_once(t) && n <= CROSS_MAX &&
	       (tournament_boards(t) == 1 || n * (marks_width(t) + 1) <= LINE_WIDTH_MAX);
}

static struct tournament_table begin_table(struct arena *a, const struct tournament_doc *t)
{
	bool all = tournament_is_all_at_once(t);
	int shown = all ? 0 : (int)t->round_count,
	    cells = t->boards > 1 ? CELLS_MAX / 2 : CELLS_MAX;

	return (struct tournament_table){ .t = t,
		                          .rows = tournament_rows(a, t),
		                          .a = a,
		                          .cross = has_cross(t),
		                          .from = all             ? (int)t->round_count + 1
		                                  : shown > cells ? shown - cells + 1
		                                                  : 1 };
}

/* Adds a knockout's bracket, which says more than a table of points. */
static void add_bracket(struct arena *a, const struct tournament_doc *t, json_t *c)
{
	const struct bracket_line *v;
	json_t *list = json_array();
	size_t n = tournament_bracket(a, t, BRACKET_ENTRANTS, &v);

	for (size_t i = 0; i < n; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:b}", "line", v[i].text, "drawn", v[i].drawn));
	json_object_set_new(c, "any_bracket", json_boolean(n > 0));
	json_object_set_new(c, "bracket", list);
}

/* Adds which group of a league it is, and its neighbours. */
static void add_group(const struct tournament_doc *t, json_t *c)
{
	if (t->groups < 2)
		return;
	json_object_set_new(c, "groups", json_integer(t->groups));
	json_object_set_new(c, "group", json_integer(t->group));
	json_object_set_new(c, "above", t->above ? json_string(t->above) : json_null());
	json_object_set_new(c, "below", t->below ? json_string(t->below) : json_null());
}

void tournament_table_add(struct arena *a, const struct tournament_doc *t, const char *reader,
                          bool whole, json_t *c)
{
	if (t->kind == TOURNAMENT_KNOCKOUT) {
		add_bracket(a, t, c);
		return;
	}
	bool all = tournament_is_all_at_once(t);
	struct tournament_table b = begin_table(a, t);
	json_t *list = json_array();
	int own = reader ? tournament_unit_of(t, tournament_find(t, reader)) : 0;
	size_t line = own ? (size_t)tournament_line_of(t, b.rows, own) - 1 : 0, n = count(&b);

	for (size_t i = 0; i < n; i++)
		if (is_shown(i, line, n, whole))
			json_array_append_new(list, json_pack("{s:s, s:b, s:b}", "line",
			                                      table_line(&b, i), "left",
			                                      has_left(t, b.rows[i].entry), "void",
			                                      b.rows[i].place == 0));
	add_group(t, c);
	json_object_set_new(c, "shortened", json_boolean(json_array_size(list) < n));
	json_object_set_new(c, "any_row", json_boolean(n > 0));
	json_object_set_new(c, "rows", list);
	json_object_set_new(c, "head", json_string(table_head(&b)));
	json_object_set_new(c, "legend", json_boolean(!all && !t->by_teams));
	json_object_set_new(c, "team_legend", json_boolean(t->by_teams));
	json_object_set_new(c, "team_rounds", json_boolean(t->by_teams && !all));
	json_object_set_new(c, "buchholz", json_boolean(t->kind == TOURNAMENT_SWISS));
	json_object_set_new(c, "sonneborn", json_boolean(t->kind != TOURNAMENT_KNOCKOUT));
	bool open = t->state == TOURNAMENT_RUNNING && tournament_open_games(t);
	int round = all || t->kind == TOURNAMENT_LADDER ? 0 : (int)t->round_count;
	json_object_set_new(c, open ? "during" : "after", json_integer(round));
}

/* ---- teams ---- */

/* "  1  alice            1700  2.5/3": the half points of so many games that are over. */
static const char *member_line(struct arena *a, const struct tournament_doc *t, int number,
                               int place)
{
	const struct tournament_entry *n = &t->entries[number - 1];
	int points = 0, games = 0;
	struct str s = STR_LOCAL(120);

	tournament_score_of(t, number, &points, &games);
	str_addf(&s, "%3d  %-*s  %4d  ", place, NAME_WIDTH, n->userid, n->rating);
	tournament_write_points(points, &s);
	str_addf(&s, "/%d", games);
	return arena_strdup(a, s.data);
}

void tournament_table_add_rosters(struct arena *a, const struct tournament_doc *t, json_t *c)
{
	json_t *teams = json_array();

	for (size_t team = 1; team <= t->team_count; team++) {
		json_t *members = json_array();
		int place = 0;

		for (size_t i = 0; i < t->entry_count; i++)
			if (t->entries[i].team == (int)team)
				json_array_append_new(
					members, json_pack("{s:s, s:b, s:b}", "line",
				                           member_line(a, t, (int)i + 1, ++place),
				                           "captain", t->entries[i].captain, "left",
				                           t->entries[i].standing != ENTRY_PLAYS));
		json_array_append_new(teams,
		                      json_pack("{s:s, s:o}", "name", t->teams[team - 1].name,
		                                "members", members));
	}
	json_object_set_new(c, "any_team", json_boolean(t->team_count > 0));
	json_object_set_new(c, "rosters", teams);
}

/* ---- pairings ---- */

static json_t *game_json(struct arena *a, const struct tournament_doc *t,
                         const struct tournament_game *g)
{
	const char *white = t->entries[g->white - 1].userid;
	const char *black = g->black ? t->entries[g->black - 1].userid : "bye";
	const char *board = g->board ? arena_printf(a, "%lld", (long long)g->board) : "";
	struct str line = STR_LOCAL(120);

	str_addf(&line, "%6s  %-*s  %-*s  %s", board, NAME_WIDTH, white, NAME_WIDTH, black,
	         tournament_result(g));
	return json_pack("{s:s}", "line", trimmed(a, &line));
}

/* "tigers - lions  2.5:1.5" above the games of the match. */
static json_t *match_json(struct arena *a, const struct tournament_doc *t,
                          const struct tournament_pairing *p)
{
	struct str line = STR_LOCAL(120);

	str_addf(&line, "%s - %s", tournament_unit_name(t, p->white),
	         p->black ? tournament_unit_name(t, p->black) : "bye");
	if (p->black) {
		str_add(&line, "  ");
		tournament_write_match(p, &line);
	}
	return json_pack("{s:s}", "line", trimmed(a, &line));
}

void tournament_table_add_pairings(struct arena *a, const struct tournament_doc *t, int only,
                                   json_t *c)
{
	bool all = tournament_is_all_at_once(t);
	int unit = tournament_unit_of(t, only);
	json_t *list = json_array();
	struct tournament_pairing p;

	for (size_t at = 0; tournament_next_pairing(t, 0, &at, &p);) {
		if ((unit && p.white != unit && p.black != unit) ||
		    (all ? !p.open : p.round != (int)t->round_count))
			continue;
		if (t->by_teams)
			json_array_append_new(list, match_json(a, t, &p));
		for (size_t i = p.first; i < p.first + p.n && (p.black || !t->by_teams); i++)
			if (!all || t->by_teams || !t->games[i].over)
				json_array_append_new(list, game_json(a, t, &t->games[i]));
	}
	json_object_set_new(c, "robin", json_boolean(all));
	json_object_set_new(c, "round", json_integer((json_int_t)t->round_count));
	json_object_set_new(c, "any_game", json_boolean(json_array_size(list) > 0));
	json_object_set_new(c, "games", list);
}
