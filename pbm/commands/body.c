#include "pbm/commands/body.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mail/plain.h"
#include "mail/subject.h"
#include "pbm/base/str.h"
#include "pbm/commands/comment_lines.h"
#include "pbm/commands/courtesy.h"
#include "pbm/commands/dispatch.h"
#include "pbm/commands/dispatch_pair.h"
#include "pbm/commands/play/ahead_mail.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/piece_letters.h"
#include "pbm/commands/words/text_command.h"
#include "pbm/commands/writer.h"
#include "pbm/record/match.h"
#include "pbm/text/words.h"

#define MESSAGE "message"
#define GREETING_LINES_MAX 3
#define GREETING_WORDS_MAX 3 /* of a line that says nothing else */
#define COMMAND_WORDS_MAX 4  /* of a command below a greeting; more are prose */
#define TOGETHER_MAX 20      /* boards of one line that are named to its writer */

/* "mod broadcast", perhaps after a game's name: nothing but its text stands in such a mail. */
static bool is_broadcast(const char *line)
{
	size_t mod = str_prefix(line, "mod");

	if (!mod) {
		line += strcspn(line, " \t");
		line += strspn(line, " \t");
		mod = str_prefix(line, "mod");
	}
	line += mod;
	return mod && strchr(" \t", *line) &&
	       str_prefix(line + strspn(line, " \t"), "broadcast") > 0;
}

/* Is the line a command with what it takes?  "Pass me the salt!" and "Who has the key" are none. */
static bool is_whole_command(struct request *q, const char *line)
{
	const char *thanked, *rest = alone_words_core(q->arena, line, &thanked);
	size_t n = strcspn(rest, " \t");
	const struct command *c = command_find(rest, n, NULL);

	if (!courtesy_is_command(q, line))
		return false;
	if (!c || text_command_is(q, line))
		return true;
	rest += n + strspn(rest + n, " \t");
	return alone_words_takes(c->word, alone_words_polite(q->arena, c->word, rest));
}

/* Does the line end the message: a command, or a word that ends the reading? */
static bool ends_message(struct request *q, const char *line, bool broadcast)
{
	const char *plain = plain_line(q->arena, line);

	plain += strspn(plain, " \t\r");
	if (broadcast)
		return strcmp(plain, "--") == 0;
	return is_whole_command(q, plain) || strcmp(plain, "--") == 0 ||
	       strcasecmp(plain, "quit") == 0 || strcasecmp(plain, "end") == 0;
}

/* *out: the line and the text below it, which *text moves past: in an answer to a mail that is
 * about no board all of it, else up to the next line that is a command.  They become one line,
 * so that they can be held for a proof.  A moderator's broadcast goes on to the end of the mail.
 * *w: the lines that were taken out.  NULL: the line is no message.  <0: as withhold_lines(). */
static int message_lines_take(struct request *q, const char *line, const char **text,
                              const char **out, struct withheld *w, struct err *e)
{
	bool answers = q->who.has_token && q->who.token.kind == TOKEN_LOBBY;
	const char *start = *text ? *text : "", *p = start, *below;
	bool broadcast = is_broadcast(line);
	const struct command *c = command_find(line, strcspn(line, " \t"), NULL);

	*out = NULL;
	if (!broadcast && (!c || strcmp(c->word, MESSAGE) != 0))
		return 0;
	while (*p) {
		size_t n = strcspn(p, "\n");

		if ((!answers || broadcast) &&
		    ends_message(q, arena_strndup(q->arena, p, n), broadcast))
			break;
		p += n + (p[n] == '\n');
	}
	*text = p;
	int rc = withhold_lines(q, arena_strndup(q->arena, start, (size_t)(p - start)),
	                        broadcast ? NULL : line, &below, w, e);
	if (rc == 0)
		*out = below ? arena_printf(q->arena, "%s\n%s", line, below) : line;
	return rc;
}

/* Answers a question below commands, at which the reading ends. */
static void answer_question(struct request *q, const char *line)
{
	const char *help = strchr(line, '?') ? did_you_mean_help(q->arena, line) : NULL;

	if (help)
		request_refuse(q, 0, "I read no further than \"%.60s\".", line)
			->body = did_you_mean_offer(q->arena, help);
}

/* Tells the writer of a mail to one player that the reading ended at prose, which nobody gets. */
static void tell_unsaid(struct request *q, const char *line)
{
	if (request_board(q) || writer_answered(q))
		withhold_say(q, "Your text from \"%.60s\" on was not read and not passed on.",
		             line);
}

/* Does the line only read, so that a text below it is nobody's? */
static bool only_reads(const char *line)
{
	const struct command *c = command_find(line, strcspn(line, " \t"), NULL);

	return c && !(c->flags & CMD_PROOF) && !command_takes_text(c);
}

/* The prose below a line.  Below lines of several boards it is nobody's: it could be for either
 * opponent, and the writer is told. */
static const char *take_comment(struct request *q, const char *line, const char **text, bool shared)
{
	const char *comment = comment_lines_take(q, line, text);

	if (!comment || !shared)
		return comment;
	withhold_say(
		q,
		"The text below the lines of several boards was not passed on: \"%.60s\".  Write it directly below the line of its board.",
		body_lines_paragraph(q->arena, body_lines_trim(q->arena, comment)));
	return NULL;
}

/* The line with the reason of an act that goes on in the next lines, and not after an empty one. */
static const char *with_reason(struct request *q, const char *line, bool goes_on)
{
	if (!goes_on || !q->comment || !str_prefix(line, "mod ") || is_broadcast(line) ||
	    strcasestr(line, " message") || strcasestr(line, "tournament new "))
		return line;
	const char *reason = body_lines_paragraph(q->arena, q->comment);
	q->comment = NULL;
	return arena_printf(q->arena, "%s %s", line, reason);
}

/* Runs a line of several, with the lines below it that belong to it; *text moves on.  shared: the
 * line above is one for another board. */
static int run_line(struct request *q, const char *line, const char **text, bool shared,
                    struct err *e)
{
	struct withheld w = { 0 };
	const char *message;
	int rc = dispatch_pair_know(q, line, *text, e);

	rc = rc ? rc : message_lines_take(q, line, text, &message, &w, e);
	q->comment = NULL;
	q->unsaid = false;
	if (rc == 0 && !message) {
		message = ahead_mail_take(q, line, text);
		bool goes_on = *text && **text && **text != '\n';
		rc = withhold_lines(q, take_comment(q, line, text, shared), line, &q->comment, &w,
		                    e);
		if (rc == 0)
			message = with_reason(q, message, goes_on);
	}
	const char *below = q->comment;
	if (rc == 0)
		rc = dispatch_line(q, message, e);
	if (rc == 0 && below && only_reads(line))
		answer_question(q, arena_strndup(q->arena, below, strcspn(below, "\n")));
	if (rc == 0)
		withhold_tell(q, &w);
	return rc;
}

/* The state of reading a body. */
struct body_state {
	int prose, lines, commands;
};

enum line_use { LINE_RUN, LINE_SKIP, LINE_END };

/* Is the line a command, a remark or prose, or does it end the reading? */
static enum line_use use_line(struct request *q, const char *line, bool last, struct body_state *r)
{
	bool command = command_is_one(line) || body_lines_is_numbered(line);

	if (*line == '#' && !isdigit((unsigned char)line[1]))
		return LINE_SKIP;
	if (r->lines <= GREETING_LINES_MAX && !command && first_line_is_greeting(line) && !last)
		return LINE_SKIP;
	if (r->commands && body_lines_is_prose(q, line))
		return LINE_END;
	if (command)
		return LINE_RUN;
	r->prose++;
	/* one refusal is enough for a run of prose */
	return r->prose >= BODY_LINES_PROSE_MAX ? LINE_END : r->prose > 1 ? LINE_SKIP : LINE_RUN;
}

/* "Hello server,": nothing that somebody should read. */
static bool is_bare_greeting(const char *line)
{
	return str_count_words(line) <= GREETING_WORDS_MAX && !strchr(line, '?') &&
	       first_line_is_greeting(line);
}

/* Does the answer to a player's message begin with a command or a turn, perhaps below a greeting?  Below
 * prose, or "Hello alice" of a message that alice copied, it is a part of the text. */
static bool begins_with_command(struct request *q, const char *text)
{
	const char *line = body_lines_next_filled(q, &text);

	if (line && is_bare_greeting(line) && q->who.known && !strcasestr(line, request_userid(q)))
		line = body_lines_next_filled(q, &text);
	return line && courtesy_is_command(q, line);
}

/* The command that passes prose, which answers a player's message, on to that player, below which
 * it stands.  The word of a chat in front of it is cut off.  A Subject of one word, "Game", is a
 * command by chance.  NULL: the mail is another. */
static const char *answer_line(struct request *q, const char *writer, const char **text)
{
	const char *rest = *text, *subject = subject_base(q->arena, q->mail.subject);
	const char *line = writer ? body_lines_next_filled(q, &rest) : NULL;

	if (!line || q->robot || str_is_any(line, body_lines_ends) ||
	    begins_with_command(q, *text) ||
	    (courtesy_is_command(q, subject) && (strchr(subject, ' ') || !command_is_one(subject))))
		return NULL;
	if (strncasecmp(line, "chat ", 5) == 0)
		*text = arena_printf(q->arena, "%s\n%s", line + 5, rest);
	return arena_printf(q->arena, "%s %s:", MESSAGE, writer);
}

/* The writer's own name as the end of a letter: no command. */
static bool is_own_name(struct request *q, const char *line)
{
	const char *name = q->mail.from_name ? q->mail.from_name : "";
	size_t n = strcspn(line, ".,!"), first = strcspn(name, " ");

	return !line[n + strspn(line + n, ".,!")] &&
	       ((q->who.known && strlen(request_userid(q)) == n &&
	         strncasecmp(line, request_userid(q), n) == 0) ||
	        (n && n == first && strncasecmp(line, name, n) == 0));
}

bool body_tell_unread(struct request *q, const char *line, const char *text)
{
	const char *below = body_lines_next_filled(q, &text);

	if (!below || !command_is_one(below) || is_own_name(q, below) ||
	    first_line_is_closing(below))
		return false;
	withhold_say(q, "The line \"%.20s\" ended your commands: the lines below it were not read.",
	             line);
	return true;
}

/* "stop" below commands ends the reading.  Its writer may have meant the mails: he is told that he
 * still gets them. */
static void tell_end(struct request *q, const char *line, const char *text)
{
	static const char *const polite[] = { "stop", "thanks", NULL };

	if (str_is_any(line, polite) && !body_tell_unread(q, line, text) &&
	    strcasecmp(line, "stop") == 0)
		withhold_say(
			q,
			"The line \"stop\" ended your commands, and you still get mails.  To get no more mails, answer: stop all");
}

static bool ends_body(struct request *q, const char *line, const struct body_state *r)
{
	return str_is_any(line, body_lines_ends) || (r->lines && first_line_is_closing(line)) ||
	       (r->commands && is_own_name(q, line));
}

int body_run(struct request *q, const char *text, struct err *e)
{
	struct body_state r = { 0 };
	const char *writer = writer_answered(q), *line = answer_line(q, writer, &text);
	size_t notes = q->note_count;
	bool above = false;
	int rc = 0;

	if (line)
		return run_line(q, line, &text, false, e);
	while (rc == 0 && (line = body_lines_next_filled(q, &text))) {
		if (ends_body(q, line, &r)) {
			if (r.commands)
				tell_end(q, line, text);
			break;
		}
		if (++r.lines > REQUEST_LINES_MAX) {
			request_refuse(
				q, 0,
				"I read at most %d lines of a mail.  The rest of your mail was not read.",
				REQUEST_LINES_MAX);
			break;
		}
		enum line_use use = use_line(q, line, !*text, &r);
		if (use == LINE_END) {
			answer_question(q, line);
			tell_unsaid(q, line);
			break;
		}
		if (use == LINE_SKIP)
			continue;
		r.commands++;
		rc = run_line(q, line, &text, above && body_lines_has_board(line), e);
		above = body_lines_has_board(line) && !q->comment;
	}
	if (rc == 0 && writer)
		courtesy_tell_writer(q, writer, notes);
	return rc;
}

/* A line of an answer to mails of boards that says something about one: "17: Nf3", "17 Nf3", or
 * a command.  If the digest listed one board only, also a move alone. */
static bool is_board_line(struct request *q, const char *line)
{
	struct board_ref ref;
	size_t n = strcspn(line, " \t");
	char word[24];

	if (body_lines_has_board(line) || command_is_one(line) || text_command_is(q, line))
		return true;
	if (q->who.listed.n == 1 && first_line_is_move(line))
		return true;
	snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : 0, line);
	return line[n] && words_board(word, &ref) && digest_boards_find(&q->who.listed, ref.board);
}

/* Does a letter end there: "Kind regards", or its writer's name? */
static bool is_signed(struct request *q, const char *line)
{
	return first_line_is_closing(line) || is_own_name(q, line);
}

/* Names a line of an answer to mails of boards that belongs to no board. */
static void tell_skipped(struct request *q, const char *line)
{
	withhold_say(
		q,
		"A line of your mail was not read: \"%.60s\".  Write text for an opponent directly below the line of the board.",
		line);
}

/* The line that the writer is told of: the first one but for a greeting. */
static const char *first_skipped(const char *before, const char *line)
{
	return before || is_bare_greeting(line) ? before : line;
}

/* The listed board other than `number` on which the turn is legal now, as move `number` there; 0: none. */
static int64_t board_at_move(struct request *q, int64_t number, const char *turn)
{
	for (size_t i = 0; i < q->who.listed.n; i++) {
		int64_t board = q->who.listed.v[i].board;
		const struct match *m = board == number ? NULL : request_match(q, board, NULL);

		if (m && match_position(m)->fullmove == number &&
		    turn_is_legal(q, m, request_seat(q, m), turn))
			return board;
	}
	return 0;
}

/* "Board 1: d4", "1. d4", "1) d4" and "1 - d4" as "1: d4", if board 1 is listed.  NULL: "1. d4" may also be move 1 of another
 * board, and is refused. */
static const char *numbered_turn(struct request *q, const char *line)
{
	char sign;
	line = body_lines_without_word(line);
	const char *turn = body_lines_behind_number(line, &sign);

	if (!turn || strchr(" :", sign))
		return line;
	int64_t number = strtoll(line, NULL, 10);
	if (!first_line_is_move(turn) || !q->who.known ||
	    !digest_boards_find(&q->who.listed, number))
		return line;
	int64_t other = sign == '.' ? board_at_move(q, number, turn) : 0;
	if (!other)
		return arena_printf(q->arena, "%lld: %s", (long long)number, turn);
	q->current = line;
	request_refuse(
		q, 0,
		"\"%.40s\" may be for board %lld, or move %lld of board %lld.  It was not played.  Answer with one of these:",
		line, (long long)number, (long long)number, (long long)other)
		->body = arena_printf(q->arena, "    %lld: %.40s\n    %lld: %.40s",
	                              (long long)number, turn, (long long)other, turn);
	return NULL;
}

/* "1 and 2: draw": refused with the line for each board.  false: the line is another. */
static bool refuse_together(struct request *q, const char *line)
{
	static const char *const links[] = { "and", "und", "y", "et", "e", NULL };
	const char *colon = strchr(line, ':'), *s = line;
	struct str lines = str_in(q->arena, 2000);
	int boards = 0;

	if (!colon)
		return false;
	const char *said = colon + 1 + strspn(colon + 1, " ");
	if (strchr(said, ' ')) /* perhaps with a password */
		said = "…";
	for (; s < colon; s += strspn(s, " ,&+")) {
		size_t digits = strspn(s, "0123456789"), link = first_words_phrase(s, links);

		if (!digits && !link)
			return false;
		if (digits && ++boards <= TOGETHER_MAX)
			str_addf(&lines, "    %.*s: %.60s\n", (int)digits, s, said);
		s += digits ? digits : link;
	}
	if (boards < 2 || !*said)
		return false;
	request_refuse(q, 0, "Write a line of its own for each board.  Nothing was done.")
		->body = lines.data;
	return true;
}

/* The lines that play the turns of a text without numbers on the listed boards: one turn on each, several
 * in the order of the list.  NULL: it begins with none that is legal there. */
static const char *lines_with_board(struct request *q, const char *text)
{
	const char *turns[REQUEST_LINES_MAX], *line;
	struct str lines = str_in(q->arena, 2000);
	size_t n = 0;

	while (n < REQUEST_LINES_MAX && (line = body_lines_next_filled(q, &text))) {
		if (!first_line_is_move(line))
			break;
		turns[n++] = line;
	}
	for (size_t i = 0; i < q->who.listed.n && n && (n == 1 || i < n); i++) {
		int64_t board = q->who.listed.v[i].board;
		const struct match *m = request_match(q, board, NULL);

		line = turns[n == 1 ? 0 : i];
		if (m && turn_is_legal(q, m, request_seat(q, m), line))
			str_addf(&lines, "%s    %lld: %.40s", lines.len ? "\n" : "",
			         (long long)board, line);
	}
	return lines.len ? lines.data : NULL;
}

int body_run_boards(struct request *q, const char *text, struct err *e)
{
	const char *line, *skipped = NULL, *whole = text;
	int rc = 0, done = 0;
	bool above = false;

	while (rc == 0 && done < REQUEST_LINES_MAX && (line = body_lines_next_filled(q, &text))) {
		if (str_is_any(line, body_lines_ends) || (done && is_signed(q, line)))
			break;
		if (refuse_together(q, line) || !(line = numbered_turn(q, line))) {
			done++;
			continue;
		}
		if (!is_board_line(q, line)) {
			skipped = first_skipped(skipped, piece_letters_typed(q, line));
			continue;
		}
		rc = run_line(q, line, &text, above, e);
		above = !q->comment;
		done++;
	}
	if (rc != 0)
		return rc;
	if (done && skipped)
		tell_skipped(q, skipped);
	if (done == 0)
		request_refuse(
			q, 0,
			"I found no line that begins with the number of a board.  Nothing was "
			"done.  For each board write a line like: %lld: e4",
			(long long)(q->who.listed.n ? q->who.listed.v[0].board : 17))
			->body = lines_with_board(q, whole);
	return 0;
}
