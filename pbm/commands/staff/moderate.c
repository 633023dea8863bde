#include "pbm/commands/staff/moderate.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/account/account_games.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/people/computer.h"
#include "pbm/people/consent.h"
#include "pbm/people/roles.h"
#include "pbm/record/match.h"
#include "store/store_acts.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"

#define PREFIX "mod "
#define HOUR 3600
#define MODERATE_MAILBOX                                                                           \
	"The mails of %s come into your own mailbox: another moderator must do this, or an operator at the shell."

/* A suspended member of the staff writes to moderators alone, and every act tells somebody else. */
static bool is_suspended(struct request *q, const struct call *c)
{
	const char *why = q->who.proof == PROOF_OPERATOR ? NULL : censor_suspended(q, c->actor);

	return why && request_refused(q, c->board, "%s", why);
}

static bool is_staff(struct request *q, const struct call *c)
{
	if (roles_is_staff(c->actor))
		return true;
	return !request_refused(q, 0,
	                        "Only a moderator can do this.  More about it: help moderators");
}

static bool is_director_of(const struct player_doc *p, const struct tournament_doc *t)
{
	return (roles_of(p) & ROLE_DIRECTOR) && strcasecmp(t->director, p->userid) == 0;
}

static bool directs(struct request *q, const struct call *c)
{
	const char *name = c->match ? c->match->doc.tournament : NULL;
	struct tournament_doc t;

	return name && (roles_of(c->actor) & ROLE_DIRECTOR) &&
	       store_tournament_get(q->site->store, q->arena, name, &t, NULL) == 0 &&
	       is_director_of(c->actor, &t);
}

/* Acts that a director may do, too, in the games of his own tournaments. */
static bool is_directed(struct request *q, const struct call *c)
{
	static const char *const acts[] = {
		"adjudicate", "pause", "resume", "extend", "show", NULL
	};

	return str_is_any(c->command->word + strlen(PREFIX), acts) && directs(q, c);
}

bool moderate_is_director(struct request *q, const struct call *c)
{
	return !roles_is_staff(c->actor) && directs(q, c);
}

bool moderate_acts_on(struct request *q, const struct call *c)
{
	return roles_is_staff(c->actor) || is_directed(q, c);
}

/* Does the actor play in it, under this or another account? */
static bool plays_in(struct request *q, const struct call *c, const struct tournament_doc *t)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (consent_is_person(q, c->actor, t->entries[i].userid))
			return true;
	return false;
}

/* The tournament or ladder of the board, if the actor plays in it. */
static bool plays_beside(struct request *q, const struct call *c, struct tournament_doc *out)
{
	const char *name = c->match->doc.tournament;

	return name && store_tournament_get(q->site->store, q->arena, name, out, NULL) == 0 &&
	       plays_in(q, c, out);
}

/* Has a player of the board the moderator's mailbox?  If so, says so. */
static bool has_second_account(struct request *q, const struct call *c)
{
	for (size_t i = 0; i < 2; i++)
		if (consent_is_person(q, c->actor, c->match->doc.players[i]))
			return request_refused(q, c->board, MODERATE_MAILBOX,
			                       c->match->doc.players[i]);
	return false;
}

bool moderate_may(struct request *q, const struct call *c)
{
	struct tournament_doc t;

	if ((!is_directed(q, c) && !is_staff(q, c)) || is_suspended(q, c))
		return false;
	if (!c->match || q->who.proof == PROOF_OPERATOR)
		return true;
	if (match_seat_of(c->match, c->actor->userid) != SEAT_NONE)
		request_refuse(
			q, c->board,
			"You play on board %lld yourself: another moderator must decide about it.",
			(long long)c->board);
	else if (plays_beside(q, c, &t) && t.kind == TOURNAMENT_LADDER)
		request_refuse(
			q, c->board,
			"You stand on the ladder of %s yourself: another moderator must decide about it.",
			rules_title(t.terms.game));
	else if (plays_beside(q, c, &t))
		request_refuse(
			q, c->board,
			"You play in the tournament %s yourself: another moderator must decide about it.",
			t.name);
	else
		return !has_second_account(q, c);
	return false;
}

bool moderate_may_on(struct request *q, const struct call *c, const struct player_doc *p)
{
	if (!is_staff(q, c) || is_suspended(q, c))
		return false;
	if (q->who.proof == PROOF_OPERATOR)
		return true;
	if (computer_is(p) && !roles_is_operator(c->actor))
		return !request_refused(
			q, 0, "%s is a computer of this server: only an operator can do this.",
			p->userid);
	bool lower = roles_rank(roles_of(p)) < roles_rank(roles_of(c->actor));
	if (lower && !consent_shares_mailbox(c->actor, p))
		return true;
	if (lower)
		request_refuse(q, 0, MODERATE_MAILBOX, p->userid);
	else if (strcasecmp(p->userid, c->actor->userid) == 0)
		request_refuse(q, 0, "That is your own account: another moderator must do this.");
	else
		request_refuse(
			q, 0,
			"%s has the same role as you, or a higher one: only somebody above both can do this.",
			p->userid);
	return false;
}

bool moderate_is_rival(struct request *q, const struct call *c, const struct player_doc *p)
{
	const char *name = NULL;
	int64_t board = 0;
	struct err why = { 0 };

	if (q->who.proof == PROOF_OPERATOR)
		return false;
	if (account_games_between(q, p->userid, c->actor, GAMES_OPEN, &board, &why) == 0 && board)
		return request_refused(
			q, 0,
			"You and %s play board %lld: another moderator must do this, or an operator at the shell.",
			p->userid, (long long)board);
	if (tournament_entry_meets(q, p->userid, c->actor, &name, &why) == 1)
		return request_refused(
			q, 0,
			"You and %s both play in %s: another moderator must do this, or an operator at the shell.",
			p->userid, name);
	return false;
}

/* The acts of one moderator on one board or player, under each of the player's names. */
struct acts {
	struct request *q;
	const char *by;
	int64_t most; /* of the counts */
	struct err *err;
};

static int count_act(const char *on, void *arg)
{
	struct acts *acts = arg;
	struct request *q = acts->q;
	int64_t count = 0;
	int rc = request_count_event(q, "acts-on", arena_printf(q->arena, "%s %s", acts->by, on),
	                             HOUR, &count, acts->err);

	if (count > acts->most)
		acts->most = count;
	return rc;
}

/* Counts an act on a player, also under the names that the player had before: a new name gives
 * no new acts. */
static int count_act_on(struct acts *acts, const char *name)
{
	struct request *q = acts->q;
	struct player_doc p;

	if (store_player_get(q->site->store, q->arena, name, &p, NULL) < 0)
		return 0; /* the act itself is refused */
	int rc = store_renamed_to(q->site->store, p.userid, count_act, acts, acts->err);
	return rc < 0 ? rc : count_act(p.userid, acts);
}

int moderate_is_often(struct request *q, const struct call *c, struct err *e)
{
	struct acts acts = { .q = q, .err = e };

	if (!(c->command->flags & CMD_TELLS) || q->who.proof == PROOF_OPERATOR ||
	    !roles_rank(roles_of(c->actor)))
		return 0;
	acts.by = c->actor->userid;
	int rc = c->board ? count_act(arena_printf(q->arena, "%lld", (long long)c->board), &acts)
	                  : count_act_on(&acts, c->argc ? c->argv[0] : "");
	if (rc < 0 || acts.most <= MODERATE_ACTS_AN_HOUR)
		return rc;
	return request_refused(
		q, c->board,
		"More than %d acts an hour on one board or player make too many mails.  Nothing was done.  Try again in an hour.",
		MODERATE_ACTS_AN_HOUR);
}

/* The rest of the line after so many arguments, as valid UTF-8 without blanks at its end. */
static char *rest_behind(struct request *q, const struct call *c, size_t arguments)
{
	const char *from = c->rest;

	for (size_t i = 0; i < arguments; i++) {
		from += strcspn(from, " \t");
		from += strspn(from, " \t");
	}
	char *text = arena_strdup(q->arena, from);
	size_t n = strlen(text);

	utf8_scrub(text);
	while (n && isspace((unsigned char)text[n - 1]))
		text[--n] = '\0';
	return text;
}

const char *moderate_remark(struct request *q, const struct call *c)
{
	char *text = rest_behind(q, c, 0);
	size_t n = strlen(text);

	if (n > MODERATE_REASON_MAX)
		text[utf8_cut(text, n, MODERATE_REASON_MAX)] = '\0';
	return text;
}

const char *moderate_reason(struct request *q, const struct call *c, size_t arguments)
{
	const char *reason = rest_behind(q, c, arguments);

	if (strcmp(reason, "<why>") == 0) /* the gap of the form that was offered */
		reason = "";
	if (!*reason && q->comment)
		reason = body_lines_paragraph(q->arena, q->comment);
	size_t n = strlen(reason);

	if (n == 0)
		request_refuse(
			q, c->board,
			"Say why: the reason is told to the players and kept.  Write the same line again with the reason at its end, or in a paragraph below it.");
	else if (n > MODERATE_REASON_MAX)
		request_refuse(q, c->board, "The reason is too long: at most %d characters.",
		               MODERATE_REASON_MAX);
	return n && n <= MODERATE_REASON_MAX ? reason : NULL;
}

const char *moderate_told(struct request *q, const struct call *c, const char *reason)
{
	struct player_doc p;

	if (!*reason || !c->match || !moderate_is_director(q, c))
		return reason;
	for (size_t i = 0; i < 2; i++)
		if (store_player_get(q->site->store, q->arena, c->match->doc.players[i], &p,
		                     NULL) == 0 &&
		    consent_has_person(q, &p, CONSENT_CENSOR, c->actor)) {
			request_say(q, "Your words were not passed on.  %s",
			            arena_printf(q->arena, "%s does not take messages from you.",
			                         p.userid));
			return "";
		}
	return reason;
}

bool moderate_may_follow(struct request *q, const struct call *c, const struct tournament_doc *t)
{
	if (is_director_of(c->actor, t) || roles_is_staff(c->actor))
		return true;
	return !request_refused(
		q, 0, "Only %s, who directs the tournament %s, or a moderator can do this.",
		t->director, t->name);
}

bool moderate_may_direct(struct request *q, const struct call *c, const struct tournament_doc *t)
{
	bool directs = (roles_of(c->actor) & ROLE_DIRECTOR) != 0;

	if (t ? !moderate_may_follow(q, c, t) : !directs && !is_staff(q, c))
		return false;
	if (is_suspended(q, c))
		return false;
	if (!t || q->who.proof == PROOF_OPERATOR || !plays_in(q, c, t))
		return true;
	return !request_refused(
		q, 0,
		"You play in the tournament %s yourself: another moderator must decide about it.",
		t->name);
}

int moderate_record(struct request *q, const struct call *c, const char *detail, const char *reason,
                    struct err *e)
{
	const struct match *m = c->match;
	const struct act act = {
		.at = q->now,
		.by = c->actor->userid,
		.what = c->command->word + strlen(PREFIX),
		.board = c->board,
		.players = m ? arena_printf(q->arena, "%s %s", m->doc.players[0], m->doc.players[1])
		             : NULL,
		.detail = detail,
		.reason = reason && *reason ? reason : NULL,
	};

	return store_act_add(q->site->store, &act, e);
}

int moderate_done(struct request *q, const struct call *c, const char *detail, const char *reason,
                  struct err *e)
{
	moderate_record(q, c, detail, reason, e);
	return request_save(q, c->match, e);
}

void moderate_tell(struct request *q, const struct call *c, unsigned flags, const char *subject,
                   const char *headline)
{
	const struct match *m = c->match;
	uint8_t seats = match_is_solo(m) ? 1 : 2;

	for (uint8_t seat = 0; seat < seats; seat++) {
		struct note *n = request_note(q, m->doc.players[seat], c->board, flags);

		n->seat = seat;
		n->subject = subject;
		n->headline = headline;
	}
	if (match_seat_of(m, c->actor->userid) != SEAT_NONE)
		return;
	request_tell(q, c->actor->userid, 0,
	             arena_printf(q->arena, "done: %s %lld", c->command->word, (long long)c->board),
	             "Done, and the players of board %lld are told.", (long long)c->board);
}
