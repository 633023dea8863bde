/* pbm user: accounts, for the operator at the shell.  Each act stands in the record of acts, and
 * the players whom it concerns get mail with the next run. */
#include <stdio.h>
#include <string.h>

#include "pbm/commands/account/account_end.h"
#include "pbm/commands/account/account_merge.h"
#include "pbm/commands/account/account_rename.h"
#include "pbm/commands/staff/sanctions.h"
#include "pbm/people/roles.h"
#include "pbm/program/prog_user.h"
#include "pbm/request/request.h"

#define STORE_WAIT 4 /* seconds for another run to finish */

static int run_role(struct prog_call *u, struct err *e)
{
	struct player_doc *p = &u->p;
	unsigned roles = roles_of(p);

	if (!roles_read(u->argv[1], &roles))
		return err_set(e, ERR_BAD,
		               "\"%.60s\" is no role: player, director, moderator, operator, "
		               "computer, human, or several with commas between them",
		               u->argv[1]);
	unsigned lost = roles_of(p) & ~roles;
	int rc = sanctions_set_roles(u->q, p, &u->by, roles, e);
	if (rc == 0)
		printf("%s: %s%s%s\n", p->userid, roles_write(u->q->arena, roles),
		       lost ? "; no longer: " : "", lost ? roles_write(u->q->arena, lost) : "");
	return rc;
}

static int run_rename(struct prog_call *u, struct err *e)
{
	struct err why = { 0 };
	int rc = account_rename_may(u->q, &u->p, u->argv[1], &why, e);

	if (rc == 0)
		return err_set(e, why.code, "%s", why.text);
	if (rc == 1)
		rc = account_rename(u->q, &u->p, u->argv[1], &u->by, e);
	if (rc == 0)
		printf("%s is called %s now\n", u->p.userid, u->argv[1]);
	return rc;
}

static int run_merge(struct prog_call *u, struct err *e)
{
	struct player_doc into = { 0 };
	struct err why = { 0 };
	int rc = prog_act_find_present(u, u->argv[1], &into, e);

	if (rc < 0)
		return rc;
	rc = account_merge_may(u->q, &u->p, &into, &why, e);
	if (rc == 0)
		return err_set(e, ERR_CONFLICT, "%s", why.text);
	if (rc == 1)
		rc = account_merge(u->q, &u->p, &into, &u->by, e);
	if (rc == 0)
		printf("%s is part of %s now\n", u->p.userid, into.userid);
	return rc;
}

static int run_suspend(struct prog_call *u, struct err *e)
{
	uint64_t days = 0;
	int rc = prog_number("the number of days", u->argv[1], 0, SANCTIONS_DAYS_MAX, &days, e);

	if (rc == 0)
		rc = sanctions_suspend(u->q, &u->p, &u->by, (int)days, e);
	if (rc == 0 && days)
		printf("%s is suspended for %d days, and can begin no new games\n", u->p.userid,
		       (int)days);
	else if (rc == 0)
		printf("%s is not suspended any more\n", u->p.userid);
	return rc;
}

static int run_ban(struct prog_call *u, struct err *e)
{
	const char *userid = u->p.userid;
	bool resign = strcmp(u->argv[1], "-resign") == 0;

	if (!resign && strcmp(u->argv[1], "-annul") != 0)
		return err_set(e, ERR_BAD, "say what becomes of the games: -resign or -annul");
	if (u->p.banned)
		return err_set(e, ERR_CONFLICT, "%s is banned already", userid);
	int rc = sanctions_ban(u->q, &u->p, &u->by, resign ? BAN_RESIGN : BAN_ANNUL, e);
	if (rc == 0)
		printf("%s is banned; the next run ends the running games: %s%s\n", userid,
		       resign ? userid : "they", resign ? " loses them" : " are annulled");
	return rc;
}

static int run_unban(struct prog_call *u, struct err *e)
{
	if (!u->p.banned)
		return err_set(e, ERR_CONFLICT, "%s is not banned", u->p.userid);
	int rc = sanctions_unban(u->q, &u->p, &u->by, e);
	if (rc == 0)
		printf("%s is not banned any more\n", u->p.userid);
	return rc;
}

int prog_user_end(struct request *q, struct player_doc *p, bool anonymous, const struct act_by *by,
                  struct err *e)
{
	int rc = account_end(q, p, anonymous, e);

	for (size_t i = 0; rc == 0 && i < q->note_count; i++)
		if (q->notes[i].flags & NOTE_REFUSED)
			return err_set(e, ERR_LIMIT,
			               "%s has more than %d running games and offers: ban the "
			               "player first, run pbm tick, and delete then",
			               p->userid, ACCOUNT_END_GAMES);
	return rc == 0 ? act_record(q, by, "delete", p->userid, anonymous ? "anonymous" : NULL, e)
	               : rc;
}

static int run_delete(struct prog_call *u, struct err *e)
{
	bool anonymous = u->argc > 1 && strcmp(u->argv[1], "--anonymous") == 0;
	int rc = prog_act_need_reason(u, anonymous ? 2 : 1, e);

	if (rc == 0)
		rc = prog_user_end(u->q, &u->p, anonymous, &u->by, e);
	if (rc < 0)
		return rc;
	printf("%s is deleted.  Older backups still have what was erased, and so have the player's mails in the mailbox's folder Processed",
	       u->p.userid);
	if (u->q->site->conf.retention)
		printf(", for %ld days", u->q->site->conf.retention);
	puts(".");
	return 0;
}

static const struct prog_act acts[] = {
	{ "add", "USERID ADDRESS… [--role ROLE[,ROLE]] [--password-stdin]", 1, PROG_MANY,
	  .writes = true, .check = prog_user_check_new, .run = prog_user_add },
	{ "list", "[--json]", 0, PROG_MANY, .run = prog_user_list },
	{ "show", "USERID", 1, PROG_MANY, .whom = PROG_ANYBODY, .run = prog_user_show },
	{ "role", "USERID ROLE[,ROLE] WHY…", 2, PROG_MANY, .whom = PROG_PRESENT, .reason = true,
	  .writes = true, .run = run_role },
	{ "password", "USERID --password-stdin", 1, PROG_MANY, .whom = PROG_PRESENT, .writes = true,
	  .check = prog_user_check_password, .run = prog_user_password },
	{ "address", "USERID add|remove ADDRESS", 3, PROG_MANY, .whom = PROG_PRESENT,
	  .writes = true, .run = prog_user_address },
	{ "suspend", "USERID DAYS WHY…", 2, PROG_MANY, .whom = PROG_PRESENT, .reason = true,
	  .writes = true, .run = run_suspend },
	{ "ban", "USERID -resign|-annul WHY…", 2, PROG_MANY, .whom = PROG_PRESENT, .reason = true,
	  .writes = true, .run = run_ban },
	{ "unban", "USERID WHY…", 1, PROG_MANY, .whom = PROG_ANYBODY, .reason = true,
	  .writes = true, .run = run_unban },
	{ "rename", "USERID NAME WHY…", 2, PROG_MANY, .whom = PROG_PRESENT, .reason = true,
	  .writes = true, .run = run_rename },
	{ "merge", "USERID INTO-USERID WHY…", 2, PROG_MANY, .whom = PROG_PRESENT, .reason = true,
	  .writes = true, .run = run_merge },
	{ "export", "USERID FILE", 2, PROG_MANY, .whom = PROG_ANYBODY, .run = prog_user_export },
	{ "delete", "USERID [--anonymous] WHY…", 1, PROG_MANY, .whom = PROG_PRESENT, .writes = true,
	  .run = run_delete },
	{ .word = NULL },
};

int prog_user(const struct prog_options *o, int argc, char **argv)
{
	return prog_act(o, argc, argv, acts, STORE_WAIT);
}
