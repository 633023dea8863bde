/* Challenge ladders, one for each game: looking at one, entering, leaving, challenging. */
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/commands/tournament/tournament_games.h"
#include "pbm/commands/tournament/tournament_round.h"
#include "pbm/commands/tournament/tournament_seed.h"
#include "pbm/commands/tournament/tournament_tables.h"
#include "pbm/pairing/ladder.h"
#include "pbm/people/mail_limits.h"
#include "pbm/request/request_games.h"
#include "pbm/request/request_player.h"
#include "pbm/tournament/tournament_ladder.h"
#include "store/store_documents.h"

#define PREFIX "ladder "
#define TEXT_MAX (64 * 1024)
#define LATELY_MAX 1000 /* games of a player in the last days */

/* The game and player that were asked for, or NULL for each. */
struct ladder_asked {
	const struct rules *rules;
	const char *userid;
};

/* A player's name can't be that of a game. */
static bool read_asked(struct request *q, const struct call *c, bool user, struct ladder_asked *out)
{
	*out = (struct ladder_asked){ .rules = c->rules };
	for (size_t i = 0; i < c->argc; i++) {
		const char *word = c->argv[i];
		const struct rules *r = rules_find(word, strlen(word), NULL);

		if (r && !out->rules)
			out->rules = r;
		else if (user && !out->userid)
			out->userid = word;
		else
			return !request_refused(q, 0,
			                        "I can't read \"%.40s\" here.  The form is: %s",
			                        word, c->command->usage);
	}
	return true;
}

/* 1: there is one; 0: there is none yet, and *out is empty. */
static int get_ladder(struct request *q, const struct rules *r, struct tournament_doc *out,
                      struct err *e)
{
	const char *name = tournament_ladder_name(q->arena, r->name);
	int rc = err_found(store_tournament_get(q->site->store, q->arena, name, out, e),
	                   ERR_NOT_FOUND, e);

	if (rc < 0)
		return rc;
	if (rc == 1 && out->state == TOURNAMENT_RUNNING && out->kind == TOURNAMENT_LADDER)
		return 1;
	tournament_ladder_make(q->arena, r->name, q->now, out);
	return 0;
}

/* The only ladder on which the player stands, NULL: none, or several. */
static int own_game(struct request *q, const char *userid, const struct rules **out, struct err *e)
{
	size_t n = 0;

	*out = NULL;
	for (size_t i = 0; rules_all[i]; i++) {
		struct tournament_doc t;
		int rc = get_ladder(q, rules_all[i], &t, e);

		if (rc < 0)
			return rc;
		if (tournament_find(&t, userid)) {
			*out = rules_all[i];
			n++;
		}
	}
	if (n != 1)
		*out = NULL;
	return 0;
}

/* The line of a player about a ladder, read. */
struct ladder_wish {
	struct ladder_asked asked;
	struct tournament_doc t;
	int own, other; /* places */
};

/* Reads the words; without a game, the player's only ladder, on which he must stand.  1:
 * refused. */
static int read_own(struct request *q, struct call *c, bool challenges, struct err *e)
{
	struct ladder_wish *w = c->read = arena_alloc(q->arena, sizeof *w);
	const char *me = c->actor->userid;
	int rc = 0;

	*w = (struct ladder_wish){ 0 };
	if (!read_asked(q, c, challenges, &w->asked))
		return 1;
	if (!w->asked.rules)
		rc = own_game(q, me, &w->asked.rules, e);
	if (rc < 0)
		return rc;
	if (!w->asked.rules)
		return request_refused(
			q, 0, "Which ladder?  Say the game, too.  For example: ladder suicide");
	rc = get_ladder(q, w->asked.rules, &w->t, e);
	w->own = rc < 0 ? 0 : tournament_find(&w->t, me);
	if (rc >= 0 && !w->own)
		request_refuse(
			q, 0,
			"You don't stand on the ladder of %s.  To enter it, write: ladder join %s",
			w->asked.rules->title, w->asked.rules->name);
	return rc < 0 ? rc : !w->own;
}

/* ---- looking ---- */

static void write_line(const struct tournament_doc *t, int number, struct str *s)
{
	const struct tournament_game *g = tournament_ladder_open(t, number, true);
	const char *userid = t->entries[number - 1].userid;

	if (g)
		str_addf(s, "%4d  %-20s %-20s %lld\n", number, userid,
		         t->entries[g->white - 1].userid, (long long)g->board);
	else
		str_addf(s, "%4d  %s\n", number, userid);
}

static const char *places_text(struct request *q, const struct tournament_doc *t)
{
	struct str s = str_in(q->arena, TEXT_MAX);

	str_addf(&s, "   #  %-20s %-20s %s\n", "", "challenges", "board");
	for (int i = 1; i <= (int)t->entry_count; i++)
		write_line(t, i, &s);
	return s.data;
}

static int show_one(struct request *q, const struct rules *r, struct err *e)
{
	struct tournament_doc t;
	int rc = get_ladder(q, r, &t, e);

	if (rc < 0)
		return rc;
	if (t.entry_count == 0) {
		request_say(
			q,
			"Nobody stands on the ladder of %s yet.  To be the first, write: ladder join %s",
			r->title, r->name);
		return 0;
	}
	struct note *n = request_tell(
		q, NULL, 0, arena_printf(q->arena, "the ladder of %s", r->title),
		"The ladder of %s.  To enter it, write: ladder join %s.  To challenge a player up to %d places above you, write: ladder challenge, and the name",
		r->title, r->name, LADDER_REACH);
	n->body = places_text(q, &t);
	return 0;
}

static int show_all(struct request *q, struct err *e)
{
	int rc = 0;
	struct str s = str_in(q->arena, TEXT_MAX);

	for (size_t i = 0; rc >= 0 && rules_all[i]; i++) {
		struct tournament_doc t;

		rc = get_ladder(q, rules_all[i], &t, e);
		if (rc == 1 && t.entry_count)
			str_addf(&s, "%4zu  %-20s 1. %s\n", t.entry_count, rules_all[i]->name,
			         t.entries[0].userid);
	}
	const char *lines = s.len ? s.data : NULL;
	if (rc < 0)
		return rc;
	request_page(
		q, "the ladders",
		lines ? "The ladders, with the number of players.  To see one, write ladder and the game, for example: ladder suicide"
		      : "Nobody stands on a ladder yet.  To be the first, write: ladder join, and the game",
		lines);
	return 0;
}

static int run_show(struct request *q, struct call *c, struct err *e)
{
	struct ladder_asked asked;

	if (mail_limits_is_full(q) || !read_asked(q, c, false, &asked))
		return 0;
	return asked.rules ? show_one(q, asked.rules, e) : show_all(q, e);
}

/* ---- entering and leaving ---- */

/* 1: the player can't enter. */
static int read_join(struct request *q, struct call *c, struct err *e)
{
	struct ladder_wish *w = c->read = arena_alloc(q->arena, sizeof *w);
	struct tournament_doc *t = &w->t;

	*w = (struct ladder_wish){ 0 };
	if (!read_asked(q, c, false, &w->asked) || !suspension_actor_may_play(q, c))
		return 1;
	if (!w->asked.rules)
		return request_refused(q, 0, "Which ladder?  For example: ladder join suicide");
	int rc = get_ladder(q, w->asked.rules, t, e);
	int number = rc < 0 ? 0 : tournament_find(t, c->actor->userid);
	if (number)
		request_refuse(q, 0, "You stand on the ladder of %s already, as number %d.",
		               w->asked.rules->title, number);
	else if (rc >= 0 && t->entry_count >= TOURNAMENT_PLAYERS_MAX)
		request_refuse(q, 0, "The ladder of %s is full.", w->asked.rules->title);
	else if (rc >= 0 && (rc = tournament_entry_admits(q, t, c->actor, e)) == 1)
		return 0;
	return rc < 0 ? rc : 1;
}

static int run_join(struct request *q, struct call *c, struct err *e)
{
	struct tournament_doc *t = &((struct ladder_wish *)c->read)->t;
	struct tournament_entry *entry = tournament_add_entry(q->arena, t);

	*entry = (struct tournament_entry){ .userid = c->actor->userid, .at = q->now };
	int rc = tournament_seed_freeze(q, t, entry, e);
	if (rc == 0)
		rc = store_tournament_put(q->site->store, t, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	const char *title = rules_title(t->terms.game),
		   *subject = arena_printf(q->arena, "the ladder of %s", title);
	if (t->entry_count == 1) {
		request_tell(
			q, c->actor->userid, 0, subject,
			"You are number 1 on the ladder of %s.  Nobody else stands there yet.  If somebody challenges you, the game begins at once: you have White, and %d days for each move.",
			title, TOURNAMENT_LADDER_DAYS);
		return 0;
	}
	struct note *n = request_tell(
		q, c->actor->userid, 0, subject,
		"You are number %zu on the ladder of %s.  To challenge a player up to %d places above you, write: ladder challenge, and the name.  If somebody challenges you, the game begins at once: you have White, and %d days for each move.",
		t->entry_count, title, LADDER_REACH, TOURNAMENT_LADDER_DAYS);
	n->body = places_text(q, t);
	return 0;
}

/* The player's losses besides his place; NULL: nothing. */
static const char *leave_question(const struct tournament_doc *t, int number)
{
	return tournament_ladder_open(t, number, true) || tournament_ladder_open(t, number, false)
	               ? "Your open games on the ladder are lost."
	               : NULL;
}

static int read_leave(struct request *q, struct call *c, struct err *e)
{
	int rc = read_own(q, c, false, e);
	const struct ladder_wish *w = c->read;

	if (rc == 0 && !c->proved)
		q->held.why = leave_question(&w->t, w->own);
	return rc;
}

static int run_leave(struct request *q, struct call *c, struct err *e)
{
	struct ladder_wish *w = c->read;
	const char *why = leave_question(&w->t, w->own);

	if (why && hold_ask(q, c, arena_printf(q->arena, "%s %s", c->command->word, c->rest), why))
		return 0;
	int rc = tournament_withdraw(q, &w->t, w->own, e);
	q->done_count++;
	if (rc == 0)
		request_say(q, "You have left the ladder of %s.", w->asked.rules->title);
	return rc;
}

/* ---- challenging ---- */

/* Can a game begin that the player has not asked for? */
static bool is_present(struct request *q, const char *userid)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, userid, &p, NULL) == 0 && !p.deleted &&
	       !p.signed_off && suspension_may_play(q, &p) && player_is_reachable(&p);
}

/* Lists the challenges for the rules.  Whether two have played lately is asked of the store,
 * which also knows the games of players who have left the ladder since. */
static struct ladder_challenge *list_challenges(struct request *q, const struct tournament_doc *t)
{
	struct ladder_challenge *v = arena_alloc(q->arena, (t->game_count + 1) * sizeof *v);

	for (size_t i = 0; i < t->game_count; i++) {
		const struct tournament_game *g = &t->games[i];

		v[i] = (struct ladder_challenge){ g->black - 1, g->white - 1, g->over };
	}
	return v;
}

/* Players who left the ladder and came back have still played their games of these days.  The
 * board, or 0. */
static int64_t played_lately(struct request *q, const struct tournament_doc *t, int from, int to)
{
	int64_t since = q->now - LADDER_PAUSE_DAYS * INT64_C(86400);
	struct game_list games;
	struct game_doc d;

	request_games(q, t->entries[from - 1].userid, t->terms.game, GAMES_FINISHED, LATELY_MAX,
	              &games, NULL);
	for (size_t i = 0; i < games.n && games.v[i].ended >= since; i++)
		if (game_row_has(&games.v[i], t->entries[to - 1].userid) &&
		    store_game_get_summary(q->site->store, q->arena, games.v[i].board, &d, NULL) ==
		            0 &&
		    d.tournament && strcasecmp(d.tournament, t->name) == 0)
			return games.v[i].board;
	return 0;
}

static void refuse_challenge(struct request *q, const struct tournament_doc *t,
                             enum ladder_answer answer, int to, const struct tournament_game *g)
{
	const char *other = t->entries[to - 1].userid;

	if (answer == LADDER_SELF)
		request_refuse(q, 0, "You can't challenge yourself.");
	else if (answer == LADDER_BELOW)
		request_refuse(
			q, 0,
			"%s stands below you.  You can challenge players up to %d places above you.",
			other, LADDER_REACH);
	else if (answer == LADDER_FAR)
		request_refuse(
			q, 0,
			"%s is number %d, too far above you.  You can challenge players up to %d places above you.",
			other, to, LADDER_REACH);
	else if (answer == LADDER_OWN_RUNS)
		request_refuse(
			q, 0,
			"You have challenged %s already, on board %lld.  You can have one challenge at a time.",
			t->entries[g->white - 1].userid, (long long)g->board);
	else if (answer == LADDER_HAS_ONE)
		request_refuse(
			q, 0,
			"%s has already been challenged, on board %lld.  A player has to answer one challenge at a time.",
			other, (long long)g->board);
	else
		request_refuse(
			q, 0,
			"You and %s have played on board %lld.  The same two can play on the ladder again %d days after the end of their game.",
			other, (long long)g->board, LADDER_PAUSE_DAYS);
}

/* from, to: places of the ladder, from 1.  false: refused. */
static bool may_challenge(struct request *q, const struct tournament_doc *t, int from, int to)
{
	int which = 0;
	enum ladder_answer answer = ladder_may(list_challenges(q, t), (int)t->game_count, from - 1,
	                                       to - 1, q->now, &which);
	const struct tournament_game *g = answer == LADDER_YES ? NULL : &t->games[which];
	const struct tournament_game lately = { .board = answer == LADDER_YES
		                                                 ? played_lately(q, t, from, to)
		                                                 : 0 };

	if (lately.board) {
		answer = LADDER_SOON;
		g = &lately;
	}
	if (answer != LADDER_YES)
		refuse_challenge(q, t, answer, to, g);
	return answer == LADDER_YES;
}

/* 1: the challenge can't be made. */
static int read_challenge(struct request *q, struct call *c, struct err *e)
{
	if (!suspension_actor_may_play(q, c))
		return 1;
	int rc = read_own(q, c, true, e);
	struct ladder_wish *w = c->read;
	const struct ladder_asked *asked = &w->asked;
	if (rc != 0)
		return rc;
	w->other = asked->userid ? tournament_find(&w->t, asked->userid) : 0;
	if (!w->other)
		return request_refused(
			q, 0,
			"\"%.40s\" does not stand on the ladder of %s.  To see who does, write: ladder %s",
			asked->userid ? asked->userid : "", asked->rules->title,
			asked->rules->name);
	if (!may_challenge(q, &w->t, w->own, w->other))
		return 1;
	const char *other = w->t.entries[w->other - 1].userid;
	if (is_present(q, other))
		return 0;
	return request_refused(q, 0, "%s can't begin new games at present.", other);
}

static void tell_begin(struct request *q, const struct tournament_doc *t, int from, int to,
                       int64_t board)
{
	const char *me = t->entries[from - 1].userid, *other = t->entries[to - 1].userid;
	const char *game = rules_title(t->terms.game);
	struct note *n = request_note(q, other, board, NOTE_START | NOTE_BOARD | NOTE_ASK);

	n->seat = SEAT_WHITE;
	n->subject = arena_printf(q->arena, "%s challenges you on the ladder", me);
	n->headline = arena_printf(
		q->arena,
		"%s, number %d on the ladder of %s, challenges you, number %d.  You have White.  If you lose, also on time, %s takes your place.",
		me, from, game, to, me);
	n = request_note(q, me, board, NOTE_START | NOTE_BOARD);
	n->seat = SEAT_BLACK;
	n->subject = arena_printf(q->arena, "you challenge %s on the ladder", other);
	n->headline = arena_printf(
		q->arena,
		"You challenge %s, number %d on the ladder of %s.  %s has White, and moves first.  If you win, you take this place.",
		other, to, game, other);
}

static int run_challenge(struct request *q, struct call *c, struct err *e)
{
	struct ladder_wish *w = c->read;
	struct tournament_doc *t = &w->t;

	tournament_ladder_trim(t);
	int rc = tournament_start_pairing(q, t, 1, w->other, w->own, e);
	if (rc == 0)
		rc = store_tournament_put(q->site->store, t, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	tell_begin(q, t, w->own, w->other, t->games[t->game_count - 1].board);
	return 0;
}

static const struct command acts[] = {
	COMMAND(PREFIX "join", "ladder join game", "enters the ladder, at its bottom", GROUP_GAMES,
	        CMD_PROOF | CMD_PAIR, .read = read_join, .run = run_join),
	COMMAND(PREFIX "leave", "ladder leave [game]", "gives up the place on a ladder",
	        GROUP_GAMES, CMD_PROOF | CMD_PAIR, .read = read_leave, .run = run_leave),
	COMMAND(PREFIX "challenge", "ladder challenge userid [game]",
	        "challenges a player up to three places above", GROUP_GAMES, CMD_PROOF | CMD_PAIR,
	        .least = 1, .read = read_challenge, .run = run_challenge),
	{ .word = NULL }
};

static const struct command *const act_tables[] = { acts, NULL };

const struct command cmd_ladder_table[] = {
	COMMAND("ladder", "ladder [game], ladder join|leave [game], ladder challenge userid",
	        "the challenge ladder of a game: help ladder", GROUP_READ, 0, .run = run_show,
	        .acts = act_tables),
	{ .word = NULL }
};
