/* Acts of moderators on accounts: mod warn, suspend, ban, unban, rename, merge, role. */
#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/commands/account/account_merge.h"
#include "pbm/commands/account/account_rename.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/commands/staff/sanctions.h"
#include "pbm/commands/staff/staff_act.h"
#include "pbm/commands/staff/staff_tables.h"
#include "pbm/people/roles.h"
#include "pbm/request/request_player.h"

#define MERGES_A_DAY 10
#define MERGE_PAUSE 7 /* days */
#define MERGE_TIMES 3

/* ---- warn, suspend ---- */

static int run_warn(struct request *q, struct call *, struct wish *w, struct err *e)
{
	return sanctions_warn(q, &w->p, &w->by, e);
}

static bool may_unsuspend(struct request *q, const struct call *, struct wish *w)
{
	if (w->p.banned)
		return !request_refused(q, 0, "%s is banned.", w->p.userid);
	if (!w->days && !w->p.suspended)
		return !request_refused(q, 0, "%s is not suspended.", w->p.userid);
	return true;
}

static bool may_suspend(struct request *q, const struct call *c, struct wish *w)
{
	staff_act_days(c, w, SANCTIONS_DAYS_MAX);
	if (w->days >= 0)
		return may_unsuspend(q, c, w);
	return !request_refused(
		q, 0,
		"Give whole days, from 1 to %d, or 0 to end a suspension: mod suspend bob 30 why",
		SANCTIONS_DAYS_MAX);
}

static int run_suspend(struct request *q, struct call *, struct wish *w, struct err *e)
{
	return sanctions_suspend(q, &w->p, &w->by, w->days, e);
}

/* ---- ban ---- */

static bool may_ban(struct request *q, const struct call *c, struct wish *w)
{
	const char *next = c->argc > 2 ? c->argv[2] : "";
	bool resign = strcasecmp(w->word, "-resign") == 0;
	bool annul = strcasecmp(w->word, "-annul") == 0;

	if (w->p.banned || w->p.deleted)
		return !request_refused(
			q, 0, w->p.banned ? "%s is banned already." : "%s has left this server.",
			w->p.userid);
	w->word = resign ? "-resign" : "-annul";
	w->end = resign ? BAN_RESIGN : BAN_ANNUL;
	if ((resign || annul) && strcasecmp(next, resign ? "-annul" : "-resign") != 0)
		return true;
	return !request_refused(
		q, 0,
		"Say what becomes of the running games: mod ban bob -resign why, or: mod ban bob -annul why");
}

static int run_ban(struct request *q, struct call *, struct wish *w, struct err *e)
{
	return sanctions_ban(q, &w->p, &w->by, w->end, e);
}

static bool may_unban(struct request *q, const struct call *, struct wish *w)
{
	if (!w->p.banned)
		request_refuse(q, 0, "%s is not banned.", w->p.userid);
	return w->p.banned;
}

static int run_unban(struct request *q, struct call *, struct wish *w, struct err *e)
{
	return sanctions_unban(q, &w->p, &w->by, e);
}

/* ---- rename ---- */

static bool may_rename(struct request *q, const struct call *c, struct wish *w)
{
	struct err why = { 0 }, e = { 0 };

	if (!*w->word)
		return staff_act_refuse_missing(q, c);
	if (account_rename_may(q, &w->p, w->word, &why, &e) == 1)
		return true;
	return !request_refused(q, 0, "%s", why.text);
}

static int run_rename(struct request *q, struct call *, struct wish *w, struct err *e)
{
	int rc = account_rename(q, &w->p, w->word, &w->by, e);

	w->p.userid = w->word;
	return rc;
}

/* ---- merge ---- */

static bool may_merge(struct request *q, const struct call *c, struct wish *w)
{
	struct err why = { 0 }, e = { 0 };

	if (!staff_act_player(q, c, 1, &w->into) || !moderate_may_on(q, c, &w->into))
		return false;
	w->word = w->into.userid;
	if (account_merge_may(q, &w->p, &w->into, &why, &e) != 1)
		return !request_refused(q, 0, "%s", why.text);
	if (player_is_reachable(&w->p) && player_is_reachable(&w->into))
		return true;
	return !request_refused(
		q, 0,
		"%s can't be asked: no mail reaches the account.  Only the operator can merge it.",
		player_is_reachable(&w->p) ? w->into.userid : w->p.userid);
}

/* 1: neither this moderator nor one of these accounts has too many questions; 0: refused. */
static int may_ask(struct request *q, const char *by, const char *from, const char *into,
                   struct err *e)
{
	const char *const asked[] = { from, into };
	int64_t count = 0;
	int rc = request_count_event(q, "merges", by, CLOCK_DAY, &count, e);

	if (rc == 0 && count > MERGES_A_DAY)
		return !request_refused(
			q, 0,
			"You have asked %d times today for accounts to become one.  Try again tomorrow.",
			MERGES_A_DAY);
	for (size_t i = 0; rc == 0 && i < 2; i++) {
		rc = request_count_event(q, "merge-asked", asked[i], MERGE_PAUSE * CLOCK_DAY,
		                         &count, e);
		if (rc == 0 && count > MERGE_TIMES)
			return !request_refused(
				q, 0,
				"%s has been asked %d times in the last %d days, and is not asked again so soon.",
				asked[i], MERGE_TIMES, MERGE_PAUSE);
	}
	return rc < 0 ? rc : 1;
}

static int run_merge(struct request *q, struct call *, struct wish *w, struct err *e)
{
	const char *from = w->p.userid, *into = w->into.userid;
	int rc = may_ask(q, w->by.by, from, into, e);

	if (rc == 1)
		rc = account_merge_ask(q, &w->p, &w->into, &w->by, e);
	else if (rc == 0)
		return 1; /* refused */
	if (rc < 0)
		return rc;
	q->done_count++;
	request_say(
		q,
		"I have asked %s and %s.  When both have agreed, %s goes into %s, and you are told.",
		from, into, from, into);
	return 1;
}

/* ---- role ---- */

static bool may_role(struct request *q, const struct call *c, struct wish *w)
{
	w->roles = roles_of(&w->p);
	if (!roles_read(w->word, &w->roles))
		return !request_refused(
			q, 0,
			"Say which role: player, director, moderator, several with commas between them; computer or human changes the mark.  The form is: %s",
			c->command->usage);
	if (w->roles & ROLE_OPERATOR)
		return !request_refused(q, 0,
		                        "Nobody becomes an operator by mail, but at the shell.");
	if (w->roles == roles_of(&w->p))
		return !request_refused(q, 0, "The role of %s is that already: %s.", w->p.userid,
		                        w->p.role);
	return true;
}

static int run_role(struct request *q, struct call *, struct wish *w, struct err *e)
{
	return sanctions_set_roles(q, &w->p, &w->by, w->roles, e);
}

#define ACT (CMD_PROOF | CMD_PAIR | CMD_STAFF)

const struct command cmd_mod_people_acts[] = {
	COMMAND_ACT("mod warn", "mod warn userid why", ACT | CMD_TELLS,
	            STAFF_ACT(.words = 1, .run = run_warn, .rivals = true)),
	COMMAND_ACT("mod suspend", "mod suspend userid days why", ACT | CMD_TELLS,
	            STAFF_ACT(.words = 2, .may = may_suspend, .run = run_suspend, .rivals = true)),
	COMMAND_ACT(
		"mod unsuspend", "mod unsuspend userid why", ACT | CMD_TELLS,
		STAFF_ACT(.words = 1, .may = may_unsuspend, .run = run_suspend, .rivals = true)),
	COMMAND_ACT(
		"mod ban", "mod ban userid -resign|-annul why", ACT | CMD_TELLS,
		STAFF_ACT(.words = 2, .may = may_ban, .run = run_ban, .rivals = true,
	                  .final =
	                          "All running games of this player end at once, and a ban that is lifted gives none of them back.  The answer is good for an hour.")),
	COMMAND_ACT("mod unban", "mod unban userid why", ACT | CMD_TELLS,
	            STAFF_ACT(.words = 1, .may = may_unban, .run = run_unban)),
	COMMAND_ACT(
		"mod rename", "mod rename userid name why", ACT | CMD_TELLS,
		STAFF_ACT(.words = 2, .may = may_rename, .run = run_rename, .rivals = true,
	                  .final =
	                          "The player gets another name, in all games and pages.  The old one stays reserved.  The answer is good for an hour.")),
	COMMAND_ACT(
		"mod merge", "mod merge userid into-userid why", ACT,
		STAFF_ACT(.words = 2, .may = may_merge, .run = run_merge,
	                  .final =
	                          "If both players agree, the two accounts become one; that can't be taken back.  The answer is good for an hour.")),
	COMMAND_ACT(
		"mod role", "mod role userid role[,role] why", ACT,
		STAFF_ACT(.words = 2, .may = may_role, .run = run_role, .operators = true,
	                  .final =
	                          "This changes what the player may do.  The answer is good for an hour.")),
	{ .word = NULL }
};
