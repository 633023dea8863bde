/* The words after a turn on its line: an offer of a draw, or a command that acts. */
#include "pbm/commands/words/after_turn.h"

#include <string.h>
#include <strings.h>

#include "pbm/base/str.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"

#define ACCEPT_WORDS_MAX 3 /* of a line that accepts without naming what */

const char *after_turn_sign(const char *rest)
{
	static const char *const signs[] = { "=", "1/2-1/2", "1/2", NULL };
	size_t i = 0, n = str_prefix_any(rest, signs);

	while (n && !str_prefix(rest, signs[i]))
		i++;
	return n && !rest[n + strspn(rest + n, ") .!?")] ? signs[i] : NULL;
}

bool after_turn_is_draw(const char *rest)
{
	return (after_turn_sign(rest) && rest[-1] == '(' && rest[1] == ')') ||
	       (strncasecmp(rest, "draw", 4) == 0 && strchr(" ?!.),;:", rest[4])) ||
	       near_says(rest, "draw");
}

/* "I accept your draw", "und remis angenommen"; after an offer also "agreed" and "yes" */
static bool accepts_draw(const char *rest, bool offered)
{
	static const char *const draws[] = { "draw", "remis", "tablas", "nulle", "patta", NULL },
				 *const accepts[] = { "accept",        "agree", "angenommen",
		                                      "nehme",         "acept", "d'accord",
		                                      "einverstanden", NULL },
				 *const nots[] = {
					 "not", "n't", "no ", "nicht", "kein", "?", NULL
				 };

	return (offered || str_holds_any(rest, draws)) && !str_holds_any(rest, nots) &&
	       (str_holds_any(rest, accepts) || (offered && first_line_says_yes(rest)));
}

bool after_turn_accepts(const char *line)
{
	static const char *const nots[] = {
		"not", "n't", "no ", "nicht", "kein", "?", " if ", NULL
	};

	return str_holds_any(line, first_words_accepting) && !str_holds_any(line, nots) &&
	       (str_count_words(line) <= ACCEPT_WORDS_MAX ||
	        str_holds_any(line, first_words_asked));
}

const char *after_turn_word(struct arena *a, const char *rest, bool offered)
{
	static const char *const words[] = { "resign", "abort", "accept", "undo", "claim" };
	size_t n = strcspn(rest, " \t.,;!?:");
	const char *thanked,
		*core = alone_words_core(a, rest + n + strspn(rest + n, " \t"), &thanked);

	if (accepts_draw(rest, offered))
		return "accept";
	if (near_says(rest, "draw"))
		return NULL;
	if (after_turn_is_draw(rest)) {
		core += strspn(core, "?!.),;: ");
		return *core && !first_line_is_please(core) ? "draw" : NULL;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && strncasecmp(words[i], rest, n) == 0 &&
		    alone_words_takes(words[i], core))
			return words[i];
	return NULL;
}

size_t after_turn_before(const char *line, size_t n)
{
	for (;;) {
		while (n && strchr(" ,;(", line[n - 1]))
			n--;
		size_t word = n;
		while (word && !strchr(" ,;(.", line[word - 1]))
			word--;
		if (word == n || first_words_phrase(line + word, first_words_joining) != n - word)
			return n;
		n = word;
	}
}
