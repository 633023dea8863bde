/* Reading: boards, lists, move lists. */
#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/commands/play/play_tables.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/help/help.h"
#include "pbm/commands/play/cmd_scratch.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match_text.h"
#include "pbm/record/pgn.h"
#include "pbm/text/text.h"
#include "pbm/text/words.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define ROWS_MAX 100
#define LEGAL_SHOWN 60 /* turns */

struct game_table {
	struct request *q;
	struct str *out;
	size_t n;
	const char *const *listed; /* players whose games stand in the table already */
	size_t listed_count;
};

/* Only its players see a private game until it ends. */
static bool may_see(struct request *q, const struct game_row *row)
{
	const char *me = request_userid(q);
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc doc;

	if (row->state == GAME_FINISHED ||
	    (me && (strcasecmp(row->players[0], me) == 0 || strcasecmp(row->players[1], me) == 0)))
		return true;
	return store_game_get(q->site->store, &a, row->board, &doc, NULL) == 0 && !doc.private_game;
}

static bool is_listed(const struct game_table *t, const struct game_row *row)
{
	for (size_t i = 0; i < t->listed_count; i++) {
		if (strcasecmp(row->players[0], t->listed[i]) == 0 ||
		    strcasecmp(row->players[1], t->listed[i]) == 0)
			return true;
	}
	return false;
}

static int add_row(const struct game_row *row, void *arg)
{
	struct game_table *t = arg;

	if (is_listed(t, row) || !may_see(t->q, row))
		return 0;
	char players[50], state[80];

	snprintf(players, sizeof players, "%s-%s", row->players[0], row->players[1]);
	if (row->state == GAME_RUNNING) {
		struct str left = STR_LOCAL(64);

		if (row->deadline && row->deadline <= t->q->now)
			str_add(&left, "time is up");
		else if (row->deadline)
			text_duration(row->deadline - t->q->now, &left);
		else
			str_add(&left, "paused");
		snprintf(state, sizeof state, "%.20s to move, %.40s",
		         row->to_move < 2 ? row->players[row->to_move] : "nobody", left.data);
	} else {
		snprintf(state, sizeof state, "%s",
		         row->state == GAME_OFFERED
		                 ? (game_has_anyone(row->players) ? "a seek" : "offered")
		         : row->state == GAME_CLOSED ? (row->reason ? row->reason : "closed")
		                                     : row->result);
	}
	if (t->n++ == 0)
		str_add(t->out, " board  game            players              turns  state\n");
	str_addf(t->out, "%6lld  %-14.14s  %-20s %5u  %s\n", (long long)row->board,
	         rules_title(row->game), players, row->ply, state);
	return 0;
}

static const struct {
	const char *word;
	enum game_filter filter;
} filters[] = {
	{ "all", GAMES_ALL },           { "active", GAMES_OPEN },   { "next", GAMES_TO_MOVE },
	{ "finished", GAMES_FINISHED }, { "offers", GAMES_OFFERS },
};

/* The arguments of "games". */
struct games_query {
	enum game_filter filter;
	const char *game;
	size_t n;
	const char *users[CALL_WORDS_MAX];
};

static bool read_filter(const char *word, enum game_filter *out)
{
	for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
		if (strcasecmp(filters[i].word, word) == 0) {
			*out = filters[i].filter;
			return true;
		}
	return false;
}

static void read_asked(const struct call *c, struct games_query *a)
{
	*a = (struct games_query){ .filter = GAMES_OPEN, .game = c->rules ? c->rules->name : NULL };
	static const char *const mine[] = { "me", "my", "mine", "the", "games", "boards", NULL };

	for (size_t i = 0; i < c->argc; i++) {
		if (str_is_any(c->argv[i], mine)) /* "show me my games" */
			continue;
		const struct rules *r = rules_find(c->argv[i], strlen(c->argv[i]), NULL);

		if (read_filter(c->argv[i], &a->filter))
			continue;
		if (r)
			a->game = r->name;
		else
			a->users[a->n++] = c->argv[i];
	}
	if (a->n == 0 && c->actor && !a->game)
		a->users[a->n++] = c->actor->userid;
}

/* No room in the answer, or an unknown player. */
static bool refuse_search(struct request *q, const struct games_query *a)
{
	struct player_doc p;

	if (mail_limits_is_full(q))
		return true;
	for (size_t i = 0; i < a->n; i++)
		if (store_player_get(q->site->store, q->arena, a->users[i], &p, NULL) < 0)
			return request_refused(q, 0, "There is no player or game %.40s.",
			                       a->users[i]);
	return false;
}

static const char *games_headline(const struct call *c, const struct games_query *a, size_t found,
                                  bool asked)
{
	if (a->filter == GAMES_OFFERS && asked)
		return found ? "The offers that wait for an answer:" : "No offer is open.";
	if (found)
		return "The games you asked for:";
	if (!asked)
		return c->argc ? "Name a player or a game.  For example: games alice" : NULL;
	return c->argc || c->rules ? "No game of that kind." : "You play no game at the moment.";
}

/* games [userid…] [all|active|next|finished] [game] */
static int run_games(struct request *q, struct call *c, struct err *e)
{
	struct games_query a;
	struct str s = str_in(q->arena, 65536);
	struct game_table t = { .q = q, .out = &s };
	int rc = 0;

	read_asked(c, &a);
	if (refuse_search(q, &a))
		return 0;
	bool rows = a.n || a.game;
	t.listed = a.users;
	for (size_t i = 0; rc == 0 && rows && i < (a.n ? a.n : 1); i++) {
		t.listed_count = i;
		rc = store_games(q->site->store, a.n ? a.users[i] : NULL, a.game, a.filter,
		                 ROWS_MAX, 0, add_row, &t, e);
	}
	if (rc == 0) {
		struct note *note = request_note(q, NULL, 0, 0);

		note->subject = "the games";
		note->headline = games_headline(c, &a, t.n, rows);
		if (t.n && c->argc == 0 && !c->rules) {
			str_add(&s, "\nWhat can be played here: list\n");
		} else if (c->argc == 0 && !c->rules) {
			str_add(&s, "What can be played here (men are pieces and pawns):\n");
			help_games_here(example_game(q), &s);
		}
		note->body = s.data;
	}
	return rc;
}

/* "after turn 3 (2. e4)" */
static const char *ply_subject(struct request *q, const struct match *m, size_t ply)
{
	struct str s = STR_LOCAL(80);

	if (ply == 0)
		return "before the first turn";
	match_write_ply(m, ply, &s);
	return arena_printf(q->arena, "after turn %zu (%s)", ply, s.data);
}

static int show_board(struct request *q, struct call *c)
{
	size_t ply;

	if (mail_limits_is_full(q) || !cmd_scratch_ply(q, c, &ply))
		return 0;
	struct note *n = request_note(q, NULL, c->board, NOTE_BOARD | NOTE_MOVES | NOTE_ASK);
	n->seat = c->seat;
	if (c->has_ply) {
		n->view = c->match;
		n->view_ply = ply;
		n->subject = ply_subject(q, c->match, ply);
		n->headline = arena_printf(q->arena,
		                           "Board %lld after turn %zu of %zu:", (long long)c->board,
		                           ply, c->match->ply);
	}
	return 0;
}

/* A further board of the line.  false: refused. */
static bool next_board(struct request *q, const char *word, struct call *c)
{
	struct board_ref ref;

	if (!words_board(word, &ref))
		return !request_refused(q, 0,
		                        "\"%.40s\" is not the number of a board.  The form is: %s",
		                        word, c->command->usage);
	c->board = ref.board;
	c->has_ply = ref.has_ply;
	c->ply = ref.ply;
	c->match = request_match(q, ref.board, NULL);
	if (!c->match)
		request_refuse(q, 0, "There is no board %lld.", (long long)ref.board);
	else if (!match_shows_to(c->match, c->actor ? c->actor->userid : NULL))
		request_refuse_private(q, c->match);
	else if (c->rules && c->rules != c->match->game.rules)
		request_refuse(q, ref.board, "Board %lld is a game of %s.", (long long)ref.board,
		               c->match->game.rules->title);
	else
		return true;
	return false;
}

/* Does the same for each board of the line, "17 18#4", and names a board that can't be shown. */
static int each_board(struct request *q, struct call *c,
                      int (*show)(struct request *q, struct call *c))
{
	struct call next = *c;
	int rc = show(q, c);

	for (size_t i = 0; rc == 0 && i < c->argc; i++) {
		if (!next_board(q, c->argv[i], &next))
			continue;
		next.seat = c->actor ? match_seat_of(next.match, c->actor->userid) : SEAT_NONE;
		rc = show(q, &next);
	}
	return rc;
}

static int run_show(struct request *q, struct call *c, struct err *e)
{
	return c->board ? each_board(q, c, show_board) : run_games(q, c, e);
}

/* The legal turns of the player who is to move; in some positions they are thousands. */
static void add_legal(struct request *q, const struct match *m, struct str *out)
{
	struct moves *legal = arena_alloc(q->arena, sizeof *legal);
	const char *between = m->game.rules->read_turn ? "  " : ", ";
	struct str s = STR_LOCAL(64 * LEGAL_SHOWN);

	game_legal(&m->game, match_position(m), legal);
	for (size_t i = 0; i < legal->n && i < LEGAL_SHOWN; i++) {
		str_add(&s, i ? between : "");
		game_write_san(&m->game, match_position(m), &legal->v[i], &s);
	}
	str_add(out, "\nYour legal turns:\n");
	text_fill(s.data, out);
	str_add(out, legal->n > LEGAL_SHOWN ? " …\n" : "\n");
}

static int list_moves(struct request *q, struct call *c)
{
	if (mail_limits_is_full(q))
		return 0;
	struct str s = str_in(q->arena, 262144);
	match_write_moves(c->match, 0, c->match->ply, match_to_move(c->match) != SEAT_NONE, &s);
	if (c->seat != SEAT_NONE && match_to_move(c->match) == c->seat)
		add_legal(q, c->match, &s);
	struct note *n = request_note(q, NULL, c->board, 0);
	n->seat = c->seat;
	n->headline = arena_printf(q->arena, "Board %lld, %zu %s:", (long long)c->board,
	                           c->match->ply, c->match->ply == 1 ? "turn" : "turns");
	n->body = s.data;
	return 0;
}

static int run_moves(struct request *q, struct call *c, struct err *)
{
	return each_board(q, c, list_moves);
}

static int write_pgn(struct request *q, struct call *c)
{
	if (mail_limits_is_full(q))
		return 0;
	struct str s = str_in(q->arena, 262144);
	pgn_write(c->match, q->site->conf.host, &s);
	struct note *n = request_note(q, NULL, c->board, 0);
	n->seat = c->seat;
	n->subject = "PGN";
	n->body = s.data;
	return 0;
}

static int run_pgn(struct request *q, struct call *c, struct err *)
{
	return each_board(q, c, write_pgn);
}

static int run_pending(struct request *q, struct call *c, struct err *e)
{
	c->argc = 1;
	c->argv[0] = "offers";
	return run_games(q, c, e);
}

const struct command cmd_read_table[] = {
	COMMAND("games", "games [userid…] [all|active|next|finished|offers] [game]",
	        "a table of games; without a player or game, also which games can be played",
	        GROUP_READ, 0, .run = run_games),
	COMMAND("pending", "pending", "offers that wait for an answer", GROUP_GAMES, 0,
	        .run = run_pending),
	COMMAND("show", "show board[#n]…  or  show userid [active|next]",
	        "a board, now or after turn n; or a player's games", GROUP_READ,
	        CMD_BOARD | CMD_OR_USER, .run = run_show),
	COMMAND("moves", "moves board…", "the move lists of these boards", GROUP_READ, CMD_BOARD,
	        .run = run_moves),
	COMMAND("pgn", "pgn board…", "these games as PGN", GROUP_READ, CMD_BOARD, .run = run_pgn),
	{ .word = NULL }
};
