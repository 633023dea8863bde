#include "pbm/commands/courtesy.h"

#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/str.h"
#include "pbm/commands/first_contact.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/play/vacation_words.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/words/after_turn.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/closing.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/piece_letters.h"
#include "pbm/commands/words/sentence.h"
#include "pbm/commands/words/text_command.h"
#include "pbm/commands/writer.h"
#include "pbm/people/computer.h"
#include "pbm/people/naming.h"
#include "pbm/record/match.h"
#include "pbm/record/match_asked.h"
#include "pbm/record/vacation.h"
#include "pbm/request/tournament_follow.h"
#include "pbm/text/words.h"
#include "store/document/tournament.h"
#include "store/store_documents.h"

#define LINE_SHOWN 200
#define SAID_WORDS 12   /* of thanks, in which a player may be named */
#define SUBJECT_WORDS 8 /* of an answered mail that may name a player */

/* The first other player whom the Subject of an answer names, to a mail about no board.  NULL: none. */
static const char *names_player(struct request *q)
{
	const char *player = NULL;
	struct words w;

	if (!q->who.has_token || q->who.token.kind != TOKEN_LOBBY || !q->mail.subject)
		return NULL;
	words_split(q->arena, q->mail.subject, &w);
	for (size_t i = 0; !player && i < w.n && i < SUBJECT_WORDS; i++)
		player = wish_player(q, w.v[i].text);
	return player;
}

/* Shows how the line, which went to nobody, goes to the player, and what else waits for an answer about
 * him. */
static bool refuse_text_for(struct request *q, const char *line, const char *player)
{
	if (!player)
		return false;
	const char *asks = q->who.has_token ? tournament_asks(q) : NULL;
	bool about = asks && strcasestr(asks, arena_printf(q->arena, " add %s\n", player));
	request_refuse(
		q, 0,
		"Your answer went to nobody: I found no command in it.  To send it to %s, answer with this first line, and the rest of your text below it:",
		player)
		->body = arena_printf(q->arena, "    message %s %.*s%s%s", player, LINE_SHOWN,
	                              piece_letters_typed(q, line), about ? "\n\n" : "",
	                              about ? asks : "");
	return true;
}

bool courtesy_refuse_answer(struct request *q, const char *line)
{
	const char *writer = writer_named(q);

	if (!writer && strchr(line, ' ')) /* "Get well soon": to "erin has left spring" */
		writer = names_player(q);
	return refuse_text_for(q, line, writer);
}

bool courtesy_refuse_letter(struct request *q, const char *line)
{
	return refuse_text_for(q, line, first_contact_greets(q)) || courtesy_refuse_answer(q, line);
}

/* "until monday, please", "off" */
static bool is_vacation(struct request *q, const char *text)
{
	static const char *const begins[] = { "now", "off", NULL };
	struct vacation_words days = vacation_words_read(q->arena, text, q->now / CLOCK_DAY);
	int64_t first;

	return days.n > 0 &&
	       (str_is_any(days.words[0], begins) || vacation_read_day(days.words[0], &first));
}

static const char *bare(struct request *q, const struct words *w, size_t i)
{
	return arena_strndup(q->arena, w->v[i].text, strcspn(w->v[i].text, ",:.!?"));
}

/* Does the first word after the command name what it is about: a player to write to, a tournament, a
 * game, an address, days? */
static bool names_object(struct request *q, const struct command *c, const struct words *w)
{
	const char *word = bare(q, w, 1);
	struct tournament_doc t;

	if (strcmp(c->word, "vacation") == 0)
		return is_vacation(q, w->v[1].start);
	if (strcmp(c->word, "message") == 0)
		return text_command_is_player(q, word) || strcasecmp(word, "moderators") == 0;
	for (size_t i = 1; strstr(c->usage, "userid") && i < w->n && i < 3; i++)
		if (text_command_is_player(
			    q, bare(q, w, i))) /* "noplay with alice!", to alice's message */
			return true;
	return strchr(w->v[w->n - 1].text, '@') ||
	       (w->n == 2 && (rules_find(word, strlen(word), NULL) || /* "help chess!" */
	                      (strcmp(c->word, "help") == 0 && command_is_one(word)))) ||
	       (strstr(c->usage, "tournament") &&
	        store_tournament_get(q->site->store, q->arena, word, &t, NULL) == 0);
}

bool courtesy_is_command(struct request *q, const char *line)
{
	struct words w;

	if (!command_is_one(line))
		return first_line_is_clear(line);
	if (body_lines_has_board(line))
		return body_lines_behind_board(line);
	line = first_line_without_please(q->arena, line);
	words_split(q->arena, line, &w);
	const struct command *c = command_find(w.v[0].text, strlen(w.v[0].text), NULL);
	if (!c || w.n == 1 || text_command_is(q, line) || names_object(q, c, &w))
		return true;
	if (alone_words_has(c->word)) /* is asked back */
		return true;
	return closing_cut(q->arena, line, NULL) && !sentence_is_prose(&w) &&
	       strcmp(c->word, "if") != 0 && strcmp(c->word, "chat") != 0;
}

void courtesy_tell_writer(struct request *q, const char *writer, size_t from)
{
	for (size_t i = from; i < q->note_count; i++)
		if (q->notes[i].flags & NOTE_REFUSED &&
		    !str_prefix(q->notes[i].headline, "Your answer went to nobody")) {
			withhold_say(
				q,
				"Your answer did not go to %s.  To send text there, begin with: message %s",
				writer, writer);
			return;
		}
}

/* Can a mere "thanks" or "ok" answer the mail before it?  Words under a game that is over go to the
 * other player. */
static bool may_matter(struct request *q)
{
	const struct token *t = &q->who.token;
	bool said;

	if (writer_answered(q))
		return true;
	if (!q->who.has_token || t->kind == TOKEN_LOBBY || t->kind == TOKEN_DIGEST ||
	    t->kind == TOKEN_PUZZLE)
		return false;
	const struct match *m = t->kind == TOKEN_GAME ? request_match(q, t->board, NULL) : NULL;

	return !m || (m->doc.state != GAME_RUNNING && m->doc.state != GAME_OFFERED) ||
	       match_asked(m, t->seat, &said);
}

/* Does the Subject of a new mail say something: "sign up zac" above a "thank you"?  Or a word after
 * one of ours, "Re: Chess #1 alice-bob: your move (1... e5) Nf3"? */
static bool is_new_subject(const struct request *q, const char *subject)
{
	const char *end = strchr(subject, '#') ? strrchr(subject, ')') : NULL;

	if (end && end[1 + strspn(end + 1, " .!")])
		return true;
	return *subject && strncasecmp(q->mail.subject, "re:", 3) != 0 &&
	       !first_line_is_thanks(subject);
}

/* Returns the mail's text without a closing formula.  NULL: it has none, or its Subject is a
 * command or says something else. */
static const char *said_by(struct request *q, const char *subject, const char *text)
{
	const char *said = body_lines_trim(q->arena, text);
	const char *cut = said ? closing_cut(q->arena, said, request_userid(q)) : NULL;

	if (!q->who.has_token && command_is_one(subject))
		return NULL;
	if (!said)
		return q->who.has_token ? NULL : subject;
	if (!q->who.has_token && is_new_subject(q, subject))
		return NULL;
	return cut ? cut : arena_strndup(q->arena, said, strcspn(said, "\n"));
}

static void say_nothing_asked(struct request *q, const char *said)
{
	int64_t board = request_board(q);
	const struct match *m = request_match(q, board, NULL);
	struct note *n = request_note(q, NULL, board, m ? NOTE_ASK : 0);

	n->body = m ? NULL : tournament_asks(q);
	n->headline = arena_printf(q->arena,
	                           n->body ? "Your \"%.40s\" alone does nothing."
	                                   : "Nothing was asked, so your \"%.40s\" does nothing.",
	                           said);
	if (!m)
		return;
	n->seat = request_seat(q, m);
	if (n->seat != SEAT_NONE && m->doc.state == GAME_RUNNING && !match_is_solo(m) &&
	    !computer_is_name(q, m->doc.players[!n->seat]))
		n->body = arena_printf(q->arena, "To write it to %s, answer with: chat %.40s",
		                       m->doc.players[!n->seat], said);
}

/* Do the thanks name the other player or the game? */
static bool names_opponent(const char *said, const char *opponent)
{
	static const char *const games[] = {
		"game", "partie", "partida", "partita", "spiel", NULL
	};

	return str_holds_any(said, games) || strcasestr(said, opponent);
}

/* "Good luck!" or "please wait" in an answer to a running game: words for the other player.  Mere
 * thanks for a mail that does not wait for a move may be for the server. */
static bool is_for_opponent(struct request *q, const char *said)
{
	const struct token *t = &q->who.token;
	const struct match *m = q->who.proof == PROOF_TOKEN && t->kind == TOKEN_GAME
	                                ? request_match(q, t->board, NULL)
	                                : NULL;

	if (!m || m->doc.state != GAME_RUNNING || match_is_solo(m))
		return false;
	bool thanks = false;
	if (names_opponent(said, m->doc.players[!t->seat]) || match_wrote_last(m, !t->seat))
		return true;
	for (const char *word = said; *word;
	     word += strcspn(word, " "), word += strspn(word, " ")) {
		if (first_words_phrase(word, first_words_luck) ||
		    first_words_phrase(word, first_words_farewell))
			return true;
		thanks = thanks || first_words_phrase(word, first_words_thanks) ||
		         first_words_phrase(word, first_words_noted);
	}
	return (!thanks || match_to_move(m) == t->seat) && !did_you_mean_said(said);
}

static void say_how_to_pass_on(struct request *q, const char *said)
{
	const struct match *m = request_match(q, q->who.token.board, NULL);
	struct note *n = request_note(q, NULL, m->doc.board, NOTE_REFUSED | NOTE_ASK);

	n->seat = q->who.token.seat;
	const char *other = m->doc.players[!q->who.token.seat];
	if (computer_is_name(q, other)) {
		n->headline = "Your opponent is a computer, which reads no text.";
		return;
	}
	n->headline = arena_printf(q->arena,
	                           "This went to nobody.  To write it to %s, answer with:", other);
	n->body = arena_printf(q->arena, "    chat %.60s", said);
}

/* The player whom the words name, but the sender and the other player of the answered board; NULL: none. */
static const char *names_somebody(struct request *q, const char *said)
{
	const struct match *m = request_match(q, request_board(q), NULL);
	struct words w;

	words_split(q->arena, said, &w);
	for (size_t i = 0; i < w.n && i < SAID_WORDS; i++) {
		const char *word = arena_strndup(q->arena, w.v[i].text,
		                                 strcspn(w.v[i].text, ".,;:!"));
		const char *player = *word && !naming_is_common(word) ? wish_player(q, word) : NULL;

		if (player && !(m && match_seat_of(m, player) != SEAT_NONE))
			return player;
	}
	return NULL;
}

/* "Thank you, carol", to a moderator's act: carol does not get it.  false: it names nobody. */
static bool refuse_named(struct request *q, const char *said)
{
	const char *name = q->who.has_token && q->who.known ? names_somebody(q, said) : NULL;

	if (!name)
		return false;
	q->current = said;
	request_refuse(q, request_board(q),
	               "This went to nobody.  To write it to %s, answer with:", name)
		->body = arena_printf(q->arena, "    message %s: %.60s", name, said);
	return true;
}

/* "Good luck everybody", in an answer to a mail about no board, and any thanks for a message under a
 * Subject that does not fit it: words for players, who don't get them. */
static bool refuse_luck(struct request *q, const char *said)
{
	bool luck = false, thanks = false;

	if (!q->who.has_token || q->who.token.kind != TOKEN_LOBBY)
		return false;
	for (const char *word = said; *word;
	     word += strcspn(word, " "), word += strspn(word, " ")) {
		luck = luck || first_words_phrase(word, first_words_luck);
		thanks = thanks || first_words_phrase(word, first_words_thanks);
	}
	if (!*q->who.token.mark && (!luck || thanks))
		return false;
	q->current = said;
	return request_refused(
		q, 0,
		"This went to nobody.  To write to a player, write: message <name> and your text");
}

/* "Thank you all for the nice tournament.  See you next time!": thanks, to a mail about no board, in a letter that asks for nothing and holds no command. */
static bool is_praise(struct request *q, const char *text)
{
	return q->who.has_token && q->who.token.kind == TOKEN_LOBBY && text &&
	       first_line_is_praise(text) && !writer_named(q) &&
	       !first_contact_holds_command(q, text);
}

/* "ok" or "no, thanks" of a member in a mail that answers none: it names nothing that it could be
 * about. */
static bool refuse_lone_answer(struct request *q, const char *said)
{
	if (!said || q->who.has_token || !q->who.known || command_is_one(said) ||
	    (!first_line_says_yes(said) && first_line_answers(said, NULL, false) != FIRST_NO))
		return false;
	q->current = said;
	return request_refused(
		q, 0,
		"Your \"%.40s\" answers no mail of mine, so I can't tell what it is about.  Nothing was done.  Answer the mail that asked you; what waits for you is in the answer to: pending",
		said);
}

/* Is the whole text "accepted" or "I accept the draw", with no move before it? */
static bool is_acceptance(const char *said)
{
	return !strchr(said, '\n') && !first_line_is_move(said) && after_turn_accepts(said);
}

/* A yes, or "accepted", where nothing was asked? */
static bool is_empty_yes(struct request *q, const char *said)
{
	return said && q->who.has_token && !command_is_one(said) && !writer_named(q) &&
	       (first_line_answers(said, NULL, false) == FIRST_YES ||
	        (request_board(q) && is_acceptance(said)));
}

/* "Sure, thanks Alice!" to an invitation: it waits for a yes or a no. */
static bool refuse_invited(struct request *q, const char *said)
{
	bool yes = first_words_phrase(said, first_words_yes) ||
	           first_words_phrase(said, first_words_gladly) ||
	           first_line_answers(said, NULL, true) == FIRST_YES || tournament_invited(q, true);
	const char *asks = yes && q->who.has_token && q->who.token.kind == TOKEN_LOBBY
	                           ? tournament_asks(q)
	                           : NULL;

	if (asks)
		request_refuse(q, 0, "Nothing was done.")->body = asks;
	return asks;
}

/* Thanks get no answer, but to what waits for one. */
static void take_thanks(struct request *q, const char *said)
{
	if (refuse_luck(q, said) || refuse_invited(q, said))
		return;
	log_info("no answer to %s: the mail holds nothing but thanks", q->mail.from);
	q->settled = true;
}

bool courtesy_take(struct request *q, const char *subject, const char *text)
{
	const char *said = may_matter(q) ? NULL : said_by(q, subject, text);

	bool thanks = said && first_line_is_thanks(said);

	if (thanks && refuse_named(q, said))
		return true;
	if (thanks && is_for_opponent(q, said)) {
		say_how_to_pass_on(q, said);
		return true;
	}
	if (said && (thanks || is_praise(q, text)) &&
	    (request_board(q) || !first_contact_greets(q))) {
		take_thanks(q, said);
		return true;
	}
	if (refuse_lone_answer(q, said))
		return true;
	if (!is_empty_yes(q, said))
		return false;
	say_nothing_asked(q, said);
	return true;
}

/* ---- Subjects ---- */

/* The command of the whole sentence; NULL: none is known. */
static const char *said_together(struct request *q, const char *subject, const char *line)
{
	const char *said = line ? did_you_mean_said(arena_printf(q->arena, "%s %s", subject, line))
	                        : NULL;

	return said && str_prefix(said, "help ") ? said : NULL;
}

bool courtesy_goes_on(struct request *q, const char *subject, const char *line)
{
	return said_together(q, subject, line) != NULL;
}

bool courtesy_refuse_subject(struct request *q, const char *subject, const char *text)
{
	const char *line = body_lines_next_filled(q, &text), *raw = q->mail.subject;
	const struct command *c = command_find(subject, strcspn(subject, " \t.!"), NULL);
	const char *together = said_together(q, subject, line);
	bool answers = !str_prefix(raw + strspn(raw, " \t"), subject);
	bool no = line && (first_line_says_no(line) || first_line_says_but(line) || together ||
	                   strcasestr(line, " not ") || strcasestr(line, "n't ") ||
	                   strcasestr(line, " nicht "));

	if (!line || !c || !alone_words_has(c->word) || (!answers && !no))
		return false;
	struct note *n = request_refuse(
		q, 0,
		"I am not sure whether you mean the \"%.20s\" in your Subject: your text says more.  Nothing was done.  If you mean it, answer with that word alone.",
		subject);
	n->body = together ? did_you_mean_offer(q->arena, together) : NULL;
	return true;
}

/* "Password change", "Change of my password" above a whole "change password …". */
static bool titles_change(struct request *q, const char *subject, const char *line)
{
	const struct command *c = command_find(subject, strcspn(subject, " "), NULL);
	struct words w;

	if (!c || strcmp(c->word, "change") != 0 ||
	    command_find(line, strcspn(line, " "), NULL) != c)
		return false;
	words_split(q->arena, subject, &w);
	return w.n < 3 || (strcasecmp(w.v[1].text, "password") != 0 &&
	                   strcasecmp(w.v[1].text, "address") != 0);
}

/* Is the Subject the title of the command below: "Tournament" of "join cup", "Vacation" of "vacation
 * until monday", "Chess" of "signup dave"?  c: the command of the Subject's word, or NULL. */
static bool titles_command(const char *subject, const struct command *c, const char *line)
{
	const struct command *below = command_find(line, strcspn(line, " "), NULL);

	if (!below || !strchr(line, ' ') || !command_is_one(line))
		return false;
	if (!c || c == below)
		return c || rules_named(subject, strlen(subject));
	return !(c->flags & CMD_PROOF) &&
	       ((below->flags & CMD_PROOF) || strcmp(below->word, "signup") == 0);
}

bool courtesy_is_title(struct request *q, const char *subject, const char *text)
{
	const struct command *c = command_find(subject, strlen(subject), NULL);
	const char *line = body_lines_next_filled(q, &text);

	if (!line)
		return false;
	return titles_command(subject, c, line) || titles_change(q, subject, line) ||
	       (c && !(c->flags & CMD_PROOF) && strcasecmp(c->word, subject) != 0 &&
	        strchr(line, ' ') && !command_is_one(line));
}
