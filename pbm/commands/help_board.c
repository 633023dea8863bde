#include "pbm/commands/help_board.h"

#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"

#define FENCE "```"
#define LINE_MAX_BYTES 200

/* Copies the line at *at and steps behind it; false at the end of the block. */
static bool next_line(const char **at, const char *end, char line[LINE_MAX_BYTES])
{
	size_t n = strcspn(*at, "\n"), kept = n < LINE_MAX_BYTES ? n : LINE_MAX_BYTES - 1;

	if (*at >= end)
		return false;
	memcpy(line, *at, kept);
	line[kept] = '\0';
	*at += n + 1;
	return true;
}

/* The game and options that stand behind "board". */
static bool read_game(const char *info, struct game *g)
{
	size_t n = strcspn(info, " ");

	g->rules = rules_find(info, n, NULL);
	g->options = 0;
	while (g->rules && info[n]) {
		const char *word = info + n + 1;

		n += 1 + strcspn(word, " ");
		if (game_option(g, word, (size_t)(info + n - word), NULL) < 0)
			return false;
	}
	return g->rules != NULL;
}

static bool draw_block(const struct game *g, const char *at, const char *end, struct str *out)
{
	char line[LINE_MAX_BYTES];
	struct pos p;
	struct move m;
	bool moved = false;

	if (!next_line(&at, end, line) || game_setup(g, line, &p, NULL) < 0)
		return false;
	while (next_line(&at, end, line)) {
		if (game_read_move(g, &p, line, strlen(line), &m, NULL, NULL) < 0)
			return false;
		game_apply(g, &p, &m, NULL);
		moved = true;
	}
	game_draw(g, &p, WHITE, moved ? &m : NULL, out);
	return true;
}

/* Appends the block from its opening fence up to the closing one with a drawing in place of
 * the position; false, and nothing appended, when it is no board. */
static bool draw_board(const char *open, const char *close, const struct rules *rules,
                       struct str *out)
{
	char info[LINE_MAX_BYTES];
	const char *at = open + sizeof FENCE - 1;
	struct game g = { .rules = rules };

	if (!next_line(&at, close, info))
		return false;
	if (strncmp(info, "board ", 6) == 0 ? !read_game(info + 6, &g)
	                                    : strcmp(info, "fen") != 0 || !rules)
		return false;
	str_add(out, FENCE "\n");
	size_t before = out->len;
	if (draw_block(&g, at, close, out))
		return true;
	out->len = before - sizeof FENCE;
	out->data[out->len] = '\0';
	return false;
}

/* The closing fence of the block that opens at open; NULL: there is none. */
static const char *find_close(const char *open)
{
	const char *line = open;

	while ((line = strchr(line, '\n'))) {
		line += 1 + strspn(line + 1, " ");
		if (strncmp(line, FENCE, sizeof FENCE - 1) == 0)
			return line;
	}
	return NULL;
}

void help_draw_boards(const char *page, const struct rules *rules, struct str *out)
{
	const char *open, *close;

	while ((open = strstr(page, FENCE)) && (close = find_close(open))) {
		str_add_n(out, page, (size_t)(open - page));
		if (!draw_board(open, close, rules, out))
			str_add_n(out, open, (size_t)(close - open));
		str_add(out, FENCE);
		page = close + sizeof FENCE - 1;
	}
	str_add(out, page);
}
