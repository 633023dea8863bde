#include "games/variants/registry.h"

#include <string.h>
#include <strings.h>

#include "pbm/base/distance.h"

#define VARIANT(id) extern const struct rules rules_##id;
#include "games/variants/variants.list"
#undef VARIANT

const struct rules *const rules_all[] = {
#define VARIANT(id) &rules_##id,
#include "games/variants/variants.list"
#undef VARIANT
	NULL,
};

#define PREFIX_MIN 3

/* Compares a word with a name, or with as much of it as the word has. */
static bool word_is(const char *word, size_t len, const char *name, bool prefix)
{
	return strncasecmp(word, name, len) == 0 && (prefix ? strlen(name) >= len : !name[len]);
}

static bool answers_to(const struct rules *r, const char *word, size_t len, bool prefix)
{
	if (strlen(r->name) >= len && word_is(word, len, r->name, prefix))
		return true;
	for (const char *const *a = r->aliases; a && *a; a++)
		if (strlen(*a) >= len && word_is(word, len, *a, prefix))
			return true;
	return false;
}

/* The smallest distance to one of its names. */
static size_t distance(const struct rules *r, const char *word, size_t len)
{
	size_t best = word_distance(word, len, r->name, strlen(r->name));

	for (const char *const *a = r->aliases; a && *a; a++) {
		size_t d = word_distance(word, len, *a, strlen(*a));

		if (d < best)
			best = d;
	}
	return best;
}

static void add_name(struct str *names, const struct rules *r)
{
	str_addf(names, "%s%s", names->len ? ", " : "", r->name);
}

static int say_unknown(const char *word, size_t len, struct err *e)
{
	struct str names = STR_LOCAL(300);
	size_t near = len < 4 ? 1 : 2;

	for (const struct rules *const *r = rules_all; *r; r++)
		if (distance(*r, word, len) < near)
			near = distance(*r, word, len);
	for (const struct rules *const *r = rules_all; *r; r++)
		if (distance(*r, word, len) <= near)
			add_name(&names, *r);
	if (names.len)
		return err_set(e, ERR_NOT_FOUND, "There is no game \"%.*s\". Did you mean %s?",
		               (int)len, word, names.data);
	for (const struct rules *const *r = rules_all; *r; r++)
		add_name(&names, *r);
	return err_set(e, ERR_NOT_FOUND, "There is no game \"%.*s\". The games are: %s.",
	               len > 40 ? 40 : (int)len, word, names.data);
}

const struct rules *rules_find(const char *word, size_t len, struct err *e)
{
	const struct rules *found = NULL;
	struct str names = STR_LOCAL(300);
	unsigned n = 0;

	if (rules_named(word, len))
		return rules_named(word, len);
	bool all = len == strlen("all") && strncasecmp(word, "all", len) == 0; /* "accept all" */
	for (const struct rules *const *r = rules_all; len >= PREFIX_MIN && !all && *r; r++) {
		if (!answers_to(*r, word, len, true))
			continue;
		found = *r;
		n++;
		add_name(&names, *r);
	}
	if (n == 1)
		return found;
	if (n)
		err_set(e, ERR_CONFLICT, "\"%.*s\" can mean several games: %s.", (int)len, word,
		        names.data);
	else if (e)
		say_unknown(word, len, e);
	return NULL;
}

const struct rules *rules_named(const char *word, size_t len)
{
	for (const struct rules *const *r = rules_all; len && *r; r++)
		if (answers_to(*r, word, len, false))
			return *r;
	return NULL;
}

const char *rules_title(const char *name)
{
	const struct rules *r = rules_find(name, strlen(name), NULL);

	return r ? r->title : name;
}
