/* The data of a game's page, for its script. */
#include <ctype.h>
#include <string.h>

#include "games/board.h"
#include "games/game.h"
#include "pbm/archive/pages/game_page.h"
#include "pbm/archive/pages/page_words.h"
#include "pbm/record/match_text.h"

static json_t *squares_json(uint64_t set)
{
	json_t *list = json_array();

	for (; set; set &= set - 1)
		json_array_append_new(list, json_string(SQUARE(bit_first(set))));
	return list;
}

static json_t *man_json(const struct man *m)
{
	char piece[2] = { piece_letter(m->color, m->type), '\0' };

	return json_pack("[s, s]", SQUARE(m->square), piece);
}

static unsigned read_square(const char *text)
{
	return 8U * (unsigned)(text[1] - '1') + (unsigned)(text[0] - 'a');
}

/* The pawn that a turn "e2e4,h7h6" pushed, as in the text's end: "h7h6", whose squares go to
 * *squares.  NULL: none. */
static const char *push_of(const struct match_ply *ply, uint64_t *squares)
{
	const char *push = strrchr(ply->event->move, ',');

	if (!push || strlen(++push) != 4 || !isdigit((unsigned char)push[1]) ||
	    !isdigit((unsigned char)push[3]) || read_square(push) == ply->move.from)
		return NULL;
	*squares |= BIT(read_square(push)) | BIT(read_square(push + 2));
	return push;
}

static void set_unless_empty(json_t *o, const char *key, json_t *list)
{
	if (json_array_size(list))
		json_object_set_new(o, key, list);
	else
		json_decref(list);
}

static void add_squares(const struct game_page *p, size_t i, json_t *o)
{
	const struct move *mv = &p->m->moves[i].move;
	uint64_t usual = 0;
	const char *push = push_of(&p->m->moves[i], &usual);
	uint64_t marks = game_marks(&p->m->game, &p->m->positions[i + 1], mv);

	if (mv->from != NO_SQUARE) {
		usual |= BIT(mv->from) | BIT(mv->to);
		json_object_set_new(o, "from", json_string(SQUARE(mv->from)));
		json_object_set_new(o, "to", json_string(SQUARE(mv->to)));
	}
	if (push)
		json_object_set_new(o, "push", json_string(push));
	if (marks != usual)
		json_object_set_new(o, "marks", squares_json(marks));
}

static void add_men(const struct effects *fx, json_t *o)
{
	json_t *removed = json_array(), *captured = json_array();

	for (size_t i = 0; i < fx->removed_count; i++)
		json_array_append_new(removed, man_json(&fx->removed[i]));
	if (fx->captured.type != NO_PIECE)
		json_array_append_new(captured, man_json(&fx->captured));
	set_unless_empty(o, "removed", removed);
	set_unless_empty(o, "captured", captured);
}

/* Adds the players' words after so many turns, as lines "alice: hello". *next is the first event
 * that may be one of these, and moves on. */
static void add_note(const struct game_page *p, size_t ply, size_t *next, json_t *o)
{
	AUTO(str_release) struct str s = str_heap(GAME_DOC_MAX);

	for (; *next < p->happened_count && p->happened[*next].ply <= ply; (*next)++) {
		const struct event *ev = p->happened[*next].event;

		if (ev->kind != EVENT_CHAT || !ev->text || p->happened[*next].ply != ply)
			continue;
		str_addf(&s, "%s%s: ", s.len ? "\n" : "",
		         ev->seat < 2 ? p->m->doc.players[ev->seat] : "");
		page_comment(ev->text, &s);
	}
	if (s.len)
		json_object_set_new(o, "note", json_stringn(s.data, s.len));
}

/* The turn with index i. */
static json_t *ply_json(const struct game_page *p, size_t i, size_t *next)
{
	static const char *const sides[] = { "white", "black" };
	const struct match_ply *ply = &p->m->moves[i];
	const struct event *ev = ply->event;
	json_t *o = json_pack("{s:s, s:s}", "san", match_san(p->m, i), "uci", ev->move);
	struct str fen = STR_LOCAL(GAME_FEN_MAX);

	game_write_fen(&p->m->game, &p->m->positions[i + 1], &fen);
	json_object_set_new(o, "fen", json_string(fen.data));
	add_squares(p, i, o);
	add_men(&p->effects[i], o);
	if (game_in_check(&p->m->game, &p->m->positions[i + 1]))
		json_object_set_new(o, "check", json_true());
	if (p->proved[i + 1] != SEAT_NONE)
		json_object_set_new(o, "proved", json_string(sides[p->proved[i + 1]]));
	if (ply->at) { /* an example has no times */
		json_object_set_new(o, "at", json_integer(ply->at));
		json_object_set_new(o, "seconds", json_integer(ply->used));
	}
	add_note(p, i + 1, next, o);
	return o;
}

/* Copies JSON and escapes characters that occur only in its strings, and that end a script or,
 * in older browsers, a line. */
static void write_escaped(const char *json, struct str *out)
{
	for (; *json; json++) {
		if (*json == '<' || *json == '>' || *json == '&') {
			str_addf(out, "\\u%04x", (unsigned)*json);
		} else if (strncmp(json, "\xe2\x80\xa8", 3) == 0 ||
		           strncmp(json, "\xe2\x80\xa9", 3) == 0) {
			str_add(out, json[2] == '\xa8' ? "\\u2028" : "\\u2029");
			json += 2;
		} else {
			str_add_char(out, *json);
		}
	}
}

void game_page_data(const struct game_page *p, struct str *out)
{
	const struct game_doc *d = &p->m->doc;
	struct board_size size = game_board(&p->m->game);
	json_t *plies = json_array();
	struct str fen = STR_LOCAL(GAME_FEN_MAX);
	size_t next = 0;

	game_write_fen(&p->m->game, &p->m->positions[0], &fen);
	for (size_t i = 0; i < p->m->ply; i++)
		json_array_append_new(plies, ply_json(p, i, &next));
	json_auto_t *o = json_pack("{s:I, s:s, s:i, s:i, s:s, s:s, s:o}", "board",
	                           (json_int_t)d->board, "start", fen.data, "files", size.files,
	                           "ranks", size.ranks, "white", d->players[WHITE], "black",
	                           d->players[BLACK], "plies", plies);
	AUTO(mem_free) char *text = json_dumps(o, JSON_COMPACT);
	if (text)
		write_escaped(text, out);
}
