/* pbm tournament: a tournament as a report file of FIDE (TRF16), pairings that another program
 * made, and tournaments that began elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/tournament/tournament_round.h"
#include "pbm/commands/tournament/tournament_seed.h"
#include "pbm/program/prog_act.h"
#include "pbm/record/match.h"
#include "pbm/tournament/tournament_pairs.h"
#include "pbm/tournament/tournament_trf.h"
#include "store/store_documents.h"

#define FILE_MAX (4u << 20)
#define STORE_WAIT 10 /* seconds for another run to finish */
#define ROUND_DAYS 60

static int record(struct prog_call *c, const char *what, const char *name, struct err *e)
{
	return act_record(c->q, &(struct act_by){ "operator", NULL }, "tournament", NULL,
	                  arena_printf(c->q->arena, "%s %s", name, what), e);
}

/* The text of a file, which may be in Latin-1, in the request's arena. */
static int read_file(struct prog_call *c, const char *path, const char **out, struct err *e)
{
	AUTO(mem_free) char *text = NULL;
	int rc = prog_read_input(strcmp(path, "-") == 0 ? NULL : path, FILE_MAX, &text, e);

	if (rc < 0)
		return rc;
	*out = arena_strdup(c->q->arena, text);
	return 0;
}

/* ---- export ---- */

static int run_export(struct prog_call *c, struct err *e)
{
	struct tournament_doc t;
	struct trf f;
	AUTO(str_release) struct str s = str_heap(FILE_MAX);
	int rc = store_tournament_get(c->store, c->q->arena, c->argv[0], &t, e);

	if (rc < 0)
		return rc;
	if (t.kind == TOURNAMENT_LADDER || !t.started)
		return err_set(e, ERR_BAD, "%s is a ladder, or has not begun", t.name);
	tournament_trf_make(c->q->arena, &t, &f);
	trf_write(&f, &s);
	fputs(s.data, stdout);
	return s.truncated ? err_set(e, ERR_LIMIT, "the file is too long") : 0;
}

/* ---- pair ---- */

/* Reads a list of pairs, or a report file with one round more. */
static int read_pairs(struct prog_call *c, const struct tournament_doc *t, const char *text,
                      struct tournament_pair *list, size_t *n, struct err *e)
{
	struct trf f;
	struct err why = { 0 };

	if (trf_read(c->q->arena, text, &f, &why) < 0)
		return strstr(text, "001 ") ? err_set(e, ERR_BAD, "%s", why.text)
		                            : tournament_pairs_read(t, text, list, n, e);
	int rc = trf_check(&f, e);
	return rc == 0 ? tournament_trf_pairs(c->q->arena, t, &f, list, n, e) : rc;
}

static int run_pair(struct prog_call *c, struct err *e)
{
	struct tournament_pair list[TOURNAMENT_PLAYERS_MAX];
	struct tournament_doc t;
	size_t n = 0;
	const char *text = "";
	int rc = store_tournament_get(c->store, c->q->arena, c->argv[0], &t, e);

	if (rc == 0)
		rc = read_file(c, c->argv[1], &text, e);
	if (rc < 0)
		return rc;
	if (t.state != TOURNAMENT_RUNNING)
		return err_set(e, ERR_BAD, "the tournament %s is not being played", t.name);
	const char *why = tournament_pairs_refused(c->q->arena, &t);
	if (why)
		return err_set(e, ERR_BAD, "%s", why);
	rc = read_pairs(c, &t, text, list, &n, e);
	if (rc == 0)
		rc = tournament_pair_round(c->q, &t, list, n, e);
	if (rc == 0)
		rc = record(c, "pair", t.name, e);
	if (rc == 0)
		printf("round %zu is paired: %zu pairs\n", t.round_count, n);
	return rc;
}

/* ---- import ---- */

/* The account of a player: the one that --player names, or the one that has the name itself. */
static const char *find_account(struct prog_call *c, const char *name)
{
	struct player_doc p;
	const char *userid = name;
	size_t n = strlen(name);

	for (size_t i = 4; i < c->argc; i++)
		if (strncmp(c->argv[i], name, n) == 0 && c->argv[i][n] == '=')
			userid = c->argv[i] + n + 1;
	return store_player_get(c->store, c->q->arena, userid, &p, NULL) == 0 && !p.deleted
	               ? p.userid
	               : NULL;
}

static int find_accounts(struct prog_call *c, const struct trf *f, const char **userids,
                         struct err *e)
{
	size_t missing = 0;

	for (size_t i = 0; i < f->player_count; i++) {
		userids[i] = find_account(c, f->players[i].name);
		if (!userids[i])
			fprintf(stderr, "pbm: \"%s\" is no player here: add \"%s=USERID\"\n",
			        f->players[i].name, f->players[i].name);
		missing += !userids[i];
	}
	return missing ? err_set(e, ERR_BAD, "%zu players have no account", missing) : 0;
}

/* Makes the document's beginning: its name, game and director. */
static int begin_doc(struct prog_call *c, const struct trf *f, struct tournament_doc *t,
                     struct err *e)
{
	struct player_doc director;
	const struct rules *r = rules_find(c->argv[1], strlen(c->argv[1]), e);
	const char *name = c->argv[0];

	if (!r || store_player_get(c->store, c->q->arena, c->argv[2], &director, e) < 0)
		return e->code;
	*t = (struct tournament_doc){ .name = name,
		                      .director = director.userid,
		                      .kind = TOURNAMENT_SWISS,
		                      .by_hand = true,
		                      .terms = { .game = r->name,
		                                 .options = "",
		                                 .rated = true,
		                                 .days = MATCH_DAYS,
		                                 .reserve = MATCH_RESERVE },
		                      .rounds = f->rounds ? f->rounds : (int)f->round_count,
		                      .least = 2,
		                      .most = TOURNAMENT_PLAYERS_MAX,
		                      .round_days = ROUND_DAYS,
		                      .created = c->q->now,
		                      .started = c->q->now };
	const char *why = tournament_name_refused(c->q, name);
	if (why)
		return err_set(e, ERR_BAD, "%s", why);
	if (f->player_count < 2 || f->player_count > TOURNAMENT_PLAYERS_MAX)
		return err_set(e, ERR_BAD, "a tournament has 2 to %d players",
		               TOURNAMENT_PLAYERS_MAX);
	return 0;
}

static int run_import(struct prog_call *c, struct err *e)
{
	struct tournament_doc t = { 0 };
	struct trf f = { 0 };
	const char *text = "";
	const char **userids;
	int rc = read_file(c, c->argv[3], &text, e);

	if (rc == 0)
		rc = trf_read(c->q->arena, text, &f, e);
	if (rc == 0)
		rc = trf_check(&f, e);
	if (rc == 0)
		rc = begin_doc(c, &f, &t, e);
	if (rc < 0)
		return rc;
	userids = arena_alloc(c->q->arena, f.player_count * sizeof *userids);
	rc = find_accounts(c, &f, userids, e);
	if (rc == 0)
		rc = tournament_trf_take(c->q->arena, &f, userids, c->q->now, &t, e);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < t.entry_count; i++)
		t.entries[i].lot = tournament_seed_lot(c->q, &t, t.entries[i].userid);
	t.lot = f.colour_said ? f.black_first : 0;
	t.state = t.rounds > (int)t.round_count ? TOURNAMENT_RUNNING : TOURNAMENT_FINISHED;
	t.ended = t.state == TOURNAMENT_FINISHED ? c->q->now : 0;
	t.due = t.state == TOURNAMENT_RUNNING ? c->q->now : 0;
	rc = store_tournament_put(c->store, &t, e);
	if (rc == 0)
		rc = record(c, "import", t.name, e);
	if (rc == 0)
		printf("%zu players, %zu rounds, %zu games\n", t.entry_count, t.round_count,
		       t.game_count);
	return rc;
}

/* ---- the table ---- */

static const struct prog_act acts[] = {
	{ "export", "NAME", 1, 1, .run = run_export },
	{ "pair", "NAME FILE|-", 2, 2, .writes = true, .run = run_pair },
	{ "import", "NAME GAME DIRECTOR FILE|- [\"LASTNAME, FIRSTNAME=USERID\"]…", 4, PROG_MANY,
	  .writes = true, .run = run_import },
	{ .word = NULL },
};

int prog_tournament(const struct prog_options *o, int argc, char **argv)
{
	return prog_act(o, argc, argv, acts, STORE_WAIT);
}
