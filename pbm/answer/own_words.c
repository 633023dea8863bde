/* Templates and catalogues are read as they are, line by line: what is put into a text is a hole in
 * it, which fits anything. */
#include "pbm/answer/own_words.h"

#include <ctype.h>
#include <string.h>

#include "pbm/base/str.h"
#include "pbm/text/template.h"

#define PARAGRAPHS_MAX 40
#define FORM_MAX 300      /* bytes of a sentence that are looked at */
#define PARAGRAPH_MAX 600 /* bytes of one that are looked at */
#define LETTERS_FEW 6
#define LETTERS_SURE 15 /* nobody else writes a sentence with so many */
#define HOLE '\1'

/* Beginnings of sentences that have fewer. */
static const char *const briefs[] = { "FEN: ", "Until ", "Bis ", NULL };

struct paragraphs {
	const char *const *v;
	bool *own;
	size_t n, letters; /* letters: the fewest of a sentence */
};

/* A sentence, perhaps with holes. */
struct own_form {
	char text[FORM_MAX];
	size_t n, letters;
};

static void put(struct own_form *f, char c)
{
	bool again = f->n && ((c == ' ' && f->text[f->n - 1] == ' ') ||
	                      (c == HOLE && f->text[f->n - 1] == HOLE));

	if (again || (f->n == 0 && c == ' ') || f->n + 1 == sizeof f->text)
		return;
	f->text[f->n++] = c;
	f->letters += isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Does the paragraph begin so? */
static bool fits(const struct own_form *f, const char *s)
{
	const char *form = f->text;

	for (bool first = true; *form; first = false) {
		size_t n = strcspn(form, (char[]){ HOLE, '\0' });
		const char *at = first ? s : memmem(s, strlen(s), form, n);

		if (!at || strncmp(at, form, n) != 0)
			return false;
		s = at + n;
		form += n + (form[n] == HOLE);
	}
	return true;
}

static void look(struct paragraphs *p, struct own_form *f)
{
	while (f->n && f->text[f->n - 1] == ' ')
		f->n--;
	f->text[f->n] = '\0';
	for (size_t i = 0; f->letters >= p->letters && i < p->n; i++)
		p->own[i] = p->own[i] || fits(f, p->v[i]);
	f->n = f->letters = 0;
}

/* The two texts of "format": "translation". */
static void look_at_entry(struct paragraphs *p, const char *s, size_t n)
{
	struct own_form f = { 0 };
	bool within = false;

	for (const char *end = s + n; s < end; s++) {
		if (*s == '"') {
			within = !within;
			if (!within)
				look(p, &f);
		} else if (within && *s == '\\') {
			s++;
			put(&f, *s == 'n' ? ' ' : *s);
		} else if (within && *s == '%') {
			s += 1 + strspn(s + 1, "0123456789$-+ #.*'hlzj");
			put(&f, HOLE);
		} else if (within) {
			put(&f, *s);
		}
	}
}

/* A line of a template; of a section within it only what stands before. */
static void look_at_line(struct paragraphs *p, const char *s, size_t n)
{
	struct own_form f = { 0 };

	for (const char *end = s + n; s < end;) {
		const char *close = str_prefix(s, "{{") ? strstr(s, "}}") : NULL;

		if (close && strchr("#^/>", s[2]) && f.n)
			break;
		if (!close)
			put(&f, *s);
		else if (!strchr("#^/>", s[2]))
			put(&f, HOLE);
		s = close ? close + 2 : s + 1;
	}
	look(p, &f);
}

static void look_at_file(struct paragraphs *p, const char *text, bool catalogue)
{
	for (const char *s = text; *s && !(catalogue && str_prefix(s, "\"parts\""));) {
		size_t n = strcspn(s, "\n");

		(catalogue ? look_at_entry : look_at_line)(p, s, n);
		s += n + (s[n] == '\n');
	}
}

/* "mail/answer.txt", "de/mail/answer.txt" */
static bool is_mail(const char *name)
{
	const char *mail = strstr(name, "mail/"), *ending = strrchr(name, '.');

	return mail && (mail == name || mail[-1] == '/') && ending && strcmp(ending, ".txt") == 0;
}

static void look_at_all(const char *override_dir, struct paragraphs *p)
{
	for (const struct embedded_file *f = embedded_files; p->n && f->name; f++) {
		bool catalogue = strstr(f->name, "/sentences.json");
		const char *text = catalogue || is_mail(f->name)
		                           ? template_text(override_dir, f->name)
		                           : NULL;

		if (text)
			look_at_file(p, text, catalogue);
	}
}

bool own_words_only(const char *override_dir, const char *paragraphs)
{
	AUTO(arena_release) struct arena a = { 0 };
	char *rest = arena_strdup(&a, paragraphs);
	const char *v[PARAGRAPHS_MAX];
	bool own[PARAGRAPHS_MAX] = { false };
	struct paragraphs p = { v, own, 0, LETTERS_FEW };

	for (char *s; (s = strsep(&rest, "\n"));) {
		if (*s && p.n == PARAGRAPHS_MAX)
			return false;
		if (strlen(s) > PARAGRAPH_MAX)
			s[PARAGRAPH_MAX] = '\0';
		if (*s && !str_prefix_any(s, briefs))
			v[p.n++] = s;
	}
	look_at_all(override_dir, &p);
	for (size_t i = 0; i < p.n; i++)
		if (!own[i])
			return false;
	return true;
}

void own_words_find(const char *override_dir, const char *const *paragraphs, size_t n, bool *own)
{
	memset(own, 0, n * sizeof *own);
	look_at_all(override_dir, &(struct paragraphs){ paragraphs, own, n, LETTERS_SURE });
}
