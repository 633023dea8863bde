#include "pbm/request/act_record.h"

#include "pbm/request/request.h"
#include "store/store_acts.h"

int act_record(struct request *q, const struct act_by *by, const char *what, const char *players,
               const char *detail, struct err *e)
{
	const struct act act = { .at = q->now,
		                 .by = by->by,
		                 .what = what,
		                 .players = players,
		                 .detail = detail,
		                 .reason = by->why && *by->why ? by->why : NULL };

	return store_act_add(q->site->store, &act, e);
}
