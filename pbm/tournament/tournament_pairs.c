#include "pbm/tournament/tournament_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 64

/* The number of the entry; 0: there is none. */
static int find_entry(const struct tournament_doc *t, const char *name, size_t len)
{
	char text[NAME_MAX_BYTES];

	if (len == 0 || len >= sizeof text)
		return 0;
	snprintf(text, sizeof text, "%.*s", (int)len, name);
	if (strspn(text, "0123456789") != len)
		return tournament_find(t, text);
	long number = len < 5 ? strtol(text, NULL, 10) : 0;
	return number <= (long)t->entry_count ? (int)number : 0;
}

/* Finds the two names: a colon or hyphen stands between them, and names may hold hyphens. */
static struct tournament_pair split(const struct tournament_doc *t, const char *word)
{
	for (const char *at = word; *(at += strcspn(at, ":-")); at++) {
		struct tournament_pair p = { find_entry(t, word, (size_t)(at - word)),
			                     find_entry(t, at + 1, strlen(at + 1)) };

		if (p.white && p.black)
			return p;
	}
	return (struct tournament_pair){ find_entry(t, word, strlen(word)), 0 };
}

static int add(const struct tournament_doc *t, struct tournament_pair p,
               struct tournament_pair *list, size_t *n, struct err *e)
{
	int both[] = { p.white, p.black };

	for (size_t k = 0; k < 2; k++) {
		if (!both[k])
			continue;
		const char *name = t->entries[both[k] - 1].userid;
		for (size_t i = 0; i < *n; i++)
			if (list[i].white == both[k] || list[i].black == both[k])
				return err_set(e, ERR_BAD, "%s is paired twice.", name);
		if (t->entries[both[k] - 1].standing != ENTRY_PLAYS)
			return err_set(e, ERR_BAD, "%s has left the tournament.", name);
		if (t->entries[both[k] - 1].asks_bye)
			return err_set(e, ERR_BAD, "%s has asked for this round off.", name);
	}
	if (p.white == p.black)
		return err_set(e, ERR_BAD, "%s can't play against himself.",
		               t->entries[p.white - 1].userid);
	list[(*n)++] = p;
	return 0;
}

int tournament_pairs_add(const struct tournament_doc *t, const char *word,
                         struct tournament_pair *list, size_t *n, struct err *e)
{
	struct tournament_pair p = split(t, word);

	if (!p.white)
		return err_set(
			e, ERR_BAD,
			"\"%.50s\" is no pair of players of the tournament %s.  A pair is written: alice:bob",
			word, t->name);
	return add(t, p, list, n, e);
}

int tournament_pairs_read(const struct tournament_doc *t, const char *text,
                          struct tournament_pair *list, size_t *n, struct err *e)
{
	long count = 0, line = 0;
	int used = 0;

	*n = 0;
	if (sscanf(text, " %ld%n", &count, &used) != 1 || count < 1 ||
	    count > TOURNAMENT_PLAYERS_MAX)
		return err_set(e, ERR_BAD, "the first line is not the number of pairs");
	for (text += used; line < count; text += used) {
		struct tournament_pair p;

		line++;
		if (sscanf(text, " %d %d%n", &p.white, &p.black, &used) != 2)
			return err_set(e, ERR_BAD, "pair %ld of %ld is missing", line, count);
		if (p.white < 1 || p.black < 0 || p.white > (int)t->entry_count ||
		    p.black > (int)t->entry_count)
			return err_set(e, ERR_BAD, "pair %ld: %d or %d is no player's number", line,
			               p.white, p.black);
		if (add(t, p, list, n, e) < 0)
			return e->code;
	}
	if (text[strspn(text, " \t\r\n")])
		return err_set(e, ERR_BAD, "there is more than %ld pairs", count);
	return 0;
}
