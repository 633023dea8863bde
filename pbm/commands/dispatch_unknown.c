#include "pbm/commands/dispatch_unknown.h"

#include <string.h>
#include <strings.h>

#include "games/rules.h"
#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/courtesy.h"
#include "pbm/commands/dispatch_board.h"
#include "pbm/commands/first_contact.h"
#include "pbm/commands/friendly.h"
#include "pbm/commands/guess.h"
#include "pbm/commands/help/help.h"
#include "pbm/commands/lobby/offer.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/piece_letters.h"
#include "pbm/people/computer.h"
#include "pbm/people/roles.h"
#include "pbm/record/match.h"
#include "pbm/request/reader.h"
#include "pbm/request/tournament_follow.h"
#include "store/store_documents.h"

#define LINE_SHOWN 200
#define QUOTED 60 /* bytes of a line in a sentence */
#define PAGE_BYTES 65536
#define NEAR_MIN 3 /* letters of a word that can look like a command */

/* "stop game 1": that is the board's end, and no end of mails.  NULL: the line is another. */
static const char *end_of_board(struct request *q, const char *line)
{
	struct board_ref ref;
	struct words w;

	words_split(q->arena, line, &w);
	return w.n == 3 && strcasecmp(w.v[0].text, "stop") == 0 &&
	                       str_is_any(w.v[1].text, first_words_board) &&
	                       words_board(w.v[2].text, &ref)
	               ? arena_printf(q->arena, "resign %lld", (long long)ref.board)
	               : NULL;
}

void dispatch_offer_said(struct parse *p, struct note *n)
{
	const char *end = end_of_board(p->q, p->line);
	const char *act = first_contact_act(p->q, p->line); /* "stop the clock on board 1" */
	const char *said = act ? act : end ? end : did_you_mean_said(p->line);

	if (!said || did_you_mean_is_leave(said))
		return;
	n->headline = "I do this only when nothing else stands on the line.  Nothing was done.";
	n->body = did_you_mean_offer(p->q->arena, said);
}

/* The guess as lines below a refusal.  In the answer to a board's mail, stop alone would end the mails
 * of that board only. */
static const char *offer(const struct request *q, const char *line)
{
	if (!q->who.known || strcmp(line, "stop") != 0)
		return did_you_mean_offer(q->arena, line);
	return q->who.has_token && q->who.token.kind == TOKEN_WATCH
	               ? "To watch this game no more, answer: unwatch\n"
	                 "To get no mails at all, answer: stop all"
	               : "To get no mails at all, answer: stop all\n"
	                 "To end your account for good, answer: delete";
}

static struct note *refuse_prose(struct request *q, const char *word)
{
	return request_refuse(
		q, 0, "I read one command a line, and the line that begins with \"%.30s\" is none.",
		word);
}

/* Answers a sentence, which is no command with a slip, with the page that says how to begin, or
 * what a member can do. */
static bool refuse_sentence(struct parse *p, const char *word)
{
	struct request *q = p->q;
	bool asks = p->words.n > 1 && strchr(p->line, '?');
	if ((p->words.n <= DID_YOU_MEAN_SENTENCE && !asks) || q->note_count > 0)
		return false;
	struct note *n = refuse_prose(q, word);
	struct str page = str_in(q->arena, PAGE_BYTES);
	if (help_page(q->site, reader_language(q, request_userid(q)),
	              q->who.known ? "members" : "start", false, &page, &(struct err){ 0 }) == 0)
		n->body = page.data;
	return true;
}

/* 1: the line is refused because it may hold the sender's password. */
static int refuse_secret(struct parse *p, int64_t board, struct err *e)
{
	return p->q->who.known ? withhold_refuse(p->q, &p->q->who.player, board, "", p->line, e)
	                       : 0;
}

/* The command that the line may mean; for a moderator, who left out the word mod, the act's form.
 * Shows no password.  NULL: there is none. */
static const char *near_line(const struct parse *p, const char *line, const char *word)
{
	struct request *q = p->q;
	const struct command *act = q->who.known && roles_is_staff(&q->who.player)
	                                    ? command_act(command_find("mod", 3, NULL), word)
	                                    : NULL;
	const char *said = first_contact_act(q, line);
	const char *form = act ? act->usage : did_you_mean_line(q->arena, line);
	form = said && (act || !form) ? said : form;
	return form && str_prefix(form, "signup") && q->who.known && tournament_find_speaks(line)
	               ? "tournaments" /* "I want to join a tournament" */
	               : form;
}

/* "result 1 alice won", "please enter 1-0": no player and no director sends a result in. */
static bool refuse_result(struct parse *p, const char *word)
{
	static const char *const results[] = { "result",   "results",   "score",
		                               "ergebnis", "resultado", NULL };

	if (p->words.n < 2 || !p->q->who.known || first_contact_act(p->q, p->line) ||
	    (!first_words_has(results, word) && !first_contact_has_result(p->q->arena, p->line)))
		return false;
	return request_refused(
		p->q, 0,
		"Nobody sends a result in: the server writes it down when a game ends.  A moderator can correct one: help moderators");
}

/* "#17", "vacation?": the command that one word alone may mean; else the guess so far. */
static const char *lone_word(const struct parse *p, const char *word, const char *near)
{
	size_t len = strcspn(word, "?");
	const struct command *c = p->words.n == 1 && word[len] ? command_find(word, len, NULL)
	                                                       : NULL;
	struct board_ref ref;

	if (p->words.n == 1 && p->q->who.known && words_board(word, &ref)) {
		const struct match *m = request_match(p->q, ref.board, NULL);
		bool seek = m && offer_is_seek(m);

		return arena_printf(p->q->arena, seek ? "play %lld" : "show %lld",
		                    (long long)ref.board);
	}
	return !near && c ? arena_printf(p->q->arena, "help %s", c->word) : near;
}

/* The command that the line may mean, for who has an account and who has none.  NULL: none. */
static const char *near_command(struct parse *p, const char *word)
{
	struct arena *a = p->q->arena;
	const char *wish = friendly_wish(p->q, p->line);
	const char *near = wish ? wish : near_line(p, p->line, word);
	const struct command *c = near ? command_find(near, strcspn(near, " "), NULL) : NULL;

	if (p->q->who.known && near && str_prefix(near, "signup"))
		near = NULL;
	else if (!p->q->who.known && p->words.n > DID_YOU_MEAN_SENTENCE && c &&
	         (c->flags & CMD_PROOF)) /* "I want to play chess" */
		near = "signup <name>";
	if (!near)
		near = did_you_mean_help(a, p->line);
	return lone_word(p, word,
	                 did_you_mean_board(a, did_you_mean_fill(a, near, p->line), p->line));
}

/* A guess from the tournament that the line, or the answered mail, is about; near: the command that it
 * may mean, or NULL.  NULL: there is none. */
static const char *guess_tournament(struct request *q, const char *line, const char *near)
{
	bool open = !near || strcmp(near, "tournaments") == 0 || /* "I want to join the cup" */
	            str_prefix(near, "leave ");                  /* perhaps one left already */
	const char *wish = open && q->who.known ? tournament_find_wish(q, line) : NULL;

	if (wish || near || !q->who.known || first_contact_greets(q))
		return wish;
	wish = tournament_find_asked(q, line);
	return wish                           ? wish
	       : tournament_find_speaks(line) ? did_you_mean_offer(q->arena, "tournaments")
	                                      : NULL;
}

/* A guess at what the line means, as the lines below a refusal.  NULL: there is none. */
static const char *guess_unknown(struct parse *p, const char *word)
{
	struct request *q = p->q;
	bool answers = first_words_phrase(p->line, first_words_yes) ||
	               first_words_phrase(p->line, first_words_gladly) ||
	               first_words_phrase(p->line, first_words_no);
	const char *asks = answers && !request_board(q) ? tournament_asks(q) : NULL;

	if (asks)
		return asks;
	const char *near = near_command(p, word);
	const char *wish = guess_tournament(q, p->line, near);
	const char *none = !wish && near ? dispatch_none_waits(q, near) : NULL;
	return wish ? wish : none ? none : near ? offer(q, near) : NULL;
}

int dispatch_refuse_unknown(struct parse *p, const char *word, struct err *e)
{
	struct err why = { 0 };
	const char *guess = guess_unknown(p, word);
	int rc = guess ? 0 : refuse_secret(p, 0, e);

	if (rc != 0 || (!request_board(p->q) && refuse_result(p, word)))
		return rc < 0 ? rc : 1;
	if (!guess && (courtesy_refuse_letter(p->q, p->line) || refuse_sentence(p, word)))
		return 1;
	command_find(word, strlen(word), &why);
	if (guess && did_you_mean_said(p->line))
		word = p->words.v[0].text; /* "give me a hint": not of Giveaway */
	struct note *n = guess && p->words.n > DID_YOU_MEAN_SENTENCE ? refuse_prose(p->q, word)
	                 : guess ? request_refuse(p->q, 0, "I don't know the command \"%.30s\".",
	                                          word)
	                         : request_refuse(p->q, 0, "%s", why.text);
	n->body = guess ? guess
	                : arena_printf(p->q->arena,
	                               "Commands look like this:\n"
	                               "    match bob %s\n"
	                               "    move 17 e4\n"
	                               "    help",
	                               example_game(p->q));
	return 1;
}

/* A hint for a player of a game that has ended; NULL: it has not. */
static const char *over_hint(struct request *q, const struct match *m)
{
	uint8_t seat = request_seat(q, m);

	if (!m || seat == SEAT_NONE || match_is_solo(m) ||
	    (m->doc.state != GAME_FINISHED && m->doc.state != GAME_CLOSED))
		return NULL;
	const char *other = m->doc.players[!seat];
	return arena_printf(
		q->arena,
		m->ply ? "The game is over.  To write to %s, answer with: chat and your text"
		       : "This board is closed.  To write to %s, answer with: message %s and your text",
		other, other);
}

static const char *writes_to(struct request *q, const struct match *m, uint8_t seat)
{
	const char *judge = match_decider(m), *other = m->doc.players[!seat];

	return judge ? arena_printf(
			       q->arena,
			       "To write to %s and to the moderator %s, answer with: chat and your text",
			       other, judge)
	             : arena_printf(q->arena, "To write to %s, answer with: chat and your text",
	                            other);
}

/* A hint for a player who waits for the other one's move, and so can mean only a message, or who
 * wrote a sentence, or for a watcher; or NULL. */
static const char *chat_hint(struct request *q, const struct match *m, bool is_sentence)
{
	uint8_t seat = request_seat(q, m);
	uint8_t mover = m ? match_to_move(m) : SEAT_NONE;
	struct player_doc other;

	if (m && seat == SEAT_NONE && mover != SEAT_NONE)
		return "You watch this game.  To write to the others who watch it, answer with: chat and your text\n"
		       "To watch it no more, answer: unwatch";
	if (seat == SEAT_NONE || mover == SEAT_NONE || match_is_solo(m) ||
	    (mover == seat && !is_sentence) ||
	    (store_player_get(q->site->store, q->arena, m->doc.players[!seat], &other, NULL) == 0 &&
	     roles_is_computer(&other)))
		return NULL;
	return writes_to(q, m, seat);
}

/* The words about who stopped the clocks of the board, and how the game goes on; NULL: it is not
 * paused. */
static const char *paused_hint(struct request *q, const struct match *m)
{
	const struct event *pause = NULL;

	for (size_t i = 0; m && match_is_paused(m) && i < m->doc.event_count; i++)
		if (m->doc.events[i].kind == EVENT_PAUSE)
			pause = &m->doc.events[i];
	if (!pause || !pause->by || !pause->text)
		return NULL;
	return arena_printf(q->arena,
	                    "%s has paused this game.  The clocks go on when %s says so.\n"
	                    "The reason: %s\n"
	                    "To ask about it, write: message %s and your text",
	                    pause->by, pause->by, pause->text, pause->by);
}

/* The guess as it fits the board.  Abort would lose a game of a tournament: a page says so.  A rematch
 * comes after the game.  NULL: a draw is offered already. */
static const char *fitting_line(struct request *q, const struct match *m, const char *lines)
{
	uint8_t seat = request_seat(q, m);

	if (!m)
		return lines;
	if (m->doc.tournament && strcmp(lines, "abort") == 0)
		return "help abort";
	if (seat != SEAT_NONE && strcmp(lines, "hint") == 0 &&
	    !computer_is_practice(q, m, m->doc.players[!seat]))
		return "moves"; /* nobody helps against a player */
	if (seat != SEAT_NONE && m->doc.state == GAME_RUNNING && strcmp(lines, "rematch") == 0)
		return dispatch_second(q, m, seat);
	if (seat != SEAT_NONE && m->draw_offered_by == seat && strcmp(lines, "draw") == 0)
		return NULL;
	return str_prefix(lines, "O-O") ? guess_castling(q, m, seat, lines) : lines;
}

/* The hint where nothing can be guessed.  A question may be about the game. */
static const char *last_hint(struct request *q, const struct match *m, bool is_sentence, bool asks)
{
	const char *over = over_hint(q, m), *chat = over ? over : chat_hint(q, m, is_sentence);

	if (!chat)
		chat = "Moves look like e4, Nf3, exd5 or O-O.  All the ways to write them:\n    help moves";
	return m && asks ? arena_printf(q->arena, "%s\nThe rules in a page:  help %s", chat,
	                                m->game.rules->name)
	                 : chat;
}

/* Is the line, with its board in front, of an answer to a digest? */
static bool is_in_digest(const struct parse *p)
{
	return p->q->who.has_token && p->q->who.token.kind == TOKEN_DIGEST && p->has_ref;
}

/* The command with the number of its board in front, as an answer to a digest needs it. */
static const char *in_digest(const struct parse *p, const char *line)
{
	return is_in_digest(p) && !str_prefix(line, "help") && !did_you_mean_is_leave(line)
	               ? arena_printf(p->q->arena, "%lld: %s", (long long)p->ref.board, line)
	               : line;
}

/* Refuses prose about a board that the answered digest does not list. */
static bool refuse_unlisted(struct parse *p, const char *start)
{
	const struct digest_boards *listed = &p->q->who.listed;
	struct str s = STR_LOCAL(300);

	if (!is_in_digest(p) || listed->n == 0 || digest_boards_find(listed, p->ref.board))
		return false;
	for (size_t i = 0; i < listed->n; i++)
		str_addf(&s, "%s%lld", i ? ", " : "", (long long)listed->v[i].board);
	return request_refused(
		p->q, 0,
		"Board %lld is not in the list that you answered, and \"%.60s\" is no command.  Nothing was done.  The boards of that list: %s",
		(long long)p->ref.board, start, s.data);
}

/* The moderator whose act on the running board the answer may be about; NULL: nobody's. */
static const char *moderator_of(const struct match *m)
{
	return m && m->doc.state == GAME_RUNNING ? match_decider(m) : NULL;
}

/* The hint where no command fits: a word that is near, or a page, or how to write to the others. */
static const char *other_hint(struct parse *p, const struct match *m, const char *start,
                              const char *word)
{
	struct str near = STR_LOCAL(200);
	struct arena *a = p->q->arena;
	bool asks = strchr(start, '?'); /* "what" is not chat */
	bool judged = moderator_of(m);

	word = arena_strndup(a, word, strcspn(word, ".!?,;:"));
	struct err game = { 0 }; /* "king takes", "losing anyway" */
	bool few = p->words.n == 1 || (p->words.n == 2 && !rules_find(word, strlen(word), &game) &&
	                               game.code != ERR_CONFLICT);
	if (!asks && !judged && few && strlen(word) >= NEAR_MIN && command_nearest(word, &near))
		return arena_printf(a, "Did you mean %s?", near.data);
	bool sentence = p->words.n > 2 || asks || judged || first_line_is_greeting(start);
	return last_hint(p->q, m, sentence, asks);
}

/* The command, and how to write to the other player, for whom the sentence may be. */
static const char *offer_or_chat(struct parse *p, const struct match *m, const char *line)
{
	bool other = str_prefix(line, "message ") || str_prefix(line, "note "); /* is not for him */
	const char *chat = other ? NULL : last_hint(p->q, m, true, false);

	line = fitting_line(p->q, m, line);
	if (!line)
		return chat;
	line = offer(p->q, in_digest(p, line));
	return chat ? arena_printf(p->q->arena, "%s\n%s", line, chat) : line;
}

/* A guess what the writer of the line meant. */
static const char *guess_line(struct parse *p, const struct match *m, const char *start,
                              const char *word)
{
	struct arena *a = p->q->arena;
	const char *hint = piece_letters_hint(a, start);

	if (!hint)
		hint = guess_turn(p, m, start);
	if (!hint)
		hint = friendly_hint(p);
	if (hint)
		return guess_beside(p, m, start, hint);
	const char *line = did_you_mean_fill(a, near_line(p, start, word), start);
	const char *paused = paused_hint(p->q, m);
	const char *wish = line ? NULL : guess_on_board(p->q, start);
	if (wish)
		return offer_or_chat(p, m, wish);
	if (!line && paused)
		return paused;
	if (!line)
		line = did_you_mean_help(a, start);
	if (line && strcmp(line, "rematch") == 0 && moderator_of(m))
		line = NULL; /* "again?" after a rollback */
	if (line)
		line = fitting_line(p->q, m, line);
	return line ? offer(p->q, in_digest(p, line)) : other_hint(p, m, start, word);
}

/* Does the line seem to be a command that its sender can give for an offer of his own?  "I give up" is none:
 * no game has begun. */
static bool fits_own_offer(struct arena *a, const char *start)
{
	const char *line = did_you_mean_line(a, start);
	return line && (did_you_mean_is_leave(line) || strcmp(line, "withdraw") == 0 ||
	                !alone_words_has(arena_strndup(a, line, strcspn(line, " "))));
}

int dispatch_refuse_line(struct parse *p, const char *start, const char *word, struct err *e)
{
	int64_t board = p->has_ref ? p->ref.board : request_board(p->q);
	int rc = refuse_secret(p, board, e);

	if (rc != 0)
		return rc;
	const struct match *m = request_match(p->q, board, NULL);
	if (refuse_unlisted(p, start) || friendly_refuse(p, start))
		return 1;
	if (m && dispatch_is_own_offer(p->q, m) && !fits_own_offer(p->q->arena, start)) {
		dispatch_refuse_offered(p->q, m);
		p->q->notes[p->q->note_count - 1].body = friendly_unsaid(p->q, m);
		return 1;
	}
	const char *typed = piece_letters_typed(p->q, start);
	size_t n_typed = strlen(typed);
	struct note *n = request_refuse(
		p->q, board,
		"I read the first line of your answer as a move or a command, and \"%s\" "
		"is neither.  Nothing was played.",
		n_typed <= QUOTED ? typed
				  : arena_printf(p->q->arena, "%.*s…",
	                                         (int)utf8_cut(typed, n_typed, QUOTED), typed));

	n->flags |= NOTE_BOARD | NOTE_ASK;
	n->body = guess_line(p, m, start, word);
	const char *numbered = in_digest(p, "chat hello");
	if (is_in_digest(p) &&
	    !strstr(n->body,
	            arena_printf(p->q->arena, "    %.*s", (int)strcspn(numbered, ":"), numbered)))
		n->body = arena_printf(p->q->arena,
		                       "%s\nThe number of the board comes first, for example: %s",
		                       n->body, numbered);
	return 1;
}

void dispatch_refuse_no_game(struct parse *p)
{
	const struct call *c = &p->call;
	const struct rules *r = NULL;
	const char *rest = "";
	size_t i = 1;

	for (; !r && i < c->argc; i++) /* "challenge bob to chess" */
		r = rules_find(c->argv[i], strlen(c->argv[i]), NULL);
	struct note *n = request_refuse(p->q, 0,
	                                r ? "The name of the game comes first.  The form is: %s"
	                                  : "The name of the game is missing.  The form is: %s",
	                                c->command->usage);
	for (; r && i < c->argc; i++)
		rest = arena_printf(p->q->arena, "%s %.40s", rest, c->argv[i]);
	if (c->argc == 1 &&
	    (strcasestr(p->q->mail.subject, "ladder") || strcasestr(p->q->mail.subject, "leiter")))
		n->body = did_you_mean_offer(
			p->q->arena,
			arena_printf(p->q->arena, "ladder challenge %.40s", c->argv[0]));
	else if (r || c->argc == 1)
		n->body = did_you_mean_offer(
			p->q->arena, arena_printf(p->q->arena, "match %.40s %s%.200s", c->argv[0],
		                                  r ? r->name : example_game(p->q), rest));
}
