/* Openings: the first turns of the site's finished games, with their results. */
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/commands/account/account_tables.h"
#include "pbm/commands/account/rating_text.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match_text.h"
#include "pbm/record/opening_name.h"
#include "store/document/opening.h"
#include "store/store_tallies.h"

#define ROWS 20

/* The turns that were asked for, and the position after them. */
struct opening_asked {
	struct request *q;
	struct game game;
	struct pos pos;
	int plies;
	const char *turns; /* "e3 b5" */
	struct opening_line line;
	struct opening_name name; /* its text is "" without a name */
	const char *of_board;     /* the sentence with its whole name, or "" */
	struct str *table;
	size_t rows;
	bool newest; /* the table counts only the newest games */
};

/* "1. e3", or for Black "1... b5" */
static const char *numbered(const struct opening_asked *a, const char *turn)
{
	return arena_printf(a->q->arena, "%d.%s %s", a->plies / 2 + 1, a->plies % 2 ? ".." : "",
	                    turn);
}

/* Plays the next turn as it was typed, perhaps with its number.  False: refused. */
static bool play(struct opening_asked *a, const char *text)
{
	char san[64], turn[OPENING_TURN_MAX];
	struct str s = STR_FIXED(san);
	struct err why = { 0 };
	struct move m;

	if (a->plies == OPENING_PLIES - 1)
		return !request_refused(a->q, 0,
		                        "Openings are counted up to the sixth turn of each side.");
	if (game_read_move(&a->game, &a->pos, text, strlen(text), &m, NULL, &why) < 0)
		return !request_refused(a->q, 0, "%s", why.text);
	game_write_san(&a->game, &a->pos, &m, &s);
	game_apply(&a->game, &a->pos, &m, NULL);
	opening_turn(san, s.len, turn);
	a->turns = arena_printf(a->q->arena, "%s%s%s", a->turns, *a->turns ? " " : "", turn);
	a->name = (struct opening_name){ 0 };
	opening_line_play(&a->line, san, s.len, &a->name);
	a->plies++;
	return true;
}

/* The game on the board that the mail answers; NULL: none that began as usual. */
static const struct match *answered_game(struct request *q)
{
	const struct match *m = request_match(q, request_board(q), NULL);

	return m && !m->doc.start_fen && match_shows_to(m, request_userid(q)) ? m : NULL;
}

/* Plays so many of the match's first turns. */
static bool play_match(struct opening_asked *a, const struct match *m, size_t plies)
{
	struct opening_name name;

	a->game.rules = m->game.rules;
	a->line = opening_line_start(a->game.rules->name);
	a->turns = "";
	a->plies = 0;
	if (game_setup(&a->game, NULL, &a->pos, NULL) < 0)
		return false;
	for (size_t i = 0; i < plies; i++)
		if (!play(a, match_turn(a->q->arena, m, &m->positions[i], &m->moves[i].move)))
			return false;
	a->name = (struct opening_name){ 0 };
	if (opening_name_of(m, &name))
		a->of_board = arena_printf(a->q->arena, "The opening of board %lld: %s.  ",
		                           (long long)m->doc.board, name.text);
	return true;
}

/* Reads the game and its first turns; false: refused. */
static bool read_opening(const struct call *c, struct opening_asked *a)
{
	size_t i = 0;

	a->game.rules = c->rules;
	if (!a->game.rules && c->argc)
		a->game.rules = rules_find(c->argv[0], strlen(c->argv[i++]), NULL);
	if (!a->game.rules || game_setup(&a->game, NULL, &a->pos, NULL) < 0)
		return !request_refused(
			a->q, 0,
			"Write the name of a game, and perhaps its first turns.  For "
			"example: openings suicide e3 b5");
	a->line = opening_line_start(a->game.rules->name);
	for (; i < c->argc; i++) {
		const char *turn = c->argv[i] + strspn(c->argv[i], "0123456789");

		turn = turn > c->argv[i] && *turn == '.' ? turn + strspn(turn, ".") : c->argv[i];
		if (*turn && !play(a, turn))
			return false;
	}
	return true;
}

static int add_turn(const struct games_tally *t, void *arg)
{
	struct opening_asked *a = arg;
	struct opening_line line = a->line;
	struct opening_name name = { 0 };

	opening_line_play(&line, t->key, strlen(t->key), &name);
	str_addf(a->table, " %-12s %5lld %6lld %6lld %6lld%s%s\n", numbered(a, t->key),
	         (long long)t->n, (long long)t->won, (long long)t->lost, (long long)t->drawn,
	         *name.text ? "  " : "", name.text);
	a->rows++;
	return 0;
}

/* The rows of the table: from the tallies, or for later turns from the newest games. */
static int fill_table(struct opening_asked *a, struct err *e)
{
	struct request *q = a->q;
	const char *game = a->game.rules->name;
	struct opening_games games;
	struct opening_branch *turns;
	size_t counted;

	if (a->plies < OPENING_LISTED)
		return store_tallies(q->site->store,
		                     arena_printf(q->arena, "opening:%s%s%s", game,
		                                  a->plies ? " " : "", a->turns),
		                     ROWS, add_turn, a, e);
	int rc = store_opening_games(q->site->store, q->arena, game, a->turns, &games, &counted, e);
	size_t n = rc == 0 ? store_opening_branches(q->arena, &games, &turns) : 0;
	a->newest = counted == OPENINGS_COUNTED;
	for (size_t i = 0; i < n && i < ROWS; i++)
		add_turn(&turns[i].tally, a);
	return rc;
}

/* The same for the match, after as many of its turns as finished games have shared with it. */
static int fill_for_match(struct opening_asked *a, const struct match *m, struct err *e)
{
	size_t plies = m->ply < OPENING_PLIES - 1 ? m->ply : OPENING_PLIES - 1;
	int rc = 0;

	do {
		if (!play_match(a, m, plies))
			return 0;
		rc = fill_table(a, e);
	} while (rc == 0 && !a->rows && plies-- > OPENING_LISTED - 1);
	return rc;
}

static const char *headline(const struct opening_asked *a, bool any)
{
	const char *title = a->game.rules->title;
	const char *after = *a->name.text
	                            ? arena_printf(a->q->arena, "%s, %s", a->turns, a->name.text)
	                            : a->turns;

	if (!a->plies)
		return arena_printf(a->q->arena,
		                    any ? "%s: how games began, and who won."
		                        : "No game of %s has ended yet.",
		                    title);
	return arena_printf(a->q->arena,
	                    any ? "%s after %s: how games went on, and who won."
	                        : "No finished game of %s went on after %s.",
	                    title, after);
}

/* openings game [turns]; in the answer to a board's mail, openings of its turns */
static int run_openings(struct request *q, struct call *c, struct err *e)
{
	struct str s = str_in(q->arena, 65536);
	struct opening_asked a = { .q = q, .turns = "", .of_board = "", .table = &s };
	const struct match *m = c->rules || c->argc ? NULL : answered_game(q);

	if (mail_limits_is_full(q) || (!m && !read_opening(c, &a)))
		return 0;
	str_add(&s, " turn         games  White  Black  drawn\n");
	int rc = m ? fill_for_match(&a, m, e) : fill_table(&a, e);
	if (rc < 0)
		return rc;
	if (!a.rows)
		str_clear(&s);
	const char *newest =
		a.newest ? arena_printf(q->arena,
	                                "  Only the newest %d games of this opening are counted.",
	                                OPENINGS_COUNTED)
			 : "";
	request_page(q, "openings",
	             arena_printf(q->arena, "%s%s%s", a.of_board, headline(&a, a.rows > 0), newest),
	             s.data);
	return 0;
}

const struct command cmd_openings_table[] = {
	COMMAND("openings", "openings game [turns]",
	        "how finished games of that kind began, with their results", GROUP_READ,
	        CMD_GAME_AFTER, .run = run_openings),
	COMMAND("explorer", "explorer game [turns]", "the same", GROUP_READ, CMD_GAME_AFTER,
	        .run = run_openings),
	{ .word = NULL }
};
