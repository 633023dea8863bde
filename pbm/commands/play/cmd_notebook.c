/* A player's own notebook: lines of analysis of a running game, and prepared openings. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/play/play_tables.h"
#include "pbm/commands/words/command.h"
#include "pbm/people/player_change.h"
#include "pbm/record/book.h"
#include "pbm/record/notebook.h"

/* Is the word "off"?  *row is the number after it, 0 without one, -1 if it is none. */
static bool is_off(const struct call *c, size_t at, long *row)
{
	const char *number = c->argc > at + 1 ? c->argv[at + 1] : "0";

	*row = strspn(number, "0123456789") == strlen(number) && strlen(number) < 6 &&
	                       c->argc <= at + 2
	               ? atol(number)
	               : -1;
	return c->argc > at && strcasecmp(c->argv[at], "off") == 0;
}

/* ---- line ---- */

/* The text of the answer; NULL: refused. */
static const char *change_lines(struct request *q, struct call *c)
{
	struct err why = { 0 };
	long row;

	if (c->argc == 0)
		return "Your lines on this board.  Only you see them.";
	if (is_off(c, 0, &row)) {
		if (row >= 0 && notebook_forget(c->match, c->seat, (unsigned)row))
			return row ? "The line is removed." : "Your lines are removed.";
		request_refuse(q, c->board, "You have no such line on board %lld.",
		               (long long)c->board);
		return NULL;
	}
	if (c->match->doc.state != GAME_RUNNING)
		request_refuse(q, c->board, "Board %lld is over, and takes no more lines.",
		               (long long)c->board);
	else if (notebook_add(c->match, c->seat, c->rest, &why) < 0)
		request_refuse(q, c->board, "The line was not kept.  %.700s", why.text);
	else
		return "The line is kept.  Only you see it.";
	return NULL;
}

static int run_line(struct request *q, struct call *c, struct err *e)
{
	const char *said = change_lines(q, c);

	if (!said)
		return 0;
	struct note *n = board_note(q, c, c->seat, NOTE_BOARD);
	AUTO(str_release) struct str s = str_heap(8 * GAME_LINES_MAX);
	notebook_write(c->match, c->seat, &s);
	n->subject = "your lines";
	n->headline = s.len ? said : "You have no lines on this board.";
	n->body = s.len ? arena_strdup(q->arena, s.data) : NULL;
	q->own_count += c->argc > 0;
	return c->argc ? request_save(q, c->match, e) : 0;
}

/* ---- book ---- */

/* Changes the openings as the line says.  The text of the answer; NULL: refused. */
static const char *change_book(struct request *q, const struct call *c, const struct rules *r,
                               const char **books)
{
	const char *turns = c->rest + strcspn(c->rest, " \t");
	struct err why = { 0 };
	long row;

	if (is_off(c, 1, &row)) {
		if (row >= 0 && book_forget(q->arena, books, r, (unsigned)row))
			return row ? "The line is removed."
			           : "Your prepared openings of this game are removed.";
		request_refuse(q, 0, "You have no such line of %s.", r->title);
		return NULL;
	}
	if (r->flags & RULES_LOTS)
		request_refuse(q, 0, "%s has no usual beginning that could be prepared.", r->title);
	else if (book_add(q->arena, books, r, turns, &why) < 0)
		request_refuse(q, 0, "The line was not kept.  %.700s", why.text);
	else
		return "The line is kept.  In games of yours that begin from now on, its last turn and every second one before it are played for you, as long as the other side follows it.";
	return NULL;
}

/* "Book club on Friday": no game. */
static int read_book(struct request *q, struct call *c, struct err *)
{
	struct err why = { 0 };

	return c->argc && !rules_find(c->argv[0], strlen(c->argv[0]), &why) &&
	       request_refused(q, 0, "%s", why.text);
}

static int run_book(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p = *c->actor;
	const char *books = p.books ? p.books : "",
		   *said = "Your prepared openings.  Only you see them.";
	const struct rules *r = c->argc ? rules_find(c->argv[0], strlen(c->argv[0]), NULL) : NULL;

	if (c->argc > 1 && !(said = change_book(q, c, r, &books)))
		return 0;
	AUTO(str_release) struct str s = str_heap(2 * PLAYER_BOOKS_MAX);
	bool any = book_write(books, r, &s);
	struct note *n = request_note(q, p.userid, 0, 0);
	n->subject = "your prepared openings";
	n->headline =
		any ? said
		    : "You have no prepared openings.  One is made with: book suicide e3 b6 a4";
	n->body = any ? arena_strdup(q->arena, s.data) : NULL;
	if (c->argc <= 1)
		return 0;
	q->own_count++;
	p.books = *books ? books : NULL;
	return player_change_done(q, &p, e);
}

const struct command cmd_notebook_table[] = {
	COMMAND("line", "line [board] moves",
	        "keeps your analysis of a board; line off 2 removes a row", GROUP_PLAY,
	        CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_PAIR | CMD_KEPT, .run = run_line),
	COMMAND("book", "book [game] [moves]",
	        "openings that are played for you; book suicide off 2", GROUP_PLAY,
	        CMD_PROOF | CMD_PAIR | CMD_KEPT, .read = read_book, .run = run_book),
	{ .word = NULL }
};
