/* One letter: its addresses, its Message-ID and its place in the outbox. */
#include <stdio.h>
#include <string.h>

#include "mail/compose/encode.h"
#include "pbm/answer/later.h"
#include "pbm/answer/men.h"
#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/str.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/opted_out.h"
#include "pbm/request/request_player.h"
#include "store/store_outbox.h"

#define TEXT_MAX (256 * 1024)
#define TAG_CHARS 10
#define MOVED_MAX 100000  /* mails of the outbox that are looked at */
#define LOCAL_PART_MAX 64 /* RFC 5321 4.5.3.1.1 */

/* "<token>.<tag>@host".  An answer to the mail names this Message-ID, and so brings
 * the token back.  A mail that waits has an id without a token, which stays the same when the
 * mail is written anew. */
static const char *message_id(struct request *q, const struct letter *l)
{
	char text[200], seed[600];
	struct str s = STR_FIXED(text);

	struct token token = l->token;

	if (l->bare_tag)
		token.asked = token.refused = 0; /* later mails of the thread name this one */
	if (l->has_token && !l->later)
		token_write(q->site, &token, &s);
	else
		str_add(&s, l->later ? LATER_MARK : "x");
	str_add_char(&s, '.');
	if (l->bare_tag) {
		str_add(&s, l->tag);
	} else {
		snprintf(seed, sizeof seed, "%s %.60s %.60s %.254s", q->cause, l->tag, l->to_name,
		         l->has_token ? "" : l->to);
		token_digest(q->site, "message", seed, TAG_CHARS, &s);
	}
	str_addf(&s, "@%s", q->site->conf.host);
	return arena_strdup(q->arena, text);
}

const char *notify_address(struct request *q, const struct token *t)
{
	struct str s = STR_LOCAL(320);

	str_addf(&s, "%s+", q->site->conf.local_part);
	token_write(q->site, t, &s);
	str_addf(&s, "@%s", q->site->conf.host);
	return arena_strdup(q->arena, s.data);
}

/* The envelope sender, to which the mail comes back.  Mail to a player's address
 * has an envelope sender that names the player and the address.  A question to a new
 * address has the envelope sender `+bounces`.  Mail that comes back there is ignored,
 * because an address that is not confirmed cannot rest.  An answer to a stranger has none (RFC 3834 §3.3), because From
 * may be forged. */
static const char *envelope_sender(struct request *q, const struct letter *l)
{
	struct str s = STR_LOCAL(320);

	if (!l->has_token)
		return "";
	str_addf(&s, "%s+", q->site->conf.local_part);
	if (*l->to_name) {
		struct token t = token_bounce(l->to_name, l->to, q->now);

		token_write(q->site, &t, &s);
	}
	if (!*l->to_name || s.len > LOCAL_PART_MAX) {
		str_clear(&s);
		str_addf(&s, "%s+bounces", q->site->conf.local_part);
	}
	str_addf(&s, "@%s", q->site->conf.host);
	return arena_strdup(q->arena, s.data);
}

/* The address to which a mail that nobody asked for can be answered with "unsubscribe". */
static const char *unsubscribe_address(struct request *q, const struct letter *l)
{
	bool asked = l->prompted && *l->to_name;

	return l->has_token && !asked ? notify_address(q, &l->token) : NULL;
}

static int compose_letter(struct request *q, const struct letter *l, const char *id,
                          struct str *bytes, struct err *e)
{
	struct compose_picture men[MEN_MAX];
	size_t n = l->html ? men_of(q->site->template_dir, l->html, men) : 0;
	struct compose c = { .from_name = q->site->conf.name,
		             .from = q->site->address,
		             .to_name = l->to_name,
		             .to = l->to,
		             .reply_to = l->has_token ? notify_address(q, &l->token) : NULL,
		             .subject = l->subject,
		             .message_id = id,
		             .in_reply_to = l->in_reply_to,
		             .references = l->references,
		             .list_id = l->list_id,
		             .unsubscribe = unsubscribe_address(q, l),
		             .unsubscribe_from = l->bulk,
		             .bulk = l->bulk != NULL,
		             .auto_submitted = l->prompted ? "auto-replied" : "auto-generated",
		             .date = q->now,
		             .text = l->text,
		             .html = l->html,
		             .pictures = men,
		             .picture_count = n,
		             .attachments = l->attachments,
		             .attachment_count = l->attachment_count };

	return compose_mail(&c, bytes, e);
}

size_t notify_size(struct request *q, const struct letter *l)
{
	AUTO(str_release) struct str bytes = str_heap(4 * TEXT_MAX);

	int rc = compose_letter(q, l, message_id(q, l), &bytes, NULL);
	return rc < 0 ? SIZE_MAX : bytes.len;
}

/* Is it the question whether an address belongs to an account? */
static bool asks_new_address(const struct letter *l)
{
	return l->has_token && l->token.kind == TOKEN_CONFIRM && !*l->to_name;
}

/* 1: the address wants mail, as far as is known; 0: it is not written to any more. */
static int may_write(struct request *q, const struct letter *l, struct err *e)
{
	if (*l->to_name || l->breaks_silence || (q->answer.last && l->prompted))
		return 1;
	int rc = opted_out_has(q, l->to, e);
	return rc < 0 ? rc : !rc;
}

/* Takes the mail out of the outbox that waits there under this id. */
static int replace(struct request *q, const char *id, const char *to, struct err *e)
{
	int64_t row;
	int rc = store_outbox_find(q->site->store, id, to, &row, e);

	return rc > 0 ? store_outbox_done(q->site->store, row, e) : rc;
}

int notify_send(struct request *q, const struct letter *l, struct err *e)
{
	const char *id = message_id(q, l);
	int rc = may_write(q, l, e);

	if (rc > 0 && asks_new_address(l))
		rc = mail_limits_may_ask(q, l->to, e);
	if (rc <= 0)
		return rc;
	AUTO(str_release) struct str bytes = str_heap(4 * TEXT_MAX);
	rc = compose_letter(q, l, id, &bytes, e);
	if (rc == 0 && l->later)
		rc = replace(q, id, l->to, e);
	if (rc == 0) {
		struct outbox_mail m = { .message_id = id,
			                 .rcpt = l->to,
			                 .bytes = bytes.data,
			                 .len = bytes.len,
			                 .envelope_from = envelope_sender(q, l),
			                 .created = q->now,
			                 .next_try = l->later ? l->later : q->now };
		rc = store_outbox_add(q->site->store, &m, e);
	}
	return rc;
}

/* An account whose addresses change. */
struct moving {
	struct request *q;
	const struct player_doc *before, *after;
	struct err *err;
};

/* The address that takes the place of one that is gone: a new one, if there is one. */
static const char *place_of(const struct moving *v)
{
	const char *to = NULL;

	for (size_t i = 0; i < v->after->address_count; i++) {
		const struct player_address *a = &v->after->addresses[i];
		bool is_new = !player_has_address(v->before, a->address);

		if (a->confirmed && is_new)
			return a->address;
		if (a->confirmed && !to)
			to = a->address;
	}
	return to;
}

/* Moves one mail that waits for a time.  Other players may share the address: the field To names
 * the reader. */
static int move_row(const struct outbox_mail *m, void *arg)
{
	const struct moving *v = arg;
	const char *userid = v->before->userid, *to = place_of(v);
	struct str old = STR_LOCAL(1000), new = STR_LOCAL(1000);

	if (!str_prefix(m->message_id, LATER_MARK ".") || !player_has_address(v->before, m->rcpt) ||
	    player_has_address(v->after, m->rcpt))
		return 0;
	encode_mailbox(&old, "To", userid, m->rcpt);
	encode_mailbox(&new, "To", userid, to ? to : "");
	const char *bytes = arena_strndup(v->q->arena, m->bytes, m->len),
		   *at = strstr(bytes, old.data);
	if (!at || at > strstr(bytes, "\r\n\r\n"))
		return 0;
	struct letter l = { .to_name = userid, .to = to, .has_token = true };
	struct outbox_mail moved = *m;
	moved.bytes = arena_printf(v->q->arena, "%.*s%s%s", (int)(at - bytes), bytes, new.data,
	                           at + old.len);
	moved.len = strlen(moved.bytes);
	moved.rcpt = to;
	int rc = store_outbox_done(v->q->site->store, m->id, v->err);
	if (rc < 0 || !to)
		return rc;
	moved.envelope_from = envelope_sender(v->q, &l);
	return store_outbox_add(v->q->site->store, &moved, v->err);
}

int notify_move(struct request *q, const struct player_doc *before, const struct player_doc *after,
                struct err *e)
{
	struct moving v = { .q = q, .before = before, .after = after, .err = e };

	/* Not a walk of later.h, whose mails have no bytes. */
	return player_loses_address(before, after)
	               ? store_outbox_due(q->site->store, q->now + CLOCK_DAY, MOVED_MAX, move_row,
	                                  &v, e)
	               : 0;
}
