#include "pbm/commands/help/help_board.h"

#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"

#define FENCE "```"
#define LINE_MAX_BYTES 200

/* Copies the line at *at and moves past it; false at the end of the block. */
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

/* Reads the game and options after "board". */
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

bool help_read_position(const char *open, const char *close, const struct rules *rules,
                        struct help_position *out)
{
	char line[LINE_MAX_BYTES];
	const char *at = open + sizeof FENCE - 1;
	struct move m;

	*out = (struct help_position){ .game.rules = rules };
	if (!next_line(&at, close, line))
		return false;
	if (strncmp(line, "board ", 6) == 0 ? !read_game(line + 6, &out->game)
	                                    : strcmp(line, "fen") != 0 || !rules)
		return false;
	if (!next_line(&at, close, line) || game_setup(&out->game, line, &out->pos, NULL) < 0)
		return false;
	while (next_line(&at, close, line)) {
		if (game_read_move(&out->game, &out->pos, line, strlen(line), &m, NULL, NULL) < 0)
			return false;
		game_apply(&out->game, &out->pos, &m, &out->effects);
		out->last = m;
		out->moved = true;
	}
	return true;
}

/* Appends the block from its opening fence up to the closing one with a drawing in place of the
 * position; appends nothing and returns false if it is no board. */
static bool draw_board(const char *open, const char *close, const struct rules *rules,
                       struct str *out)
{
	struct help_position p;

	if (!help_read_position(open, close, rules, &p))
		return false;
	str_add(out, FENCE "\n");
	game_draw(&p.game, &p.pos, WHITE, p.moved ? &p.last : NULL, out);
	return true;
}

const char *help_block_end(const char *open)
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

	while ((open = strstr(page, FENCE)) && (close = help_block_end(open))) {
		str_add_n(out, page, (size_t)(open - page));
		if (!draw_board(open, close, rules, out))
			str_add_n(out, open, (size_t)(close - open));
		str_add(out, FENCE);
		page = close + sizeof FENCE - 1;
	}
	str_add(out, page);
}
