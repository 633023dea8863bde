/* Reading about players: who, list, finger. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/account/account_tables.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/computer.h"
#include "pbm/people/holiday.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/punctuality.h"
#include "pbm/people/roles.h"
#include "pbm/people/settings.h"
#include "pbm/rating/rating.h"
#include "pbm/record/match.h"
#include "pbm/request/request_player.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"

#define PLAYERS_SHOWN 100 /* in one mail */
#define GAMES_COUNTED 200 /* of one player, or of one kind */
#define TALLIED 100000    /* games of one player */
#define KINDS_MAX 64      /* kinds of games */

/* A player's games, of one kind. */
struct tally {
	const char *game;
	int running, won, lost, drawn;
};

struct tallies {
	struct arena *a;
	const char *userid;
	size_t n;
	struct tally v[KINDS_MAX];
};

static struct tally *tally_of(struct tallies *t, const char *game)
{
	size_t i = 0;

	while (i < t->n && strcmp(t->v[i].game, game) != 0)
		i++;
	if (i == t->n && t->n < KINDS_MAX)
		t->v[t->n++].game = arena_strdup(t->a, game);
	return &t->v[i < KINDS_MAX ? i : KINDS_MAX - 1];
}

static int tally_game(const struct game_row *row, void *arg)
{
	struct tallies *all = arg;
	bool white = row->players[0] && strcasecmp(row->players[0], all->userid) == 0;

	if (row->state != GAME_RUNNING && row->state != GAME_FINISHED)
		return 0;
	struct tally *t = tally_of(all, row->game);
	if (row->state == GAME_RUNNING)
		t->running++;
	else if (strcmp(row->result, "1/2-1/2") == 0)
		t->drawn++;
	else if ((strcmp(row->result, "1-0") == 0) == white)
		t->won++;
	else
		t->lost++;
	return 0;
}

/* A line for each kind of game that the player has played. */
static int write_games(struct request *q, const struct tallies *t, struct str *out, struct err *e)
{
	if (t->n)
		str_add(out, "Game                   rating  running   won  lost drawn\n");
	for (size_t i = 0; i < t->n; i++) {
		const struct tally *g = &t->v[i];
		struct rating_row row;
		struct str s = STR_LOCAL(40);
		int rc = store_rating(q->site->store, t->userid, g->game, &row, e);

		if (rc < 0)
			return rc;
		if (rc)
			rating_write((double)row.rating / 100, (double)row.deviation / 100, &s);
		str_addf(out, "%-22s %6s %8d %5d %5d %5d\n", rules_title(g->game),
		         rc ? s.data : "-", g->running, g->won, g->lost, g->drawn);
	}
	return 0;
}

static int write_time(struct request *q, const char *userid, struct str *out, struct err *e)
{
	struct punctuality p;
	int64_t pace = -1;
	int rc = punctuality_of(q, userid, &p, e);

	if (rc == 0)
		rc = punctuality_pace(q, userid, &pace, e);
	if (rc < 0)
		return rc;
	if (p.turns)
		str_addf(out, "Turns in time: %lld%% of %lld\n", (long long)p.percent,
		         (long long)p.turns);
	if (pace >= 0) {
		str_add(out, "Time for a move, on the average: ");
		text_duration(pace, out);
		str_add_char(out, '\n');
	}
	return 0;
}

/* Does a moderator, or this player, get the answer? */
static bool reads_all(const struct request *q, const struct player_doc *p)
{
	const struct player_doc *reader = &q->who.player;

	return q->who.known && player_has_address(reader, q->mail.from) &&
	       (roles_is_staff(reader) || strcasecmp(reader->userid, p->userid) == 0);
}

/* Says what moderators did to the account; others need not know. */
static void write_standing(struct request *q, const struct player_doc *p, struct str *out)
{
	bool all = reads_all(q, p);
	const char *when = request_date(q, request_userid(q), p->banned ? p->banned : p->suspended);

	if (p->banned && all)
		str_addf(out, "%s is banned since %s, by %s.  The reason: %s\n", p->userid, when,
		         p->banned_by ? p->banned_by : "-", p->banned_why ? p->banned_why : "-");
	else if (p->banned)
		str_addf(out, "%s does not play here any more.\n", p->userid);
	else if (p->suspended > q->now && all)
		str_addf(out, "%s is suspended until %s: until then no new games.\n", p->userid,
		         when);
	else if (p->suspended > q->now)
		str_addf(out, "%s can't begin new games at present.\n", p->userid);
}

static void write_state(struct request *q, const struct player_doc *p, struct str *out)
{
	size_t before = out->len;

	if (computer_is(p))
		str_addf(out,
		         p->plays ? "A computer of level %d, which plays: %s\n"
		                  : "A computer of level %d, which plays every game.\n",
		         p->level, p->plays);
	if (computer_is(p) && p->rated)
		str_add(out, "Its games are rated where the offer says -rated.\n");
	write_standing(q, p, out);
	if (p->signed_off && !p->banned)
		str_addf(
			out,
			"%s has signed off, and gets no mails.  Running games go on by the clock.\n",
			p->userid);
	if (!settings_is(p, "open", "yes") && !p->banned)
		str_addf(out, "%s takes no offers.\n", p->userid);
	holiday_write(p, q->now, request_zone(q, request_userid(q)), out);
	if (out->len > before && out->data[out->len - 1] != '\n')
		str_add_char(out, '\n');
}

static int write_profile(struct request *q, const struct player_doc *p, struct str *out,
                         struct err *e)
{
	struct tallies *t = arena_alloc(q->arena, sizeof *t);
	const char *name = settings_get(p, "name");

	t->a = q->arena;
	t->userid = p->userid;
	int rc = store_games(q->site->store, p->userid, NULL, GAMES_ALL, TALLIED, 0, tally_game, t,
	                     e);
	if (*name)
		str_addf(out, "Name: %s\n", name);
	write_state(q, p, out);
	if (out->len)
		str_add_char(out, '\n');
	if (rc == 0)
		rc = write_games(q, t, out, e);
	if (rc == 0 && t->n)
		str_add_char(out, '\n');
	if (rc == 0 && t->n == 0)
		str_addf(out, "%s has played no games yet.\n", p->userid);
	return rc == 0 ? write_time(q, p->userid, out, e) : rc;
}

/* The player's role in brackets, a column of its own in lists; or "". */
static const char *role_words(const struct player_doc *p)
{
	unsigned roles = roles_of(p);

	return roles & ROLE_OPERATOR    ? "(operator)"
	       : roles & ROLE_MODERATOR ? "(moderator)"
	       : roles & ROLE_DIRECTOR  ? "(director)"
	       : roles & ROLE_COMPUTER  ? "(computer)"
	                                : "";
}

/* finger [userid] */
static int run_finger(struct request *q, struct call *c, struct err *e)
{
	const char *who = c->argc ? c->argv[0] : request_userid(q);
	struct player_doc p;

	if (mail_limits_is_full(q))
		return 0;
	if (!who)
		return request_refused(q, 0, "Something is missing.  The form is: %s",
		                       c->command->usage);
	int rc = err_found(store_player_get(q->site->store, q->arena, who, &p, e), ERR_BAD, e);
	if (rc == 0 && !wish_refuse_near(q, who))
		request_refuse(q, 0, "There is no player %.40s.", who);
	if (rc <= 0)
		return rc;
	if (strcasecmp(p.userid, who) != 0)
		request_say(q, "%s is called %s now.", who, p.userid);
	const char *since = request_date(q, request_userid(q), p.deleted ? p.deleted : p.created);
	if (p.deleted) {
		request_say(q, "%s left this server on %s.", p.userid, since);
		return 0;
	}
	struct str body = str_in(q->arena, 65536);
	rc = write_profile(q, &p, &body, e);
	if (rc == 0) {
		const char *role = role_words(&p);
		request_tell(q, NULL, 0, arena_printf(q->arena, "about %s", p.userid),
		             "%s%s, here since %s.", p.userid,
		             *role ? arena_printf(q->arena, " %s", role) : "", since)
			->body = body.data;
	}
	return rc;
}

/* The lines of a list of players. */
struct players {
	struct request *q;
	struct str *out;
	const char *game; /* NULL: all kinds */
	size_t n;
	const char *last;
	struct err *err;
	int rc;
};

/* "  alice   3 games: Suicide 2, Chess 1" */
static int player_line(const char *userid, void *arg)
{
	struct players *l = arg;
	struct tallies *t = arena_alloc(l->q->arena, sizeof *t);
	struct player_doc p;
	int running = 0;

	l->last = arena_strdup(l->q->arena, userid);
	if (store_player_get(l->q->site->store, l->q->arena, userid, &p, NULL) < 0 || p.deleted ||
	    p.banned)
		return 0;
	t->a = l->q->arena;
	t->userid = p.userid;
	l->rc = store_games(l->q->site->store, userid, NULL, GAMES_OPEN, GAMES_COUNTED, 0,
	                    tally_game, t, l->err);
	if (l->rc < 0)
		return l->rc;
	for (size_t i = 0; i < t->n; i++)
		running += t->v[i].running;
	str_addf(l->out, running ? "  %-20s" : "  %s", p.userid);
	if (running)
		str_addf(l->out, " %d running:", running);
	for (size_t i = 0; i < t->n; i++)
		str_addf(l->out, "%s %s %d", i ? "," : "", rules_title(t->v[i].game),
		         t->v[i].running);
	str_addf(l->out, *role_words(&p) ? "  %s\n" : "%s\n", role_words(&p));
	l->n++;
	return 0;
}

/* who [after userid]: all players by name, and what they play. */
static int list_all(struct request *q, const char *after, struct err *e)
{
	struct str s = str_in(q->arena, 65536);
	struct players l = { .q = q, .out = &s, .err = e };

	int rc = store_players(q->site->store, after, PLAYERS_SHOWN, player_line, &l, e);
	if (rc == 0 && l.n == PLAYERS_SHOWN && l.last)
		str_addf(&s, "\nThere may be more: who after %s\n", l.last);
	const char *game = example_game(q);
	str_addf(&s,
	         "\nTo offer one of them a game, write: match <name> %s\n"
	         "To offer a game to anybody, write: seek %s\n",
	         game, game);
	if (rc == 0)
		request_page(q, "the players",
		             l.n ? "The players, and their running games:"
		                 : "There are no players.",
		             s.data);
	return rc;
}

/* The players of one kind of game, each once. */
static bool has_line(const struct players *l, const char *userid)
{
	return strstr(l->out->data, PRINTED(64, "\n  %.40s ", userid)) != NULL;
}

static void add_player(struct players *l, const char *userid)
{
	struct player_doc p;
	struct rating_row row;
	char text[40] = "";
	struct str s = STR_FIXED(text);

	if (!userid || has_line(l, userid) || l->n == PLAYERS_SHOWN ||
	    store_player_get(l->q->site->store, l->q->arena, userid, &p, NULL) < 0 || p.deleted ||
	    p.banned || has_line(l, p.userid))
		return;
	if (store_rating(l->q->site->store, userid, l->game, &row, NULL) == 1)
		rating_write((double)row.rating / 100, (double)row.deviation / 100, &s);
	str_addf(l->out, *role_words(&p) ? "  %-20s %6s  %s\n" : "  %-20s %6s%s\n", p.userid, text,
	         role_words(&p));
	l->n++;
}

static int add_rated(const struct rating_row *row, void *arg)
{
	add_player(arg, row->player);
	return 0;
}

static int add_playing(const struct game_row *row, void *arg)
{
	add_player(arg, row->players[0]);
	add_player(arg, row->players[1]);
	return 0;
}

/* who game: the rated players, best first, then the others who play it now. */
static int list_game(struct request *q, const struct rules *r, struct err *e)
{
	struct store *store = q->site->store;
	struct str s = str_in(q->arena, 65536);
	struct players l = { .q = q, .out = &s, .game = r->name };

	str_add(&s, "\n"); /* each line has an end before it */
	int rc = store_ranking(store, r->name, PLAYERS_SHOWN, 0, add_rated, &l, e);
	if (rc == 0)
		rc = store_ranking_provisional(store, r->name, PLAYERS_SHOWN, 0, add_rated, &l, e);
	if (rc == 0)
		rc = store_games(store, NULL, r->name, GAMES_OPEN, GAMES_COUNTED, 0, add_playing,
		                 &l, e);
	if (rc == 0)
		request_page(q, "the players",
		             arena_printf(q->arena, l.n ? "Who plays %s:" : "Nobody plays %s yet.",
		                          r->title),
		             s.data + 1);
	return rc;
}

/* "who do I play next?", which another command answers. */
static bool refuse_question(struct request *q, const struct call *c)
{
	const char *said = did_you_mean_said(arena_printf(q->arena, "who %s", c->rest));

	if (c->argc < 2 || !said || strcmp(said, "who") == 0)
		return false;
	request_refuse(q, 0, "The command \"who\" lists all players.")->body = did_you_mean_offer(
		q->arena, said);
	return true;
}

/* "who is online", "who else is here to play with?" */
static bool asks_all(const struct request *q, const struct call *c)
{
	bool asks = !request_board(q) && (strchr(c->rest, '?') || c->argc > 1);

	return c->argc == 0 || strcasecmp(c->argv[0], "is") == 0 || asks;
}

/* who; who game; who after userid */
static int run_who(struct request *q, struct call *c, struct err *e)
{
	const struct rules *r = c->rules;

	if (mail_limits_is_full(q))
		return 0;
	if (!r && c->argc == 1)
		r = rules_find(c->argv[0], strlen(c->argv[0]), NULL);
	if (r)
		return list_game(q, r, e);
	if (c->argc == 2 && strcasecmp(c->argv[0], "after") == 0)
		return list_all(q, c->argv[1], e);
	if (refuse_question(q, c))
		return 0;
	const char *wish = c->argc > 1 ? tournament_find_wish(q, c->rest) : NULL;
	if (wish) /* "Who is playing in the cup?" */
		request_refuse(q, 0, "Nothing was done.")->body = wish;
	else if (asks_all(q, c))
		return list_all(q, "", e);
	else if (request_board(q) && strchr(c->rest, '?')) /* "Who are you?" */
		request_refuse(
			q, request_board(q),
			q->who.token.kind == TOKEN_WATCH
				? "Nothing was passed on.  To write to the others who watch this game, answer with: chat and your text"
				: "Nothing was passed on.  To write to the other player, answer with: chat and your text");
	else
		request_refuse(q, 0, "There is no game %.40s.  For example: who %s", c->argv[0],
		               example_game(q));
	return 0;
}

/* list: the games that can be played here */
const struct command cmd_people_table[] = {
	COMMAND("finger", "finger [userid]",
	        "a player's profile: ratings, record, how he keeps time", GROUP_READ, 0,
	        .run = run_finger),
	COMMAND("who", "who [game]", "the players, and what they play", GROUP_READ, 0,
	        .run = run_who),
	{ .word = NULL }
};
