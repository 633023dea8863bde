/* Positions and example games of help pages, as drawings. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "games/board.h"
#include "games/notation/notation.h"
#include "games/pocket.h"
#include "pbm/archive/pages/drawings.h"
#include "pbm/archive/pages/game_page.h"
#include "pbm/archive/pages/help_html.h"
#include "pbm/commands/help/help_board.h"
#include "pbm/text/html_escape.h"
#include "pbm/text/template.h"

#define FENCE "```"
#define WORD_MAX 80
#define FIGURE_MAX (256 * 1024)

/* The men in a side's pocket, beside the drawing; nothing in games without drops.  id: for the
 * script, or "". */
static void write_pocket(const struct game *g, const struct pos *p, enum color c, const char *id,
                         struct str *out)
{
	struct str s = STR_LOCAL(100);

	if (!(g->rules->flags & RULES_DROPS))
		return;
	game_write_pocket(g, p, c, &s);
	str_addf(out,
	         "<div class=\"player\"><span class=\"taken\"%s role=\"img\""
	         " aria-label=\"%s's pocket: %s\">",
	         id, c == WHITE ? "White" : "Black", s.len ? s.data : "nothing");
	for (unsigned type = POCKET_TYPES; type-- > 0;)
		for (unsigned n = pocket_count(g, p, c, type); n > 0; n--)
			str_addf(out, "<svg viewBox=\"0 0 45 45\"><use href=\"#%c%c\"/></svg>",
			         "wb"[c], toupper(piece_letters[type]));
	str_add(out, "</span></div>");
}

static void write_figure(struct help_source *h, const struct game *g, const struct pos *p,
                         const struct svg_look *look, const char *caption, size_t n,
                         struct str *out)
{
	bool pockets = !pocket_is_empty(g, p, WHITE) || !pocket_is_empty(g, p, BLACK);

	str_add(out, "<figure class=\"example\">");
	if (pockets)
		write_pocket(g, p, BLACK, "", out);
	svg_board(g, p, look, out);
	if (pockets)
		write_pocket(g, p, WHITE, "", out);
	if (n) {
		str_add(out, "<figcaption>");
		html_escape(out, caption, n);
		str_add(out, "</figcaption>");
	}
	str_add(out, "</figure>\n");
	h->drawn = true;
}

static bool draw_position(struct help_source *h, const char *open, const char *close,
                          struct str *out)
{
	struct help_position p;
	const char *line = strchr(open, '\n') + 1;

	if (!help_read_position(open, close, h->rules, &p))
		return false;
	const struct svg_look look = { .side = WHITE,
		                       .coordinates = true,
		                       .last = p.moved ? &p.last : NULL,
		                       .fx = p.moved ? &p.effects : NULL };

	write_figure(h, &p.game, &p.pos, &look, line, strcspn(line, "\n"), out);
	h->fen[0] = '\0';
	if (strcspn(line, "\n") < sizeof h->fen)
		strncat(h->fen, line, strcspn(line, "\n"));
	return true;
}

/* The next word of the block; its length, 0 at the end. */
static size_t next_word(const char **at, const char *end, char word[WORD_MAX])
{
	size_t n = 0;

	while (*at < end && isspace((unsigned char)**at))
		(*at)++;
	while (*at < end && !isspace((unsigned char)**at)) {
		if (n + 1 < WORD_MAX)
			word[n++] = **at;
		(*at)++;
	}
	word[n] = '\0';
	return n;
}

static bool is_number(const char *word)
{
	size_t n = strspn(word, "0123456789");

	return n > 0 && word[n] == '.' && word[n + strspn(word + n, ".")] == '\0';
}

static bool is_result(const char *word)
{
	return strcmp(word, "*") == 0 || strcmp(word, "1-0") == 0 || strcmp(word, "0-1") == 0 ||
	       strcmp(word, "1/2-1/2") == 0;
}

/* Plays the turns up to the result. */
static bool play_turns(const char *at, const char *end, struct match *m)
{
	char word[WORD_MAX];
	size_t n;

	while ((n = next_word(&at, end, word)) && !is_result(word)) {
		struct move mv;

		if (is_number(word))
			continue;
		if (m->doc.state != GAME_RUNNING ||
		    game_read_move(&m->game, match_position(m), word, n, &mv, NULL, NULL) < 0)
			return false;
		match_play(m, &mv, 0);
	}
	return m->ply > 0;
}

/* Replays a block "game", "game -option" or "game fen". */
static bool read_game(struct help_source *h, const char *open, const char *close, struct match *m)
{
	const char *at = open + strlen(FENCE), *line = strchr(open, '\n');
	struct game_doc d = { .board = 1,
		              .game = h->rules ? h->rules->name : NULL,
		              .players = { "White", "Black" },
		              .days = 1 };
	char word[WORD_MAX], options[200];
	struct str s = STR_FIXED(options);

	if (!h->rules || !next_word(&at, line, word) || strcmp(word, "game") != 0)
		return false;
	while (next_word(&at, line, word))
		if (strcmp(word, "fen") == 0)
			d.start_fen = h->fen;
		else
			str_addf(&s, "%s%s", s.len ? " " : "", word);
	d.options = arena_strdup(h->arena, options);
	if (d.start_fen)
		d.start_fen = arena_strdup(h->arena, d.start_fen);
	if (match_create(h->arena, &d, m, NULL) < 0)
		return false;
	match_start(m, 0);
	return play_turns(line, close, m);
}

/* Adds the pockets as "top" and "bottom". */
static void add_pockets(const struct match *m, const char *suffix, json_t *c)
{
	static const char *const names[] = { "bottom", "top" };
	char id[40];
	AUTO(str_release) struct str s = str_heap(FIGURE_MAX);

	for (enum color side = WHITE; side <= BLACK; side++) {
		str_clear(&s);
		snprintf(id, sizeof id, " id=\"taken-%s%s\"", names[side], suffix);
		write_pocket(&m->game, match_position(m), side, id, &s);
		json_object_set_new(c, names[side], json_stringn(s.data, s.len));
	}
}

/* The game with buttons, moves and data. */
static bool write_playable(struct help_source *h, const struct game_page *p, struct str *out)
{
	const struct match *m = p->m;
	const struct svg_look look = { .side = WHITE,
		                       .coordinates = true,
		                       .last = &m->moves[m->ply - 1].move,
		                       .fx = &p->effects[m->ply - 1] };
	json_auto_t *c = game_page_moves(p);
	AUTO(str_release) struct str s = str_heap(FIGURE_MAX);
	const char *suffix = h->games ? arena_printf(h->arena, "-%u", h->games + 1) : "";

	svg_text(&m->game, match_position(m), &s);
	json_object_set_new(c, "position", json_stringn(s.data, s.len));
	str_clear(&s);
	game_page_data(p, &s);
	json_object_set_new(c, "data", json_stringn(s.data, s.len));
	json_object_set_new(c, "suffix", json_string(suffix));
	add_pockets(m, suffix, c);
	json_object_set_new(c, "drawing", drawings_board(&m->game, match_position(m), &look));
	int rc = template_render_in(h->site->template_dir, h->language, "archive/help-game.html", c,
	                            out, NULL);
	h->drawn |= rc == 0;
	h->games += rc == 0;
	return rc == 0;
}

static bool draw_game(struct help_source *h, const char *open, const char *close, struct str *out)
{
	struct match m;
	struct game_page p = { .site = h->site, .arena = h->arena, .m = &m };

	if (!read_game(h, open, close, &m))
		return false;
	game_page_prepare(&p);
	return write_playable(h, &p, out);
}

/* Finds the first option, or none, with which the game's board has these files; false: none. */
static bool find_board(const struct rules *rules, unsigned files, unsigned ranks, struct game *g)
{
	*g = (struct game){ .rules = rules };
	for (size_t i = 0;; i++) {
		struct board_size size = game_board(g);

		if (size.files == files && size.ranks == ranks)
			return true;
		if (i == rules_option_count(rules))
			return false;
		g->options = 1U << i;
	}
}

/* Puts the man of "| n |" on its square; false: it is something else. */
static bool read_square(const char *cell, unsigned sq, struct pos *p)
{
	unsigned type = piece_by_letter(cell[2]);

	if (cell[0] != '|' || cell[1] != ' ' || cell[3] != ' ' || cell[4] != '|')
		return false;
	if (type != NO_PIECE)
		board_put(p, sq, isupper((unsigned char)cell[2]) ? WHITE : BLACK, type);
	return type != NO_PIECE || cell[2] == ' ';
}

/* Reads a rank of a drawing, "8 | r | n |   | 8"; returns its files, 0: it is none. */
static unsigned read_rank(const char *line, const char *end, struct pos *p)
{
	unsigned rank, files = 0;

	line += strspn(line, " ");
	if (line + 3 > end || *line < '1' || *line > '8' || line[1] != ' ')
		return 0;
	rank = (unsigned)(*line - '1');
	for (line += 2; files < 8 && line + 4 < end; line += 4)
		if (read_square(line, 8 * rank + files, p))
			files++;
		else
			break;
	return files;
}

/* A drawing made of letters, in a block without a name. */
static bool draw_letters(struct help_source *h, const char *open, const char *close,
                         struct str *out)
{
	const struct svg_look look = { .side = WHITE, .coordinates = true };
	struct pos p = { .ep = NO_SQUARE, .fullmove = 1 };
	unsigned files = 0, ranks = 0;
	struct game g;

	if (!h->rules || open[strlen(FENCE)] != '\n')
		return false;
	for (const char *line = open; line && line < close; line = strchr(line, '\n')) {
		line += *line == '\n';
		unsigned n = read_rank(line, line + strcspn(line, "\n"), &p);

		if (n && files && n != files)
			return false;
		files = n ? n : files;
		ranks += n > 0;
	}
	if (!files || !find_board(h->rules, files, ranks, &g))
		return false;
	write_figure(h, &g, &p, &look, "", 0, out);
	return true;
}

bool help_html_figure(struct help_source *h, const char *open, const char *close, struct str *out)
{
	return draw_position(h, open, close, out) || draw_game(h, open, close, out) ||
	       draw_letters(h, open, close, out);
}
