#include "pbm/commands/help/help_short.h"

#include <stdbool.h>
#include <string.h>

#define SECTION "\n## "

/* Beginnings of the titles of sections that a player needs least; the first is left out first. */
static const char *const left_out[] = { "Sources",      "Our rulings", "Who plays",
	                                "First advice", "Example",     "Setup",
	                                "A pawn",       "Notation",    "How the men move" };

size_t help_short_steps(void)
{
	return sizeof left_out / sizeof *left_out;
}

/* The next section's title in *page, which moves on to it; NULL: there is none. */
static const char *next_title(const char **page)
{
	const char *at = *page ? strstr(*page, SECTION) : NULL;

	*page = at ? at + strlen(SECTION) : NULL;
	return *page;
}

static bool is_left_out(const char *title, size_t steps)
{
	for (size_t i = 0; title && i < steps; i++)
		if (str_prefix(title, left_out[i]))
			return true;
	return false;
}

static size_t line_length(const char *p)
{
	size_t n = strcspn(p, "\n");

	return n + (p[n] == '\n');
}

/* The block in a fence at p, with both fences. */
static size_t fence_length(const char *p)
{
	const char *end = strstr(p + 3, "\n```");

	return end ? (size_t)(end - p) + 1 + line_length(end + 1) : strlen(p);
}

/* Adds a text between titles; of its fenced blocks only the first game and lines to copy. */
static void add_text(const char *p, const char *end, struct str *out)
{
	while (p < end) {
		bool fence = strncmp(p, "```", 3) == 0;
		size_t n = fence ? fence_length(p) : line_length(p);
		bool game = fence && strncmp(p + 3, "game", 4) == 0;
		bool kept = !fence || (game && p[7] == '\n') ||
		            (p[3] == '\n' && !memmem(p, n, "+---", 4));

		if (kept)
			str_add_n(out, p, n);
		else if (out->len > 2 && strcmp(out->data + out->len - 3, ":\n\n") == 0)
			memcpy(out->data + out->len - 3, ".\n\n", 3);
		p += n;
		if (game)
			return; /* and what explains other positions */
	}
}

void help_short(const char *md, const char *english, size_t steps, struct str *out)
{
	const char *page = md, *names = english;
	const char *from = md;
	bool kept = true;

	while (from) {
		const char *title = next_title(&page),
			   *end = title ? title - 3 : from + strlen(from);

		if (kept)
			add_text(from, end, out);
		kept = !is_left_out(next_title(&names), steps);
		from = title ? title - 3 : NULL;
	}
}
