#include "pbm/record/notebook.h"

#include <stdlib.h>
#include <string.h>

#include "games/notation/notation.h"
#include "pbm/record/turn_line.h"

#define BLANKS " \t\r\n"
#define INDENT 2
#define INDENT_MAX 20

/* A row as the document keeps it, "12 e5 Nf3 Nc6": the plies before it, and its turns as SAN. */
struct notebook_row {
	size_t ply;
	const char *turns; /* not ended by NUL */
	size_t len;
};

/* The next row of the text; false: there is none. */
static bool next_row(const char **text, struct notebook_row *out)
{
	char *end;

	if (!**text)
		return false;
	out->ply = (size_t)strtoul(*text, &end, 10);
	out->turns = end + (*end == ' ');
	out->len = strcspn(out->turns, "\n");
	*text = out->turns + out->len + (out->turns[out->len] == '\n');
	return true;
}

static void write_row(const struct notebook_row *r, struct str *out)
{
	str_addf(out, "%s%zu %.*s", out->len ? "\n" : "", r->ply, (int)r->len, r->turns);
}

static const char *text_of(const struct match *m, uint8_t seat)
{
	const char *text = m->doc.secret[seat].lines;

	return text ? text : "";
}

static void set_text(struct match *m, uint8_t seat, const struct str *s)
{
	m->doc.secret[seat].seat = seat;
	m->doc.secret[seat].lines = s->len ? arena_strdup(m->arena, s->data) : NULL;
}

/* The number of whole turns with which both rows begin. */
static size_t shared_turns(const struct notebook_row *a, const struct notebook_row *b)
{
	size_t n = 0, turns = 0;

	if (a->ply != b->ply)
		return 0;
	for (; n < a->len && n < b->len && a->turns[n] == b->turns[n]; n++)
		turns += a->turns[n] == ' ';
	bool ends = (n == a->len || a->turns[n] == ' ') && (n == b->len || b->turns[n] == ' ');
	return turns + (ends && n > 0);
}

/* Is a the beginning of b, or all of it? */
static bool begins(const struct notebook_row *a, const struct notebook_row *b)
{
	return a->ply == b->ply && shared_turns(a, b) == turn_line_count(a->turns, a->len);
}

/* Writes the rows with the new one after the row that has most in common with it, and without
 * the row that it continues.  ERR_CONFLICT */
static int merge(const struct match *m, uint8_t seat, const struct notebook_row *new,
                 struct str *out, struct err *e)
{
	const char *at = text_of(m, seat);
	struct notebook_row r, rows[NOTEBOOK_ROWS];
	size_t n = 0, after = 0, most = 0;

	while (next_row(&at, &r) && n < NOTEBOOK_ROWS) {
		if (begins(new, &r))
			return err_set(e, ERR_CONFLICT, "This line is there already.");
		if (begins(&r, new)) {
			after = n;
			most = SIZE_MAX;
			continue;
		}
		rows[n++] = r;
		if (r.ply <= new->ply && shared_turns(&r, new) >= most) {
			most = shared_turns(&r, new);
			after = n;
		}
	}
	if (n == NOTEBOOK_ROWS)
		return err_set(e, ERR_LIMIT, "A game may have %d lines.", NOTEBOOK_ROWS);
	for (size_t i = 0; i <= n; i++) {
		if (i == after)
			write_row(new, out);
		if (i < n)
			write_row(&rows[i], out);
	}
	return out->truncated || out->len > GAME_LINES_MAX
	               ? err_set(e, ERR_LIMIT, "All lines of a game may have %d letters.",
	                         GAME_LINES_MAX)
	               : 0;
}

int notebook_add(struct match *m, uint8_t seat, const char *turns, struct err *e)
{
	struct str line = STR_LOCAL(1024);
	int rc = turn_line_read(m->arena, &m->game, match_position(m), turns, &line, e);

	if (rc < 0)
		return rc;
	AUTO(str_release) struct str whole = str_heap(2 * GAME_LINES_MAX);
	rc = merge(m, seat, &(struct notebook_row){ m->ply, line.data, line.len }, &whole, e);
	if (rc == 0)
		set_text(m, seat, &whole);
	return rc;
}

bool notebook_forget(struct match *m, uint8_t seat, unsigned row)
{
	const char *at = text_of(m, seat);
	struct notebook_row r;
	AUTO(str_release) struct str kept = str_heap(GAME_LINES_MAX + 1);
	unsigned i = 0;

	while (next_row(&at, &r))
		if (++i != row && row)
			write_row(&r, &kept);
	if (i && row <= i)
		set_text(m, seat, &kept);
	return i && row <= i;
}

void notebook_take_back(struct match *m, uint8_t seat)
{
	const char *at = text_of(m, seat);
	struct notebook_row r;
	AUTO(str_release) struct str kept = str_heap(GAME_LINES_MAX + 1);

	if (!*at)
		return;
	while (next_row(&at, &r))
		if (r.ply <= m->ply)
			write_row(&r, &kept);
	set_text(m, seat, &kept);
}

/* Writes the turns with their numbers, without the first ones. */
static void write_turns(const struct match *m, const struct notebook_row *r, size_t skip,
                        struct str *out)
{
	struct pos p = m->positions[r->ply];
	const char *at = r->turns, *end = r->turns + r->len;
	bool first = true;

	for (size_t i = 0; at < end; i++) {
		size_t n = strcspn(at, BLANKS);
		struct move mv;

		n = n > (size_t)(end - at) ? (size_t)(end - at) : n;
		if (game_read_move(&m->game, &p, at, n, &mv, NULL, NULL) < 0)
			return;
		if (i >= skip) {
			str_add(out, first ? "" : " ");
			if (p.to_move == WHITE || first)
				str_addf(out, "%u.%s ", p.fullmove, p.to_move == WHITE ? "" : "..");
			str_add_n(out, at, n);
			first = false;
		}
		game_apply(&m->game, &p, &mv, NULL);
		at += n + (at[n] == ' ');
	}
}

void notebook_write(const struct match *m, uint8_t seat, struct str *out)
{
	const char *at = text_of(m, seat);
	struct notebook_row r, above = { 0 };
	unsigned row = 0;

	for (; next_row(&at, &r); above = r) {
		size_t skip = row ? shared_turns(&above, &r) : 0, indent = INDENT * skip;

		row++;
		if (r.ply > m->ply)
			continue;
		str_addf(out, "%s%3u. %*s", out->len ? "\n" : "", row,
		         (int)(indent < INDENT_MAX ? indent : INDENT_MAX), "");
		write_turns(m, &r, skip, out);
	}
}
