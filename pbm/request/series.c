#include "pbm/request/series.h"

#include <string.h>

#include "store/store_documents.h"

/* What both sides have after this game, in half points. */
static void add_points(const struct game_doc *d, int points[2])
{
	bool white = strcmp(d->result, "1-0") == 0, black = strcmp(d->result, "0-1") == 0;

	points[0] = d->points[0] + (white ? 2 : black ? 0 : 1);
	points[1] = d->points[1] + (black ? 2 : white ? 0 : 1);
}

/* "1½" would be no ASCII: "1.5". */
static const char *points_text(struct request *q, int halves)
{
	return arena_printf(q->arena, halves % 2 ? "%d.5" : "%d", halves / 2);
}

static void tell(struct request *q, const struct match *m, unsigned flags, const char *text)
{
	for (uint8_t seat = 0; seat < 2; seat++) {
		struct note *n = request_note(q, m->doc.players[seat], m->doc.board, flags);

		n->seat = seat;
		n->headline = text;
	}
}

static const char *end_text(struct request *q, const struct game_doc *d, const int points[2])
{
	int ahead = points[1] > points[0];

	if (points[0] == points[1])
		return arena_printf(q->arena, "The match is drawn, %s to %s.",
		                    points_text(q, points[0]), points_text(q, points[1]));
	return arena_printf(q->arena, "%s has won the match against %s, %s to %s.",
	                    d->players[ahead], d->players[!ahead], points_text(q, points[ahead]),
	                    points_text(q, points[!ahead]));
}

/* The next game: the same terms, changed colours.  Nothing else is taken over: the secrets are
 * kept by colour. */
static int start_next(struct request *q, struct match *m, const int points[2], struct err *e)
{
	const struct game_doc *old = &m->doc;
	struct match *next = arena_alloc(q->arena, sizeof *next);
	struct game_doc d = game_doc_terms(old);

	d.colors = COLORS_GIVEN;
	for (int seat = 0; seat < 2; seat++) {
		d.players[seat] = old->players[!seat];
		d.points[seat] = points[!seat];
	}
	d.created = q->now;
	if (store_next_board(q->site->store, &d.board, e) < 0 ||
	    match_create(q->arena, &d, next, e) < 0)
		return e->code;
	match_start(next, q->now);
	m->doc.next = d.board;
	tell(q, next, NOTE_BOARD | NOTE_ASK | NOTE_START | NOTE_APART,
	     arena_printf(
		     q->arena,
		     "The next game of your match begins.  Board %lld: %s has White, %s has Black.  The match stands %s to %s; it has at most %d games.",
		     (long long)d.board, d.players[0], d.players[1], points_text(q, d.points[0]),
		     points_text(q, d.points[1]), d.best_of));
	return request_save(q, next, e);
}

/* Have both players still an account? */
static bool are_here(struct request *q, const struct game_doc *d)
{
	struct player_doc p;

	for (int i = 0; i < 2; i++)
		if (store_player_get(q->site->store, q->arena, d->players[i], &p, NULL) < 0 ||
		    p.deleted)
			return false;
	return true;
}

int series_go_on(struct request *q, struct match *m, struct err *e)
{
	const struct game_doc *d = &m->doc;
	int points[2];

	if (!d->best_of || d->state != GAME_FINISHED || d->next || match_is_solo(m) ||
	    d->ended != q->now)
		return 0;
	add_points(d, points);
	if (points[0] <= d->best_of && points[1] <= d->best_of &&
	    points[0] + points[1] < 2 * d->best_of)
		return are_here(q, d) ? start_next(q, m, points, e) : 0;
	tell(q, m, 0, end_text(q, d, points));
	return 0;
}
