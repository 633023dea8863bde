#include "pbm/archive/pages/tournament_page_parts.h"

#include <string.h>

#include "pbm/archive/pages/page_words.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/tournament/tournament_bracket.h"
#include "pbm/tournament/tournament_words.h"

#define BRACKET_PATH_MAX (256 * 1024)
#define CROSS_MAX 64

/* ---- the table ---- */

/* Has the game a page of its own? */
static bool has_page(const struct tournament_game *g)
{
	return g->board && g->over && !g->annulled;
}

static json_t *text_json(const char *text, const char *url)
{
	return json_pack("{s:s, s:s*}", "text", text, "url", url);
}

/* A player; with a link if a game of this tournament stands in the archive: then the player has
 * a page. */
static json_t *player_json(const struct tournament_page *p, int number)
{
	const char *userid = p->t->entries[number - 1].userid;
	struct str path = STR_LOCAL(80);
	bool linked = false;

	for (size_t i = 0; i < p->t->game_count && !linked; i++) {
		const struct tournament_game *g = &p->t->games[i];

		linked = (g->white == number || g->black == number) && has_page(g);
	}
	archive_player_path(userid, &path);
	return text_json(userid, linked ? path.data : NULL);
}

static const char *game_url(const struct tournament_page *p, const struct tournament_game *g)
{
	return has_page(g) ? archive_game_path(p->a, g->board, "html") : NULL;
}

/* The page's address of a match of teams. */
static const char *match_url(const struct tournament_page *p, const struct tournament_pairing *m)
{
	return arena_printf(p->a, "%s#match-%zu", archive_tournament_path(p->a, p->t->name),
	                    m->first);
}

/* Adds a unit's marks in a pairing: one for each game, or a link to the match of its team. */
static void add_marks(const struct tournament_page *p, const struct tournament_pairing *m, int unit,
                      json_t *marks)
{
	struct str s = STR_LOCAL(40);

	if (p->t->by_teams) {
		str_add(&s, json_array_size(marks) ? "/" : "");
		tournament_write_pairing(p->t, m, unit, &s);
		json_array_append_new(marks, text_json(s.data, match_url(p, m)));
		return;
	}
	for (size_t i = m->first; i < m->first + m->n; i++) {
		const struct tournament_game *g = &p->t->games[i];
		char mark[2] = { tournament_mark(g, unit) };

		json_array_append_new(marks, text_json(mark, game_url(p, g)));
	}
}

/* The pairings of two units with each other: [{"text", "url"}]. */
static json_t *cross_cell(const struct tournament_page *p, int unit, int other)
{
	json_t *marks = json_array();
	struct tournament_pairing m;

	if (unit == other)
		json_array_append_new(marks, text_json("×", NULL));
	for (size_t at = 0; unit != other && tournament_next_pairing(p->t, 0, &at, &m);)
		if ((m.white == unit && m.black == other) || (m.white == other && m.black == unit))
			add_marks(p, &m, unit, marks);
	return json_pack("{s:o}", "marks", marks);
}

/* "12w1": the number and the colour, and with several games a pairing a link for each. */
static json_t *round_cell(const struct tournament_page *p, int unit, int round)
{
	struct tournament_pairing m, one = { 0 };
	size_t n = 0;
	struct str s = STR_LOCAL(80);
	const char *url = NULL;

	for (size_t at = 0; tournament_next_pairing(p->t, 0, &at, &m);)
		if (m.round == round && (m.white == unit || m.black == unit)) {
			one = m;
			n++;
		}
	if (n == 1 && one.black && one.n > 1 && !p->t->by_teams) {
		json_t *marks = json_array();
		bool white = one.white == unit;

		str_addf(&s, "%d%c",
		         tournament_line_of(p->t, p->rows, white ? one.black : one.white),
		         white ? 'w' : 'b');
		json_array_append_new(marks, text_json(s.data, NULL));
		add_marks(p, &one, unit, marks);
		return json_pack("{s:o}", "marks", marks);
	}
	tournament_write_cell(p->t, p->rows, unit, round, &s);
	if (n == 1 && one.black)
		url = p->t->by_teams ? match_url(p, &one) : game_url(p, &p->t->games[one.first]);
	return json_pack("{s:[o]}", "marks", text_json(s.data, url));
}

/* label: what stands at the head of the column, for narrow screens that show no heads. */
static void add_cell(json_t *list, json_t *cell, const char *label)
{
	json_object_set_new(cell, "label", json_string(label));
	json_array_append_new(list, cell);
}

static json_t *cells_json(const struct tournament_page *p, int unit)
{
	json_t *list = json_array();
	int n = tournament_unit_count(p->t);

	if (tournament_is_all_at_once(p->t))
		for (int i = 0; i < n && n <= CROSS_MAX; i++) {
			int other = p->rows[i].entry + 1;

			add_cell(list, cross_cell(p, unit, other),
			         other == unit ? "" : tournament_unit_name(p->t, other));
		}
	else
		for (int round = 1; round <= (int)p->t->round_count; round++)
			add_cell(list, round_cell(p, unit, round),
			         arena_printf(p->a, "Round %d", round));
	return list;
}

/* Match points make whole numbers of what are halves and quarters for players. */
static const char *sonneborn(const struct tournament_page *p, const struct pairing_row *r)
{
	struct str s = STR_LOCAL(20);

	if (p->t->by_teams)
		str_addf(&s, "%d", r->sonneborn_berger);
	else
		tournament_write_quarters(r->sonneborn_berger, &s);
	return arena_strdup(p->a, s.data);
}

static json_t *row_json(const struct tournament_page *p, size_t line)
{
	const struct pairing_row *r = &p->rows[line];
	int unit = r->entry + 1;
	struct str points = STR_LOCAL(20), buchholz = STR_LOCAL(20), boards = STR_LOCAL(20),
		   u = STR_LOCAL(20);

	tournament_write_score(p->t, r->points, &points);
	tournament_write_score(p->t, r->buchholz_cut, &u);
	tournament_write_score(p->t, r->buchholz, &buchholz);
	tournament_write_points(r->board_points, &boards);
	return json_pack("{s:i, s:o, s:i, s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:b, s:b}", "line",
	                 (int)line + 1, "player",
	                 p->t->by_teams ? text_json(tournament_unit_name(p->t, unit), NULL)
	                                : player_json(p, unit),
	                 "rating", tournament_unit_rating(p->t, unit), "points", points.data,
	                 "board_points", boards.data, "cut", u.data, "buchholz", buchholz.data,
	                 "sonneborn", sonneborn(p, r), "wins", r->wins, "cells",
	                 cells_json(p, unit), "left",
	                 (p->t->by_teams ? p->t->teams[r->entry].standing
	                                 : p->t->entries[r->entry].standing) == ENTRY_WITHDRAWN,
	                 "void", r->place == 0);
}

/* The bracket is drawn in units of a pixel: a column a round, a row a line. */
#define BRACKET_COLUMN 200
#define BRACKET_ROW 22
#define BRACKET_GAP 16 /* between the line under a name and the winner's */

/* The line under the name in row i, and from there the lines to the two from whom it comes. */
static void draw_line(struct str *s, int level, int row)
{
	int x = level * BRACKET_COLUMN, y = (row + 1) * BRACKET_ROW;
	int half = level ? BRACKET_ROW << (level - 1) : 0;

	str_addf(s, "M%d,%dH%d", x - (half ? BRACKET_GAP : 0), y, x + BRACKET_COLUMN - BRACKET_GAP);
	if (half)
		str_addf(s, "M%d,%dV%d", x - BRACKET_GAP, y - half, y + half);
}

static void add_bracket(const struct tournament_page *p, json_t *c)
{
	const struct bracket_line *v;
	json_t *list = json_array();
	size_t n = tournament_bracket(p->a, p->t, TOURNAMENT_PLAYERS_MAX, &v);
	int levels = 0;
	struct str s = str_in(p->a, BRACKET_PATH_MAX);

	for (size_t i = 0; i < n; i++) {
		draw_line(&s, v[i].level, (int)i);
		levels = v[i].level > levels ? v[i].level : levels;
		json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:b, s:b}", "text",
		                                      v[i].text + strspn(v[i].text, " "), "x",
		                                      v[i].level * BRACKET_COLUMN, "y",
		                                      (int)(i + 1) * BRACKET_ROW - 5, "won",
		                                      v[i].level > 0, "drawn", v[i].drawn));
	}
	json_object_set_new(c, "any_bracket", json_boolean(n > 0));
	json_object_set_new(c, "bracket",
	                    json_pack("{s:i, s:i, s:s, s:o}", "width",
	                              (levels + 1) * BRACKET_COLUMN, "height",
	                              (int)(n + 1) * BRACKET_ROW, "path", s.data, "lines", list));
}

void tournament_page_add_table(const struct tournament_page *p, json_t *c)
{
	json_t *list = json_array(), *heads = json_array();
	bool all = tournament_is_all_at_once(p->t);
	size_t units = (size_t)tournament_unit_count(p->t);
	size_t columns = all ? units : p->t->round_count;

	for (size_t i = 0; p->rows && i < units; i++)
		json_array_append_new(list, row_json(p, i));
	for (size_t i = 0; p->rows && i < columns && (!all || columns <= CROSS_MAX); i++)
		json_array_append_new(heads, json_integer((json_int_t)i + 1));
	add_bracket(p, c);
	json_object_update_new(c, json_pack("{s:b, s:o, s:o}", "any_row", json_array_size(list) > 0,
	                                    "rows", list, "heads", heads));
}

/* ---- teams ---- */

static json_t *member_json(const struct tournament_page *p, int number)
{
	const struct tournament_entry *n = &p->t->entries[number - 1];
	int points = 0, games = 0;
	struct str s = STR_LOCAL(20);

	tournament_score_of(p->t, number, &points, &games);
	tournament_write_points(points, &s);
	return json_pack("{s:o, s:i, s:s, s:i, s:b, s:b}", "player", player_json(p, number),
	                 "rating", n->rating, "points", s.data, "games", games, "captain",
	                 n->captain, "left", n->standing != ENTRY_PLAYS);
}

/* The teams with their players in the order of the boards; before the start, with those who have
 * entered. */
void tournament_page_add_teams(const struct tournament_page *p, json_t *c)
{
	json_t *list = json_array();

	for (size_t team = 1; team <= p->t->team_count; team++) {
		json_t *members = json_array();

		for (size_t i = 0; i < p->t->entry_count; i++)
			if (p->t->entries[i].team == (int)team &&
			    (p->rows || p->t->entries[i].standing == ENTRY_PLAYS))
				json_array_append_new(members, member_json(p, (int)i + 1));
		json_array_append_new(list,
		                      json_pack("{s:s, s:o}", "name", p->t->teams[team - 1].name,
		                                "members", members));
	}
	json_object_update_new(c, json_pack("{s:b, s:b, s:o}", "any_team", p->t->team_count > 0,
	                                    "begun", p->rows != NULL, "teams", list));
}

/* ---- rounds ---- */

static json_t *game_json(const struct tournament_page *p, const struct tournament_game *g)
{
	const char *board = g->board ? arena_printf(p->a, "%lld", (long long)g->board) : NULL;
	json_t *o = json_pack("{s:o, s:s, s:s*, s:s*}", "white", player_json(p, g->white), "result",
	                      tournament_result(g), "board", board, "url", game_url(p, g));

	if (g->black)
		json_object_set_new(o, "black", player_json(p, g->black));
	return o;
}

/* A line above the games of a match of teams. */
static json_t *match_json(const struct tournament_page *p, const struct tournament_pairing *m)
{
	char text[40] = "";
	struct str s = STR_FIXED(text);

	if (m->black)
		tournament_write_match(m, &s);
	return json_pack("{s:{s:i, s:s, s:s*, s:s}}", "match", "id", (int)m->first, "white",
	                 tournament_unit_name(p->t, m->white), "black",
	                 m->black ? tournament_unit_name(p->t, m->black) : NULL, "result", text);
}

static json_t *round_games(const struct tournament_page *p, int round)
{
	json_t *games = json_array();
	struct tournament_pairing m;

	for (size_t at = 0; tournament_next_pairing(p->t, 0, &at, &m);) {
		if (m.round != round)
			continue;
		if (p->t->by_teams)
			json_array_append_new(games, match_json(p, &m));
		for (size_t i = m.first; i < m.first + m.n && (m.black || !p->t->by_teams); i++)
			json_array_append_new(games, game_json(p, &p->t->games[i]));
	}
	return games;
}

void tournament_page_add_rounds(const struct tournament_page *p, json_t *c)
{
	json_t *list = json_array();

	for (int round = (int)p->t->round_count; round > 0; round--)
		json_array_append_new(list, json_pack("{s:i, s:o, s:o}", "number", round, "began",
		                                      page_date(p->t->round[round - 1].at), "games",
		                                      round_games(p, round)));
	json_object_set_new(c, "paired", list);
}
