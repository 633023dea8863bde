#include "pbm/commands/censor.h"

#include "pbm/people/consent.h"
#include "store/store_documents.h"

bool censor_has(const struct player_doc *p, const char *userid)
{
	return consent_has(p, CONSENT_CENSOR, userid);
}

bool censor_is_by(struct request *q, const char *reader, const char *userid)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, reader, &p, NULL) == 0 &&
	       censor_has(&p, userid);
}

const char *censor_comment(struct request *q, const char *reader, const char *by, const char *text)
{
	if (!text || !*text || !censor_is_by(q, reader, by))
		return text;
	request_say(q, "Your words were not passed on: %s does not take messages from you.",
	            reader);
	return NULL;
}
