#include "pbm/commands/proof/question.h"

#include <stdlib.h>

#include "pbm/answer/view.h"
#include "pbm/base/str.h"
#include "pbm/request/reader.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"
#include "store/store_held.h"

#define ID_CHARS 16

/* The question's id comes from the mail's sender and Message-ID: the same mail by another way,
 * with another header, asks no second time. */
const char *question_id(struct request *q, const char *about)
{
	struct str id = STR_LOCAL(ID_CHARS + 1);
	const char *mail = *q->mail.message_id ? arena_printf(q->arena, "%s %s", q->mail.from,
	                                                      q->mail.message_id)
	                                       : q->cause;

	token_digest(q->site, "held", arena_printf(q->arena, "%s %s", mail, about), ID_CHARS, &id);
	return arena_strdup(q->arena, id.data);
}

int question_is_open(struct request *q, const char *id, struct err *e)
{
	struct held_command h;
	int rc = err_found(store_held_get(q->site->store, q->arena, id, &h, e), ERR_NOT_FOUND, e);

	return rc <= 0 ? rc : h.expires >= q->now;
}

int question_put(struct request *q, const char *id, const char *userid, const char *address,
                 const json_t *what, int days, struct err *e)
{
	AUTO(mem_free) char *text = json_dumps(what, JSON_COMPACT);
	struct held_command h = { .id = id,
		                  .userid = userid,
		                  .address = address,
		                  .text = text,
		                  .expires = q->now + days * INT64_C(86400) };

	store_held_expire(q->site->store, q->now, e);
	return store_held_put(q->site->store, &h, e);
}

int question_send(struct request *q, struct letter *l, const char *template, json_t *context,
                  const char *id, int days, struct err *e)
{
	struct str text = str_in(q->arena, 65536), said = STR_LOCAL(400);
	const struct language *lang = reader_language(q,
	                                              *l->to_name ? l->to_name : request_userid(q));

	json_object_set_new(
		context, "lapses",
		json_string(request_date(q, request_userid(q), q->now + days * INT64_C(86400))));
	view_translate(lang, context);
	language_say(lang, l->subject, &said);
	l->subject = arena_strdup(q->arena, said.data);
	int rc = template_render_in(q->site->template_dir, lang, template, context, &text, e);
	json_decref(context);
	l->text = text.data;
	l->has_token = id != NULL;
	if (id)
		l->token = token_confirm(id, q->now);
	return rc == 0 ? notify_send(q, l, e) : rc;
}

/* The counts of an hour and of a day. */
static const char *const counts[2][2] = { { "confirm", "confirm-day" },
	                                  { "confirm-own", "confirm-own-day" } };

int question_may_ask(struct request *q, const char *whom, bool own, struct err *e)
{
	int64_t hour = 0, day = 0;
	int rc = request_count_event(q, counts[own][0], whom, 3600, &hour, e);

	if (rc == 0)
		rc = request_count_event(q, counts[own][1], whom, 86400, &day, e);
	if (rc < 0 || (hour <= QUESTIONS_AN_HOUR && day <= QUESTIONS_A_DAY))
		return rc < 0 ? rc : 1;
	return question_take_back(q, whom, own, e);
}

int question_take_back(struct request *q, const char *whom, bool own, struct err *e)
{
	int rc = request_event_take_back(q, counts[own][0], whom, e);

	return rc < 0 ? rc : request_event_take_back(q, counts[own][1], whom, e);
}

int question_next(struct request *q, const char *whom, bool own, int64_t *at, struct err *e)
{
	int64_t day = 0;
	int rc = request_event_count(q, counts[own][1], whom, &day, e);

	return rc < 0 ? rc
	              : request_event_ends(q, counts[own][day >= QUESTIONS_A_DAY], whom, at, e);
}

int question_add_wish(struct request *q, const char *line, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < q->signup.count; i++) {
		struct held_command h;

		rc = store_held_get(q->site->store, q->arena, q->signup.ids[i], &h, e);
		if (rc < 0)
			return rc;
		json_t *what = json_loads(h.text, 0, NULL), *wishes = json_array();
		json_array_extend(wishes, json_object_get(what, "wishes"));
		json_array_append_new(wishes, json_string(line));
		json_object_set_new(what, "wishes", wishes);
		rc = question_put(q, h.id, h.userid, h.address, what, CONFIRM_DAYS, e);
		json_decref(what);
	}
	return rc < 0 ? rc : q->signup.count > 0;
}
