/* Templates and catalogues are read as they are, line by line: what is put into a text is a hole in
 * it, which fits anything. */
#include "pbm/answer/own_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/array.h"
#include "pbm/base/str.h"
#include "pbm/people/settings.h"
#include "pbm/text/markdown.h"
#include "pbm/text/template.h"

#define PARAGRAPHS_MAX 40
#define FORM_MAX 300      /* bytes of a sentence that are looked at */
#define PARAGRAPH_MAX 600 /* bytes of one that are looked at */
#define LETTERS_BRIEF 5   /* "Until %s: %s." */
#define LETTERS_FEW 6
#define LEADING_MAX 40 /* bytes of what is put in before the first words */
#define PAGE_MAX_BYTES (256 * 1024)
#define PAGE_COLUMNS 72
#define LETTERS_SURE 15 /* nobody else writes a sentence with so many */
#define LETTERS_ALONE 25
#define HOLE '\1'

/* Beginnings of sentences that have fewer. */
static const char *const briefs[] = { "FEN: ", "Until ", "Bis ", NULL };

/* A sentence, perhaps with holes. */
struct own_form {
	const char *text;
	size_t n;
	size_t letters[3]; /* before the first hole, the second one and the end */
	bool paragraph;    /* nothing follows it */
};

struct own_forms {
	struct arena arena;
	struct own_form *v;
	size_t n, cap;
	bool read;
};

struct own_table {
	const char *override_dir;
	struct own_forms mails, pages; /* each is read when it is first asked for */
};

/* A sentence while it is read. */
struct draft {
	char text[FORM_MAX];
	size_t n;
};

static void put(struct draft *d, char c)
{
	char last = d->n ? d->text[d->n - 1] : ' ';
	bool again = c == last && (c == ' ' || c == HOLE);

	if (!again && d->n + 1 < sizeof d->text)
		d->text[d->n++] = c;
}

/* Adds the sentence, or a whole paragraph, and clears it.  A paragraph of a single word may be a
 * command. */
static void add(struct own_forms *to, struct draft *d, bool paragraph)
{
	size_t n = d->n, holes = 0;

	d->n = 0;
	while (n && strchr(paragraph ? " :" : " ", d->text[n - 1]))
		n--;
	if (!n || (paragraph && !memchr(d->text, ' ', n)))
		return;
	struct own_form *f = ARRAY_ADD(&to->arena, to);
	*f = (struct own_form){ arena_strndup(&to->arena, d->text, n), n, { 0 }, paragraph };
	for (const char *c = f->text; *c; c++) {
		holes += *c == HOLE && holes < 2;
		f->letters[holes] += str_is_letter(*c);
	}
}

/* Does the paragraph begin so?  What is put in before the first words are few words. */
static bool fits(const struct own_form *f, const char *s)
{
	const char *form = f->text, *start = s;

	if (*form != HOLE && *form != *s)
		return false;
	for (bool first = true; *form; first = false) {
		size_t n = strcspn(form, (char[]){ HOLE, '\0' });
		const char *at = first ? s : memmem(s, strlen(s), form, n);

		if (!at || strncmp(at, form, n) != 0)
			return false;
		if (s == start && *f->text == HOLE && at - s > LEADING_MAX)
			return false;
		s = at + n;
		form += n + (form[n] == HOLE);
	}
	return true;
}

/* Is the paragraph's first sentence just this one, which has one word, a name perhaps, in a hole that
 * begins it?  Other people, too, go on in their own way after words of ours. */
static bool is_whole(const struct own_form *f, const char *s)
{
	struct own_form rest = *f;
	char last = f->n ? f->text[f->n - 1] : HOLE;

	if (*f->text == HOLE) {
		s += strcspn(s, " ,;.!?");
		rest.text++;
		if (strncmp(s, rest.text, strcspn(rest.text, (char[]){ HOLE, '\0' })) != 0)
			return false;
	}
	if (!fits(&rest, s))
		return false;
	const char *hole = strrchr(rest.text, HOLE), *tail = hole ? hole + 1 : rest.text;
	size_t n = strlen(s), k = strlen(tail);
	return last == HOLE || ispunct((unsigned char)last) ||
	       (strcmp(s + n - k, tail) == 0 && (hole || n == k));
}

/* Below "alice: " stands what is done for that player. */
static const char *skip_name(const char *s)
{
	size_t n = strcspn(s, " ");

	return n && s[n] == ' ' && s[n - 1] == ':' ? s + n + 1 : s;
}

static enum own_words certainty(const struct own_form *f, const char *s)
{
	size_t letters = f->letters[1] + (*f->text == HOLE ? 0 : f->letters[0] + f->letters[2]);

	if (letters < LETTERS_SURE || !is_whole(f, s))
		return OWN_WORDS_NOT;
	if (f->letters[0] < LETTERS_SURE)
		return OWN_WORDS_LIKELY;
	return letters < LETTERS_ALONE ? OWN_WORDS_SURE : OWN_WORDS_ALONE;
}

/* Is it the whole paragraph, or as much as is looked at?  A colon or a blank at its
 * end is left out; above a drawn board there is none. */
static bool is_paragraph(const struct own_form *f, const char *s)
{
	return strncmp(f->text, s, f->n) == 0 &&
	       (f->n + 4 > FORM_MAX || s[f->n + strspn(s + f->n, ".:")] == '\0');
}

static enum own_words likeness(const struct own_form *f, const char *s)
{
	size_t letters = f->letters[0] + f->letters[1] + f->letters[2];
	bool brief = letters < LETTERS_FEW;

	if (f->paragraph)
		return is_paragraph(f, s);
	if (letters < LETTERS_BRIEF || (brief && f->text[f->n - 1] == HOLE))
		return OWN_WORDS_NOT;
	if (brief)
		return is_whole(f, s);
	const char *named = skip_name(s);
	return fits(f, s) || (named != s && fits(f, named));
}

/* The two texts of "format": "translation". */
static void read_entry(struct own_forms *to, const char *s, size_t n)
{
	struct draft d = { .n = 0 };
	bool within = false;

	for (const char *end = s + n; s < end; s++) {
		if (*s == '"') {
			within = !within;
			if (!within)
				add(to, &d, false);
		} else if (within && *s == '\\') {
			s++;
			put(&d, *s == 'n' ? ' ' : *s);
		} else if (within && *s == '%') {
			s += 1 + strspn(s + 1, "0123456789$-+ #.*'hlzj");
			put(&d, HOLE);
		} else if (within) {
			put(&d, *s);
		}
	}
}

/* A line of a template; of a section within it only what stands before. */
static void read_line(struct own_forms *to, const char *s, size_t n)
{
	struct draft d = { .n = 0 };

	for (const char *end = s + n; s < end;) {
		const char *close = str_prefix(s, "{{") ? strstr(s, "}}") : NULL;

		if (close && strchr("#^/>", s[2]) && d.n)
			break;
		if (!close)
			put(&d, *s);
		else if (!strchr("#^/>", s[2]))
			put(&d, HOLE);
		s = close ? close + 2 : s + 1;
	}
	add(to, &d, false);
}

static void read_file(struct own_forms *to, const char *text, bool catalogue)
{
	for (const char *s = text; *s && !(catalogue && str_prefix(s, "\"parts\""));) {
		size_t n = strcspn(s, "\n");

		(catalogue ? read_entry : read_line)(to, s, n);
		s += n + (s[n] == '\n');
	}
}

/* "mail/answer.txt", "de/mail/answer.txt" */
static bool is_mail(const char *name)
{
	const char *mail = strstr(name, "mail/"), *ending = strrchr(name, '.');

	return mail && (mail == name || mail[-1] == '/') && ending && strcmp(ending, ".txt") == 0;
}

static void put_line(struct draft *d, const char *s)
{
	while (*s && *s != '\n')
		put(d, *s++);
	put(d, ' ');
}

/* The paragraphs of a page as its mail shows them. */
static void read_page(struct own_forms *to, const char *md)
{
	AUTO(str_release) struct str page = str_heap(PAGE_MAX_BYTES);
	struct draft d = { .n = 0 };

	if (markdown_text(md, PAGE_COLUMNS, &page, NULL) < 0)
		return;
	for (const char *s = page.data; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		bool is_prose = !strchr("\n=-", *s) || str_prefix(s, "- ");

		if (!is_prose || str_prefix(s, "    ")) /* a title's underline, an example */
			add(to, &d, true);
		else
			put_line(&d, s);
	}
	add(to, &d, true);
}

/* The paragraphs of the help's pages, which are many; or the sentences of mails and catalogues. */
static const struct own_forms *forms_of(struct own_table *t, bool pages)
{
	struct own_forms *to = pages ? &t->pages : &t->mails;

	for (const struct embedded_file *f = embedded_files; f->name && !to->read; f++) {
		bool help = strstr(f->name, "help/"),
		     catalogue = strstr(f->name, "/sentences.json");
		bool wanted = pages ? help : catalogue || is_mail(f->name);
		const char *text = wanted ? template_text(t->override_dir, f->name) : NULL;

		if (text && pages)
			read_page(to, text);
		else if (text)
			read_file(to, text, catalogue);
	}
	to->read = true;
	return to;
}

struct own_table *own_words_open(const char *override_dir)
{
	struct own_table *t = mem_alloc(sizeof *t);

	t->override_dir = override_dir;
	return t;
}

void own_words_close(struct own_table *t)
{
	arena_release(&t->mails.arena);
	arena_release(&t->pages.arena);
	free(t);
}

/* The best that the judge says of the paragraph. */
static enum own_words best(const struct own_forms *forms, const char *s,
                           enum own_words (*judge)(const struct own_form *f, const char *s),
                           enum own_words most)
{
	enum own_words found = OWN_WORDS_NOT;

	for (size_t i = 0; i < forms->n && found < most; i++) {
		enum own_words now = judge(&forms->v[i], s);

		if (now > found)
			found = now;
	}
	return found;
}

/* "language is en.", "language: en.": its form has too few words to know it by. */
static bool is_setting(const struct own_table *t, const char *s)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *name = arena_strndup(&a, s, strcspn(s, ": ")), *rest = s + strlen(name);
	const struct setting *v = setting_find(name, NULL);
	const char *value = str_prefix(rest, ": ")     ? rest + 2
	                    : str_prefix(rest, " is ") ? rest + 4
	                                               : "";
	size_t n = strlen(value);

	if (!v || strcmp(v->name, name) != 0 || n < 2 || value[n - 1] != '.' || strchr(value, ' '))
		return false;
	value = arena_strndup(&a, value, n - 1);
	return setting_read(v, t->override_dir, &a, value, &value, NULL, NULL) == 0;
}

static bool is_own(struct own_table *t, const char *s)
{
	return is_setting(t, s) || best(forms_of(t, false), s, likeness, OWN_WORDS_LIKELY) ||
	       best(forms_of(t, true), s, likeness, OWN_WORDS_LIKELY);
}

bool own_words_only(struct own_table *t, const char *paragraphs)
{
	AUTO(mem_free) char *copy = mem_strdup(paragraphs);
	size_t n = 0;

	for (char *s, *rest = copy; (s = strsep(&rest, "\n"));) {
		if (strlen(s) > PARAGRAPH_MAX)
			s[PARAGRAPH_MAX] = '\0';
		if (*s && !str_prefix_any(s, briefs) && (++n > PARAGRAPHS_MAX || !is_own(t, s)))
			return false;
	}
	return true;
}

enum own_words own_words_judge(struct own_table *t, const char *paragraph)
{
	return best(forms_of(t, false), paragraph, certainty, OWN_WORDS_ALONE);
}
