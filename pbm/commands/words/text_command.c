/* The lines of a text that are commands, private notes, or letters to the server. */
#include "pbm/commands/words/text_command.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/distance.h"
#include "pbm/base/str.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/text_command_words.h"
#include "pbm/people/roles.h"
#include "pbm/people/settings.h"
#include "pbm/text/words.h"
#include "store/document/tournament.h"
#include "store/store_documents.h"

#define SETTING_MIN 4

bool text_command_is_player(struct request *q, const char *word)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, word, &p, NULL) == 0;
}

bool text_command_is_staff(struct request *q, const char *word)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, word, &p, NULL) == 0 &&
	       roles_is_staff(&p);
}

static bool is_date(const char *word)
{
	return strspn(word, "0123456789-") == strlen(word) && strchr(word, '-');
}

/* The word without the marks around a name. */
static const char *bare_word(struct request *q, const char *word)
{
	word += *word == '@';
	return arena_strndup(q->arena, word, strcspn(word, ",:;"));
}

/* "message carol, …", "message to moderators: …" */
static bool names_reader(struct request *q, const struct words *w, size_t i)
{
	i += i + 1 < w->n && strcasecmp(w->v[i].text, "to") == 0;
	const char *name = i < w->n ? bare_word(q, w->v[i].text) : "";

	return str_is_any(name, text_command_words_staff) || text_command_is_player(q, name);
}

/* "report bob", "report he cheats"; "Report: fine weather" is prose.  full: the line with the words of the
 * short form. */
static bool reports(struct request *q, const struct words *full)
{
	const char *about = full->n > 2 ? full->v[2].text : NULL;

	return !about || str_is_any(about, text_command_words_about) ||
	       text_command_is_player(q, bare_word(q, about));
}

/* Is word i a thing that the command's usage names: an address, a tournament, turns up to the end? */
static bool fits_usage(struct request *q, const struct command *c, const struct words *w, size_t i)
{
	static const char *const ends[] = { "on", "off", NULL };
	const char *word = w->v[i].text, *at = strchr(word, '@');
	struct tournament_doc t;

	return (strstr(c->usage, "address") && at && strchr(at, '.')) ||
	       (strstr(c->usage, "tournament") &&
	        store_tournament_get(q->site->store, q->arena, bare_word(q, word), &t, NULL) ==
	                0) ||
	       ((strstr(c->usage, "move") || strstr(c->usage, "turns")) &&
	        first_line_is_turns(w->v[i].start)) ||
	       (i + 1 == w->n && strstr(c->usage, "off") && str_is_any(word, ends)) ||
	       strcasecmp(word, "ifs") == 0;
}

/* "change password", "change pasword", "password x" */
static bool names_secret(const struct command *c, const struct words *w, size_t i)
{
	const char *word = w->v[i].text;

	return (i == 1 && w->n <= 3 && strcasecmp(w->v[0].text, "password") == 0) ||
	       strstr(c->usage, word) ||
	       word_distance(word, strlen(word), "password", strlen("password")) < 3;
}

/* "set language", "set password" */
static bool names_setting(const char *word)
{
	static const char *const secrets[] = { "password", "passwort", "email", "e-mail",
		                               "address",  "adresse",  NULL };

	return str_is_any(word, secrets) ||
	       (strlen(word) >= SETTING_MIN && setting_find(word, &(struct err){ 0 }));
}

/* "resign", "draw!": is the last word one that acts? */
static bool is_alone(struct request *q, const struct words *w, size_t i)
{
	const char *word = w->v[i].text;

	return i + 1 == w->n && alone_words_has(arena_strndup(q->arena, word, strcspn(word, ".!")));
}

/* Does word i look like an argument of the command, and not like the second word of a
 * sentence? */
static bool is_argument(struct request *q, const struct command *c, const struct words *w, size_t i)
{
	const char *word = w->v[i].text;
	bool last = i + 1 == w->n;

	if (*word == '-' && isalpha((unsigned char)word[1]))
		return true;
	if (is_date(word)) /* "vacation 2026-12-20 until January" is none */
		return last || is_date(w->v[i + 1].text);
	if (c->flags & CMD_NOT_HELD)
		return names_secret(c, w, i);
	if (command_is_staffs(c))
		return command_act(c, word) != NULL;
	if (fits_usage(q, c, w, i) || (strcmp(c->word, "move") == 0 && is_alone(q, w, i)))
		return true;
	if (strcmp(c->word, "set") == 0)
		return names_setting(word);
	if (rules_find(word, strlen(word), NULL))
		return last || (c->flags & CMD_GAME_AFTER) || strcmp(c->word, "seek") == 0 ||
		       fits_usage(q, c, w, i + 1);
	return text_command_is_player(q, word);
}

/* "note 1 my plan", "show 17", "move 17 e4", "move 17 resign"; not "show 3 moves of yours". */
static bool is_on_board(struct request *q, const struct command *c, const struct words *w, size_t i)
{
	return (c->flags & CMD_TEXT) || i == w->n || is_argument(q, c, w, i) ||
	       first_line_is_move(w->v[i].start) || is_alone(q, w, i);
}

/* "1: Nf3" and "1: Nf3 draw"; not "1: e4 is best by test". */
static bool is_turn(const struct words *w)
{
	return w->n > 0 && (first_line_is_clear(w->v[0].start) ||
	                    (w->n == 2 && first_line_is_move(w->v[0].start)));
}

/* "sought", "games"; "best" may close a letter. */
static bool is_list_alone(const struct command *c, const char *line)
{
	return c->least == 0 && !(c->flags & CMD_PROOF) && strcmp(line, c->word) == 0 &&
	       !first_line_is_closing(line);
}

/* "note he plays O-O here", "My note: …", "line Be7 Re1", "book chess e4", "if Bb3: d6": plans,
 * whatever follows.  "Note that …" is prose. */
static bool is_plan(const char *line, const struct words *w)
{
	static const char *const ifs[] = { "if", "wenn", "falls", "si", NULL };
	size_t own = first_words_phrase(line, text_command_words_private);

	if (own && strchr(":=", line[own + strspn(line + own, " ")]))
		return line[own] != '\0';
	if (w->n < 2)
		return false;
	const char *first = w->v[0].text, *second = w->v[1].text;
	size_t n = strcspn(second, ":");

	if (str_is_any(first, text_command_words_note))
		return strcasecmp(second, "that") != 0;
	if (strcasecmp(first, "book") == 0 && rules_named(second, strlen(second)))
		return true;
	return (strcasecmp(first, "line") == 0 || (second[n] == ':' && str_is_any(first, ifs))) &&
	       game_looks_like_move(second, n);
}

/* Are the words from the one at `at` on what the command takes? */
static bool takes_words(struct request *q, const struct command *c, const struct words *w,
                        size_t at)
{
	const char *thanked, *rest = at < w->n ? w->v[at].start : "";
	struct board_ref ref;

	if (at < w->n && words_board(w->v[at].text, &ref))
		return is_on_board(q, c, w, at + 1);
	if (alone_words_has(c->word) && (at == w->n || strcmp(c->word, "decline") != 0))
		return alone_words_takes(c->word, alone_words_core(q->arena, rest, &thanked));
	return at < w->n && is_argument(q, c, w, at);
}

/* The same for a line without a board in front. */
static bool is_command(struct request *q, const char *typed)
{
	const char *line = command_in_full(q->arena, typed);
	struct words w;
	words_split(q->arena, line, &w);
	if (is_plan(line, &w))
		return true;
	if (w.n == 0)
		return false;
	size_t at = w.n > 1 && rules_find(w.v[0].text, strlen(w.v[0].text), NULL);
	const struct command *c = command_find(w.v[at].text, strcspn(w.v[at].text, ":"), NULL);
	if (c && strcmp(c->word, "message") == 0 && names_reader(q, &w, at + 1))
		return typed == line || reports(q, &w);
	if (!c || strchr(line, '?'))
		return false;
	return is_list_alone(c, line) || takes_words(q, c, &w, at + 1);
}

/* "suicide 17 note x": the line after the game's name; another line as it is. */
static const char *behind_game(const char *line)
{
	size_t n = strcspn(line, " ");

	return line[n] && rules_named(line, n) && body_lines_behind_board(line + n + 1)
	               ? line + n + 1
	               : line;
}

bool text_command_is(struct request *q, const char *line)
{
	struct words w;

	line = behind_game(line + strspn(line, TEXT_COMMAND_MARKS));
	line = body_lines_from_board(line);
	const char *behind = body_lines_behind_board(line);
	if (!behind)
		return is_command(q, line);
	words_split(q->arena, behind, &w);
	if (is_turn(&w) || body_lines_has_board(line))
		return is_turn(&w) || command_is_one(behind);
	/* "2 chat to carol", not "2 games are enough" */
	const struct command *c = w.n ? command_find(w.v[0].text, strlen(w.v[0].text), NULL) : NULL;
	return c && ((c->flags & CMD_TEXT) || is_command(q, behind));
}

const char *text_command_taker(struct request *q, const char *line, bool *alone)
{
	static const char *const takers[] = { "message", "note", "mod", NULL };
	struct words w;

	line = behind_game(line + strspn(line, TEXT_COMMAND_MARKS));
	const char *behind = body_lines_behind_board(line);
	line = command_in_full(q->arena, behind ? behind : line);
	words_split(q->arena, line, &w);
	const char *last = w.n ? w.v[w.n - 1].text : "";
	const struct command *c = command_find(line, strcspn(line, " \t:"), NULL);
	const char *word = first_words_phrase(line, text_command_words_private) ? "note"
	                   : c                                                  ? c->word
	                                                                        : "";

	*alone = w.n == 1 || (w.n == 2 && (strcmp(word, "message") == 0 ||
	                                   isdigit((unsigned char)*last) || strchr(last, ':')));
	return str_is_any(word, takers) ? word : NULL;
}
