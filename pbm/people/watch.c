#include "pbm/people/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/people/player_change.h"
#include "pbm/record/match.h"
#include "pbm/request/watch_news.h"
#include "store/store_documents.h"

bool watch_may_see(const struct match *m, const char *userid)
{
	return !m->doc.private_game && match_seat_of(m, userid) == SEAT_NONE;
}

bool watch_has(const struct player_doc *p, const struct match *m)
{
	const char *board = PRINTED(24, "%lld", (long long)m->doc.board);
	for (size_t i = 0; i < p->watch_count; i++)
		if (strcmp(p->watches[i].what, board) == 0 ||
		    strcmp(p->watches[i].what, m->doc.game) == 0)
			return true;
	return false;
}

/* Is it a board whose game has ended?  Then there is nothing more to watch. */
static bool is_over(struct request *q, const char *what)
{
	struct game_doc d;
	int64_t board = strtoll(what, NULL, 10);

	return board && store_game_get(q->site->store, q->arena, board, &d, NULL) == 0 &&
	       (d.state == GAME_FINISHED || d.state == GAME_CLOSED);
}

/* 1: too many players watch it already. */
static int refuse_crowd(struct request *q, const char *what, struct err *e)
{
	int rc = watch_news_count(q, what, WATCHERS_MAX, e);

	if (rc < WATCHERS_MAX)
		return rc < 0 ? rc : 0;
	return request_refused(
		q, 0,
		"%d players watch that already, and more are not possible.  Its board is "
		"always there to read: show %s",
		WATCHERS_MAX, what);
}

/* Copies the watches that the player keeps when there is too little room. */
static void keep_running(struct request *q, struct player_doc *p)
{
	struct player_watch *old = p->watches;
	size_t n = 0;

	p->watches = arena_alloc(q->arena, (p->watch_count + 1) * sizeof *p->watches);
	for (size_t i = 0; i < p->watch_count; i++)
		if (p->watch_count < WATCH_MAX || !is_over(q, old[i].what))
			p->watches[n++] = old[i];
	p->watch_count = n;
}

int watch_add(struct request *q, const char *userid, const char *what, bool final, struct err *e)
{
	struct player_doc p;
	int rc = store_player_get(q->site->store, q->arena, userid, &p, e);
	size_t i = 0;

	if (rc < 0)
		return rc;
	keep_running(q, &p);
	while (i < p.watch_count && strcmp(p.watches[i].what, what) != 0)
		i++;
	if (i == p.watch_count) {
		if (p.watch_count >= WATCH_MAX)
			return request_refused(
				q, 0,
				"You watch %zu boards and games already, and more are not "
				"possible.  To end some, write: unwatch <board>",
				p.watch_count);
		rc = refuse_crowd(q, what, e);
		if (rc != 0)
			return rc;
		p.watch_count++;
	}
	p.watches[i] = (struct player_watch){ what, final };
	return player_change_done(q, &p, e);
}

int watch_remove(struct request *q, const char *userid, const char *what, size_t *n, struct err *e)
{
	struct player_doc p;
	int rc = store_player_get(q->site->store, q->arena, userid, &p, e);
	size_t kept = 0;

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < p.watch_count; i++)
		if (what && strcmp(p.watches[i].what, what) != 0)
			p.watches[kept++] = p.watches[i];
	*n = p.watch_count - kept;
	p.watch_count = kept;
	return *n ? player_change_done(q, &p, e) : 0;
}
