#include "pbm/record/opening_name.h"

#include <stdio.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/text/template.h"

#define LAST_PLY 20 /* no table has longer lines than 16 plies, but a game may lose time */
#define KEY 12      /* hexadecimal digits */

/* The tables: sorted lines "key<Tab>ECO code or -<Tab>name". */
static const struct {
	const char *game, *file;
} tables[] = {
	{ "chess", "openings/chess.tsv" },
	{ "suicide", "openings/losing.tsv" },
	{ "antichess", "openings/losing.tsv" },
	{ "giveaway", "openings/losing.tsv" },
};

static const char *table_of(const struct game *g, size_t *len)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (strcmp(tables[i].game, g->rules->name) == 0)
			return template_bytes(NULL, tables[i].file, len);
	return NULL;
}

/* FNV-1a of the FEN without its two numbers. */
static void write_key(const struct game *g, const struct pos *p, char out[KEY + 1])
{
	struct str s = STR_LOCAL(GAME_FEN_MAX);
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	int fields = 0;

	game_write_fen(g, p, &s);
	for (const char *c = s.data; *c && (fields += *c == ' ') < 4; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	snprintf(out, KEY + 1, "%012llx", (unsigned long long)(hash >> 16));
}

/* The line of a key, or NULL. */
static const char *find_line(const char *table, size_t len, const char *key)
{
	size_t from = 0, to = len; /* where lines begin, or the end */

	while (from < to) {
		size_t at = from + (to - from) / 2;

		while (at > from && table[at - 1] != '\n')
			at--;
		int order = strncmp(table + at, key, KEY);
		if (order == 0)
			return table + at;
		if (order > 0)
			to = at;
		else
			from = at + strcspn(table + at, "\n") + 1;
	}
	return NULL;
}

/* The name of a position.  False: it has none, or the game has no table. */
static bool name_at(const struct game *g, const struct pos *p, struct opening_name *out)
{
	char key[KEY + 1];
	size_t len;
	const char *table = table_of(g, &len);

	if (!table)
		return false;
	write_key(g, p, key);
	const char *line = find_line(table, len, key);
	struct opening_name found;

	if (!line || sscanf(line + KEY, "\t%3[^\t]\t%103[^\n]", found.eco, found.text) != 2)
		return false;
	if (*found.eco == '-')
		*found.eco = '\0';
	*out = found;
	return true;
}

struct opening_line opening_line_start(const char *game)
{
	struct opening_line l = { .game.rules = rules_find(game, strlen(game), NULL) };
	size_t len;

	if (!l.game.rules || !table_of(&l.game, &len) ||
	    game_setup(&l.game, NULL, &l.pos, NULL) < 0)
		l.game.rules = NULL;
	return l;
}

bool opening_line_play(struct opening_line *l, const char *san, size_t len,
                       struct opening_name *out)
{
	struct move m;

	if (l->game.rules && game_read_move(&l->game, &l->pos, san, len, &m, NULL, NULL) < 0)
		l->game.rules = NULL;
	if (!l->game.rules)
		return false;
	game_apply(&l->game, &l->pos, &m, NULL);
	return name_at(&l->game, &l->pos, out);
}

bool opening_line_play_all(struct opening_line *l, const char *sans, struct opening_name *out)
{
	bool named = false;

	for (size_t n; *sans; sans += n) {
		sans += strspn(sans, " ");
		n = strcspn(sans, " ");
		named = n && opening_line_play(l, sans, n, out);
	}
	return named;
}

bool opening_name_of(const struct match *m, struct opening_name *out)
{
	size_t ply = m->ply < LAST_PLY ? m->ply : LAST_PLY;

	while (!m->doc.start_fen && ply > 0)
		if (name_at(&m->game, &m->positions[ply--], out))
			return true;
	return false;
}
