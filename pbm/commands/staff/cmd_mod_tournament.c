/* Acts of the director of a tournament: "mod tournament" with a name and an act. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/answer/notify.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/staff/cmd_mod_club.h"
#include "pbm/commands/staff/cmd_mod_entry.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/commands/staff/staff_tables.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/tournament/tournament_mail.h"
#include "pbm/commands/tournament/tournament_options.h"
#include "pbm/commands/tournament/tournament_round.h"
#include "pbm/pairing/pairing.h"
#include "pbm/people/naming.h"
#include "pbm/people/roles.h"
#include "pbm/text/words.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_teams.h"
#include "store/store_documents.h"

/* One act on a tournament that there is. */
struct tournament_act {
	const char *word;
	/* Could it be done?  If not, says why. */
	bool (*check)(struct request *q, struct call *c, struct tournament_doc *t);
	int (*run)(struct request *q, struct call *c, struct tournament_doc *t, struct err *e);
};

static const char *line_of(struct request *q, const struct call *c)
{
	return arena_printf(q->arena, "%s %s", c->command->word, c->rest);
}

/* ---- new ---- */

/* NULL: refused. */
static const char *new_name(struct request *q, const struct call *c)
{
	const char *name = c->argc > 1 ? c->argv[1] : "";
	const char *why = tournament_name_refused(q, name);

	if (why)
		request_refuse(q, 0, "%s", why);
	return !why && naming_may(q, NAMING_TOURNAMENT, name) ? name : NULL;
}

/* 1: refused. */
static int read_new(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	*t = (struct tournament_doc){ .name = new_name(q, c), .director = c->actor->userid };
	if (!t->name)
		return 1;
	struct tournament_doc before;
	int rc = tournament_options_read(q, c, 2, t, e);
	t->created = q->now;
	t->due = t->until;
	if (rc != 0 || !t->after)
		return rc;
	rc = store_tournament_get(q->site->store, q->arena, t->after, &before, e);
	return rc == 0 ? !moderate_may_follow(q, c, &before) : rc;
}

static int run_new(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	int rc = cmd_mod_entry_ask(q, c, t, e);
	if (rc == 0)
		rc = cmd_mod_entry_record(q, c, t, "new", NULL, NULL, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	struct note *n = request_tell(
		q, c->actor->userid, 0, arena_printf(q->arena, "the new tournament %s", t->name),
		t->by_teams
			? "The tournament %s takes entries of teams.  Players write: join %s team, and its name.  To begin it, write: mod tournament %s start"
			: "The tournament %s takes entries.  Players write: join %s.  To begin it, write: mod tournament %s start",
		t->name, t->name, t->name);
	n->body = tournament_text(q, t, c->actor->userid, TOURNAMENT_CONDITIONS, e);
	return n->body ? 0 : (int)e->code;
}

/* ---- start, round, end ---- */

/* "start -swiss=5": reads fewer rounds than the tournament has. */
static bool read_rounds(struct request *q, const struct call *c, struct tournament_doc *t)
{
	static const char word[] = "-swiss=";
	const char *said = c->argc > 2 ? c->argv[2] : NULL;

	if (!said)
		return true;
	size_t n = str_prefix(said, word), digits = strspn(said + n, "0123456789");
	int rounds = n && digits && digits < 4 && !said[n + digits] ? atoi(said + n) : 0;
	if (t->kind == TOURNAMENT_SWISS && rounds > 0) {
		t->rounds = rounds;
		return true;
	}
	return !request_refused(
		q, 0, "The form is: mod tournament %s start, or: mod tournament %s start -swiss=5",
		t->name, t->name);
}

/* The question to the director before it begins. */
static const char *start_question(struct request *q, const struct tournament_doc *t, int units)
{
	if (t->by_teams)
		return arena_printf(
			q->arena,
			"The tournament %s begins with %d teams (at least %d were announced), and its first games start.  Teams without a player for each board don't play.  The answer is good for an hour.",
			t->name, units, t->least);
	if (units < t->least)
		return arena_printf(
			q->arena,
			"The tournament %s begins with %d players, fewer than the %d that were announced, and its first games start.  The answer is good for an hour.",
			t->name, units, t->least);
	return arena_printf(
		q->arena,
		"The tournament %s begins with %d players, and its first games start.  The answer is good for an hour.",
		t->name, units);
}

static bool can_start(struct request *q, struct call *c, struct tournament_doc *t)
{
	int units = (int)tournament_ready(t);

	if (t->state != TOURNAMENT_OPEN)
		return tournament_find_refuse_state(q, t);
	if (!read_rounds(q, c, t))
		return false;
	if (t->kind == TOURNAMENT_SIMUL && units == 0)
		return !request_refused(
			q, 0,
			"The simul %s can't begin: whoever is to play all others has not entered it.",
			t->name);
	if (units < 2 && t->by_teams)
		return !request_refused(
			q, 0,
			"The tournament %s has %d teams with a player for each of %d boards, and needs at least 2.",
			t->name, units, tournament_boards(t));
	if (units < 2)
		return !request_refused(q, 0,
		                        "The tournament %s needs at least 2 players.  So far: %d.",
		                        t->name, units);
	if (t->kind == TOURNAMENT_SWISS && !tournament_options_fit(q, t, units)) {
		q->notes[q->note_count - 1].body = arena_printf(
			q->arena, "    mod tournament %s start -swiss=%d", t->name,
			pairing_rounds_max(PAIRING_SWISS, units));
		return false;
	}
	if (!q->confirming)
		q->held.why = start_question(q, t, units);
	return true;
}

static int run_start(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	if (hold_ask_final(q, c, line_of(q, c), q->held.why))
		return 0;
	cmd_mod_entry_record(q, c, t, "start", NULL, NULL, e);
	int rc = tournament_start(q, t, e);
	if (strcasecmp(t->director, c->actor->userid) == 0)
		return rc; /* the mail about the first round tells the director */
	if (rc == 0 && t->by_teams)
		request_say(q, "The tournament %s has begun with %zu teams.", t->name,
		            t->team_count);
	else if (rc == 0)
		request_say(q, "The tournament %s has begun with %zu players.", t->name,
		            t->entry_count);
	return rc;
}

static const char end_question[] =
	"The tournament ends with the table as it stands.  Open games go on, and come into the table when they end.  The answer is good for an hour.";

/* Is there no round after this one? */
static bool is_last_round(const struct tournament_doc *t)
{
	return t->round_count >= (size_t)t->rounds;
}

static bool can_round(struct request *q, struct call *, struct tournament_doc *t)
{
	if (t->state != TOURNAMENT_RUNNING)
		return tournament_find_refuse_state(q, t);
	if (is_last_round(t) && !q->confirming)
		q->held.why = end_question;
	if (t->by_hand && !is_last_round(t))
		return !request_refused(
			q, 0,
			"The tournament %s is paired by hand: mod tournament %s pair alice:bob",
			t->name, t->name);
	if (t->kind == TOURNAMENT_SWISS)
		return true;
	return !request_refused(
		q, 0,
		"Only in a Swiss tournament a round can begin while games of the one before go on.  To decide a game, write: mod tournament %s result board 1-0 why",
		t->name);
}

static int run_round(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	if (is_last_round(t) && hold_ask_final(q, c, line_of(q, c), q->held.why))
		return 0;
	int rc = cmd_mod_entry_record(q, c, t, "round", NULL, NULL, e);

	if (rc == 0) /* results of the same mail come before the round */
		rc = notify_others(q, e);
	if (rc == 0)
		rc = tournament_go_on(q, t, true, e);
	if (rc == 0 && t->state == TOURNAMENT_RUNNING)
		request_say(q, "Round %zu of the tournament %s is paired.", t->round_count,
		            t->name);
	else if (rc == 0)
		request_say(q, "The tournament %s is over.", t->name);
	return rc;
}

/* Reads the pairs after "spring pair".  Returns how many there are, 0: refused. */
static size_t read_pairs(struct request *q, const struct call *c, const struct tournament_doc *t,
                         struct tournament_pair *list)
{
	const char *rest = c->rest;
	struct err why = { 0 };
	size_t n = 0, words = 0;

	for (size_t len; *(rest += strspn(rest, " \t,;")); rest += len, words++) {
		len = strcspn(rest, " \t,;");
		if (words < 2)
			continue;
		if (tournament_pairs_add(t, arena_strndup(q->arena, rest, len), list, &n, &why) < 0)
			return !request_refused(q, 0, "%s", why.text);
	}
	if (n == 0)
		request_refuse(
			q, 0,
			"Say who plays whom, White first: mod tournament %s pair alice:bob carol:dave.  A name alone has a bye.",
			t->name);
	return n;
}

static bool can_pair(struct request *q, struct call *c, struct tournament_doc *t)
{
	struct tournament_pair list[TOURNAMENT_PLAYERS_MAX];
	const char *why = tournament_pairs_refused(q->arena, t);

	if (t->state != TOURNAMENT_RUNNING)
		return tournament_find_refuse_state(q, t);
	if (why)
		request_refuse(q, 0, "%s", why);
	return !why && read_pairs(q, c, t, list) > 0;
}

static int run_pair(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	struct tournament_pair list[TOURNAMENT_PLAYERS_MAX];
	size_t n = read_pairs(q, c, t, list);

	if (n == 0)
		return 0;
	int rc = cmd_mod_entry_record(q, c, t, "pair", NULL, NULL, e);
	if (rc == 0)
		rc = tournament_pair_round(q, t, list, n, e);
	if (rc == 0)
		request_say(q, "Round %zu of the tournament %s is paired.", t->round_count,
		            t->name);
	return rc;
}

static bool can_end(struct request *q, struct call *c, struct tournament_doc *t)
{
	if (t->state != TOURNAMENT_OPEN && t->state != TOURNAMENT_RUNNING)
		return tournament_find_refuse_state(q, t);
	if (!moderate_reason(q, c, 2))
		return false;
	if (!q->confirming)
		q->held.why =
			t->state == TOURNAMENT_OPEN
				? "The tournament does not take place, and all who have entered are told.  The answer is good for an hour."
				: end_question;
	return true;
}

static int run_end(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	const char *why = moderate_reason(q, c, 2);

	if (hold_ask_final(q, c, line_of(q, c), q->held.why))
		return 0;
	cmd_mod_entry_record(q, c, t, "end", NULL, why, e);
	int rc = notify_others(q, e);
	if (rc == 0)
		rc = tournament_end(q, t, why, c->actor, e);
	if (rc == 0)
		request_say(q, "The tournament %s is over.", t->name);
	return rc;
}

/* ---- result ---- */

/* The call "mod adjudicate board result why".  false: refused. */
static bool adjudication(struct request *q, const struct call *c, const struct tournament_doc *t,
                         struct call *out)
{
	struct board_ref ref;
	const char *word = c->argc > 2 ? c->argv[2] : "";

	*out = *c;
	if (!words_board(word, &ref) || !tournament_game_of(t, ref.board) ||
	    !(out->match = request_match(q, ref.board, NULL)))
		return !request_refused(
			q, 0,
			"\"%.20s\" is no board of the tournament %s.  Its boards stand in the table: tournament %s",
			word, t->name, t->name);
	out->board = ref.board;
	out->command = command_act(command_find("mod", 3, NULL), "adjudicate");
	for (size_t i = 0; i < 3; i++) {
		out->rest += strcspn(out->rest, " \t");
		out->rest += strspn(out->rest, " \t");
		out->argc--;
	}
	memmove(out->argv, c->argv + 3, out->argc * sizeof *out->argv);
	return true;
}

static bool can_result(struct request *q, struct call *c, struct tournament_doc *t)
{
	struct call own;

	if (!adjudication(q, c, t, &own) || own.command->read(q, &own, NULL) != 0)
		return false;
	if (!c->proved) { /* the question names the game */
		c->board = own.board;
		c->match = own.match;
	}
	return true;
}

static int run_result(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	struct call own;

	if (!adjudication(q, c, t, &own))
		return 0;
	int rc = moderate_is_often(q, &own, e);
	rc = rc == 0 ? command_run(q, &own, e) : rc;
	return rc < 0 ? rc : 0;
}

/* ---- the table ---- */

static const struct tournament_act acts[] = {
	{ "start", can_start, run_start },
	{ "round", can_round, run_round },
	{ "pair", can_pair, run_pair },
	{ "end", can_end, run_end },
	{ "add", cmd_mod_entry_can_add, cmd_mod_entry_add },
	{ "remove", cmd_mod_entry_can_remove, cmd_mod_entry_remove },
	{ "result", can_result, run_result },
	{ "message", cmd_mod_club_can_message, cmd_mod_club_message },
};

static const struct tournament_act *act_of(const struct call *c, size_t i)
{
	const char *word = c->argc > i ? c->argv[i] : "";

	for (size_t k = 0; k < sizeof acts / sizeof acts[0]; k++)
		if (strcasecmp(acts[k].word, word) == 0)
			return &acts[k];
	return NULL;
}

/* "start spring" is "spring start". */
static void turn_round(struct request *q, struct call *c)
{
	struct tournament_doc t;

	if (c->argc < 2 || !act_of(c, 0) || act_of(c, 1) ||
	    (c->argc > 2 &&
	     store_tournament_get(q->site->store, q->arena, c->argv[1], &t, NULL) < 0))
		return;
	const char *name = c->argv[1];

	c->argv[1] = c->argv[0];
	c->argv[0] = name;
}

static const struct tournament_act *find_act(struct request *q, const struct call *c)
{
	const struct tournament_act *act = act_of(c, 1);

	if (act)
		return act;
	request_refuse(
		q, 0,
		"Say what is to be done with the tournament %.40s: start, add, remove, round, pair, result, message or end.",
		c->argv[0]);
	return NULL;
}

static bool is_new(const struct call *c)
{
	return c->argc && strcasecmp(c->argv[0], "new") == 0;
}

/* A ladder never ends, and nobody directs it. */
static bool fits_kind(struct request *q, const struct tournament_act *act,
                      const struct tournament_doc *t)
{
	if (t->kind != TOURNAMENT_LADDER || strcmp(act->word, "remove") == 0)
		return true;
	return !request_refused(
		q, 0,
		"%s is a ladder.  A moderator can only take a player off it: mod tournament %s remove bob why",
		t->name, t->name);
}

/* An act on a tournament; NULL: t is a new one. */
struct direction {
	const struct tournament_act *act;
	struct tournament_doc t;
};

/* 1: refused. */
static int read_direction(struct request *q, struct call *c, struct err *e)
{
	struct direction *d = c->read = arena_alloc(q->arena, sizeof *d);

	turn_round(q, c);
	*d = (struct direction){ 0 };
	if (is_new(c))
		return moderate_may_direct(q, c, NULL) ? read_new(q, c, &d->t, e) : 1;
	if (roles_rank(roles_of(c->actor)) == 0 && !moderate_may_direct(q, c, NULL))
		return 1;
	int rc = tournament_find_named(q, c, &d->t, e);
	if (rc != 0)
		return rc;
	d->act = find_act(q, c);
	return !d->act || !moderate_may_direct(q, c, &d->t) || !fits_kind(q, d->act, &d->t) ||
	       !d->act->check(q, c, &d->t);
}

static int run_direct(struct request *q, struct call *c, struct err *e)
{
	struct direction *d = c->read;

	return d->act ? d->act->run(q, c, &d->t, e) : run_new(q, c, &d->t, e);
}

const struct command cmd_mod_tournament_acts[] = {
	COMMAND_ACT("mod tournament",
	            "mod tournament new name game -options, name start|add|result|…",
	            CMD_PROOF | CMD_PAIR | CMD_STAFF, .least = 1, .read = read_direction,
	            .run = run_direct),
	{ .word = NULL }
};
