#include "pbm/request/tournament_follow.h"

#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/record/match.h"
#include "pbm/text/words.h"
#include "pbm/tournament/tournament_ladder.h"
#include "pbm/tournament/tournament_state.h"
#include "store/store_documents.h"
#include "store/store_tournaments.h"

#define LINES_BYTES 4000
#define LINE_ROOM 300 /* bytes of the lines about one question */
#define TOURNAMENTS_MAX 100

/* May something follow from the games that are over?  The games of a knockout match come one
 * after another, and those of a round robin perhaps, too. */
static bool is_due(const struct tournament_doc *t)
{
	return t->state == TOURNAMENT_RUNNING && t->kind != TOURNAMENT_LADDER &&
	       (t->kind == TOURNAMENT_KNOCKOUT || t->at_once || !tournament_goes_on(t));
}

/* The sentence goes below what a player is told of the game, or into a mail of its own. */
static void tell_below(struct request *q, const struct match *m, const char *subject,
                       const char *text)
{
	for (uint8_t seat = 0; seat < 2; seat++) {
		struct note *n = NULL;

		for (size_t i = q->note_count; i-- > 0 && !n;)
			if (q->notes[i].board == m->doc.board && q->notes[i].userid &&
			    q->notes[i].headline &&
			    strcasecmp(q->notes[i].userid, m->doc.players[seat]) == 0)
				n = &q->notes[i];
		if (n) {
			n->headline = arena_printf(q->arena, "%s  %s", n->headline, text);
			continue;
		}
		n = request_note(q, m->doc.players[seat], 0, 0);
		n->subject = subject;
		n->headline = text;
	}
}

static bool has_left(const struct tournament_doc *t, int number)
{
	return t->entries[number - 1].standing != ENTRY_PLAYS;
}

/* A result on a ladder: who has won his challenge takes the place above him. */
static void climb(struct request *q, const struct match *m, struct tournament_doc *t,
                  const struct tournament_game *g)
{
	const char *one = m->doc.players[BLACK], *other = m->doc.players[WHITE];
	const char *game = rules_title(t->terms.game);
	bool moved = g->over && g->points[1] == 2 && g->black > g->white;

	if (!g->over)
		return;
	if (moved)
		tournament_ladder_win(q->arena, t, g);
	int place = tournament_find(t, one), below = tournament_find(t, other);
	if (!place || !below)
		return;
	const char *text = arena_printf(
		q->arena,
		moved ? "On the ladder of %s, %s is number %d now and %s number %d."
		      : "The ladder of %s stays as it is: %s is number %d and %s number %d.",
		game, one, place, other, below);
	if (has_left(t, place) || has_left(t, below)) /* and has no place any more */
		text = arena_printf(q->arena,
		                    moved ? "On the ladder of %s, %s is number %d now."
		                          : "On the ladder of %s, %s is number %d.",
		                    game, has_left(t, place) ? other : one,
		                    has_left(t, place) ? below : place);
	tell_below(q, m, arena_printf(q->arena, "the ladder of %s", game), text);
}

/* The result that decides a knockout match before the final: who goes on, and who is out. */
static void tell_knocked_out(struct request *q, const struct match *m,
                             const struct tournament_doc *t, const struct tournament_game *g)
{
	int white = g->white - 1, black = g->black - 1;
	struct pairing_pair pair = { white < black ? white : black, white < black ? black : white };
	struct pairing pure;

	if (!g->over || g->annulled || t->by_teams || g->round >= t->rounds)
		return;
	tournament_pure(q->arena, t, g->round, &pure);
	struct pairing_match now = pairing_knockout_next(&pure, g->round, &pair);
	if (now.state != PAIRING_MATCH_DECIDED)
		return;
	int out = now.winner == pair.white ? pair.black : pair.white;
	tell_below(q, m, arena_printf(q->arena, "round %d of %s", g->round, t->name),
	           arena_printf(q->arena, "In the tournament %s, %s goes on and %s is out.",
	                        t->name, t->entries[now.winner].userid, t->entries[out].userid));
}

/* A tournament that was played to its end goes on when a moderator opens a game of its last
 * round again, or leaves a match of it level; it ends anew after that game.  Else all are told
 * of the other table, once no game is open that its director left open. */
static void follow_end(struct request *q, struct tournament_doc *t, const struct tournament_game *g,
                       bool was_over)
{
	bool opened = was_over && !g->over;

	if (was_over && !t->reason &&
	    (opened || (t->kind == TOURNAMENT_KNOCKOUT && tournament_is_undecided(q->arena, t)))) {
		t->state = TOURNAMENT_RUNNING;
		t->ended = 0;
		t->due = q->now + (g->over ? 0 : t->round_days * CLOCK_DAY);
	} else if (!tournament_goes_on(t)) {
		t->due = q->now;
	}
}

/* The side that lost because its first move never came, by the clock or by a decision; not who
 * gave up. */
static uint8_t unseen_side(const struct match *m)
{
	const struct game_doc *d = &m->doc;
	uint8_t loser = d->result[0] == '0' ? WHITE : BLACK;
	const struct event *end = NULL;

	for (size_t i = d->event_count; i-- > 0 && !end;)
		end = d->events[i].kind == EVENT_END ? &d->events[i] : NULL;
	bool unmoved = d->ply == 0 ? loser == WHITE : d->ply == 1 && loser == BLACK;
	return unmoved && end && end->seat != loser ? loser : SEAT_NONE;
}

/* A player who lost without a move is asked whether to be paired again.  The director is told. */
static void ask_unseen(struct request *q, const struct match *m, struct tournament_doc *t,
                       const struct tournament_game *g)
{
	uint8_t seat = g->over && !g->annulled && !g->played ? unseen_side(m) : SEAT_NONE;
	long long board = (long long)m->doc.board;

	if (seat == SEAT_NONE || t->kind != TOURNAMENT_SWISS || t->by_teams ||
	    t->state != TOURNAMENT_RUNNING || (int)t->round_count >= t->rounds)
		return;
	struct tournament_entry *gone = &t->entries[(seat == WHITE ? g->white : g->black) - 1];
	if (gone->standing != ENTRY_PLAYS)
		return;
	gone->silent = true;
	bool may_end = t->rounds - (int)t->round_count > TOURNAMENT_MISSED_MAX;
	struct note *n = request_note(q, gone->userid, 0, 0);
	n->subject = arena_printf(q->arena, "do you still play in %s?", t->name);
	n->headline = arena_printf(
		q->arena,
		may_end ? "You lost board %lld of the tournament %s without a move.  Do you still play?  If so, answer with: join %s.  Until then you are not paired, and after two more rounds you are out."
			: "You lost board %lld of the tournament %s without a move.  Do you still play?  If so, answer with: join %s.  Until then you are not paired.",
		board, t->name, t->name);
	if (strcasecmp(t->director, gone->userid) == 0)
		return;
	n = request_note(q, t->director, 0, 0);
	n->subject = arena_printf(q->arena, "%s did not come to a game of %s", gone->userid,
	                          t->name);
	n->headline = arena_printf(
		q->arena,
		may_end ? "%s lost board %lld of the tournament %s without a move.  I have asked %s: do you still play?  Without an answer (join %s) %s is not paired, and is out after two more rounds."
			: "%s lost board %lld of the tournament %s without a move.  I have asked %s: do you still play?  Without an answer (join %s) %s is not paired.",
		gone->userid, board, t->name, gone->userid, t->name, gone->userid);
}

int tournament_follow(struct request *q, const struct match *m, struct err *e)
{
	struct tournament_doc t;

	if (!m->doc.tournament)
		return 0;
	int rc = err_found(store_tournament_get(q->site->store, q->arena, m->doc.tournament, &t, e),
	                   ERR_DAMAGED, e);
	/* Without its document the tournament has ended; its games go on. */
	if (rc <= 0)
		return rc;
	struct tournament_game *g = tournament_game_of(&t, m->doc.board);
	bool was_over = g && g->over;
	if (!g || !tournament_take_result(g, &m->doc))
		return 0;
	if (t.kind == TOURNAMENT_LADDER && !was_over)
		climb(q, m, &t, g);
	if (t.kind == TOURNAMENT_KNOCKOUT && t.state == TOURNAMENT_RUNNING)
		tell_knocked_out(q, m, &t, g);
	ask_unseen(q, m, &t, g);
	if (t.state == TOURNAMENT_FINISHED)
		follow_end(q, &t, g, was_over);
	else if (is_due(&t))
		t.due = q->now;
	return store_tournament_put(q->site->store, &t, e);
}

bool tournament_allows_undo(struct request *q, const struct match *m)
{
	struct tournament_doc t;

	return !m->doc.tournament ||
	       (store_tournament_get(q->site->store, q->arena, m->doc.tournament, &t, NULL) == 0 &&
	        t.undo);
}

/* ---- a player's own ---- */

struct own_walk {
	struct request *q;
	const char *userid;
	tournament_own_fn *fn;
	void *arg;
};

static int visit_own(const char *key, int64_t, void *arg)
{
	struct own_walk *w = arg;
	struct tournament_doc t;

	if (store_tournament_get(w->q->site->store, w->q->arena, key, &t, NULL) < 0 ||
	    t.state == TOURNAMENT_FINISHED || t.state == TOURNAMENT_CANCELLED)
		return 0;
	int number = tournament_find(&t, w->userid);
	if (number)
		w->fn(&t, &t.entries[number - 1], w->arg);
	return 0;
}

int tournament_each_own(struct request *q, const char *userid, tournament_own_fn *fn, void *arg,
                        struct err *e)
{
	struct own_walk w = { q, userid, fn, arg };

	return store_tournaments_of(q->site->store, userid, "", TOURNAMENTS_MAX, visit_own, &w, e);
}

/* The players who would like to play in the captain's team. */
static void add_askers(const struct tournament_doc *t, int team, struct str *lines)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].standing == ENTRY_ASKS && t->entries[i].team == team &&
		    str_room(lines) > LINE_ROOM)
			str_addf(lines, "\n    team %s add %s\n    team %s remove %s", t->name,
			         t->entries[i].userid, t->name, t->entries[i].userid);
}

static void add_questions(const struct tournament_doc *t, const struct tournament_entry *n,
                          void *arg)
{
	struct str *lines = arg;

	if (n->standing == ENTRY_INVITED && str_room(lines) > LINE_ROOM)
		str_addf(lines, "\n    join %s%s%s\n    leave %s", t->name, n->team ? " team " : "",
		         n->team ? t->teams[n->team - 1].name : "", t->name);
	else if (n->captain)
		add_askers(t, n->team, lines);
}

const char *tournament_asks(struct request *q)
{
	struct str lines = str_in(q->arena, LINES_BYTES);

	if (!q->who.known ||
	    tournament_each_own(q, request_userid(q), add_questions, &lines, NULL) < 0)
		return NULL;
	return lines.len ? arena_printf(q->arena, "%s%s",
	                                "Tournaments wait for an answer of yours:", lines.data)
	                 : NULL;
}

/* The invitation of the mail's sender that the Subject is about: its last word is the name, and the
 * captain of the team stands in it. */
struct invitation {
	struct request *q;
	bool accepts;
	struct words subject;
	const char *line;
};

static bool has_word(const struct words *w, const char *word)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcasecmp(w->v[i].text, word) == 0)
			return true;
	return false;
}

/* Does the Subject name the captain of this team and no other one, or none for no team?  A yes to one
 * captain is none to another one, who invited the player later. */
static bool is_about_team(const struct tournament_doc *t, const struct words *subject, int team)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].captain &&
		    has_word(subject, t->entries[i].userid) != (t->entries[i].team == team))
			return false;
	return true;
}

static void add_invitation(const struct tournament_doc *t, const struct tournament_entry *n,
                           void *arg)
{
	struct invitation *i = arg;
	const char *team = n->team ? t->teams[n->team - 1].name : "";

	if (n->standing != ENTRY_INVITED || i->subject.n == 0 ||
	    strcasecmp(i->subject.v[i->subject.n - 1].text, t->name) != 0 ||
	    !is_about_team(t, &i->subject, n->team))
		return;
	i->line = i->accepts ? arena_printf(i->q->arena, "join %s%s%s", t->name,
	                                    *team ? " team " : "", team)
	                     : arena_printf(i->q->arena, "leave %s", t->name);
}

const char *tournament_invited(struct request *q, bool accepts)
{
	const char *subject = q->mail.subject ? q->mail.subject : "";
	bool ours = strstr(subject, arena_printf(q->arena, "[%s] ", q->site->conf.name));
	struct invitation i = { .q = q, .accepts = accepts };

	words_split(q->arena, subject, &i.subject);
	if (!q->who.known || !ours ||
	    tournament_each_own(q, request_userid(q), add_invitation, &i, NULL) < 0)
		return NULL;
	return i.line;
}

void tournament_refuse_undo(struct request *q, const struct match *m)
{
	const char *ladder = tournament_ladder_of(m->doc.tournament);

	request_refuse(
		q, m->doc.board,
		ladder ? "Board %lld belongs to the ladder of %s, in which no turn is taken back."
		       : "Board %lld belongs to the tournament %s, in which no turn is taken back.",
		(long long)m->doc.board, ladder ? ladder : m->doc.tournament);
}

void tournament_refuse_abort(struct request *q, const struct match *m)
{
	request_refuse(
		q, m->doc.board,
		tournament_ladder_of(m->doc.tournament)
			? "Board %lld belongs to a ladder and can't be aborted any more: you can offer a draw or resign."
			: "Board %lld belongs to a tournament and can't be aborted any more: you can offer a draw or resign.",
		(long long)m->doc.board);
}
