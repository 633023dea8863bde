#include "pbm/text/word_list.h"

#include <string.h>
#include <strings.h>

const char *word_list_next(const char **rest, size_t *len)
{
	const char *word = *rest ? *rest + strspn(*rest, " ") : "";

	*len = strcspn(word, " ");
	*rest = word + *len;
	return *len ? word : NULL;
}

size_t word_list_length(const char *list)
{
	size_t n = 0, len;

	while (word_list_next(&list, &len))
		n++;
	return n;
}

bool word_list_has(const char *list, const char *word)
{
	size_t n = strlen(word), len;

	for (const char *w; (w = word_list_next(&list, &len));)
		if (len == n && strncasecmp(w, word, n) == 0)
			return true;
	return false;
}

const char *word_list_value(const char *list, const char *name)
{
	size_t n = strlen(name), len;

	for (const char *w; (w = word_list_next(&list, &len));)
		if (len > n && w[n] == '=' && strncasecmp(w, name, n) == 0)
			return w + n + 1;
	return NULL;
}

const char *word_list_with(struct arena *a, const char *list, const char *word)
{
	return list && *list ? arena_printf(a, "%s %s", list, word) : arena_strdup(a, word);
}

const char *word_list_without(struct arena *a, const char *list, const char *word)
{
	char *out = arena_alloc(a, (list ? strlen(list) : 0) + 1), *to = out;
	size_t n = strlen(word), len;

	for (const char *w; (w = word_list_next(&list, &len));) {
		if (len >= n && strncasecmp(w, word, n) == 0 && (len == n || w[n] == '='))
			continue;
		if (to > out)
			*to++ = ' ';
		memcpy(to, w, len);
		to += len;
	}
	*to = '\0';
	return out;
}

void word_list_write(const char *list, struct str *out)
{
	const char *between = "";
	size_t len;

	for (const char *w; (w = word_list_next(&list, &len)); between = ", ")
		str_addf(out, "%s%.*s", between, (int)len, w);
}
