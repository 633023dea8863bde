/* Links of a board's mail: each opens a mail to the board, ready to be sent, with a legal
 * turn or a word in it.  Nothing happens until the player sends that mail. */
#include <stdlib.h>
#include <string.h>

#include "games/board.h"
#include "games/game.h"
#include "games/notation/notation_san.h"
#include "games/pocket.h"
#include "pbm/answer/notify.h"
#include "pbm/answer/view.h"
#include "pbm/record/match.h"
#include "pbm/request/tournament_follow.h"
#include "pbm/text/html_escape.h"

#define LINKS_MAX 60
#define TURN_TEXT 64
#define HTML_MAX (64 * 1024)

void view_add_url(struct str *out, const char *text)
{
	static const char hex[] = "0123456789ABCDEF";

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		char code[] = { '%', hex[c >> 4], hex[c & 15] };

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		    strchr("-_.", c))
			str_add_char(out, *text);
		else
			str_add_n(out, code, sizeof code);
	}
}

void view_mailto(const char *address, const char *subject, struct str *out)
{
	const char *at = strrchr(address, '@');
	size_t n = at ? (size_t)(at - address) : strlen(address);

	str_add(out, "mailto:");
	for (size_t i = 0; i < n; i++) {
		char c[] = { address[i], '\0' };

		view_add_url(out, c);
	}
	if (at)
		html_escape(out, at, strlen(at));
	str_add(out, "?subject=");
	view_add_url(out, subject);
	str_add(out, "&amp;body=");
}

const char *view_reply_link(struct request *q, const struct match *m, uint8_t seat, json_t *o)
{
	struct token t = { .kind = TOKEN_GAME,
		           .board = m->doc.board,
		           .seat = seat,
		           .ply = m->stamp,
		           .expires = token_expiry(TOKEN_GAME, q->now) };
	const char *address = notify_address(q, &t);
	struct str s = STR_LOCAL(1200);

	view_mailto(
		address,
		arena_printf(q->arena, "%s #%lld", m->game.rules->title, (long long)m->doc.board),
		&s);
	json_object_set_new(o, "reply", json_string(s.data));
	return address;
}

/* One turn that is offered. */
struct offered {
	const struct move *move;
	unsigned group; /* its man's type and square */
	bool linked;
	char text[TURN_TEXT];
};

struct choice {
	const struct match *m;
	const struct moves *legal;
	bool parts; /* only the first part of a turn is offered, and the player adds the other */
	size_t n;
	struct offered *v;
};

static bool same_move(const struct move *a, const struct move *b)
{
	return a->from == b->from && a->to == b->to && a->promo == b->promo;
}

static bool same_parts(const struct move *a, const struct move *b)
{
	return memcmp(a->own, b->own, sizeof a->own) == 0;
}

/* Would the server ask before it plays the turn? */
static bool is_asked(const struct match *m, const struct move *mv)
{
	struct str why = STR_LOCAL(200);

	return game_blunder(&m->game, match_position(m), mv, &why);
}

static struct offered *find_move(const struct choice *c, const struct move *mv)
{
	for (size_t i = c->n; i-- > 0;)
		if (same_move(c->v[i].move, mv))
			return &c->v[i];
	return NULL;
}

/* Offers every turn, or each move once: with a turn that the server would not question, if it
 * has one. */
static void choose_turns(struct choice *c)
{
	for (size_t i = 0; i < c->legal->n; i++) {
		const struct move *mv = &c->legal->v[i];
		struct offered *known = c->parts ? find_move(c, mv) : NULL;

		if (!known)
			c->v[c->n++].move = mv;
		else if (is_asked(c->m, known->move))
			known->move = mv;
	}
}

#define GROUP_POCKET ((unsigned)PIECE_TYPES)

/* Pawns together, the pocket's men together, the other men one by one. */
static unsigned group_of(const struct match *m, const struct move *mv)
{
	struct man man = board_man(match_position(m), mv->from == NO_SQUARE ? 0 : mv->from);

	if (mv->from == NO_SQUARE)
		return NO_PIECE * 64;
	if (move_is_drop(mv))
		return GROUP_POCKET * 64;
	return man.type == PAWN ? 0 : man.type * 64u + mv->from;
}

static int by_group(const void *a, const void *b)
{
	const struct offered *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return strcmp(x->text, y->text);
}

/* A turn's rank by how unusual it is: captures come first, and a pawn mostly becomes a queen. */
static unsigned rank_of(const struct offered *v)
{
	const char *promotion = strchr(v->text, '=');

	if (promotion && promotion[1] != 'Q')
		return 2;
	return strchr(v->text, 'x') || promotion ? 0 : 1;
}

static void link_most_usual(struct choice *c)
{
	size_t left = LINKS_MAX;

	for (unsigned rank = 0; rank < 3; rank++)
		for (size_t i = 0; i < c->n && left; i++)
			if (rank_of(&c->v[i]) == rank && !is_asked(c->m, c->v[i].move)) {
				c->v[i].linked = true;
				left--;
			}
}

static const char *group_name(struct request *q, const struct offered *v)
{
	static const char *const names[] = { "Pawns",      "Knight on %s", "Bishop on %s",
		                             "Rook on %s", "Queen on %s",  "King on %s",
		                             "Pocket" };
	unsigned type = v->group / 64;
	struct str square = STR_LOCAL(3);

	if (type > GROUP_POCKET)
		return "Others";
	if (type == PAWN || type == GROUP_POCKET)
		return names[type];
	square_write(v->group % 64, &square);
	const char *at = strchr(names[type], '%');
	return arena_printf(q->arena, "%.*s%s", (int)(at - names[type]), names[type], square.data);
}

static void add_link(const struct offered *v, const char *reply, enum tongue t, struct str *out)
{
	if (v->linked) {
		str_add(out, "<a class=m href=\"");
		str_add(out, reply);
		view_add_url(out, v->text);
		str_add(out, "\">");
	}
	notation_say(t, v->text, out);
	str_add(out, v->linked ? "</a>\n" : "\n");
}

static json_t *groups_json(struct request *q, const struct choice *c, const char *reply,
                           enum tongue t)
{
	json_t *groups = json_array();
	struct str s = str_in(q->arena, HTML_MAX);

	for (size_t i = 0; i < c->n; i++) {
		add_link(&c->v[i], reply, t, &s);
		if (i + 1 < c->n && c->v[i + 1].group == c->v[i].group)
			continue;
		json_array_append_new(groups, json_pack("{s:s, s:s}", "man",
		                                        group_name(q, &c->v[i]), "turns", s.data));
		str_clear(&s);
	}
	return groups;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* "a6 b6 c6": the parts that may follow the last comma. */
static const char *other_parts(struct request *q, const struct choice *c)
{
	char parts[2 * 64][4] = { "" };
	const char *list = "";
	size_t n = 0;

	for (size_t i = 0; i < c->legal->n && n < sizeof parts / sizeof parts[0]; i++) {
		const struct move *mv = &c->legal->v[i];
		struct str s = STR_LOCAL(TURN_TEXT);
		size_t k = 0;

		while (k < i && !same_parts(&c->legal->v[k], mv))
			k++;
		if (k < i)
			continue;
		notation_write_turn(&c->m->game, match_position(c->m), c->legal, mv, &s);
		const char *part = strrchr(s.data, ',');
		if (part && strlen(part + 1) < sizeof parts[0])
			memcpy(parts[n++], part + 1, strlen(part + 1) + 1);
	}
	qsort(parts, n, sizeof parts[0], by_text);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(parts[i], parts[i - 1]) != 0)
			list = arena_printf(q->arena, "%s%s%s", list, i ? " " : "", parts[i]);
	return list;
}

void view_links(struct request *q, const struct match *m, const struct moves *legal, enum tongue t,
                json_t *o)
{
	const char *reply = json_string_value(json_object_get(o, "reply"));
	bool parts = legal->n > LINKS_MAX && game_how_to_answer(&m->game, legal);
	struct choice c = { .m = m,
		            .legal = legal,
		            .parts = parts,
		            .v = arena_alloc(q->arena, legal->n * sizeof *c.v) };

	choose_turns(&c);
	for (size_t i = 0; i < c.n; i++) {
		struct offered *v = &c.v[i];
		struct str s = STR_FIXED(v->text);

		notation_write_turn(&m->game, match_position(m), legal, v->move, &s);
		char *comma = parts ? strrchr(v->text, ',') : NULL;
		if (comma) /* nobody has chosen the other part */
			comma[1] = '\0';
		v->group = group_of(m, v->move);
	}
	qsort(c.v, c.n, sizeof *c.v, by_group);
	link_most_usual(&c);
	json_t *links = json_pack("{s:o}", "groups", groups_json(q, &c, reply, t));
	if (parts)
		json_object_set_new(links, "others", json_string(other_parts(q, &c)));
	json_object_set_new(o, "links", links);
}

/* The words that a player can answer with a click. */
void view_words(struct request *q, const struct match *m, uint8_t seat, json_t *o)
{
	const uint8_t open[] = { m->draw_offered_by, m->undo_asked_by, m->abort_asked_by };
	bool solo = match_is_solo(m), asked = false, asks = false;

	if (seat < 2 && m->doc.state == GAME_OFFERED && seat != game_offer_seat(&m->doc))
		json_object_set_new(o, "words", json_pack("{s:b}", "offer", true));
	if (seat >= 2 || m->doc.state != GAME_RUNNING)
		return;
	for (size_t i = 0; i < sizeof open; i++) {
		asked |= open[i] == !seat;
		asks |= open[i] == seat;
	}
	bool quiet = !asked && !asks;
	json_object_set_new(o, "words",
	                    json_pack("{s:b, s:b, s:b, s:b}", "answer", asked && !solo, "draw",
	                              quiet && !solo && match_may_offer_draw(m, seat), "undo",
	                              quiet && m->ply > seat && tournament_allows_undo(q, m),
	                              "resign", true));
}
