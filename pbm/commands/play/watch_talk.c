#include "pbm/commands/play/watch_talk.h"

#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/people/computer.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/settings.h"
#include "pbm/people/watch.h"
#include "pbm/record/match.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"

struct listeners {
	struct request *q;
	size_t n;
	const char *userids[WATCHERS_MAX + 2];
};

static int add_listener(const char *player, bool final, void *arg)
{
	struct listeners *l = arg;
	struct player_doc p;

	if (!final && l->n < WATCHERS_MAX &&
	    store_player_get(l->q->site->store, l->q->arena, player, &p, NULL) == 0 &&
	    !p.signed_off && !p.banned)
		l->userids[l->n++] = arena_strdup(l->q->arena, player);
	return 0;
}

static int find_watchers(struct request *q, const struct call *c, struct listeners *l,
                         struct err *e)
{
	*l = (struct listeners){ .q = q };
	return store_watchers(q->site->store, arena_printf(q->arena, "%lld", (long long)c->board),
	                      WATCHERS_MAX, add_listener, l, e);
}

const char *watch_listeners(struct request *q, const struct call *c)
{
	struct listeners l;

	if (c->match->doc.private_game || settings_is(c->actor, "comments", "off") ||
	    find_watchers(q, c, &l, NULL) < 0 || l.n == 0)
		return "";
	return l.n == 1 ? ", and to one player who watches"
	                : arena_printf(q->arena, ", and to %zu players who watch", l.n);
}

const char *watch_tell_decider(struct request *q, const struct call *c, const char *text)
{
	const char *by = match_decider(c->match);
	struct player_doc p;
	int64_t ends;

	if (!by || store_player_get(q->site->store, q->arena, by, &p, NULL) < 0 || p.signed_off ||
	    censor_has(q, &p, c->actor->userid) ||
	    mail_limits_is_talk_full(q, c->actor, p.userid, &ends, NULL) != 0)
		return NULL;
	struct note *n = request_note(q, p.userid, 0, 0);
	n->subject = arena_printf(q->arena, "%s writes about board %lld", c->actor->userid,
	                          (long long)c->board);
	n->headline = arena_printf(
		q->arena,
		"%s answers your decision about board %lld.  To write back, begin with: message %s",
		c->actor->userid, (long long)c->board, c->actor->userid);
	n->comment = text;
	n->comment_by = c->actor->userid;
	return p.userid;
}

const char *watch_why_not(struct request *q, const struct call *c)
{
	const struct match *m = c->match;

	if (c->seat == SEAT_NONE)
		return censor_suspended(q, c->actor);
	const char *why = censor_why_to(q, m->doc.players[!c->seat], c->actor->userid);
	bool closed = m->doc.state == GAME_CLOSED && m->ply == 0 && match_decider(m);
	return why ? why
	       : computer_is_name(q, m->doc.players[!c->seat])
	               ? "Your opponent is a computer, which reads no text."
	       : closed
	               ? "The board was closed before its first move, so your opponent does not get it."
	               : NULL;
}

int watch_refuse_talk(struct request *q, const struct call *c, const char *text, const char *why)
{
	const char *judge = c->seat == SEAT_NONE ? NULL : watch_tell_decider(q, c, text);

	if (judge)
		request_say(q, "Passed on to %s, who decided.  %s", judge, why);
	else
		request_refuse(q, c->board, "%s", why);
	return 0;
}

/* Has the reader, who did not ask for these words, had as many of the actor as he must take? */
static bool has_enough(struct request *q, const struct call *c, const struct player_doc *p)
{
	int64_t ends;

	return mail_limits_may_watch_talk(q, c->actor, p->userid, NULL) <= 0 ||
	       mail_limits_is_talk_full(q, c->actor, p->userid, &ends, NULL) != 0;
}

/* Adds a note for a reader who does not censor the actor. */
static bool tell(struct request *q, const struct call *c, const char *userid, const char *text)
{
	struct player_doc p;

	if (strcasecmp(userid, c->actor->userid) == 0 || q->note_count + 1 >= REQUEST_NOTES_MAX ||
	    store_player_get(q->site->store, q->arena, userid, &p, NULL) < 0 || p.signed_off ||
	    !match_shows_to(c->match, userid) || censor_has(q, &p, c->actor->userid) ||
	    has_enough(q, c, &p))
		return false;
	struct note *n = request_note(q, p.userid, c->board, NOTE_BOARD | NOTE_OFFER | NOTE_TALK);
	n->seat = match_seat_of(c->match, userid);
	n->flags |= n->seat == SEAT_NONE ? NOTE_WATCH : 0u;
	n->subject = arena_printf(q->arena, "a message from %s", c->actor->userid);
	n->headline = arena_printf(q->arena, "%s watches this game, too.", c->actor->userid);
	n->comment = text;
	n->comment_by = c->actor->userid;
	return true;
}

/* 1: the actor has written enough for today. */
static int refuse_often(struct request *q, const struct call *c, struct err *e)
{
	int64_t count = 0;
	int rc = request_count_event(q, "watch-talk", c->actor->userid, CLOCK_DAY, &count, e);

	if (rc < 0 || count <= WATCH_TALK_A_DAY)
		return rc;
	return request_refused(
		q, c->board,
		"You have written to the watchers of games %d times within a day.  Nothing "
		"was passed on.  Try again tomorrow.",
		WATCH_TALK_A_DAY);
}

int watch_talk(struct request *q, struct call *c, const char *text, struct err *e)
{
	bool ended = c->match->doc.state != GAME_RUNNING;
	struct listeners l;
	size_t told = 0;
	int rc = find_watchers(q, c, &l, e);
	bool alone = l.n <= 1 && !ended;

	if (rc == 0)
		rc = refuse_often(q, c, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	for (size_t seat = 0; ended && seat < 2; seat++)
		l.userids[l.n++] = c->match->doc.players[seat];
	for (size_t i = 0; i < l.n; i++)
		told += tell(q, c, l.userids[i], text);
	q->done_count += told > 0;
	if (told == 0 && !alone)
		request_refuse(
			q, c->board,
			"Your text went to nobody: who watches board %lld takes none from you, or has had enough of them for now.",
			(long long)c->board);
	else if (told == 0)
		request_refuse(q, c->board,
		               "Nobody else watches board %lld, and its players read "
		               "what watchers write when the game has ended.",
		               (long long)c->board);
	else if (ended)
		request_say(q, "Passed on to the players and watchers of board %lld.",
		            (long long)c->board);
	else
		request_say(q,
		            "Passed on to the others who watch board %lld.  The players don't see "
		            "it: nobody may advise them.",
		            (long long)c->board);
	return 0;
}
