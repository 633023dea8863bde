/* Saving a game, with what follows from it. */
#include "pbm/request/request.h"
#include "pbm/request/series.h"
#include "pbm/request/tournament_follow.h"

int request_save(struct request *q, struct match *m, struct err *e)
{
	int rc = request_prepare(q, m, e);

	if (rc == 0)
		rc = series_go_on(q, m, e);
	if (rc == 0)
		rc = tournament_follow(q, m, e);
	return rc == 0 ? request_put(q, m, e) : rc;
}
