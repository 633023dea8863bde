#include "pbm/text/sentences.h"

#include <stdlib.h>
#include <string.h>

#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/base/utf8.h"
#include "pbm/text/sentences_form.h"

#define TEXT_MAX (256 * 1024)
#define WEIGHT_MIN 2    /* bytes that a format needs beside blanks and conversions */
#define DEPTH_MAX 4     /* sentences inside each other */
#define ITEM_COMMAS 4   /* items of a list that may be one, which has commas */
#define ENDS_MAX 40     /* places of a line where a sentence may end */
#define BUDGET 20000000 /* steps of comparison for one text; the rest stays English */

struct sentence {
	const char *source;
	struct form format, said;
	bool part;
};

struct sentences {
	struct arena arena;
	size_t n, cap;
	struct sentence **v; /* the heaviest first: the one that says most goes first */
};

/* One call of sentences_say(). */
struct speech {
	const struct sentences *s;
	size_t budget;
	struct str *out;
};

struct sentences *sentences_new(void)
{
	return mem_alloc(sizeof(struct sentences));
}

void sentences_free(struct sentences *s)
{
	if (!s)
		return;
	arena_release(&s->arena);
	free(s->v);
	free(s);
}

/* Does a go before b?  A part goes before a sentence that says as much. */
static bool goes_before(const struct sentence *a, const struct sentence *b)
{
	size_t x = a->format.weight, y = b->format.weight;

	return x > y || (x == y && a->part && !b->part);
}

/* The place of a new one, after all that say as much. */
static size_t find_place(const struct sentences *s, const struct sentence *new)
{
	size_t at = 0, end = s->n;

	while (at < end) {
		size_t middle = (at + end) / 2;

		if (goes_before(new, s->v[middle]))
			end = middle;
		else
			at = middle + 1;
	}
	return at;
}

/* Is the same one there, before this place?  It says as much. */
static bool has(const struct sentences *s, const struct sentence *new, size_t at)
{
	for (; at && !goes_before(s->v[at - 1], new); at--)
		if (strcmp(s->v[at - 1]->source, new->source) == 0)
			return true;
	return false;
}

static void insert(struct sentences *s, struct sentence *new, size_t at)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 256;
		s->v = mem_resize(s->v, s->cap * sizeof(void *));
	}
	memmove(&s->v[at + 1], &s->v[at], (s->n - at) * sizeof(void *));
	s->v[at] = new;
	s->n++;
}

int sentences_add(struct sentences *s, const char *format, const char *said, bool part,
                  struct err *e)
{
	struct sentence *new = arena_alloc(&s->arena, sizeof *new);
	int rc = form_parse(&s->arena, format, false, &new->format, e);

	if (rc == 0)
		rc = form_parse(&s->arena, said, true, &new->said, e);
	if (rc == 0)
		rc = form_agree(&new->format, &new->said, e);
	if (rc < 0)
		return rc;
	if (new->format.weight < WEIGHT_MIN)
		return err_set(e, ERR_BAD, "the format has too few letters of its own");
	new->source = arena_strdup(&s->arena, format);
	new->part = part;
	size_t at = find_place(s, new);
	if (has(s, new, at))
		return err_set(e, ERR_CONFLICT, "the format is there twice");
	insert(s, new, at);
	return 0;
}

static size_t add_members(struct sentences *s, const json_t *members, bool part, const char *name)
{
	const char *format;
	json_t *said;
	size_t wrong = 0;

	json_object_foreach((json_t *)(uintptr_t)members, format, said) {
		struct err e = { 0 };

		if (!json_is_string(said))
			err_set(&e, ERR_BAD, "the translation is no text");
		else
			sentences_add(s, format, json_string_value(said), part, &e);
		if (e.code == 0)
			continue;
		wrong++;
		log_warn("%s: not used: \"%.100s\": %s", name, format, e.text);
	}
	return wrong;
}

size_t sentences_add_all(struct sentences *s, const json_t *catalogue, const char *name)
{
	return add_members(s, json_object_get(catalogue, "sentences"), false, name) +
	       add_members(s, json_object_get(catalogue, "parts"), true, name);
}

static bool say_sentence(struct speech *sp, const char *text, size_t n, unsigned depth);

/* The end of so many items of a list. */
static const char *items_end(const char *at, const char *end, size_t items)
{
	for (; at < end; at++)
		if (at[0] == ',' && at + 1 < end && at[1] == ' ' && --items == 0)
			return at;
	return end;
}

/* A text put into a sentence: a sentence, a part, or a list of them, whose items may have
 * commas of their own. */
static void say_filling(struct speech *sp, const struct form_filling *f, unsigned depth)
{
	const char *at = f->text, *end = f->text + f->n;

	while (at < end) {
		const char *stop = end;
		bool said = depth < DEPTH_MAX &&
		            say_sentence(sp, at, (size_t)(end - at), depth + 1);

		for (size_t items = ITEM_COMMAS; !said && items > 0; items--) {
			stop = items_end(at, end, items);
			said = depth < DEPTH_MAX &&
			       say_sentence(sp, at, (size_t)(stop - at), depth + 1);
		}
		if (!said)
			str_add_n(sp->out, at, (size_t)(stop - at));
		if (stop < end)
			str_add(sp->out, ", ");
		at = stop + (stop < end ? 2 : 0);
	}
}

static void copy_filling(struct speech *sp, const struct form_filling *f)
{
	for (size_t i = 0; i < f->n; i++)
		str_add_char(sp->out, f->text[i] == FORM_GAP ? ' ' : f->text[i]);
}

/* Says the whole text with the first format that fits; false, and nothing written, when
 * none does. */
static bool say_sentence(struct speech *sp, const char *text, size_t n, unsigned depth)
{
	struct form_filling filling[FORM_HOLES_MAX];
	const struct sentence *found = NULL;

	for (size_t i = 0; i < sp->s->n && !found; i++) {
		const struct sentence *one = sp->s->v[i];

		if ((!one->part || depth > 0) &&
		    form_match(&one->format, text, n, filling, &sp->budget))
			found = one;
	}
	if (!found)
		return false;
	for (size_t i = 0; i < found->said.pieces; i++) {
		const struct form_piece *p = &found->said.piece[i];

		if (p->text)
			str_add_n(sp->out, p->text, p->n);
		else if (p->kind == 't')
			say_filling(sp, &filling[p->hole], depth);
		else
			copy_filling(sp, &filling[p->hole]);
	}
	return true;
}

/* Translates the bytes as one sentence; blanks don't matter.  Two blanks separate sentences or
 * columns: no text that was put in crosses them. */
static bool say_folded(struct speech *sp, const char *text, size_t n)
{
	AUTO(mem_free) char *folded = mem_alloc(n + 1);
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] != ' ' || i + 1 == n || text[i + 1] != ' ')
			folded[len++] = text[i];
		if (i > 0 && i + 1 < n && text[i] == ' ' && text[i - 1] == ' ' &&
		    text[i + 1] != ' ')
			folded[len - 1] = FORM_GAP;
	}
	return say_sentence(sp, folded, len, 0);
}

/* The places in a line where a sentence or a column may end, the end of the line last. */
static size_t find_ends(const char *line, size_t n, size_t ends[ENDS_MAX])
{
	size_t count = 0;

	for (size_t i = 1; i < n && count + 1 < ENDS_MAX; i++)
		if (line[i] == ' ' && line[i - 1] != ' ' &&
		    (strchr(".!?:", line[i - 1]) || line[i + 1] == ' '))
			ends[count++] = i;
	ends[count++] = n;
	return count;
}

/* The blanks after a column; fewer or more of them when it has become longer or shorter. */
static void add_gap(struct speech *sp, size_t blanks, bool column, size_t before, size_t after)
{
	size_t n = blanks;

	if (column)
		n = before + blanks > after ? before + blanks - after : 1;
	while (n--)
		str_add_char(sp->out, ' ');
}

/* The same, also of a sentence that got its full stop as another one was added after it. */
static bool say_stopped(struct speech *sp, const char *text, size_t n)
{
	if (say_folded(sp, text, n))
		return true;
	if (n < 2 || text[n - 1] != '.' || !say_folded(sp, text, n - 1))
		return false;
	str_add_char(sp->out, '.');
	return true;
}

/* Says the longest beginning of the line that a format fits, or copies the shortest. */
static void say_line(struct speech *sp, const char *line, size_t n)
{
	size_t ends[ENDS_MAX];

	while (n) {
		size_t count = find_ends(line, n, ends), took = ends[0], start = sp->out->len;
		bool said = false;

		for (size_t i = count; i-- > 0 && !said;) {
			said = sp->budget && say_stopped(sp, line, ends[i]);
			took = said ? ends[i] : ends[0];
		}
		if (!said)
			str_add_n(sp->out, line, took);
		size_t blanks = 0;
		while (took + blanks < n && line[took + blanks] == ' ')
			blanks++;
		bool column = blanks > 1 && !strchr(".!?:", line[took - 1]);
		add_gap(sp, blanks, column, utf8_count(line, took),
		        utf8_count(sp->out->data + start, sp->out->len - start));
		line += took + blanks;
		n -= took + blanks;
	}
}

void sentences_say(const struct sentences *s, const char *english, struct str *out)
{
	struct speech sp = { s, BUDGET, out };

	if (!s) {
		str_add(out, english);
		return;
	}
	while (*english) {
		size_t indent = strspn(english, " \n"), n = strcspn(english + indent, "\n");

		str_add_n(out, english, indent);
		if (english[indent] == '|') /* a player's own words */
			str_add_n(out, english + indent, n);
		else
			say_line(&sp, english + indent, n);
		english += indent + n;
	}
}
