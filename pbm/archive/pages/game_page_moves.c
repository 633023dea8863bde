/* The moves of a game's page, and the events between them. */
#include <string.h>

#include "games/board.h"
#include "games/game.h"
#include "pbm/archive/pages/game_page.h"
#include "pbm/archive/pages/page_words.h"
#include "pbm/record/match_text.h"
#include "pbm/text/text.h"

/* The kinds of events that are shown, by the template's keys. */
static const char *const kinds[EVENT_KINDS] = {
	[EVENT_CHAT] = "comment",
	[EVENT_DRAW_OFFER] = "draw_offer",
	[EVENT_DRAW_DECLINE] = "draw_decline",
	[EVENT_UNDO_ASK] = "undo_ask",
	[EVENT_UNDO_DECLINE] = "undo_decline",
	[EVENT_UNDO] = "undo",
	[EVENT_ABORT_ASK] = "abort_ask",
	[EVENT_EXTEND] = "extend",
	[EVENT_SHORTEN] = "shorten",
	[EVENT_GIFT] = "gift",
	[EVENT_TIME_UP] = "time_up",
	[EVENT_PAUSE] = "pause",
	[EVENT_RESUME] = "resume",
	[EVENT_HINT] = "hint",
};

static bool is_shown(const struct game_page *p, const struct event *ev)
{
	return kinds[ev->kind] && (ev->kind != EVENT_CHAT || p->comments);
}

static void find_events(struct game_page *p)
{
	const struct game_doc *d = &p->m->doc;
	struct happened *v = arena_alloc(p->arena, (d->event_count + 1) * sizeof *v);
	size_t n = 0, ply = 0;

	for (size_t i = 0; i < d->event_count; i++) {
		const struct event *ev = &d->events[i];

		if (ev->kind == EVENT_MOVE)
			ply++;
		if (ev->kind == EVENT_UNDO) {
			ply -= (size_t)ev->number;
			for (size_t k = n; k-- > 0 && v[k].ply > ply;)
				v[k].ply = ply;
		}
		if (is_shown(p, ev))
			v[n++] = (struct happened){ ply, ev };
	}
	p->happened = v;
	p->happened_count = n;
}

void game_page_prepare(struct game_page *p)
{
	const struct match *m = p->m;
	struct effects *effects = arena_alloc(p->arena, (m->ply + 1) * sizeof *effects);

	for (size_t i = 0; i < m->ply; i++) {
		struct pos pos = m->positions[i];

		game_apply(&m->game, &pos, &m->moves[i].move, &effects[i]);
	}
	p->effects = effects;
	p->proved = arena_alloc(p->arena, m->ply + 1);
	memset(p->proved, SEAT_NONE, m->ply + 1);
	p->mistakes = arena_alloc(p->arena, m->ply + 1);
	memset(p->mistakes, false, m->ply + 1);
	find_events(p);
}

static const char *name_of(const struct game_page *p, const struct event *ev)
{
	if (ev->by)
		return ev->by;
	return ev->seat < 2 ? p->m->doc.players[ev->seat] : "";
}

/* "2 days" of seconds. */
static json_t *duration_json(int64_t seconds)
{
	struct str s = STR_LOCAL(100);

	text_duration(seconds, &s);
	return json_string(s.data);
}

/* Seconds from the pause to its end. */
static int64_t paused_for(const struct game_page *p, const struct event *resume)
{
	const struct event *ev = resume;

	while (ev > p->m->doc.events && ev->kind != EVENT_PAUSE)
		ev--;
	return resume->at - ev->at;
}

static json_t *comment_json(const struct event *ev)
{
	AUTO(str_release) struct str s = str_heap(GAME_DOC_MAX);

	page_comment(ev->text ? ev->text : "", &s);
	return json_stringn(s.data, s.len);
}

static json_t *event_json(const struct game_page *p, const struct event *ev)
{
	json_t *o = json_pack("{s:s}", "by", name_of(p, ev));
	bool comment = ev->kind == EVENT_CHAT;

	json_object_set_new(o, kinds[ev->kind], comment ? comment_json(ev) : json_true());
	json_object_set_new(o, "moderator", json_boolean(ev->by != NULL));
	if (ev->kind == EVENT_EXTEND || ev->kind == EVENT_SHORTEN)
		json_object_set_new(o, "time", duration_json(ev->number));
	else if (ev->kind == EVENT_RESUME)
		json_object_set_new(o, "time", duration_json(paused_for(p, ev)));
	else
		json_object_set_new(o, "count", json_integer(ev->number));
	json_object_set_new(o, "one", json_boolean(ev->number == 1));
	json_object_set_new(o, "why", json_string(comment || !ev->text ? "" : ev->text));
	if (ev->kind == EVENT_GIFT && ev->seat < 2)
		json_object_set_new(o, "to", json_string(p->m->doc.players[!ev->seat]));
	return o;
}

/* "♝f1 ♟g6": the men that left the board without being taken. */
static void write_gone(const struct effects *fx, struct str *out)
{
	for (size_t i = 0; i < fx->removed_count; i++) {
		const struct man *r = &fx->removed[i];

		str_addf(out, "%s%s%s", i ? " " : "", game_figures[r->color][r->type],
		         SQUARE(r->square));
	}
}

static json_t *turn_json(const struct game_page *p, size_t i)
{
	struct str gone = STR_LOCAL(400);

	write_gone(&p->effects[i], &gone);
	uint8_t winner = p->proved[i + 1];
	return json_pack("{s:I, s:s, s:s, s:b, s:b, s:s*}", "ply", (json_int_t)i + 1, "san",
	                 match_san(p->m, i), "gone", gone.data, "proved", winner != SEAT_NONE,
	                 "mistake", p->mistakes[i], "winner",
	                 winner == SEAT_NONE    ? NULL
	                 : winner == SEAT_WHITE ? "White"
	                                        : "Black");
}

json_t *game_page_moves(const struct game_page *p)
{
	json_t *early = json_array(), *rows = json_array(), *items = NULL;
	const struct happened *v = p->happened;
	size_t n = p->happened_count, next = 0;

	for (; next < n && v[next].ply == 0; next++)
		json_array_append_new(early, event_json(p, v[next].event));
	for (size_t i = 0; i < p->m->ply; i++) {
		bool white = p->m->positions[i].to_move == WHITE;

		if (white || !items) {
			items = json_array();
			json_array_append_new(rows,
			                      json_pack("{s:I, s:b, s:o}", "number",
			                                (json_int_t)p->m->positions[i].fullmove,
			                                "dots", !white, "items", items));
		}
		json_array_append_new(items, turn_json(p, i));
		for (; next < n && v[next].ply <= i + 1; next++)
			json_array_append_new(items, event_json(p, v[next].event));
	}
	return json_pack("{s:o, s:o}", "early", early, "rows", rows);
}
