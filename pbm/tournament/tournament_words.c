#include "pbm/tournament/tournament_words.h"

#include <string.h>

size_t tournament_conditions(const struct tournament_doc *t,
                             struct tournament_condition out[TOURNAMENT_CONDITIONS_MAX])
{
	static const char *const kinds[] = {
		[TOURNAMENT_SWISS] = "swiss",   [TOURNAMENT_ROUND_ROBIN] = "round_robin",
		[TOURNAMENT_DOUBLE] = "double", [TOURNAMENT_KNOCKOUT] = "knockout",
		[TOURNAMENT_LADDER] = "ladder", [TOURNAMENT_SIMUL] = "simul",
	};
	const struct tournament_condition all[] = {
		{ kinds[t->kind], true, true },
		{ "limited", true, t->rating_max > 0 },
		{ "by_teams", true, t->by_teams },
		{ "several", true, t->boards > 1 && !t->by_teams },
		{ "by_hand", true, t->by_hand },
		{ "host_white", true, t->colour == HOST_WHITE },
		{ "host_black", true, t->colour == HOST_BLACK },
		{ "best_of", false, t->best_of },
		{ "at_once", false, t->at_once },
		{ "least", false, t->least },
		{ "most", false, t->most },
		{ "low", false, t->rating_min },
		{ "high", false, t->rating_max },
		{ "boards", false, t->boards },
		{ "group_size", false, t->group_size },
		{ "promoted", false, t->promoted },
		{ "byes", false, t->byes },
	};

	memcpy(out, all, sizeof all);
	return sizeof all / sizeof *all;
}

void tournament_write_points(int halves, struct str *out)
{
	str_addf(out, "%d%s", halves / 2, halves % 2 ? ".5" : ".0");
}

void tournament_write_quarters(int quarters, struct str *out)
{
	static const char *const parts[] = { ".00", ".25", ".50", ".75" };

	str_addf(out, "%d%s", quarters / 4, parts[quarters % 4]);
}

char tournament_mark(const struct tournament_game *g, int number)
{
	int own = g->points[g->white != number];

	if (!g->over)
		return '.';
	if (g->annulled)
		return '*';
	if (!g->played)
		return own == 2 ? '+' : own == 1 ? '=' : '-';
	return own == 2 ? '1' : own == 1 ? '=' : '0';
}

const char *tournament_result(const struct tournament_game *g)
{
	static const char *const played[] = { "0-1", "1/2-1/2", "1-0" };
	static const char *const forfeits[] = { "-:+", "=:=", "+:-" };

	if (!g->over)
		return "";
	if (g->annulled)
		return "*";
	if (!g->black && g->points[0] == 1)
		return "=";
	return (g->played ? played : forfeits)[g->points[0]];
}

void tournament_write_score(const struct tournament_doc *t, int points, struct str *out)
{
	if (t->by_teams)
		str_addf(out, "%d", points);
	else
		tournament_write_points(points, out);
}

int tournament_line_of(const struct tournament_doc *t, const struct pairing_row *rows, int unit)
{
	for (int i = 0; i < tournament_unit_count(t); i++)
		if (rows[i].entry == unit - 1)
			return i + 1;
	return 0;
}

/* "2.5", "2" */
static void write_boards(int halves, struct str *out)
{
	str_addf(out, "%d%s", halves / 2, halves % 2 ? ".5" : "");
}

void tournament_write_match(const struct tournament_pairing *p, struct str *out)
{
	write_boards(p->boards[0], out);
	str_add_char(out, ':');
	write_boards(p->boards[1], out);
}

void tournament_write_pairing(const struct tournament_doc *t, const struct tournament_pairing *p,
                              int unit, struct str *out)
{
	if (t->by_teams) {
		write_boards(p->boards[p->white != unit], out);
		str_add(out, p->open ? "." : "");
		return;
	}
	for (size_t i = 0; i < p->n; i++)
		str_add_char(out, tournament_mark(&t->games[p->first + i], unit));
}

void tournament_write_cell(const struct tournament_doc *t, const struct pairing_row *rows, int unit,
                           int round, struct str *out)
{
	struct tournament_pairing p;
	size_t n = 0;

	for (size_t at = 0; tournament_next_pairing(t, (int)t->round_count, &at, &p);) {
		if (p.round != round || (p.white != unit && p.black != unit))
			continue;
		bool white = p.white == unit;
		int other = white ? p.black : p.white;

		if (!other)
			str_add(out, t->games[p.first].points[0] == 1 ? "bye=" : "bye+");
		else if (n == 0)
			str_addf(out, "%d%c", tournament_line_of(t, rows, other),
			         white ? 'w' : 'b');
		else if (t->by_teams)
			str_add_char(out, '/');
		if (other)
			tournament_write_pairing(t, &p, unit, out);
		n++;
	}
	if (n == 0)
		str_add(out, "--");
}

static bool is_equal(const struct pairing_row *a, const struct pairing_row *b)
{
	return a->shared && b->shared && a->points == b->points &&
	       a->board_points == b->board_points && a->head_to_head == b->head_to_head &&
	       a->buchholz_cut == b->buchholz_cut && a->buchholz == b->buchholz &&
	       a->sonneborn_berger == b->sonneborn_berger && a->wins == b->wins;
}

int tournament_place(const struct pairing_row *rows, size_t line)
{
	while (line > 0 && is_equal(&rows[line], &rows[line - 1]))
		line--;
	return rows[line].place;
}
