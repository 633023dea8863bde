#include "pbm/confirm.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/log.h"
#include "pbm/command.h"
#include "pbm/notify.h"
#include "pbm/template.h"
#include "pbm/text.h"

#define ID_CHARS 16

/* Derived from the mail: the same mail asks the same question. */
static const char *make_id(struct request *q, const char *about)
{
	char id[ID_CHARS + 1], text[400];
	struct str s = STR_FIXED(id);

	snprintf(text, sizeof text, "%s %.300s", q->cause, about);
	token_digest(q->site, "held", text, ID_CHARS, &s);
	return arena_strdup(q->arena, id);
}

static int hold(struct request *q, const char *id, const char *userid, const char *address,
                json_t *what, struct err *e)
{
	char *text = json_dumps(what, JSON_COMPACT);
	struct held_command h = {
		.id = id, .userid = userid, .address = address, .text = text,
		.expires = q->now + CONFIRM_DAYS * 86400
	};
	int rc = store_held_put(q->site->store, &h, e);

	free(text);
	return rc;
}

/* 1: may ask this player once more; 0: asked enough this hour. */
static int may_ask(struct request *q, const char *whom, struct err *e)
{
	char key[300];
	int64_t count;

	snprintf(key, sizeof key, "confirm:%s", whom);
	int rc = store_rate(q->site->store, key, q->now, 3600, &count, e);
	return rc < 0 ? rc : count <= CONFIRMS_AN_HOUR;
}

int confirm_ask(struct request *q, struct err *e)
{
	const char *address;

	if (q->held_count == 0 || !q->who.known)
		return 0;
	address = player_has_address(&q->who.player, q->mail.from) ? q->mail.from
	          : player_mail_address(&q->who.player);
	if (!address)
		return 0;
	int rc = may_ask(q, q->who.player.userid, e);
	if (rc <= 0) {
		if (rc == 0)
			log_warn("%s was asked often enough: a mail from %s is dropped",
			         q->who.player.userid, q->mail.from);
		return rc;
	}
	json_t *lines = json_array(), *what = json_object();
	for (size_t i = 0; i < q->held_count; i++)
		json_array_append_new(lines, json_string(q->held_lines[i]));
	json_object_set_new(what, "lines", lines);
	if (q->comment)
		json_object_set_new(what, "comment", json_string(q->comment));
	if (q->who.has_token && q->who.token.kind == TOKEN_GAME) {
		json_object_set_new(what, "board", json_integer(q->who.token.board));
		json_object_set_new(what, "seat", json_integer(q->who.token.seat));
		json_object_set_new(what, "ply", json_integer(q->who.token.ply));
	}
	log_info("a mail from %s without proof wants \"%s\": %s is asked", q->mail.from,
	         q->held_lines[0], q->who.player.userid);
	q->question = make_id(q, "lines");
	rc = hold(q, q->question, q->who.player.userid, address, what, e);
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

int confirm_address(struct request *q, const char *userid, const char *address,
                    const char *hash, struct err *e)
{
	const char *id = make_id(q, address);
	json_t *what = json_pack("{s:s, s:s, s:s*}", "confirm", address, "userid", userid,
	                         "password", hash);
	int rc = hold(q, id, userid, address, what, e);

	json_decref(what);
	if (rc == 0)
		rc = may_ask(q, address, e);
	if (rc <= 0)
		return rc;
	struct str text;
	json_t *context = json_pack("{s:s, s:s, s:b}", "userid", userid, "address", address,
	                            "new_account", hash != NULL);
	lapse_date(q, context);
	json_object_set_new(context, "host", json_string(q->site->host));
	str_init(&text, 65536);
	rc = template_render(q->site->template_dir, "mail/confirm-address.txt", context, &text, e);
	json_decref(context);
	if (rc == 0) {
		char subject[200];
		struct letter l = {
			.to = address, .to_name = "", .has_token = true, .tag = "address",
			.token = { .kind = TOKEN_CONFIRM, .expires = token_expiry(q->now) },
			.subject = subject, .text = text.data, .prompted = true
		};

		snprintf(l.token.name, sizeof l.token.name, "%s", id);
		snprintf(subject, sizeof subject, "[%.60s] Please confirm your address, %.40s",
		         q->site->name, userid);
		rc = notify_send(q, &l, e);
	}
	str_release(&text);
	return rc;
}

/* The held lines, now with the authority of the answer. */
static int run_lines(struct request *q, const json_t *what, struct err *e)
{
	const json_t *board = json_object_get(what, "board");
	const char *comment = json_string_value(json_object_get(what, "comment"));
	json_t *line;
	size_t i;
	int rc = 0;

	q->who.proof = PROOF_CONFIRM;
	q->confirming = true;
	q->comment = arena_strdup(q->arena, comment);
	q->who.has_token = board != NULL;
	if (board)
		q->who.token = (struct token){
			.kind = TOKEN_GAME, .board = json_integer_value(board),
			.seat = (uint8_t)(json_integer_value(json_object_get(what, "seat")) & 1),
			.ply = (unsigned)json_integer_value(json_object_get(what, "ply"))
		};
	json_array_foreach(json_object_get(what, "lines"), i, line) {
		const char *text = arena_strdup(q->arena, json_string_value(line));

		if (rc == 0 && text)
			rc = command_run(q, text, e);
	}
	return rc;
}

static void add_address(struct request *q, struct player_doc *p, const char *address)
{
	for (size_t i = 0; i < p->address_count; i++)
		if (strcasecmp(p->addresses[i].address, address) == 0) {
			p->addresses[i].confirmed = q->now;
			return;
		}
	struct player_address *list = arena_alloc(q->arena, (p->address_count + 1) * sizeof *list);
	if (p->address_count)
		memcpy(list, p->addresses, p->address_count * sizeof *list);
	list[p->address_count++] = (struct player_address){ address, q->now };
	p->addresses = list;
}

static int run_address(struct request *q, const json_t *what, struct err *e)
{
	const char *userid = arena_strdup(q->arena, json_string_value(json_object_get(what, "userid")));
	const char *address = arena_strdup(q->arena, json_string_value(json_object_get(what, "confirm")));
	const char *hash = arena_strdup(q->arena, json_string_value(json_object_get(what, "password")));
	struct player_doc p = {0}, other;
	struct err why = {0};

	if (store_player_by_address(q->site->store, q->arena, address, &other, &why) == 0 &&
	    player_has_address(&other, address) && strcasecmp(other.userid, userid) != 0) {
		request_refuse(q, 0, "%s belongs to the account %s.", address, other.userid);
		return 0;
	}
	err_clear(&why);
	int rc = store_player_get(q->site->store, q->arena, userid, &p, &why);
	bool fresh = rc == ERR_NOT_FOUND;
	if (rc < 0 && !fresh)
		return err_set(e, why.code, "%s", why.text);
	if (fresh)
		p = (struct player_doc){ .userid = userid, .role = "player", .created = q->now,
		                         .password = hash };
	add_address(q, &p, address);
	rc = store_player_put(q->site->store, &p, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	q->who.known = true;
	q->who.player = p;
	q->who.proof = PROOF_CONFIRM;
	if (fresh)
		request_say(q, "Welcome, %s.  %s is confirmed; games can begin.  To be told how: help start",
		            userid, address);
	else
		request_say(q, "%s is confirmed and belongs to %s now.", address, userid);
	return 0;
}

int confirm_execute(struct request *q, struct err *e)
{
	struct held_command h;
	struct err why = {0};
	int rc = store_held_get(q->site->store, q->arena, q->who.token.name, &h, &why);

	if (rc == ERR_NOT_FOUND || (rc == 0 && h.expires < q->now)) {
		request_refuse(q, 0, "There is nothing to confirm any more: it was done already, or "
		               "its %d days are over.", CONFIRM_DAYS);
		return 0;
	}
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	json_t *what = json_loads(h.text, 0, NULL);
	bool address = json_object_get(what, "confirm") != NULL;
	bool allowed = strcasecmp(h.address, q->mail.from) == 0 ||
	               (!address && q->who.proof == PROOF_TOKEN);
	if (!allowed) {
		log_warn("confirmation for %s from %s: not accepted", h.userid, q->mail.from);
		request_refuse(q, 0, "This question went to another address: answer it from there.");
	} else {
		rc = store_held_delete(q->site->store, h.id, e);
		if (rc == 0)
			rc = address ? run_address(q, what, e) : run_lines(q, what, e);
	}
	json_decref(what);
	return rc;
}
