#include "mail/enriched.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "mail/mail.h"
#include "pbm/base/str.h"

#define MAX_NAME 60 /* RFC 1896 §2: bytes of a command's name */
#define MAX_QUOTES 8

struct enriched {
	struct str out;
	size_t excerpts, nofill, hidden; /* open commands of each kind */
	bool fresh;                      /* the current line is empty */
};

static void put(struct enriched *t, const char *s, size_t n)
{
	if (t->hidden)
		return;
	for (size_t i = 0; t->fresh && i < t->excerpts && i < MAX_QUOTES; i++)
		str_add(&t->out, i + 1 == t->excerpts || i + 1 == MAX_QUOTES ? "> " : ">");
	t->fresh = false;
	str_add_n(&t->out, s, n);
}

static void end_line(struct enriched *t)
{
	if (t->hidden)
		return;
	str_add_char(&t->out, '\n');
	t->fresh = true;
}

static void count(size_t *open, bool closing)
{
	if (!closing)
		++*open;
	else if (*open)
		--*open;
}

/* Obeys the command whose name is given: "excerpt", "/excerpt". */
static void obey(struct enriched *t, const char *name)
{
	bool closing = *name == '/';

	name += closing;
	if (strcasecmp(name, "param") == 0 || strcasecmp(name, "comment") == 0) {
		count(&t->hidden, closing);
	} else if (strcasecmp(name, "nofill") == 0 || strcasecmp(name, "verbatim") == 0) {
		count(&t->nofill, closing);
	} else if (strcasecmp(name, "excerpt") == 0) {
		if (!t->fresh)
			end_line(t);
		count(&t->excerpts, closing);
	} else if (strcasecmp(name, "lt") == 0) {
		put(t, "<", 1);
	} else if (strcasecmp(name, "nl") == 0 || (closing && strcasecmp(name, "paragraph") == 0)) {
		end_line(t);
	}
}

/* The length of the command at s, "<bold>"; 0 when there is none. */
static size_t command_at(const char *s, char name[MAX_NAME + 1])
{
	size_t n = strcspn(s + 1, "<> \n");

	if (n == 0 || n > MAX_NAME || s[n + 1] != '>')
		return 0;
	memcpy(name, s + 1, n);
	name[n] = '\0';
	return n + 2;
}

/* A single line end is a space; each further one is a line end. */
static size_t read_line_ends(struct enriched *t, const char *s, bool richtext)
{
	size_t n = strspn(s, "\n");

	if (t->nofill) {
		for (size_t i = 0; i < n; i++)
			end_line(t);
	} else if (n == 1 || richtext) {
		if (!t->fresh)
			put(t, " ", 1);
	} else {
		for (size_t i = 1; i < n; i++)
			end_line(t);
	}
	return n;
}

char *enriched_text(struct arena *a, const char *text, bool richtext)
{
	struct enriched t = { .fresh = true };
	char name[MAX_NAME + 1];

	str_init(&t.out, MAIL_MAX_TEXT);
	while (*text && !t.out.truncated) {
		size_t n = strcspn(text, "<\n");

		if (n) {
			put(&t, text, n);
		} else if (*text == '\n') {
			n = read_line_ends(&t, text, richtext);
		} else if (!richtext && text[1] == '<') {
			put(&t, "<", 1);
			n = 2;
		} else if ((n = command_at(text, name)) > 0) {
			obey(&t, name);
		} else {
			put(&t, "<", 1);
			n = 1;
		}
		text += n;
	}
	char *plain = arena_strndup(a, t.out.data, t.out.len);
	str_release(&t.out);
	return plain;
}
