#include "store/document/tournament.h"

#include <strings.h>

#include "pbm/base/array.h"
#include "store/document/fields.h"
#include "store/document/keys.h"

#define DAYS_MAX 36500
#define TEXT_MAX 1000
#define FROM_MAX 200000

static const char *const kinds[] = { "swiss",  "round-robin", "double", "knockout",
	                             "ladder", "simul",       NULL };
static const char *const colours[] = { "both", "white", "black", NULL };
static const char *const states[] = { "open", "running", "finished", "cancelled", NULL };
static const char *const standings[] = { "plays", "waits", "invited", "withdrawn", "asks", NULL };
static const char *const other[] = { "format", "entries", "teams", "rounds_paired", "games", NULL };

#define T(member) FIELD_AT(struct tournament_doc, member)
static const struct field tournament_fields[] = {
	{ "name", FIELD_TEXT, T(name), .always = true, .min = 1, .max = KEY_USERID_MAX },
	{ "kind", FIELD_WORD, T(kind), .always = true, .words = kinds },
	{ "state", FIELD_WORD, T(state), .always = true, .words = states },
	{ "director", FIELD_TEXT, T(director), .always = true, .min = 1, .max = KEY_USERID_MAX },
	{ "game", FIELD_TEXT, T(terms.game), .always = true, .min = 1, .max = 64 },
	{ "options", FIELD_TEXT, T(terms.options), .max = TEXT_MAX, .absent_text = "" },
	{ "start_fen", FIELD_TEXT, T(terms.start_fen), .max = 500 },
	{ "rated", FIELD_FLAG, T(terms.rated), .always = true },
	{ "days", FIELD_NUMBER, T(terms.days), .always = true, .max = DAYS_MAX },
	{ "reserve", FIELD_NUMBER, T(terms.reserve), .always = true, .max = DAYS_MAX },
	{ "nag", FIELD_NUMBER, T(terms.nag), .max = DAYS_MAX },
	{ "forfeit", FIELD_NUMBER, T(terms.forfeit), .max = DAYS_MAX },
	{ "total", FIELD_NUMBER, T(terms.total), .max = DAYS_MAX },
	{ "increment", FIELD_NUMBER, T(terms.increment), .max = 8760 },
	{ "weekdays", FIELD_FLAG, T(terms.weekdays) },
	{ "rounds", FIELD_NUMBER, T(rounds), .max = TOURNAMENT_ROUNDS_MAX },
	{ "best_of", FIELD_NUMBER, T(best_of), .max = GAME_BEST_OF_MAX },
	{ "boards", FIELD_NUMBER, T(boards), .max = TOURNAMENT_BOARDS_MAX },
	{ "by_teams", FIELD_FLAG, T(by_teams) },
	{ "colour", FIELD_WORD, T(colour), .words = colours },
	{ "by_hand", FIELD_FLAG, T(by_hand) },
	{ "byes", FIELD_NUMBER, T(byes), .max = TOURNAMENT_ROUNDS_MAX },
	{ "group_size", FIELD_NUMBER, T(group_size), .max = TOURNAMENT_PLAYERS_MAX },
	{ "promoted", FIELD_NUMBER, T(promoted), .max = TOURNAMENT_PLAYERS_MAX },
	{ "group", FIELD_NUMBER, T(group), .max = TOURNAMENT_PLAYERS_MAX },
	{ "groups", FIELD_NUMBER, T(groups), .max = TOURNAMENT_PLAYERS_MAX },
	{ "above", FIELD_TEXT, T(above), .min = 1, .max = KEY_USERID_MAX },
	{ "below", FIELD_TEXT, T(below), .min = 1, .max = KEY_USERID_MAX },
	{ "after", FIELD_TEXT, T(after), .min = 1, .max = KEY_USERID_MAX },
	{ "at_once", FIELD_NUMBER, T(at_once), .max = TOURNAMENT_PLAYERS_MAX },
	{ "least", FIELD_NUMBER, T(least), .always = true, .min = 2,
	  .max = TOURNAMENT_PLAYERS_MAX },
	{ "most", FIELD_NUMBER, T(most), .always = true, .min = 2, .max = TOURNAMENT_PLAYERS_MAX },
	{ "rating_min", FIELD_NUMBER, T(rating_min), .max = 10000 },
	{ "rating_max", FIELD_NUMBER, T(rating_max), .max = 10000 },
	{ "settled", FIELD_FLAG, T(settled) },
	{ "computers", FIELD_FLAG, T(computers) },
	{ "undo", FIELD_FLAG, T(undo) },
	{ "round_days", FIELD_NUMBER, T(round_days), .always = true, .min = 1, .max = DAYS_MAX },
	{ "until", FIELD_TIME, T(until) },
	{ "created", FIELD_TIME, T(created), .always = true },
	{ "started", FIELD_TIME, T(started) },
	{ "ended", FIELD_TIME, T(ended) },
	{ "due", FIELD_TIME, T(due) },
	{ "lot", FIELD_NUMBER, T(lot), .max = UINT32_MAX },
	{ "reason", FIELD_TEXT, T(reason), .min = 1, .max = TEXT_MAX },
	{ 0 }
};

#define E(member) FIELD_AT(struct tournament_entry, member)
static const struct field entry_fields[] = {
	{ "userid", FIELD_TEXT, E(userid), .always = true, .min = 1, .max = KEY_USERID_MAX },
	{ "standing", FIELD_WORD, E(standing), .always = true, .words = standings },
	{ "at", FIELD_TIME, E(at), .always = true },
	{ "rating", FIELD_NUMBER, E(rating), .max = 10000 },
	{ "lot", FIELD_NUMBER, E(lot), .max = UINT32_MAX },
	{ "first_round", FIELD_NUMBER, E(first_round), .max = TOURNAMENT_ROUNDS_MAX },
	{ "seed_points", FIELD_NUMBER, E(seed_points), .max = 2 },
	{ "missed", FIELD_NUMBER, E(missed), .max = TOURNAMENT_ROUNDS_MAX },
	{ "void", FIELD_FLAG, E(void_games) },
	{ "silent", FIELD_FLAG, E(silent) },
	{ "asks_bye", FIELD_FLAG, E(asks_bye) },
	{ "team", FIELD_NUMBER, E(team), .max = TOURNAMENT_PLAYERS_MAX },
	{ "captain", FIELD_FLAG, E(captain) },
	{ "host", FIELD_FLAG, E(host) },
	{ 0 }
};

#define M(member) FIELD_AT(struct tournament_team, member)
static const struct field team_fields[] = {
	{ "name", FIELD_TEXT, M(name), .always = true, .min = 1, .max = KEY_USERID_MAX },
	{ "standing", FIELD_WORD, M(standing), .always = true, .words = standings },
	{ "at", FIELD_TIME, M(at), .always = true },
	{ "rating", FIELD_NUMBER, M(rating), .max = 10000 },
	{ "lot", FIELD_NUMBER, M(lot), .max = UINT32_MAX },
	{ "first_round", FIELD_NUMBER, M(first_round), .max = TOURNAMENT_ROUNDS_MAX },
	{ "seed_points", FIELD_NUMBER, M(seed_points), .max = 2 },
	{ "void", FIELD_FLAG, M(void_games) },
	{ 0 }
};

#define G(member) FIELD_AT(struct tournament_game, member)
static const struct field game_fields[] = {
	{ "round", FIELD_NUMBER, G(round), .always = true, .min = 1, .max = TOURNAMENT_ROUNDS_MAX },
	{ "white", FIELD_NUMBER, G(white), .always = true, .min = 1,
	  .max = TOURNAMENT_PLAYERS_MAX },
	{ "black", FIELD_NUMBER, G(black), .max = TOURNAMENT_PLAYERS_MAX },
	{ "board", FIELD_NUMBER, G(board), .max = INT64_C(1) << 53 },
	{ "over", FIELD_FLAG, G(over) },
	{ "played", FIELD_FLAG, G(played) },
	{ "annulled", FIELD_FLAG, G(annulled) },
	{ "points_white", FIELD_NUMBER, G(points[0]), .max = 2 },
	{ "points_black", FIELD_NUMBER, G(points[1]), .max = 2 },
	{ 0 }
};

#define R(member) FIELD_AT(struct tournament_round, member)
static const struct field round_fields[] = {
	{ "at", FIELD_TIME, R(at), .always = true },
	{ "from", FIELD_TEXT, R(from), .max = FROM_MAX, .absent_text = "" },
	{ "out", FIELD_TEXT, R(out), .max = FROM_MAX, .absent_text = "" },
	{ 0 }
};

static const struct field_list lists[] = {
	{ "entries", entry_fields, true, TOURNAMENT_PLAYERS_MAX,
	  FIELD_LIST(struct tournament_doc, entries, entry_count) },
	{ "teams", team_fields, false, TOURNAMENT_PLAYERS_MAX,
	  FIELD_LIST(struct tournament_doc, teams, team_count) },
	{ "rounds_paired", round_fields, true, TOURNAMENT_ROUNDS_MAX,
	  FIELD_LIST(struct tournament_doc, round, round_count) },
	{ "games", game_fields, true, TOURNAMENT_GAMES_MAX,
	  FIELD_LIST(struct tournament_doc, games, game_count) },
	{ 0 },
};

void tournament_doc_write(const struct tournament_doc *t, struct str *out)
{
	str_addf(out, "{\n\"format\": %d,\n", DOCUMENT_FORMAT);
	fields_write(tournament_fields, t, ",\n", out);
	for (const struct field_list *l = lists; l->key; l++)
		field_list_write(l, t, out);
	str_add(out, "\n}\n");
}

static int check_entry(const struct tournament_doc *t, struct field_place *p)
{
	const struct tournament_entry *n = &t->entries[p->index];
	int rc = fields_check(entry_fields, n, p);

	if (rc == 0 && !key_is_userid(n->userid))
		return field_complain(p, "userid", "is not a userid");
	for (size_t i = 0; rc == 0 && i < p->index; i++)
		if (strcasecmp(t->entries[i].userid, n->userid) == 0)
			return field_complain(p, "userid", "is there twice");
	if (rc == 0 && ((size_t)n->team > t->team_count || (n->captain && !n->team)))
		return field_complain(p, "team", "is no team");
	if (rc == 0 && t->by_teams && t->round_count && !n->team)
		return field_complain(p, "team", "is missing");
	return rc;
}

/* The number of the team's entries. */
static int size_of_team(const struct tournament_doc *t, size_t team)
{
	int n = 0;

	for (size_t i = 0; i < t->entry_count; i++)
		n += (size_t)t->entries[i].team == team;
	return n;
}

static int check_team(const struct tournament_doc *t, struct field_place *p)
{
	const struct tournament_team *m = &t->teams[p->index];
	int rc = fields_check(team_fields, m, p);

	if (rc == 0 && !key_is_userid(m->name))
		return field_complain(p, "name", "letters, digits, '_' and '-' only");
	for (size_t i = 0; rc == 0 && i < p->index; i++)
		if (strcasecmp(t->teams[i].name, m->name) == 0)
			return field_complain(p, "name", "is there twice");
	if (rc == 0 && t->round_count && size_of_team(t, p->index + 1) < t->boards)
		return field_complain(p, "name", "has no player for each board");
	return rc;
}

static int check_round(const struct tournament_doc *t, struct field_place *p)
{
	return fields_check(round_fields, &t->round[p->index], p);
}

static int check_game(const struct tournament_doc *t, struct field_place *p)
{
	const struct tournament_game *g = &t->games[p->index];
	int rc = fields_check(game_fields, g, p);

	if (rc < 0)
		return rc;
	if ((size_t)g->white > t->entry_count || (size_t)g->black > t->entry_count)
		return field_complain(p, "white", "or black is no entry");
	if (g->black && tournament_unit_of(t, g->white) == tournament_unit_of(t, g->black))
		return field_complain(p, "black", "is White, too");
	if ((size_t)g->round > t->round_count)
		return field_complain(p, "round", "was not paired");
	if (!g->over && !g->board)
		return field_complain(p, "board", "is missing");
	if (!g->over && (g->points[0] || g->points[1]))
		return field_complain(p, "points_white", "before the end");
	return 0;
}

/* The games of a pairing stand together, and their colours alternate. */
static int check_pairings(const struct tournament_doc *t, struct field_place *p)
{
	for (size_t i = 0, n; i < t->game_count; i += n) {
		const struct tournament_game *g = &t->games[i];
		int sides[2] = { tournament_unit_of(t, g->white), tournament_unit_of(t, g->black) };

		n = tournament_pairing_games(t, g);
		for (size_t k = 0; k < n; k++) {
			p->index = i + k;
			if (p->index >= t->game_count || g[k].round != g->round ||
			    tournament_unit_of(t, g[k].white) != sides[k % 2] ||
			    tournament_unit_of(t, g[k].black) != sides[1 - k % 2])
				return field_complain(p, "white", "does not fit the pairing");
		}
	}
	return 0;
}

static int check_whole(const struct tournament_doc *t, const struct field_place *p)
{
	bool begun = t->state == TOURNAMENT_RUNNING || t->state == TOURNAMENT_FINISHED;

	if (!key_is_userid(t->name))
		return field_complain(p, "name", "letters, digits, '_' and '-' only");
	if (!key_is_userid(t->director))
		return field_complain(p, "director", "is not a userid");
	if (t->least > t->most)
		return field_complain(p, "least", "is more than most");
	if (!begun && (t->round_count || t->game_count))
		return field_complain(p, "games", "do not fit the state");
	if (begun && !t->started)
		return field_complain(p, "started", "is missing");
	if (t->by_teams && t->boards < 2)
		return field_complain(p, "boards", "a team has two or more");
	if (t->group > t->groups)
		return field_complain(p, "group", "is more than groups");
	if (t->team_count && !t->by_teams)
		return field_complain(p, "teams", "do not fit by_teams");
	return 0;
}

int tournament_doc_check(const struct tournament_doc *t, enum err_code code, struct err *e)
{
	const struct {
		size_t count;
		int (*check)(const struct tournament_doc *t, struct field_place *p);
	} checks[] = {
		{ t->entry_count, check_entry },
		{ t->team_count, check_team },
		{ t->round_count, check_round },
		{ t->game_count, check_game },
	};
	struct field_place p = { .code = code, .err = e };
	int rc = fields_check(tournament_fields, t, &p);

	if (rc == 0)
		rc = check_whole(t, &p);
	for (size_t k = 0; rc == 0 && lists[k].key; k++) {
		if (checks[k].count > lists[k].max)
			return field_complain(&p, lists[k].key, "more than %zu", lists[k].max);
		struct field_place in = { .list = lists[k].key, .code = code, .err = e };
		for (; rc == 0 && in.index < checks[k].count; in.index++)
			rc = checks[k].check(t, &in);
	}
	p.list = "games";
	return rc == 0 ? check_pairings(t, &p) : rc;
}

static int read_lists(json_t *doc, struct arena *a, struct tournament_doc *t,
                      const struct field_place *p)
{
	int rc = 0;

	for (const struct field_list *l = lists; rc == 0 && l->key; l++)
		rc = field_list_read(l, doc, a, t, p);
	t->entry_cap = t->entry_count;
	t->team_cap = t->team_count;
	t->round_cap = t->round_count;
	t->game_cap = t->game_count;
	return rc;
}

static int read_format(const json_t *doc, const struct field_place *p)
{
	const json_t *format = json_object_get(doc, "format");

	if (!json_is_integer(format) || json_integer_value(format) != DOCUMENT_FORMAT)
		return field_complain(p, "format", "is not one that this program knows");
	return 0;
}

int tournament_doc_read(struct arena *a, const char *json, size_t len, struct tournament_doc *out,
                        struct err *e)
{
	struct field_place p = { .code = ERR_DAMAGED, .err = e };
	struct tournament_doc t = { 0 };
	json_auto_t *doc = NULL;
	int rc = fields_parse(json, len, TOURNAMENT_DOC_MAX, &doc, &p);

	if (rc == 0)
		rc = read_format(doc, &p);
	if (rc == 0)
		rc = fields_read(tournament_fields, doc, other, a, &t, &p);
	if (rc == 0)
		rc = read_lists(doc, a, &t, &p);
	if (rc == 0)
		rc = tournament_doc_check(&t, ERR_DAMAGED, e);
	if (rc == 0)
		*out = t;
	return rc;
}

int tournament_find(const struct tournament_doc *t, const char *userid)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (strcasecmp(t->entries[i].userid, userid) == 0)
			return (int)i + 1;
	return 0;
}

struct tournament_entry *tournament_add_entry(struct arena *a, struct tournament_doc *t)
{
	t->entries = array_room(a, t->entries, t->entry_count, &t->entry_cap, sizeof *t->entries);
	t->entries[t->entry_count] = (struct tournament_entry){ 0 };
	return &t->entries[t->entry_count++];
}

struct tournament_team *tournament_add_team(struct arena *a, struct tournament_doc *t)
{
	t->teams = array_room(a, t->teams, t->team_count, &t->team_cap, sizeof *t->teams);
	t->teams[t->team_count] = (struct tournament_team){ 0 };
	return &t->teams[t->team_count++];
}

struct tournament_game *tournament_add_game(struct arena *a, struct tournament_doc *t)
{
	t->games = array_room(a, t->games, t->game_count, &t->game_cap, sizeof *t->games);
	t->games[t->game_count] = (struct tournament_game){ 0 };
	return &t->games[t->game_count++];
}

struct tournament_round *tournament_add_round(struct arena *a, struct tournament_doc *t)
{
	t->round = array_room(a, t->round, t->round_count, &t->round_cap, sizeof *t->round);
	t->round[t->round_count] = (struct tournament_round){ .from = "", .out = "" };
	return &t->round[t->round_count++];
}

int tournament_unit_of(const struct tournament_doc *t, int number)
{
	return t->by_teams && number ? t->entries[number - 1].team : number;
}

size_t tournament_pairing_games(const struct tournament_doc *t, const struct tournament_game *g)
{
	return g->black && t->boards ? (size_t)t->boards : 1;
}

int tournament_byes_had(const struct tournament_doc *t, int number)
{
	int n = t->entries[number - 1].seed_points > 0;

	for (size_t i = 0; i < t->game_count; i++)
		n += t->games[i].white == number && !t->games[i].black &&
		     t->games[i].points[0] == 1;
	return n;
}

size_t tournament_count(const struct tournament_doc *t, enum tournament_standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < t->entry_count; i++)
		n += t->entries[i].standing == standing;
	return n;
}
