#include "pbm/answer/formula_news.h"

#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/people/player_change.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"

#define NEWS_MAX 4000 /* bytes that wait; later news is dropped */

int formula_news_put(struct request *q, const struct player_doc *p, const char *from,
                     const char *title, const char *failed, struct err *e)
{
	struct player_doc changed = *p;
	const char *before = player_setting(p, FORMULA_NEWS);
	const char *line = arena_printf(q->arena, "%s%s    %s offered %s: %s", before ? before : "",
	                                before ? "\n" : "", from, title, failed);

	if (strlen(line) > NEWS_MAX)
		return 0;
	return player_change(q, &changed, FORMULA_NEWS, line, e);
}

int formula_news_take(struct request *q, const char *userid, const char **text, struct err *e)
{
	struct player_doc p;
	int64_t told = 0;

	if (store_player_get(q->site->store, q->arena, userid, &p, NULL) < 0 ||
	    !player_setting(&p, FORMULA_NEWS))
		return 0;
	int rc = request_count_event(q, "formula-news", p.userid, CLOCK_DAY, &told, e);
	if (rc < 0 || told > 1)
		return rc;
	*text = player_setting(&p, FORMULA_NEWS);
	rc = player_change(q, &p, FORMULA_NEWS, NULL, e);
	return rc < 0 ? rc : 1;
}
