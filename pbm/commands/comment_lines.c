#include "pbm/commands/comment_lines.h"

#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/base/str.h"
#include "pbm/commands/courtesy.h"
#include "pbm/commands/friendly.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/proof/authority.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/second_thoughts.h"
#include "pbm/commands/words/sentence.h"
#include "pbm/commands/words/text_command.h"
#include "pbm/commands/writer.h"
#include "pbm/record/match.h"
#include "pbm/record/match_asked.h"
#include "pbm/text/words.h"

#define COMMAND_WORDS_MAX 4 /* of a command among prose; a longer line is a sentence */
#define LINE_WORDS_SHOWN 2  /* of a line in a refusal */
#define LAST_WORDS_MAX 3    /* of one player under one game, in a month */

/* Has the line words or marks of a sentence? */
static bool is_sentence(struct request *q, const char *line)
{
	struct words w;

	words_split(q->arena, line, &w);
	for (size_t i = 1; i < w.n; i++)
		if (str_is_any(w.v[i].text, first_words_small))
			return true;
	return strpbrk(line, "!?,") != NULL;
}

/* "Good luck!", "Play well!", "show me that you can do better"; not "games", "gmaes", "# 2". */
static bool is_prose(struct request *q, const char *line)
{
	const struct command *c = command_find(line, strcspn(line, " \t"), NULL);

	if (text_command_is(q, line) || *line == '#' || body_lines_has_board(line))
		return false;
	if (c && (c->flags & CMD_TEXT) && strcmp(c->word, "note") != 0)
		return false;
	if (strstr(line, " -") && did_you_mean_line(q->arena, line))
		return false;
	if (str_count_words(line) > COMMAND_WORDS_MAX)
		return !c || is_sentence(q, line);
	return strpbrk(line, "!?") || !(command_is_one(line) || did_you_mean_line(q->arena, line));
}

/* The command of a line like "match bob suicide", "suicide challenge alice bob", "17: Nf3". */
static const struct command *command_of(struct request *q, const char *line)
{
	const char *behind = body_lines_behind_board(line);
	struct words w;
	size_t i = 0;

	words_split(q->arena, behind ? behind : line, &w);
	if (i + 1 < w.n && rules_find(w.v[i].text, strlen(w.v[i].text), NULL))
		i++;
	if (i >= w.n)
		return NULL;
	if (first_line_is_move(w.v[i].start))
		return command_find("move", 4, NULL);
	return command_find(w.v[i].text, strlen(w.v[i].text), NULL);
}

/* Has the command a use for the line below it, or may it be passed over?  Words that nobody gets
 * and that could be a slip are left to be refused. */
static bool takes_prose(struct request *q, const struct command *c, const char *line)
{
	return (c->flags & CMD_COMMENT) || is_sentence(q, line) ||
	       ((c->flags & CMD_PROOF) && str_count_words(line) > 1);
}

/* "I am ill" below "leave spring": the reason, and no question for a page of help. */
static bool is_reason(const struct command *c, const char *line)
{
	const char *said = did_you_mean_said(line);

	return (c->flags & CMD_PROOF) && said && str_prefix(said, "help ") && !strchr(line, '?') &&
	       !command_is_one(line);
}

static const char *take(struct request *q, const char *line, const char **text)
{
	const struct command *c = command_of(q, line);
	const char *start = *text, *end = start, *below;

	if (!c || (command_takes_text(c) && !(c->flags & CMD_COMMENT)))
		return NULL;
	while ((below = body_lines_next_filled(q, text))) {
		if (!(is_prose(q, below) || is_reason(c, below)) || !takes_prose(q, c, below) ||
		    (body_lines_is_numbered(line) && body_lines_is_numbered(below)) ||
		    str_is_any(below, body_lines_ends) || first_line_is_closing(below))
			break;
		end = *text;
	}
	*text = end;
	return end > start ? arena_strndup(q->arena, start, (size_t)(end - start)) : NULL;
}

const char *comment_lines_take(struct request *q, const char *line, const char **text)
{
	const char *all = *text ? *text : "", *end = *all == '\n' ? all : strstr(all, "\n\n");

	if (!end || !q->who.has_token || q->who.token.kind != TOKEN_DIGEST)
		return take(q, line, text);
	const char *below = arena_strndup(q->arena, all, (size_t)(end - all)), *rest = below;
	const char *comment = take(q, line, &rest);
	*text = all + (rest - below);
	return comment;
}

bool comment_lines_is_list(struct request *q, const char *line)
{
	const struct command *c = command_is_one(line) ? command_of(q, line) : NULL;

	return c && !command_takes_text(c);
}

/* "Please delete my account", "I need help", "I resigned by mistake, please undo" */
static bool is_for_server(struct request *q, const char *line)
{
	static const char *const asks[] = { "help", "undo", "delete", NULL };
	const char *said = did_you_mean_said(line), *at;
	size_t n;

	if (!said)
		said = did_you_mean_later(q->arena, line);
	return text_command_reader(q, line, &at, &n) != TEXT_FOR_OTHER ||
	       (said && str_is_any(said, asks));
}

/* Is the first line certainly not for the server? */
static bool is_last_word(struct request *q, const char *line)
{
	const char *word = arena_strndup(q->arena, line, strcspn(line, " \t.,!?:;"));
	const char *behind = line + strlen(word) + strspn(line + strlen(word), " \t.,!?:;");

	if (alone_words_has(word)) { /* "Draw would have been fairer", but not "Rematch, please!" */
		const char *thanked, *core = alone_words_core(q->arena, behind, &thanked);

		return *behind && (str_count_words(line) > 2 || strpbrk(line, "!?,")) &&
		       !alone_words_takes(word, alone_words_polite(q->arena, word, core));
	}
	if (is_for_server(q, line) || strcasecmp(word, "note") == 0 ||
	    (first_line_is_move(line) && str_count_words(line) == 1))
		return false;
	static const char *const lists[] = { "show", "pgn", "moves", "ratings", "help leaving" };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (near_says(line, lists[i]))
			return false;
	return is_prose(q, line) || (is_sentence(q, line) && !command_is_one(line));
}

int comment_lines_last_word(struct request *q, const char *line, struct err *e)
{
	const struct token *t = &q->who.token;
	int64_t count = 0;

	if (!request_is_proved(q) || !q->who.has_token || t->kind != TOKEN_GAME)
		return 0;
	const struct match *m = request_match(q, t->board, NULL);
	if (!m || (m->doc.state != GAME_FINISHED && m->doc.state != GAME_CLOSED) ||
	    t->ply != m->stamp || match_is_solo(m) ||
	    q->now - m->doc.ended > AUTHORITY_AFTER_GAME * CLOCK_DAY || !is_last_word(q, line))
		return 0;
	const char *whom = arena_printf(q->arena, "%s %lld", m->doc.players[t->seat],
	                                (long long)t->board);
	int rc = request_count_event(q, "last-word", whom, 30 * CLOCK_DAY, &count, e);
	return rc < 0 ? rc : count <= LAST_WORDS_MAX ? 1 : 2;
}

/* Is the line a command about a game that does not go together with the one above it?  "draw" does, if a
 * draw is offered. */
static bool acts_otherwise(struct request *q, const struct call *call, const char *line)
{
	const struct command *above = call->command;
	const struct command *c = body_lines_behind_board(line) || !text_command_is(q, line)
	                                  ? NULL
	                                  : command_of(q, line);

	return c && c != above && !(c->flags & CMD_TEXT && strcmp(c->word, "decline") != 0) &&
	       strcmp(c->word, "rematch") != 0 &&
	       !(strcmp(c->word, "draw") == 0 && call->match->draw_offered_by == !call->seat) &&
	       (alone_words_has(c->word) || ((above->flags & CMD_LOBBY) && (c->flags & CMD_LOBBY)));
}

/* The line without the board that the command is about; NULL: it is about another one. */
static const char *of_board(struct request *q, const struct call *c, const char *line)
{
	const char *behind = body_lines_behind_board(line);
	const char *word = arena_strndup(q->arena, line, strcspn(line, " "));
	struct board_ref ref;

	return !behind ? line : words_board(word, &ref) && ref.board == c->board ? behind : NULL;
}

/* Is the line a turn, or another command about the game that ends or begins by the one above? */
static bool is_contrary(struct request *q, const struct call *c, const char *line, bool runs)
{
	static const char *const over[] = { "resign", "abort", NULL };
	bool ends = str_is_any(c->command->word, over);

	return (runs && (first_line_is_turns(line) ||
	                 (!ends && first_line_is_clear(first_line_move(q->arena, line))))) ||
	       acts_otherwise(q, c, line);
}

/* The line of the text below the command that does not go together with it: it is a second thought, or,
 * where the command ends or begins a game, another command about a game or a turn.  NULL: there is none. */
static const char *line_against(struct request *q, const struct call *c, bool final, bool runs)
{
	const struct second_thoughts above = { .word = c->command->word,
		                               .offer = c->match->doc.state == GAME_OFFERED,
		                               .final = final };
	const char *text = q->below, *line;
	bool first = true;

	for (; (line = body_lines_next_filled(q, &text)) && !str_is_any(line, body_lines_ends);
	     first = false) {
		line = of_board(q, c, line);
		if (line && (second_thoughts_has(q->arena, &above, line, first) ||
		             (final && is_contrary(q, c, line, runs))))
			return first_line_move(q->arena, line);
	}
	return NULL;
}

bool comment_lines_refuse(struct request *q, const struct call *c, const char *line)
{
	static const char *const ends[] = { "accept", "resign", "abort", NULL };
	bool said, runs = c->match && c->match->doc.state == GAME_RUNNING;
	bool agrees = c->match && strcmp(c->command->word, "draw") == 0 &&
	              match_asked(c->match, c->seat, &said);
	bool final = agrees || str_is_any(c->command->word, ends);
	const char *below = c->match ? line_against(q, c, final, runs) : NULL;

	if (!below)
		return false;
	/* More words are perhaps a userid and a password. */
	bool shown = str_count_words(line) <= LINE_WORDS_SHOWN;
	struct note *n = withhold_ask_below(q, c->board, shown ? line : c->command->word, below);
	n->body = arena_printf(q->arena, "If you mean %s, answer with that word alone.",
	                       c->command->word);
	if (runs && first_line_is_move(below))
		n->body = arena_printf(
			q->arena,
			"%s\nIf %s is your move, answer with it on the first line:\n    %s",
			n->body, below, below);
	return true;
}

int comment_lines_thank(struct request *q, const struct call *c, const char *said, struct err *e)
{
	const char *kept = NULL;
	struct withheld w;

	if (!said || strcmp(c->command->word, "resign") != 0)
		return 0;
	said += strspn(said, " \t.!,-");
	if (!*said)
		return 0;
	int rc = withhold_lines(q, said, NULL, &kept, &w, e);
	q->unsaid |= !kept;
	if (rc == 0 && kept)
		q->comment = q->comment ? arena_printf(q->arena, "%s\n%s", kept, q->comment) : kept;
	return rc;
}

/* Can the text below the command be meant for another player?  Below a list in a mail of its own it
 * can't. */
static bool is_for_somebody(struct request *q, const struct command *c)
{
	return q->comment && !q->signup.count && !(c->flags & CMD_STAFF) &&
	       ((c->flags & CMD_PROOF) || writer_answered(q) || request_board(q));
}

static bool is_refused(const struct request *q, size_t from)
{
	for (size_t i = from; i < q->note_count; i++)
		if (q->notes[i].flags & NOTE_REFUSED)
			return true;
	return false;
}

/* The sentence about the text below the command; NULL: it was passed on, or the answer says what
 * became of it. */
static const char *text_lost(struct request *q, const struct command *c, bool refused)
{
	if (!refused)
		return command_takes_text(c)
		               ? NULL
		               : arena_printf(
					 q->arena,
					 "The text below it was not passed on: \"%s\" takes none.",
					 c->word);
	if (strcmp(c->word, "move") == 0)
		return "The text below your move was not passed on, either.";
	/* A refused message says so itself. */
	return (c->flags & CMD_TEXT) && !(c->flags & CMD_WAITING)
	               ? NULL
	               : arena_printf(q->arena, "The text below \"%s\" was not passed on, either.",
	                              c->word);
}

/* The command for a sentence, and the line that is named in a game. */
static const struct {
	const char *said, *line;
} wishes[] = {
	{ "help vacation", "vacation <first day> <last day>" },
	{ "stop", "stop all" },
	{ "ratings", "ratings" },
};

/* The line that does what the sentence wishes for; NULL: it wishes for nothing that is told. */
static const char *line_for(struct request *q, const char *sentence)
{
	const char *at = sentence, *wish = friendly_wish(q, sentence);

	for (size_t n; (n = first_words_phrase(at, first_words_polite));)
		at += n + strspn(at + n, " ,");
	const char *said = did_you_mean_said(at);
	if (!said)
		said = did_you_mean_later(q->arena, at);
	if (wish && (str_prefix(wish, "vacation ") || str_prefix(wish, "set ")))
		return wish;
	for (size_t i = 0; said && i < sizeof wishes / sizeof *wishes; i++)
		if (strcmp(said, wishes[i].said) == 0 &&
		    (!str_prefix(wishes[i].line, "stop") || strcasestr(sentence, "mail") ||
		     strcasestr(sentence, "correo")))
			return wishes[i].line;
	return said && str_prefix(said, "set ") ? said : NULL;
}

/* Names the command for a wish in a text that was passed on in a game, which nobody but the server can
 * fulfil: "I'm on vacation from 20 December to 3 January", "please stop sending me mails". */
static void tell_wish(struct request *q, const struct call *c)
{
	const char *text = strcmp(c->command->word, "chat") == 0 ? c->rest : q->comment;
	const char *line = NULL;
	struct prose_sentence s;

	if (!text || !c->match || c->match->doc.state != GAME_RUNNING || match_is_solo(c->match))
		return;
	while (!line && (text = sentence_next(q->arena, text, &s)))
		line = line_for(q, s.text);
	if (!line)
		return;
	withhold_say(
		q,
		str_prefix(line, "vacation ")
			? "Your text starts no vacation, and your clock goes on.  To start one, answer: %s"
			: "I passed your text on and did nothing else.  If you wanted something of me, answer: %s",
		line);
}

void comment_lines_tell_lost(struct request *q, const struct call *call, size_t from)
{
	const struct command *c = call->command;
	bool refused = is_refused(q, from);
	const char *text = c && is_for_somebody(q, c) ? text_lost(q, c, refused) : NULL;

	if (q->cut && !refused)
		withhold_say(
			q,
			"Your text was cut after \"%s\": at most %d letters are passed on.  Send the rest in another mail.",
			q->cut, BOARD_COMMENT_MAX);
	if (q->lost)
		withhold_say(q, "%s", q->lost);
	if (text)
		withhold_say(q, "%s", text);
	if (c && !refused)
		tell_wish(q, call);
	q->lost = q->cut = NULL;
}
