#include "pbm/commands/lobby/censor.h"

#include "pbm/people/banned_addresses.h"
#include "pbm/people/consent.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/roles.h"
#include "store/store_documents.h"

bool censor_has(struct request *q, const struct player_doc *p, const char *userid)
{
	struct player_doc by;

	if (store_player_get(q->site->store, q->arena, userid, &by, NULL) < 0)
		return consent_has(p, CONSENT_CENSOR, userid);
	return consent_has_person(q, p, CONSENT_CENSOR, &by);
}

const char *censor_suspended(struct request *q, const struct player_doc *by)
{
	if (by->suspended <= q->now)
		return banned_addresses_shares(q, by)
		               ? "A moderator has suspended or banned another account in your mailbox: you can write to moderators alone."
		               : NULL;
	return arena_printf(
		q->arena,
		"A moderator has suspended you: until %s you can write to moderators alone.",
		request_date(q, by->userid, by->suspended));
}

const char *censor_why(struct request *q, const struct player_doc *reader,
                       const struct player_doc *by)
{
	if (consent_has_person(q, reader, CONSENT_CENSOR, by))
		return arena_printf(q->arena, "%s does not take messages from you.",
		                    reader->userid);
	if (reader->signed_off)
		return arena_printf(q->arena, "%s takes no mail at present.", reader->userid);
	return roles_is_staff(reader) ? NULL : censor_suspended(q, by);
}

const char *censor_why_to(struct request *q, const char *reader, const char *by)
{
	struct player_doc p, own;

	return store_player_get(q->site->store, q->arena, reader, &p, NULL) == 0 &&
	                       store_player_get(q->site->store, q->arena, by, &own, NULL) == 0
	               ? censor_why(q, &p, &own)
	               : NULL;
}

static const char *withheld(struct request *q, const char *by, const char *why)
{
	/* A turn that was sent later, or moves ahead, have no mail that could be answered. */
	request_note(q, q->mail.from ? NULL : by, 0, 0)->headline = arena_printf(
		q->arena, "Your words were not passed on.  %s", why);
	return NULL;
}

const char *censor_comment(struct request *q, const char *reader, const char *by, const char *text)
{
	const char *why = text && *text ? censor_why_to(q, reader, by) : NULL;

	return why ? withheld(q, by, why) : text;
}

const char *censor_words(struct request *q, const char *reader, const char *by, const char *text)
{
	struct player_doc p;
	int64_t ends;

	text = censor_comment(q, reader, by, text);
	if (!text || !*text || store_player_get(q->site->store, q->arena, by, &p, NULL) < 0 ||
	    mail_limits_is_talk_full(q, &p, reader, &ends, NULL) == 0)
		return text;
	return withheld(q, by,
	                arena_printf(q->arena,
	                             "%s gets at most %d mails with your words in an hour.", reader,
	                             MAIL_LIMITS_TALKS_AN_HOUR));
}
