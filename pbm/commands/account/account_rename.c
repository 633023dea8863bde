#include "pbm/commands/account/account_rename.h"

#include <strings.h>

#include "pbm/answer/later.h"
#include "pbm/commands/account/account_games.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/commands/words/command.h"
#include "pbm/people/account_name.h"
#include "pbm/people/consent.h"
#include "pbm/people/player_change.h"
#include "pbm/request/request_player.h"
#include "pbm/text/word_list.h"
#include "store/store_documents.h"
#include "store/store_held.h"
#include "store/store_player_lists.h"
#include "store/store_questions.h"

/* ---- the name ---- */

/* Is the name the player's own: an earlier one of his, or one that looks like it? */
static int is_own(struct request *q, const struct player_doc *p, const char *to, struct err *e)
{
	struct player_doc found;
	const char *taken = NULL;
	struct err why = { 0 };
	int rc = store_player_like(q->site->store, q->arena, to, &taken, e);

	if (rc <= 0)
		return rc;
	rc = store_player_get(q->site->store, q->arena, taken, &found, &why);
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	return strcasecmp(found.userid, p->userid) == 0;
}

int account_rename_may(struct request *q, const struct player_doc *p, const char *to,
                       struct err *why, struct err *e)
{
	if (strcasecmp(p->userid, to) == 0)
		return !err_set(why, ERR_BAD, "%s has this name already.", to);
	int rc = account_name_check(q->site->store, q->arena, to, q->now, command_is_word, why, e);
	if (rc == 0) {
		rc = account_name_is_team(q->site->store, to, why, e);
		return rc < 0 ? rc : !rc;
	}
	return rc < 0 || why->code != ERR_CONFLICT ? (rc < 0 ? rc : 0) : is_own(q, p, to, e);
}

/* ---- what other players wrote ---- */

/* A walk over all players, and over the questions that wait. */
struct renaming {
	struct request *q;
	const char *from, *to;
	struct err *err;
};

/* The list noplay or censor with the new name, once. */
static bool rename_in_list(struct request *q, struct player_doc *p, const char *list,
                           const char *from, const char *to)
{
	const char *value = player_setting(p, list);

	if (!word_list_has(value, from))
		return false;
	value = word_list_without(q->arena, value, from);
	if (!word_list_has(value, to) && strcasecmp(p->userid, to) != 0)
		value = word_list_with(q->arena, value, to);
	player_change_set(q->arena, p, list, value);
	return true;
}

/* The lists of one player. */
static int rename_in_player(const char *userid, void *arg)
{
	struct renaming *r = arg;
	struct request *q = r->q;
	struct player_doc p;
	struct err why = { 0 };

	int rc = store_player_at(q->site->store, q->arena, userid, &p, &why);
	if (rc < 0)
		return err_of_machine(r->err, &why);
	bool changed = rename_in_list(q, &p, CONSENT_NOPLAY, r->from, r->to);
	changed |= rename_in_list(q, &p, CONSENT_CENSOR, r->from, r->to);
	if (!changed)
		return 0;
	if (request_is_by(q, p.userid))
		q->who.player = p;
	return store_player_put(q->site->store, &p, r->err);
}

/* Lets a name that led to the old one lead to the new one, or nowhere if the player takes it
 * again. */
static int lead_on(const char *name, void *arg)
{
	struct renaming *r = arg;
	struct player_doc p;
	struct err why = { 0 };

	if (strcasecmp(name, r->to) == 0)
		return 0;
	int rc = store_player_at(r->q->site->store, r->q->arena, name, &p, &why);
	if (rc < 0)
		return err_of_machine(r->err, &why);
	p.renamed = r->to;
	return store_player_put(r->q->site->store, &p, r->err);
}

/* The answers to a question, with tokens that name it, still work. */
static int rename_question(const struct held_command *h, void *arg)
{
	const struct renaming *r = arg;
	struct held_command renamed = *h;

	renamed.userid = r->to;
	return store_held_put(r->q->site->store, &renamed, r->err);
}

static int rename_elsewhere(struct request *q, const char *from, const char *to, struct err *e)
{
	struct renaming r = { q, from, to, e };
	int rc = store_renamed_to(q->site->store, from, lead_on, &r, e);

	if (rc == 0)
		rc = store_each_player(q->site->store, rename_in_player, &r, e);
	return rc == 0 ? store_held_of(q->site->store, from, rename_question, &r, e) : rc;
}

/* ---- the account ---- */

int account_rename_lead_on(struct request *q, const struct player_doc *from, const char *to,
                           struct err *e)
{
	const struct player_doc name = { .userid = from->userid,
		                         .role = "player",
		                         .created = from->created,
		                         .signed_off = true,
		                         .renamed = to };

	store_player_put(q->site->store, &name, e);
	int rc = account_games_rename(q, from->userid, to, e);
	if (rc == 0)
		rc = tournament_entry_rename(q, from->userid, to, e);
	return rc == 0 ? rename_elsewhere(q, from->userid, to, e) : rc;
}

int account_rename(struct request *q, const struct player_doc *p, const char *to,
                   const struct act_by *by, struct err *e)
{
	struct player_doc now = *p;
	bool own = request_is_by(q, p->userid);

	now.userid = arena_strdup(q->arena, to);
	int rc = later_send(q, &(struct later_which){ .to = p }, e);
	if (rc == 0)
		rc = account_rename_lead_on(q, p, now.userid, e);
	if (rc == 0)
		rc = store_player_put(q->site->store, &now, e);
	if (rc == 0)
		rc = act_record(q, by, "rename",
		                arena_printf(q->arena, "%s %s", p->userid, now.userid), NULL, e);
	if (rc < 0)
		return rc;
	if (own)
		q->who.player = now;
	q->done_count++;
	request_tell(
		q, now.userid, NOTE_ACCOUNT | NOTE_PARTING | NOTE_APART, "your name has changed",
		"A moderator (%s) has given your account %s the name %s.  All else stays as it was: your games, your password, and mails that you still want to answer.  The reason: %s",
		by->by, p->userid, now.userid, by->why);
	return 0;
}
