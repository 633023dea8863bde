/* Playing ahead: moves ahead, turns that wait, private notes, and words of other servers. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/game.h"
#include "pbm/answer/view.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/play/ahead_mail.h"
#include "pbm/commands/play/cmd_ahead.h"
#include "pbm/commands/play/play.h"
#include "pbm/commands/play/play_tables.h"
#include "pbm/commands/play/turn.h"
#include "pbm/record/match_ahead.h"

/* Refuses a solo game: no other player moves in between. */
static bool refuse_solo(struct request *q, const struct call *c)
{
	if (match_is_solo(c->match))
		request_refuse(q, c->board,
		               "You play both sides of board %lld, so play your turns one by one.",
		               (long long)c->board);
	return match_is_solo(c->match);
}

/* Moves ahead are for the other side's turn, or follow one's own turn. */
static bool refuse_own_turn(struct request *q, const struct call *c, const char *line)
{
	const struct match *m = c->match;

	if (match_to_move(m) != c->seat || m->doc.secret[c->seat].pending)
		return false;
	if (strchr(line, '?') || !ahead_tree_is_line(line)) {
		request_refuse(
			q, c->board,
			"It is your move on board %lld, and your line is no form of moves ahead.  Nothing was done.  To write to %s, answer with: chat and your text",
			(long long)c->board, m->doc.players[!c->seat])
			->flags |= NOTE_BOARD | NOTE_ASK;
		return true;
	}
	request_refuse(
		q, c->board,
		"It is your move on board %lld.  To send moves ahead, write your move before it: <your move> %.100s",
		(long long)c->board, line)
		->flags |= NOTE_BOARD | NOTE_ASK;
	return true;
}

/* Was the last change of the position a turn of this seat, and no takeback? */
static bool moved_last(const struct match *m, uint8_t seat)
{
	size_t i = m->doc.event_count;

	while (i && m->doc.events[i - 1].kind != EVENT_MOVE &&
	       m->doc.events[i - 1].kind != EVENT_UNDO)
		i--;
	return i && m->doc.events[i - 1].kind == EVENT_MOVE && m->doc.events[i - 1].seat == seat;
}

/* Is the mail an answer to one from before the player's own last turn?  It is good, too, because
 * nothing came since. */
static bool is_since_own_turn(const struct request *q, const struct call *c)
{
	const struct match *m = c->match;

	return request_answers(q, c->board) && q->who.token.ply + 1 == m->stamp &&
	       moved_last(m, c->seat);
}

/* A mail that is only about moves ahead passes nothing on. */
static const char *not_passed_on(const struct request *q)
{
	return q->comment
	               ? "  Your text was not passed on.  To write to the other player, use chat."
	               : "";
}

/* Says what is wrong with the lines, or how to send what is a sentence: "if you win I will cry". */
static void refuse_lines(struct request *q, const struct call *c, const char *lines,
                         const char *told)
{
	const char *then = strcasestr(lines, " then ");
	bool plan = ahead_tree_is_line(lines) ||
	            (then && ahead_tree_holds_plan(then + strlen(" then ")));

	if (plan || strcmp(c->command->word, "if") != 0 || c->match->doc.state != GAME_RUNNING)
		request_refuse(q, c->board, "No moves ahead were entered.%.700s", told);
	else
		request_refuse(
			q, c->board,
			"Your line is no form of moves ahead.  Nothing was done.  To write to %s, answer with: chat and your text",
			c->match->doc.players[!c->seat]);
}

static int enter(struct request *q, struct call *c, const char *lines, struct err *e)
{
	size_t added = 0;

	if (refuse_solo(q, c) || refuse_own_turn(q, c, lines) ||
	    (!is_since_own_turn(q, c) && !turn_check_stale(q, c)))
		return 0;
	const char *told = ahead_mail_enter(q, c->match, c->seat, lines, &added);
	if (added == 0) {
		refuse_lines(q, c, lines, told);
		return 0;
	}
	struct note *n = board_note(q, c, c->seat, NOTE_BOARD | NOTE_MOVES);
	n->subject = "your moves ahead";
	n->headline = arena_printf(q->arena, "Your moves ahead are entered.%s%s", told,
	                           not_passed_on(q));
	match_refresh(c->match);
	return request_save(q, c->match, e);
}

static int run_if(struct request *q, struct call *c, struct err *e)
{
	return enter(q, c, arena_printf(q->arena, "if %s", c->rest), e);
}

/* 1: a line that needs a proof could not be entered. */
static int read_lines(struct request *q, struct call *c, const char *lines)
{
	if (c->proved)
		return 0;
	if (refuse_solo(q, c) || refuse_own_turn(q, c, lines))
		return 1;
	const char *wrong = ahead_mail_try(q, c->match, c->seat, lines);
	if (wrong)
		refuse_lines(q, c, lines, wrong);
	return wrong != NULL;
}

static int read_if(struct request *q, struct call *c, struct err *)
{
	return read_lines(q, c, arena_printf(q->arena, "if %s", c->rest));
}

/* pbmserv's form of "if * then turn". */
static const char *queued(struct request *q, const struct call *c)
{
	const char *turn = command_move_text(c->rest);

	turn = arena_strndup(q->arena, turn, command_guard_at(turn));
	return arena_printf(q->arena, "if * then %s", turn);
}

static int read_queue(struct request *q, struct call *c, struct err *)
{
	return read_lines(q, c, queued(q, c));
}

static int run_queue(struct request *q, struct call *c, struct err *e)
{
	return enter(q, c, queued(q, c), e);
}

static int run_ifs(struct request *q, struct call *c, struct err *)
{
	struct note *n = board_note(q, c, c->seat, NOTE_BOARD | NOTE_IFS);
	struct ahead_tree t;
	struct pos root;
	unsigned stamp;

	n->subject = "your moves ahead";
	match_ahead_place(c->match, c->seat, &stamp, &root);
	match_ahead(c->match, c->seat, stamp, &t);
	n->headline =
		t.first ? arena_printf(
				  q->arena,
				  "Your moves ahead on board %lld.  To remove one, write: forget ifs 1",
				  (long long)c->board)
			: arena_printf(q->arena, "You have no moves ahead on board %lld.",
	                               (long long)c->board);
	return 0;
}

/* The number after "forget ifs"; 0: all of them; -1: no number. */
static long read_row(const struct call *c)
{
	const char *word = c->argc ? c->argv[c->argc - 1] : "";

	if (!*word || strcasecmp(word, "all") == 0 || strcasecmp(word, "ifs") == 0)
		return 0;
	bool number = strspn(word, "0123456789") == strlen(word) && strlen(word) < 6;

	return number && atol(word) > 0 ? atol(word) : -1;
}

/* "Forget it" without moves ahead. */
static int read_forget(struct request *q, struct call *c, struct err *)
{
	struct ahead_tree t;
	struct pos root;
	unsigned stamp;

	match_ahead_place(c->match, c->seat, &stamp, &root);
	match_ahead(c->match, c->seat, stamp, &t);
	return !t.first && request_refused(q, c->board, "You have no moves ahead on board %lld.",
	                                   (long long)c->board);
}

static int run_forget(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	long row = read_row(c);
	struct ahead_tree t, none = { .arena = q->arena };
	struct pos root;
	unsigned stamp;

	match_ahead_place(m, c->seat, &stamp, &root);
	match_ahead(m, c->seat, stamp, &t);
	if (row < 0 || (row > 0 && !ahead_tree_forget(&t, (size_t)row)))
		return !request_refused(
			q, c->board,
			"Your moves ahead on board %lld have no row %.20s.  The rows are numbered in the answer to: show ifs",
			(long long)c->board, c->argv[c->argc - 1]);
	match_set_ahead(m, c->seat, stamp, row ? &t : &none);
	match_refresh(m);
	struct note *n = board_note(q, c, c->seat, NOTE_BOARD | NOTE_IFS);
	n->subject = "your moves ahead";
	n->headline = row && t.first ? arena_printf(q->arena,
	                                            "Row %ld of your moves ahead is removed.", row)
	                             : "Your moves ahead are removed.";
	return request_save(q, m, e);
}

static int run_submit(struct request *q, struct call *c, struct err *e)
{
	return turn_run_as(q, c, play_submit, e);
}

static int read_confirm(struct request *q, struct call *c, struct err *)
{
	const struct game_secret *s = &c->match->doc.secret[c->seat];

	if (match_to_move(c->match) == c->seat && s->pending && !s->pending_at)
		return 0;
	return request_refused(
		q, c->board,
		"No move of yours waits on board %lld.  submit puts one there, and confirm plays it.",
		(long long)c->board);
}

static int run_confirm(struct request *q, struct call *c, struct err *e)
{
	c->match->doc.secret[c->seat].pending_since = request_came(
		q); /* until then the clock ran */
	return play_waiting(q, c->match, e);
}

/* The text of a note, on its line and below; NULL: none. */
static const char *note_text(struct request *q, const struct call *c)
{
	if (!*c->rest)
		return q->comment;
	return q->comment ? arena_printf(q->arena, "%s\n%s", c->rest, q->comment) : c->rest;
}

/* note [board] text; without text: shows it; off: removes it. */
static int run_note(struct request *q, struct call *c, struct err *e)
{
	const char *text = note_text(q, c);
	static const char *const removes[] = { "off",    "-",    "delete",  "clear",
		                               "remove", "none", "löschen", NULL };
	bool off = text && str_is_any(text, removes);
	const char *before = c->match->doc.secret[c->seat].note;

	if (text && strlen(text) > GAME_NOTE_MAX)
		return !request_refused(q, c->board,
		                        "A note may have %d letters.  Nothing was changed.",
		                        GAME_NOTE_MAX);
	if (text)
		match_set_note(c->match, c->seat, off ? NULL : text);
	struct note *n = board_note(q, c, c->seat, NOTE_BOARD);
	n->subject = "your note";
	n->headline = off      ? "Your note is removed."
	              : text   ? "Your note is kept.  Only you see it, in the mails of this board."
	              : before ? "Your note on this board.  The word off after note removes it."
	                       : "You have no note on this board.";
	if (text && before)
		n->body = arena_printf(q->arena, "%s\n%s",
		                       off ? "It was:" : "It takes the place of this one:",
		                       view_quoted(q, before));
	q->own_count += text != NULL;
	return text ? request_save(q, c->match, e) : 0;
}

static int read_pass(struct request *q, struct call *c, struct err *)
{
	struct moves *legal = arena_alloc(q->arena, sizeof *legal);
	bool may = match_to_move(c->match) != c->seat;

	game_legal(&c->match->game, match_position(c->match), legal);
	for (size_t i = 0; i < legal->n; i++)
		may = may || game_is_pass(&legal->v[i]);
	if (may)
		return 0;
	request_refuse(
		q, c->board,
		"You can't pass on board %lld: in %s every turn is a move.  Nothing was played.",
		(long long)c->board, c->match->game.rules->title)
		->flags |= NOTE_BOARD | NOTE_ASK;
	return 1;
}

/* A turn that does nothing is typed "--". */
int cmd_ahead_pass(struct request *q, struct call *c, struct err *e)
{
	if (read_pass(q, c, e) != 0) /* "move 17 pass" */
		return 0;
	c->rest = "--";
	return turn_run(q, c, e);
}

int cmd_ahead_swap(struct request *q, struct call *c, struct err *)
{
	return request_refused(
		q, c->board,
		"%s has no swap: each player keeps the colour that he began with.  Nothing was played.",
		c->match->game.rules->title);
}

#define PLAYING (CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_RUNNING | CMD_PAIR)

const struct command cmd_ahead_table[] = {
	COMMAND("if", "if [board] their move then your move",
	        "your answers to moves that have not come yet; also after a move", GROUP_PLAY,
	        PLAYING | CMD_KEPT, .least = 1, .read = read_if, .run = run_if),
	COMMAND("ifs", "show ifs [board]", "your moves ahead, numbered", GROUP_PLAY, PLAYING,
	        .run = run_ifs),
	COMMAND("forget", "forget ifs [board] [number]",
	        "removes your moves ahead, or one row of them", GROUP_PLAY, PLAYING | CMD_COUNT,
	        .read = read_forget, .run = run_forget),
	COMMAND("queue", "queue [board] [userid password] move",
	        "a move that is played at your next turn, whatever comes", GROUP_PLAY,
	        PLAYING | CMD_KEPT, .least = 1, .read = read_queue, .run = run_queue),
	COMMAND("submit", "submit [board] [userid password] move[#n]",
	        "shows your move on the board, and plays it when you write confirm", GROUP_PLAY,
	        PLAYING | CMD_KEPT, .least = 1, .read = turn_read, .run = run_submit),
	COMMAND("confirm", "confirm [board] [userid password]", "plays the move that you submitted",
	        GROUP_PLAY, PLAYING, .read = read_confirm, .run = run_confirm),
	COMMAND("note", "note [board] text",
	        "a note to yourself, shown in your mails of the board; note off removes it",
	        GROUP_PLAY, CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_PAIR | CMD_TEXT,
	        .run = run_note),
	COMMAND("pass", "pass [board]", "passes, in positions where a game lets you", GROUP_PLAY,
	        PLAYING, .read = read_pass, .run = cmd_ahead_pass),
	COMMAND("swap", "swap [board]", "changing sides, which no game here has", GROUP_PLAY,
	        PLAYING, .read = cmd_ahead_swap, .run = cmd_ahead_swap),
	{ .word = NULL }
};
