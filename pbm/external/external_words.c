#include "pbm/external/external_words.h"

#include <string.h>

#define TURN_MAX 32 /* bytes */
#define SCORE_MAX 100000
#define DIGITS_MAX 15

struct external_text {
	const char *at;
	size_t left;
};

/* The next word; its length is 0 at the end. */
static struct external_text next_word(struct external_text *t)
{
	struct external_text word;

	while (t->left && (*t->at == ' ' || *t->at == '\t'))
		t->at++, t->left--;
	word = (struct external_text){ t->at, 0 };
	while (t->left && *t->at != ' ' && *t->at != '\t')
		t->at++, t->left--, word.left++;
	return word;
}

static bool is(struct external_text word, const char *text)
{
	return word.left == strlen(text) && memcmp(word.at, text, word.left) == 0;
}

/* "-13"; false: no number, or one of too many digits. */
static bool read_number(struct external_text word, int64_t *out)
{
	bool minus = word.left && *word.at == '-';
	int64_t n = 0;

	word.at += minus;
	word.left -= minus;
	if (!word.left || word.left > DIGITS_MAX)
		return false;
	for (; word.left; word.at++, word.left--) {
		if (*word.at < '0' || *word.at > '9')
			return false;
		n = n * 10 + (*word.at - '0');
	}
	*out = minus ? -n : n;
	return true;
}

/* The words after "info".  A mate says no score: nobody has proved it to us. */
static void read_info(struct external_text *t, struct external_said *out)
{
	struct external_text word;
	int64_t n, line = 1;

	while ((word = next_word(t)).left && !is(word, "pv") && !is(word, "string")) {
		if (is(word, "multipv"))
			read_number(next_word(t), &line);
		else if (is(word, "nodes") && read_number(next_word(t), &n) && n >= 0)
			out->nodes = (uint64_t)n;
		else if (is(word, "cp") && read_number(next_word(t), &n) && n >= -SCORE_MAX &&
		         n <= SCORE_MAX) {
			out->word = EXTERNAL_SCORE;
			out->score = (int)n;
		}
	}
	if (line != 1)
		out->word = EXTERNAL_NOTHING;
}

static void take_turn(struct external_text word, enum external_word said, struct external_said *out)
{
	if (!word.left || word.left > TURN_MAX)
		return;
	out->word = said;
	out->text = word.at;
	out->len = word.left;
}

void external_words_read(const char *line, size_t len, struct external_said *out)
{
	struct external_text t = { line, len };
	struct external_text first = next_word(&t);

	*out = (struct external_said){ .word = EXTERNAL_NOTHING };
	if (memchr(line, '\0', len))
		return;
	if (is(first, "uciok"))
		out->word = EXTERNAL_UCIOK;
	else if (is(first, "readyok"))
		out->word = EXTERNAL_READYOK;
	else if (is(first, "info"))
		read_info(&t, out);
	else if (is(first, "bestmove"))
		take_turn(next_word(&t), EXTERNAL_BESTMOVE, out);
	else if (is(first, "option") && is(next_word(&t), "name") &&
	         is(next_word(&t), "UCI_Variant"))
		out->word = EXTERNAL_VARIANTS;
	else if (is(first, "Nodes") && is(next_word(&t), "searched:"))
		out->word = EXTERNAL_COUNTED;
	else if (first.left > 1 && first.at[first.left - 1] == ':' && is(next_word(&t), "1"))
		take_turn((struct external_text){ first.at, first.left - 1 }, EXTERNAL_LISTED, out);
}

bool external_words_have_variant(const char *line, size_t len, const char *variant)
{
	struct external_text t = { line, len }, word;

	while ((word = next_word(&t)).left)
		if (is(word, "var") && is(next_word(&t), variant))
			return true;
	return false;
}
