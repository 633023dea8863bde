#include "pbm/commands/wish.h"

#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/text/words.h"

#define WORDS_MOST 16
#define NAME_LEAST 4 /* letters of a game's name in a sentence */

static bool is_listed(const char *word, const char *const *table)
{
	size_t n = strcspn(word, ".,;:!?");

	for (; *table; table++)
		if (strlen(*table) == n && strncasecmp(word, *table, n) == 0)
			return true;
	return false;
}

/* The game that the words name; NULL: none. */
static const struct rules *game_in(const struct words *w)
{
	for (size_t i = 0; i < w->n; i++) {
		size_t n = strcspn(w->v[i].text, ".,;:!?");
		const struct rules *r = n >= NAME_LEAST ? rules_find(w->v[i].text, n, NULL) : NULL;

		if (r)
			return r;
	}
	return NULL;
}

const char *wish_line(struct arena *a, const char *line)
{
	static const char *const begin[] = { "i",       "i'd",   "id",     "we",      "can",
		                             "could",   "let",   "let's",  "lets",    "how",
		                             "want",    "who",   "play",   "anyone",  "anybody",
		                             "looking", "ich",   "möchte", "je",      "quiero",
		                             "vorrei",  "quero", "ik",     "schach",  "chess",
		                             "wir",     "wer",   "kann",   "spielen", NULL };
	static const char *const play[] = { "play",    "spielen", "jouer",  "jugar",
		                            "giocare", "jogar",   "spelen", NULL };
	static const char *const any[] = { "game",   "opponent", "somebody", "someone", "anybody",
		                           "anyone", "partie",   "gegner",   NULL };
	bool plays = false, anybody = false;
	struct words w;

	words_split(a, line, &w);
	if (w.n < 2 || w.n > WORDS_MOST || line[strcspn(line, "0123456789#=@")] ||
	    !is_listed(w.v[0].text, begin))
		return NULL;
	for (size_t i = 0; i < w.n; i++) {
		plays |= is_listed(w.v[i].text, play);
		anybody |= is_listed(w.v[i].text, any);
	}
	const struct rules *r = plays ? game_in(&w) : NULL;
	if (r)
		return arena_printf(a, "sought %s", r->name);
	return plays && anybody ? "sought" : NULL;
}
