#include "pbm/commands/censor.h"

#include <string.h>
#include <strings.h>

#include "store/store_documents.h"

bool censor_has(const struct player_doc *p, const char *userid)
{
	const char *list = player_setting(p, "censor");
	size_t len = strlen(userid);

	while (list && *list) {
		size_t n = strcspn(list, " ,");

		if (n == len && strncasecmp(list, userid, len) == 0)
			return true;
		list += n + (list[n] != '\0');
	}
	return false;
}

bool censor_is_by(struct request *q, const char *reader, const char *userid)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, reader, &p, NULL) == 0 &&
	       censor_has(&p, userid);
}
