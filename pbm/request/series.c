#include "pbm/request/series.h"

#include <string.h>
#include <strings.h>

#include "pbm/record/match.h"
#include "store/store_documents.h"

/* Adds both sides' points after this game, in half points. */
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

static bool is_here(struct request *q, const char *userid)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, userid, &p, NULL) == 0 && !p.deleted &&
	       !p.banned;
}

/* The note in which the player is told of the board already; NULL: none. */
static struct note *told(struct request *q, const struct match *m, uint8_t seat)
{
	for (size_t i = q->note_count; i-- > 0;) {
		const char *reader = q->notes[i].userid ? q->notes[i].userid : request_userid(q);
		const char *player = m->doc.players[seat];

		if (q->notes[i].board == m->doc.board && q->notes[i].headline && reader && player &&
		    strcasecmp(reader, player) == 0)
			return &q->notes[i];
	}
	return NULL;
}

/* The sentence goes below what the players are told of the board, or into notes of its own. */
static void tell(struct request *q, const struct match *m, unsigned flags, const char *text)
{
	for (uint8_t seat = 0; seat < 2; seat++) {
		if (!is_here(q, m->doc.players[seat]))
			continue;
		struct note *n = told(q, m, seat);

		if (n) {
			n->headline = arena_printf(q->arena, "%s  %s", n->headline, text);
			continue;
		}
		n = request_note(q, m->doc.players[seat], m->doc.board, flags);
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

/* The next game: the same terms, changed colours.  Each two games share the start that lots chose.
 * Nothing else is taken over: the secrets are kept by colour. */
static int start_next(struct request *q, struct match *m, const int points[2], struct err *e)
{
	const struct game_doc *old = &m->doc;
	struct match *next = arena_alloc(q->arena, sizeof *next);
	struct game_doc d = game_doc_terms(old);

	if ((points[0] + points[1]) / 2 % 2) { /* so many games are played */
		d.start_fen = old->start_fen;
		d.lots = old->lots;
	}
	d.colors = COLORS_GIVEN;
	for (int seat = 0; seat < 2; seat++) {
		d.players[seat] = old->players[!seat];
		d.points[seat] = points[!seat];
	}
	d.created = q->now;
	if (store_next_board(q->site->store, &d.board, e) < 0 ||
	    match_create(q->arena, &d, next, e) < 0 || request_start(q, next, e) < 0)
		return e->code;
	m->doc.next = d.board;
	tell(q, next, NOTE_BOARD | NOTE_ASK | NOTE_START | NOTE_APART,
	     arena_printf(
		     q->arena,
		     "The next game of your match begins.  Board %lld: %s has White, %s has Black.  The match stands %s to %s; it has at most %d games.",
		     (long long)d.board, d.players[0], d.players[1], points_text(q, d.points[0]),
		     points_text(q, d.points[1]), d.best_of));
	int rc = request_prepare(q, next, e);
	return rc == 0 ? request_put(q, next, e) : rc;
}

/* The player who has left the server; NULL: both are here. */
static const char *who_left(struct request *q, const struct game_doc *d)
{
	for (int i = 0; i < 2; i++)
		if (!is_here(q, d->players[i]))
			return d->players[i];
	return NULL;
}

/* Ends the match before its time: nobody wins it. */
static void break_off(struct request *q, const struct match *m, const int points[2])
{
	const struct game_doc *d = &m->doc;
	const char *gone = who_left(q, d);
	const char *white = points_text(q, points[0]), *black = points_text(q, points[1]);

	tell(q, m, 0,
	     gone ? arena_printf(
			    q->arena,
			    "The match ends here, because %s has left this server.  It stands %s for %s and %s for %s.",
			    gone, white, d->players[0], black, d->players[1])
	          : arena_printf(
			    q->arena,
			    "The match ends here, because this game has no result.  It stands %s for %s and %s for %s.",
			    white, d->players[0], black, d->players[1]));
}

/* An offer that is withdrawn or declined is no game. */
static bool has_begun(const struct game_doc *d)
{
	for (size_t i = 0; i < d->event_count; i++)
		if (d->events[i].kind == EVENT_START)
			return true;
	return false;
}

int series_go_on(struct request *q, struct match *m, struct err *e)
{
	const struct game_doc *d = &m->doc;
	int points[2];

	if (!d->best_of || (d->state != GAME_FINISHED && d->state != GAME_CLOSED) || d->next ||
	    match_is_solo(m) || d->ended != q->now || !has_begun(d))
		return 0;
	if (d->state == GAME_CLOSED) {
		break_off(q, m, d->points);
		return 0;
	}
	add_points(d, points);
	if (points[0] > d->best_of || points[1] > d->best_of ||
	    points[0] + points[1] >= 2 * d->best_of)
		tell(q, m, 0, end_text(q, d, points));
	else if (who_left(q, d))
		break_off(q, m, points);
	else
		return start_next(q, m, points, e);
	return 0;
}
