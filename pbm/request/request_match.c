/* The games of a request: read, prepared, put into the store. */
#include <strings.h>

#include "games/game.h"
#include "games/numbered.h"
#include "pbm/rating/rating.h"
#include "pbm/record/book.h"
#include "pbm/record/calendar.h"
#include "pbm/record/match.h"
#include "pbm/request/request.h"
#include "pbm/request/request_player.h"
#include "pbm/request/watch_news.h"
#include "store/store_documents.h"
#include "store/store_work.h"

#define ZONE_AHEAD (400 * INT64_C(86400)) /* offsets are recorded for so long a turn */

static const struct span *recorded(const struct match *m, uint8_t seat, int64_t from)
{
	for (size_t i = 0; i < m->rest_count[seat]; i++)
		if (m->rests[seat][i].from == from)
			return &m->rests[seat][i];
	return NULL;
}

/* Vacations that the record lacks, or has with another end. */
static void follow_vacations(struct match *m, uint8_t seat, const struct player_doc *p, int64_t now)
{
	for (size_t i = 0; i < p->vacation_count; i++) {
		const struct player_vacation *v = &p->vacations[i];
		const struct span *r = recorded(m, seat, v->from), s = { v->from, v->until };

		if (r ? r->until != v->until : v->until > m->turn_started)
			match_rest(m, seat, &s, v->automatic, now);
	}
}

/* Vacations of the record that were cancelled before they began. */
static void follow_cancelled(struct match *m, uint8_t seat, const struct player_doc *p, int64_t now)
{
	for (size_t i = 0; i < m->rest_count[seat]; i++) {
		const struct span rest = m->rests[seat][i], none = { rest.from, rest.from };
		bool known = rest.until <= now || rest.until == rest.from;

		for (size_t k = 0; k < p->vacation_count; k++)
			known |= p->vacations[k].from == none.from;
		if (!known)
			match_rest(m, seat, &none, false, now);
	}
}

/* The zone counts from the turn that begins now, so that nobody gains a weekend's hours by
 * changing it while the clock runs. */
static void follow_zone(struct match *m, const struct player_doc *p, int64_t now)
{
	uint8_t seat = match_to_move(m);
	struct zone zone;

	if (!m->doc.weekdays || (m->zone[seat] && m->turn_started < now))
		return;
	zone_load(player_setting(p, "timezone"), now, now + ZONE_AHEAD, &zone);
	if (!m->zone[seat] || !zone_equals(&zone, m->zone[seat], now, now + ZONE_AHEAD))
		match_set_zone(m, seat, &zone, now);
}

/* Appends to the record of a running game what it does not know yet.  Does nothing when
 * it is up to date. */
static int clocks_follow(struct request *q, struct match *m, struct err *e)
{
	for (uint8_t seat = 0; seat < 2 && m->doc.state == GAME_RUNNING; seat++) {
		struct player_doc p;
		int rc = err_found(
			store_player_get(q->site->store, q->arena, m->doc.players[seat], &p, e),
			ERR_DAMAGED, e);

		if (rc < 0)
			return rc;
		if (rc == 0)
			continue;
		follow_vacations(m, seat, &p, q->now);
		follow_cancelled(m, seat, &p, q->now);
		if (seat == match_to_move(m))
			follow_zone(m, &p, q->now);
	}
	return 0;
}

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

uint8_t request_seat(const struct request *q, const struct match *m)
{
	return m && q->who.known ? match_seat_of(m, q->who.player.userid) : SEAT_NONE;
}

/* A live page is found through mails alone, which know its address only with an
 * archive-url. */
static int mark_live(struct request *q, const struct match *m, struct err *e)
{
	return *q->site->conf.archive_url && m->doc.state != GAME_OFFERED
	               ? store_work_add(q->site->store, WORK_LIVE, m->doc.board, 0, e)
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
	struct game_doc d = m->doc;

	if (d.state == GAME_FINISHED && !d.puzzle)
		d.puzzle_day = 0; /* it was rolled back, and that puzzle's page is gone */
	store_game_put(q->site->store, &d, e);
	int rc = watch_news_mark(q, m, e);
	if (rc == 0)
		rc = mark_live(q, m, e);
	if (rc == 0 && m->doc.state == GAME_FINISHED)
		rc = store_work_add(q->site->store, WORK_GAME, m->doc.board, 0, e);
	if (rc == 0 && m->doc.state == GAME_FINISHED && !m->doc.analysis &&
	    q->site->conf.analysis_nodes)
		rc = store_work_add(q->site->store, WORK_ANALYSIS, m->doc.board, 0, e);
	return rc;
}

/* Chooses the start by lot. */
static int draw_start(struct request *q, struct match *m, struct err *e)
{
	const struct game_doc *d = &m->doc;
	bool turned = strcasecmp(d->players[0], d->players[1]) > 0;
	struct str fen = STR_LOCAL(100);
	const char *about = d->tournament ? arena_printf(q->arena, "%s %d %s %s %d", d->tournament,
	                                                 d->round, d->players[turned],
	                                                 d->players[!turned],
	                                                 (d->points[0] + d->points[1]) / 2)
	                                  : arena_printf(q->arena, "%lld", (long long)d->board);

	numbered_start(token_lot(q->site, "start", about) % NUMBERED_STARTS,
	               m->game.rules->numbered, &fen);
	m->doc.start_fen = arena_strdup(q->arena, fen.data);
	m->doc.lots = true;
	return game_setup(&m->game, fen.data, &m->positions[0], e);
}

/* Lets the players' prepared openings play. */
static int prepare_books(struct request *q, struct match *m, struct err *e)
{
	for (uint8_t seat = 0; seat < 2; seat++) {
		struct player_doc p;
		int rc = store_player_get(q->site->store, m->arena, m->doc.players[seat], &p, e);

		if (rc < 0 && rc != ERR_NOT_FOUND)
			return rc;
		if (rc == 0 && p.books)
			book_prepare(m, seat, p.books, q->now);
	}
	return 0;
}

int request_start(struct request *q, struct match *m, struct err *e)
{
	int rc = m->game.rules->flags & RULES_LOTS && !m->doc.start_fen ? draw_start(q, m, e) : 0;

	if (rc < 0)
		return rc;
	match_start(m, q->now);
	return prepare_books(q, m, e);
}

int request_refuse_private(struct request *q, const struct match *m)
{
	return request_refused(
		q, 0,
		m->doc.state == GAME_CLOSED
			? "Board %lld was private and has no result: only its players see it."
			: "Board %lld is private until it ends.",
		(long long)m->doc.board);
}
