/* The lines of pbm.conf that name other engines. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/array.h"
#include "pbm/site/site.h"

#define NAME_MOST 32

const struct site_engine *site_engine_find(const struct site *s, const char *name)
{
	for (size_t i = 0; i < s->conf.engine_count; i++)
		if (strcasecmp(s->conf.engines[i].name, name) == 0)
			return &s->conf.engines[i];
	return NULL;
}

int site_engine_add(struct site *s, const char *name, const char *line, int conf_line,
                    struct err *e)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
	const struct site_engine *there = site_engine_find(s, name);
	size_t n = strlen(name);

	if (!n || n > NAME_MOST || strspn(name, letters) != n)
		return err_set(e, ERR_BAD,
		               "the name after engine- must be 1 to %d letters, digits or '-'",
		               NAME_MOST);
	if (there)
		return err_set(e, ERR_BAD,
		               "engine-%s is set in line %d already; delete one of them", name,
		               there->conf_line);
	s->conf.engines = array_room(NULL, s->conf.engines, s->conf.engine_count,
	                             &s->conf.engine_cap, sizeof *s->conf.engines);
	s->conf.engines[s->conf.engine_count++] = (struct site_engine){ mem_strdup(name),
		                                                        mem_strdup(line),
		                                                        conf_line };
	return 0;
}

const char *site_engine_list(const struct site *s, struct arena *a)
{
	const char *list = "";

	for (size_t i = 0; i < s->conf.engine_count; i++)
		list = arena_printf(a, "%s%s%s = %s", list, i ? "; " : "", s->conf.engines[i].name,
		                    s->conf.engines[i].line);
	return list;
}

void site_engine_drop_all(struct site *s)
{
	for (size_t i = 0; i < s->conf.engine_count; i++) {
		free(s->conf.engines[i].name);
		free(s->conf.engines[i].line);
	}
	free(s->conf.engines);
}
