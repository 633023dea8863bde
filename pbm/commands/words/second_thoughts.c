#include "pbm/commands/words/second_thoughts.h"

#include <string.h>
#include <strings.h>

#include "pbm/base/str.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/second_thoughts_words.h"
#include "pbm/commands/words/sentence.h"

#define MARKS " \t,.!;:()\"'-"
#define WISH_WORDS 6 /* of a sentence that asks for other terms without a "but" */

/* The kinds of second thoughts that count below a command. */
static const struct taken {
	const char *word;
	bool wrongs; /* "wrong board" is no reason for it */
	bool alone;  /* "not now" is none, either */
	bool limits; /* "if you agree" is more than politeness */
} taken[] = {
	{ "resign", true, true, true }, { "accept", true, true, true },
	{ "draw", true, true, false },  { "abort", false, true, false },
	{ "undo", false, true, false }, { "decline", false, false, false },
	{ NULL, false, false, false },
};

static const struct taken *taken_below(const char *word)
{
	const struct taken *t = taken;

	while (t->word && strcmp(t->word, word) != 0)
		t++;
	return t;
}

static size_t skip_marks(const char *s)
{
	return strspn(s, MARKS);
}

/* Does a phrase of the list begin s, and nothing but marks follow? */
static bool is_whole(const char *s, const char *const *list)
{
	size_t n = first_words_phrase(s, list);

	return n && !s[n + strspn(s + n, MARKS "?")];
}

/* Is the rest of "I meant …" another command, or a turn?  An undo may be asked for by the turn that was
 * meant. */
static bool means_other(struct arena *a, const char *word, const char *rest)
{
	static const char *const small[] = { "to", "a",   "the",   "zu",      "ein",
		                             "un", "una", "offer", "ofrecer", NULL };

	for (size_t n; (n = first_words_phrase(rest, small));)
		rest += n + skip_marks(rest + n);
	const char *said = did_you_mean_said(rest);
	const char *next = arena_strndup(a, rest, strcspn(rest, MARKS "?"));

	if (!said && near_wishes_draw(rest))
		said = "draw";
	if (alone_words_has(next))
		said = next;
	if (said)
		return strcasecmp(said, word) != 0 && strcasecmp(said, "rematch") != 0;
	return strcmp(word, "undo") != 0 && first_line_is_turns(rest);
}

/* "if you play Ng5": no "if only I had played Nc6" */
static bool depends_on_turn(const struct prose_sentence *s, const char *at)
{
	static const char *const unreal[] = { "only",     "had",     "hadn't", "would",  "could",
		                              "hätte",    "hättest", "wäre",   "würde",  "nur",
		                              "hubieras", "hubiera", "have",   "played", NULL };
	size_t n = first_words_phrase(at, second_thoughts_words_if);
	bool turn = false;

	for (size_t i = 0; n && i < s->n; i++) {
		if (str_is_any(s->v[i].word, unreal))
			return false;
		turn |= s->v[i].start == at + n + skip_marks(at + n) &&
		        sentence_is_turn(s->v[i].word);
	}
	return turn;
}

static bool holds_any(const struct prose_sentence *s, const char *const *list)
{
	for (size_t i = 0; i < s->n; i++)
		if (first_words_phrase(s->v[i].start, list))
			return true;
	return false;
}

/* "but with 3 days per move", "unrated please", below the yes to an offer */
static bool has_terms(const struct prose_sentence *s)
{
	static const char *const buts[] = { "but", "aber", "pero", "only",
		                            "nur", "solo", "sólo", NULL };
	static const char *const units[] = { "day",  "days", "tag",  "tage", "tagen", "días",
		                             "dias", "día",  "move", "zug",  NULL };
	bool number = s->text[strcspn(s->text, "0123456789")];
	bool terms = (number && holds_any(s, units)) || holds_any(s, first_words_terms);

	return terms && (first_words_phrase(s->text, buts) ||
	                 (s->n <= WISH_WORDS && holds_any(s, first_words_please)));
}

/* "don't resign", which takes no other word back than resign */
static bool is_of_other(struct arena *a, const char *phrase, size_t n, const char *word)
{
	const char *all = arena_strndup(a, phrase, n), *blank = strrchr(all, ' ');

	return blank && alone_words_has(blank + 1) && strcasecmp(blank + 1, word) != 0;
}

/* Does the rest of the sentence, after words like "oh", take the command back? */
static bool retracts(struct arena *a, const struct taken *t, const char *at, bool first)
{
	size_t meant = first_words_phrase(at, second_thoughts_words_meant);

	size_t taken_back = first_words_phrase(at, second_thoughts_words_retracts);

	return (taken_back && !is_of_other(a, at, taken_back, t->word)) ||
	       (t->wrongs && first_words_phrase(at, second_thoughts_words_wrongs)) ||
	       (first && t->alone && is_whole(at, second_thoughts_words_alone)) ||
	       (meant && means_other(a, t->word, at + meant + skip_marks(at + meant)));
}

/* Does it limit the command, or ask what that does?  What only asks the other player does no harm. */
static bool limits(const struct second_thoughts *above, const struct taken *t,
                   const struct prose_sentence *s, const char *at)
{
	bool asks = strchr(at, '?');

	if ((t->limits || above->final) && (first_words_phrase(at, second_thoughts_words_limits) ||
	                                    (!above->offer && depends_on_turn(s, at)) ||
	                                    (asks && is_whole(at, second_thoughts_words_doubts))))
		return true;
	return above->final && asks && first_words_phrase(at, second_thoughts_words_asks) &&
	       !strcasestr(at, " have ");
}

/* "Actually no, I changed my mind", or "wait, no" alone: does the line take back what stands above it?
 * "Don't worry" and "No, you played well" do not. */
static bool takes_back(struct arena *a, const char *line)
{
	static const char marks[] = ",.!;: ";

	if (str_count_words(line) <= 2)
		return !first_words_phrase(line, first_words_open) &&
		       first_line_takes_back(arena_strndup(a, line, strcspn(line, ",.!")));
	for (; *line; line += strcspn(line, ",.!;:"), line += strspn(line, marks)) {
		size_t n = first_words_phrase(line, first_words_cancel);
		size_t words = str_count_words(arena_strndup(a, line, n));

		if (words > 2 || (words == 2 && strchr(marks, line[n]) && line[n] != ' '))
			return true;
	}
	return false;
}

bool second_thoughts_has(struct arena *a, const struct second_thoughts *above, const char *line,
                         bool first)
{
	const struct taken *t = taken_below(above->word);
	struct prose_sentence s;

	if (!t->word)
		return false;
	if (above->final && takes_back(a, line))
		return true;
	if (strchr(line, '?') && !line[strspn(line, " ?!")])
		return true;
	for (const char *text = line; (text = sentence_next(a, text, &s)); first = false) {
		const char *at = s.text + skip_marks(s.text) + str_prefix(s.text, "¿");

		if (above->offer && has_terms(&s))
			return true;
		for (size_t n = 1; n && *at; at += n ? n + skip_marks(at + n) : 0) {
			if (retracts(a, t, at, first) || limits(above, t, &s, at))
				return true;
			n = first_words_phrase(at, second_thoughts_words_leads);
		}
	}
	return false;
}
