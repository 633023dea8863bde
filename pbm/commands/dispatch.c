/* Runs a line: reads command, board and arguments, and checks who speaks and whether the command
 * may run. */
#include "pbm/commands/dispatch.h"

#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/comment_lines.h"
#include "pbm/commands/courtesy.h"
#include "pbm/commands/dispatch_board.h"
#include "pbm/commands/dispatch_pair.h"
#include "pbm/commands/dispatch_unknown.h"
#include "pbm/commands/first_contact.h"
#include "pbm/commands/first_language.h"
#include "pbm/commands/friendly.h"
#include "pbm/commands/guess.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/proof/authority.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/proof/question.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/short_form.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/people/audit.h"
#include "pbm/record/match.h"
#include "pbm/text/words.h"

#define REST_SHOWN 60 /* bytes */

/* The word is no command: a bare move if the board is known, else a refusal. */
static int parse_bare(struct parse *p, const char *start, const char *word, struct err *e)
{
	const char *text = command_move_text(start);
	bool move = first_line_is_move(text);

	if (!move && p->has_ref && !p->ref.marked && request_board(p->q)) {
		p->has_ref = false; /* "3 days please": prose begins with the number */
		start = p->words.v[0].start;
		word = p->words.v[0].text;
	}
	if (!move && p->q->who.known && friendly_asks(p, start, "moves"))
		return 0;
	if (dispatch_has_board(p) && *start && !move)
		return friendly_take(p, start) ? 0 : dispatch_refuse_line(p, start, word, e);
	if (dispatch_has_board(p) || (move && p->q->who.known)) {
		p->call.command = command_find("move", 4, NULL);
		return 0;
	}
	return dispatch_refuse_unknown(p, word, e);
}

/* "show ifs", "forget ifs", "show 17 ifs": the second word, perhaps after the board, makes
 * another command of it. */
static void parse_ifs(struct parse *p)
{
	struct words *w = &p->words;
	bool show = strcmp(p->call.command->word, "show") == 0;
	struct board_ref ref;
	size_t at = p->i;

	if (!show && strcmp(p->call.command->word, "forget") != 0)
		return;
	bool board = at + 1 < w->n && words_board(w->v[at].text, &ref);
	at += board;
	if (at >= w->n ||
	    (strcasecmp(w->v[at].text, "ifs") != 0 && strcasecmp(w->v[at].text, "if") != 0))
		return;
	if (show)
		p->call.command = command_find("ifs", 3, NULL);
	if (board) {
		p->ref = ref;
		p->has_ref = true;
	}
	p->i = at + 1;
}

/* "mod pause 17 why", "ladder join": the second word says which act it is. */
static void parse_act(struct parse *p)
{
	const struct words *w = &p->words;
	const struct command *act;

	if (p->i >= w->n)
		return;
	act = command_act(p->call.command, w->v[p->i].text);
	if (!act)
		return;
	p->call.command = act;
	p->i++;
}

/* A game's name, then a command; the name alone asks for the game's help page. */
static int parse_game(struct parse *p, struct err *e)
{
	struct words *w = &p->words;
	const char *next = p->i + 1 < w->n ? w->v[p->i + 1].text : "help";

	p->call.command = command_find(next, strlen(next), NULL);
	if (!p->call.command &&
	    dispatch_has_board(p)) { /* "con mucho gusto", "king to e2": no game */
		p->call.rules = NULL;
		return parse_bare(p, w->v[p->i].start, w->v[p->i].text, e);
	}
	if (!p->call.command)
		return dispatch_refuse_unknown(p, next, e);
	p->i = p->i + 2 < w->n ? p->i + 2 : w->n;
	parse_ifs(p);
	parse_act(p);
	dispatch_board_message(p);
	return 0;
}

/* Finds the command, also "draw?"; without a known board so a word that acts, and it is asked back. */
static bool find_command(struct parse *p, const char *word)
{
	const struct command *c = command_find(word, strlen(word), NULL);

	if (!c) {
		c = command_find(word, strcspn(word, ".!?,;:"), NULL);
		bool reads = c && !(c->flags & CMD_PROOF) && p->words.n == 1; /* "games?" */
		if (c && !dispatch_has_board(p) && !alone_words_has(c->word) && !reads)
			c = NULL;
		p->marked = c && strpbrk(word, "?:");
	}
	p->marked |= c && strstr(word, "..") != NULL; /* "resign..." hesitates */
	p->call.command = c;
	return c != NULL;
}

/* "17:" in front, then [game] command, or a bare move.  0: call.command is set;
 * 1: refused. */
static int parse_command(struct parse *p, struct err *e)
{
	struct words *w = &p->words;

	if (w->n > 1 && dispatch_next_board(p, &p->ref)) {
		p->has_ref = true;
		p->i++;
	}
	const char *word = p->i < w->n ? w->v[p->i].text : "";
	if (guess_refuse(p))
		return 1;
	/* Such a sentence may begin with the word of another command: "who is to move?" */
	if (dispatch_has_board(p) && p->i + 1 < w->n && friendly_reads(p, w->v[p->i].start))
		return 0;
	if (find_command(p, word)) {
		p->i++;
		parse_ifs(p);
		parse_act(p);
		dispatch_board_message(p);
		return 0;
	}
	if (strcasecmp(word, "all") == 0 && p->i + 1 < w->n &&
	    command_find(w->v[p->i + 1].text, strlen(w->v[p->i + 1].text), NULL))
		return parse_game(p, e); /* "all show bob": of all kinds of games */
	p->call.rules = dispatch_game(p, word);
	return p->call.rules ? parse_game(p, e)
	                     : parse_bare(p, p->i < w->n ? w->v[p->i].start : "", word, e);
}

/* "challenge suicide alice bob", "match suicide bob": the game follows the command. */
static void parse_game_behind(struct parse *p)
{
	const char *word = p->i + 1 < p->words.n ? p->words.v[p->i].text : "";
	const char *next = *word ? p->words.v[p->i + 1].text : "";

	if (!*word || p->call.rules || *next == '-' || rules_find(next, strlen(next), NULL))
		return;
	p->call.rules = rules_find(word, strlen(word), NULL);
	p->i += p->call.rules != NULL;
}

/* "<alice>", as a usage shows it, and "alice."  are alice; another word stays as it is. */
static const char *bare_word(struct arena *a, const char *word, bool last)
{
	static const char name[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	bool bracket = strchr("<'[", *word) != NULL;
	size_t n = strspn(word + bracket, name);
	const char *behind = word + bracket + n;

	if (n == 0 || (bracket && !strchr(">']", *behind)) || (!bracket && !last))
		return word;
	behind += bracket;
	return behind[strspn(behind, ".!,")] ? word : arena_strndup(a, word + bracket, n);
}

/* "seek chess please", "join spring, good luck": the command without these words.  The first one may
 * be a name. */
static void drop_please(struct parse *p)
{
	struct words *w = &p->words;

	for (size_t i = p->i; i < w->n; i++) {
		const char *at = w->v[i].start;
		bool more = i > p->i && strcmp(p->call.command->word, "set") != 0;

		if (!first_words_phrase(at, more ? first_words_courtesy : first_words_please) ||
		    !first_line_is_courtesy(at))
			continue;
		p->call.rest = arena_strndup(p->q->arena, p->call.rest,
		                             (size_t)(at - w->v[p->i].start));
		w->n = i;
	}
}

static void parse_rest(struct parse *p)
{
	struct call *c = &p->call;

	c->rest = p->i < p->words.n ? p->words.v[p->i].start : "";
	if (*c->rest == '"' && strcmp(c->command->word, "move") == 0) /* move 17 "e4" */
		c->rest = arena_printf(p->q->arena, "%s %s", p->words.v[p->i].text,
		                       p->i + 1 < p->words.n ? p->words.v[p->i + 1].start : "");
	if (alone_words_has(c->command->word)) {
		const char *core = alone_words_core(p->q->arena, c->rest, &p->thanked);

		p->said = c->rest + strlen(core);
		c->rest = core;
		c->rest = alone_words_polite(p->q->arena, c->command->word, c->rest);
		words_split(p->q->arena, c->rest, &p->words);
		p->i = 0;
	}
	if (!(c->command->flags & (CMD_TEXT | CMD_STAFF | CMD_NOT_HELD)) &&
	    strcmp(c->command->word, "move") != 0)
		drop_please(p);
	while (p->i < p->words.n && c->argc < CALL_WORDS_MAX) {
		bool first = c->argc == 0, last = p->i + 1 == p->words.n;
		const char *text = p->words.v[p->i++].text;

		c->argv[c->argc++] = c->command->flags & CMD_NOT_HELD && !first
		                             ? text /* perhaps a password */
		                             : bare_word(p->q->arena, text, last);
	}
}

/* "set language de" beside a signup?  The account will have it (first_language.h). */
static bool is_of_signup(const struct parse *p)
{
	const struct call *c = &p->call;

	return !p->q->who.known && strcmp(c->command->word, "set") == 0 && c->argc > 0 &&
	       strcasecmp(c->argv[0], "language") == 0 &&
	       (p->q->signup.questions > 0 || first_language_signs_up(p->q));
}

/* 0: go on; 1: refused or held. */
static int check_proof(struct parse *p, struct err *e)
{
	struct request *q = p->q;

	if (!(p->call.command->flags & CMD_PROOF) || p->call.proved)
		return 0;
	if (is_of_signup(p))
		return 1;
	if (!q->who.known && !p->pair_unchecked) {
		int rc = authority_is_own_mails(q, &p->call) ? question_add_wish(q, p->line, e) : 0;
		if (rc != 0)
			return rc;
		dispatch_refuse_stranger(q);
		return 1;
	}
	if (p->call.command->flags & CMD_NOT_HELD)
		return request_refused(
			q, 0,
			"I need a proof that this command is yours.  Send it as an answer to any mail of mine, or with your password.  The form is: %s",
			p->call.command->usage);
	/* Lines that would be refused are not held.  After another held line that is not known yet, nor
	 * what to warn of.  Who gave an unchecked password must not see a refusal with the board. */
	int rc = p->pair_unchecked || q->held.count > 0 ? 0 : command_read(q, &p->call, e);
	if (rc == 0)
		hold_line(q, &p->call, p->line);
	return rc < 0 ? rc : 1;
}

/* Decides whether the line is proved: by its own password, or by the mail's proof if that covers
 * the command.  An unchecked password of the sender's own account does not weaken that proof:
 * guesses in a player's name must not stop the player's moves. */
static int check_authority(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	struct call *c = &p->call;
	bool other = p->pair_unchecked && !(c->actor && request_is_by(q, c->actor->userid));

	c->proved = p->pair_is_right || (!other && !p->pair_doubtful && authority_covers(q, c));
	if (c->proved || p->pair_unchecked || q->who.proof != PROOF_TOKEN ||
	    !(c->command->flags & CMD_PROOF))
		return 0;
	return audit_refusal(q, AUDIT_TOKEN_SCOPE, request_userid(q), c->command->word, e);
}

/* Loads the board and checks who may see it, seat and state.  1: refused. */
static int check_board(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	struct call *c = &p->call;
	int rc = dispatch_load_board(p, e);

	if (rc != 0)
		return rc;
	bool staff = (c->command->flags & CMD_STAFF) && c->actor && moderate_acts_on(q, c);
	if (!staff && !match_shows_to(c->match, c->actor ? c->actor->userid : NULL))
		return request_refuse_private(q, c->match);
	if (!c->actor && (c->command->flags & CMD_PROOF))
		return check_proof(p, e);
	rc = dispatch_check_board(p);
	const char *act = rc == 1 && c->seat == SEAT_NONE ? first_contact_act(q, p->line) : NULL;
	if (act) /* "Board 1 should be a draw" */
		q->notes[q->note_count - 1].body = did_you_mean_offer(q->arena, act);
	return rc;
}

/* Names in the refusal the words that were too many, if they hold no secret. */
static int quote_rest(struct parse *p, struct note *n, struct err *e)
{
	const struct call *c = &p->call;
	struct arena *a = p->q->arena;
	const char *kept;
	const char *rest = c->rest +
	                   str_prefix(c->rest, alone_words_argument(a, c->command->word, c->rest));
	struct withheld w;
	int rc = withhold_lines(p->q, rest, NULL, &kept, &w, e);

	if (rc == 0 && kept && *kept && request_is_proved(p->q))
		n->body = arena_printf(a, "This is too much on the line:\n    %.*s",
		                       (int)utf8_cut(kept, strlen(kept), REST_SHOWN), kept);
	return rc;
}

/* Is the command no word that acts, or alone on its line but for thanks to the other player? */
static bool stands_alone(const struct parse *p)
{
	const struct call *c = &p->call;

	if (!alone_words_has(c->command->word))
		return true;
	bool thanks = !*p->thanked ||
	              (c->match && match_seat_of(c->match, p->thanked) != SEAT_NONE);
	return !p->marked && thanks && alone_words_takes(c->command->word, c->rest);
}

/* Checks that a word that acts is alone on its line, and nothing below speaks against it.  1: it is not, and
 * the player is asked back. */
static int check_alone(struct parse *p, struct err *e)
{
	const struct call *c = &p->call;

	if (stands_alone(p))
		return comment_lines_refuse(p->q, c, p->line)
		               ? 1
		               : comment_lines_thank(p->q, c, p->said, e);
	if (p->marked && !*c->rest)
		return dispatch_refuse_mark(p);
	if (dispatch_names_other_board(p) ||
	    (!request_board(p->q) && courtesy_refuse_answer(p->q, p->line)))
		return 1;
	bool ends = strcmp(c->command->word, "delete") == 0;
	struct note *n = request_refuse(
		p->q, c->board,
		ends ? "I do this only when nothing else stands on the line.  Nothing was done.  To end your account for good, write just this line: %s"
		     : "I do this only when nothing else stands on the line.  Nothing was done.  If you mean it, write just this line: %s",
		first_line_declines(c->rest) ? "decline" : dispatch_line_alone(p));
	n->subject = arena_printf(p->q->arena, "%s was not done", dispatch_shown_word(p));
	int rc = quote_rest(p, n, e);
	if (!*alone_words_argument(p->q->arena, c->command->word, c->rest))
		dispatch_offer_said(p, n);
	const char *terms = friendly_terms(p);
	if (terms)
		n->body = n->body ? arena_printf(p->q->arena, "%s\n%s", n->body, terms) : terms;
	return rc < 0 ? rc : 1;
}

static int parse_arguments(struct parse *p, struct err *e)
{
	const struct command *cmd = p->call.command;
	int rc = 0;

	if (cmd->flags & CMD_BOARD)
		rc = dispatch_parse_board(p, e);
	if (rc == 0 && !((cmd->flags & CMD_NOT_HELD) && !(cmd->flags & CMD_PAIR)))
		rc = dispatch_pair(p, e);
	if (rc == 0 && p->pair_is_right)
		parse_act(p); /* "ladder alice secret join chess" */
	if (cmd->flags & CMD_GAME_AFTER)
		parse_game_behind(p);
	if (rc == 0)
		parse_rest(p);
	return rc;
}

/* The line as the answer may repeat it: secrets blanked. */
static int echo_of(struct parse *p, const char **echo, struct err *e)
{
	char *text = arena_strdup(p->q->arena, p->line);

	*echo = text;
	if (p->call.command && (p->call.command->flags & CMD_NOT_HELD))
		*echo = arena_printf(p->q->arena, "%s …", p->call.command->word);
	else if (!p->call.command && p->words.n > 1)
		*echo = arena_printf(p->q->arena, "%s …", p->words.v[0].text);
	else if (p->password)
		dispatch_blank(text, p->password);
	else
		return dispatch_pair_blank(p, text, e);
	return 0;
}

static struct parse *begin_parse(struct request *q, const char *line)
{
	struct parse *p = arena_alloc(q->arena, sizeof *p);

	line = guess_list(q, short_form_line(q, line));
	*p = (struct parse){ .q = q, .line = line };
	q->held.why = NULL;
	words_split(q->arena, line, &p->words);
	p->call.actor = q->who.known ? &q->who.player : NULL;
	p->call.proved = request_is_proved(q);
	p->call.seat = SEAT_NONE;
	q->current = p->words.n ? arena_printf(q->arena, "%s%s", p->words.v[0].text,
	                                       p->words.n > 1 ? " …" : "")
	                        : "";
	return p;
}

/* Are all arguments there, and none that nobody may read?  1: refused. */
static int check_arguments(struct parse *p, struct err *e)
{
	const struct call *c = &p->call;

	if ((c->command->flags & CMD_GAME) && !c->rules) {
		dispatch_refuse_no_game(p);
		return 1;
	}
	if (c->argc >= c->command->least)
		return withhold_check(p->q, c, e);
	return request_refused(p->q, c->board, "Something is missing.  The form is: %s",
	                       c->command->usage);
}

/* Names the command in the answer's Subject, if nothing else says what it is about. */
static void name_command(struct parse *p, size_t from)
{
	struct request *q = p->q;

	for (size_t i = from; p->call.command && i < q->note_count; i++) {
		struct note *n = &q->notes[i];
		bool own = !n->userid || request_is_by(q, n->userid);

		if (own && !n->board && !n->subject)
			n->subject = arena_printf(q->arena,
			                          n->flags & NOTE_REFUSED ? "%s was not done"
			                                                  : "your command: %s",
			                          p->call.command->word);
	}
}

int dispatch_line(struct request *q, const char *line, struct err *e)
{
	size_t notes = q->note_count;
	struct parse *p = begin_parse(q, line);
	int rc = parse_command(p, e);

	if (rc == 0)
		rc = parse_arguments(p, e);
	int echoed = rc < 0 ? 0 : echo_of(p, &q->current, e);
	rc = echoed < 0 ? echoed : rc;
	if (rc == 0 && p->call.board)
		rc = check_board(p, e);
	if (rc == 0)
		rc = check_alone(p, e);
	if (rc == 0)
		rc = check_arguments(p, e);
	if (rc == 0)
		rc = check_authority(p, e);
	if (rc == 0)
		rc = suspension_refuses(q, &p->call) ? 1 : check_proof(p, e);
	if (rc == 0)
		rc = command_read(q, &p->call, e);
	if (rc == 0) /* what was refused while reading is no act */
		rc = moderate_is_often(q, &p->call, e);
	if (rc == 0)
		rc = p->call.command->run(q, &p->call, e);
	comment_lines_tell_lost(q, &p->call, notes);
	name_command(p, notes);
	dispatch_pair_blank_notes(p, notes);
	return rc < 0 ? rc : 0;
}
