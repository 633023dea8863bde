/* Each page and mail template of a language is the sister of the English one: it has the
 * same code blocks, the same commands and, in a mail, the same variables. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/str.h"
#include "pbm/text/language.h"
#include "pbm/text/markdown.h"
#include "pbm/text/template.h"
#include "tests/util/util.h"

#define FOUND_MAX 400
#define PAGE_COLUMNS 72

static const char *languages[20];
static int language_count;

static void add_language(const char *code, void *)
{
	if (strcmp(code, LANGUAGE_ENGLISH) != 0 && language_count < 20)
		languages[language_count++] = strdup(code);
}

/* Texts between two marks ("`", "`"), each once, sorted. */
struct found {
	size_t n;
	char *v[FOUND_MAX];
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_found(struct found *f, const char *at, size_t n)
{
	char *text = strndup(at, n);

	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->v[i], text) == 0) {
			free(text);
			return;
		}
	ck_assert_uint_lt(f->n, FOUND_MAX);
	f->v[f->n++] = text;
}

static void find_marked(const char *text, const char *open, const char *close, struct found *f)
{
	for (const char *at = text; (at = strstr(at, open));) {
		const char *end;

		at += strlen(open);
		end = strstr(at, close);
		if (!end)
			break;
		if (!memchr(at, '\n', (size_t)(end - at)))
			add_found(f, at, (size_t)(end - at));
		at = end + strlen(close);
	}
	qsort(f->v, f->n, sizeof f->v[0], by_text);
}

static void release(struct found *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->v[i]);
	f->n = 0;
}

static void compare(const char *name, const char *what, const char *english, const char *other,
                    const char *open, const char *close)
{
	struct found a = { 0 }, b = { 0 };

	find_marked(english, open, close, &a);
	find_marked(other, open, close, &b);
	for (size_t i = 0; i < a.n || i < b.n; i++) {
		const char *x = i < a.n ? a.v[i] : "", *y = i < b.n ? b.v[i] : "";

		ck_assert_msg(strcmp(x, y) == 0, "%s: %s differ: English \"%s\", here \"%s\"", name,
		              what, x, y);
	}
	release(&a);
	release(&b);
}

/* Splits a page: the code blocks one after the other, and the text without them. */
static void split_blocks(const char *page, struct str *blocks, struct str *text)
{
	bool inside = false;

	for (const char *line = page; *line;) {
		size_t n = strcspn(line, "\n"), blanks = strspn(line, " ");
		bool fence = strncmp(line + blanks, "```", 3) == 0;

		str_addf(inside || fence ? blocks : text, "%.*s\n", (int)n, line);
		inside ^= fence;
		line += n + (line[n] == '\n');
	}
}

static void compare_page(const char *name, const char *english, const char *other)
{
	struct str a, b, ta, tb;

	str_init(&a, 100000);
	str_init(&b, 100000);
	str_init(&ta, 100000);
	str_init(&tb, 100000);
	split_blocks(english, &a, &ta);
	split_blocks(other, &b, &tb);
	ck_assert_msg(strcmp(a.data, b.data) == 0, "%s: the code blocks differ", name);
	compare(name, "commands", ta.data, tb.data, "`", "`");
	str_release(&a);
	str_release(&b);
	str_release(&ta);
	str_release(&tb);
}

/* Words of a mail that are no template's: what the reader is to copy, in quotation marks or
 * bold. */
static void compare_mail(const char *name, const char *english, const char *other)
{
	compare(name, "variables", english, other, "{{", "}}");
	compare(name, "words in bold", english, other, "<b>", "</b>");
	if (strstr(name, ".txt"))
		compare(name, "words in quotation marks", english, other, "\"", "\"");
}

/* Does it have words for the archive's pages alone? */
static bool has_no_mails(const char *code)
{
	char path[200];

	snprintf(path, sizeof path, "%s/sentences.json", code);
	return strstr(template_text(NULL, path), "\"sentences\"") == NULL;
}

START_TEST(each_text_has_its_sister)
{
	const char *code = languages[_i];

	if (has_no_mails(code))
		return;

	for (const struct embedded_file *f = embedded_files; f->name; f++) {
		char path[200];

		bool page = strncmp(f->name, "help/", 5) == 0;
		if (!page && strncmp(f->name, "mail/", 5) != 0)
			continue;
		if (strcmp(f->name, "mail/operator.txt") == 0)
			continue; /* the operator reads English */
		snprintf(path, sizeof path, "%s/%s", code, f->name);
		const char *other = template_text(NULL, path);
		ck_assert_msg(other != NULL, "there is no %s", path);
		(page ? compare_page : compare_mail)(path, f->data, other);
	}
}
END_TEST

/* ... and no text that English has no more. */
START_TEST(no_text_is_left_over)
{
	const char *code = languages[_i];
	size_t n = strlen(code);

	for (const struct embedded_file *f = embedded_files; f->name; f++)
		if (strncmp(f->name, code, n) == 0 && f->name[n] == '/' &&
		    strcmp(f->name + n, "/sentences.json") != 0 &&
		    strcmp(f->name + n, "/static/archive.js") != 0)
			ck_assert_msg(template_text(NULL, f->name + n + 1) != NULL,
			              "%s has no English sister", f->name);
}
END_TEST

/* A page is written in its language already: no line of it is taken for an English one. */
START_TEST(no_page_is_translated_again)
{
	const char *code = languages[_i];
	const struct language *l;
	size_t n = strlen(code);

	ck_assert(language_find(NULL, code, &l));
	for (const struct embedded_file *f = embedded_files; f->name; f++) {
		struct str page, said;
		struct err e = { 0 };

		if (strncmp(f->name, code, n) != 0 || strncmp(f->name + n, "/help/", 6) != 0)
			continue;
		str_init(&page, 100000);
		str_init(&said, 100000);
		ck_assert_int_eq(markdown_text(f->data, PAGE_COLUMNS, &page, &e), 0);
		language_say(l, page.data, &said);
		ck_assert_msg(strcmp(page.data, said.data) == 0, "%s: said again:\n%s", f->name,
		              said.data);
		str_release(&page);
		str_release(&said);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("languages");

	language_each(NULL, add_language, NULL);
	tcase_add_loop_test(t, each_text_has_its_sister, 0, language_count);
	tcase_add_loop_test(t, no_text_is_left_over, 0, language_count);
	tcase_add_loop_test(t, no_page_is_translated_again, 0, language_count);
	return util_main(t);
}
