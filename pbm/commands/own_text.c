#include "pbm/commands/own_text.h"

#include <string.h>

#include "mail/reply/reply.h"
#include "pbm/answer/own_words.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/text_command.h"

#define LINES_MAX 40  /* of a text that are compared with our sentences */
#define BEGIN_MAX 600 /* bytes of a paragraph: more than a sentence of ours */
#define NAME_WORDS_MAX 2
#define NAMED_MAX 40 /* bytes of a line that is named */
#define MARKER "Reply above this line.\n"

/* The beginning of the paragraph from s on, with single blanks. */
static const char *paragraph(struct arena *a, const char *s)
{
	s += strspn(s, " ");
	const char *begin = arena_strndup(a, s, strnlen(s, BEGIN_MAX));

	return body_lines_single_blanks(a, body_lines_paragraph(a, begin));
}

/* The paragraphs that say something; the others may be names. */
static const char *with_sense(struct request *q, const char *paragraphs)
{
	struct str out = str_in(q->arena, strlen(paragraphs) + 2);

	for (const char *s = paragraphs; *s;) {
		const char *line = arena_strndup(q->arena, s, strcspn(s, "\n"));

		if (str_count_words(line) > NAME_WORDS_MAX || strpbrk(line, ".!?") ||
		    command_is_one(line) || first_line_is_move(line))
			str_addf(&out, "%s\n", line);
		s += strlen(line) + 1;
	}
	return out.data;
}

/* The prose of the copy, of which the marker is missing. */
static const char *prose(struct request *q, const char *copy)
{
	const char *text = arena_printf(q->arena, MARKER "\n%s\n\n" MARKER, copy);

	return reply_read(q->arena, text, NULL).left_out;
}

/* Is everything from there on ours? */
static bool is_ours(struct request *q, const char *copy)
{
	return own_words_only(q->site->run.own_words, with_sense(q, prose(q, copy)));
}

/* The beginnings of the lines that are neither commands nor moves; lines: LINES_MAX.  Their number. */
static size_t lines_of_text(struct request *q, const char *text, const char **lines)
{
	size_t n = 0, seen = 0;

	for (const char *s = text; *s && seen < LINES_MAX; s += strcspn(s, "\n"), s += *s == '\n') {
		const char *line = arena_strndup(q->arena, s, strcspn(s, "\n"));

		seen += *line != '\0';
		if (*line && !text_command_is(q, line) && !first_line_is_move(line))
			lines[n++] = s;
	}
	return n;
}

static enum own_words judge(struct request *q, const char *line)
{
	return own_words_judge(q->site->run.own_words, paragraph(q->arena, line));
}

/* Finds the beginning of a copy of our mail in the sender's text: the first line that is a
 * sentence of ours and has nothing but ours below it, else the first one that nobody else writes.
 * Where nothing marks a copy, a line must be the one and the other.  The end of the text if there is
 * none.  What is ours from one line on is so from each later one, too. */
static const char *copy_begins(struct request *q, const char *text, bool marked)
{
	enum own_words own = OWN_WORDS_NOT, least = marked ? OWN_WORDS_LIKELY : OWN_WORDS_ALONE;
	const char *lines[LINES_MAX];
	size_t n = lines_of_text(q, text, lines), kept = 0, low = 0;
	bool sure = false;

	for (size_t i = 0; i < n && !sure && (marked || n > 1); i++) {
		own = judge(q, lines[i]);
		if (own >= least)
			lines[kept++] = lines[i];
		sure = marked && own >= OWN_WORDS_SURE;
	}
	for (size_t high = kept - sure; low < high;) {
		size_t middle = (low + high) / 2;

		if (is_ours(q, lines[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low < kept ? lines[low] : text + strlen(text);
}

static bool knows(void *q, const char *text)
{
	const char *lines[LINES_MAX];
	size_t n = lines_of_text(q, text, lines);

	while (n && judge(q, lines[n - 1]) == OWN_WORDS_NOT)
		n--;
	return n > 0;
}

/* As much of the line as names it. */
static size_t begin_length(const char *line)
{
	size_t n = strcspn(line, "\n");

	return n <= NAMED_MAX ? n : utf8_cut(line, n, NAMED_MAX);
}

const char *own_text(struct request *q)
{
	if (q->own.text)
		return q->own.text;
	const struct reply r = reply_read(q->arena, q->mail.text,
	                                  &(struct reply_knower){ knows, q });
	const char *copy = copy_begins(q, r.text, r.above_copy);
	size_t n = (size_t)(copy - r.text);

	while (*copy && n && strchr(" \n", r.text[n - 1]))
		n--;
	q->own.left_out = r.left_out;
	if (*copy && !r.above_copy)
		q->own.end = arena_strndup(q->arena, copy, begin_length(copy));
	if (*copy)
		q->own.left_out = arena_printf(q->arena, "%s%s", prose(q, copy), r.left_out);
	return q->own.text = arena_strndup(q->arena, r.text, n);
}

/* Does the answer say already that the text stands in the wrong place? */
static bool says_above(const struct request *q)
{
	for (size_t i = 0; i < q->note_count; i++)
		if (q->notes[i].headline && strstr(q->notes[i].headline, "above the copy"))
			return true;
	return false;
}

void own_text_tell(struct request *q)
{
	const char *text = with_sense(q, q->own.left_out);

	if (q->own.end)
		withhold_say(
			q,
			"The end of your text is a copy of my mail, from \"%s\" on.  It was not read and not passed on.",
			q->own.end);
	if (!own_words_only(q->site->run.own_words, text) && !says_above(q))
		withhold_say(
			q,
			"Text between or below the copied lines of my mail was not read and not passed on.  Write it above the copy.");
}
