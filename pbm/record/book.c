#include "pbm/record/book.h"

#include <string.h>

#include "games/notation/notation.h"
#include "pbm/record/match_ahead.h"
#include "pbm/record/turn_line.h"

/* "suicide e3 b6 a4" */
struct book_row {
	const char *game, *turns; /* not ended by NUL */
	size_t game_len, len;
};

static bool next_row(const char **text, struct book_row *out)
{
	if (!**text)
		return false;
	size_t line = strcspn(*text, "\n");

	out->game = *text;
	out->game_len = strcspn(*text, " \n");
	out->turns = *text + out->game_len + (out->game_len < line);
	out->len = line - (size_t)(out->turns - *text);
	*text += line + ((*text)[line] == '\n');
	return true;
}

static bool is_of(const struct book_row *row, const struct rules *r)
{
	return !r || (strlen(r->name) == row->game_len &&
	              strncmp(r->name, row->game, row->game_len) == 0);
}

int book_add(struct arena *a, const char **text, const struct rules *r, const char *turns,
             struct err *e)
{
	struct str line = STR_LOCAL(1024);
	struct book_row row;
	const char *at = *text;
	size_t n = 0;
	struct game g = { .rules = r };
	struct pos start;
	int rc = game_setup(&g, NULL, &start, e);

	if (rc == 0)
		rc = turn_line_read(a, &g, &start, turns, &line, e);

	if (rc < 0)
		return rc;
	for (; next_row(&at, &row); n++)
		if (is_of(&row, r) && row.len == line.len &&
		    strncmp(row.turns, line.data, row.len) == 0)
			return err_set(e, ERR_CONFLICT, "This line is there already.");
	if (n >= BOOK_ROWS || strlen(*text) + line.len + strlen(r->name) + 2 > PLAYER_BOOKS_MAX)
		return err_set(e, ERR_LIMIT,
		               "Your prepared openings may have %d lines and %d letters in all.",
		               BOOK_ROWS, PLAYER_BOOKS_MAX);
	*text = arena_printf(a, "%s%s%s %s", *text, **text ? "\n" : "", r->name, line.data);
	return 0;
}

bool book_forget(struct arena *a, const char **text, const struct rules *r, unsigned row)
{
	struct book_row v;
	const char *at = *text, *kept = "";
	unsigned i = 0;
	bool any = false;

	while (next_row(&at, &v)) {
		bool gone = is_of(&v, r) && (++i == row || row == 0);

		any |= gone;
		if (!gone)
			kept = arena_printf(a, "%s%s%.*s %.*s", kept, *kept ? "\n" : "",
			                    (int)v.game_len, v.game, (int)v.len, v.turns);
	}
	*text = kept;
	return any;
}

bool book_write(const char *text, const struct rules *r, struct str *out)
{
	struct book_row v, above = { .game = "" };
	unsigned row = 0;

	for (; next_row(&text, &v); above = v) {
		if (!is_of(&v, r))
			continue;
		bool same = above.game_len == v.game_len &&
		            strncmp(above.game, v.game, v.game_len) == 0;

		row = same || r ? row + 1 : 1;
		str_addf(out, "%s%3u. %.*s %.*s  (%s)", out->len ? "\n" : "", row, (int)v.game_len,
		         v.game, (int)v.len, v.turns,
		         turn_line_count(v.turns, v.len) % 2 ? "White" : "Black");
	}
	return out->len > 0;
}

/* Adds the line to the tree: "if theirs then mine" for each pair of its turns after the first
 * `skip`. */
static void grow(struct ahead_tree *t, const struct match *m, const struct pos *root,
                 const struct book_row *row, size_t skip)
{
	char *turns = arena_strndup(m->arena, row->turns, row->len), *rest = turns, *word;
	AUTO(str_release) struct str line = str_heap(2048);
	size_t i = 0;

	for (; (word = strsep(&rest, " ")); i++)
		if (i >= skip)
			str_addf(&line, "%s%s",
			         (i - skip) % 2 ? " then "
			         : i > skip     ? " if "
			                        : "if ",
			         word);
	if (line.len && !line.truncated)
		ahead_tree_add(t, &m->game, root, line.data, NULL, NULL);
}

static bool begins_as_usual(const struct match *m)
{
	return m->ply == 0 && !*m->doc.options && !m->doc.start_fen && !match_is_solo(m) &&
	       m->doc.state == GAME_RUNNING;
}

void book_prepare(struct match *m, uint8_t seat, const char *text, int64_t now)
{
	struct ahead_tree t = { .arena = m->arena };
	struct pos root = *match_position(m);
	bool first = match_to_move(m) == seat;
	const char *own = NULL;
	size_t own_len = 0;
	struct book_row row;
	struct move mv;

	if (!begins_as_usual(m))
		return;
	while (next_row(&text, &row)) {
		size_t n = strcspn(row.turns, " \n");

		n = n < row.len ? n : row.len;
		if (!is_of(&row, m->game.rules) ||
		    (turn_line_count(row.turns, row.len) % 2 != 0) != first)
			continue;
		if (first && !own) {
			own = row.turns;
			own_len = n;
			if (game_read_move(&m->game, &root, own, n, &mv, NULL, NULL) < 0)
				return;
			game_apply(&m->game, &root, &mv, NULL);
		}
		if (!first || (n == own_len && strncmp(own, row.turns, n) == 0))
			grow(&t, m, &root, &row, first);
	}
	if (first && !own)
		return;
	match_set_ahead(m, seat, m->stamp + first, &t);
	if (first)
		match_wait(m, seat, arena_strndup(m->arena, own, own_len), now + 1, 0, NULL);
	match_refresh(m);
}
