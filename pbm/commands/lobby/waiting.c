#include "pbm/commands/lobby/waiting.h"

#include <string.h>
#include <strings.h>

#include "pbm/commands/lobby/cmd_blocks.h"
#include "pbm/record/match_asked.h"
#include "pbm/record/match_text.h"
#include "pbm/request/tournament_follow.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define BOARDS_MAX 50
#define LIST_BYTES 8192

bool waiting_is_word(const char *word)
{
	return strcasecmp(word, "draw") == 0 || strcasecmp(word, "undo") == 0 ||
	       strcasecmp(word, "abort") == 0;
}

/* The words of the requests on a running board that wait for the seat's answer ("draw",
 * "undo", "abort"); returns how many. */
static size_t waiting_on(const struct match *m, uint8_t seat, const char *words[WAITING_ON_BOARD])
{
	const struct {
		const char *word;
		uint8_t by;
	} requests[WAITING_ON_BOARD] = { { "draw", m->draw_offered_by },
		                         { "undo", m->undo_asked_by },
		                         { "abort", m->abort_asked_by } };
	size_t n = 0;

	for (size_t i = 0; i < WAITING_ON_BOARD; i++) {
		if (m->doc.state == GAME_RUNNING && seat < 2 && requests[i].by == !seat)
			words[n++] = requests[i].word;
	}
	return n;
}

/* The search through the sender's boards. */
struct waiting_search {
	struct request *q;
	const char *userid, *verb, *word;
	struct str *out;
	int64_t board;
	int n;
	const struct rules *game;
	bool of_game; /* an offer of this game is among them */
};

static void add_line(struct waiting_search *s, int64_t board, const char *word, const char *what)
{
	if (s->n++ == 0)
		s->board = board;
	str_addf(s->out, "    %s %lld%s%s    (%s)\n", s->verb, (long long)board, word ? " " : "",
	         word ? word : "", what);
}

static const char *request_words(struct waiting_search *s, const struct match *m, const char *word,
                                 const char *by)
{
	if (strcmp(word, "draw") == 0)
		return arena_printf(s->q->arena, "%s offers a draw", by);
	if (strcmp(word, "abort") == 0)
		return arena_printf(s->q->arena, "%s asks to abort the game", by);
	struct str turns = str_in(s->q->arena, MATCH_LAST_SIZE);
	match_write_last(m, (size_t)m->undo_plies, &turns);
	return arena_printf(s->q->arena, "%s asks to take back %s", by, turns.data);
}

static void add_requests(struct waiting_search *s, const struct match *m)
{
	const char *words[WAITING_ON_BOARD];
	uint8_t seat = match_seat_of(m, s->userid);
	size_t n = match_is_solo(m) ? 0 : waiting_on(m, seat, words);

	for (size_t i = 0; i < n; i++) {
		if (!s->word || strcasecmp(s->word, words[i]) == 0)
			add_line(s, m->doc.board, words[i],
			         request_words(s, m, words[i], m->doc.players[!seat]));
	}
}

static void add_offer(struct waiting_search *s, const struct match *m)
{
	uint8_t by = m->doc.event_count ? m->doc.events[0].seat : SEAT_NONE;

	if (s->word || by > 1 || strcasecmp(m->doc.players[by], s->userid) == 0)
		return;
	s->of_game |= m->game.rules == s->game;
	add_line(s, m->doc.board, NULL,
	         arena_printf(s->q->arena, "%s offers you a game of %s", m->doc.players[by],
	                      m->game.rules->title));
}

static int look_at(const struct game_row *row, void *arg)
{
	struct waiting_search *s = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct match *m = arena_alloc(&a, sizeof *m);
	struct game_doc doc;

	/* A damaged game has no requests. */
	if (store_game_get(s->q->site->store, &a, row->board, &doc, NULL) == 0 &&
	    match_load(&a, &doc, m, NULL) == 0) {
		if (doc.state == GAME_OFFERED)
			add_offer(s, m);
		else
			add_requests(s, m);
	}
	return 0;
}

/* Looks through the sender's boards; *out holds the lines then. */
static int search(struct waiting_search *s, struct str *out, struct err *e)
{
	*out = str_in(s->q->arena, LIST_BYTES);
	s->userid = s->q->who.player.userid;
	s->out = out;
	int rc = store_games(s->q->site->store, s->userid, NULL, GAMES_OFFERS, BOARDS_MAX, 0,
	                     look_at, s, e);
	if (rc == 0)
		rc = store_games(s->q->site->store, s->userid, NULL, GAMES_OPEN, BOARDS_MAX, 0,
		                 look_at, s, e);
	return rc < 0 ? rc : s->n;
}

int waiting_list(struct request *q, const char *verb, const char *word, int64_t *board,
                 const char **lines, struct err *e)
{
	struct waiting_search s = { .q = q, .verb = verb, .word = word };
	struct str out;
	int n = search(&s, &out, e);

	*board = s.board;
	*lines = out.data;
	return n;
}

const char *waiting_way_out(const struct match *m)
{
	return m->doc.state == GAME_RUNNING && m->ply < 2 && !m->doc.tournament
	               ? "If you don't want this game, answer: abort"
	               : NULL;
}

struct note *waiting_refuse(struct request *q, int64_t board, int n, const char *lines)
{
	const char *tournaments = NULL;
	struct note *note;

	if (n > 1 || (n == 1 && !board))
		note = request_refuse(
			q, board,
			"More than one thing waits for your answer.  Nothing was done.  Say which one you mean:");
	else if (board)
		note = request_refuse(q, board, "Nothing on board %lld waits for your answer.%s",
		                      (long long)board,
		                      n ? "  On another board something does:" : "");
	else if ((tournaments = tournament_asks(q)))
		note = request_refuse(q, 0, "No offer and no game waits for your answer.");
	else
		note = request_refuse(q, 0, "Nothing waits for your answer.");
	note->body = tournaments ? tournaments : lines; /* even an empty one counts as looked up */
	note->subject = n > 1 ? "which one?" : NULL;
	return note;
}

/* Refuses an answer to a request that the board does not have, though it has others. */
static void refuse_named(struct request *q, int64_t board, const char *named, const char *lines)
{
	struct note *note = request_refuse(
		q, board,
		"Nobody asks you for this on board %lld: %s.  Nothing was done.  You can answer:",
		(long long)board, named);

	note->body = lines;
}

/* Says that a move has ended the request, and shows the board.  named: the request, or NULL. */
static bool refuse_lapsed(struct request *q, const struct call *c, const char *named)
{
	const struct event *move, *asked = match_asked_before(c->match, c->seat, &move);
	const char *who = c->match->doc.players[!c->seat];

	if (!asked || c->match->doc.state != GAME_RUNNING)
		return false;
	const char *word = asked->kind == EVENT_DRAW_OFFER ? "draw"
	                   : asked->kind == EVENT_UNDO_ASK ? "undo"
	                                                   : "abort";
	if (named && strcasecmp(named, word) != 0)
		return false;
	struct note *n =
		move->seat == c->seat
			? request_refuse(
				  q, c->board,
				  "Your move %s has declined what %s asked.  Nothing on board %lld waits for your answer.",
				  move->san, who, (long long)c->board)
			: request_refuse(
				  q, c->board,
				  "%s has played %s since, and that ended the request.  Nothing on board %lld waits for your answer.",
				  who, move->san, (long long)c->board);
	n->flags |= NOTE_BOARD | NOTE_MOVES | NOTE_ASK;
	return true;
}

/* The lines of the refusal; the way out for a player who declines a game and whom nothing asks. */
static const char *way_out(const struct match *m, const char *verb, int all, const char *lines)
{
	const char *out = all == 0 && strcmp(verb, "decline") == 0 ? waiting_way_out(m) : NULL;

	return out ? out : lines;
}

int waiting_choose(struct request *q, struct call *c, const char *verb, const char **out,
                   struct err *e)
{
	const char *words[WAITING_ON_BOARD], *lines, *named = NULL;
	size_t n = waiting_on(c->match, c->seat, words), fitting = 0;
	int64_t board;

	const char *first = c->argc ? c->argv[0] : "";

	first = arena_strndup(q->arena, first, strcspn(first, ",")); /* "draw, no thanks" */
	if (waiting_is_word(first))
		named = first;
	for (size_t i = 0; i < n; i++) {
		if (!named || strcasecmp(named, words[i]) == 0) {
			*out = words[i];
			fitting++;
		}
	}
	if (fitting == 1)
		return 0;
	int all = waiting_list(q, verb, NULL, &board, &lines, e);
	if (all < 0)
		return all;
	if (n == 0 && refuse_lapsed(q, c, named))
		return 1;
	if (named && n > 0)
		refuse_named(q, c->board, named, lines);
	else
		waiting_refuse(q, c->board, fitting == 0 && all > 1 ? 1 : all,
		               way_out(c->match, verb, all, lines));
	return 1;
}

int waiting_read(struct request *q, struct call *c, struct err *e)
{
	const struct rules *r = c->match ? NULL : cmd_blocks_game(c);
	struct waiting_search s = { .q = q, .verb = c->command->word, .game = r };
	struct str out;
	int n = r ? search(&s, &out, e) : 0;

	if (c->match && c->match->doc.state > GAME_RUNNING) { /* no question about it, either */
		waiting_refuse(q, c->board, 0, NULL)->flags |= NOTE_BOARD;
		return 1;
	}
	if (n < 0 || !s.of_game)
		return n < 0 ? n : 0;
	request_refuse(
		q, 0,
		"Offers wait for your answer.  Say which one you mean, before you decide about later offers of %s:",
		r->title)
		->body = out.data;
	return 1;
}
