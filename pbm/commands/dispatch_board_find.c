#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/commands/dispatch_board.h"
#include "pbm/commands/lobby/waiting.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/record/match.h"

bool dispatch_has_board(const struct parse *p)
{
	return p->has_ref || request_board(p->q);
}

void dispatch_board_message(struct parse *p)
{
	const char *next = p->i < p->words.n ? p->words.v[p->i].text : "";
	struct board_ref ref;

	if (strcmp(p->call.command->word, "message") == 0 && words_board(next, &ref))
		p->call.command = command_find("chat", 4, NULL);
}

/* In an answer to board 1, does the sender play on the board that this number names, too? */
static bool plays_too(const struct parse *p, const struct board_ref *ref)
{
	struct request *q = p->q;
	const struct match *m = q->who.known ? request_match(q, ref->board, NULL) : NULL;

	return m && (m->doc.state == GAME_RUNNING || m->doc.state == GAME_OFFERED) &&
	       !game_has_anyone(m->doc.players) &&
	       match_seat_of(m, q->who.player.userid) != SEAT_NONE;
}

/* Is the number a turn in the digits of ICCF ("5254"), where a turn may stand, and no board of the
 * sender's? */
static bool is_turn(const struct parse *p, const char *word, const struct board_ref *ref)
{
	const struct command *c = p->call.command;

	return dispatch_has_board(p) && (!c || strcmp(c->word, "move") == 0) && !ref->marked &&
	       game_looks_like_move(word, strlen(word)) && !plays_too(p, ref);
}

bool dispatch_next_board(const struct parse *p, struct board_ref *out)
{
	const struct words *w = &p->words;
	const struct command *c = p->call.command;

	if (p->i == w->n)
		return false;
	const char *word = w->v[p->i].text;
	size_t n = strcspn(word, ".!,");
	if (c && (alone_words_has(c->word) || (c->flags & CMD_LOBBY)) &&
	    !word[n + strspn(word + n, ".!,")]) /* "resign 17.", but not "resign 17,18" */
		word = arena_strndup(p->q->arena, word, n);
	const char *next = p->i + 1 < w->n ? w->v[p->i + 1].text : "";
	return words_board(word, out) && *next != '.' && strcasecmp(next, "then") != 0 &&
	       !is_turn(p, word, out);
}

/* Is the next word the last number of the line, with at most one word after it ("gift 2 days")? */
static bool is_last_number(const struct parse *p)
{
	size_t left = p->words.n - p->i;

	return left == 1 || (left == 2 && !strpbrk(p->words.v[p->i + 1].text, "0123456789"));
}

static bool is_note(const struct parse *p)
{
	return strcmp(p->call.command->word, "note") == 0;
}

/* "decline 1" in an answer to board 2: a number alone is no reason. */
static bool is_decline_of(const struct parse *p)
{
	return (p->call.command->flags & CMD_WAITING) && p->i + 1 == p->words.n;
}

/* In an answer to a board's mail a number may be the command's argument, or begin the
 * prose ("chat 5 minutes late"): there only "#5" or "5:" means a board, or, in front of prose,
 * the number of that board itself. */
static bool is_own_number(const struct parse *p, const struct board_ref *ref)
{
	unsigned flags = p->call.command->flags;

	if (!dispatch_has_board(p) || ref->marked)
		return false;
	if (flags & CMD_STAFF)
		return p->has_ref;
	if (flags & CMD_TEXT)
		return p->has_ref || (ref->board != request_board(p->q) &&
		                      !((is_note(p) || is_decline_of(p)) && plays_too(p, ref)));
	return (flags & CMD_COUNT) && is_last_number(p);
}

/* "chat 2 hello" in an answer to board 1 may be meant for board 2, or be a text that begins with
 * a number.  Asks, because the wrong player must not read it.  A note is private, and needs no
 * question.  true: asked. */
static bool asks_which(const struct parse *p, const struct board_ref *ref)
{
	const char *word = p->call.command->word;
	long long other = ref->board, own = request_board(p->q);

	if (!(p->call.command->flags & CMD_TEXT) || p->has_ref || other == own ||
	    p->i + 1 == p->words.n || !plays_too(p, ref))
		return false;
	request_refuse(
		p->q, own,
		"Is this about board %lld, or about board %lld, whose mail you answered?  Write %s %lld: or %s %lld: in front of the text.",
		other, own, word, other, word, own);
	return true;
}

/* Are the next words a game and nothing else, perhaps with "off"? */
static bool next_is_game(const struct parse *p)
{
	size_t n = p->words.n - p->i;
	const char *first = n ? p->words.v[p->i].text : "";
	const char *game = n == 2 && strcasecmp(first, "off") == 0 ? p->words.v[p->i + 1].text
	                                                           : first;

	if (n == 0 || n > 2 ||
	    (n == 2 && game == first && strcasecmp(p->words.v[p->i + 1].text, "off") != 0))
		return false;
	return rules_find(game, strlen(game), NULL) != NULL;
}

/* Does a game stand where the board could: its name in front or here, or a FEN? */
static bool next_is_position(const struct parse *p)
{
	const char *word = p->i < p->words.n ? p->words.v[p->i].text : "";

	return p->call.rules || str_prefix(word, "fen=") || str_prefix(word, "-fen=") ||
	       rules_find(word, strlen(word), NULL);
}

/* Do the next words have what this command takes instead of a board? */
static bool next_is_instead(const struct parse *p)
{
	unsigned flags = p->call.command->flags;

	return ((flags & CMD_OR_USER) && p->i < p->words.n) ||
	       ((flags & CMD_OR_GAME) && next_is_game(p)) ||
	       ((flags & CMD_OR_POSITION) && next_is_position(p));
}

/* "accept draw 5" is "accept 5 draw". */
static void turn_round(struct parse *p)
{
	struct words *w = &p->words;
	struct board_ref ref;
	size_t i = p->i;

	if (!(p->call.command->flags & CMD_WAITING) || i + 2 != w->n ||
	    !waiting_is_word(w->v[i].text))
		return;
	const char *number = w->v[i + 1].text;
	number = arena_strndup(p->q->arena, number, strcspn(number, ".!"));
	if (!words_board(number, &ref))
		return;
	words_split(p->q->arena, arena_printf(p->q->arena, "%s %s", number, w->v[i].text), w);
	p->i = 0;
}

/* Finds the board of a line that has none, in an answer to a mail about none.  1: refused. */
static int find_unwritten(struct parse *p, struct err *e)
{
	unsigned flags = p->call.command->flags;

	if (flags & CMD_MAY_BOARD)
		return 0;
	if (p->q->bound.board) {
		p->ref = (struct board_ref){ .board = p->q->bound.board };
		p->has_ref = true;
	}
	bool reads = p->call.command->group == GROUP_READ && p->i == p->words.n &&
	             !(flags & CMD_OR_POSITION);
	if (!p->has_ref && p->q->who.known && (flags & CMD_SEAT || reads)) {
		int rc = dispatch_only_board(p, e);

		if (rc != 0)
			return rc;
	}
	if (p->has_ref)
		return 0;
	dispatch_refuse_missing(p);
	return 1;
}

/* "show game 1", "resign game 1.": passes over such a word in front of the number, which then means
 * a board and nothing else.  In front of a text it may be its first word. */
static bool skip_board_word(struct parse *p)
{
	struct board_ref ref;
	size_t at = p->i++;

	if (!(p->call.command->flags & (CMD_TEXT | CMD_STAFF)) && p->i < p->words.n &&
	    dispatch_next_board(p, &ref) &&
	    body_lines_is_word(p->words.v[at].text, first_words_board))
		return true;
	p->i = at;
	return false;
}

int dispatch_parse_board(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	struct board_ref ref;
	bool may = p->call.command->flags & CMD_MAY_BOARD;

	turn_round(p);
	bool named = skip_board_word(p);
	bool number = dispatch_next_board(p, &ref);

	if (number && (named || !is_own_number(p, &ref))) {
		p->ref = ref;
		p->has_ref = true;
		p->i++;
	} else if (number && asks_which(p, &ref)) {
		return 1;
	} else if (next_is_instead(p)) {
		return 0;
	}
	if (!p->has_ref && request_board(q) && !(may && p->i < p->words.n)) {
		p->ref = (struct board_ref){ .board = request_board(q) };
		p->has_ref = true;
	}
	int rc = p->has_ref ? 0 : find_unwritten(p, e);
	if (rc != 0 || !p->has_ref)
		return rc;
	p->call.board = p->ref.board;
	p->call.has_ply = p->ref.has_ply;
	p->call.ply = p->ref.ply;
	return 0;
}

const struct rules *dispatch_game(const struct parse *p, const char *word)
{
	bool alone = dispatch_has_board(p) && p->i + 1 == p->words.n;

	return alone ? rules_named(word, strlen(word)) : rules_find(word, strlen(word), NULL);
}
