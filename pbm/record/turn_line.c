#include "pbm/record/turn_line.h"

#include <string.h>

#include "games/notation/notation.h"

#define BLANKS " \t\r\n"

/* The turn without its number: "12." "12..." "12.e4"; "" if it is nothing else. */
static const char *without_number(const char *word)
{
	size_t n = strspn(word, "0123456789");

	return n && word[n] == '.' ? word + n + strspn(word + n, ".") : word;
}

static int complain(const struct str *way, const char *turn, const struct err *why, struct err *e)
{
	if (way->len)
		return err_set(e, ERR_BAD, "After %.300s, %.40s can't be played there.  %.300s",
		               way->data, turn, why->text);
	return err_set(e, ERR_BAD, "%.40s can't be played there.  %.300s", turn, why->text);
}

int turn_line_read(struct arena *a, const struct game *g, const struct pos *p, const char *turns,
                   struct str *out, struct err *e)
{
	struct pos at = *p;
	size_t count = 0;

	for (size_t n; *(turns += strspn(turns, BLANKS)); turns += n) {
		struct move mv;
		struct err why = { 0 };

		n = strcspn(turns, BLANKS);
		const char *word = without_number(arena_strndup(a, turns, n));
		if (!*word)
			continue;
		if (++count > TURN_LINE_MAX)
			return err_set(e, ERR_LIMIT, "A line may have %d turns.", TURN_LINE_MAX);
		if (game_read_move(g, &at, word, strlen(word), &mv, NULL, &why) < 0)
			return complain(out, word, &why, e);
		str_add(out, out->len ? " " : "");
		game_write_san(g, &at, &mv, out);
		game_apply(g, &at, &mv, NULL);
	}
	if (out->truncated)
		return err_set(e, ERR_LIMIT, "This line is too long.");
	return count ? 0 : err_set(e, ERR_BAD, "A line has one turn or more.");
}

size_t turn_line_count(const char *turns, size_t len)
{
	size_t n = len > 0;

	for (size_t i = 0; i < len; i++)
		n += turns[i] == ' ';
	return n;
}
