#include "pbm/request/watch_news.h"

#include "pbm/record/match.h"
#include "store/store_player_lists.h"
#include "store/store_work.h"

static int count_watcher(const char *, bool final, void *arg)
{
	(void) final;
	++*(size_t *)arg;
	return 0;
}

int watch_news_count(struct request *q, const char *what, size_t most, struct err *e)
{
	size_t n = 0;
	int rc = store_watchers(q->site->store, what, most, count_watcher, &n, e);

	return rc < 0 ? rc : (int)n;
}

int watch_news_mark(struct request *q, const struct match *m, struct err *e)
{
	const struct game_doc *d = &m->doc;
	if (d->private_game || d->state == GAME_OFFERED)
		return 0;
	const char *board = arena_printf(q->arena, "%lld", (long long)d->board);
	int rc = store_watched(q->site->store, board, match_is_solo(m) ? board : d->game, e);
	return rc == 1 ? store_work_add(q->site->store, WORK_WATCHERS, d->board, m->loaded_events,
	                                e)
	               : rc;
}
