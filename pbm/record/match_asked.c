#include "pbm/record/match_asked.h"

#include <string.h>

/* Does the event ask the other side something that is still open? */
static bool is_open(const struct match *m, const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_OFFER: return m->doc.state == GAME_OFFERED;
	case EVENT_DRAW_OFFER: return m->draw_offered_by == ev->seat;
	case EVENT_UNDO_ASK: return m->undo_asked_by == ev->seat;
	case EVENT_ABORT_ASK: return m->abort_asked_by == ev->seat;
	default: return false;
	}
}

bool match_asks_else(const char *text)
{
	static const char *const plays[] = { "play",    "game", "match", "lust",    "spiel",
		                             "partie",  "jou",  "jug",   "partida", "gioc",
		                             "partita", "jog",  "speel", NULL };

	return text && strchr(text, '?') && !str_holds_any(text, plays);
}

size_t match_asked(const struct match *m, uint8_t seat, bool *said)
{
	size_t asked = 0;

	*said = false;
	if (seat > 1 || match_is_solo(m) || m->doc.state > GAME_RUNNING)
		return 0;
	for (size_t i = m->doc.event_count; i-- > 0;) {
		const struct event *ev = &m->doc.events[i];

		if (ev->seat == seat && asked)
			break;
		if (ev->seat != !seat)
			continue;
		*said |= ev->kind == EVENT_CHAT &&
		         (m->doc.state != GAME_OFFERED || match_asks_else(ev->text));
		if (!asked && is_open(m, ev))
			asked = i + 1;
	}
	return asked;
}

const char *match_wrote_last(const struct match *m, uint8_t seat)
{
	for (size_t i = m->doc.event_count; i-- > 0 && m->doc.events[i].seat == seat;)
		if (m->doc.events[i].kind == EVENT_CHAT)
			return m->doc.events[i].text;
	return NULL;
}

bool match_asked_is_open(const struct match *m, size_t asked)
{
	const struct event *ev = &m->doc.events[asked - 1];

	for (size_t i = asked; i < m->doc.event_count; i++)
		if (m->doc.events[i].kind == ev->kind && m->doc.events[i].seat == ev->seat)
			return false;
	return is_open(m, ev);
}

const struct event *match_asked_before(const struct match *m, uint8_t seat,
                                       const struct event **move)
{
	*move = NULL;
	for (size_t i = m->doc.event_count; seat < 2 && i-- > 0;) {
		const struct event *ev = &m->doc.events[i];

		switch (ev->kind) {
		case EVENT_MOVE: *move = ev; break;
		case EVENT_UNDO:
		case EVENT_DRAW_DECLINE:
		case EVENT_UNDO_DECLINE: return NULL;
		case EVENT_DRAW_OFFER:
		case EVENT_UNDO_ASK:
		case EVENT_ABORT_ASK:
			if (ev->seat == !seat)
				return *move ? ev : NULL;
			break;
		default: break;
		}
	}
	return NULL;
}
