#include "pbm/commands/words/sentence.h"

#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "mail/plain.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/record/ahead_tree_line.h"

static const char before[] = "([{\"'*_-/.", after[] = ")]}\"'*_-.,;:!?/";

/* The length of "3.", "3..." and "4." of "4.La4" at s. */
static size_t number_at(const char *s)
{
	size_t digits = strspn(s, "0123456789"), dots = strspn(s + digits, ".");

	return digits && dots ? digits + dots : 0;
}

/* The bytes at s up to the end of its sentence.  The dots of "3. Lb5" end none. */
static size_t sentence_length(const char *s)
{
	size_t i = 0;

	for (; s[i] && s[i] != '\n'; i++) {
		bool begins = i == 0 || strchr(" \t(", s[i - 1]);
		size_t number = begins ? number_at(s + i) : 0;

		if (number)
			i += number - 1;
		else if (strchr(".!?;", s[i]) && (!s[i + 1] || strchr(" \t\n)", s[i + 1])))
			return i + 1;
	}
	return i;
}

static void add_word(struct arena *a, const char *start, size_t n, struct prose_sentence *out)
{
	const char *end = start + n, *s = start;

	while (s < end && strchr(before, *s))
		s++;
	s += s + number_at(s) <= end ? number_at(s) : 0;
	const char *bare = end;
	while (bare > s && strchr(after, bare[-1]))
		bare--;
	if (bare == s)
		return;
	out->v[out->n].start = s;
	out->v[out->n].word = arena_strndup(a, s, (size_t)(bare - s));
	out->v[out->n++].mark = bare < end;
}

const char *sentence_next(struct arena *a, const char *text, struct prose_sentence *out)
{
	text += strspn(text, " \t\n");
	if (!*text)
		return NULL;
	size_t n = sentence_length(text);
	const char *s = plain_line(a, arena_strndup(a, text, n));

	*out = (struct prose_sentence){ .text = s };
	while (*s && out->n < SENTENCE_WORDS) {
		size_t len = strcspn(s, " \t");

		add_word(a, s, len, out);
		s += len + strspn(s + len, " \t");
	}
	return text + n;
}

bool sentence_is_turn(const char *word)
{
	size_t n = strlen(word);
	bool castles = strncasecmp(word, "o-o", 3) == 0 || strncmp(word, "0-0", 3) == 0;

	return castles ? game_looks_like_move(word, n) : ahead_tree_holds_square(word, n);
}

size_t sentence_skip(const struct prose_sentence *s, size_t i, size_t n)
{
	if (n == 0) /* also at the end, where no word begins */
		return i;
	const char *end = s->v[i].start + n;
	while (i < s->n && s->v[i].start < end)
		i++;
	return i;
}

bool sentence_is_prose(const struct words *line)
{
	for (size_t i = 0; i < line->n; i++) {
		const char *word = line->v[i].text;

		if (strpbrk(word, ",?!;") || word[strlen(word) - 1] == '.' ||
		    (i && str_is_any_n(word, strcspn(word, ":"), first_words_small)))
			return true;
	}
	return false;
}
