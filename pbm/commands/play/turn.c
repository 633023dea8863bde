/* A turn: reads it, refuses one meant for an older position, plays it, tells both sides. */
#include "pbm/commands/play/turn.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/answer/view_style.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/play/ahead_mail.h"
#include "pbm/commands/play/early.h"
#include "pbm/commands/play/play.h"
#include "pbm/commands/play/turn_talk.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/words/after_turn.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/piece_letters.h"
#include "pbm/commands/words/prose_turn.h"
#include "pbm/commands/words/text_command.h"
#include "pbm/record/match_ahead.h"
#include "pbm/record/match_asked.h"
#include "pbm/record/match_text.h"

#define NEAREST 6
#define SPELLED_MAX 96
#define LIST_BYTES 400
#define LINE_QUOTED 60 /* bytes of a line in a refusal */

/* Shows the board below a refusal, and the lines that would be right (MAY be NULL).  Returns false. */
static bool ask(struct note *n, const char *lines)
{
	n->flags |= NOTE_BOARD | NOTE_ASK;
	n->body = lines;
	return false;
}

/* "e4#7" means: play this as ply 7; so does "17#6 e4", in the position after ply 6.  Cuts the
 * guard off the text; false: refused. */
static bool check_guard(struct request *q, struct call *c, char *text)
{
	size_t at = command_guard_at(text);
	char *p = text + at, *end = p;
	long now = (long)c->match->ply + 1, ply = now;

	if (c->has_ply)
		ply = c->ply < 0 ? now + c->ply : c->ply + 1;
	if (*p)
		ply = strtol(p + 1, &end, 10);
	if (ply != now)
		return ask(
			request_refuse(
				q, c->board,
				"Move %.*s received as move #%ld; board %lld is at move #%ld.  Nothing was played.",
				(int)at, text, ply, (long long)c->board, now),
			NULL);
	memset(p, ' ', (size_t)(end - p));
	return true;
}

bool turn_check_stale(struct request *q, const struct call *c)
{
	const struct token *t = &q->who.token;
	char last[80] = "", was[40] = "to an older mail";
	struct str s = STR_FIXED(last);
	const struct match *m = c->match;

	if (!request_answers(q, c->board) || t->ply == m->stamp)
		return true;
	if (m->ply)
		match_write_ply(m, m->ply, &s);
	if (m->ply == m->stamp)
		snprintf(was, sizeof was, "for turn %u", t->ply + 1);
	return ask(request_refuse(q, c->board,
	                          "Your answer was %s, but board %lld is now at turn %zu.  "
	                          "Nothing was played.  %s%s%s",
	                          was, (long long)c->board, m->ply + 1,
	                          m->ply ? "The last move was " : "", last, m->ply ? "." : ""),
	           NULL);
}

static bool check_turn(struct request *q, struct call *c)
{
	uint8_t turn = match_to_move(c->match);

	if (turn == c->seat)
		return true;
	early_refuse(q, c, c->match->doc.players[turn])->flags |= NOTE_BOARD | NOTE_MOVES;
	return false;
}

/* Asks before a turn that loses at once.  1: asked, or refused. */
static int ask_before_losing(struct request *q, struct call *c, const struct move *mv,
                             const char *ifs)
{
	struct str why = STR_LOCAL(200);
	const struct match *m = c->match;

	if (q->confirming || !game_blunder(&m->game, match_position(m), mv, &why) ||
	    q->held.count == REQUEST_LINES_MAX)
		return 0;
	return hold_ask(q, c,
	                arena_printf(q->arena, "move %lld %s#%zu%s%s", (long long)c->board,
	                             match_turn(q->arena, m, match_position(m), mv), m->ply + 1,
	                             *ifs ? " " : "", ifs),
	                arena_strdup(q->arena, why.data));
}

/* The findings of read_line() about a typed line. */
struct typed_line {
	char *text;
	size_t used; /* bytes of the turn */
	enum read_refusal why;
	struct err refusal;
	bool open; /* it is legal, and other words leave it open */
};

/* Reads a turn in words, "knight to f3" or "e2 e4".  false: it is none, or not legal; the
 * refusal of an unreadable line becomes that of the words. */
static bool read_spelled(const struct match *m, struct typed_line *t, struct move *mv)
{
	struct str spelled = STR_LOCAL(SPELLED_MAX);
	enum read_refusal why = READ_OK;
	struct err refusal = { 0 };
	size_t used;

	if (!first_line_spells(t->text, &spelled, &used))
		return false;
	int rc = game_read_move(&m->game, match_position(m), spelled.data, spelled.len, mv, &why,
	                        &refusal);
	if (rc == 0 || t->why == READ_UNREADABLE) {
		t->used = used;
		t->why = why;
		t->refusal = refusal;
	}
	return rc == 0;
}

static const char *behind(const struct typed_line *t)
{
	const char *rest = t->text + t->used;

	return rest + strspn(rest, " ,;.-\t(");
}

/* The text after the turn, with the mark at its end. */
static const char *after(const struct typed_line *t)
{
	return t->text + t->used - (t->used && strchr(".!", t->text[t->used - 1]));
}

/* Reads one turn from the beginning of the line, into *t and *mv.  NULL: it is legal and
 * certain, else the reason. */
static const char *read_line(const struct match *m, struct typed_line *t, struct move *mv)
{
	int rc = game_read_line(&m->game, match_position(m), t->text, strlen(t->text), mv, &t->used,
	                        &t->why, &t->refusal);

	if ((rc < 0 || first_line_has_second(after(t))) && read_spelled(m, t, mv))
		rc = 0;
	if (rc < 0)
		return t->refusal.text;
	bool other = first_line_names_board(behind(t), m->doc.board);
	const char *wrote = match_wrote_last(m, !match_to_move(m));
	bool said, asked = (wrote && strchr(wrote, '?')) || match_asked(m, match_to_move(m), &said);
	bool doubt = first_line_is_doubt(after(t)) ||
	             (!asked && first_line_takes_back(t->text + t->used));
	if (!doubt && !first_line_has_second(after(t)) && !other)
		return NULL;
	const char *why =
		other ? "Your line names another board.  Write a line for each board, like this: 17: e4"
		: doubt ? "Your first line leaves open which move you mean.  Write one move on it, and nothing else about moves."
			: "After the turn comes something that looks like a second turn.  Write one turn on the first line.";
	t->used = strlen(t->text);
	t->why = READ_UNREADABLE;
	t->open = !other;
	return why;
}

/* A line of a turn, taken apart. */
struct turn_line {
	struct move mv;
	const char *rest; /* prose after the turn */
	const char *ifs;  /* moves ahead after it, or "" */
};

/* Reads "e6 f4" or "e5;e4" as a move and a push, in a game whose turns have both.  *why: NULL if
 * it is legal, else the reason; unchanged if it is no such text. */
static void read_push(struct request *q, const struct match *m, struct typed_line *t,
                      struct move *mv, const char **why)
{
	struct str s = STR_LOCAL(SPELLED_MAX);

	const char *rest = m->game.rules->how_to_answer ? first_line_push(t->text, &s) : NULL;

	if (!rest)
		return;
	*t = (struct typed_line){ .text = arena_printf(q->arena, "%s%s", s.data, rest) };
	*why = read_line(m, t, mv);
}

/* false: refused. */
static bool check_behind(struct request *q, const struct call *c, const char *rest)
{
	const char *word = after_turn_word(q->arena, rest, c->match->draw_offered_by == !c->seat);

	if (!word)
		return true;
	return ask(
		request_refuse(
			q, c->board,
			"After your move stands more than I can do with it: %s.  Nothing was done.  Write the move alone on its line, or that word alone.",
			word),
		NULL);
}

/* The text with which legal turns are compared: "e4 then e6" is "e4,e6" where turns have two
 * parts. */
static const char *compared(struct request *q, const struct match *m, const struct typed_line *t)
{
	const char *text = t->used ? arena_strndup(q->arena, t->text, t->used) : t->text;

	for (const char *p = t->text + t->used; m->game.rules->read_turn && *p; p++)
		if (p > t->text && strchr(" ,;", p[-1]) && *p >= 'a' && *p <= 'h' && p[1] >= '1' &&
		    p[1] <= '8' && !isalnum((unsigned char)p[2]))
			return arena_printf(q->arena, "%.*s,%.2s", (int)strcspn(text, " ,;"), text,
			                    p);
	return text;
}

/* The legal turn that was meant: in other letters, or after the one that was read ("1. d4 d5").
 * NULL: none is known. */
static const char *meant_turn(struct request *q, const struct call *c, const struct typed_line *t,
                              const char *like)
{
	size_t n;
	const char *meant = piece_letters_file(q->arena, like);
	const char *second = meant ? NULL : first_line_next_turn(t->text + t->used, &n);

	if (second)
		meant = arena_strndup(q->arena, second, n);
	return meant && turn_is_legal(q, c->match, c->seat, meant) ? meant : NULL;
}

/* Adds the turns that a refused line may mean: those that it names if it leaves them open, else the
 * nearest ones. */
static void add_meant(struct request *q, const struct call *c, const struct typed_line *t,
                      struct str *out)
{
	const struct match *m = c->match;
	const struct pos *p = match_position(m);
	const char *named[PROSE_TURNS_MAX], *like = compared(q, m, t);
	const char *meant = meant_turn(q, c, t, like);
	/* Turns that hold commas stand apart by blanks. */
	const char *between = m->game.rules->read_turn ? "  " : ", ";
	size_t n = t->open ? prose_turn_named(q, m, p, t->text, named) : 0;
	struct move near[NEAREST];

	for (size_t i = 0; i < n; i++)
		str_addf(out, "    %s\n", named[i]);
	if (n == 0 && meant)
		str_addf(out, "Did you mean %s?\n", meant);
	if (n || t->why == READ_AMBIGUOUS || t->why == READ_NEEDS_PIECE ||
	    t->why == READ_MUST_CAPTURE)
		return;
	n = game_nearest(&m->game, p, like, strlen(like), near, NEAREST);
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%s", i ? between : "The nearest legal turns: ",
		         match_turn(q->arena, m, p, &near[i]));
	str_add(out, n ? "\n" : "");
}

static void refuse_move(struct request *q, struct call *c, const struct typed_line *t,
                        const char *wrote, const char *text)
{
	size_t used = t->used;
	struct str list = str_in(q->arena, LIST_BYTES), body = str_in(q->arena, 2 * LIST_BYTES);
	struct note *note = request_refuse(q, c->board, "%s  Nothing was played on board %lld.",
	                                   text, (long long)c->board);

	while (used > 1 && strchr(".,;:", t->text[used - 1]))
		used--;
	note->subject = arena_printf(q->arena, "%.*s was not played", used ? (int)used : 20,
	                             used ? piece_letters_typed(q, t->text) : t->text);
	add_meant(q, c, t, &list);
	notation_say(view_style_of(q, request_userid(q)).tongue, list.data, &body);
	str_addf(&body, "(You wrote: \"%.150s\")", piece_letters_typed(q, wrote));
	ask(note, body.data);
}

/* "Nc6" and below it "I accept the draw": the move would decline what the other side asks.  false:
 * refused. */
static bool check_below(struct request *q, const struct call *c)
{
	bool said;
	const char *line = q->comment;

	if (!line || !match_asked(c->match, c->seat, &said))
		return true;
	for (size_t n; *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		if (!after_turn_accepts(arena_strndup(q->arena, line, n)))
			continue;
		return ask(
			request_refuse(
				q, c->board,
				"Below your move stands \"%.*s\", and the move would decline what %s asks.  Nothing was done.  Answer with the move alone, or with the one word: accept",
				(int)utf8_cut(line, n, LINE_QUOTED), line,
				c->match->doc.players[!c->seat]),
			NULL);
	}
	return true;
}

/* "17. O-O" in a game at move 5 was meant for another position, and so was "1... e4" of White.  The board's
 * number passes.  false: refused. */
static bool check_number(struct request *q, const struct call *c, const struct move *mv)
{
	const struct pos *p = match_position(c->match);
	long said = command_move_text(c->rest) == c->rest ? 0 : strtol(c->rest, NULL, 10);
	bool now = said == p->fullmove;
	bool dots = p->to_move == WHITE &&
	            str_prefix(c->rest + strspn(c->rest, "0123456789"), "...");

	if (!said || (now ? !dots : said == c->board))
		return true;
	return ask(
		request_refuse(
			q, c->board,
			now ? "\"%ld...\" stands before a move of Black's, and you play White.  Nothing was played on board %lld.  If you mean it for this position, answer:"
			    : "You wrote move %ld, and board %lld is at move %u.  Nothing was played.  If you mean it for this position, answer:",
			said, (long long)c->board, (unsigned)p->fullmove),
		arena_printf(q->arena, "    %s", match_turn(q->arena, c->match, p, mv)));
}

/* "De5" is a capture by the pawn, and in German by the queen.  Both legal: false, and refused. */
static bool check_letters(struct request *q, const struct call *c, const char *text)
{
	const char *two[2];

	if (!piece_letters_doubt(q, c->match, text, two))
		return true;
	return ask(
		request_refuse(
			q, c->board,
			"Your first line can mean two turns.  Nothing was played on board %lld.  Answer with the one that you mean:",
			(long long)c->board),
		arena_printf(q->arena, "    %s\n    %s", two[0], two[1]));
}

/* Words after a turn that is refused unread: "e4 good luck, Bob!" when e4 is played already. */
static void lose_behind(struct request *q, const char *text)
{
	struct str spelled = STR_LOCAL(SPELLED_MAX);
	size_t n = strcspn(text, " \t");

	if (!game_looks_like_move(text, n) && !first_line_spells(text, &spelled, &n))
		return;
	text += n + strspn(text + n, " ,;.!-\t(");
	if (!first_line_is_courtesy(text) && !first_line_is_turns(text) &&
	    !after_turn_is_draw(text))
		q->lost = "The words after your move were not passed on, either.";
}

/* The words after a turn as they were typed. */
static const char *remark(struct request *q, const char *rest)
{
	bool bracket = rest[-1] == '(' && strchr(rest, ')'); /* the remark's own */

	return piece_letters_typed(q, bracket ? rest - 1 : rest);
}

/* Takes plans and moves for other boards out of the words for the other side. */
static void keep_words(struct request *q, const struct call *c, struct turn_line *line)
{
	const char *rest = *line->rest ? remark(q, line->rest) : NULL;

	if (rest && !turn_talk_keep(q, c->match, &line->mv, rest))
		line->rest = "";
	q->comment = turn_talk_keep(q, c->match, &line->mv, q->comment);
}

/* Gives the "if" of "Nf3 - I wonder if Nc6 is best" back to the words before it, n bytes of the line. */
static void join_sentence(const char *line, size_t n, struct turn_line *out)
{
	if (!*out->rest || !ahead_tree_is_open(out->ifs))
		return;
	out->rest = line + n - strlen(out->rest);
	out->ifs = "";
}

/* Reads the turn that was typed and the words after it; false: refused. */
static bool read_turn(struct request *q, struct call *c, struct turn_line *out)
{
	const char *line = command_move_text(early_skip_repeated(c->match, c->rest));
	size_t n = ahead_tree_begins(line);

	out->ifs = line + n;
	n = *out->ifs ? after_turn_before(line, n) : n;
	struct typed_line t = { .text = arena_strndup(q->arena, line, n) };
	if (!turn_check_stale(q, c) || !check_guard(q, c, t.text) || !check_turn(q, c)) {
		lose_behind(q, t.text);
		return false;
	}
	const char *why = read_line(c->match, &t, &out->mv), *wrote = t.text;
	if (why)
		read_push(q, c->match, &t, &out->mv, &why);
	if (why) {
		refuse_move(q, c, &t, wrote, why);
		return false;
	}
	out->rest = behind(&t);
	join_sentence(line, n, out);
	if (first_line_is_please(out->rest))
		out->rest = "";
	if (!check_letters(q, c, wrote) || !check_number(q, c, &out->mv) ||
	    !check_behind(q, c, out->rest) || !check_below(q, c) ||
	    !turn_talk_check(q, c, &out->mv, out->rest))
		return false;
	keep_words(q, c, out);
	return true;
}

bool turn_is_legal(struct request *q, const struct match *m, uint8_t seat, const char *line)
{
	const char *text = command_move_text(line);
	struct typed_line t = { .text = arena_strndup(q->arena, text, ahead_tree_begins(text)) };
	struct move mv;

	t.text[command_guard_at(t.text)] = '\0';
	return m->doc.state == GAME_RUNNING && match_to_move(m) == seat && !read_line(m, &t, &mv);
}

int turn_read(struct request *q, struct call *c, struct err *)
{
	struct turn_line line;

	return !c->proved && !read_turn(q, c, &line);
}

/* The text for the other side: after the turn, unless that offers a draw, and below its line. */
static const char *words_of(struct request *q, const char *rest, bool draw)
{
	if (draw || !*rest)
		return q->comment;
	rest = remark(q, rest);
	return q->comment ? arena_printf(q->arena, "%s\n%s", rest, q->comment) : rest;
}

/* The sentence about words after a turn that are not for the other player: "Nf3 note he plays badly".
 * NULL: they are for him. */
static const char *why_unsaid(struct request *q, const char *rest)
{
	const char *sign = after_turn_sign(rest);
	const char *at;
	size_t n;

	if (sign)
		return arena_printf(
			q->arena,
			"A \"%s\" after a move offers no draw.  To offer one, answer: draw", sign);
	return *rest && (text_command_is(q, rest) || ahead_mail_is_plan(q, rest) ||
	                 text_command_reader(q, rest, &at, &n) != TEXT_FOR_OTHER)
	               ? "What stands after your move was not done and not passed on.  Write a command in a mail of its own, and moves ahead like this: if <their move> then <your move>"
	               : NULL;
}

int turn_run_as(struct request *q, struct call *c, turn_do_fn *act, struct err *e)
{
	struct turn_line line;

	if (!read_turn(q, c, &line) || ask_before_losing(q, c, &line.mv, line.ifs))
		return 0;
	bool draw = after_turn_is_draw(line.rest);
	const char *unsaid = draw ? NULL : why_unsaid(q, line.rest);
	if (unsaid)
		line.rest = "";
	int rc = withhold_refuse(q, c->actor, c->board, c->command->word, line.rest, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	struct play p = { .mv = line.mv,
		          .draw = draw,
		          .words = words_of(q, line.rest, draw),
		          .ifs = *line.ifs ? line.ifs : NULL };
	rc = act(q, c->match, &p, e);
	if (rc == 0 && unsaid)
		withhold_say(q, "%s", unsaid);
	else if (rc == 0 && !draw)
		turn_talk_tell_wishes(q, p.words);
	return rc;
}

int turn_run(struct request *q, struct call *c, struct err *e)
{
	return turn_run_as(q, c, play_turn, e);
}
