/* Reading whole turns: game_read_move() and game_read_line(). */
#include <ctype.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/notation/notation_refuse.h"
#include "games/notation/notation_san.h"

/* Longer prefixes of a line than this are no turn. */
#define PREFIX_MAX 64

static enum read_refusal read_one_part(const struct game *g, const struct pos *p,
                                       const struct moves *legal, const struct typed_turn *t,
                                       struct move *out, struct str *text)
{
	struct question q = { .g = g, .p = p, .legal = legal };
	struct resolved a;

	if (t->n > 1) {
		str_add(text, "A turn of this game is one move, without a comma.");
		return READ_UNREADABLE;
	}
	notation_resolve(&q, &t->part[0].typed, &a);
	if (a.n == 1 && !a.needs_piece) {
		*out = a.hit[0];
		return READ_OK;
	}
	return notation_refuse(&q, &t->part[0].typed, t->part[0].text, &a, text);
}

/* A removal mark on a turn that removes nothing is refused. */
static bool removal_is_false(const struct game *g, const struct pos *p, const struct typed_turn *t,
                             const struct move *m)
{
	return t->part[t->n - 1].typed.r[0].removal && !notation_turn_removes(g, p, m);
}

static enum read_refusal read_parsed(const struct game *g, const struct pos *p,
                                     const struct moves *legal, const struct typed_turn *t,
                                     struct move *out, struct str *text)
{
	struct move m;
	enum read_refusal why = g->rules->read_turn ? g->rules->read_turn(g, p, legal, t, &m, text)
	                                            : read_one_part(g, p, legal, t, &m, text);

	if (why != READ_OK)
		return why;
	if (removal_is_false(g, p, t, &m)) {
		str_add(text, "That move removes nothing: write it without the X.");
		return READ_ILLEGAL;
	}
	*out = m;
	return READ_OK;
}

static enum read_refusal say_unreadable(const char *text, size_t len, struct str *out)
{
	size_t n = 0;

	while (n < len && n < 24 && text[n] > ' ' && text[n] < 0x7f)
		n++;
	if (n == len && n)
		str_addf(out, "\"%.*s\" is not a move.", (int)n, text);
	else
		str_add(out, "This is not a move.");
	str_add(out, " Moves look like e4, Nf3, exd5, O-O, e8=Q or e2e4.");
	return READ_UNREADABLE;
}

/* Reads against a position whose turns and outcome are known. */
static enum read_refusal read_text(const struct game *g, const struct pos *p,
                                   const struct moves *legal, const struct outcome *o,
                                   const char *text, size_t len, struct move *out,
                                   struct str *refusal)
{
	struct typed_turn t;

	if (!notation_parse(text, len, &t))
		return say_unreadable(text, len, refusal);
	if (o->result != RESULT_RUNNING) {
		str_addf(refusal, "The game is over: %s.", o->why);
		return READ_OVER;
	}
	return read_parsed(g, p, legal, &t, out, refusal);
}

static int report(enum read_refusal got, const struct str *refusal, enum read_refusal *why,
                  struct err *e)
{
	if (why)
		*why = got;
	return got == READ_OK ? 0 : err_set(e, ERR_BAD, "%s", refusal->data);
}

int game_read_move(const struct game *g, const struct pos *p, const char *text, size_t len,
                   struct move *out, enum read_refusal *why, struct err *e)
{
	struct str refusal = STR_LOCAL(480);
	struct moves legal;
	struct outcome o;

	game_outcome(g, p, &o);
	game_turns(g, p, &legal);
	return report(read_text(g, p, &legal, &o, text, len, out, &refusal), &refusal, why, e);
}

/* May a turn end before text[i]? */
static bool is_boundary(const char *text, size_t len, size_t i)
{
	if (i == len)
		return true;
	bool level = text[i] == '=' && (i + 1 == len || !isalpha((unsigned char)text[i + 1]));
	return isspace((unsigned char)text[i]) || strchr(",;:.!?)\"", text[i]) ||
	       (unsigned char)text[i] >= 0x80 || level;
}

/* Does a comma, which joins the parts of a turn, come next? */
static bool goes_on(const char *text, size_t len, size_t i)
{
	while (i < len && (text[i] == ' ' || text[i] == '\t'))
		i++;
	return i < len && text[i] == ',';
}

int game_read_line(const struct game *g, const struct pos *p, const char *line, size_t len,
                   struct move *out, size_t *used, enum read_refusal *why, struct err *e)
{
	size_t lead = 0, readable = 0, first = 0;
	struct moves legal;
	struct outcome o;
	struct typed_turn t;
	char buf[480];

	game_outcome(g, p, &o);
	game_turns(g, p, &legal);
	while (lead < len && isspace((unsigned char)line[lead]))
		lead++;
	for (size_t n = len - lead < PREFIX_MAX ? len - lead : PREFIX_MAX; n > 0; n--) {
		struct str refusal = STR_FIXED(buf);

		if (!is_boundary(line + lead, len - lead, n) ||
		    isspace((unsigned char)line[lead + n - 1]))
			continue;
		first = n;
		if (!notation_parse(line + lead, n, &t))
			continue;
		/* If turns have parts, a wrong second part is no remark. */
		if (readable && g->rules->read_turn && goes_on(line + lead, len - lead, n))
			continue;
		if (!readable)
			readable = n;
		if (read_text(g, p, &legal, &o, line + lead, n, out, &refusal) == READ_OK) {
			*used = lead + n;
			return report(READ_OK, &refusal, why, e);
		}
	}

	struct str refusal = STR_FIXED(buf);
	size_t n = readable ? readable : first ? first : len - lead;

	*used = lead + n;
	return report(read_text(g, p, &legal, &o, line + lead, n, out, &refusal), &refusal, why, e);
}
