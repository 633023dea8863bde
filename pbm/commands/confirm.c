#include "pbm/commands/confirm.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/answer/notify.h"
#include "pbm/base/log.h"
#include "pbm/commands/command.h"
#include "pbm/commands/dispatch.h"
#include "pbm/people/account.h"
#include "pbm/people/audit.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"
#include "store/store_held.h"

#define ID_CHARS 16

/* The question's id derives from the mail's sender and Message-ID, so a mail that comes
 * again by another way, with another header, does not ask twice. */
static const char *make_id(struct request *q, const char *about)
{
	char id[ID_CHARS + 1];
	struct str s = STR_FIXED(id);
	const char *mail = *q->mail.message_id ? arena_printf(q->arena, "%s %s", q->mail.from,
	                                                      q->mail.message_id)
	                                       : q->cause;

	token_digest(q->site, "held", arena_printf(q->arena, "%s %s", mail, about), ID_CHARS, &s);
	return arena_strdup(q->arena, id);
}

/* 1: this question was asked already and waits for its answer. */
static int is_asked(struct request *q, const char *id, struct err *e)
{
	struct held_command h;
	struct err why = { 0 };
	int rc = store_held_get(q->site->store, q->arena, id, &h, &why);

	if (rc == ERR_NOT_FOUND)
		return 0;
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : h.expires >= q->now;
}

static int put_held(struct request *q, const char *id, const char *userid, const char *address,
                    json_t *what, struct err *e)
{
	char *text = json_dumps(what, JSON_COMPACT);
	struct held_command h = { .id = id,
		                  .userid = userid,
		                  .address = address,
		                  .text = text,
		                  .expires = q->now + CONFIRM_DAYS * 86400 };
	int rc = store_held_expire(q->site->store, q->now, e);

	if (rc == 0)
		rc = store_held_put(q->site->store, &h, e);
	free(text);
	return rc;
}

/* 1: may ask this player or address once more; 0: the limit is reached. */
static int may_ask(struct request *q, const char *whom, struct err *e)
{
	int64_t hour = 0, day = 0;
	int rc = request_count_event(q, "confirm", whom, 3600, &hour, e);

	if (rc == 0)
		rc = request_count_event(q, "confirm-day", whom, 86400, &day, e);
	return rc < 0 ? rc : hour <= CONFIRMS_AN_HOUR && day <= CONFIRMS_A_DAY;
}

static json_t *lines_json(const struct request *q)
{
	json_t *lines = json_array(), *what = json_object();

	for (size_t i = 0; i < q->held_count; i++)
		json_array_append_new(lines, json_string(q->held_lines[i]));
	json_object_set_new(what, "lines", lines);
	json_object_set_new(what, "warned", json_boolean(q->held_why));
	if (q->comment)
		json_object_set_new(what, "comment", json_string(q->comment));
	if (q->who.has_token && q->who.token.kind == TOKEN_GAME) {
		json_object_set_new(what, "board", json_integer(q->who.token.board));
		json_object_set_new(what, "seat", json_integer(q->who.token.seat));
		json_object_set_new(what, "ply", json_integer(q->who.token.ply));
	}
	return what;
}

/* Holds the lines and asks, unless that was done already or too often. */
static int hold_and_ask(struct request *q, const struct player_doc *p, json_t *what, struct err *e)
{
	char *about = json_dumps(what, JSON_COMPACT);
	const char *id = make_id(q, about);
	int rc = is_asked(q, id, e);

	free(about);
	if (rc != 0) {
		if (rc == 1)
			log_info(
				"a mail from %s came again with another header: %s was asked already",
				q->mail.from, p->userid);
		return rc < 0 ? rc : 0;
	}
	rc = may_ask(q, p->userid, e);
	if (rc <= 0) {
		if (rc == 0)
			log_warn(
				"%s was asked too often: the commands of a mail from %s are dropped",
				p->userid, q->mail.from);
		return rc;
	}
	log_info("a mail from %s wants \"%s\": %s is asked first", q->mail.from, q->held_lines[0],
	         p->userid);
	q->held_for = p;
	q->question = id;
	return put_held(q, id, p->userid, q->question_to, what, e);
}

int confirm_ask(struct request *q, struct err *e)
{
	const struct player_doc *p = q->held_for    ? q->held_for
	                             : q->who.known ? &q->who.player
	                                            : NULL;

	if (q->held_count == 0 || !p)
		return 0;
	q->question_to = player_has_address(p, q->mail.from) ? q->mail.from
	                                                     : player_mail_address(p);
	if (!q->question_to || (q->question_to != q->mail.from && !player_is_reachable(p)))
		return 0;
	json_t *what = lines_json(q);
	int rc = hold_and_ask(q, p, what, e);
	json_decref(what);
	return rc;
}

static void lapse_date(const struct request *q, json_t *context)
{
	char when[64];
	struct str s = STR_FIXED(when);

	text_date(q->now + CONFIRM_DAYS * 86400, &s);
	json_object_set_new(context, "lapses", json_string(when));
}

/* Counts a question about an address; 1: may be asked. */
static int may_ask_address(struct request *q, const char *address, struct err *e)
{
	int64_t mine = 0, all = 0;
	int rc = request_count_event(q, "addresses", q->mail.from, 86400, &mine, e);

	if (rc == 0)
		rc = request_count_event(q, "addresses", "*", 3600, &all, e);
	if (rc < 0)
		return rc;
	return mine <= ADDRESSES_A_DAY && all <= ADDRESSES_OF_ALL && !site_owns(q->site, address)
	               ? may_ask(q, address, e)
	               : 0;
}

static int send_question(struct request *q, const char *userid, const char *address, const char *id,
                         bool signup, struct err *e)
{
	char subject[200];
	struct str text;
	json_t *context = json_pack("{s:s, s:s, s:b, s:s}", "userid", userid, "address", address,
	                            "new_account", signup, "host", q->site->host);

	lapse_date(q, context);
	str_init(&text, 65536);
	int rc = template_render(q->site->template_dir, "mail/confirm-address.txt", context, &text,
	                         e);
	json_decref(context);
	if (rc == 0) {
		struct letter l = { .to = address,
			            .to_name = "",
			            .has_token = true,
			            .tag = "address",
			            .token = { .kind = TOKEN_CONFIRM,
			                       .expires = token_expiry(q->now) },
			            .subject = subject,
			            .text = text.data,
			            .prompted = true };

		snprintf(l.token.name, sizeof l.token.name, "%s", id);
		snprintf(subject, sizeof subject, "[%.60s] Please confirm your address, %.40s",
		         q->site->name, userid);
		rc = notify_send(q, &l, e);
	}
	str_release(&text);
	return rc;
}

int confirm_address(struct request *q, const char *userid, const char *const *addrs, size_t n,
                    size_t i, bool signup, const char *hash, struct err *e)
{
	const char *id = make_id(q, arena_printf(q->arena, "%s %s", userid, addrs[i]));
	int rc = is_asked(q, id, e);

	if (rc != 0)
		return rc;
	rc = may_ask_address(q, addrs[i], e);
	if (rc <= 0)
		return rc;
	json_t *list = json_array(),
	       *what = json_pack("{s:s, s:s, s:b, s:s*}", "confirm", addrs[i], "userid", userid,
	                         "signup", signup, "password", hash);
	for (size_t k = 0; k < n; k++)
		json_array_append_new(list, json_string(addrs[k]));
	json_object_set_new(what, "addresses", list);
	rc = put_held(q, id, userid, addrs[i], what, e);
	json_decref(what);
	if (rc == 0)
		rc = send_question(q, userid, addrs[i], id, signup, e);
	return rc < 0 ? rc : 1;
}

/* Runs the held lines; the answer is their proof. */
static int run_lines(struct request *q, const json_t *what, struct err *e)
{
	const json_t *board = json_object_get(what, "board");
	const char *comment = json_string_value(json_object_get(what, "comment"));
	json_t *line;
	size_t i;
	int rc = 0;

	q->who.proof = PROOF_CONFIRM;
	q->confirming = json_is_true(json_object_get(what, "warned"));
	q->comment = arena_strdup(q->arena, comment);
	q->who.has_token = board != NULL;
	if (board)
		q->who.token = (struct token){
			.kind = TOKEN_GAME,
			.board = json_integer_value(board),
			.seat = (uint8_t)(json_integer_value(json_object_get(what, "seat")) & 1),
			.ply = (unsigned)json_integer_value(json_object_get(what, "ply"))
		};
	json_array_foreach(json_object_get(what, "lines"), i, line) {
		const char *text = arena_strdup(q->arena, json_string_value(line));

		if (rc == 0 && text)
			rc = dispatch_line(q, text, e);
	}
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
	return p;
}

/* Marks an address of p as confirmed; false when p doesn't list it. */
static bool mark_address(struct player_doc *p, const char *address, int64_t now)
{
	for (size_t i = 0; i < p->address_count; i++)
		if (strcasecmp(p->addresses[i].address, address) == 0) {
			p->addresses[i].confirmed = now;
			p->addresses[i].resting = 0;
			p->addresses[i].complaint = false;
			return true;
		}
	return false;
}

/* Finds the account, or makes a new one (*fresh).  1: refused.  An account of that name
 * that doesn't list the address belongs to somebody else. */
static int find_account(struct request *q, const json_t *what, const char *userid,
                        const char *address, struct player_doc *p, bool *fresh, struct err *e)
{
	struct player_doc other;
	struct err why = { 0 };

	if (store_player_by_address(q->site->store, q->arena, address, &other, NULL) == 0 &&
	    player_has_address(&other, address) && strcasecmp(other.userid, userid) != 0) {
		request_refuse(q, 0, "%s belongs to the account %s.", address, other.userid);
		return 1;
	}
	int rc = store_player_get(q->site->store, q->arena, userid, p, &why);
	*fresh = rc == ERR_NOT_FOUND;
	if (rc < 0 && !*fresh)
		return err_set(e, why.code, "%s", why.text);
	if (*fresh && json_is_true(json_object_get(what, "signup"))) {
		if (account_name_is_free(q, userid, command_is_word, e) != 0)
			return 1;
		*p = new_account(q, userid, what);
	}
	if (*fresh ? p->address_count : mark_address(p, address, q->now))
		return mark_address(p, address, q->now) ? 0 : 1;
	request_refuse(q, 0, "The name %s is taken now; please sign up under another one.", userid);
	return 1;
}

static int run_address(struct request *q, const json_t *what, struct err *e)
{
	const char *userid = arena_strdup(q->arena,
	                                  json_string_value(json_object_get(what, "userid")));
	const char *address = arena_strdup(q->arena,
	                                   json_string_value(json_object_get(what, "confirm")));
	struct player_doc p = { 0 };
	bool fresh;

	/* Answer to this address, even if the name belongs to somebody else by now. */
	q->who.known = false;
	int rc = find_account(q, what, userid, address, &p, &fresh, e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	rc = store_player_put(q->site->store, &p, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	q->who.known = true;
	q->who.player = p;
	q->who.proof = PROOF_CONFIRM;
	struct note *n = request_note(q, p.userid, 0, NOTE_ACCOUNT);
	n->headline = arena_printf(
		q->arena,
		fresh ? "Welcome, %s.  Your address %s is confirmed, and you can play.  To learn how, write: help start"
		      : "%s: the address %s is confirmed and belongs to the account now.",
		userid, address);
	return 0;
}

int confirm_execute(struct request *q, struct err *e)
{
	struct held_command h;
	struct err why = { 0 };
	int rc = store_held_get(q->site->store, q->arena, q->who.token.name, &h, &why);

	if (rc == ERR_NOT_FOUND || (rc == 0 && h.expires < q->now)) {
		request_refuse(q, 0,
		               "There is nothing to confirm any more: it was done already, or "
		               "its %d days are over.",
		               CONFIRM_DAYS);
		return audit_refusal(q, AUDIT_CONFIRM_UNKNOWN, request_userid(q), NULL, e);
	}
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	json_t *what = json_loads(h.text, 0, NULL);
	bool address = json_object_get(what, "confirm") != NULL;
	bool allowed = strcasecmp(h.address, q->mail.from) == 0 ||
	               (!address && q->who.proof == PROOF_TOKEN);
	if (!allowed) {
		request_refuse(q, 0,
		               "This question went to another address: answer it from there.");
		rc = audit_refusal(q, AUDIT_CONFIRM_FOREIGN, h.userid, NULL, e);
	} else {
		rc = store_held_delete(q->site->store, h.id, e);
		if (rc == 0)
			rc = address ? run_address(q, what, e) : run_lines(q, what, e);
	}
	json_decref(what);
	return rc;
}
