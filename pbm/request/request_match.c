/* The games of a request: read, prepared, put into the store. */
#include "pbm/rating/rating.h"
#include "pbm/request/clocks.h"
#include "pbm/request/request.h"
#include "pbm/request/watch_news.h"
#include "store/store_documents.h"
#include "store/store_marks.h"

struct match *request_match(struct request *q, int64_t board, struct err *e)
{
	struct game_doc doc;

	for (size_t i = 0; i < q->match_count; i++)
		if (q->matches[i]->doc.board == board)
			return q->matches[i];
	if (q->match_count == REQUEST_MATCHES_MAX) {
		err_set(e, ERR_LIMIT, "This mail has commands for too many boards.");
		return NULL;
	}
	if (store_game_get(q->site->store, q->arena, board, &doc, e) < 0)
		return NULL;
	struct match *m = arena_alloc(q->arena, sizeof *m);
	if (match_load(q->arena, &doc, m, e) < 0 || clocks_follow(q, m, e) < 0)
		return NULL;
	m->received = q->received;
	q->matches[q->match_count++] = m;
	return m;
}

/* A live page is found through mails alone, which know its address only with an
 * archive-url. */
static int mark_live(struct request *q, const struct match *m, struct err *e)
{
	return *q->site->archive_url && m->doc.state != GAME_OFFERED
	               ? store_live_mark(q->site->store, m->doc.board, e)
	               : 0;
}

int request_prepare(struct request *q, struct match *m, struct err *e)
{
	bool known = false;

	for (size_t i = 0; i < q->match_count; i++)
		known |= q->matches[i] == m;
	if (!known && q->match_count < REQUEST_MATCHES_MAX)
		q->matches[q->match_count++] = m;
	q->done_count++;
	q->facts = NULL; /* a game that ends changes them */
	int rc = clocks_follow(q, m, e);
	return rc == 0 ? rating_apply(q->site, m, q->now, e) : rc;
}

int request_put(struct request *q, const struct match *m, struct err *e)
{
	int rc = store_game_put(q->site->store, &m->doc, e);

	if (rc == 0)
		rc = watch_news_mark(q, m, e);
	if (rc == 0)
		rc = mark_live(q, m, e);
	if (rc == 0 && m->doc.state == GAME_FINISHED)
		rc = store_archive_mark(q->site->store, m->doc.board, e);
	return rc;
}
