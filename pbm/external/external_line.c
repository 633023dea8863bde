#include "pbm/external/external_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "store/store_marks.h"

#define NODES 10000
#define NODES_MOST 100000000
#define SECONDS 60
#define SECONDS_MOST 600

/* The next word, cut out of *rest; quotation marks keep blanks in a word and are removed.  NULL:
 * the end. */
static char *next_word(char **rest)
{
	char *at = *rest + strspn(*rest, " \t"), *word = at, *to = at;
	bool quoted = false;

	if (!*at)
		return NULL;
	for (; *at && (quoted || (*at != ' ' && *at != '\t')); at++)
		if (*at == '"')
			quoted = !quoted;
		else
			*to++ = *at;
	*rest = at + (*at != '\0');
	*to = '\0';
	return word;
}

static int add_variants(struct external_line *l, char *list, struct err *e)
{
	for (char *word; (word = strsep(&list, ","));) {
		struct external_variant *v = &l->variants[l->variant_count];
		char *ours = strchr(word, ':');

		if (l->variant_count == EXTERNAL_LINE_GAMES)
			return err_set(e, ERR_BAD, "it names more than %d games",
			               EXTERNAL_LINE_GAMES);
		if (ours)
			*ours++ = '\0';
		else
			ours = word;
		v->name = word;
		v->rules = rules_find(ours, strlen(ours), e);
		if (!v->rules)
			return ERR_BAD;
		v->game = v->rules->name;
		l->variant_count++;
	}
	return 0;
}

static int read_number(const char *name, const char *text, uint64_t most, uint64_t *out,
                       struct err *e)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	return *text < '0' || *text > '9' || *end || errno || !*out || *out > most
	               ? err_set(e, ERR_BAD, "%s must be a number from 1 to %llu", name,
	                         (unsigned long long)most)
	               : 0;
}

static int read_pair(struct external_line *l, char *word, struct err *e)
{
	char *value = strchr(word, '=');

	if (!value || value == word)
		return err_set(e, ERR_BAD, "\"%.80s\" is no word like nodes=10000", word);
	*value++ = '\0';
	if (strcmp(word, "variant") == 0)
		return add_variants(l, value, e);
	if (strcmp(word, "nodes") == 0)
		return read_number(word, value, NODES_MOST, &l->nodes, e);
	if (strcmp(word, "seconds") == 0)
		return read_number(word, value, SECONDS_MOST, &l->seconds, e);
	if (l->option_count == EXTERNAL_LINE_OPTIONS)
		return err_set(e, ERR_BAD, "it has more than %d options", EXTERNAL_LINE_OPTIONS);
	l->options[l->option_count++] = (struct external_option){ word, value };
	return 0;
}

int external_line_read(const struct site_engine *from, struct arena *a, struct external_line *out,
                       struct err *e)
{
	struct external_line l = {
		.name = from->name, .text = from->line, .nodes = NODES, .seconds = SECONDS
	};
	char *rest = arena_strdup(a, from->line), *word = next_word(&rest);
	struct err why = { 0 };
	int rc = 0;

	l.program = word;
	if (!word || *word != '/')
		rc = err_set(&why, ERR_BAD, "it must begin with the whole path of a program");
	while (rc == 0 && (word = next_word(&rest)))
		rc = read_pair(&l, word, &why);
	if (rc == 0 && !l.variant_count)
		rc = err_set(&why, ERR_BAD, "it names no game: variant=suicide");
	if (rc < 0)
		return err_set(e, ERR_BAD, "engine-%s in line %d of pbm.conf: %.380s", from->name,
		               from->conf_line, why.text);
	*out = l;
	return 0;
}

const struct external_variant *external_line_variant(const struct external_line *l,
                                                     const char *game)
{
	for (size_t i = 0; i < l->variant_count; i++)
		if (strcmp(l->variants[i].game, game) == 0)
			return &l->variants[i];
	return NULL;
}

/* Another number for another line, program or version of the rules; never 0. */
static int fingerprint(const struct external_line *l, const struct rules *r, int64_t *out,
                       struct err *e)
{
	struct stat st;
	AUTO(str_release) struct str s = str_heap(SITE_CONF_MAX + 200);

	if (stat(l->program, &st) < 0)
		return err_sys(e, "%s", l->program);
	str_addf(&s, "%s %u %lld %lld.%09ld %s", r->name, r->version, (long long)st.st_size,
	         (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, l->text);
	*out = (int64_t)(str_hash(s.data) >> 1) | 1;
	return 0;
}

static const char *value_name(const struct store *s, const struct external_line *l,
                              const struct rules *r, char buf[STORE_OWN_NAME_SIZE])
{
	return store_own_name(s, PRINTED(120, "engine-%s:%s", l->name, r->name), buf);
}

int external_line_passed(struct store *s, const struct external_line *l, const struct rules *r,
                         bool *out, struct err *e)
{
	char buf[STORE_OWN_NAME_SIZE];
	int64_t now = 0, then = 0;
	int rc = fingerprint(l, r, &now, e);

	if (rc == 0)
		rc = store_value(s, value_name(s, l, r, buf), &then, e);
	*out = rc == 0 && then == now;
	return rc;
}

int external_line_judge(struct store *s, const struct external_line *l, const struct rules *r,
                        bool passed, struct err *e)
{
	char buf[STORE_OWN_NAME_SIZE];
	const char *name = value_name(s, l, r, buf);
	int64_t now = 0;

	if (!passed)
		return store_value_drop(s, name, e);
	int rc = fingerprint(l, r, &now, e);
	return rc == 0 ? store_value_set(s, name, now, e) : rc;
}
