#include "pbm/text/language.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/text/sentences.h"
#include "pbm/text/template.h"

#define CATALOGUE "/sentences.json"

struct language {
	struct language *next;
	const char *dir; /* as the caller gave it; NULL: none */
	char code[LANGUAGE_CODE_MAX + 1];
	const char *text; /* of the catalogue; NULL: there is no such language */
	json_t *names;
	struct sentences *sentences; /* NULL: not read yet */
};
static struct language *loaded;

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void read_sentences(struct language *l)
{
	char name[LANGUAGE_CODE_MAX + sizeof CATALOGUE];
	json_error_t why;

	snprintf(name, sizeof name, "%s" CATALOGUE, l->code);
	mem_watch();
	json_auto_t *o = json_loads(l->text, JSON_REJECT_DUPLICATES, &why);
	mem_watched();
	if (!json_is_object(o))
		log_warn("template not used: %s: line %d: %s", name, why.line, why.text);
	l->sentences = sentences_new();
	sentences_add_all(l->sentences, o, name);
}

/* The names stand alone: many a run asks for them, and the sentences take a hundred times as long. */
static json_t *read_names(const char *text)
{
	static const char key[] = "\"names\"";
	const char *at = strstr(text, key), *from = at ? at + sizeof key - 1 : "";

	from += strspn(from, ": \t\n");
	mem_watch();
	json_t *names = json_loads(from, JSON_DISABLE_EOF_CHECK, NULL);
	mem_watched();
	return names;
}

/* The language of a code, NULL when there is none.  Each is read once. */
static const struct language *load(const char *dir, const char *code)
{
	struct language *l = loaded;
	char name[LANGUAGE_CODE_MAX + sizeof CATALOGUE];

	while (l && (strcmp(l->code, code) != 0 || !same(l->dir, dir)))
		l = l->next;
	if (!l) {
		snprintf(name, sizeof name, "%s" CATALOGUE, code);
		l = mem_alloc(sizeof *l);
		l->next = loaded;
		l->dir = dir ? mem_strdup(dir) : NULL;
		memcpy(l->code, code, strlen(code) + 1);
		l->text = template_text(dir, name);
		l->names = l->text ? read_names(l->text) : NULL;
		loaded = l;
	}
	return l->text ? l : NULL;
}

/* The code of a built-in file that is a catalogue. */
static bool is_catalogue(const char *name, char code[LANGUAGE_CODE_MAX + 1])
{
	size_t n = strcspn(name, "/");

	if (n > LANGUAGE_CODE_MAX || strcmp(name + n, CATALOGUE) != 0)
		return false;
	memcpy(code, name, n);
	code[n] = '\0';
	return true;
}

static bool is_name(const struct language *l, const char *word)
{
	for (size_t i = 0; i < json_array_size(l->names); i++) {
		const char *name = json_string_value(json_array_get(l->names, i));

		if (name && strcasecmp(name, word) == 0)
			return true;
	}
	return false;
}

/* The word as a code, in small letters; false when it can be none. */
static bool fold_code(const char *word, char code[LANGUAGE_CODE_MAX + 1])
{
	size_t n = strlen(word);

	if (n == 0 || n > LANGUAGE_CODE_MAX)
		return false;
	for (size_t i = 0; i <= n; i++)
		code[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] | 32 : word[i]);
	return strspn(code, "abcdefghijklmnopqrstuvwxyz-") == n;
}

/* A search for the language with a name. */
struct language_search {
	const char *dir, *word;
	const struct language *found;
};

static void look_at(const char *code, void *arg)
{
	struct language_search *n = arg;
	const struct language *l = n->found || strcmp(code, LANGUAGE_ENGLISH) == 0
	                                   ? NULL
	                                   : load(n->dir, code);

	if (l && is_name(l, n->word))
		n->found = l;
}

bool language_find(const char *override_dir, const char *word, const struct language **out)
{
	static const char *const english[] = { LANGUAGE_ENGLISH, "english", "englisch",
		                               "inglés",         "ingles",  NULL };
	char code[LANGUAGE_CODE_MAX + 1];

	*out = NULL;
	if (str_is_any(word, english))
		return true;
	if (fold_code(word, code))
		*out = load(override_dir, code);
	if (!*out) {
		struct language_search n = { override_dir, word, NULL };

		language_each(override_dir, look_at, &n);
		*out = n.found;
	}
	return *out != NULL;
}

const char *language_code(const struct language *l)
{
	return l ? l->code : LANGUAGE_ENGLISH;
}

const char *language_name(const struct language *l)
{
	const char *name = l ? json_string_value(json_array_get(l->names, 0)) : "English";

	return name ? name : language_code(l);
}

void language_say(const struct language *l, const char *english, struct str *out)
{
	struct language *own = loaded;

	while (l && own != l)
		own = own->next;
	if (l && !own->sentences)
		read_sentences(own);
	sentences_say(l ? own->sentences : NULL, english, out);
}

static bool is_built_in(const char *code)
{
	char other[LANGUAGE_CODE_MAX + 1];

	for (const struct embedded_file *f = embedded_files; f->name; f++)
		if (is_catalogue(f->name, other) && strcmp(other, code) == 0)
			return true;
	return false;
}

void language_each(const char *override_dir, void (*fn)(const char *code, void *arg), void *arg)
{
	char code[LANGUAGE_CODE_MAX + 1];
	AUTO(mem_free) struct dirent **own = NULL;

	fn(LANGUAGE_ENGLISH, arg);
	for (const struct embedded_file *f = embedded_files; f->name; f++)
		if (is_catalogue(f->name, code))
			fn(code, arg);
	int n = override_dir ? scandir(override_dir, &own, NULL, alphasort) : 0;
	for (int i = 0; i < n; i++) {
		if (fold_code(own[i]->d_name, code) && strcmp(code, own[i]->d_name) == 0 &&
		    !is_built_in(code) && load(override_dir, code))
			fn(code, arg);
		free(own[i]);
	}
}
