/* pbm user: accounts, for the operator at the shell.  Each act stands in the record of acts, and
 * the players whom it concerns get mail with the next run. */
#include <stdio.h>
#include <string.h>

#include "pbm/answer/notify.h"
#include "pbm/commands/account/account_end.h"
#include "pbm/commands/account/account_merge.h"
#include "pbm/commands/account/account_rename.h"
#include "pbm/commands/staff/sanctions.h"
#include "pbm/people/roles.h"
#include "pbm/program/prog.h"
#include "pbm/program/prog_user.h"
#include "pbm/request/act_record.h"
#include "pbm/run/quarantine_forget.h"

#define STORE_WAIT 4 /* seconds for another run to finish */

/* ---- what all acts share ---- */

/* The words from the n-th on, with blanks between them. */
static const char *reason_from(struct user_call *u, size_t n)
{
	const char *why = "";

	for (size_t i = n; i < u->argc; i++)
		why = arena_printf(u->q->arena, "%s%s%s", why, *why ? " " : "", u->argv[i]);
	return why;
}

static int need_reason(struct user_call *u, size_t n, struct err *e)
{
	u->by = (struct act_by){ "operator", reason_from(u, n) };
	return *u->by.why ? 0 : err_set(e, ERR_BAD, "say why, after the other words");
}

/* ---- the acts ---- */

static int run_role(struct user_call *u, struct err *e)
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

static int run_rename(struct user_call *u, struct err *e)
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

static int run_merge(struct user_call *u, struct err *e)
{
	struct player_doc into = { 0 };
	struct err why = { 0 };
	int rc = prog_user_find_present(u, u->argv[1], &into, e);

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

static int run_suspend(struct user_call *u, struct err *e)
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

static int run_ban(struct user_call *u, struct err *e)
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

static int run_unban(struct user_call *u, struct err *e)
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

static int run_delete(struct user_call *u, struct err *e)
{
	bool anonymous = u->argc > 1 && strcmp(u->argv[1], "--anonymous") == 0;
	int rc = need_reason(u, anonymous ? 2 : 1, e);

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

/* ---- the table ---- */

static const struct user_act {
	const char *word, *form;
	size_t least; /* words that it needs */
	size_t why;   /* ... of which this one begins the reason; 0: it needs none */
	enum { NOBODY, PRESENT, ANYBODY } whom; /* the account that the first word names */
	bool writes;
	int (*run)(struct user_call *u, struct err *e);
} acts[] = {
	{ "add", "add USERID ADDRESS… [--role ROLE[,ROLE]] [--password-stdin]", 1, 0, NOBODY, true,
	  prog_user_add },
	{ "list", "list [--json]", 0, 0, NOBODY, false, prog_user_list },
	{ "show", "show USERID", 1, 0, ANYBODY, false, prog_user_show },
	{ "role", "role USERID ROLE[,ROLE] WHY…", 2, 2, PRESENT, true, run_role },
	{ "password", "password USERID --password-stdin", 1, 0, PRESENT, true, prog_user_password },
	{ "address", "address USERID add|remove ADDRESS", 3, 0, PRESENT, true, prog_user_address },
	{ "suspend", "suspend USERID DAYS WHY…", 2, 2, PRESENT, true, run_suspend },
	{ "ban", "ban USERID -resign|-annul WHY…", 2, 2, PRESENT, true, run_ban },
	{ "unban", "unban USERID WHY…", 1, 1, ANYBODY, true, run_unban },
	{ "rename", "rename USERID NAME WHY…", 2, 2, PRESENT, true, run_rename },
	{ "merge", "merge USERID INTO-USERID WHY…", 2, 2, PRESENT, true, run_merge },
	{ "export", "export USERID FILE", 2, 0, ANYBODY, false, prog_user_export },
	{ "delete", "delete USERID [--anonymous] WHY…", 1, 0, PRESENT, true, run_delete },
	{ .word = NULL },
};

static const struct user_act *find_act(const char *word)
{
	for (const struct user_act *act = acts; act->word; act++)
		if (strcmp(act->word, word) == 0)
			return act;
	return NULL;
}

/* Notes for the sender of a mail have no reader here. */
static void drop_answers(struct request *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->note_count; i++)
		if (q->notes[i].userid)
			q->notes[n++] = q->notes[i];
	q->note_count = n;
}

int prog_user_commit(struct request *q, int rc, struct err *e)
{
	drop_answers(q);
	if (rc == 0)
		rc = notify_all(q, e);
	if (rc == 0 && q->erased)
		quarantine_forget(q->site, q->erased);
	return store_end(q->site->store, rc, e);
}

/* Finds the account and the reason, and runs the act. */
static int run_on(const struct user_act *act, struct user_call *u, struct err *e)
{
	int rc = act->whom == NOBODY    ? 0
	         : act->whom == PRESENT ? prog_user_find_present(u, u->argv[0], &u->p, e)
	                                : prog_user_find(u, u->argv[0], &u->p, e);

	if (rc == 0 && act->why)
		rc = need_reason(u, act->why, e);
	return rc == 0 ? act->run(u, e) : rc;
}

static int run_act(const struct user_act *act, struct user_call *u, struct err *e)
{
	if (!act->writes)
		return run_on(act, u, e);
	int rc = store_begin(u->q->site->store, e);
	return prog_user_commit(u->q, rc == 0 ? run_on(act, u, e) : rc, e);
}

int prog_user(const struct prog_options *o, int argc, char **argv)
{
	const struct user_act *act = argc > 1 ? find_act(argv[1]) : NULL;
	struct arena a = { 0 };
	struct err e = { 0 };
	struct site s;

	if (!act && argc > 1)
		return prog_refuse_unknown("user ", argv[1], acts, sizeof *acts, "pbm help user");
	if (!act)
		return prog_usage("user", "the word after it is missing");
	struct user_call u = { .argc = (size_t)argc - 2, .argv = argv + 2 };
	int code = prog_user_check(&u, act->word, act->form, act->least);
	if (code == 0)
		code = prog_open(o, act->writes ? STORE_WRITE : STORE_READ, STORE_WAIT, &s);
	if (code)
		return code;
	u.q = prog_request(&s, &a);
	snprintf(u.q->cause, sizeof u.q->cause, "user %.10s %.32s %lld", act->word,
	         u.argc ? u.argv[0] : "", (long long)u.q->now);
	int rc = run_act(act, &u, &e);
	site_close(&s);
	arena_release(&a);
	return rc < 0 ? prog_fail(&e) : 0;
}
