#include "pbm/commands/tournament/tournament_tell.h"

#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/commands/tournament/tournament_mail.h"
#include "pbm/people/mail_limits.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_teams.h"
#include "pbm/tournament/tournament_words.h"

#define BOARDS_SHOWN 40

/* The new games of an entry, from an index of the list on. */
struct new_games {
	size_t n, boards;
	const struct tournament_game *one; /* the only one, or a bye of the player or of his team */
	int other;                         /* the team that his team plays; 0: none, or several */
	bool won;                          /* his only board is won without a game */
	int64_t shown[BOARDS_SHOWN]; /* boards where it is the player's move, or the only one */
};

static void find_own_games(const struct tournament_doc *t, size_t from, int number,
                           struct new_games *out)
{
	for (size_t i = from; i < t->game_count; i++) {
		const struct tournament_game *g = &t->games[i];

		if ((g->white != number && g->black != number) || (!g->black && t->by_teams))
			continue;
		if (g->over && g->black) {
			out->won |= g->points[g->white != number] == 2;
			continue;
		}
		out->n++;
		out->one = g;
		if (g->board && g->white == number && out->boards < BOARDS_SHOWN)
			out->shown[out->boards++] = g->board;
	}
	if (out->n == 1 && out->one->board) {
		out->shown[0] = out->one->board;
		out->boards = 1;
	}
}

static void find_match(const struct tournament_doc *t, size_t from, int team, struct new_games *out)
{
	struct tournament_pairing p;

	for (size_t at = from; tournament_next_pairing(t, 0, &at, &p);) {
		if (p.white != team && p.black != team)
			continue;
		if (!p.black)
			out->one = &t->games[p.first];
		out->other = p.white == team ? p.black : p.white;
	}
}

static void find_new(const struct tournament_doc *t, size_t from, int number, struct new_games *out)
{
	*out = (struct new_games){ 0 };
	find_own_games(t, from, number, out);
	if (t->by_teams && out->n < 2)
		find_match(t, from, t->entries[number - 1].team, out);
}

static const char *begin_text(struct request *q, const struct tournament_doc *t, size_t from,
                              int round)
{
	if (from == 0 && t->by_teams)
		return arena_printf(q->arena, "The tournament %s begins with %zu teams.", t->name,
		                    t->team_count);
	if (from == 0)
		return arena_printf(q->arena, "The tournament %s begins with %zu players.", t->name,
		                    tournament_count(t, ENTRY_PLAYS));
	return arena_printf(q->arena, "Round %d of the tournament %s begins.", round, t->name);
}

/* A round off that the player has asked for. */
static const char *asked_text(struct request *q, const struct tournament_doc *t, const char *begin)
{
	struct str points = STR_LOCAL(20);

	if (t->boards < 2)
		return arena_printf(q->arena,
		                    "%s  You have this round off and get half a point for it.",
		                    begin);
	tournament_write_points(t->boards, &points);
	return arena_printf(q->arena, "%s  You have this round off and get %s points for it.",
	                    begin, points.data);
}

static const char *bye_text(struct request *q, const struct tournament_doc *t, int number,
                            const struct tournament_game *g, const char *begin)
{
	if (t->by_teams)
		return arena_printf(
			q->arena,
			"%s  Your team %s has no opponent in this round, and it counts as a won match.",
			begin, t->teams[t->entries[number - 1].team - 1].name);
	if (t->kind == TOURNAMENT_KNOCKOUT)
		return arena_printf(
			q->arena,
			"%s  You have no opponent in this round, and are in the next one.", begin);
	if (g->points[0] == 1)
		return asked_text(q, t, begin);
	if (t->boards > 1)
		return arena_printf(
			q->arena,
			"%s  You have no opponent in this round and get %d points for it.", begin,
			t->boards);
	return arena_printf(
		q->arena, "%s  You have no opponent in this round and get a point for it.", begin);
}

/* The text for a player without a new game. */
static const char *no_game_text(struct request *q, const struct tournament_doc *t, int number,
                                const struct new_games *n, const char *begin)
{
	const char *team = t->by_teams ? t->teams[t->entries[number - 1].team - 1].name : NULL;
	const char *other = n->other ? t->teams[n->other - 1].name : NULL;

	if (other && n->won)
		return arena_printf(
			q->arena,
			"%s  Your team %s plays against %s.  Your opponent can't play, so your board is won without a game.",
			begin, team, other);
	if (other)
		return arena_printf(q->arena,
		                    "%s  Your team %s plays against %s, and you are a substitute.",
		                    begin, team, other);
	if (team && t->kind == TOURNAMENT_KNOCKOUT && t->round_count > 1)
		return arena_printf(q->arena, "%s  Your team %s is out.", begin, team);
	if (team)
		return arena_printf(q->arena,
		                    "%s  You have no game yet: your team %s has no match now.",
		                    begin, team);
	return arena_printf(
		q->arena,
		"%s  You have no game yet: your first one begins when an opponent is free.", begin);
}

/* Is the game one more of a knockout match that is level?  Then Black is the better seed. */
static bool is_tiebreak(const struct tournament_doc *t, const struct tournament_game *g)
{
	int white = tournament_unit_of(t, g->white), black = tournament_unit_of(t, g->black),
	    over = 0;
	struct tournament_pairing p;

	for (size_t at = 0; tournament_next_pairing(t, 0, &at, &p);)
		over += p.round == g->round && !p.open && !t->games[p.first].annulled &&
		        ((p.white == white && p.black == black) ||
		         (p.white == black && p.black == white));
	return t->kind == TOURNAMENT_KNOCKOUT && over >= (t->best_of ? t->best_of : 1);
}

/* Tells how the new game begins; a player's next game in a knockout may decide the match. */
static const char *next_text(struct request *q, const struct tournament_doc *t,
                             const struct tournament_game *g)
{
	const char *next = arena_printf(q->arena, "Your next game in the tournament %s.", t->name);

	if (!g || !g->black || !is_tiebreak(t, g))
		return next;
	return arena_printf(
		q->arena,
		"%s  The match is level, so one more game decides it: %s has the better seed and Black, and a draw is enough to go on.",
		next, tournament_unit_name(t, tournament_unit_of(t, g->black)));
}

/* The text about new games for a player. */
static const char *new_text(struct request *q, const struct tournament_doc *t, int number,
                            size_t from, bool begins, const struct new_games *n)
{
	const struct tournament_game *g = n->one;
	const char *begin = begins ? begin_text(q, t, from, (int)t->round_count)
	                           : next_text(q, t, g);

	if (n->n > 1)
		return arena_printf(
			q->arena,
			n->boards
				? "%s  You have %zu games now.  Where you have White, it is your move."
				: "%s  You have %zu games now.  Your opponents move first.",
			begin, n->n);
	if (!g)
		return no_game_text(q, t, number, n, begin);
	if (!g->board)
		return bye_text(q, t, number, g, begin);
	const char *white = t->entries[g->white - 1].userid,
		   *black = t->entries[g->black - 1].userid;
	if (n->other)
		return arena_printf(
			q->arena,
			"%s  Your team %s plays against %s.  Board %lld: %s has White, %s has Black.  %s.",
			begin, t->teams[t->entries[number - 1].team - 1].name,
			t->teams[n->other - 1].name, (long long)g->board, white, black,
			terms_text(q, &t->terms));
	return arena_printf(q->arena, "%s  Board %lld: %s has White, %s has Black.  %s.", begin,
	                    (long long)g->board, white, black, terms_text(q, &t->terms));
}

int tournament_tell_director(struct request *q, const struct tournament_doc *t, const char *cause,
                             const char *subject, const char *headline, unsigned parts,
                             struct err *e)
{
	const struct tournament_letter l = {
		.cause = cause, .subject = subject, .headline = headline, .parts = parts
	};
	int number = tournament_find(t, t->director);

	/* A director who plays is told as a player. */
	if (t->kind == TOURNAMENT_LADDER ||
	    (number && t->entries[number - 1].standing == ENTRY_PLAYS))
		return 0;
	return tournament_send(q, t, t->director, &l, e);
}

/* With White in one of the new games the player is to move. */
static const char *own_subject(struct request *q, const char *subject, const struct new_games *n,
                               int number)
{
	bool moves = n->boards > 0 && (n->n > 1 || (n->one->board && n->one->white == number));

	return moves ? arena_printf(q->arena, "your move (%s)", subject) : subject;
}

/* Does the player get a mail, although no new game has begun for him? */
static bool is_told(const struct tournament_doc *t, int number, size_t from, bool begins)
{
	bool team = t->by_teams && begins && t->entries[number - 1].standing == ENTRY_PLAYS;

	return team || (from == 0 && tournament_is_all_at_once(t));
}

int tournament_tell_games(struct request *q, const struct tournament_doc *t, size_t from,
                          bool begins, struct err *e)
{
	const char *cause = arena_printf(q->arena, "pair %zu", from);
	const char *subject = begins ? arena_printf(q->arena, "round %zu of %s", t->round_count,
	                                            t->name)
	                             : arena_printf(q->arena, "your next game in %s", t->name);
	/* Before the first results a table has only zeros. */
	unsigned table = !begins                          ? 0
	                 : t->kind == TOURNAMENT_KNOCKOUT ? TOURNAMENT_TABLE
	                 : from > 0                       ? TOURNAMENT_TABLE | TOURNAMENT_BEFORE
	                                                  : 0;
	int rc = 0;

	if (from == 0)
		subject = arena_printf(q->arena, "the tournament %s begins", t->name);
	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		struct new_games n;

		find_new(t, from, (int)i + 1, &n);
		if (n.n == 0 && !is_told(t, (int)i + 1, from, begins))
			continue;
		const struct tournament_letter l = {
			.cause = cause,
			.subject = own_subject(q, subject, &n, (int)i + 1),
			.headline = new_text(q, t, (int)i + 1, from, begins, &n),
			.parts = table | (n.n > 1 || n.other ? TOURNAMENT_OWN : 0),
			.board_count = n.boards,
			.boards = n.shown
		};
		rc = tournament_send(q, t, t->entries[i].userid, &l, e);
	}
	if (rc == 0 && begins)
		rc = tournament_tell_director(q, t, cause, subject,
		                              begin_text(q, t, from, (int)t->round_count),
		                              table | TOURNAMENT_PAIRINGS, e);
	return rc;
}

int tournament_tell_slow(struct request *q, const struct tournament_doc *t, struct err *e)
{
	const char *cause = arena_printf(q->arena, "ask %zu %lld", t->round_count,
	                                 (long long)(q->now / CLOCK_DAY));
	long long days = (q->now - t->round[t->round_count - 1].at) / CLOCK_DAY;
	const char *text = arena_printf(
		q->arena,
		"Round %zu of the tournament %s has lasted %lld days and is not over.  Wait, or decide a game (mod tournament %s result board 1-0 why), or pair the next round now (mod tournament %s round): then the open games count as drawn until they end.",
		t->round_count, t->name, days, t->name, t->name);

	if (tournament_is_entered(t, t->director))
		text = arena_printf(
			q->arena,
			"Round %zu of the tournament %s has lasted %lld days and is not over.  You play in it, so only another moderator can decide a game (mod tournament %s result board 1-0 why) or pair the next round now (mod tournament %s round).  Without that it goes on when its last game is over.",
			t->round_count, t->name, days, t->name, t->name);
	const struct tournament_letter l = { .cause = cause,
		                             .subject = arena_printf(q->arena,
		                                                     "round %zu of %s lasts long",
		                                                     t->round_count, t->name),
		                             .headline = text,
		                             .parts = TOURNAMENT_PAIRINGS };
	return tournament_send(q, t, t->director, &l, e);
}

int tournament_tell_no_bye(struct request *q, const struct tournament_doc *t, int number,
                           struct err *e)
{
	size_t round = t->round_count + 1;
	const struct tournament_letter l = {
		.cause = arena_printf(q->arena, "play %zu", round),
		.subject = arena_printf(q->arena, "you play in round %zu of %s", round, t->name),
		.headline = arena_printf(
			q->arena,
			"Round %zu of the tournament %s can't be paired without you.  So you play in it, and can still have a later round off.",
			round, t->name)
	};

	return tournament_send(q, t, t->entries[number - 1].userid, &l, e);
}

void tournament_tell_skips(struct request *q, const struct tournament_doc *t, const char *who,
                           bool skips)
{
	if (strcasecmp(t->director, who) == 0)
		return;
	request_tell(
		q, t->director, 0,
		arena_printf(q->arena, "%s and round %zu of %s", who, t->round_count + 1, t->name),
		skips ? "%s has the next round of the tournament %s off, for half a point.  Leave him out of its pairs."
		      : "%s plays in the next round of the tournament %s after all.",
		who, t->name);
}

/* "alice, bob": who has the next round off; "" if nobody has. */
static const char *skipping(struct request *q, const struct tournament_doc *t)
{
	const char *list = "";

	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].asks_bye && t->entries[i].standing == ENTRY_PLAYS)
			list = arena_printf(q->arena, "%s%s%s", list, *list ? ", " : "",
			                    t->entries[i].userid);
	return list;
}

int tournament_tell_unpaired(struct request *q, const struct tournament_doc *t, struct err *e)
{
	size_t round = t->round_count + 1;
	const char *off = skipping(q, t);
	struct tournament_letter l = tournament_letter(
		q, TOURNAMENT_WHOLE, "unpaired",
		arena_printf(q->arena, "round %zu of %s is to be paired", round, t->name),
		"Round %zu of the tournament %s waits for your pairings.  Write, White first: mod tournament %s pair alice:bob carol:dave.  A name alone has a bye.  Numbers of the list are good, too.",
		round, t->name, t->name);

	if (*off)
		l.headline = arena_printf(q->arena,
		                          "%s  They have the round off, and are in no pair: %s.",
		                          l.headline, off);
	return tournament_send(q, t, t->director, &l, e);
}

int tournament_tell_left_out(struct request *q, const struct tournament_doc *t, int number,
                             struct err *e)
{
	const struct tournament_entry *n = &t->entries[number - 1];
	struct tournament_letter l = { .cause = "left-out",
		                       .subject = arena_printf(q->arena, "%s begins without you",
		                                               t->name) };
	int team = n->standing == ENTRY_PLAYS ? n->team : 0;

	if (team && !tournament_is_complete(t, team))
		l.headline = arena_printf(
			q->arena,
			"The tournament %s begins without your team %s, which has %zu of the %d players that it needs.",
			t->name, t->teams[team - 1].name, tournament_members(t, team, ENTRY_PLAYS),
			tournament_boards(t));
	else if (team)
		l.headline = arena_printf(
			q->arena,
			"The tournament %s begins, and there was no place for your team %s in it.",
			t->name, t->teams[team - 1].name);
	else
		l.headline = arena_printf(
			q->arena, "The tournament %s begins, and there was no place for you in it.",
			t->name);
	return tournament_send(q, t, n->userid, &l, e);
}

int tournament_tell_left(struct request *q, const struct tournament_doc *t, int number, int captain,
                         struct err *e)
{
	const struct tournament_entry *gone = &t->entries[number - 1];
	int lead = captain ? captain : tournament_captain(t, gone->team);
	struct tournament_letter l = {
		.cause = arena_printf(q->arena, "left %d", number),
		.subject = arena_printf(q->arena, "%s has left your team", gone->userid),
		.headline = arena_printf(
			q->arena,
			"%s has left the tournament %s and your team %s.  From the next match on, the players on the boards below move up.",
			gone->userid, t->name, t->teams[gone->team - 1].name)
	};

	if (captain)
		l.headline = arena_printf(
			q->arena,
			"%s has left the tournament %s and your team %s, and you are its captain now.  From the next match on, the players on the boards below move up.",
			gone->userid, t->name, t->teams[gone->team - 1].name);
	return lead ? tournament_send(q, t, t->entries[lead - 1].userid, &l, e) : 0;
}

int tournament_tell_dropped(struct request *q, const struct tournament_doc *t, const char *who,
                            const char *team, bool captain, struct err *e)
{
	int number = tournament_find_team(t, team),
	    lead = number ? tournament_captain(t, number) : 0;
	struct tournament_letter l = { .cause = tournament_cause(q, "dropped"),
		                       .subject = arena_printf(q->arena, "%s has left your team",
		                                               who) };

	if (!lead)
		return 0;
	const char *name = t->teams[number - 1].name;
	size_t have = tournament_members(t, number, ENTRY_PLAYS);
	l.headline = arena_printf(
		q->arena,
		captain ? "%s has left your team %s of the tournament %s, and you are its captain now.  Players so far: %zu, needed: %d."
			: "%s has left your team %s of the tournament %s.  Players so far: %zu, needed: %d.",
		who, name, t->name, have, tournament_boards(t));
	return tournament_send(q, t, t->entries[lead - 1].userid, &l, e);
}

static const char *declined_text(struct request *q, const struct tournament_doc *t,
                                 const struct tournament_entry *n)
{
	if (!n->team)
		return arena_printf(q->arena,
		                    "%s has declined the invitation to the tournament %s.",
		                    n->userid, t->name);
	return arena_printf(
		q->arena,
		n->standing == ENTRY_INVITED
			? "%s has declined the invitation to your team %s of the tournament %s."
			: "%s no longer asks to play in your team %s of the tournament %s.",
		n->userid, t->teams[n->team - 1].name, t->name);
}

int tournament_tell_declined(struct request *q, const struct tournament_doc *t,
                             const struct tournament_entry *n, const struct player_doc *by,
                             struct err *e)
{
	int lead = n->team ? tournament_captain(t, n->team) : 0;
	const char *to = lead ? t->entries[lead - 1].userid : t->director;
	const struct tournament_letter l = {
		.cause = tournament_cause(q, "declined"),
		.subject = arena_printf(q->arena, "%s does not play in %s", n->userid, t->name),
		.headline = declined_text(q, t, n),
		.words = censor_words(q, to, n->userid, board_comment(q, q->comment)),
		.by = n->userid,
	};

	if (n->standing == ENTRY_INVITED)
		request_say(q, "You have declined the invitation to the tournament %s.", t->name);
	else
		request_say(q, "You no longer ask to play in the team %s of the tournament %s.",
		            t->teams[n->team - 1].name, t->name);
	if (strcasecmp(to, n->userid) == 0)
		return 0;
	/* Asking is a mail, and so is taking it back. */
	int rc = n->standing == ENTRY_ASKS ? mail_limits_may_offer(q, by, to, e) : 1;
	return rc > 0 ? tournament_send(q, t, to, &l, e) : rc;
}

void tournament_tell_moved(struct request *q, const struct tournament_doc *t, const char *who,
                           bool joined)
{
	if (strcasecmp(t->director, who) == 0)
		return;
	const char *words = joined ? NULL
	                           : censor_words(q, t->director, who,
	                                          board_comment(q, q->comment));
	if (!joined && !words && t->state == TOURNAMENT_OPEN)
		return;
	struct note *n = request_tell(
		q, t->director, 0,
		arena_printf(q->arena, joined ? "%s has entered %s" : "%s has left %s", who,
	                     t->name),
		joined ? "%s has entered the tournament %s late, and plays from its next round on."
		: t->state == TOURNAMENT_OPEN
			? "%s has left the tournament %s."
			: "%s has left the tournament %s and is paired no more.",
		who, t->name);
	n->comment = words;
	n->comment_by = who;
}
