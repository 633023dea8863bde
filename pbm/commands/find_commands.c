#include "pbm/commands/find_commands.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "mail/header.h"
#include "mail/plain.h"
#include "mail/robots/robot.h"
#include "mail/sealed.h"
#include "mail/subject.h"
#include "pbm/base/str.h"
#include "pbm/commands/body.h"
#include "pbm/commands/comment_lines.h"
#include "pbm/commands/confirm.h"
#include "pbm/commands/courtesy.h"
#include "pbm/commands/dispatch.h"
#include "pbm/commands/dispatch_pair.h"
#include "pbm/commands/first_contact.h"
#include "pbm/commands/first_language.h"
#include "pbm/commands/friendly.h"
#include "pbm/commands/leave.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/own_text.h"
#include "pbm/commands/play/ahead_mail.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/quoted_lines.h"
#include "pbm/commands/short_form.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/closing.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/piece_letters.h"
#include "pbm/record/ahead_tree.h"
#include "pbm/record/match.h"
#include "pbm/text/words.h"

#define GREETING_LINES_MAX 3
#define COMMAND_WORDS_MAX 4 /* of a command below a greeting; more are prose */

/* Is it one move and nothing else?  The Subject of our own mails never is. */
static bool is_bare_move(const char *subject)
{
	const char *text = command_move_text(subject);

	return !strchr(text, ' ') && game_looks_like_move(text, command_guard_at(text));
}

/* Below a greeting, which is probably prose, only a short command counts. */
static bool is_short_command(const char *line)
{
	return str_count_words(line) <= COMMAND_WORDS_MAX && !strchr(line, '?') &&
	       command_is_one(line);
}

static bool is_for_game(const char *line)
{
	return command_is_one(line) || first_line_is_move(line) || ahead_tree_is_line(line) ||
	       first_line_answers(line, NULL, true) != FIRST_NEITHER;
}

/* The first line of an answer, or the line below its greeting if that is a move or a command.
 * *text moves past it.  NULL: there is no line. */
static const char *first_line(struct request *q, const char **text)
{
	const char *first = body_lines_next_filled(q, text), *line = first, *rest = *text;

	for (int i = 0; line && i < GREETING_LINES_MAX; i++) {
		const char *bare = first_line_move(q->arena, line);

		if (bare != line || is_for_game(line) || !first_line_is_greeting(line))
			break;
		line = body_lines_next_filled(q, &rest);
	}
	if (!line || line == first)
		return first ? first_line_move(q->arena, first) : NULL;
	const char *bare = first_line_move(q->arena, line);
	if (bare == line && !ahead_tree_is_line(line) && !first_line_is_clear(line) &&
	    !body_lines_has_board(line) && !is_short_command(line) &&
	    first_line_answers(line, NULL, true) == FIRST_NEITHER)
		return first;
	*text = rest;
	return bare;
}

/* "Move: Nf3 if Nc6 then Bb5" without the label. */
static const char *without_label(struct request *q, const char *line)
{
	size_t n = ahead_tree_begins(line);

	if (n == 0 || !line[n] || command_is_one(line))
		return line;
	const char *turn = body_lines_trim(q->arena, arena_strndup(q->arena, line, n));
	return turn ? arena_printf(q->arena, "%s %s", first_line_move(q->arena, turn), line + n)
	            : line;
}

/* Cuts the closing formula off the text that goes along with the line.  A friendly yes counts only
 * if nothing in the rest of the letter limits it. */
static void cut_closing(struct request *q, const char *line, const struct withheld *w)
{
	bool said = q->comment;

	if (said && (command_is_one(line) || first_line_is_move(line)))
		q->comment = closing_cut(q->arena, q->comment, request_userid(q));
	q->unsaid = (said && !q->comment) || w->ahead || w->turns || w->secrets || w->commands;
}

/* Does a refusal speak of the turns of the mail already, and say where to write one? */
static bool names_first_line(const struct request *q)
{
	for (size_t i = 0; i < q->note_count; i++)
		if ((q->notes[i].body &&
		     strstr(q->notes[i].body, "answer with it on the first line")) ||
		    (q->notes[i].headline &&
		     strstr(q->notes[i].headline, "nothing else about moves")))
			return true;
	return false;
}

/* Runs the line, with the text below it as a message to the other player.  Lines of moves
 * ahead are never passed on: those directly below the line belong to it. */
static int run_with_comment(struct request *q, const char *line, const char *text, struct err *e)
{
	struct withheld w;

	line = without_label(q, line);
	line = ahead_mail_take(q, line, &text);
	int rc = dispatch_pair_know(q, line, text, e);
	if (rc == 0)
		rc = withhold_lines(q, text, line, &q->comment, &w, e);
	if (rc == 0)
		cut_closing(q, line, &w);
	if (rc == 0)
		rc = dispatch_line(q, line, e);
	/* A signup passes no comment on: settings may be below it, or "Best wishes, Hugo". */
	const char *next = text, *below = body_lines_next_filled(q, &next);
	if (rc == 0 && q->signup.count && below && !first_line_is_closing(below) &&
	    first_contact_holds_command(q, text))
		return body_run(q, text, e);
	if (names_first_line(q)) /* the sentence about turns would say the same */
		w.turns = NULL;
	if (rc == 0)
		withhold_tell(q, &w);
	return rc;
}

/* Is it an answer to a page of ours that proves nothing: "Re: [pbm] help start"?  Then the
 * Subject is ours. */
static bool answers_page(const struct request *q)
{
	const char *tag = arena_printf(q->arena, "[%s] ", q->site->conf.name);
	const char *at = strstr(q->mail.subject, tag);

	return at && memchr(q->mail.subject, ':', (size_t)(at - q->mail.subject));
}

/* The move or the command that a Subject is, if it is not ours; or NULL. */
static const char *line_of_subject(struct request *q, const char *subject)
{
	const char *move = first_line_move(q->arena, subject);
	bool command = command_is_one(subject) && !answers_page(q);

	return is_bare_move(move) ? move : command ? subject : NULL;
}

/* A last word under a game that is over; may: not too many were written. */
static int read_last_word(struct request *q, const char *text, bool may, struct err *e)
{
	const char *leave = did_you_mean_leave(q->arena, text);

	if (!may) {
		request_refuse(
			q, q->who.token.board,
			"The game is over, and you have written some last words already.  Nothing was passed on.  To write more, begin with the word: chat")
			->body = leave ? "To leave, answer: stop, or: delete" : NULL;
		return 0;
	}
	const char *wish = did_you_mean_later(q->arena, text);
	int rc = run_with_comment(q, "chat", text, e);
	if (rc == 0 && leave)
		withhold_say(q, "To leave, answer: stop, or: delete");
	else if (rc == 0 && (strcasestr(text, "rematch") || strcasestr(text, "revanche") ||
	                     strcasestr(text, "revancha") || near_says(text, "rematch") ||
	                     (wish && str_prefix(wish, "rematch"))))
		withhold_say(q, "To offer another game, answer: rematch%s",
		             wish_options(q->arena, body_lines_paragraph(q->arena, text)));
	return rc;
}

/* A reply in a game: the first line is the command, the rest is a message to the other
 * player.  Lines that begin with "17:" are a command each, for that board.  An empty
 * reply may have its move, or a command, in a Subject of its own. */
static int read_reply(struct request *q, const char *subject, const char *text, struct err *e)
{
	const char *whole = text, *line = first_line(q, &text);

	if (!line && (line = line_of_subject(q, subject)))
		return dispatch_line(q, line, e);
	if (!line)
		return !request_refused(
			q, q->who.token.board,
			"I found no text in your answer.  Write it above the copy of my mail.");
	if (body_lines_has_board(line))
		return body_run_boards(q, arena_printf(q->arena, "%s\n%s", line, text), e);
	int last = comment_lines_last_word(q, line, e);
	if (last != 0)
		return last < 0 ? last : read_last_word(q, whole, last == 1, e);
	if (comment_lines_is_list(q, line))
		return body_run(q, arena_printf(q->arena, "%s\n%s", line, text), e);
	return run_with_comment(q, line, text, e);
}

/* An answer to a puzzle: a turn, or commands. */
static int read_puzzle(struct request *q, const char *text, struct err *e)
{
	const char *whole = text, *line = first_line(q, &text);
	const char *said = line ? did_you_mean_said(line) : NULL;

	if (line && (strcasecmp(line, "resign") == 0 || (said && strcmp(said, "resign") == 0)))
		line = "solution";
	else if (!line || (command_is_one(line) && !str_prefix(line, "hint")))
		return body_run(q, whole, e);
	return dispatch_line(q, arena_printf(q->arena, "puzzle %s", line), e);
}

/* Reads the answer to a question to confirm: only "ok" runs the held lines. */
static int read_answer(struct request *q, const char *text, struct err *e)
{
	enum confirm_answer wants = confirm_wants(q);

	if (wants == CONFIRM_UNDO && !confirm_says_undo(q, text)) {
		confirm_offer_undo(q);
		return 0;
	}
	/* A phone may send an empty answer by mistake: the token in the address is not
	 * enough without the word. */
	if (wants == CONFIRM_UNDO || friendly_confirms(q, text) ||
	    (wants == CONFIRM_GONE && confirm_says_undo(q, text)))
		return confirm_execute(q, e);
	const char *whole = text, *line = body_lines_next_filled(q, &text);
	if (line && command_is_one(line)) {
		int rc = wants == CONFIRM_OPEN ? confirm_open(q, e) : 1;

		return rc == 1 ? body_run(q, whole, e) : rc;
	}
	if (line && wants != CONFIRM_GONE && first_line_says_no(line))
		return confirm_drop(q, e);
	q->current = line ? arena_printf(q->arena, "%.100s", line) : "";
	return confirm_ask_again(q, e);
}

/* "suicide challenge alice bob -days 3": no prose begins so. */
static bool is_game_command(const char *line)
{
	size_t n = strcspn(line, " ");

	return line[n] && rules_find(line, n, NULL) && command_is_one(line);
}

/* Is the answer to a question the one that the question waits for? */
static bool answers_question(struct request *q, const char *text)
{
	enum confirm_answer wants = confirm_wants(q);

	if (q->robot == robot_why_subject) /* a person keeps the Subject of the question */
		return false;
	if (wants == CONFIRM_UNDO)
		return confirm_says_undo(q, text);
	if (friendly_confirms(q, text))
		return true;
	const char *line = body_lines_next_filled(q, &text);
	return wants == CONFIRM_OPEN && line && is_short_command(line);
}

/* Is the first line of an answer a legal turn of the token's seat, or a short command? */
static bool is_playable_line(struct request *q, const char *line)
{
	const struct token *t = &q->who.token;
	const char *behind = body_lines_has_board(line) ? strchr(line, ':') + 1 : line;
	int64_t board = behind == line ? request_board(q) : strtoll(line, NULL, 10);
	struct match *m;

	if (is_game_command(line))
		return true;
	if (is_short_command(line) && (behind == line || is_short_command(behind)))
		return true;
	if (t->kind != TOKEN_GAME &&
	    !(t->kind == TOKEN_DIGEST && digest_boards_find(&q->who.listed, board)))
		return false;
	m = request_match(q, board, NULL);
	return m && (m->doc.board != t->board || t->ply == m->stamp) &&
	       turn_is_legal(q, m, request_seat(q, m), behind);
}

/* A mail of a player's own "On vacation until Monday", no answer to another one, with a command below
 * it or a word about clocks? */
static bool is_own_absence(struct request *q, const char *text)
{
	static const char *const clocks[] = { "clock", "uhr",     "horloge", "pendule",
		                              "reloj", "orologi", NULL };
	const char *rest = text, *line = body_lines_next_filled(q, &rest);

	if (!q->who.known || q->robot != robot_why_subject ||
	    header_field(&q->mail, "In-Reply-To") || header_field(&q->mail, "References"))
		return false;
	return str_holds_any(text, clocks) || (line && is_short_command(line));
}

bool find_is_playable(struct request *q)
{
	const char *text = own_text(q), *line;

	if (!q->who.has_token)
		return is_own_absence(q, text);
	if (q->who.token.kind == TOKEN_CONFIRM && confirm_asked_sender(q))
		return answers_question(q, text);
	if (q->who.proof != PROOF_TOKEN)
		return false;
	if (q->who.token.kind == TOKEN_CONFIRM)
		return answers_question(q, text);
	line = first_line(q, &text);
	if (!line && q->who.token.kind == TOKEN_GAME)
		line = first_line_move(
			q->arena, plain_line(q->arena, subject_base(q->arena, q->mail.subject)));
	return line && is_playable_line(q, line);
}

/* Reads an answer to a board mail that has lost the header's reference to it: its first line is
 * about the board in the Subject.  1: it was read; 0: it was not. */
static int read_lost_reply(struct request *q, const char *subject, const char *text, struct err *e)
{
	int64_t board = short_form_subject_board(q, subject);
	const char *line = board ? first_line(q, &text) : NULL;

	if (line && short_form_asks_which(q, board, &line))
		return 1;
	if (!line || body_lines_has_board(line) ||
	    !(first_line_is_move(line) || is_short_command(line) || ahead_tree_is_line(line)))
		return 0;
	int rc = run_with_comment(q, arena_printf(q->arena, "%lld: %s", (long long)board, line),
	                          text, e);
	return rc < 0 ? rc : 1;
}

static bool is_near(struct request *q, const char *subject)
{
	return first_contact_is_near(q, subject) ||
	       (!command_is_one(subject) && first_contact_is_wish(q, subject));
}

/* Is the Subject a command, or a move with no command below it? */
static bool is_fresh_line(struct request *q, const char *subject, const char *text)
{
	if (q->who.known && is_bare_move(subject))
		return !first_contact_holds_command(q, text);
	return command_is_one(subject) && !first_contact_is_prose(q, subject);
}

/* A mail that answers none of ours: the command in its Subject, else the lines of its text,
 * else a Subject that is nearly a command. */
static int read_fresh(struct request *q, const char *subject, const char *text, struct err *e)
{
	bool near = is_near(q, subject);
	bool repeats = answers_page(q) && first_contact_holds_command(q, text);
	int lost = read_lost_reply(q, subject, text, e);

	if (lost != 0)
		return lost < 0 ? lost : 0;
	bool command = is_fresh_line(q, subject, text);

	if (!repeats && !courtesy_is_title(q, subject, text) && (near || command) &&
	    strcasecmp(subject, "multiple") != 0 && !(near && first_contact_holds_command(q, text)))
		return courtesy_refuse_subject(q, subject, text)
		               ? 0
		               : run_with_comment(q, subject, text, e);
	if (!first_contact_holds_command(q, text)) {
		int rc = first_contact_answer(q, arena_printf(q->arena, "%s %s", subject, text), e);

		q->settled = rc > 0;
		if (rc != 0)
			return rc < 0 ? rc : 0;
	}
	return body_run(q, text, e);
}

/* The command to leave, in the Subject or the first line; NULL: there is none.  A Subject with
 * another command has its comment below it. */
static const char *way_out(struct request *q, const char *subject, const char *text)
{
	const char *line = body_lines_next_filled(q, &text);
	bool answers = q->who.has_token && line;

	if (leave_command(subject))
		return courtesy_goes_on(q, subject, line) ? NULL : leave_command(subject);
	return line && (answers || !command_is_one(subject)) ? leave_command(line) : NULL;
}

/* Commands below "stop" are not read, and their writer is told so. */
static int leave(struct request *q, const char *command, const char *text, struct err *e)
{
	const char *line = body_lines_next_filled(q, &text);
	int rc = leave_run(q, command, e);

	if (rc == 0 && line && leave_command(line))
		body_tell_unread(q, line, text);
	return rc;
}

/* An answer to a mail of ours. */
static int read_token_answer(struct request *q, const char *subject, const char *text,
                             struct err *e)
{
	enum token_kind kind = q->who.token.kind;

	if (kind == TOKEN_CONFIRM)
		return read_answer(q, text, e);
	if (kind == TOKEN_GAME)
		return read_reply(q, subject, text, e);
	if (!body_lines_trim(q->arena, text))
		return read_fresh(q, subject, text, e);
	if (kind == TOKEN_PUZZLE)
		return read_puzzle(q, text, e);
	/* The answer repeats our Subject, so only its text counts. */
	return kind == TOKEN_DIGEST ? body_run_boards(q, text, e) : body_run(q, text, e);
}

/* The Subject as a line; "": it is ours, and about no board. */
static const char *own_subject(struct request *q)
{
	const char *subject = subject_base(q->arena, q->mail.subject);

	subject = piece_letters_line(q, plain_line(q->arena, subject));
	return answers_page(q) && !is_bare_move(subject) && !strchr(subject, '#') ? "" : subject;
}

static int read_mail(struct request *q, struct withheld *quoted, struct err *e)
{
	const char *text = q->own.text = quoted_lines_cut(q, own_text(q), quoted);
	const char *subject = own_subject(q);
	bool bare = is_bare_move(subject) || command_is_one(subject);
	int rc = first_language_find(q, subject, text, e);
	if (rc < 0)
		return rc;
	if (sealed_is_armor(text) || (!*text && !bare && *q->mail.sealed)) {
		first_contact_sealed(q, *q->mail.sealed ? q->mail.sealed : "pgp");
		return 0;
	}
	const char *out = way_out(q, subject, text);
	if (out)
		return leave(q, out, text, e);
	const char *join = friendly_joins(q, &text);
	if (join)
		return run_with_comment(q, join, text, e);
	if (courtesy_take(q, subject, text))
		return 0;
	return q->who.has_token
	               ? read_token_answer(q, subject, text, e)
	               : read_fresh(q, subject, bare ? text : short_form_boards(q, text), e);
}

static bool has_answer(const struct request *q)
{
	return q->note_count > 0 || q->held.count > 0 || q->signup.questions > 0 ||
	       q->done_count > 0;
}

static void refuse_empty(struct request *q)
{
	/* Another mail without a command is not the same mail again (reply_limits.h). */
	q->current = arena_printf(q->arena, "%.60s", q->mail.subject);
	const char *move = short_form_move(q, subject_base(q->arena, q->mail.subject));
	request_refuse(
		q, 0,
		"I found no command in your mail, and no move that answers a board.  Nothing was done.")
		->body = move ? did_you_mean_offer(q->arena, move) : NULL;
}

int find_commands(struct request *q, struct err *e)
{
	struct withheld quoted;
	int rc = read_mail(q, &quoted, e);

	if (rc == 0)
		withhold_tell(q, &quoted);
	leave_remind(q);
	/* Every mail gets an answer, except thanks, and a stranger's second greeting in a day. */
	if (rc == 0 && !q->settled && !has_answer(q))
		refuse_empty(q);
	if (rc == 0 && has_answer(q))
		own_text_tell(q);
	return rc;
}
