/* The words after a turn on its line: an offer of a draw, or a command that acts. */
#include "pbm/commands/play/turn_behind.h"

#include <string.h>
#include <strings.h>

#include "pbm/commands/play/withhold.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"

bool turn_behind_is_sign(const char *rest)
{
	return *rest == '=' && !rest[1 + strspn(rest + 1, ") .")];
}

bool turn_behind_is_draw(const char *rest)
{
	return (turn_behind_is_sign(rest) && rest[-1] == '(' && rest[1] == ')') ||
	       (strncasecmp(rest, "draw", 4) == 0 && strchr(" ?!.),;:", rest[4])) ||
	       near_says(rest, "draw");
}

/* "Nf3 accept draw", "Nf3 draw is not what I want": a word that acts after a turn, with its
 * arguments, or draw with more than the offer.  Playing the turn could undo what was meant.
 * NULL: there is none. */
static const char *word_behind(struct request *q, const char *rest)
{
	static const char *const words[] = { "resign", "abort", "accept", "undo", "claim" };
	size_t n = strcspn(rest, " \t.,;!?:");
	const char *thanked,
		*core = alone_words_core(q->arena, rest + n + strspn(rest + n, " \t"), &thanked);

	if (near_says(rest, "draw"))
		return NULL;
	if (turn_behind_is_draw(rest)) {
		core += strspn(core, "?!.),;: ");
		return *core && !first_line_is_please(core) ? "draw" : NULL;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && strncasecmp(words[i], rest, n) == 0 &&
		    alone_words_takes(words[i], core))
			return words[i];
	return NULL;
}

bool turn_behind_check(struct request *q, const struct call *c, const char *rest)
{
	const char *word = word_behind(q, rest);

	if (!word)
		return true;
	request_refuse(
		q, c->board,
		"After your move stands more than I can do with it: %s.  Nothing was done.  Write the move alone on its line, or that word alone.",
		word)
		->flags |= NOTE_BOARD | NOTE_ASK;
	return false;
}

void turn_behind_say_no_draw(struct request *q, const char *words)
{
	if (words && (near_says(words, "draw") || near_asks_draw(words)))
		withhold_say(q, "Your text offers no draw.  To offer one, answer: draw");
}
