#include "pbm/people/punctuality.h"

#include <string.h>
#include <strings.h>

#include "store/store_documents.h"
#include "store/store_questions.h"

static int add_turns(const struct game_row *row, void *arg)
{
	struct punctuality *p = arg;
	bool white = strcasecmp(row->players[SEAT_WHITE], p->userid) == 0;
	static const char late[] = " ran out of time";
	size_t n = strlen(p->userid);

	p->turns += white ? (row->ply + 1) / 2 : row->ply / 2;
	if (row->reason && strncasecmp(row->reason, p->userid, n) == 0 &&
	    strcmp(row->reason + n, late) == 0) {
		p->turns++;
		p->late++;
	}
	return 0;
}

int punctuality_of(struct request *q, const char *userid, struct punctuality *out, struct err *e)
{
	*out = (struct punctuality){ .userid = userid };
	int rc = store_games(q->site->store, userid, NULL, GAMES_FINISHED, PUNCTUALITY_GAMES, 0,
	                     add_turns, out, e);

	out->percent = out->turns ? 100 * (out->turns - out->late) / out->turns : 100;
	return rc;
}

/* The moves of one player. */
struct pace {
	struct request *q;
	const char *userid;
	int64_t moves, seconds;
};

static int add_pace(const struct game_row *row, void *arg)
{
	struct pace *p = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc g;
	int64_t since = 0;

	p->q->work++;
	if (store_game_get(p->q->site->store, &a, row->board, &g, NULL) == 0)
		for (size_t i = 0; i < g.event_count; i++) {
			const struct event *ev = &g.events[i];
			bool move = ev->kind == EVENT_MOVE;

			if (move && since && ev->seat < SEAT_NONE && !ev->automatic &&
			    strcasecmp(g.players[ev->seat], p->userid) == 0) {
				p->moves++;
				p->seconds += ev->at - since;
			}
			if (move || ev->kind == EVENT_START)
				since = ev->at;
		}
	return 0;
}

int punctuality_pace(struct request *q, const char *userid, int64_t *out, struct err *e)
{
	struct pace p = { .q = q, .userid = userid };
	int rc = store_games(q->site->store, userid, NULL, GAMES_ALL, PUNCTUALITY_TIMED, 0,
	                     add_pace, &p, e);

	*out = p.moves ? p.seconds / p.moves : -1;
	return rc;
}
