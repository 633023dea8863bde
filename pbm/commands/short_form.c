#include "pbm/commands/short_form.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/record/match_asked.h"
#include "pbm/text/words.h"

/* Is it the name of the opponent on the board whose mail is answered? */
static bool is_opponent(struct request *q, const char *name)
{
	const struct match *m = request_match(q, request_board(q), NULL);
	uint8_t seat = request_seat(q, m);

	return seat != SEAT_NONE && strcasecmp(m->doc.players[!seat], name) == 0;
}

/* "tell bob hi".  A name that is nobody's is never passed on as a part of the text. */
static const char *tell_line(struct request *q, const char *rest)
{
	size_t n = strcspn(rest, " \t,:");
	const char *text = rest + n + strspn(rest + n, " \t,:");

	if (strspn(rest, "#0123456789") == n)
		return arena_printf(q->arena, "chat %s", rest);
	if (is_opponent(q, arena_strndup(q->arena, rest, n)))
		return arena_printf(q->arena, "chat %s", text);
	return arena_printf(q->arena, "message %s", rest);
}

/* The rest of the line after the name of a game; the line itself if it begins with none. */
static const char *after_game(const char *line)
{
	size_t n = strcspn(line, " \t");

	return line[n] && rules_named(line, n) ? line + n + strspn(line + n, " \t") : line;
}

/* "board 17", "chess board 17", with nothing after it, and "board" in an answer to a board; NULL:
 * another line. */
static const char *board_line(struct request *q, const char *line)
{
	line = after_game(line);
	line += first_words_phrase(line, first_words_send);
	line += strspn(line, " ");
	size_t n = first_words_phrase(line, first_words_board);
	const char *number = line + n + strspn(line + n, " \t");

	if (n && words_board(number, &(struct board_ref){ 0 }))
		return arena_printf(q->arena, "show %s", number);
	return strcasecmp(line, "board") == 0 && request_board(q) ? "show" : NULL;
}

/* "take 5", "I take number 5" to the list of seeks; NULL: another line. */
static const char *take_line(struct request *q, const char *line)
{
	size_t n = request_board(q) ? 0 : first_words_phrase(line, first_words_take);
	const char *number = line + n + strspn(line + n, " \t");

	number += first_words_phrase(number, first_words_number);
	number += strspn(number, " \t");
	return n && words_board(number, &(struct board_ref){ 0 })
	               ? arena_printf(q->arena, "play %s", number)
	               : NULL;
}

#define BOARD_LINES_MAX 50 /* of a mail that are read as moves on boards */
#define GAME_WORDS 4       /* of "king of the hill" */

/* The game that the words from i on name together, perhaps with "chess" after it: *n of them. */
static const struct rules *game_of_words(const struct words *w, size_t i, size_t *n)
{
	char name[60];

	for (*n = GAME_WORDS + 1; *n > 1; --*n) {
		struct str joined = STR_FIXED(name);

		for (size_t k = i; k < i + *n && k < w->n; k++)
			for (const char *c = w->v[k].text; *c; c++)
				if (*c != '-')
					str_add_char(&joined, *c);
		bool chess = i + *n <= w->n && strcasecmp(w->v[i + *n - 1].text, "chess") == 0;
		const struct rules *r = i + *n > w->n ? NULL : rules_named(name, joined.len);
		if (!r && chess)
			r = rules_named(name, joined.len - strlen("chess"));
		if (r)
			return r;
	}
	return NULL;
}

/* "rules" in an answer to a board, "rules of king of the hill please": the page of that game; NULL:
 * another line. */
static const char *rules_line(struct request *q, const char *line)
{
	size_t n = first_words_phrase(line, first_words_rules), used;
	const char *rest = line + n;
	struct words w;

	if (n == 0)
		return NULL;
	if (first_line_is_please(rest)) {
		const struct match *m = request_match(q, request_board(q), NULL);

		return m ? arena_printf(q->arena, "help %s", m->game.rules->name) : NULL;
	}
	words_split(q->arena, rest, &w);
	size_t i = first_words_has(first_words_of, w.v[0].text);
	const struct rules *r = i < w.n ? game_of_words(&w, i, &used) : NULL;
	if (!r && i < w.n && (r = rules_named(w.v[i].text, strcspn(w.v[i].text, ".,!"))))
		used = 1;
	return r && (i + used == w.n || first_line_is_please(w.v[i + used].start))
	               ? arena_printf(q->arena, "help %s", r->name)
	               : NULL;
}

/* "rating of bob", "standings of the spring tournament": a line that reads, without the small words;
 * NULL: another line. */
static const char *of_line(struct request *q, const char *line)
{
	static const char *const things[] = { "tournament", "turnier", "torneo", "tournoi", NULL };
	struct words w;
	size_t i = 1;

	words_split(q->arena, line, &w);
	const struct command *c = w.n > 2 ? command_find(w.v[0].text, strlen(w.v[0].text), NULL)
	                                  : NULL;
	if (!c || (c->flags & (CMD_PROOF | CMD_BOARD | CMD_TEXT | CMD_STAFF | CMD_NOT_HELD)) ||
	    strcmp(c->word, "best") == 0)
		return NULL;
	while (i + 1 < w.n && first_words_has(first_words_of, w.v[i].text))
		i++;
	bool ends = i + 2 == w.n && first_words_has(things, w.v[i + 1].text);
	return i > 1 ? arena_printf(q->arena, "%s %s", c->word, ends ? w.v[i].text : w.v[i].start)
	             : NULL;
}

/* The plain words for the first n bytes of the line; NULL: there are none. */
static const char *plain_of(const char *line, size_t n)
{
	for (size_t i = 0; first_words_plain[i][0]; i++)
		if (strlen(first_words_plain[i][0]) == n &&
		    strncasecmp(line, first_words_plain[i][0], n) == 0)
			return first_words_plain[i][1];
	return NULL;
}

/* Does the text below limit a yes?  And "draw?" to an open offer of a draw asks something. */
static bool is_limited(struct request *q, const char *line, const char *plain)
{
	const struct match *m = request_match(q, request_board(q), NULL);
	bool draw = strcmp(plain, "draw") == 0, said;
	bool game = strcmp(plain, "accept") == 0 || strcmp(plain, "accept game") == 0;

	if (!draw && !str_prefix(plain, "accept"))
		return false;
	if (draw && strchr(line, '?') && m && match_asked(m, request_seat(q, m), &said))
		return true;
	return q->comment &&
	       first_line_answers(arena_printf(q->arena, "ok\n%s", q->comment), NULL, false) !=
	               FIRST_YES &&
	       !(game && first_line_is_chatter(q->arena, q->comment));
}

/* "accept the draw", "draw?": the same without the words that change nothing; thanks may follow "I
 * accept the draw". */
static const char *plain_words(struct request *q, const char *line)
{
	const char *thanked, *core = alone_words_core(q->arena, line, &thanked), *plain;
	size_t n = strlen(line);

	while (n && strchr(".! ", line[n - 1]))
		n--;
	if ((plain = plain_of(line, n)) || !core[0])
		return plain;
	plain = plain_of(core, strlen(core));
	return plain && str_prefix(plain, "accept ")
	               ? arena_printf(q->arena, "%s%s", plain, line + strlen(core))
	               : NULL;
}

/* Can it take a game and its options, and no text for somebody? */
static bool takes_game(const struct command *c)
{
	return c && !(c->flags & (CMD_TEXT | CMD_STAFF | CMD_NOT_HELD)) &&
	       (c->flags & (CMD_KEPT | CMD_LOBBY)) != CMD_KEPT;
}

/* "match bob king of the hill", "seek atomic chess": the name of the game in one word; NULL:
 * another line. */
static const char *game_line(struct request *q, const char *line, const struct words *w)
{
	for (size_t i = 1, n; i + 1 < w->n; i++) {
		const struct rules *r = game_of_words(w, i, &n);

		if (r)
			return arena_printf(q->arena, "%.*s%s %s", (int)(w->v[i].start - line),
			                    line, r->name, i + n < w->n ? w->v[i + n].start : "");
	}
	return NULL;
}

/* "ladder chess join": the act before its only argument; NULL: another line. */
static const char *act_line(struct request *q, const struct command *c, const struct words *w)
{
	if (!c || !c->acts || w->n != 3 || command_act(c, w->v[1].text) ||
	    !command_act(c, w->v[2].text))
		return NULL;
	return arena_printf(q->arena, "%s %s %s", c->word, w->v[2].text, w->v[1].text);
}

/* The line of a command and two words or more, in another order or with fewer words; NULL: it is as
 * it should be. */
static const char *words_line(struct request *q, const char *line)
{
	struct words w;

	words_split(q->arena, line, &w);
	const struct command *c = w.n > 2 ? command_find(w.v[0].text, strlen(w.v[0].text), NULL)
	                                  : NULL;
	if (!takes_game(c))
		return act_line(q, c, &w);
	const char *rest = wish_best_of(q->arena, w.v[1].start);
	bool best = rest != w.v[1].start; /* "match bob best of 3 atomic chess" */
	if (best) {
		line = arena_printf(q->arena, "%s %s", w.v[0].text, rest);
		words_split(q->arena, line, &w);
	}
	const char *game = game_line(q, line, &w);
	return game ? game : best ? line : act_line(q, c, &w);
}

/* "17:Nf3" and "17 : Nf3" are "17: Nf3". */
static const char *colon_line(struct request *q, const char *line)
{
	size_t digits = strspn(line, "0123456789"), colon = digits + strspn(line + digits, " \t");

	return digits && line[colon] == ':'
	               ? arena_printf(q->arena, "%.*s: %s", (int)digits, line, line + colon + 1)
	               : line;
}

/* The line "1 e4", "#2 b5" or "game 2: b5" of a player on that board, as "1: e4"; another line as it
 * is. */
static const char *turn_line(struct request *q, const char *line)
{
	size_t named = first_words_phrase(line, first_words_board);
	const char *number = line + named + strspn(line + named, " #");
	size_t digits = strspn(number, "0123456789");
	const char *turn = number + digits + strspn(number + digits, ": ");
	int64_t board = digits && digits < 10 ? strtoll(number, NULL, 10) : 0;
	const struct match *m = !strchr(turn, ' ') && first_line_is_move(turn)
	                                ? request_match(q, board, NULL)
	                                : NULL;

	return request_seat(q, m) != SEAT_NONE
	               ? arena_printf(q->arena, "%lld: %s", (long long)board, turn)
	               : line;
}

/* "stop" to the mail of a watched board is about that board; another line as it is. */
static const char *watcher_line(struct request *q, const char *line)
{
	size_t n = strcspn(line, ".! ");
	const struct command *c = q->who.has_token && q->who.token.kind == TOKEN_WATCH &&
	                                          !line[n + strspn(line + n, ".! ")]
	                                  ? command_find(line, n, NULL)
	                                  : NULL;

	return c && strcmp(c->word, "signoff") == 0 ? "unwatch" : line;
}

const char *short_form_line(struct request *q, const char *line)
{
	line = watcher_line(q, colon_line(q, line));
	size_t n = str_prefix(line, "tell");
	const char *meant = plain_words(q, line);

	if (meant && is_limited(q, line, meant))
		meant = NULL;
	if (!meant)
		meant = board_line(q, line);
	const char *turn = !meant && first_words_phrase(line, first_words_board)
	                           ? turn_line(q, line)
	                           : line;
	if (turn != line)
		meant = turn;
	if (!meant)
		meant = rules_line(q, line);
	if (!meant)
		meant = of_line(q, line);
	if (!meant)
		meant = take_line(q, line);
	if (!meant)
		meant = words_line(q, line);
	if (meant)
		return meant;
	if (n && (line[n] == ' ' || line[n] == '\t'))
		return tell_line(q, line + n + strspn(line + n, " \t"));
	return command_in_full(q->arena, line);
}

const char *short_form_boards(struct request *q, const char *text)
{
	const char *whole = text;

	if (!q->who.known)
		return text;
	struct str s = str_in(q->arena, 2 * strlen(text) + 64);
	for (int n = 0; *text && n < BOARD_LINES_MAX; n++) {
		size_t len = strcspn(text, "\n");
		const char *line = arena_strndup(q->arena, text, len), *meant = turn_line(q, line);

		if (meant == line && *line) /* other text may be somebody's message */
			return whole;
		str_addf(&s, "%s\n", meant);
		text += len + (text[len] == '\n');
	}
	str_add(&s, text);
	return s.data;
}

int64_t short_form_subject_board(struct request *q, const char *subject)
{
	size_t named = first_words_phrase(subject, first_words_board);
	const char *at = named ? subject + named + strspn(subject + named, " ")
	                       : strchr(subject, '#');
	struct board_ref ref;
	struct match *m;

	if (!q->who.known || !at)
		return 0;
	const char *word = arena_strndup(q->arena, at, strcspn(at, " \t:"));
	if (!words_board(word, &ref) || (!named && command_is_one(subject)))
		return 0;
	m = request_match(q, ref.board, NULL);
	return request_seat(q, m) != SEAT_NONE ? ref.board : 0;
}

bool short_form_asks_which(struct request *q, int64_t board, const char **line)
{
	size_t digits = strspn(*line, "0123456789");
	const char *turn = *line + digits + strspn(*line + digits, " ");
	long long number = strtoll(*line, NULL, 10);

	if (!digits || digits > 9 || turn == *line + digits || !first_line_is_move(turn))
		return false;
	if (number == board) {
		*line = turn;
		return false;
	}
	const struct match *m = request_match(q, number, NULL);
	bool other = m && turn_is_legal(q, m, request_seat(q, m), turn);
	const char *lines = arena_printf(q->arena, "    move %lld %.40s", (long long)board, turn);
	request_refuse(
		q, 0,
		"Your Subject is about board %lld, and your line begins with %lld.  Nothing was played.  To play the move, answer with this line:",
		(long long)board, number)
		->body = other ? arena_printf(q->arena, "%s\n    move %lld %.40s", lines, number,
	                                      turn)
	                       : lines;
	return true;
}

const char *short_form_move(struct request *q, const char *subject)
{
	struct board_ref ref;
	struct words w;
	size_t i = 0;

	words_split(q->arena, after_game(subject), &w);
	i += w.n && str_is_any(w.v[0].text, first_words_board);
	if (!q->who.known || i + 1 >= w.n || !words_board(w.v[i].text, &ref))
		return NULL;
	const struct match *m = request_match(q, ref.board, NULL);
	const char *turn = w.v[w.n - 1].text;
	size_t between = w.n - i - 2; /* perhaps a userid and a password, which are not repeated */
	return request_seat(q, m) != SEAT_NONE && (between == 0 || between == 2) &&
	                       first_line_is_move(turn)
	               ? arena_printf(q->arena, "move %lld %s", (long long)ref.board, turn)
	               : NULL;
}
