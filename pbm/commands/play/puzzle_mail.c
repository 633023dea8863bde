#include "pbm/commands/play/puzzle_mail.h"

#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/zone.h"
#include "pbm/people/settings.h"
#include "pbm/text/word_list.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define LOOKED_AT 400 /* puzzles, for one of the games wanted */
#define MONDAY 4      /* of the days since 1970-01-01, a Thursday, modulo 7 */

struct puzzle_search {
	struct arena *a;
	const char *games;
	int64_t board, day;
};

static bool is_among(struct arena *a, const char *games, const char *game)
{
	char *words = arena_strdup(a, games ? games : "");

	for (char *c = words; *c; c++)
		*c = *c == ',' ? ' ' : *c;
	return !*words || word_list_has(words, game);
}

static int take_first(const struct game_row *row, void *arg)
{
	struct puzzle_search *n = arg;

	if (!is_among(n->a, n->games, row->game))
		return 0;
	n->board = row->board;
	n->day = row->puzzle;
	return 1;
}

int puzzle_find(struct request *q, const char *game, const char *games, int64_t t, int64_t *day,
                struct puzzle *out, struct err *e)
{
	struct puzzle_search n = { .a = q->arena, .games = games };
	struct game_doc d;
	int rc = store_puzzles(q->site->store, game, t, LOOKED_AT, take_first, &n, e);

	if (rc < 0 || !n.board)
		return rc;
	rc = store_game_get(q->site->store, q->arena, n.board, &d, e);
	*day = n.day;
	return rc < 0 ? rc : puzzle_read(q->arena, &d, out);
}

const char *puzzle_url(struct request *q, int64_t day)
{
	struct str path = STR_LOCAL(40);

	puzzle_write_path(day, &path);
	return *q->site->conf.archive_url
	               ? arena_printf(q->arena, "%s/%s", q->site->conf.archive_url, path.data)
	               : "";
}

struct note *puzzle_show(struct request *q, const char *reader, int64_t day, const struct puzzle *p,
                         size_t ply)
{
	struct note *n = request_note(q, reader, 0, NOTE_BOARD);

	q->answer.puzzle = day + (int64_t)ply;
	n->view = &p->board;
	n->view_ply = ply;
	n->seat = p->board.positions[0].to_move == WHITE ? SEAT_WHITE : SEAT_BLACK;
	n->subject = arena_printf(q->arena, "a puzzle of %s", p->board.game.rules->title);
	n->headline = arena_printf(
		q->arena,
		n->seat == SEAT_WHITE
			? "White is to move in a position of %s.  Only one turn wins.  Answer this mail with it."
			: "Black is to move in a position of %s.  Only one turn wins.  Answer this mail with it.",
		p->board.game.rules->title);
	n->body = "To give up, answer: puzzle solution";
	return n;
}

/* Adds the solution of the puzzle that came so long before this one. */
static int tell_last(struct request *q, const char *games, int64_t day, int64_t period,
                     struct note *n, struct err *e)
{
	struct puzzle *last = arena_alloc(q->arena, sizeof *last);
	struct str turns = STR_LOCAL(400);
	int64_t before = 0;
	int rc = puzzle_find(q, NULL, games, day, &before, last, e);

	if (rc <= 0 || before < day - period)
		return rc;
	puzzle_write_turns(last, 0, last->board.ply, &turns);
	n->body = arena_printf(
		q->arena,
		"To give up, answer: puzzle solution.  The solution of the puzzle before it: %s",
		turns.data);
	return rc;
}

int puzzle_due(struct request *q, const struct player_doc *p, int64_t due, struct note **out,
               struct err *e)
{
	const char *want = settings_get(p, "puzzle");
	bool weekly = str_prefix(want, "weekly") > 0;
	int64_t period = (weekly ? 7 : 1) * CLOCK_DAY;
	const char *games = want + strcspn(want, " ");
	struct puzzle *found = arena_alloc(q->arena, sizeof *found);
	struct zone z;
	int64_t day = 0;

	*out = NULL;
	if (strcmp(want, "off") == 0)
		return 0;
	zone_load(settings_get(p, "timezone"), due - CLOCK_DAY, due + CLOCK_DAY, &z);
	if (weekly && zone_day(&z, due) % 7 != MONDAY)
		return 0;
	games += *games == ' ';
	int rc = puzzle_find(q, NULL, games, q->now, &day, found, e);
	if (rc > 0 && day > q->now - period) {
		*out = puzzle_show(q, p->userid, day, found, 0);
		rc = tell_last(q, games, day, period, *out, e);
	}
	return rc < 0 ? rc : 0;
}
