#include "pbm/commands/account/account_change.h"

#include <string.h>

#include "pbm/answer/notify.h"
#include "pbm/commands/proof/question.h"
#include "pbm/people/banned_addresses.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"

#define UNDO "undo" /* the member of a question's JSON: the account as it was */

/* Is the address at least as old as the one that made the change?  An account lists its
 * addresses from the oldest on.  A sender who is none of them counts as the newest, and so does
 * one who has only a password: anybody can write the oldest address into From. */
static bool is_as_old(const struct request *q, const struct player_doc *p,
                      const struct player_address *a)
{
	const struct player_address *actor = player_find_address(p, q->mail.from);

	if (!request_is_proved(q) || !actor || !actor->confirmed)
		return true;
	return a->confirmed < actor->confirmed || (a->confirmed == actor->confirmed && a <= actor);
}

static int64_t time_of(const json_t *what)
{
	return json_integer_value(json_object_get(what, "at"));
}

static int find_newest(const struct held_command *h, void *arg)
{
	int64_t *newest = arg;
	json_auto_t *what = json_loads(h->text, 0, NULL);

	if (account_change_is_undo(what) && time_of(what) > *newest)
		*newest = time_of(what);
	return 0;
}

/* The time of this change: the clock's, or one later than all changes that can still be taken
 * back, so that two mails of one second have different times. */
static int set_time(struct request *q, const char *userid, int64_t *at, struct err *e)
{
	int64_t newest = 0;
	int rc = store_held_of(q->site->store, userid, find_newest, &newest, e);

	*at = newest < q->now ? q->now : newest + 1;
	return rc < 0 ? rc : 0;
}

static json_t *write_account(const struct player_doc *p, int64_t at)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->address_count; i++) {
		const struct player_address *a = &p->addresses[i];

		json_array_append_new(
			list,
			json_pack("{s:s, s:I, s:I, s:I, s:b}", "address", a->address, "confirmed",
		                  (json_int_t)a->confirmed, "resting", (json_int_t)a->resting,
		                  "woken", (json_int_t)a->woken, "complaint", (int)a->complaint));
	}
	return json_pack("{s:{s:o, s:s*}, s:I}", UNDO, "addresses", list, "password", p->password,
	                 "at", (json_int_t)at);
}

/* The addresses and the password of *p as write_account() kept them. */
static void read_account(struct request *q, const json_t *what, struct player_doc *p)
{
	const json_t *old = json_object_get(what, UNDO), *list = json_object_get(old, "addresses");
	json_t *v;
	size_t i;

	p->password = arena_strdup(q->arena, json_string_value(json_object_get(old, "password")));
	p->addresses = arena_alloc(q->arena, (json_array_size(list) + 1) * sizeof *p->addresses);
	p->address_count = 0;
	json_array_foreach(list, i, v)
		p->addresses[p->address_count++] = (struct player_address){
			.address = arena_strdup(q->arena,
			                        json_string_value(json_object_get(v, "address"))),
			.confirmed = json_integer_value(json_object_get(v, "confirmed")),
			.resting = json_integer_value(json_object_get(v, "resting")),
			.woken = json_integer_value(json_object_get(v, "woken")),
			.complaint = json_is_true(json_object_get(v, "complaint"))
		};
}

static int send_notice(struct request *q, const struct player_doc *p, const char *address,
                       const char *what, const char *id, struct err *e)
{
	struct letter l = { .to = address,
		            .to_name = p->userid,
		            .tag = arena_printf(q->arena, "account %zu %s", q->done_count, address),
		            .subject = arena_printf(q->arena,
		                                    "[%.60s] The account %.40s was changed",
		                                    q->site->conf.name, p->userid) };
	json_t *context = json_pack("{s:s, s:s, s:s, s:s, s:b, s:b}", "userid", p->userid, "host",
	                            q->site->conf.host, "what", what, "from", q->mail.from, "undo",
	                            id != NULL, "by_mail", *q->mail.from != '\0');

	return question_send(q, &l, "mail/account-change.txt", context, id, ACCOUNT_UNDO_DAYS, e);
}

/* Tells one address of *before, with the right to take the change back if it is old
 * enough. */
static int tell_address(struct request *q, const struct player_doc *before,
                        const struct player_address *a, const char *what, int64_t at, struct err *e)
{
	const char *id = NULL;
	int rc = 0;

	if (is_as_old(q, before, a)) {
		json_auto_t *old = write_account(before, at);

		/* Undo restores the account as it was before the first change of that mail. */
		id = question_id(q, arena_printf(q->arena, UNDO " %s %s %s", q->cause,
		                                 before->userid, a->address));
		rc = question_is_open(q, id, e);
		if (rc == 0)
			rc = question_put(q, id, before->userid, a->address, old, ACCOUNT_UNDO_DAYS,
			                  e);
	}
	return rc < 0 ? rc : send_notice(q, before, a->address, what, id, e);
}

/* Questions of an account that are to be dropped. */
struct dropping {
	struct request *q;
	int64_t at;
	struct err *err;
};

static int drop_question(const struct held_command *h, void *arg)
{
	const struct dropping *d = arg;

	return store_held_delete(d->q->site->store, h->id, d->err);
}

static int drop_questions(struct request *q, const char *userid, int64_t at, held_fn *drop,
                          struct err *e)
{
	return store_held_of(q->site->store, userid, drop, &(struct dropping){ q, at, e }, e);
}

/* Drops the undo rights of addresses newer than the sender's: undoing an earlier change would
 * undo this one too.  The age is that in the account before the change; the address may have
 * been removed since. */
static int drop_newer(const struct held_command *h, void *arg)
{
	struct dropping *d = arg;
	struct player_doc then = { 0 };
	json_auto_t *what = json_loads(h->text, 0, NULL);
	int rc = 0;

	if (account_change_is_undo(what)) {
		read_account(d->q, what, &then);
		const struct player_address *a = player_find_address(&then, h->address);

		if (a && !is_as_old(d->q, &then, a))
			rc = drop_question(h, d);
	}
	return rc;
}

/* A suspension or a ban holds for all accounts of a mailbox: none of them may leave it meanwhile. */
static bool refuse_to_leave(struct request *q, const struct player_doc *before,
                            const struct player_doc *after)
{
	if (!player_loses_address(before, after) || !banned_addresses_shares(q, before))
		return false;
	return request_refused(
		q, 0,
		"A moderator has suspended or banned another account in this mailbox: until that ends, %s keeps its addresses.  If you think that this is a mistake, write to the operator.",
		before->userid);
}

int account_change(struct request *q, const struct player_doc *before, struct player_doc *after,
                   const char *what, struct err *e)
{
	int64_t at = q->now;

	if (refuse_to_leave(q, before, after))
		return 0;
	store_player_put(q->site->store, after, e);
	int rc = set_time(q, before->userid, &at, e);
	if (rc == 0)
		rc = notify_move(q, before, after, e);
	if (rc == 0)
		rc = drop_questions(q, before->userid, 0, drop_newer, e);
	for (size_t i = 0; rc == 0 && i < before->address_count; i++)
		if (before->addresses[i].confirmed)
			rc = tell_address(q, before, &before->addresses[i], what, at, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	/* The notice is the answer, if the sender gets one. */
	if (!player_has_address(before, q->mail.from))
		request_tell(q, NULL, NOTE_HOWTO | NOTE_OWN, NULL,
		             "%s: %s  The account goes on as before.  Your games: games",
		             after->userid, what);
	if (request_is_by(q, after->userid))
		q->who.player = *after;
	return 0;
}

int account_change_password(struct request *q, const struct player_doc *before, const char *hash,
                            struct err *e)
{
	struct player_doc after = *before;

	after.password = hash;
	return account_change(q, before, &after, "The password was changed.", e);
}

int account_change_tell(struct request *q, const struct player_doc *p, const char *address,
                        const char *what, struct err *e)
{
	return send_notice(q, p, address, what, NULL, e);
}

int account_change_drop_questions(struct request *q, const char *userid, struct err *e)
{
	return drop_questions(q, userid, 0, drop_question, e);
}

bool account_change_is_undo(const json_t *what)
{
	return json_object_get(what, UNDO) != NULL;
}

struct given_up {
	struct request *q;
	struct player_doc *p;
};

static int add_past(const struct held_command *h, void *arg)
{
	struct given_up *past = arg;
	struct arena *a = past->q->arena;
	struct player_doc then = { 0 }, *p = past->p;
	json_auto_t *what = json_loads(h->text, 0, NULL);

	if (account_change_is_undo(what))
		read_account(past->q, what, &then);
	struct player_address *all = arena_alloc(a, (p->address_count + then.address_count + 1) *
	                                                    sizeof *all);
	if (p->address_count)
		memcpy(all, p->addresses, p->address_count * sizeof *all);
	p->addresses = all;
	for (size_t i = 0; i < then.address_count; i++)
		if (then.addresses[i].confirmed &&
		    !player_has_address(p, then.addresses[i].address))
			all[p->address_count++] = then.addresses[i];
	return 0;
}

int account_change_past(struct request *q, struct player_doc *p, struct err *e)
{
	return store_held_of(q->site->store, p->userid, add_past, &(struct given_up){ q, p }, e);
}

/* 1: an address that would come back belongs to a banned player. */
static int has_barred(struct request *q, const struct player_doc *before,
                      const struct player_doc *then, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < then->address_count; i++)
		if (!player_has_address(before, then->addresses[i].address))
			rc = banned_addresses_has(q, then->addresses[i].address, then->userid, e);
	return rc;
}

/* Drops the account's questions except those about changes before `at`, which can still be
 * taken back, too. */
static int drop_later(const struct held_command *h, void *arg)
{
	struct dropping *d = arg;
	json_auto_t *what = json_loads(h->text, 0, NULL);
	bool older = account_change_is_undo(what) && time_of(what) < d->at;

	return older ? 0 : drop_question(h, d);
}

int account_change_undo(struct request *q, const struct held_command *h, const json_t *what,
                        struct err *e)
{
	const char *userid = arena_strdup(q->arena, h->userid);
	struct player_doc p;
	int rc = store_player_get(q->site->store, q->arena, userid, &p, e);

	if (rc < 0)
		return rc;
	const struct player_doc before = p;
	q->who.proof = PROOF_CONFIRM;
	read_account(q, what, &p);
	if (refuse_to_leave(q, &before, &p))
		return 0;
	rc = has_barred(q, &before, &p, e);
	if (rc == 1)
		return !request_refused(
			q, 0,
			"The change can't be taken back: an address that would come back is banned.  Write to the operator.");
	if (rc == 0)
		rc = drop_questions(q, userid, time_of(what), drop_later, e);
	if (rc == 0)
		rc = drop_questions(q, userid, 0, drop_newer, e);
	if (rc < 0)
		return rc;
	rc = store_player_put(q->site->store, &p, e);
	if (rc == 0)
		rc = notify_move(q, &before, &p, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	q->who.known = true;
	q->who.player = p;
	request_tell(
		q, userid, NOTE_ACCOUNT, NULL,
		"The account %s is again as it was before that change: its addresses, and its password.",
		userid);
	for (size_t i = 0; rc == 0 && i < before.address_count; i++)
		if (before.addresses[i].confirmed &&
		    !player_has_address(&p, before.addresses[i].address))
			rc = send_notice(q, &p, before.addresses[i].address,
			                 "A change was taken back, and this address no longer "
			                 "belongs to the account.",
			                 NULL, e);
	return rc;
}
