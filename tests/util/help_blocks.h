/* The fenced code blocks of a help page, for the tests that look into them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct block {
	const char *at; /* set to the page's text at first */
	char info[80];  /* after the fence: "game -balanced", "" */
	char body[2000];
};

/* False at the end of the page. */
static inline bool block_next(struct block *b)
{
	const char *open = strstr(b->at, "```");
	const char *body = open ? strchr(open, '\n') : NULL;
	const char *close = body ? strstr(body, "```") : NULL;

	if (!close)
		return false;
	snprintf(b->info, sizeof b->info, "%.*s", (int)(body - open - 3), open + 3);
	snprintf(b->body, sizeof b->body, "%.*s", (int)(close - body - 1), body + 1);
	b->at = close + 3;
	return true;
}

/* "help/games/suicide.md" gives "suicide"; NULL for pages on no game. */
static inline const char *page_game(const char *name, char *buf, size_t size)
{
	static const char folder[] = "help/games/";
	size_t n = strlen(name);

	if (strncmp(name, folder, sizeof folder - 1) != 0 || n < sizeof folder + 3)
		return NULL;
	snprintf(buf, size, "%.*s", (int)(n - sizeof folder - 2), name + sizeof folder - 1);
	return buf;
}
