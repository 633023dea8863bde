/* The translation of store/db/db_sql.sql. */
#include <string.h>

#include "pbm/base/mem.h"
#include "store/db/db_sql.h"
#include "store/postgres/postgres.h"

/* SQLite is told which index serves and which table comes first; here the planner decides. */
static const struct {
	const char *word, *by;
	bool with_next; /* the word after it goes, too */
} words[] = {
	{ "?", "$", false },
	{ "CROSS JOIN", "JOIN", false },
	{ "INDEXED BY ", "", true },
};

char *postgres_text(enum db_query q)
{
	const char *from = postgres_sql[q].sql ? postgres_sql[q].sql : db_sql[q].sql;
	char *out = mem_alloc(strlen(from) + 1), *to = out;

	while (*from) {
		size_t i = 0, n = 0;

		while (i < sizeof words / sizeof *words &&
		       strncmp(from, words[i].word, n = strlen(words[i].word)) != 0)
			i++;
		if (i == sizeof words / sizeof *words) {
			*to++ = *from++;
			continue;
		}
		from += n;
		to = stpcpy(to, words[i].by);
		if (words[i].with_next)
			from += strcspn(from, " ");
	}
	return out;
}
