/* Acts of moderators on accounts: mod warn, suspend, ban, unban, rename, merge, role. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/account/account_merge.h"
#include "pbm/commands/account/account_rename.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/commands/staff/sanctions.h"
#include "pbm/commands/staff/staff_tables.h"
#include "pbm/people/roles.h"
#include "pbm/request/act_record.h"
#include "store/store_documents.h"

#define DAY INT64_C(86400)
#define MERGES_A_DAY 10
#define MERGE_PAUSE 7 /* days */
#define MERGE_TIMES 3

/* The player named by a word of the line.  false: refused. */
static bool find_player(struct request *q, const struct call *c, size_t word,
                        struct player_doc *out)
{
	*out = (struct player_doc){ 0 };
	if (c->argc <= word) {
		request_refuse(q, 0, "Something is missing.  The form is: %s", c->command->usage);
		return false;
	}
	if (store_player_get(q->site->store, q->arena, c->argv[word], out, NULL) == 0)
		return true;
	request_refuse(q, 0, "There is no player %.40s.", c->argv[word]);
	return false;
}

/* The player of the line, on whom the actor may act.  false: refused. */
static bool find_target(struct request *q, const struct call *c, struct player_doc *out)
{
	*out = (struct player_doc){ 0 };
	if (!roles_is_staff(c->actor)) /* strangers need not learn who plays here */
		return moderate_may(q, c);
	if (!find_player(q, c, 0, out))
		return false;
	if (out->deleted && !out->banned) {
		request_refuse(q, 0, "%s has left this server.", out->userid);
		return false;
	}
	return moderate_may_on(q, c, out);
}

static int say_done(struct request *q, const struct call *c, const char *userid)
{
	struct note *n = request_note(q, c->actor->userid, 0, 0);

	n->subject = arena_printf(q->arena, "done: %s %s", c->command->word, userid);
	n->headline = arena_printf(q->arena, "Done, and %s is told.", userid);
	return 0;
}

/* ---- warn ---- */

static bool can_warn(struct request *q, struct call *c)
{
	struct player_doc p;

	return find_target(q, c, &p) && moderate_reason(q, c, 1) && !moderate_is_rival(q, c, &p);
}

static int run_warn(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p;

	if (!can_warn(q, c) || !find_target(q, c, &p))
		return 0;
	const struct act_by by = { c->actor->userid, moderate_reason(q, c, 1) };
	int rc = sanctions_warn(q, &p, &by, e);
	return rc == 0 ? say_done(q, c, p.userid) : rc;
}

/* ---- suspend ---- */

/* "mod unsuspend bob why" is "mod suspend bob 0 why". */
static bool is_unsuspend(const struct call *c)
{
	return strcmp(c->command->word, "mod unsuspend") == 0;
}

/* Days; -1: refused. */
static int read_days(struct request *q, const struct call *c)
{
	if (is_unsuspend(c))
		return 0;
	const char *word = c->argc > 1 ? c->argv[1] : "";
	size_t digits = strspn(word, "0123456789");
	int days = digits && digits < 4 && !word[digits] ? atoi(word) : -1;

	if (days >= 0 && days <= SANCTIONS_DAYS_MAX)
		return days;
	request_refuse(
		q, 0,
		"Give whole days, from 1 to %d, or 0 to end a suspension: mod suspend bob 30 why",
		SANCTIONS_DAYS_MAX);
	return -1;
}

static const char *days_reason(struct request *q, const struct call *c)
{
	if (is_unsuspend(c))
		return moderate_reason(q, c, 1);
	bool unit = c->argc > 2 &&
	            (strcasecmp(c->argv[2], "day") == 0 || strcasecmp(c->argv[2], "days") == 0);

	return moderate_reason(q, c, unit ? 3 : 2);
}

static bool can_suspend(struct request *q, struct call *c)
{
	struct player_doc p;

	if (!find_target(q, c, &p) || read_days(q, c) < 0)
		return false;
	if (p.banned)
		request_refuse(q, 0, "%s is banned.", p.userid);
	else if (!read_days(q, c) && !p.suspended)
		request_refuse(q, 0, "%s is not suspended.", p.userid);
	else
		return days_reason(q, c) && !moderate_is_rival(q, c, &p);
	return false;
}

static int run_suspend(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p;

	if (!can_suspend(q, c) || !find_target(q, c, &p))
		return 0;
	const struct act_by by = { c->actor->userid, days_reason(q, c) };
	int rc = sanctions_suspend(q, &p, &by, read_days(q, c), e);
	return rc == 0 ? say_done(q, c, p.userid) : rc;
}

/* ---- ban ---- */

/* BAN_ENDED: refused. */
static enum ban_end read_end(struct request *q, const struct call *c)
{
	const char *word = c->argc > 1 ? c->argv[1] : "", *next = c->argc > 2 ? c->argv[2] : "";
	bool resign = strcasecmp(word, "-resign") == 0, annul = strcasecmp(word, "-annul") == 0;
	bool both = (resign && strcasecmp(next, "-annul") == 0) ||
	            (annul && strcasecmp(next, "-resign") == 0);

	if ((resign || annul) && !both)
		return resign ? BAN_RESIGN : BAN_ANNUL;
	request_refuse(
		q, 0,
		"Say what becomes of the running games: mod ban bob -resign why, or: mod ban bob -annul why");
	return BAN_ENDED;
}

static bool can_ban(struct request *q, struct call *c)
{
	struct player_doc p;

	if (!find_target(q, c, &p))
		return false;
	if (p.banned || p.deleted) {
		request_refuse(q, 0,
		               p.banned ? "%s is banned already." : "%s has left this server.",
		               p.userid);
		return false;
	}
	if (read_end(q, c) == BAN_ENDED || !moderate_reason(q, c, 2) || moderate_is_rival(q, c, &p))
		return false;
	if (!q->confirming)
		q->held_why =
			"All running games of this player end at once, and a ban that is lifted gives none of them back.  The answer is good for an hour.";
	return true;
}

static int run_ban(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p;

	if (!can_ban(q, c) || !find_target(q, c, &p))
		return 0;
	enum ban_end end = read_end(q, c);
	const struct act_by by = { c->actor->userid, moderate_reason(q, c, 2) };
	if (hold_ask_final(q, c,
	                   arena_printf(q->arena, "mod ban %s %s %s", p.userid,
	                                end == BAN_RESIGN ? "-resign" : "-annul", by.why),
	                   q->held_why))
		return 0;
	int rc = sanctions_ban(q, &p, &by, end, e);
	return rc == 0 ? say_done(q, c, p.userid) : rc;
}

static bool can_unban(struct request *q, struct call *c)
{
	struct player_doc p;

	if (!find_target(q, c, &p))
		return false;
	if (!p.banned)
		request_refuse(q, 0, "%s is not banned.", p.userid);
	return p.banned && moderate_reason(q, c, 1);
}

static int run_unban(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p;

	if (!can_unban(q, c) || !find_target(q, c, &p))
		return 0;
	const struct act_by by = { c->actor->userid, moderate_reason(q, c, 1) };
	int rc = sanctions_unban(q, &p, &by, e);
	return rc == 0 ? say_done(q, c, p.userid) : rc;
}

/* ---- rename ---- */

static bool can_rename(struct request *q, struct call *c)
{
	struct player_doc p;
	struct err why = { 0 }, e = { 0 };

	if (!find_target(q, c, &p))
		return false;
	if (c->argc < 2) {
		request_refuse(q, 0, "Something is missing.  The form is: %s", c->command->usage);
		return false;
	}
	if (account_rename_may(q, &p, c->argv[1], &why, &e) != 1) {
		request_refuse(q, 0, "%s", why.text);
		return false;
	}
	if (!moderate_reason(q, c, 2))
		return false;
	if (!q->confirming)
		q->held_why =
			"The player gets another name, in all games and pages.  The old one stays reserved.  The answer is good for an hour.";
	return true;
}

static int run_rename(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p;

	if (!can_rename(q, c) || !find_target(q, c, &p))
		return 0;
	const struct act_by by = { c->actor->userid, moderate_reason(q, c, 2) };
	if (hold_ask_final(
		    q, c,
		    arena_printf(q->arena, "mod rename %s %s %s", p.userid, c->argv[1], by.why),
		    q->held_why))
		return 0;
	int rc = account_rename(q, &p, c->argv[1], &by, e);
	return rc == 0 ? say_done(q, c, c->argv[1]) : rc;
}

/* ---- merge ---- */

/* The account that stays.  false: refused. */
static bool find_merged(struct request *q, const struct call *c, struct player_doc *from,
                        struct player_doc *into)
{
	return find_target(q, c, from) && find_player(q, c, 1, into) && moderate_may_on(q, c, into);
}

static bool can_merge(struct request *q, struct call *c)
{
	struct player_doc from, into;
	struct err why = { 0 }, e = { 0 };

	if (!find_merged(q, c, &from, &into))
		return false;
	if (account_merge_may(q, &from, &into, &why, &e) != 1) {
		request_refuse(q, 0, "%s", why.text);
		return false;
	}
	if (!player_is_reachable(&from) || !player_is_reachable(&into)) {
		request_refuse(
			q, 0,
			"%s can't be asked: no mail reaches the account.  Only the operator can merge it.",
			player_is_reachable(&from) ? into.userid : from.userid);
		return false;
	}
	if (!moderate_reason(q, c, 2))
		return false;
	if (!q->confirming)
		q->held_why =
			"If both players agree, the two accounts become one; that can't be taken back.  The answer is good for an hour.";
	return true;
}

/* 1: neither this moderator nor one of these accounts has too many questions; 0: refused. */
static int may_ask(struct request *q, const char *by, const char *from, const char *into,
                   struct err *e)
{
	const char *const asked[] = { from, into };
	int64_t count = 0;
	int rc = request_count_event(q, "merges", by, DAY, &count, e);

	if (rc == 0 && count > MERGES_A_DAY) {
		request_refuse(
			q, 0,
			"You have asked %d times today for accounts to become one.  Try again tomorrow.",
			MERGES_A_DAY);
		return 0;
	}
	for (size_t i = 0; rc == 0 && i < 2; i++) {
		rc = request_count_event(q, "merge-asked", asked[i], MERGE_PAUSE * DAY, &count, e);
		if (rc == 0 && count > MERGE_TIMES) {
			request_refuse(
				q, 0,
				"%s has been asked %d times in the last %d days, and is not asked again so soon.",
				asked[i], MERGE_TIMES, MERGE_PAUSE);
			return 0;
		}
	}
	return rc < 0 ? rc : 1;
}

static int run_merge(struct request *q, struct call *c, struct err *e)
{
	struct player_doc from, into;

	if (!can_merge(q, c) || !find_merged(q, c, &from, &into))
		return 0;
	const struct act_by by = { c->actor->userid, moderate_reason(q, c, 2) };
	if (hold_ask_final(
		    q, c,
		    arena_printf(q->arena, "mod merge %s %s %s", from.userid, into.userid, by.why),
		    q->held_why))
		return 0;
	int rc = may_ask(q, by.by, from.userid, into.userid, e);
	if (rc <= 0)
		return rc;
	rc = account_merge_ask(q, &from, &into, &by, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	request_say(
		q,
		"I have asked %s and %s.  When both have agreed, %s goes into %s, and you are told.",
		from.userid, into.userid, from.userid, into.userid);
	return 0;
}

/* ---- role ---- */

static bool read_roles(struct request *q, const struct call *c, const struct player_doc *p,
                       unsigned *roles)
{
	*roles = roles_of(p);
	if (c->argc > 1 && roles_read(c->argv[1], roles)) {
		if (!(*roles & ROLE_OPERATOR))
			return true;
		request_refuse(q, 0, "Nobody becomes an operator by mail, but at the shell.");
		return false;
	}
	request_refuse(
		q, 0,
		"Say which role: player, director, moderator, several with commas between them; computer or human changes the mark.  The form is: %s",
		c->command->usage);
	return false;
}

static bool can_role(struct request *q, struct call *c)
{
	struct player_doc p;
	unsigned roles;

	if (!roles_is_staff(c->actor))
		return moderate_may(q, c);
	if (!roles_is_operator(c->actor)) {
		request_refuse(q, 0, "Only an operator can change roles.");
		return false;
	}
	if (!find_target(q, c, &p) || !read_roles(q, c, &p, &roles))
		return false;
	if (roles == roles_of(&p)) {
		request_refuse(q, 0, "The role of %s is that already: %s.", p.userid, p.role);
		return false;
	}
	if (!moderate_reason(q, c, 2))
		return false;
	if (!q->confirming)
		q->held_why =
			"This changes what the player may do.  The answer is good for an hour.";
	return true;
}

static int run_role(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p;
	unsigned roles;

	if (!can_role(q, c) || !find_target(q, c, &p) || !read_roles(q, c, &p, &roles))
		return 0;
	const struct act_by by = { c->actor->userid, moderate_reason(q, c, 2) };
	if (hold_ask_final(
		    q, c, arena_printf(q->arena, "mod role %s %s %s", p.userid, c->argv[1], by.why),
		    q->held_why))
		return 0;
	int rc = sanctions_set_roles(q, &p, &by, roles, e);
	return rc == 0 ? say_done(q, c, p.userid) : rc;
}

#define ACT (CMD_PROOF | CMD_PAIR | CMD_STAFF)

const struct command cmd_mod_people_acts[] = { { .word = "mod warn",
	                                         .usage = "mod warn userid why",
	                                         .flags = ACT | CMD_TELLS,
	                                         .check = can_warn,
	                                         .run = run_warn },
	                                       { .word = "mod suspend",
	                                         .usage = "mod suspend userid days why",
	                                         .flags = ACT | CMD_TELLS,
	                                         .check = can_suspend,
	                                         .run = run_suspend },
	                                       { .word = "mod unsuspend",
	                                         .usage = "mod unsuspend userid why",
	                                         .flags = ACT | CMD_TELLS,
	                                         .check = can_suspend,
	                                         .run = run_suspend },
	                                       { .word = "mod ban",
	                                         .usage = "mod ban userid -resign|-annul why",
	                                         .flags = ACT | CMD_TELLS,
	                                         .check = can_ban,
	                                         .run = run_ban },
	                                       { .word = "mod unban",
	                                         .usage = "mod unban userid why",
	                                         .flags = ACT | CMD_TELLS,
	                                         .check = can_unban,
	                                         .run = run_unban },
	                                       { .word = "mod rename",
	                                         .usage = "mod rename userid name why",
	                                         .flags = ACT | CMD_TELLS,
	                                         .check = can_rename,
	                                         .run = run_rename },
	                                       { .word = "mod merge",
	                                         .usage = "mod merge userid into-userid why",
	                                         .flags = ACT,
	                                         .check = can_merge,
	                                         .run = run_merge },
	                                       { .word = "mod role",
	                                         .usage = "mod role userid role[,role] why",
	                                         .flags = ACT,
	                                         .check = can_role,
	                                         .run = run_role },
	                                       { .word = NULL } };
