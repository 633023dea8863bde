/* Questions whether an address belongs to somebody: of a signup, or of a player who adds
 * one. */
#include <strings.h>

#include "pbm/commands/account/account_change.h"
#include "pbm/commands/confirm.h"
#include "pbm/commands/dispatch.h"
#include "pbm/commands/first_language.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/words/command.h"
#include "pbm/people/account_name.h"
#include "pbm/people/banned_addresses.h"
#include "pbm/people/computer.h"
#include "pbm/people/opted_out.h"
#include "pbm/request/reader.h"
#include "pbm/request/request_player.h"
#include "pbm/text/template.h"
#include "store/store_documents.h"

#define WELCOME_BYTES 8192

/* Does what waited for the account, and collects in *said what there is to say about it. */
static int run_wishes(struct request *q, const json_t *what, const char **said, struct err *e)
{
	size_t from = q->note_count, i;
	json_t *line;
	int rc = 0;

	*said = "";
	json_array_foreach(json_object_get(what, "wishes"), i, line)
		if (rc == 0)
			rc = dispatch_line(q, arena_strdup(q->arena, json_string_value(line)), e);
	for (i = from; i < q->note_count; i++)
		*said = arena_printf(q->arena, "%s  %s", *said, q->notes[i].headline);
	q->note_count = from;
	return rc;
}

/* The account that a confirmed signup makes: it lists all addresses, none of them
 * confirmed yet. */
static struct player_doc new_account(struct request *q, const char *userid, const json_t *what)
{
	const char *hash = json_string_value(json_object_get(what, "password"));
	json_t *list = json_object_get(what, "addresses"), *v;
	struct player_doc p = { .userid = userid,
		                .role = "player",
		                .created = q->now,
		                .password = arena_strdup(q->arena, hash) };
	size_t i;

	p.addresses = arena_alloc(q->arena, (json_array_size(list) + 1) * sizeof *p.addresses);
	json_array_foreach(list, i, v)
		p.addresses[p.address_count++].address = arena_strdup(q->arena,
		                                                      json_string_value(v));
	first_language_set(q, &p);
	return p;
}

/* Marks an address of p as confirmed; false when p doesn't list it. */
static bool mark_address(struct player_doc *p, const char *address, int64_t now)
{
	struct player_address *a = player_find_address(p, address);

	if (!a)
		return false;
	/* A second confirmation does not make the address newer. */
	*(a->confirmed ? &a->woken : &a->confirmed) = now;
	a->resting = 0;
	a->complaint = false;
	return true;
}

static bool lists(const json_t *list, const char *address)
{
	json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
		if (strcasecmp(json_string_value(v), address) == 0)
			return true;
	return false;
}

/* Did this signup make the account p?  Somebody else may have taken the name since, and added
 * this address to his own account. */
static bool is_of_signup(const struct player_doc *p, const json_t *what)
{
	for (size_t i = 0; i < p->address_count; i++)
		if (p->addresses[i].confirmed &&
		    !lists(json_object_get(what, "addresses"), p->addresses[i].address))
			return false;
	return true;
}

/* 1: refused, because the address belongs to another player who is banned or suspended, or did
 * when he left.  Only the reader of that address learns it: every signup is asked in the same
 * way. */
static int refuse_barred(struct request *q, const char *address, const char *userid, struct err *e)
{
	int rc = banned_addresses_has(q, address, userid, e);

	if (rc == 1)
		request_refuse(
			q, 0,
			"The address %s can't be used for this account: a moderator has banned it, or suspended its player.  If you think that this is a mistake, write to the operator.",
			address);
	return rc;
}

/* Finds the account, or makes a new one (*fresh).  1: refused.  An account of that name
 * that doesn't list the address, or that another signup made, belongs to somebody else. */
static int find_account(struct request *q, const json_t *what, const char *userid,
                        const char *address, struct player_doc *p, bool *fresh, struct err *e)
{
	struct player_doc other;

	if (store_player_by_address(q->site->store, q->arena, address, &other, NULL) == 0 &&
	    player_has_address(&other, address) && strcasecmp(other.userid, userid) != 0)
		return request_refused(q, 0, "%s belongs to the account %s.", address,
		                       other.userid);
	int rc = err_found(store_player_get(q->site->store, q->arena, userid, p, e), ERR_NOT_FOUND,
	                   e);
	if (rc < 0)
		return rc;
	*fresh = rc == 0;
	if (!*fresh && suspension_refuses_banned(q, p, 0))
		return 1;
	if (*fresh && json_is_true(json_object_get(what, "signup"))) {
		if (account_name_is_free(q, userid, command_is_word, e) != 0)
			return 1;
		*p = new_account(q, userid, what);
	}
	bool mine = *fresh ? p->address_count > 0
	                   : !json_is_true(json_object_get(what, "signup")) ||
	                             is_of_signup(p, what);
	if (mine && mark_address(p, address, q->now))
		return 0;
	return request_refused(q, 0, "The name %s is taken now; please sign up under another one.",
	                       userid);
}

static void remove_address(struct request *q, struct player_doc *p, const char *address)
{
	const struct player_address *old = p->addresses;
	size_t n = p->address_count;

	p->addresses = arena_alloc(q->arena, (n + 1) * sizeof *p->addresses);
	p->address_count = 0;
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(old[i].address, address) != 0)
			p->addresses[p->address_count++] = old[i];
}

/* Stores the account with the address, without the one that it replaces, and tells the
 * addresses that it had. */
static int tell_of_address(struct request *q, struct player_doc *p, const char *address,
                           const char *replaces, struct err *e)
{
	struct player_doc before = *p;
	size_t n = 0;

	before.addresses = arena_alloc(q->arena, (p->address_count + 1) * sizeof *p->addresses);
	for (size_t i = 0; i < p->address_count; i++)
		if (strcasecmp(p->addresses[i].address, address) != 0)
			before.addresses[n++] = p->addresses[i];
	before.address_count = n;
	if (!replaces || !player_find_address(p, replaces))
		return account_change(q, &before, p,
		                      arena_printf(q->arena, "The address %s was added.", address),
		                      e);
	remove_address(q, p, replaces);
	return account_change(
		q, &before, p,
		arena_printf(q->arena, "The address %s takes the place of %s.", address, replaces),
		e);
}

/* Writes how to begin: the first challenge to copy, and a game with the computer, if there is one. */
static int welcome(struct request *q, const char *userid, const char *computer, const char **out,
                   struct err *e)
{
	json_auto_t *context = json_pack("{s:s, s:s}", "userid", userid, "address",
	                                 q->site->address);

	if (computer)
		json_object_set_new(context, "computer", json_string(computer));
	reader_add_language(q, context);
	struct str s = str_in(q->arena, WELCOME_BYTES);
	int rc = template_render_in(q->site->template_dir, reader_language(q, userid),
	                            "mail/welcome.txt", context, &s, e);
	*out = s.data;
	return rc;
}

int confirm_address_run(struct request *q, const json_t *what, struct err *e)
{
	const char *userid = arena_strdup(q->arena,
	                                  json_string_value(json_object_get(what, "userid")));
	const char *address = arena_strdup(q->arena,
	                                   json_string_value(json_object_get(what, "confirm")));
	struct player_doc p = { 0 };
	bool fresh;

	q->greeting = arena_strdup(q->arena, json_string_value(json_object_get(what, "language")));
	/* Answer to this address, even if the name belongs to somebody else by now. */
	q->who.known = false;
	int rc = refuse_barred(q, address, userid, e);
	if (rc == 0)
		rc = find_account(q, what, userid, address, &p, &fresh, e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (!fresh)
		return tell_of_address(q, &p, address,
		                       arena_strdup(q->arena, json_string_value(json_object_get(
								      what, "replaces"))),
		                       e);
	store_player_put(q->site->store, &p, e);
	rc = opted_out_drop(q, address, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	q->who.known = true;
	q->who.player = p;
	q->who.proof = PROOF_CONFIRM;
	const char *said;
	rc = run_wishes(q, what, &said, e);
	if (rc < 0)
		return rc;
	struct note *n = request_note(q, p.userid, 0, NOTE_ACCOUNT);
	n->subject = "welcome";
	n->headline = arena_printf(
		q->arena,
		"Welcome, %s.  Your address %s is confirmed, and you can play.  To learn how, write: help start",
		userid, address);
	const char *computer = computer_suggest(q->site->store, q->arena, "chess");
	n->buttons = "sought\nseek chess\nhelp start";
	if (computer)
		n->buttons = arena_printf(q->arena, "match %s %s\n%s", computer, "chess",
		                          n->buttons);
	n->headline = arena_printf(q->arena, "%s%s", n->headline, said);
	return welcome(q, p.userid, computer, &n->body, e);
}
