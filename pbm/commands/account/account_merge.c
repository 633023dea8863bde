#include "pbm/commands/account/account_merge.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/answer/notify.h"
#include "pbm/commands/account/account_change.h"
#include "pbm/commands/account/account_end.h"
#include "pbm/commands/account/account_games.h"
#include "pbm/commands/account/account_rename.h"
#include "pbm/commands/proof/question.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/people/banned_addresses.h"
#include "pbm/people/computer.h"
#include "pbm/people/roles.h"
#include "pbm/rating/rating_again.h"
#include "pbm/record/match.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"
#include "store/store_work.h"

#define MERGE "merge" /* the member of a question's JSON */
#define GAMES_MAX 1000000

/* ---- may it be? ---- */

/* Sets *why if one of the accounts can't be merged; 1: it can. */
static int check_account(struct request *q, const struct player_doc *p, struct err *why,
                         struct err *e)
{
	if (p->deleted)
		return !err_set(why, ERR_BAD, "%s has left this server.", p->userid);
	if (computer_is(p))
		return !err_set(why, ERR_BAD, "%s is a computer, and stays an account of its own.",
		                p->userid);
	if (p->banned)
		return !err_set(why, ERR_BAD, "%s is banned: lift the ban first.", p->userid);
	int rc = account_end_is_open(q, p->userid, "", e);
	if (rc == 1)
		err_set(why, ERR_BAD,
		        "The account %s was changed less than %d days ago, and an address of it can still take that back.",
		        p->userid, ACCOUNT_UNDO_DAYS);
	return rc < 0 ? rc : !rc;
}

int account_merge_may(struct request *q, const struct player_doc *from,
                      const struct player_doc *into, struct err *why, struct err *e)
{
	const char *tournament = NULL;
	int64_t board = 0;

	if (strcasecmp(from->userid, into->userid) == 0)
		return !err_set(why, ERR_BAD, "These are the same account.");
	int rc = check_account(q, from, why, e);
	if (rc == 1)
		rc = check_account(q, into, why, e);
	if (rc != 1)
		return rc;
	rc = account_games_between(q, from->userid, into, GAMES_OPEN, &board, e);
	if (rc == 0 && !board)
		rc = account_games_between(q, from->userid, into, GAMES_OFFERS, &board, e);
	if (rc == 0 && board)
		return !err_set(why, ERR_BAD,
		                "%s and %s play board %lld, or one has offered it: end it first.",
		                from->userid, into->userid, (long long)board);
	if (rc == 0)
		rc = tournament_entry_meets(q, from->userid, into, &tournament, e);
	if (rc == 1)
		return !err_set(why, ERR_BAD, "%s and %s both play in the tournament %s.",
		                from->userid, into->userid, tournament);
	if (rc == 0 && from->address_count + into->address_count > PLAYER_ADDRESSES_MAX)
		return !err_set(why, ERR_BAD, "Together the accounts have more than %d addresses.",
		                PLAYER_ADDRESSES_MAX);
	return rc < 0 ? rc : 1;
}

/* ---- asking both ---- */

static json_t *write_question(const struct player_doc *from, const struct player_doc *into,
                              const struct act_by *by, const char *peer)
{
	return json_pack("{s:{s:s, s:s, s:s, s:s, s:s}}", MERGE, "from", from->userid, "into",
	                 into->userid, "by", by->by, "why", by->why, "peer", peer);
}

/* Asks the account p; peer is the question to the other one. */
static int ask_account(struct request *q, const struct player_doc *p, const char *id, json_t *what,
                       struct err *e)
{
	const char *address = player_mail_address(p);
	const json_t *m = json_object_get(what, MERGE);
	struct letter l = { .to = address,
		            .to_name = p->userid,
		            .tag = arena_printf(q->arena, "merge %s", p->userid),
		            .parting = true,
		            .subject = arena_printf(q->arena,
		                                    "[%.60s] Shall two accounts become one?",
		                                    q->site->conf.name) };
	json_t *context = json_pack("{s:s, s:O, s:O, s:O, s:O}", "host", q->site->conf.host, "from",
	                            json_object_get(m, "from"), "into", json_object_get(m, "into"),
	                            "by", json_object_get(m, "by"), "why",
	                            json_object_get(m, "why"));
	int rc = question_put(q, id, p->userid, address, what, CONFIRM_DAYS, e);

	if (rc == 0)
		return question_send(q, &l, "mail/merge.txt", context, id, CONFIRM_DAYS, e);
	json_decref(context);
	return rc;
}

int account_merge_ask(struct request *q, const struct player_doc *from,
                      const struct player_doc *into, const struct act_by *by, struct err *e)
{
	const struct player_doc *const both[] = { from, into };
	const char *ids[2];
	int rc = 0;

	for (size_t i = 0; i < 2; i++)
		ids[i] = question_id(q, arena_printf(q->arena, MERGE " %s %s %s", from->userid,
		                                     into->userid, i ? "into" : "from"));
	for (size_t i = 0; rc == 0 && i < 2; i++) {
		json_auto_t *what = write_question(from, into, by, ids[!i]);

		rc = ask_account(q, both[i], ids[i], what, e);
	}
	return rc;
}

bool account_merge_is_question(const json_t *what)
{
	return json_object_get(what, MERGE) != NULL;
}

/* Notes in the other account's question that this one has agreed.  1: the other one has not
 * answered yet; 0: its question is gone. */
static int tell_peer(struct request *q, const char *id, struct err *e)
{
	struct held_command h;
	int rc = err_found(store_held_get(q->site->store, q->arena, id, &h, e), ERR_NOT_FOUND, e);

	if (rc <= 0 || h.expires < q->now)
		return rc < 0 ? rc : 0;
	json_auto_t *what = json_loads(h.text, 0, NULL);
	json_object_set_new(json_object_get(what, MERGE), "agreed", json_true());
	AUTO(mem_free) char *text = json_dumps(what, JSON_COMPACT);
	h.text = text;
	rc = store_held_put(q->site->store, &h, e);
	return rc < 0 ? rc : 1;
}

/* May the moderator still merge these two? */
static int check_moderator(struct request *q, const char *userid, const struct player_doc *from,
                           const struct player_doc *into, struct err *why, struct err *e)
{
	struct player_doc p;
	int rc = store_player_get(q->site->store, q->arena, userid, &p, e);

	if (rc < 0)
		return rc;
	int rank = roles_rank(roles_of(&p));
	if (roles_is_staff(&p) && !p.banned && rank > roles_rank(roles_of(from)) &&
	    rank > roles_rank(roles_of(into)))
		return 1;
	return !err_set(why, ERR_PERM, "%s may no longer merge these accounts.", userid);
}

/* Merges after both have agreed. */
static int merge_agreed(struct request *q, const char *from, const char *into,
                        const struct act_by *by, struct err *e)
{
	struct player_doc *p = arena_alloc(q->arena, 2 * sizeof *p);
	struct err why = { 0 };
	int rc = store_player_get(q->site->store, q->arena, from, &p[0], e);

	if (rc == 0)
		rc = store_player_get(q->site->store, q->arena, into, &p[1], e);
	if (rc == 0)
		rc = check_moderator(q, by->by, &p[0], &p[1], &why, e);
	if (rc == 1)
		rc = account_merge_may(q, &p[0], &p[1], &why, e);
	if (rc == 0)
		request_refuse(q, 0, "The accounts were not merged.  %s", why.text);
	return rc == 1 ? account_merge(q, &p[0], &p[1], by, e) : rc;
}

int account_merge_answer(struct request *q, const struct held_command *h, const json_t *what,
                         struct err *e)
{
	const json_t *m = json_object_get(what, MERGE);
	const char *from = arena_strdup(q->arena, json_string_value(json_object_get(m, "from")));
	const char *into = arena_strdup(q->arena, json_string_value(json_object_get(m, "into")));
	const struct act_by by = {
		arena_strdup(q->arena, json_string_value(json_object_get(m, "by"))),
		arena_strdup(q->arena, json_string_value(json_object_get(m, "why")))
	};
	struct player_doc own;
	int rc = store_player_get(q->site->store, q->arena, h->userid, &own, e);

	if (rc < 0)
		return rc;
	if (!player_has_address(&own, h->address))
		return !request_refused(q, 0, "%s is no address of %s any more.  Nothing was done.",
		                        h->address, own.userid);
	q->who.known = true;
	q->who.player = own;
	q->who.proof = PROOF_CONFIRM;
	if (json_is_true(json_object_get(m, "agreed")))
		return merge_agreed(q, from, into, &by, e);
	rc = tell_peer(q, json_string_value(json_object_get(m, "peer")), e);
	if (rc < 0)
		return rc;
	q->done_count++;
	if (rc == 1)
		request_say(
			q,
			"You have agreed.  As soon as the other account agrees too, %s goes into %s.",
			from, into);
	else
		request_refuse(
			q, 0,
			"The question to the other account is no longer open, so the accounts are not merged.");
	return 0;
}

/* ---- merging ---- */

/* The games of the first account before they change their name. */
struct merging {
	struct request *q;
	const struct player_doc *from, *into;
	const struct act_by *by;
	struct err *err;
};

/* Games of one player against himself don't count. */
static int annul(struct merging *g, struct arena *a, const struct game_doc *d)
{
	struct match *m = arena_alloc(a, sizeof *m);
	struct request *q = g->q;
	struct err why = { 0 };

	if (match_load(a, d, m, &why) < 0)
		return 0; /* damaged: fsck says it, and its result is left */
	int rc = d->rating_count ? store_rated_drop(q->site->store, d, g->err) : 0;
	match_change_result(
		m, g->by->by, "*",
		arena_printf(a, "%s, a moderator, annulled it: %s", g->by->by, g->by->why), q->now);
	if (rc == 0)
		rc = store_game_put(q->site->store, &m->doc, g->err);
	return rc == 0 ? store_work_add(q->site->store, WORK_GAME, d->board, 0, g->err) : rc;
}

static int take_game(const struct game_row *row, void *arg)
{
	struct merging *g = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;
	struct err why = { 0 };
	int rc = store_game_get(g->q->site->store, &a, row->board, &d, &why);

	if (rc < 0)
		rc = err_is_of_machine(&why) ? err_set(g->err, why.code, "%s", why.text) : 1;
	if (rc == 0 && d.rating_count)
		rc = rating_again_want(g->q->site->store, &d, g->err);
	bool between = rc == 0 && (strcasecmp(d.players[0], g->into->userid) == 0 ||
	                           strcasecmp(d.players[1], g->into->userid) == 0);
	if (between && d.state == GAME_FINISHED)
		rc = annul(g, &a, &d);
	return rc < 0 ? rc : 0;
}

/* The second account with the addresses of the first, as its newest ones: rights of its own
 * older addresses stay theirs. */
static struct player_doc join(struct merging *g)
{
	const struct player_doc *from = g->from;
	struct player_doc p = *g->into;
	size_t n = p.address_count;

	p.addresses = arena_alloc(g->q->arena, (n + from->address_count + 1) * sizeof *p.addresses);
	if (n)
		memcpy(p.addresses, g->into->addresses, n * sizeof *p.addresses);
	for (size_t i = 0; i < from->address_count; i++) {
		struct player_address a = from->addresses[i];

		if (player_find_address(g->into, a.address) || !a.confirmed)
			continue;
		a.confirmed = g->q->now;
		p.addresses[n++] = a;
	}
	p.address_count = n;
	if (from->suspended > p.suspended)
		p.suspended = from->suspended;
	if (p.suspended > g->q->now)
		p.barred = banned_addresses_hashes(g->q->site, g->q->arena, &p);
	return p;
}

int account_merge(struct request *q, const struct player_doc *from, const struct player_doc *into,
                  const struct act_by *by, struct err *e)
{
	struct merging g = { .q = q, .from = from, .into = into, .by = by, .err = e };
	struct player_doc p = join(&g);
	int rc = store_games(q->site->store, from->userid, NULL, GAMES_FINISHED, GAMES_MAX, 0,
	                     take_game, &g, e);

	if (rc == 0)
		rc = account_change_drop_questions(q, from->userid, e);
	if (rc == 0)
		rc = account_change_drop_questions(q, into->userid, e);
	if (rc == 0)
		rc = account_rename_lead_on(q, from, into->userid, e);
	if (rc == 0)
		rc = store_player_put(q->site->store, &p, e);
	if (rc == 0)
		rc = act_record(q, by, "merge",
		                arena_printf(q->arena, "%s %s", from->userid, into->userid), NULL,
		                e);
	if (rc < 0)
		return rc;
	q->done_count++;
	if (q->who.known && request_is_by(q, from->userid))
		q->who.player = p;
	request_tell(
		q, p.userid, NOTE_ACCOUNT | NOTE_PARTING | NOTE_APART, "two accounts are one now",
		"The account %s has become part of %s, with its games and addresses.  Password and settings are those of %s.  Finished games against each other no longer count.",
		from->userid, p.userid, p.userid);
	if (strcmp(by->by, "operator") == 0) /* at the shell */
		return 0;
	request_tell(q, by->by, NOTE_APART,
	             arena_printf(q->arena, "done: mod merge %s %s", from->userid, p.userid),
	             "Both agreed: %s is part of %s now.", from->userid, p.userid);
	return 0;
}
