#include "pbm/commands/guess.h"

#include <string.h>

#include "games/notation/notation.h"
#include "games/rules.h"
#include "games/variants/registry.h"
#include "mail/subject.h"
#include "pbm/base/str.h"
#include "pbm/commands/dispatch_board.h"
#include "pbm/commands/friendly.h"
#include "pbm/commands/guess_rows.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/own_text.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/prose_turn.h"
#include "pbm/commands/words/text_command.h"
#include "pbm/people/naming.h"
#include "pbm/people/roles.h"
#include "pbm/record/match.h"
#include "pbm/record/match_text.h"

/* ---- turns ---- */

#define DRAW_WORDS_MAX 8 /* of a line that wishes for a draw */
#define JOINED_MAX 10    /* bytes of a turn with blanks in it */
#define GUESSES_MAX 3 /* refused lines of a mail for which the move among its words is looked for */

/* The only legal turn that fits a line such as "exd".  NULL: there is none. */
static const char *guessed_turn(struct request *q, const struct match *m, const char *line)
{
	struct move mv;

	if (m->game.rules->read_turn ||
	    !game_guess_move(&m->game, match_position(m), line, strlen(line), &mv))
		return NULL;
	return match_turn(q->arena, m, match_position(m), &mv);
}

/* "Nc 6", and "kn c6", as the legal "Nc6".  NULL: it is none. */
static const char *joined_turn(struct request *q, const struct match *m, const char *line)
{
	char *turn = arena_strdup(q->arena, line), *end = turn;
	struct move mv;
	bool knight = str_prefix(line, "kn ");

	if (!strchr(line, ' ') || strlen(line) > JOINED_MAX)
		return NULL;
	for (const char *p = line + knight; *p; p++)
		if (!strchr(" .!", *p))
			*end++ = *p;
	*end = '\0';
	if (knight)
		*turn = 'N';
	return game_read_move(&m->game, match_position(m), turn, strlen(turn), &mv, NULL, NULL) == 0
	               ? match_turn(q->arena, m, match_position(m), &mv)
	               : NULL;
}

/* The words after the move of a player who speaks of a draw. */
static const char *draw_words(const char *line)
{
	bool wants = strcasestr(line, "draw") || strcasestr(line, "remis");

	return wants && !first_line_says_no(line) ? " draw" : "";
}

const char *guess_castling(struct request *q, const struct match *m, uint8_t seat,
                           const char *lines)
{
	bool is_short = seat != SEAT_NONE && turn_is_legal(q, m, seat, "O-O");
	bool is_long = seat != SEAT_NONE && turn_is_legal(q, m, seat, "O-O-O");

	return is_short == is_long ? lines : is_short ? "O-O" : "O-O-O";
}

/* The line to answer with: in a digest the board stands in front of the turn. */
static const char *answer_with(const struct parse *p, int64_t board, const char *turn,
                               const char *draw)
{
	struct arena *a = p->q->arena;

	return p->q->who.token.kind == TOKEN_DIGEST && p->has_ref
	               ? arena_printf(a, "If %s is your move, answer with it:\n    %lld: %s%s",
	                              turn, (long long)board, turn, draw)
	               : arena_printf(a,
	                              "If %s is your move, answer with it on the first line:\n"
	                              "    %s%s",
	                              turn, turn, draw);
}

/* The legal turn that the line, or else the whole mail, names in part or among words.  NULL: none. */
static const char *likely_turn(struct request *q, const struct match *m, const char *line)
{
	const char *turn = guessed_turn(q, m, line);

	if (!turn)
		turn = joined_turn(q, m, line);
	if (!turn && q->note_count <= GUESSES_MAX) /* many lines may be refused */
		turn = prose_turn_only(q, m, match_position(m),
		                       body_lines_about(q, own_text(q), m->doc.board));
	return turn;
}

/* The Subject, if it is a turn that the player may play now, and nothing else.  NULL: it is another. */
static const char *turn_of_subject(struct request *q, const struct match *m, uint8_t seat)
{
	const char *turn = q->mail.subject ? subject_base(q->arena, q->mail.subject) : "";

	return !strchr(turn, ' ') && first_line_is_move(turn) && turn_is_legal(q, m, seat, turn)
	               ? turn
	               : NULL;
}

const char *guess_turn(struct parse *p, const struct match *m, const char *start)
{
	struct str drop = STR_LOCAL(80);
	struct request *q = p->q;
	uint8_t seat = request_seat(q, m);
	const char *asks = strchr(start, '?') ? did_you_mean_help(q->arena, start) : NULL;

	if (seat == SEAT_NONE || (asks && strcmp(asks, "undo") == 0))
		return NULL;
	bool drops = (m->game.rules->flags & RULES_DROPS) &&
	             game_spell_drop(start, strlen(start), &drop);
	if (drops && !turn_is_legal(q, m, seat, drop.data))
		return arena_printf(
			q->arena,
			"The way to put a man of your pocket on the board is on this page:\n    help %s",
			m->game.rules->name);
	if (match_to_move(m) != seat)
		return NULL;
	const char *turn = drops ? drop.data : likely_turn(q, m, start);
	turn = turn ? turn : turn_of_subject(q, m, seat);
	return turn ? answer_with(p, m->doc.board, turn, draw_words(start)) : NULL;
}

/* ---- wishes by their words ---- */

#define LINE_WORDS 24
#define GAME_LEAST 3 /* letters of a game's name in a sentence */
#define FIRST '^'    /* then the second word */
#define NEVER '!'

/* A line as single words in small letters. */
struct wish_line {
	struct request *q;
	size_t n;
	const char *words[LINE_WORDS];
};

static bool is_letter(char c)
{
	return str_is_alnum(c) || (c && strchr("'_-@/", c));
}

static void split(struct wish_line *t, const char *line)
{
	char s[FIRST_LINE_SIMPLE];

	first_line_simplify(line, s);
	for (const char *p = s; *p && t->n < LINE_WORDS;) {
		size_t n = 0;

		p += str_prefix(p, "¿") + str_prefix(p, "¡");
		while (is_letter(p[n]) || (n && p[n] == '.' && is_letter(p[n + 1])))
			n++;
		if (n)
			t->words[t->n++] = arena_strndup(t->q->arena, p, n);
		p += n + (p[n] != '\0');
	}
}

static const char *named_player(const struct wish_line *t, size_t i)
{
	const char *word = arena_strndup(t->q->arena, t->words[i], strcspn(t->words[i], "'"));

	return i == 0 || naming_is_common(word) ? NULL : wish_player(t->q, word); /* "bob's" */
}

/* No number of a board: "give bob 3 days more on board 1" */
static const char *named_number(const struct wish_line *t, size_t i)
{
	const char *word = t->words[i];
	size_t digits = strspn(word, "0123456789");

	return digits && digits < 9 && !word[digits] &&
	                       !(i && i + 1 == t->n &&
	                         str_is_any(t->words[i - 1], first_words_board))
	               ? word
	               : NULL;
}

static const char *named_game(const struct wish_line *t, size_t i)
{
	size_t n = strlen(t->words[i]);
	const struct rules *r = n >= GAME_LEAST ? rules_named(t->words[i], n) : NULL;

	return r ? r->name : NULL;
}

static const char *named_address(const struct wish_line *t, size_t i)
{
	const char *at = strchr(t->words[i], '@');

	return at > t->words[i] && strchr(at, '.') ? t->words[i] : NULL;
}

static const char *last_word(const struct wish_line *t, size_t i)
{
	return i && i + 1 == t->n ? t->words[i] : NULL;
}

static const struct {
	const char *gap;
	const char *(*named)(const struct wish_line *t, size_t i);
} gaps[] = {
	{ "<player>", named_player },   { "<number>", named_number }, { "<game>", named_game },
	{ "<address>", named_address }, { "<last>", last_word },
};

#define GAPS (sizeof gaps / sizeof *gaps)

/* The thing of that kind that the line names last: "ajedrez atómico" is atomic.  NULL: none. */
static const char *named(const struct wish_line *t, size_t gap)
{
	const char *found = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const char *name = gaps[gap].named(t, i);

		found = name ? name : found;
	}
	return found;
}

/* Is the word the one of n bytes, or does it begin with that one and a star? */
static bool is_word(const char *word, const char *wanted, size_t n)
{
	bool begins = wanted[n - 1] == '*';

	n -= begins;
	return strncmp(word, wanted, n) == 0 && (begins || !word[n]);
}

/* Has the line one of the words "a/b/c", n bytes?  place: as its first word, 1, or its second; 0: anywhere. */
static bool has_one(const struct wish_line *t, const char *wanted, size_t n, size_t place)
{
	for (size_t i = 0; i < GAPS; i++)
		if (strncmp(wanted, gaps[i].gap, n) == 0)
			return !place ? named(t, i) != NULL
			              : place <= t->n && gaps[i].named(t, place - 1);
	for (size_t at = 0, len; at < n; at += len + 1) {
		len = strcspn(wanted + at, "/ ");
		for (size_t i = 0; i < t->n; i++)
			if ((!place || place == i + 1) && is_word(t->words[i], wanted + at, len))
				return true;
	}
	return false;
}

/* Does the line have all that the row wants? */
static bool fits(const struct wish_line *t, const char *row)
{
	size_t place = 0;

	for (size_t n; *row; row += n + strspn(row + n, " ")) {
		bool at_place = *row == FIRST, never = *row == NEVER;

		place += at_place;
		row += at_place || never;
		n = strcspn(row, " ");
		if (has_one(t, row, n, at_place ? place : 0) == never)
			return false;
	}
	return true;
}

/* The command with what the line names in place of the gaps, or else with a game that the player knows. */
static const char *filled(const struct wish_line *t, const char *command)
{
	for (size_t i = 0; i < GAPS; i++) {
		const char *name = named(t, i);

		if (!name && gaps[i].named == named_game && strstr(command, gaps[i].gap))
			name = example_game(t->q);
		for (const char *at; name && (at = strstr(command, gaps[i].gap));)
			command = arena_printf(t->q->arena, "%.*s%s%s", (int)(at - command),
			                       command, name, at + strlen(gaps[i].gap));
	}
	return command;
}

static const char *find(struct request *q, const char *line, bool first_only)
{
	struct wish_line t = { .q = q };

	if (!q->who.known || strlen(line) >= FIRST_LINE_SIMPLE)
		return NULL;
	/* An act is offered for a moderator's sentence about a board. */
	if (roles_is_staff(&q->who.player) && !request_board(q) &&
	    did_you_mean_named(q->arena, line))
		return NULL;
	const char *known = friendly_wish(q, line); /* days, and values with blanks */
	if (known && (str_prefix(known, "vacation ") || str_prefix(known, "set ")))
		return NULL;
	first_only = first_only || did_you_mean_said(line);
	split(&t, did_you_mean_core(line));
	for (size_t i = 0; t.n > 1 && guess_rows_all[i][0]; i++)
		if ((!first_only || *guess_rows_all[i][0] == FIRST) &&
		    fits(&t, guess_rows_all[i][0]))
			return filled(&t, guess_rows_all[i][1]);
	return NULL;
}

/* The command that takes a sentence which is not for the other player, "I want to report bob".  NULL: it is
 * for him, or means a command. */
static const char *taker_of(struct request *q, const char *line)
{
	static const char *const takers[] = {
		[TEXT_FOR_OTHER] = NULL,
		[TEXT_FOR_SERVER] = "message moderators <your text>",
		[TEXT_FOR_WRITER] = "note <your text>",
	};
	const char *at;
	size_t n;

	return q->who.known && !did_you_mean_line(q->arena, line) &&
	                       !did_you_mean_help(q->arena, line)
	               ? takers[text_command_reader(q, line, &at, &n)]
	               : NULL;
}

const char *guess_wish(struct request *q, const char *line)
{
	bool command = command_is_one(line);
	const char *wish = find(q, line, command);

	return wish || command ? wish : taker_of(q, line);
}

const char *guess_on_board(struct request *q, const char *line)
{
	const char *wish = guess_wish(q, line);
	bool draw = near_wishes_draw(line) && !did_you_mean_help(q->arena, line) &&
	            str_count_words(line) <= DRAW_WORDS_MAX;

	return wish ? wish : draw ? "draw" : NULL;
}

const char *guess_list(struct request *q, const char *line)
{
	bool may = q->who.known && !request_board(q) && !guess_wish(q, line) &&
	           !wish_offer(q, line);
	const char *wish = may ? wish_line(q->arena, line) : NULL;

	return wish ? wish : line;
}

const char *guess_beside(struct parse *p, const struct match *m, const char *start,
                         const char *hint)
{
	struct arena *a = p->q->arena;
	bool offered = m && m->doc.state == GAME_OFFERED &&
	               !first_words_phrase(start, first_words_no);
	const char *wish = offered ? guess_wish(p->q, start) : NULL;

	if (!wish && offered && (wish = did_you_mean_help(a, start)) && !str_prefix(wish, "help "))
		wish = NULL;
	if (wish)
		return arena_printf(a, "%s\n%s", hint, did_you_mean_offer(a, wish));
	return offered && strchr(start, '?') ? arena_printf(a, "%s\nThe rules in a page:  help %s",
	                                                    hint, m->game.rules->name)
	                                     : hint;
}

/* ---- refusals ---- */

/* "Withdraw my draw offer", also "cancel the offer" where a draw is offered.  line: the guess so far. */
static bool refuse_draw_back(struct parse *p, const char *line)
{
	struct request *q = p->q;
	struct wish_line t = { .q = q };
	const struct match *m = request_match(q, request_board(q), NULL);
	uint8_t seat = request_seat(q, m);
	bool offers = m && seat != SEAT_NONE && m->draw_offered_by == seat;
	bool says = offers && line && strcmp(line, "pending") == 0;

	if (!q->who.known || strlen(p->line) >= FIRST_LINE_SIMPLE)
		return false;
	split(&t, did_you_mean_core(p->line));
	for (size_t i = 0; !says && guess_rows_draw_back[i]; i++)
		says = fits(&t, guess_rows_draw_back[i]);
	return says &&
	       request_refused(
		       q, m ? m->doc.board : 0,
		       "A draw offer cannot be taken back.  It stands until the other player's next move.");
}

/* "best of 3" alone: the word best would list the best players. */
static bool refuse_best_of(struct parse *p)
{
	struct request *q = p->q;
	const char *option = wish_best_of(q->arena, p->line), *subject = q->mail.subject;

	if (option == p->line || !str_prefix(option, " -best-of="))
		return false;
	subject = subject ? subject_base(q->arena, subject) : "";
	const struct rules *r = rules_named(subject, strlen(subject));
	const char *game = r ? r->name : example_game(q);
	request_refuse(
		q, 0,
		"Nothing was done.  To offer a match of several games, write one of these lines:")
		->body = arena_printf(q->arena, "    seek %s%s\n    match %s %s%s", game, option,
	                              "<name>", game, option);
	return true;
}

/* Is the guess an offer that is better made otherwise: the line names more than the guess, or wishes for a
 * rematch of the board's ended game? */
static bool is_other_wish(struct request *q, const struct match *m, const char *line,
                          const char *guess)
{
	uint8_t seat = request_seat(q, m);

	if (!str_prefix(guess, "match "))
		return false;
	if (!m)
		return wish_offer(q, line) != NULL;
	return seat != SEAT_NONE && m->doc.state != GAME_RUNNING &&
	       str_prefix(guess + strlen("match "), m->doc.players[!seat]);
}

/* A line at a board may be for the other player: there only a line that begins like a command is
 * refused here. */
static bool refuse_wish(struct parse *p)
{
	struct request *q = p->q;
	bool board = dispatch_has_board(p);
	const char *line = board ? find(q, p->line, true) : guess_wish(q, p->line);

	if (refuse_draw_back(p, line))
		return true;
	if (!line || (board && near_says(p->line, "show"))) /* that is done */
		return false;
	const struct match *m = request_match(q, request_board(q), NULL);
	if (is_other_wish(q, m, p->line, line))
		return false;
	if (m && strcmp(line, "pending") == 0 && dispatch_is_own_offer(q, m)) {
		dispatch_refuse_offered(q, m); /* "cancel the offer" */
		return true;
	}
	request_refuse(
		q, board ? request_board(q) : 0,
		"I read one command a line, and the line that begins with \"%.30s\" is none.",
		p->words.v[0].text)
		->body = did_you_mean_offer(q->arena, line);
	return true;
}

bool guess_refuse(struct parse *p)
{
	if (!request_board(p->q) && refuse_best_of(p))
		return true;
	if (refuse_wish(p))
		return true;
	const char *offer = request_board(p->q) ? NULL : wish_offer(p->q, p->line);

	if (!offer)
		return false;
	request_refuse(p->q, 0, "Nothing was done.  To offer that player a game, write:")
		->body = arena_printf(p->q->arena, "    %s", offer);
	return true;
}
