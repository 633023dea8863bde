/* Templates and catalogues are read as they are, line by line: what is put into a text is a hole in
 * it, which fits anything. */
#include "pbm/answer/own_words.h"

#include <ctype.h>
#include <string.h>

#include "pbm/base/str.h"
#include "pbm/text/markdown.h"
#include "pbm/text/template.h"

#define PARAGRAPHS_MAX 40
#define FORM_MAX 300      /* bytes of a sentence that are looked at */
#define PARAGRAPH_MAX 600 /* bytes of one that are looked at */
#define LETTERS_BRIEF 5   /* "%s is %s now." */
#define LETTERS_FEW 6
#define LEADING_MAX 40 /* bytes of what is put in before the first words */
#define PAGE_MAX_BYTES (256 * 1024)
#define PAGE_COLUMNS 72
#define LETTERS_SURE 15 /* nobody else writes a sentence with so many */
#define HOLE '\1'

/* Beginnings of sentences that have fewer. */
static const char *const briefs[] = { "FEN: ", "Until ", "Bis ", NULL };

struct paragraphs {
	const char *const *v;
	enum own_words *own;
	size_t n;
	bool sure; /* nothing but certain sentences count */
};

/* A sentence, perhaps with holes. */
struct own_form {
	char text[FORM_MAX];
	size_t n, holes;
	size_t letters[3]; /* before the first hole, the second one and the end */
	bool paragraph;    /* nothing follows it */
};

static void put(struct own_form *f, char c)
{
	bool again = f->n && ((c == ' ' && f->text[f->n - 1] == ' ') ||
	                      (c == HOLE && f->text[f->n - 1] == HOLE));

	if (again || (f->n == 0 && c == ' ') || f->n + 1 == sizeof f->text)
		return;
	f->text[f->n++] = c;
	f->holes += c == HOLE && f->holes < 2;
	f->letters[f->holes] += isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Does the paragraph begin so?  What is put in before the first words are few words. */
static bool fits(const struct own_form *f, const char *s)
{
	const char *form = f->text, *start = s;

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
		memmove(rest.text, rest.text + 1, rest.n);
		if (strncmp(s, rest.text, strcspn(rest.text, (char[]){ HOLE, '\0' })) != 0)
			return false;
	}
	if (!fits(&rest, s))
		return false;
	return last == HOLE || ispunct((unsigned char)last) || strlen(s) == strlen(rest.text);
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
	return f->letters[0] < LETTERS_SURE ? OWN_WORDS_LIKELY : OWN_WORDS_SURE;
}

/* Is it the whole paragraph, or as much as is looked at?  A colon or a blank at its
 * end is left out; above a drawn board there is none. */
static bool is_paragraph(const struct own_form *f, const char *s)
{
	return strncmp(f->text, s, f->n) == 0 &&
	       (f->n + 4 > sizeof f->text || s[f->n + strspn(s + f->n, ".:")] == '\0');
}

static enum own_words likeness(const struct own_form *f, const char *s)
{
	size_t letters = f->letters[0] + f->letters[1] + f->letters[2];
	bool brief = letters < LETTERS_FEW;

	if (f->paragraph)
		return is_paragraph(f, s);
	if (letters < LETTERS_BRIEF || (brief && f->text[f->n - 1] == HOLE))
		return OWN_WORDS_NOT;
	return brief ? is_whole(f, s) : fits(f, s) || fits(f, skip_name(s));
}

/* Can nothing more be found out about paragraph i? */
static bool is_done(const struct paragraphs *p, size_t i)
{
	return p->own[i] >= (p->sure ? OWN_WORDS_SURE : OWN_WORDS_LIKELY);
}

static bool all_done(const struct paragraphs *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!is_done(p, i))
			return false;
	return true;
}

static void look(struct paragraphs *p, struct own_form *f)
{
	while (f->n && f->text[f->n - 1] == ' ')
		f->n--;
	f->text[f->n] = '\0';
	for (size_t i = 0; f->n && i < p->n; i++) {
		enum own_words found = is_done(p, i) ? OWN_WORDS_NOT
		                                     : (p->sure ? certainty : likeness)(f, p->v[i]);

		if (found > p->own[i])
			p->own[i] = found;
	}
	*f = (struct own_form){ .n = 0 };
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

static void put_line(struct own_form *f, const char *s)
{
	while (*s && *s != '\n')
		put(f, *s++);
	put(f, ' ');
}

/* A single word may be a command. */
static void look_at_paragraph(struct paragraphs *p, struct own_form *f)
{
	while (f->n && strchr(" :", f->text[f->n - 1]))
		f->n--;
	f->paragraph = true;
	if (memchr(f->text, ' ', f->n))
		look(p, f);
	*f = (struct own_form){ .n = 0 };
}

/* The paragraphs of a page as its mail shows them. */
static void look_at_page(struct paragraphs *p, const char *md)
{
	AUTO(str_release) struct str page = str_heap(PAGE_MAX_BYTES);
	struct own_form f = { 0 };

	if (markdown_text(md, PAGE_COLUMNS, &page, NULL) < 0)
		return;
	for (const char *s = page.data; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		bool is_prose = !strchr("\n=-", *s) || str_prefix(s, "- ");

		if (!is_prose || str_prefix(s, "    ")) /* a title's underline, an example */
			look_at_paragraph(p, &f);
		else
			put_line(&f, s);
	}
	look_at_paragraph(p, &f);
}

/* "help/draw.md", "de/help/draw.md": they are many, so that they come last. */
static void look_at_pages(const char *override_dir, struct paragraphs *p)
{
	for (const struct embedded_file *f = embedded_files; f->name && !all_done(p); f++) {
		const char *help = strstr(f->name, "help/");
		const char *md = help ? template_text(override_dir, f->name) : NULL;

		if (md)
			look_at_page(p, md);
	}
}

static void look_at_all(const char *override_dir, struct paragraphs *p)
{
	for (const struct embedded_file *f = embedded_files; f->name && !all_done(p); f++) {
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
	enum own_words own[PARAGRAPHS_MAX] = { OWN_WORDS_NOT };
	struct paragraphs p = { v, own, 0, false };

	for (char *s; (s = strsep(&rest, "\n"));) {
		if (*s && p.n == PARAGRAPHS_MAX)
			return false;
		if (strlen(s) > PARAGRAPH_MAX)
			s[PARAGRAPH_MAX] = '\0';
		if (*s && !str_prefix_any(s, briefs))
			v[p.n++] = s;
	}
	look_at_all(override_dir, &p);
	look_at_pages(override_dir, &p);
	return all_done(&p);
}

void own_words_find(const char *override_dir, const char *const *paragraphs, size_t n,
                    enum own_words *own)
{
	memset(own, 0, n * sizeof *own);
	look_at_all(override_dir, &(struct paragraphs){ paragraphs, own, n, true });
}
