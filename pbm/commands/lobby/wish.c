#include "pbm/commands/lobby/wish.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/distance.h"
#include "pbm/base/str.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/people/computer.h"
#include "pbm/text/words.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define WORDS_MOST 16
#define NAME_LEAST 4 /* letters of a game's name in a sentence */
#define BEST_OF "-best-of="

const struct rules *wish_game(const struct words *w)
{
	for (size_t i = 0; i < w->n; i++) {
		size_t n = strcspn(w->v[i].text, ".,;:!?");
		const struct rules *r = n >= NAME_LEAST ? rules_named(w->v[i].text, n) : NULL;

		if (r)
			return r;
	}
	return NULL;
}

static bool names_computer(const struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (computer_is_word(w->v[i].text, strcspn(w->v[i].text, ".,;:!?")))
			return true;
	return false;
}

const char *wish_best_of(struct arena *a, const char *line)
{
	struct words w;

	words_split(a, line, &w);
	for (size_t i = 0; i + 2 < w.n; i++) {
		const char *number = w.v[i + 2].text;
		size_t digits = strspn(number, "0123456789");

		if (strcasecmp(w.v[i].text, "best") != 0 ||
		    strcasecmp(w.v[i + 1].text, "of") != 0 || !digits || digits > 2 ||
		    number[digits + strspn(number + digits, ".,;:!?")])
			continue;
		return arena_printf(a, "%.*s%s " BEST_OF "%.*s", (int)(w.v[i].start - line), line,
		                    i + 3 < w.n ? w.v[i + 3].start : "", (int)digits, number);
	}
	return line;
}

/* The option for a match of several games among the words; NULL: there is none. */
static const char *best_of(const struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (str_prefix(w->v[i].text, BEST_OF))
			return w->v[i].text;
	return NULL;
}

/* Is it a number, a turn, an address and the like, and no name as in "play bob64"? */
static bool is_no_name(const char *word)
{
	size_t n = strlen(word);

	return !str_prefix(word, BEST_OF) &&
	       (strpbrk(word, "#=@") ||
	        (strpbrk(word, "0123456789") &&
	         (!isalpha((unsigned char)*word) || game_looks_like_move(word, n))));
}

/* Does the line begin as a wish, and speak of playing? */
static bool is_wish(struct arena *a, const char *line, struct words *w)
{
	static const char *const challenge[] = { "challenge", "herausfordern", "fordere", "retar",
		                                 "desafío",   "desafio",       "reto",    NULL };
	const char *meant = wish_best_of(a, line);

	words_split(a, meant, w);
	for (size_t i = 0; i < w->n; i++)
		if (is_no_name(w->v[i].text))
			return false;
	return w->n >= 2 && w->n <= WORDS_MOST &&
	       ((meant != line && str_prefix(line, "best")) ||
	        (first_words_has(first_words_wish, w->v[0].text) &&
	         (first_words_any(w, first_words_wish_play) ||
	          (first_words_any(w, challenge) &&
	           !rules_named(w->v[0].text, strlen(w->v[0].text))))));
}

const char *wish_line(struct arena *a, const char *line)
{
	struct words w;

	if (!is_wish(a, line, &w))
		return NULL;
	if (names_computer(&w)) /* and there is none, see wish_offer() */
		return arena_printf(a, "help %s", "computers");
	const struct rules *r = wish_game(&w);
	if (r)
		return arena_printf(a, "sought %s", r->name);
	return first_words_any(&w, first_words_wish_any) ? "sought" : NULL;
}

static const char *name_at(struct arena *a, const struct words *w, size_t i)
{
	const char *word = w->v[i].text ? w->v[i].text : "";

	return arena_strndup(a, word, strcspn(word, ".,;:!?"));
}

const char *wish_player(struct request *q, const char *word)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, word, &p, NULL) == 0 && !p.deleted &&
	                       !request_is_by(q, p.userid)
	               ? p.userid
	               : NULL;
}

const char *wish_offer(struct request *q, const char *line)
{
	struct words w;

	if (!q->who.known)
		return NULL;
	bool wish = is_wish(q->arena, line, &w);
	const struct rules *r = wish_game(&w);
	bool pair = r && w.n == 2; /* "bob suicide" */
	if (!wish && !pair)
		return NULL;
	const char *game = r ? r->name : example_game(q), *games = best_of(&w);
	for (size_t i = pair || games ? 0 : 1; i < w.n; i++) {
		const char *name = name_at(q->arena, &w, i);
		const char *computer = computer_is_word(name, strlen(name))
		                               ? computer_suggest(q->site->store, q->arena, game)
		                               : NULL;
		const char *player = computer ? NULL : wish_player(q, name);

		if (computer)
			return arena_printf(q->arena, "match %s %s", computer, game);
		if (player)
			return arena_printf(q->arena, games ? "match %s %s %s" : "match %s %s",
			                    player, game, games);
	}
	return NULL;
}

/* The option of a number before a word: "3 days", "5 games"; NULL: it is none. */
static const char *counted_option(struct arena *a, const char *number, const char *unit)
{
	size_t digits = strspn(number, "0123456789");
	const char *option = digits && digits < 4 && !number[digits] ? terms_named(unit) : NULL;
	bool games = option && strcmp(option, "-best-of") == 0;

	return option && (games ? atoi(number) > 1 : strcmp(option, "-days") == 0)
	               ? arena_printf(a, " %s=%s", option, number)
	               : NULL;
}

/* The option of the i-th word: "unrated", "not rated", "3 days", "black"; "": it is none. */
static const char *option_of(struct arena *a, const struct words *w, size_t i)
{
	static const char *const not [] = { "not", "non", "nicht", "no", NULL };
	static const char *const flags[] = { "-unrated", "-rated", "-white", "-black", NULL };
	const char *word = w->v[i].text;
	const char *counted = i + 1 < w->n ? counted_option(a, word, w->v[i + 1].text) : NULL;

	if (counted)
		return counted;
	const char *option = terms_named(word);
	if (!option || !str_is_any(option, flags))
		return "";
	if (strcmp(option, "-rated") == 0 && i && first_words_has(not, w->v[i - 1].text) &&
	    !strchr(w->v[i - 1].text, ',')) /* "no, rated" */
		return " -unrated";
	return arena_printf(a, " %s", option);
}

/* The options without the contrary of this one: "unrated? no, rated" corrects itself. */
static const char *without_contrary(struct arena *a, const char *options, const char *option)
{
	static const char *const contraries[][2] = { { " -rated", " -unrated" },
		                                     { " -white", " -black" } };

	for (size_t i = 0; i < sizeof contraries / sizeof *contraries; i++)
		for (size_t k = 0; k < 2; k++) {
			const char *other = contraries[i][!k];
			const char *at = strcmp(option, contraries[i][k]) == 0
			                         ? strstr(options, other)
			                         : NULL;

			if (at)
				return arena_printf(a, "%.*s%s", (int)(at - options), options,
				                    at + strlen(other));
		}
	return options;
}

const char *wish_options(struct arena *a, const char *line)
{
	const char *options = "", *unit = "";
	struct words w;

	words_split(a, line, &w);
	for (size_t i = 0; i < w.n; i++) {
		const char *word = w.v[i].text, *option = option_of(a, &w, i);
		size_t digits = strspn(word, "0123456789");

		if (strchr(option, '='))
			unit = w.v[i + 1].text;
		else if (digits && *unit) /* "1 day is too short, can we have 5?" */
			option = counted_option(a, arena_strndup(a, word, digits), unit);
		if (option && !strstr(options, option))
			options = arena_printf(a, "%s%s", without_contrary(a, options, option),
			                       option);
	}
	return options;
}

/* ---- a misspelt name ---- */

#define LOOKED_AT 500 /* userids with the same first letter */
#define WORD_LEAST 3
#define WORD_MOST 21 /* a userid with a letter too many */

struct near {
	struct request *q;
	const char *word, *found;
	bool two;
};

static int compare(const char *userid, void *arg)
{
	struct near *n = arg;
	struct player_doc p;

	if (tolower((unsigned char)*userid) != tolower((unsigned char)*n->word))
		return 1;
	if (word_distance(n->word, strlen(n->word), userid, strlen(userid)) > 1 ||
	    store_player_get(n->q->site->store, n->q->arena, userid, &p, NULL) < 0 || p.deleted)
		return 0;
	n->two = n->found;
	n->found = arena_strdup(n->q->arena, p.userid);
	return n->two;
}

/* The only userid with the same first letter that is one slip of the pen away; NULL: there is none, or
 * more than one. */
static const char *near_player(struct request *q, const char *word)
{
	struct near n = { .q = q, .word = word };
	char first[2] = { (char)tolower((unsigned char)*word), '\0' };
	size_t len = strlen(word);

	if (len < WORD_LEAST || len > WORD_MOST ||
	    store_players(q->site->store, first, LOOKED_AT, compare, &n, NULL) < 0)
		return NULL;
	return n.two ? NULL : n.found;
}

bool wish_refuse_near(struct request *q, const char *word)
{
	const char *near = near_player(q, word);

	if (near)
		request_refuse(q, 0, "There is no player %.40s.  Did you mean %s?", word, near);
	return near != NULL;
}
